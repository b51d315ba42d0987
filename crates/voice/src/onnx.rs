//! Makes models smaller, faster, repeatable, and finer of hearing. They were exported for other purposes:
//!
//! - the voices have two-byte floats, which processors cannot add, so every step converted them;
//! - they vary randomly, so a sentence would sound different in every process;
//! - Whisper's encoder takes thirty seconds of sound even for one word, because the positions of all of them are built in;
//! - it also returns its attentions, which fill 330 MB even if they are not requested;
//! - it rounds the sound to 256 levels before it listens, and in noise gets more words wrong than it has to;
//! - its decoder has two branches, so packing its weights for the processor would keep them in memory twice;
//! - it turns its table of words into floats for each word, which takes longer than all the rest;
//! - the voice activity model contains a second model for another sample rate, and keeps its weights three times.
//!
//! An ONNX file is a protocol buffer.

mod graph;
mod protobuf;

use graph::{
    ATTRIBUTE_FLOAT, ATTRIBUTE_NAME, ATTRIBUTE_NUMBER, ATTRIBUTE_NUMBERS, ATTRIBUTE_TENSOR, GRAPH, Graph,
    INITIAL, NODE, NODE_ATTRIBUTE, NODE_TYPE, Node, SHAPES, TENSOR_BYTES, TENSOR_FLOATS, TENSOR_NAME,
    TENSOR_NUMBERS, TENSOR_SIZES, TENSOR_TYPE, VALUE_NAME, attribute, input,
};
use protobuf::{fields, first, float_field, number, read_varint, text, with_each, write};

/// The type code of an attribute that is a float.
const IS_FLOAT: u64 = 1;

/// The codes of number formats.
const FLOATS: u64 = 1;
const HALVES: u64 = 10;

/// The encoder's table of positions, one for every two frames of sound.
const POSITIONS: &str = "embed_positions.weight";
/// The decoder's table of words.
const WORDS: &str = "model.decoder.embed_tokens.weight_merged_0";
/// The table of words in floats and transposed, as the exported decoder has it.
const WEIGHTS: &str = "model.decoder.embed_tokens.weight_transposed";
/// The table of words in bytes, transposed.
const TURNED: &str = "turned";
/// The mask that hides later words from each word.
pub(crate) const MASK: &str = "mask";
/// The rows of words in the table.
pub(crate) const ROWS: &str = "/model/decoder/embed_tokens/Gather_output_0";
/// The size of the vector for a word or a moment of sound, and the number of attention heads that share it.
const HIDDEN: usize = 768;
const HEADS: u64 = 12;

/// Returns the encoder for sound of any length, with a single output, which takes sound as it is. `None` if the
/// model has another structure.
pub(crate) fn encoder(model: &[u8]) -> Option<Vec<u8>> {
    let mut graph = Graph::read(first(model, GRAPH)?)?;
    graph.nodes = placed(finely_heard(graph.nodes)?)?;
    graph.outputs.truncate(1);
    let graph = graph.cut()?.written();
    with_each(model, GRAPH, |_| Some(graph.clone()))
}

/// Lets the layers nearest to the sound work in floats. The exported ones round sound to 256 levels, of which noise
/// leaves few for the weak sounds of speech.
fn finely_heard(mut nodes: Vec<Node>) -> Option<Vec<Node>> {
    while let Some(at) = nodes.iter().position(|node| node.kind == "ConvInteger") {
        let [sound, weights, _, zero] = &nodes[at].inputs[..] else { return None };
        let made = |name: &str| nodes.iter().find(|node| node.outputs.iter().any(|output| output == name));
        let used = |name: &str| nodes.iter().position(|node| node.inputs.iter().any(|input| input == name));
        let rounded = made(sound).filter(|node| node.kind == "DynamicQuantizeLinear")?;
        let cast = used(&nodes[at].outputs[0]).filter(|cast| nodes[*cast].kind == "Cast")?;
        let scaled = used(&nodes[cast].outputs[0]).filter(|scaled| nodes[*scaled].kind == "Mul")?;
        let scale = format!("{}_scale", weights.strip_suffix("_quantized")?);
        let floats = format!("{weights}_floats");
        let finely = [
            Node::new("DequantizeLinear", &[weights, &scale, zero], &[&floats], &[]),
            Node::new(
                "Conv",
                &[&rounded.inputs[0], &floats],
                &[&nodes[scaled].outputs[0]],
                &nodes[at].attributes()?,
            ),
        ];
        nodes.splice(scaled..=scaled, finely);
        nodes.remove(at);
    }
    Some(nodes)
}

