//! The graph of an ONNX model: its nodes, weights, inputs and outputs.

use super::protobuf::{fields, first, number, text, write};
use std::collections::HashSet;

// Numbers of fields in ModelProto, GraphProto, NodeProto, AttributeProto, TensorProto and ValueInfoProto.
pub(super) const GRAPH: u64 = 7;
pub(super) const NODE: u64 = 1;
pub(super) const GRAPH_NAME: u64 = 2;
pub(super) const INITIAL: u64 = 5;
pub(super) const INPUT: u64 = 11;
pub(super) const OUTPUT: u64 = 12;
pub(super) const SHAPES: u64 = 13;
pub(super) const NODE_INPUT: u64 = 1;
pub(super) const NODE_OUTPUT: u64 = 2;
pub(super) const NODE_TYPE: u64 = 4;
pub(super) const NODE_ATTRIBUTE: u64 = 5;
pub(super) const ATTRIBUTE_NAME: u64 = 1;
pub(super) const ATTRIBUTE_FLOAT: u64 = 2;
pub(super) const ATTRIBUTE_NUMBER: u64 = 3;
pub(super) const ATTRIBUTE_TENSOR: u64 = 5;
pub(super) const ATTRIBUTE_GRAPH: u64 = 6;
pub(super) const ATTRIBUTE_NUMBERS: u64 = 8;
pub(super) const ATTRIBUTE_TYPE: u64 = 20;
pub(super) const TENSOR_SIZES: u64 = 1;
pub(super) const TENSOR_TYPE: u64 = 2;
pub(super) const TENSOR_FLOATS: u64 = 4;
pub(super) const TENSOR_NUMBERS: u64 = 5;
pub(super) const TENSOR_NAME: u64 = 8;
pub(super) const TENSOR_BYTES: u64 = 9;
pub(super) const VALUE_NAME: u64 = 1;

/// The parts of a graph that are changed here.
pub(super) struct Graph<'b> {
    pub(super) nodes: Vec<Node>,
    pub(super) initial: Vec<&'b [u8]>,
    pub(super) inputs: Vec<&'b [u8]>,
    pub(super) outputs: Vec<&'b [u8]>,
}

impl<'b> Graph<'b> {
    pub(super) fn read(graph: &'b [u8]) -> Option<Graph<'b>> {
        let mut read =
            Graph { nodes: Vec::new(), initial: Vec::new(), inputs: Vec::new(), outputs: Vec::new() };
        for field in fields(graph)? {
            match field.number {
                NODE => read.nodes.push(Node::read(field.body)?),
                INITIAL => read.initial.push(field.body),
                INPUT => read.inputs.push(field.body),
                OUTPUT => read.outputs.push(field.body),
                _ => {}
            }
        }
        Some(read)
    }

    /// Removes everything that the outputs do not need.
    pub(super) fn cut(mut self) -> Option<Graph<'b>> {
        let mut needed: HashSet<String> = HashSet::new();
        needed.extend(self.outputs.iter().filter_map(|it| text(it, VALUE_NAME)).map(str::to_owned));
        // Nodes come after those that they depend on.
        let mut nodes: Vec<Node> = Vec::new();
        for node in self.nodes.into_iter().rev() {
            if node.outputs.iter().any(|name| needed.contains(name)) {
                needed.extend(node.inputs.iter().cloned());
                nodes.push(node);
            }
        }
        nodes.reverse();
        self.nodes = nodes;
        self.initial.retain(|it| text(it, TENSOR_NAME).is_some_and(|name| needed.contains(name)));
        self.inputs.retain(|it| text(it, VALUE_NAME).is_some_and(|name| needed.contains(name)));
        (!self.outputs.is_empty()).then_some(self)
    }

