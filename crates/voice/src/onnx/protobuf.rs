//! Reads and writes protocol buffers. Unknown fields are copied unchanged.

/// A field of a message: all of its bytes, and its content.
pub(super) struct Field<'b> {
    pub(super) number: u64,
    pub(super) whole: &'b [u8],
    pub(super) body: &'b [u8],
    /// The number, or zero if the field holds bytes.
    pub(super) value: u64,
}

/// Returns a message with changed content in each field of this number.
pub(super) fn with_each(
    message: &[u8],
    number: u64,
    mut change: impl FnMut(&[u8]) -> Option<Vec<u8>>,
) -> Option<Vec<u8>> {
    let mut changed = Vec::with_capacity(message.len());
    for field in fields(message)? {
        if field.number == number {
            write(&mut changed, number, &change(field.body)?);
        } else {
            changed.extend(field.whole);
        }
    }
    Some(changed)
}

/// Returns the first text with this number. Empty if there is none.
pub(super) fn text(message: &[u8], number: u64) -> Option<&str> {
    std::str::from_utf8(first(message, number).unwrap_or_default()).ok()
}

/// Returns the content of the first field with this number.
pub(super) fn first(message: &[u8], number: u64) -> Option<&[u8]> {
    fields(message)?.into_iter().find(|field| field.number == number).map(|field| field.body)
}

pub(super) fn fields(message: &[u8]) -> Option<Vec<Field<'_>>> {
    let (mut fields, mut rest) = (Vec::new(), message);
    while !rest.is_empty() {
        let (tag, after) = read_varint(rest)?;
        let mut value = 0;
        let (begin, length) = match tag & 7 {
            0 => {
                let (found, size) = read_varint(rest.get(after..)?)?;
                value = found;
                (after, size)
            }
            1 => (after, 8),
            2 => {
                let (length, size) = read_varint(rest.get(after..)?)?;
                (after + size, usize::try_from(length).ok()?)
            }
            5 => (after, 4),
            _ => return None,
        };
        let end = begin.checked_add(length)?;
        let (whole, body) = (rest.get(..end)?, &rest[begin..end]);
        fields.push(Field { number: tag >> 3, whole, body, value });
        rest = &rest[end..];
    }
    Some(fields)
}

/// Reads a number in groups of seven bits. Returns it and the number of its bytes.
pub(super) fn read_varint(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut value = 0;
    for (at, byte) in bytes.iter().take(10).enumerate() {
        value |= u64::from(byte & 0x7F).checked_shl(7 * at as u32)?;
        if byte & 0x80 == 0 {
            return Some((value, at + 1));
        }
    }
    None
}

pub(super) fn varint(to: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}

/// Writes a field that holds a number.
pub(super) fn number(to: &mut Vec<u8>, number: u64, value: u64) {
    varint(to, number << 3);
    varint(to, value);
}

/// Writes a field that holds a number of four bytes.
pub(super) fn float_field(to: &mut Vec<u8>, number: u64, value: f32) {
    varint(to, (number << 3) | 5);
    to.extend(value.to_le_bytes());
}

/// Writes a field that holds bytes.
pub(super) fn write(to: &mut Vec<u8>, number: u64, body: &[u8]) {
    varint(to, (number << 3) | 2);
    varint(to, body.len() as u64);
    to.extend(body);
}