/// Converts a model from two-byte to four-byte floats. `None` if there is nothing to convert, or if it cannot be read.
pub(crate) fn in_floats(model: &[u8]) -> Option<Vec<u8>> {
    let mut converted = 0;
    let mut tensor = |tensor: &[u8]| {
        let of_halves =
            fields(tensor)?.iter().any(|field| field.number == TENSOR_TYPE && field.value == HALVES);
        converted += usize::from(of_halves);
        if of_halves { floats_of(tensor) } else { Some(tensor.to_vec()) }
    };
    let floats = with_each(model, GRAPH, |graph| {
        let mut floats = Vec::with_capacity(2 * graph.len());
        for field in fields(graph)? {
            match field.number {
                SHAPES => {}
                INITIAL => write(&mut floats, INITIAL, &tensor(field.body)?),
                NODE => {
                    let node = with_each(field.body, NODE_ATTRIBUTE, |attribute| {
                        let attribute = with_each(attribute, ATTRIBUTE_TENSOR, &mut tensor)?;
                        let names_kind = matches!(text(&attribute, ATTRIBUTE_NAME)?, "to" | "dtype");
                        if names_kind { with_kind(&attribute, ATTRIBUTE_NUMBER) } else { Some(attribute) }
                    })?;
                    write(&mut floats, NODE, &node);
                }
                _ => floats.extend(field.whole),
            }
        }
        Some(floats)
    })?;
    (converted > 0).then_some(floats)
}

/// Returns a model whose random numbers start from this seed in every process, or `None` if it uses none.
pub(crate) fn repeatable(model: &[u8], seed: f32) -> Option<Vec<u8>> {
    let mut seeded = 0;
    let seeds = attribute(b"seed", IS_FLOAT, |to| float_field(to, ATTRIBUTE_FLOAT, seed));
    let model = with_each(model, GRAPH, |graph| {
        with_each(graph, NODE, |node| {
            let is_random = text(node, NODE_TYPE)?.starts_with("Random");
            seeded += usize::from(is_random);
            Some(if is_random { [node, &seeds].concat() } else { node.to_vec() })
        })
    })?;
    (seeded > 0).then_some(model)
}

/// Returns a message with the kind `FLOATS` in place of `HALVES` in the fields of this number.
fn with_kind(message: &[u8], kind: u64) -> Option<Vec<u8>> {
    let mut changed = Vec::with_capacity(message.len());
    for field in fields(message)? {
        match field.value {
            HALVES if field.number == kind => number(&mut changed, kind, FLOATS),
            _ => changed.extend(field.whole),
        }
    }
    Some(changed)
}

fn floats_of(tensor: &[u8]) -> Option<Vec<u8>> {
    let tensor = with_kind(tensor, TENSOR_TYPE)?;
    with_each(&tensor, TENSOR_BYTES, |bytes| {
        let halves = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        Some(halves.flat_map(|half| float(half).to_le_bytes()).collect())
    })
}

/// Converts a two-byte float: a sign, five bits of exponent, ten bits of fraction.
fn float(half: u16) -> f32 {
    let sign = if half >> 15 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(half >> 10 & 0x1F), f32::from(half & 0x3FF) / 1024.0);
    match exponent {
        0 => sign * fraction * 2.0_f32.powi(-14),
        0x1F if fraction == 0.0 => sign * f32::INFINITY,
        0x1F => f32::NAN,
        _ => sign * (1.0 + fraction) * 2.0_f32.powi(exponent - 15),
    }
}