    pub(super) fn written(&self) -> Vec<u8> {
        let mut graph = Vec::new();
        self.nodes.iter().for_each(|node| write(&mut graph, NODE, &node.body));
        write(&mut graph, GRAPH_NAME, b"etude");
        self.initial.iter().for_each(|tensor| write(&mut graph, INITIAL, tensor));
        self.inputs.iter().for_each(|value| write(&mut graph, INPUT, value));
        self.outputs.iter().for_each(|value| write(&mut graph, OUTPUT, value));
        graph
    }
}

/// Returns an input of floats.
pub(super) fn input(name: &str) -> Vec<u8> {
    let (mut tensor, mut kind, mut value) = (Vec::new(), Vec::new(), Vec::new());
    number(&mut tensor, 1, 1);
    write(&mut kind, 1, &tensor);
    write(&mut value, VALUE_NAME, name.as_bytes());
    write(&mut value, 2, &kind);
    value
}

/// A node with the names of its inputs and outputs.
#[derive(Clone)]
pub(super) struct Node {
    pub(super) kind: String,
    pub(super) inputs: Vec<String>,
    pub(super) outputs: Vec<String>,
    pub(super) body: Vec<u8>,
}

impl Node {
    pub(super) fn read(body: &[u8]) -> Option<Node> {
        let all = |number: u64| -> Option<Vec<String>> {
            let named = fields(body)?.into_iter().filter(|field| field.number == number);
            named.map(|field| String::from_utf8(field.body.to_vec()).ok()).collect()
        };
        let (inputs, outputs) = (all(NODE_INPUT)?, all(NODE_OUTPUT)?);
        let kind = text(body, NODE_TYPE)?.to_owned();
        (!outputs.is_empty()).then(|| Node { kind, inputs, outputs, body: body.to_vec() })
    }

    /// Returns the attributes, as `Node::new` takes them.
    pub(super) fn attributes(&self) -> Option<Vec<u8>> {
        let attributes = fields(&self.body)?.into_iter().filter(|field| field.number == NODE_ATTRIBUTE);
        Some(attributes.flat_map(|field| field.whole).copied().collect())
    }

    /// Returns the graph of one of the two branches of a choice.
    pub(super) fn branch(&self, name: &str) -> Option<&[u8]> {
        let attributes = fields(&self.body)?.into_iter().filter(|field| field.number == NODE_ATTRIBUTE);
        let named = attributes.map(|field| field.body).find(|it| text(it, ATTRIBUTE_NAME) == Some(name))?;
        first(named, ATTRIBUTE_GRAPH)
    }

    pub(super) fn tensor(&self) -> Option<&[u8]> {
        first(first(&self.body, NODE_ATTRIBUTE)?, ATTRIBUTE_TENSOR)
    }

    /// Returns the tensor of a constant node as an initial tensor.
    pub(super) fn initial(&self) -> Option<Vec<u8>> {
        let mut tensor = Vec::new();
        let parts = fields(self.tensor()?)?.into_iter().filter(|field| field.number != TENSOR_NAME);
        parts.for_each(|field| tensor.extend(field.whole));
        write(&mut tensor, TENSOR_NAME, self.outputs.first()?.as_bytes());
        Some(tensor)
    }

    pub(super) fn new(kind: &str, inputs: &[&str], outputs: &[&str], attributes: &[u8]) -> Node {
        let mut body = Vec::new();
        inputs.iter().for_each(|input| write(&mut body, NODE_INPUT, input.as_bytes()));
        outputs.iter().for_each(|output| write(&mut body, NODE_OUTPUT, output.as_bytes()));
        write(&mut body, NODE_TYPE, kind.as_bytes());
        body.extend(attributes);
        let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Node { kind: kind.to_owned(), inputs: named(inputs), outputs: named(outputs), body }
    }
}

pub(super) fn attribute(name: &[u8], kind: u64, value: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let (mut attribute, mut field) = (Vec::new(), Vec::new());
    write(&mut attribute, ATTRIBUTE_NAME, name);
    value(&mut attribute);
    number(&mut attribute, ATTRIBUTE_TYPE, kind);
    write(&mut field, NODE_ATTRIBUTE, &attribute);
    field
}
