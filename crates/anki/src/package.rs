//! Reads and writes the zip file: finds the entry with the collection, and reads it without harm.

use std::io::{self, Cursor, Read, Seek, Write};

use prost::Message;
use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde::de::IgnoredAny;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::{AnkiError, MAX_COLLECTION_BYTES};

/// The parts of a package that matter here.
pub(crate) struct Package {
    /// The bytes of the SQLite database.
    pub collection: Vec<u8>,
    pub media_files: usize,
}

pub(crate) fn read(package: impl Read + Seek) -> Result<Package, AnkiError> {
    let mut archive = ZipArchive::new(package).map_err(|error| AnkiError::NotAPackage(error.to_string()))?;
    let form = Form::of(&mut archive)?;
    let collection = entry(&mut archive, form.file_name(), MAX_COLLECTION_BYTES)?;
    let collection =
        collection.ok_or_else(|| AnkiError::NotAPackage(format!("it has no {}", form.file_name())))?;
    let media = entry(&mut archive, "media", MAX_MEDIA_LIST_BYTES)?;
    Ok(Package {
        collection: form.unpack(form.file_name(), collection, MAX_COLLECTION_BYTES)?,
        media_files: media.map_or(Ok(0), |media| form.media_files(media))?,
    })
}

/// Makes a package in the second form around the bytes of a database.
pub(crate) fn write(collection: &[u8]) -> io::Result<Vec<u8>> {
    let meta = Meta { version: Form::Json2 as i32 }.encode_to_vec();
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in [("meta", meta.as_slice()), (Form::Json2.file_name(), collection), ("media", b"{}")]
    {
        archive.start_file(name, SimpleFileOptions::default())?;
        archive.write_all(bytes)?;
    }
    Ok(archive.finish()?.into_inner())
}

/// Makes a copy of a package around another collection. Its other entries, such as sounds, are copied as they are.
pub(crate) fn replace(source: &[u8], collection: &[u8]) -> Result<Vec<u8>, AnkiError> {
    let mut archive =
        ZipArchive::new(Cursor::new(source)).map_err(|error| AnkiError::NotAPackage(error.to_string()))?;
    let form = Form::of(&mut archive)?;
    let unwritten =
        |error: &dyn std::fmt::Display| AnkiError::Damaged(format!("it cannot be packed: {error}"));
    let mut written = ZipWriter::new(Cursor::new(Vec::new()));
    for at in 0..archive.len() {
        let file = archive.by_index_raw(at).map_err(|error| unwritten(&error))?;
        if file.name().is_ok_and(|name| name == form.file_name()) {
            written
                .start_file(form.file_name(), SimpleFileOptions::default())
                .map_err(|error| unwritten(&error))?;
            written.write_all(&form.pack(collection)).map_err(|error| unwritten(&error))?;
        } else {
            written.raw_copy_file(file).map_err(|error| unwritten(&error))?;
        }
    }
    Ok(written.finish().map_err(|error| unwritten(&error))?.into_inner())
}

const MAX_META_BYTES: usize = 1 << 10;
const MAX_MEDIA_LIST_BYTES: usize = 32 << 20;

/// The highest plausible ratio of unpacked to packed size. A packed database shrinks to about a tenth. Below the
/// free size any ratio is plausible: an empty database is mostly zeros.
const MAX_RATIO: usize = 200;
const FREE_BYTES: usize = 4 << 20;

/// The forms of a package over the years. The numbers are Anki's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Json1 = 1,
    Json2 = 2,
    Tables = 3,
}

#[derive(Clone, PartialEq, Message)]
struct Meta {
    #[prost(int32, tag = "1")]
    version: i32,
}

#[derive(Clone, PartialEq, Message)]
struct MediaList {
    #[prost(message, repeated, tag = "1")]
    entries: Vec<MediaEntry>,
}

#[derive(Clone, PartialEq, Message)]
struct MediaEntry {
    #[prost(string, tag = "1")]
    name: String,
}