/// Adds as many positions as the sound is long. The exported encoder adds those of thirty seconds.
fn placed(mut nodes: Vec<Node>) -> Option<Vec<Node>> {
    let adds = |node: &Node| node.inputs.iter().any(|input| input == POSITIONS);
    let at = nodes.iter().position(adds)?;
    let constant = |value: u64, output: &str| {
        let value = attribute(b"value_ints", 7, |to| number(to, ATTRIBUTE_NUMBERS, value));
        Node::new("Constant", &[], &[output], &value)
    };
    let (sound, placed) = (&nodes[at].inputs[0], &nodes[at].outputs[0]);
    let as_long = [
        constant(0, "from"),
        constant(1, "second"),
        Node::new("Shape", &[sound], &["shape"], &[]),
        Node::new("Gather", &["shape", "second"], &["to"], &[]),
        Node::new("Slice", &[POSITIONS, "from", "to"], &["positions"], &[]),
        Node::new("Add", &[sound, "positions"], &[placed], &[]),
    ];
    nodes.splice(at..=at, as_long);
    Some(nodes)
}

/// The decoder in parts. The exported one has two branches with the same weights, one for the first words and
/// one for each later word.
pub(crate) struct Decoder {
    /// The part that prepares the sound, once for all words.
    pub sound: Vec<u8>,
    /// The branch for later words, which serves for the first ones too.
    pub words: Vec<u8>,
    /// A row of bytes for each word, and at the end their scale and their zero.
    pub table: Vec<u8>,
}

/// Takes the decoder apart. `None` if the model has another structure.
pub(crate) fn decoder(model: &[u8]) -> Option<Decoder> {
    let graph = first(model, GRAPH)?;
    let top = Graph::read(graph)?;
    let choice = top.nodes.iter().find(|node| node.kind == "If")?;
    let branch = |name: &str| Graph::read(choice.branch(name)?);
    let (first_words, next_words) = (branch("else_branch")?, branch("then_branch")?);
    let tensor = |name: &str| top.initial.iter().copied().find(|it| text(it, TENSOR_NAME) == Some(name));
    let part = |name: &str| tensor(&format!("{WORDS}_{name}"));
    let table = first(part("quantized")?, TENSOR_BYTES)?;
    let turned = turned(part("quantized")?, table)?;
    let heads: Vec<Node> = top.nodes.iter().filter(|node| node.kind != "If").cloned().collect();
    let sound = Graph {
        nodes: [heads, of_any_length(first_words.nodes)?].concat(),
        initial: top.initial.clone(),
        inputs: top.inputs.clone(),
        outputs: first_words.outputs.into_iter().filter(|it| is_memory(it, ".encoder.")).collect(),
    };
    let (mask, rows) = (input(MASK), input(ROWS));
    let words = Graph {
        nodes: for_several(next_words.nodes)?,
        initial: [&top.initial[..], &[&turned]].concat(),
        inputs: [&top.inputs[..], &[&mask, &rows]].concat(),
        outputs: next_words
            .outputs
            .into_iter()
            .filter(|it| text(it, VALUE_NAME) == Some("logits") || is_memory(it, ".decoder."))
            .collect(),
    };
    let whole = |graph: Graph| {
        let graph = graph.cut()?.written();
        with_each(model, GRAPH, |_| Some(graph.clone()))
    };
    let scale = first(part("scale")?, TENSOR_FLOATS)?;
    let zero = read_varint(first(part("zero_point")?, TENSOR_NUMBERS)?)?.0;
    let table = [table, scale, &[u8::try_from(zero).ok()?]].concat();
    Some(Decoder { sound: whole(sound)?, words: whole(words)?, table })
}

/// Replaces a model's choice between two branches with the branch that it takes if the condition holds. `None`
/// if the model has another structure.
pub(crate) fn without_choice(model: &[u8]) -> Option<Vec<u8>> {
    let mut top = Graph::read(first(model, GRAPH)?)?;
    let choice = top.nodes.remove(top.nodes.iter().position(|node| node.kind == "If")?);
    let taken = Graph::read(choice.branch("then_branch")?)?;
    let (constants, mut nodes): (Vec<Node>, Vec<Node>) =
        taken.nodes.into_iter().partition(|node| node.kind == "Constant" && node.tensor().is_some());
    let constants: Option<Vec<Vec<u8>>> = constants.iter().map(Node::initial).collect();
    let constants = constants?;
    for (output, name) in taken.outputs.into_iter().zip(&choice.outputs) {
        nodes.push(Node::new("Identity", &[text(output, VALUE_NAME)?], &[name], &[]));
    }
    nodes.append(&mut top.nodes);
    let initial = constants.iter().map(Vec::as_slice).chain(taken.initial).chain(top.initial).collect();
    let graph = Graph { nodes, initial, ..top }.written();
    with_each(model, GRAPH, |_| Some(graph.clone()))
}

