"use strict";
// The axes of a bank: bytes on the left, each method's name above and instructions below.

const SMALL_FONT = '10px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace';
const BOLD_FONT = "600 " + SMALL_FONT.replace("10px", "11px");
const SMALL_PITCH = 6.05; // of SMALL_FONT, on the safe side

// The bytes that the axis names, from below.
function byteTicks(frame) {
  const LEAST_DISTANCE = 26;
  const perPixel = (frame.view.y1 - frame.view.y0) * frame.extent / frame.height;
  const step = byteStep(perPixel * LEAST_DISTANCE);
  const last = frame.byteAt(frame.top);
  const ticks = [];
  for (let byte = Math.ceil(frame.byteAt(frame.bottom) / step) * step; byte <= last; byte += step) {
    ticks.push(byte);
  }
  return ticks;
}

// In pixels, with the room beside them.
function widthOfByteLabels(frame) {
  const longest = Math.max(0, ...byteTicks(frame).map((byte) => axisBytes(byte).length));
  return Math.ceil(longest * SMALL_PITCH) + 10;
}

function drawByteAxis(context, scene) {
  const { frame, colours } = scene;
  context.font = SMALL_FONT;
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const byte of byteTicks(frame)) {
    const y = frame.y(byte);
    line(context, colours.grid, 1, frame.left, y, frame.right, y);
    context.fillStyle = colours.soft;
    context.fillText(axisBytes(byte), frame.left - 6, y);
  }
}

// All digits if a text with a unit would round: "4,480", not "4.38 KiB".
function axisBytes(byte) {
  if (byte === 0) return "0";
  const unit = Math.pow(1024, Math.floor(Math.log2(byte) / 10));
  return Number.isInteger(100 * byte / unit) ? bytesText(byte) : byte.toLocaleString("en-US");
}

function drawTimeAxis(context, scene, panel, column) {
  const { frame, colours } = scene;
  const left = Math.max(frame.left, frame.x(column.left));
  const right = Math.min(frame.right, frame.x(column.left + column.width));
  if (right - left < 4) return;
  drawMethodName(context, scene, panel, left, right);
  const count = panel.axis.at.length;
  const pixels = frame.x(column.left + column.width) - frame.x(column.left);
  const perInstruction = 2 * pixels / (panel.axis.shown[1] - panel.axis.shown[0]);
  const room = String(count).length * SMALL_PITCH + 10;
  const step = tickStep(room / perInstruction);
  const at = (x) => Math.floor(pointOf(column, frame.fractionAt(x)) / 2);
  const from = Math.max(0, Math.floor(at(left) / step) * step);
  const to = Math.min(count - 1, at(right), Math.ceil(panel.axis.shown[1] / 2));
  context.font = SMALL_FONT;
  context.textAlign = "center";
  context.textBaseline = "top";
  context.fillStyle = colours.soft;
  for (let instruction = from; instruction <= to; instruction += step) {
    const x = frame.x(fractionOf(column, 2 * instruction + 1));
    const half = String(instruction).length * SMALL_PITCH / 2;
    if (x - half < left - 2 || x + half > right + 2) continue;
    line(context, colours.frame, 1, x, frame.bottom, x, frame.bottom + 4);
    context.fillText(String(instruction), x, frame.bottom + 6);
  }
}

function drawMethodName(context, scene, panel, left, right) {
  const { frame, colours } = scene;
  context.font = BOLD_FONT;
  context.textAlign = "left";
  context.textBaseline = "alphabetic";
  context.fillStyle = colours.text;
  context.fillText(fitted(panel.axis.name, Math.floor((right - left) / 6.7)), left, frame.top - 7);
  if (panel.axis.complete) return;
  context.font = SMALL_FONT;
  context.fillStyle = colours.soft;
  context.fillText(fitted("No lifetimes: the control flow is beyond the limit on work.",
    Math.floor((right - left - 16) / SMALL_PITCH)), left + 8, frame.top + 18);
}

// At most `columns` characters, ending in an ellipsis if something is cut; empty if few fit.
function fitted(text, columns) {
  const characters = Array.from(text);
  if (characters.length <= columns) return text;
  return columns < 3 ? "" : characters.slice(0, columns - 1).join("") + "\u2026";
}
