//! Makes Whisper smaller and faster without changing what it computes. Its models were exported for other purposes:
//!
//! - the encoder takes thirty seconds of sound even for one word, because the positions of all of them are built in;
//! - it gives its attentions too, which fill 330 MB even if they are not asked for;
//! - the decoder turns its table of words into floats for each word, which takes longer than all the rest.
//!
//! An ONNX file is a protocol buffer. What is not understood is copied as it is.

// Numbers of fields in ModelProto, GraphProto, NodeProto and AttributeProto.
const GRAPH: u64 = 7;
const NODE: u64 = 1;
const OUTPUT: u64 = 12;
const SHAPES: u64 = 13;
const NODE_INPUT: u64 = 1;
const NODE_OUTPUT: u64 = 2;
const NODE_TYPE: u64 = 4;
const NODE_ATTRIBUTE: u64 = 5;
const ATTRIBUTE_NAME: u64 = 1;
const ATTRIBUTE_NUMBER: u64 = 3;
const ATTRIBUTE_GRAPH: u64 = 6;
const ATTRIBUTE_NUMBERS: u64 = 8;
const ATTRIBUTE_TYPE: u64 = 20;

/// The encoder's table of positions, one for every two frames of sound.
const POSITIONS: &str = "embed_positions.weight";
/// The decoder's table of words.
const WORDS: &str = "model.decoder.embed_tokens.weight_merged_0";
/// The same, in floats and turned by a right angle.
const TURNED: &str = "model.decoder.embed_tokens.weight_transposed";

/// The encoder for a sound of any length, with one output. None if the model is not made as expected.
pub(crate) fn encoder(model: &[u8]) -> Option<Vec<u8>> {
    let mut has_positions = false;
    let free = with_each(model, GRAPH, |graph| {
        let (mut free, mut has_output) = (Vec::with_capacity(graph.len()), false);
        for field in fields(graph)? {
            match field.number {
                // Shapes that were noted down hold for thirty seconds.
                SHAPES => {}
                OUTPUT if has_output => {}
                NODE if fields(field.body)?.iter().any(|part| part.is(NODE_INPUT, POSITIONS)) => {
                    free.extend(placed(text(field.body, NODE_INPUT)?, text(field.body, NODE_OUTPUT)?));
                    has_positions = true;
                }
                _ => free.extend(field.whole),
            }
            has_output |= field.number == OUTPUT;
        }
        Some(free)
    })?;
    has_positions.then_some(free)
}

/// The nodes that add as many positions as the sound is long.
fn placed(sound: &str, placed: &str) -> Vec<u8> {
    let constant = |value: u64, output: &str| {
        let value = attribute(b"value_ints", 7, |to| number(to, ATTRIBUTE_NUMBERS, value));
        node("Constant", &[], &[output], &value)
    };
    let nodes = [
        constant(0, "from"),
        constant(1, "second"),
        node("Shape", &[sound], &["shape"], &[]),
        node("Gather", &["shape", "second"], &["to"], &[]),
        node("Slice", &[POSITIONS, "from", "to"], &["positions"], &[]),
        node("Add", &[sound, "positions"], &[placed], &[]),
    ];
    nodes.concat()
}

/// The decoder with its table of words as it is stored: it is multiplied in integers, as everything else is.
pub(crate) fn decoder(model: &[u8]) -> Option<Vec<u8>> {
    let mut turned = 0;
    let quick = with_each(model, GRAPH, |graph| {
        with_each(graph, NODE, |node| {
            with_each(node, NODE_ATTRIBUTE, |attribute| {
                with_each(attribute, ATTRIBUTE_GRAPH, |branch| {
                    let mut quick = Vec::with_capacity(branch.len());
                    for field in fields(branch)? {
                        match field.number {
                            NODE if text(field.body, NODE_OUTPUT)?.starts_with(TURNED) => {}
                            NODE if fields(field.body)?.iter().any(|part| part.is(NODE_INPUT, TURNED)) => {
                                let node = field.body;
                                quick.extend(scores(text(node, NODE_INPUT)?, text(node, NODE_OUTPUT)?));
                                turned += 1;
                            }
                            _ => quick.extend(field.whole),
                        }
                    }
                    Some(quick)
                })
            })
        })
    })?;
    // One branch is for the first word, the other for the rest.
    (turned == 2).then_some(quick)
}

/// The nodes that compare what comes next with each word.
fn scores(next: &str, scores: &str) -> Vec<u8> {
    let [quantized, scale, zero] = ["quantized", "scale", "zero_point"].map(|part| format!("{WORDS}_{part}"));
    let turns =
        attribute(b"perm", 7, |to| [0, 2, 1].iter().for_each(|axis| number(to, ATTRIBUTE_NUMBERS, *axis)));
    let to_floats = attribute(b"to", 2, |to| number(to, ATTRIBUTE_NUMBER, 1));
    let nodes = [
        node("DynamicQuantizeLinear", &[next], &["next_q", "next_scale", "next_zero"], &[]),
        node("Transpose", &["next_q"], &["next_turned"], &turns),
        node("MatMulInteger", &[&quantized, "next_turned", &zero, "next_zero"], &["sums"], &[]),
        node("Cast", &["sums"], &["sums_float"], &to_floats),
        node("Mul", &["next_scale", &scale], &["sums_scale"], &[]),
        node("Mul", &["sums_float", "sums_scale"], &["scores_turned"], &[]),
        node("Transpose", &["scores_turned"], &[scores], &turns),
    ];
    nodes.concat()
}

