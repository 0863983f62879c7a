"use strict";
// Numbers, times and storages in words.

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

// "528 B", "4 KiB", "4.25 KiB": at most two decimals.
function bytesText(bytes) {
  let unit = 0;
  let number = bytes;
  while (number >= 1024 && unit + 1 < UNITS.length) {
    number /= 1024;
    unit += 1;
  }
  return String(Number(number.toFixed(2))) + " " + UNITS[unit];
}

// The same with all digits: "528 bytes", "4.25 KiB (4,352 bytes)".
function exactBytesText(bytes) {
  if (bytes === 1) return "1 byte";
  if (bytes < 1024) return bytes + " bytes";
  return bytesText(bytes) + " (" + bytes.toLocaleString("en-US") + " bytes)";
}

function rangeText(range) {
  return "[" + range[0] + "," + range[1] + ")";
}

// "entry..4", "2..7", "9..end", in instructions.
function lifeText(span, axis) {
  const count = axis.at.length;
  const name = (instruction) => (instruction >= count ? "end" : String(instruction));
  const first = span[0] < 0 ? "entry" : name(Math.floor(span[0] / 2));
  if (span[1] <= 0) return first;
  const last = name(Math.floor((span[1] - 1) / 2));
  return first === last ? first : first + ".." + last;
}

function livesText(spans, axis) {
  const MOST = 8;
  const texts = spans.slice(0, MOST).map((span) => lifeText(span, axis));
  return texts.join(", ") + (spans.length > MOST ? ", \u2026" : "");
}

// "3 aten::mul.out".
function instructionText(instruction, axis) {
  return instruction + " " + axis.operators[axis.at[instruction]];
}

function instructionsText(instructions, axis, most) {
  if (instructions.length === 0) return "";
  const texts = instructions.slice(0, most).map((each) => instructionText(each, axis));
  return texts.join(", ") + (instructions.length > most ? ", \u2026" : "");
}

// Where a point lies: "entry", "instruction 3 (aten::mul.out)", "end".
function pointText(point, axis) {
  if (point < 0) return "the entry";
  const instruction = Math.floor(point / 2);
  if (instruction >= axis.at.length) return "the end";
  return "instruction " + instruction + " (" + axis.operators[axis.at[instruction]] + ")";
}

function sizeOf(storage) {
  return storage.bytes[1] - storage.bytes[0];
}

function writersText(storage, most) {
  if (storage.kind === "reserved") return "nothing is here: the name lies in what was moved to it";
  const inputs = storage.parts.filter((part) => part.input !== undefined)
    .map((part) => "the caller, as input " + part.input);
  const writers = instructionsText(storage.writes, storage.panel.axis, most);
  const texts = inputs.concat(writers === "" ? [] : [writers]);
  if (texts.length > 0) return texts.join(", ");
  return storage.kind === "state" ? "the loader or another method" : "no instruction";
}

function readersText(storage, most) {
  const readers = instructionsText(storage.reads, storage.panel.axis, most);
  const outputs = storage.parts.filter((part) => part.output !== undefined)
    .map((part) => "the caller, as output " + part.output);
  const texts = outputs.concat(readers === "" ? [] : [readers]);
  return texts.length === 0 ? "no instruction" : texts.join(", ");
}

// The lines of the model that its values come from, each once: "model.py:42  y = x + 1".
function sourcesText(storage, most) {
  const lines = [...new Set(storage.parts.map((part) => part.source || ""))];
  const texts = lines.filter((line) => line !== "");
  return texts.slice(0, most).join("\n") + (texts.length > most ? "\n\u2026" : "");
}

// The names that its values have in the model, if the file has no other.
function modelNamesText(storage, most) {
  const texts = storage.parts.filter((part) => part.model)
    .map((part) => "v" + part.value + " " + part.model);
  return texts.slice(0, most).join(", ") + (texts.length > most ? ", \u2026" : "");
}

// The facts of a storage as pairs of a word and its text; those that are not known are left out.
function factsOf(storage) {
  const MOST = 8;
  const axis = storage.panel.axis;
  const first = storage.parts[0];
  return [
    ["source", sourcesText(storage, 4)],
    ["in the model", modelNamesText(storage, 4)],
    ["kind", storage.kind],
    ["method", axis.name],
    ["type", first.type],
    ["size", exactBytesText(sizeOf(storage))],
    ["bytes", "bank " + storage.panel.bank.id + " " + rangeText(storage.bytes)],
    ["in use", "instructions " + livesText(storage.live, axis)],
    ["written by", writersText(storage, MOST)],
    ["read by", readersText(storage, MOST)],
  ].filter(([, text]) => text !== "");
}

// One value within a storage: "v7 float32 [2, 2] 'cache', a view, bytes [0,16), instructions 3..5".
function partText(part, axis) {
  let text = "v" + part.value + " " + part.type;
  if (part.name) text += " '" + part.name + "'";
  if (part.input !== undefined) text += ", input " + part.input;
  if (part.output !== undefined) text += ", output " + part.output;
  if (part.how === "view") text += ", a view";
  if (part.how === "in place") text += ", in place";
  if (part.how === "branch") text += ", another branch's result";
  if (part.source) text += ", " + part.source;
  return text + ", bytes " + rangeText(part.bytes) + ", instructions " + livesText(part.live, axis);
}

// The least of 1, 2, 5, 10, 20 ... that is not below `least`.
function tickStep(least) {
  for (let power = 1; power < 1e15; power *= 10) {
    for (const step of [power, 2 * power, 5 * power]) {
      if (step >= least) return step;
    }
  }
  return 1e15;
}

// The least power of two that is not below `least`.
function byteStep(least) {
  return Math.pow(2, Math.max(0, Math.ceil(Math.log2(Math.max(least, 1)))));
}