/// Whether a value is a part of the decoder's memory of this kind.
fn is_memory(value: &[u8], kind: &str) -> bool {
    text(value, VALUE_NAME).is_some_and(|name| name.starts_with("present.") && name.contains(kind))
}

/// Transposes the table of words, so that it is multiplied from the other side, for which it is packed only once.
fn turned(tensor: &[u8], table: &[u8]) -> Option<Vec<u8>> {
    let rows = table.len() / HIDDEN;
    let mut turned = vec![0; table.len()];
    for (row, bytes) in table.chunks_exact(HIDDEN).enumerate() {
        bytes.iter().enumerate().for_each(|(column, byte)| turned[column * rows + row] = *byte);
    }
    let kind = fields(tensor)?.into_iter().find(|field| field.number == TENSOR_TYPE)?;
    let mut tensor = Vec::with_capacity(table.len() + 64);
    [HIDDEN, rows].iter().for_each(|size| number(&mut tensor, TENSOR_SIZES, *size as u64));
    tensor.extend(kind.whole);
    write(&mut tensor, TENSOR_NAME, TURNED.as_bytes());
    write(&mut tensor, TENSOR_BYTES, &turned);
    Some(tensor)
}

/// Gives the memory of the sound a shape that does not depend on the words. The exported decoder takes the
/// shape from them.
fn of_any_length(mut nodes: Vec<Node>) -> Option<Vec<Node>> {
    let is_of_sound = |node: &Node| node.outputs.iter().any(|name| name.contains(".encoder."));
    let shaped: Vec<String> =
        nodes.iter().filter(|node| is_of_sound(node)).map(|node| node.inputs[0].clone()).collect();
    for node in nodes.iter_mut().filter(|node| shaped.contains(&node.outputs[0])) {
        *node = Node::new("Reshape", &[node.inputs.first()?, "shape"], &[node.outputs.first()?], &[]);
    }
    let size = [0, u64::MAX, HEADS, HIDDEN as u64 / HEADS];
    let size =
        attribute(b"value_ints", 7, |to| size.iter().for_each(|it| number(to, ATTRIBUTE_NUMBERS, *it)));
    nodes.insert(0, Node::new("Constant", &[], &["shape"], &size));
    (!shaped.is_empty()).then_some(nodes)
}

/// Changes the branch for one more word so that it takes several at once: a mask hides later words from each.
/// The rows of the words come from outside, and the scores of all words are multiplied in integers, like
/// everything else.
fn for_several(nodes: Vec<Node>) -> Option<Vec<Node>> {
    let [scale, zero] = ["scale", "zero_point"].map(|part| format!("{WORDS}_{part}"));
    let (mut several, mut scores, mut masks) = (Vec::with_capacity(nodes.len()), 0, 0);
    for node in nodes {
        let is_self = node.kind == "Softmax" && node.outputs[0].contains("self_attn");
        match () {
            () if is_self => {
                let masked = format!("{}_masked", node.inputs[0]);
                several.push(Node::new("Add", &[&node.inputs[0], MASK], &[&masked], &[]));
                several.push(Node::new("Softmax", &[&masked], &[&node.outputs[0]], &node.attributes()?));
                masks += 1;
            }
            () if node.inputs.iter().any(|name| name == WEIGHTS) => {
                let to_floats = attribute(b"to", 2, |to| number(to, ATTRIBUTE_NUMBER, 1));
                several.extend([
                    Node::new(
                        "DynamicQuantizeLinear",
                        &[&node.inputs[0]],
                        &["next_q", "next_scale", "next_zero"],
                        &[],
                    ),
                    Node::new("MatMulInteger", &["next_q", TURNED, "next_zero", &zero], &["sums"], &[]),
                    Node::new("Cast", &["sums"], &["sums_float"], &to_floats),
                    Node::new("Mul", &["next_scale", &scale], &["sums_scale"], &[]),
                    Node::new("Mul", &["sums_float", "sums_scale"], &[&node.outputs[0]], &[]),
                ]);
                scores += 1;
            }
            () if node.outputs[0] == ROWS => {}
            () => several.push(node),
        }
    }
    (scores == 1 && masks > 0).then_some(several)
}