fn node(kind: &str, inputs: &[&str], outputs: &[&str], attribute: &[u8]) -> Vec<u8> {
    let (mut node, mut field) = (Vec::new(), Vec::new());
    inputs.iter().for_each(|input| write(&mut node, NODE_INPUT, input.as_bytes()));
    outputs.iter().for_each(|output| write(&mut node, NODE_OUTPUT, output.as_bytes()));
    write(&mut node, NODE_TYPE, kind.as_bytes());
    node.extend(attribute);
    write(&mut field, NODE, &node);
    field
}

fn attribute(name: &[u8], kind: u64, value: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let (mut attribute, mut field) = (Vec::new(), Vec::new());
    write(&mut attribute, ATTRIBUTE_NAME, name);
    value(&mut attribute);
    number(&mut attribute, ATTRIBUTE_TYPE, kind);
    write(&mut field, NODE_ATTRIBUTE, &attribute);
    field
}

/// One field of a message: all of it, and what it holds.
struct Field<'b> {
    number: u64,
    whole: &'b [u8],
    body: &'b [u8],
}

impl Field<'_> {
    fn is(&self, number: u64, text: &str) -> bool {
        self.number == number && self.body == text.as_bytes()
    }
}

/// The same message with other contents in each field of this number.
fn with_each(
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

/// The first text of this number, which is empty if there is none.
fn text(message: &[u8], number: u64) -> Option<&str> {
    let body = fields(message)?.into_iter().find(|field| field.number == number).map(|field| field.body);
    std::str::from_utf8(body.unwrap_or_default()).ok()
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

/// A field that holds a number.
fn number(to: &mut Vec<u8>, number: u64, value: u64) {
    varint(to, number << 3);
    varint(to, value);
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

    fn model(graph: &[u8]) -> Vec<u8> {
        let mut model = Vec::new();
        write(&mut model, GRAPH, graph);
        model
    }

    fn first(message: &[u8], number: u64) -> Option<&[u8]> {
        fields(message)?.into_iter().find(|field| field.number == number).map(|field| field.body)
    }

    #[test]
    fn there_are_as_many_positions_as_there_is_sound_and_only_the_first_output_stays() {
        let mut graph = node("Add", &["sound", POSITIONS], &["hidden"], &[]);
        ["hidden", "others"].iter().for_each(|output| write(&mut graph, OUTPUT, output.as_bytes()));
        write(&mut graph, SHAPES, b"shape");
        let model = model(&graph);
        let free = encoder(&model).expect("it is made as expected");
        let fields = fields(first(&free, GRAPH).unwrap()).unwrap();
        let kinds: Vec<&str> = fields.iter().filter_map(|field| text(field.body, NODE_TYPE)).collect();
        assert_eq!(kinds[..6], ["Constant", "Constant", "Shape", "Gather", "Slice", "Add"]);
        assert_eq!(fields[5].body, &node("Add", &["sound", "positions"], &["hidden"], &[])[2..]);
        assert!(fields[6].is(OUTPUT, "hidden") && fields.len() == 7);
        assert!(encoder(&model[..20]).is_none());
        assert!(encoder(b"").is_none());
    }

    #[test]
    fn the_table_of_words_is_not_turned() {
        let branch = [
            node("Transpose", &["words"], &[&format!("{TURNED}_quantized")], &[]),
            node("DequantizeLinear", &["turned"], &[TURNED], &[]),
            node("MatMul", &["last", TURNED], &["logits"], &[]),
            node("Identity", &["kept"], &["present"], &[]),
        ]
        .concat();
        let of = |branches: usize| {
            let attribute = attribute(b"branch", 5, |to| write(to, ATTRIBUTE_GRAPH, &branch));
            model(&node("If", &["first"], &["logits"], &attribute.repeat(branches)))
        };
        let quick = decoder(&of(2)).expect("it is made as expected");
        let branch = first(first(first(&quick, GRAPH).unwrap(), NODE).unwrap(), NODE_ATTRIBUTE).unwrap();
        let nodes = fields(first(branch, ATTRIBUTE_GRAPH).unwrap()).unwrap();
        let kinds: Vec<&str> = nodes.iter().filter_map(|node| text(node.body, NODE_TYPE)).collect();
        let expected = [
            "DynamicQuantizeLinear",
            "Transpose",
            "MatMulInteger",
            "Cast",
            "Mul",
            "Mul",
            "Transpose",
            "Identity",
        ];
        assert_eq!(kinds, expected);
        assert_eq!(text(nodes[0].body, NODE_INPUT), Some("last"));
        assert!(decoder(&of(1)).is_none());
    }
}
