// Calls one of the learner's functions, once for each line of arguments. Lines come on descriptor 3, answers go to descriptor 4.
// Nothing here is secret and nothing here decides: only the judge outside knows the right answers.
"use strict";
const fs = require("fs");
const vm = require("vm");
const { readSync, writeSync } = fs;
const { parse, stringify } = JSON;
const { isArray } = Array;
const { keys, getPrototypeOf } = Object;
const plain = Object.prototype;
const exit = process.reallyExit.bind(process);
const FILE = "solution.js";
const DEEPEST = 100;

class Unfit extends Error {}

// Everything before the first line is the same for every program, so an interpreter may be started ahead and wait here for one.
async function main() {
  const about = readLine();
  if (about === undefined) return;
  const { function: functionName, mode, bytes } = parse(about);
  const called = load(functionName, read(bytes).toString("utf8"));
  if (!called) return;
  send('{"ready":null}');
  for (let line = readLine(); line !== undefined; line = readLine()) {
    const args = parse(line, revive);
    send(mode === "trace" ? stringify({ trace: await trace(called, args) }) : await call(called, args));
  }
}

// Gives the learner's file `exports`, `require` and `module`, as Node does. A function counts whether it is exported or only declared.
function load(functionName, program) {
  let made;
  try {
    const declared = /^[A-Za-z_$][\w$]*$/.test(functionName) ? functionName : "undefined";
    const exported = /^([ \t]*)export\s+(?:default\s+)?(?=(?:async\s+)?(?:function|class|const|let|var)\b)/gm;
    const source = program.replace(exported, "$1");
    const text = `(function (exports, require, module) {${source}\n;return typeof ${declared} === "function" ? ${declared} : undefined;})`;
    made = vm.runInThisContext(text, { filename: FILE });
  } catch (error) {
    return fail(failed(error, error instanceof SyntaxError ? "compile" : "runtime"));
  }
  const module = { exports: {} };
  let found;
  try {
    found = made.call(module.exports, module.exports, require, module);
  } catch (error) {
    return fail(failed(error, "runtime"));
  }
  if (typeof module.exports === "function" && typeof found !== "function") return module.exports;
  found = found ?? module.exports?.[functionName];
  if (typeof found === "function") return found;
  return fail({ kind: "compile", message: `there is no function \`${functionName}\``, line: null });
}

function fail(failure) {
  send(stringify({ failed: failure }));
}

async function call(called, args) {
  let value;
  try {
    value = await called(...args);
  } catch (error) {
    return stringify({ error: failed(error, "runtime") });
  }
  try {
    return `{"value":${encode(value, 0)}}`;
  } catch (error) {
    return stringify(error instanceof Unfit ? { unfit: error.message } : { error: failed(error, "runtime") });
  }
}

let rest = Buffer.alloc(0);
const chunk = Buffer.alloc(1 << 16);

function readLine() {
  for (let from = 0; ; ) {
    const end = rest.indexOf(10, from);
    if (end >= 0) return read(end + 1).toString("utf8", 0, end);
    from = rest.length;
    if (!fill()) return undefined;
  }
}

function read(size) {
  while (rest.length < size && fill());
  const taken = rest.subarray(0, size);
  rest = rest.subarray(size);
  return taken;
}

function fill() {
  const size = readSync(3, chunk, 0, chunk.length, null);
  if (size > 0) rest = Buffer.concat([rest, chunk.subarray(0, size)]);
  return size > 0;
}

function send(text) {
  let data = Buffer.from(text + "\n", "utf8");
  while (data.length > 0) data = data.subarray(writeSync(4, data));
}

// Integers too large for a number arrive and leave as BigInt.
function revive(_, value) {
  const isNamed = value && typeof value === "object" && typeof value.$int === "string" && keys(value).length === 1;
  return isNamed ? BigInt(value.$int) : value;
}

function encode(value, depth) {
  switch (typeof value) {
    case "boolean":
      return value ? "true" : "false";
    case "number":
      return number(value);
    case "bigint":
      return value.toString();
    case "string":
      return stringify(value.toWellFormed ? value.toWellFormed() : value);
    case "object":
      return value === null ? "null" : compound(value, depth);
    case "undefined":
      throw new Unfit("undefined");
    default:
      throw new Unfit(`a ${typeof value}`);
  }
}

function number(value) {
  if (value !== value) return '{"$float":"nan"}';
  if (value === Infinity || value === -Infinity) return `{"$float":"${value > 0 ? "inf" : "-inf"}"}`;
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}

function compound(value, depth) {
  if (depth >= DEEPEST) throw new Unfit("a value that is nested too deeply");
  if (isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))) {
    const items = [];
    for (let at = 0; at < value.length; at++) items.push(encode(value[at], depth + 1));
    return `[${items.join(",")}]`;
  }
  const prototype = getPrototypeOf(value);
  if (prototype !== plain && prototype !== null) throw new Unfit(`an object of class ${prototype.constructor?.name}`);
  const pairs = keys(value).map((key) => `${stringify(key)}:${encode(value[key], depth + 1)}`);
  return `{${pairs.join(",")}}`;
}