#[cfg(test)]
mod tests {
    use super::graph::{ATTRIBUTE_GRAPH, INPUT, OUTPUT};
    use super::*;

    fn model(graph: &[u8]) -> Vec<u8> {
        let mut model = Vec::new();
        write(&mut model, GRAPH, graph);
        model
    }

    fn written(nodes: &[Node]) -> Vec<u8> {
        let mut graph = Vec::new();
        nodes.iter().for_each(|node| write(&mut graph, NODE, &node.body));
        graph
    }

    fn tensor(name: &str, kind: u64, bytes: &[u8]) -> Vec<u8> {
        let mut tensor = Vec::new();
        number(&mut tensor, TENSOR_TYPE, kind);
        write(&mut tensor, TENSOR_NAME, name.as_bytes());
        write(&mut tensor, TENSOR_BYTES, bytes);
        tensor
    }

    #[test]
    fn halves_become_floats_wherever_they_are() {
        let halves = [0x3C00_u16, 0xC248, 0x0001, 0x7C00, 0x8000].map(u16::to_le_bytes).concat();
        let floats =
            [1.0_f32, -3.140_625, 5.960_464_5e-8, f32::INFINITY, -0.0].map(f32::to_le_bytes).concat();
        let of = |kind: u64, bytes: &[u8]| {
            let constant = attribute(b"value", 4, |to| write(to, ATTRIBUTE_TENSOR, &tensor("", kind, bytes)));
            let to = attribute(b"to", 2, |to| number(to, ATTRIBUTE_NUMBER, kind));
            let axis = attribute(b"axis", 2, |to| number(to, ATTRIBUTE_NUMBER, HALVES));
            let mut graph = written(&[
                Node::new("Constant", &[], &["constant"], &constant),
                Node::new("Cast", &["constant"], &["cast"], &to),
                Node::new("Softmax", &["cast"], &["audio"], &axis),
            ]);
            write(&mut graph, INITIAL, &tensor("weights", kind, bytes));
            write(&mut graph, INITIAL, &tensor("numbers", 7, &halves));
            model(&graph)
        };
        assert_eq!(in_floats(&of(HALVES, &halves)).unwrap(), of(FLOATS, &floats));
        assert!(in_floats(&of(FLOATS, &floats)).is_none(), "nothing is to be done");
        assert!(float(0x7E00).is_nan());
    }

    #[test]
    fn random_nodes_get_a_seed() {
        let graph = written(&[
            Node::new("RandomNormalLike", &["rhythm"], &["noise"], &[]),
            Node::new("Add", &["rhythm", "noise"], &["audio"], &[]),
        ]);
        let seeded = repeatable(&model(&graph), 7.0).expect("it has a random node");
        let nodes = Graph::read(first(&seeded, GRAPH).unwrap()).unwrap().nodes;
        let seed = first(&nodes[0].body, NODE_ATTRIBUTE).expect("an attribute");
        assert_eq!(text(seed, ATTRIBUTE_NAME), Some("seed"));
        assert_eq!(first(seed, ATTRIBUTE_FLOAT), Some(&7.0_f32.to_le_bytes()[..]));
        assert!(first(&nodes[1].body, NODE_ATTRIBUTE).is_none());
        assert!(repeatable(&seeded[..seeded.len() - 1], 7.0).is_none());
        assert!(repeatable(&model(&written(&[])), 7.0).is_none(), "it has no random node");
    }