impl Form {
    /// Finds the form of a package. Packages state it since the second form; in older ones the file names tell.
    fn of(archive: &mut ZipArchive<impl Read + Seek>) -> Result<Form, AnkiError> {
        let Some(meta) = entry(archive, "meta", MAX_META_BYTES)? else {
            let has_second = archive.index_for_name(Form::Json2.file_name()).is_some();
            return Ok(if has_second { Form::Json2 } else { Form::Json1 });
        };
        let meta = Meta::decode(meta.as_slice()).map_err(|error| damaged("meta", error))?;
        match meta.version {
            1 => Ok(Form::Json1),
            2 => Ok(Form::Json2),
            3 => Ok(Form::Tables),
            newer @ 4.. => Err(AnkiError::TooNew(newer)),
            other => Err(damaged("meta", format!("there is no format {other}"))),
        }
    }

    fn file_name(self) -> &'static str {
        match self {
            Form::Json1 => "collection.anki2",
            Form::Json2 => "collection.anki21",
            Form::Tables => "collection.anki21b",
        }
    }

    /// Unpacks an entry. The third form compresses its entries a second time.
    fn unpack(self, name: &str, bytes: Vec<u8>, limit_bytes: usize) -> Result<Vec<u8>, AnkiError> {
        if self != Form::Tables {
            return Ok(bytes);
        }
        let decoder = StreamingDecoder::new(bytes.as_slice()).map_err(|error| damaged(name, error))?;
        bounded(decoder, name, bytes.len(), limit_bytes)
    }

    fn pack(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Form::Tables => compress_to_vec(bytes, CompressionLevel::Fastest),
            Form::Json1 | Form::Json2 => bytes.to_vec(),
        }
    }

    fn media_files(self, media: Vec<u8>) -> Result<usize, AnkiError> {
        let media = self.unpack("media", media, MAX_MEDIA_LIST_BYTES)?;
        if self == Form::Tables {
            let list = MediaList::decode(media.as_slice()).map_err(|error| damaged("media", error))?;
            return Ok(list.entries.len());
        }
        let list: std::collections::HashMap<String, IgnoredAny> =
            serde_json::from_slice(&media).map_err(|error| damaged("media", error))?;
        Ok(list.len())
    }
}

/// Returns the bytes of an entry, if there is one of this name.
fn entry(
    archive: &mut ZipArchive<impl Read + Seek>,
    name: &str,
    limit_bytes: usize,
) -> Result<Option<Vec<u8>>, AnkiError> {
    let file = match archive.by_name(name) {
        Ok(file) => file,
        Err(ZipError::FileNotFound) => return Ok(None),
        Err(error) => return Err(damaged(name, error)),
    };
    let packed_bytes = usize::try_from(file.compressed_size()).unwrap_or(usize::MAX);
    bounded(file, name, packed_bytes, limit_bytes).map(Some)
}

/// Reads to the end, but stops at the first byte too many.
fn bounded(
    reader: impl Read,
    name: &str,
    packed_bytes: usize,
    limit_bytes: usize,
) -> Result<Vec<u8>, AnkiError> {
    let plausible_bytes = packed_bytes.saturating_mul(MAX_RATIO).max(FREE_BYTES);
    let take_bytes = limit_bytes.min(plausible_bytes) + 1;
    let mut bytes = Vec::new();
    reader.take(take_bytes as u64).read_to_end(&mut bytes).map_err(|error| damaged(name, error))?;
    if bytes.len() > limit_bytes {
        return Err(AnkiError::TooLarge { name: name.to_owned(), limit_bytes });
    }
    if bytes.len() > plausible_bytes {
        return Err(AnkiError::Bomb(name.to_owned()));
    }
    Ok(bytes)
}

fn damaged(name: &str, error: impl std::fmt::Display) -> AnkiError {
    AnkiError::Damaged(format!("“{name}” cannot be read: {error}"))
}