function failed(error, kind) {
  let message, line;
  try {
    message = error instanceof Error ? `${error.name}: ${error.message}` : `thrown: ${String(error)}`;
    line = Number(/solution\.js:(\d+)/.exec(String(error.stack))?.[1]) || null;
  } catch {
    message = "an error that cannot be shown";
    line = null;
  }
  const isMemory = error instanceof RangeError && /allocation failed/.test(message);
  return { kind: isMemory ? "memory" : kind, message: message.slice(0, 2000), line };
}

// Tracing, line by line, with the debugger built into Node.

const STEPS = 1000;
const TOTAL = 1 << 20;

async function trace(called, args) {
  const { Session } = require("inspector");
  const session = new Session();
  const told = { steps: [], cut: false };
  let spent = 0;
  const ask = (method, params) => {
    let given;
    session.post(method, params, (error, result) => (given = error ? undefined : result));
    return given;
  };
  const ids = new Set();
  session.connect();
  session.on("Debugger.scriptParsed", ({ params }) => params.url === FILE && ids.add(params.scriptId));
  session.on("Debugger.paused", ({ params }) => {
    const frames = params.callFrames.filter((frame) => ids.has(frame.location.scriptId));
    const isInside = ids.has(params.callFrames[0].location.scriptId);
    if (isInside && !told.cut) {
      const step = note(frames, ask);
      spent += stringify(step).length;
      told.steps.push(step);
      told.cut = told.steps.length >= STEPS || spent > TOTAL;
    }
    // A trace that was cut off need not run to its end: it might have none.
    ask(told.cut ? "Runtime.terminateExecution" : "Debugger.stepInto");
    if (told.cut) finish(told);
  });
  ask("Debugger.enable");
  ask("Debugger.setBlackboxPatterns", { patterns: ["^node:", "harness"] });
  globalThis.called = called;
  const { objectId } = ask("Runtime.evaluate", { expression: "called" }).result;
  ask("Debugger.setBreakpointOnFunctionCall", { objectId });
  delete globalThis.called;
  try {
    const value = await called(...args);
    ask("Debugger.disable");
    told.result = show(value, 0);
  } catch (error) {
    ask("Debugger.disable");
    told.error = failed(error, "runtime");
  }
  return told;
}

function finish(told) {
  send(stringify({ trace: told }));
  exit(0);
}

function note(frames, ask) {
  const [frame] = frames;
  const variables = {};
  for (const scope of frame.scopeChain) {
    if (scope.type !== "local" && scope.type !== "block") continue;
    const { result } = ask("Runtime.getProperties", { objectId: scope.object.objectId, ownProperties: true });
    for (const { name, value } of result.slice(0, 24)) {
      if (value && !(name in variables) && name !== "arguments") variables[name] = shown(value, ask);
    }
  }
  const step = {
    line: frame.location.lineNumber + 1,
    function: frame.functionName || "(anonymous)",
    variables,
    stack: frames.slice(0, 32).map((below) => ({
      function: below.functionName || "(anonymous)",
      line: below.location.lineNumber + 1,
    })),
    event: frame.returnValue ? "return" : "line",
  };
  if (frame.returnValue) step.returned = shown(frame.returnValue, ask);
  return step;
}

function shown(remote, ask) {
  if (!remote.objectId) return remote.unserializableValue ?? (remote.type === "undefined" ? "undefined" : cut(stringify(remote.value)));
  const params = { objectId: remote.objectId, functionDeclaration: `function () { return (${sketch})(this, 0, ${sketch}); }`, returnByValue: true };
  return cut(String(ask("Runtime.callFunctionOn", params)?.result?.value ?? remote.description));
}

function show(value) {
  return cut(sketch(value, 0, sketch));
}

function cut(text) {
  return text.length <= 120 ? text : text.slice(0, 119) + "…";
}

function sketch(value, depth, again) {
  const few = (items) => items.slice(0, 20).map((item) => again(item, depth + 1, again)).join(", ") + (items.length > 20 ? ", …" : "");
  if (typeof value === "bigint") return value + "n";
  if (typeof value === "string") return JSON.stringify(value.slice(0, 120));
  if (typeof value === "function") return `<function ${value.name}>`;
  if (typeof value !== "object" || value === null) return String(value);
  if (depth >= 4) return "…";
  if (Array.isArray(value)) return `[${few(value)}]`;
  if (value instanceof Set) return `Set {${few([...value])}}`;
  const name = value.constructor?.name;
  const isMap = value instanceof Map;
  const pairs = isMap ? [...value].slice(0, 21) : Object.entries(value).slice(0, 21);
  const inside = pairs.slice(0, 20).map(([key, item]) => `${isMap ? again(key, depth + 1, again) : key}: ${again(item, depth + 1, again)}`);
  return `${name && name !== "Object" ? name + " " : ""}{${inside.join(", ")}${pairs.length > 20 ? ", …" : ""}}`;
}

main();