    /// Builds a decoder like the exported one, with two words and one layer.
    fn exported(branches: [&str; 2]) -> Vec<u8> {
        let quantized = format!("{WORDS}_quantized");
        let branch = |memory: &str, of_sound: bool| {
            let mut nodes = vec![
                Node::new("Gather", &[&quantized, "input_ids"], &["rows"], &[]),
                Node::new("DequantizeLinear", &["rows"], &[ROWS], &[]),
                Node::new("MatMul", &[ROWS, memory], &["seen"], &[]),
                Node::new("Softmax", &["seen"], &["self_attn/shares"], &[]),
                Node::new("Transpose", &[&quantized], &["turning"], &[]),
                Node::new("DequantizeLinear", &["turning"], &[WEIGHTS], &[]),
                Node::new("MatMul", &["self_attn/shares", WEIGHTS], &["logits"], &[]),
                Node::new("Concat", &["self_attn/shares"], &["present.0.decoder.key"], &[]),
            ];
            if of_sound {
                nodes.push(Node::new("Reshape", &["quick", "self_attn/shares"], &["long"], &[]));
                nodes.push(Node::new("Transpose", &["long"], &["present.0.encoder.key"], &[]));
            }
            let mut graph = written(&nodes);
            for output in ["logits", "present.0.decoder.key", "present.0.encoder.key", "attentions"] {
                write(&mut graph, OUTPUT, &input(output));
            }
            graph
        };
        let bodies = [branch("sound", true), branch("past", false)];
        let attributes: Vec<u8> = branches
            .iter()
            .zip(&bodies)
            .flat_map(|(name, body)| attribute(name.as_bytes(), 5, |to| write(to, ATTRIBUTE_GRAPH, body)))
            .collect();
        let mut graph = written(&[
            Node::new("DynamicQuantizeLinear", &["sound"], &["quick"], &[]),
            Node::new("If", &["first"], &["logits"], &attributes),
        ]);
        let tensors = [
            (quantized, TENSOR_BYTES, [[1; HIDDEN], [2; HIDDEN]].concat()),
            (format!("{WORDS}_scale"), TENSOR_FLOATS, 0.5_f32.to_le_bytes().to_vec()),
            (format!("{WORDS}_zero_point"), TENSOR_NUMBERS, vec![128, 1]),
            ("unused".to_owned(), TENSOR_BYTES, vec![0]),
        ];
        for (name, number_of, bytes) in tensors {
            let mut tensor = Vec::new();
            number(&mut tensor, TENSOR_TYPE, 2);
            write(&mut tensor, TENSOR_NAME, name.as_bytes());
            write(&mut tensor, number_of, &bytes);
            write(&mut graph, INITIAL, &tensor);
        }
        ["sound", "past", "input_ids"].iter().for_each(|name| write(&mut graph, INPUT, &input(name)));
        model(&graph)
    }

    #[test]
    fn the_decoder_is_taken_apart() {
        let parts = decoder(&exported(["else_branch", "then_branch"])).expect("it is made as expected");
        let sound = Graph::read(first(&parts.sound, GRAPH).unwrap()).unwrap();
        let kinds = |graph: &Graph| graph.nodes.iter().map(|node| node.kind.clone()).collect::<Vec<_>>();
        let named = |all: &[&[u8]], number: u64| {
            all.iter().filter_map(|it| text(it, number).map(str::to_owned)).collect::<Vec<_>>()
        };
        assert_eq!(kinds(&sound), ["DynamicQuantizeLinear", "Constant", "Reshape", "Transpose"]);
        assert_eq!(named(&sound.inputs, VALUE_NAME), ["sound"], "no word is needed");
        assert_eq!(named(&sound.outputs, VALUE_NAME), ["present.0.encoder.key"]);
        assert!(sound.initial.is_empty());
        let words = Graph::read(first(&parts.words, GRAPH).unwrap()).unwrap();
        let expected = [
            "MatMul",
            "Add",
            "Softmax",
            "DynamicQuantizeLinear",
            "MatMulInteger",
            "Cast",
            "Mul",
            "Mul",
            "Concat",
        ];
        assert_eq!(kinds(&words), expected);
        assert_eq!(named(&words.inputs, VALUE_NAME), ["past", MASK, ROWS]);
        assert_eq!(named(&words.outputs, VALUE_NAME), ["logits", "present.0.decoder.key"]);
        let [scale, zero] = ["scale", "zero_point"].map(|part| format!("{WORDS}_{part}"));
        assert_eq!(named(&words.initial, TENSOR_NAME), [&scale, &zero, TURNED]);
        let turned = first(words.initial[2], TENSOR_BYTES).unwrap();
        assert_eq!(turned[..4], [1, 2, 1, 2], "a column for each word");
        let (rows, end) = parts.table.split_at(2 * HIDDEN);
        assert_eq!(rows[HIDDEN - 1..=HIDDEN], [1, 2], "a row for each word");
        assert_eq!(end, [&0.5_f32.to_le_bytes()[..], &[128]].concat());
    }

