//! Makes Whisper's encoder shorter. It was exported for thirty seconds of sound, and computes all of them even for one
//! word. With fewer positions it is the same model, and a third of the length takes less than a third of the time.
//!
//! An ONNX file is a protocol buffer. Three things in its graph depend on the length: the table of positions, the shapes that
//! the exporter noted down, and the attentions among the outputs. The first is cut; the others are not needed.

/// The table of positions, which are its rows.
const POSITIONS: &[u8] = b"embed_positions.weight";

// Numbers of fields in the messages ModelProto, GraphProto and TensorProto.
const GRAPH: u64 = 7;
const INITIALIZER: u64 = 5;
const OUTPUT: u64 = 12;
const VALUE_INFO: u64 = 13;
const DIMS: u64 = 1;
const NAME: u64 = 8;
const RAW_DATA: u64 = 9;

/// The same model for so many positions of so many numbers. None if it is not made as expected.
pub(super) fn shorter(model: &[u8], positions: usize, width: usize) -> Option<Vec<u8>> {
    let mut short = Vec::with_capacity(model.len());
    for field in fields(model)? {
        match field.number {
            GRAPH => write(&mut short, GRAPH, &graph(field.body, positions, width)?),
            _ => short.extend(field.whole),
        }
    }
    Some(short)
}

fn graph(graph: &[u8], positions: usize, width: usize) -> Option<Vec<u8>> {
    let (mut short, mut has_output, mut has_positions) = (Vec::with_capacity(graph.len()), false, false);
    for field in fields(graph)? {
        let is_positions = field.number == INITIALIZER && name(field.body) == Some(POSITIONS);
        match field.number {
            VALUE_INFO => {}
            OUTPUT if has_output => {}
            _ if is_positions => write(&mut short, INITIALIZER, &table(field.body, positions, width)?),
            _ => short.extend(field.whole),
        }
        has_output |= field.number == OUTPUT;
        has_positions |= is_positions;
    }
    has_positions.then_some(short)
}

/// The first rows of a table.
fn table(tensor: &[u8], rows: usize, width: usize) -> Option<Vec<u8>> {
    let mut short = Vec::new();
    for size in [rows, width] {
        varint(&mut short, DIMS << 3);
        varint(&mut short, size as u64);
    }
    for field in fields(tensor)?.into_iter().filter(|field| field.number != DIMS) {
        match field.number {
            RAW_DATA => write(&mut short, RAW_DATA, field.body.get(..rows * width * size_of::<f32>())?),
            _ => short.extend(field.whole),
        }
    }
    Some(short)
}

fn name(tensor: &[u8]) -> Option<&[u8]> {
    fields(tensor)?.into_iter().find(|field| field.number == NAME).map(|field| field.body)
}

/// One field of a message: all of it, and what it holds.
struct Field<'b> {
    number: u64,
    whole: &'b [u8],
    body: &'b [u8],
}

fn fields(message: &[u8]) -> Option<Vec<Field<'_>>> {
    let (mut fields, mut rest) = (Vec::new(), message);
    while !rest.is_empty() {
        let (tag, after) = read_varint(rest)?;
        let (begin, length) = match tag & 7 {
            0 => (after, read_varint(rest.get(after..)?)?.1),
            1 => (after, 8),
            2 => {
                let (length, size) = read_varint(rest.get(after..)?)?;
                (after + size, usize::try_from(length).ok()?)
            }
            5 => (after, 4),
            _ => return None,
        };
        let end = begin.checked_add(length)?;
        fields.push(Field { number: tag >> 3, whole: rest.get(..end)?, body: &rest[begin..end] });
        rest = &rest[end..];
    }
    Some(fields)
}

/// A number in groups of seven bits, and how many bytes it takes.
fn read_varint(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut value = 0;
    for (at, byte) in bytes.iter().take(10).enumerate() {
        value |= u64::from(byte & 0x7F).checked_shl(7 * at as u32)?;
        if byte & 0x80 == 0 {
            return Some((value, at + 1));
        }
    }
    None
}

fn varint(to: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}

/// A field that holds bytes.
fn write(to: &mut Vec<u8>, number: u64, body: &[u8]) {
    varint(to, (number << 3) | 2);
    varint(to, body.len() as u64);
    to.extend(body);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_depends_on_the_length_changes() {
        let (mut tensor, mut graph, mut model) = (Vec::new(), Vec::new(), Vec::new());
        for size in [3, 2] {
            tensor.extend([(DIMS << 3) as u8, size]);
        }
        write(&mut tensor, NAME, POSITIONS);
        write(&mut tensor, RAW_DATA, &[7; 3 * 2 * 4]);
        write(&mut graph, 1, b"node");
        write(&mut graph, INITIALIZER, &tensor);
        for output in [b"hidden", b"others"] {
            write(&mut graph, OUTPUT, output);
        }
        write(&mut graph, VALUE_INFO, b"shape");
        write(&mut model, GRAPH, &graph);
        let short = shorter(&model, 2, 2).expect("it is made as expected");
        let graph = fields(&short).unwrap().remove(0);
        let parts = fields(graph.body).unwrap();
        assert_eq!(parts.iter().map(|part| part.number).collect::<Vec<_>>(), [1, INITIALIZER, OUTPUT]);
        let table = fields(parts[1].body).unwrap();
        assert_eq!((table[0].whole[1], table.last().unwrap().body.len()), (2, 2 * 2 * 4));
        assert!(shorter(&model, 4, 2).is_none(), "there are only three positions");
        assert!(shorter(&model[..20], 2, 2).is_none());
    }
}