    #[test]
    fn another_decoder_is_left_alone() {
        assert!(decoder(&exported(["else_branch", "another"])).is_none());
        assert!(
            decoder(&exported(["then_branch", "else_branch"])).is_none(),
            "the wrong one knows the sound"
        );
        assert!(decoder(b"").is_none());
    }

    #[test]
    fn of_a_choice_one_branch_is_kept() {
        let constant = |value: &[u8]| attribute(b"value", 4, |to| write(to, ATTRIBUTE_TENSOR, value));
        let branch = |rate: &str| {
            let mut graph = written(&[
                Node::new("Constant", &[], &["weights"], &constant(&tensor("", FLOATS, rate.as_bytes()))),
                Node::new("Mul", &["sound", "weights"], &["heard"], &[]),
            ]);
            write(&mut graph, OUTPUT, &input("heard"));
            graph
        };
        let branches = ["then_branch", "else_branch"]
            .map(|name| attribute(name.as_bytes(), 5, |to| write(to, ATTRIBUTE_GRAPH, &branch(name))));
        let mut graph = written(&[
            Node::new("If", &["is_usual"], &["chance"], &branches.concat()),
            Node::new("Identity", &["chance"], &["output"], &[]),
        ]);
        write(&mut graph, INPUT, &input("sound"));
        write(&mut graph, OUTPUT, &input("output"));
        let kept = without_choice(&model(&graph)).expect("it is made as expected");
        let kept = Graph::read(first(&kept, GRAPH).unwrap()).unwrap();
        let nodes: Vec<_> =
            kept.nodes.iter().map(|node| (node.kind.as_str(), node.outputs[0].as_str())).collect();
        assert_eq!(nodes, [("Mul", "heard"), ("Identity", "chance"), ("Identity", "output")]);
        assert_eq!(first(kept.initial[0], TENSOR_BYTES), Some(&b"then_branch"[..]));
        assert_eq!(text(kept.initial[0], TENSOR_NAME), Some("weights"));
        assert!(without_choice(&model(&written(&[]))).is_none(), "it has no choice");
    }

    #[test]
    fn the_encoder_takes_sound_of_any_length_as_it_is() {
        let strides = attribute(b"strides", 7, |to| number(to, ATTRIBUTE_NUMBERS, 2));
        let nodes = [
            Node::new("DynamicQuantizeLinear", &["sound"], &["rounded", "step", "middle"], &[]),
            Node::new("Mul", &["step", "w_scale"], &["steps"], &[]),
            Node::new("ConvInteger", &["rounded", "w_quantized", "middle", "w_zero"], &["sums"], &strides),
            Node::new("Cast", &["sums"], &["float_sums"], &[]),
            Node::new("Mul", &["float_sums", "steps"], &["heard"], &[]),
            Node::new("Add", &["heard", POSITIONS], &["hidden"], &[]),
            Node::new("Softmax", &["hidden"], &["attentions"], &[]),
        ];
        let exported = |nodes: &[Node]| {
            let mut graph = written(nodes);
            ["hidden", "attentions"].iter().for_each(|output| write(&mut graph, OUTPUT, &input(output)));
            write(&mut graph, SHAPES, b"shape");
            model(&graph)
        };
        let made = encoder(&exported(&nodes)).expect("it is made as expected");
        let made = Graph::read(first(&made, GRAPH).unwrap()).unwrap();
        let kinds: Vec<&str> = made.nodes.iter().map(|node| node.kind.as_str()).collect();
        assert_eq!(
            kinds,
            ["DequantizeLinear", "Conv", "Constant", "Constant", "Shape", "Gather", "Slice", "Add"],
            "nothing is rounded, and only what the first output needs stays"
        );
        assert_eq!(made.nodes[0].inputs, ["w_quantized", "w_scale", "w_zero"]);
        assert_eq!(made.nodes[1].inputs, ["sound", "w_quantized_floats"]);
        assert_eq!(made.nodes[1].attributes(), Some(strides));
        assert_eq!(made.nodes[7].inputs, ["heard", "positions"]);
        assert_eq!(made.outputs.len(), 1);
        assert!(encoder(&exported(&nodes[..5])).is_none(), "it has no positions");
        assert!(encoder(&exported(&nodes[2..])).is_none(), "the sound is rounded elsewhere");
        assert!(encoder(&exported(&nodes)[..20]).is_none());
        assert!(encoder(b"").is_none());
    }
}
