"use strict";
// Draws one bank on a canvas: what shows of it through a view. Time goes to the right, bytes
// upwards. Each frame draws all that is visible: some thousand rectangles take a few milliseconds.

const GUTTER = { left: 58, right: 10, top: 20, bottom: 22 };
const LEGIBLE = 5; // pixels that a part must have to be drawn on its own
const THIN = 2.5; // pixels below which an outline would hide the inside

// The plot of a canvas, with both ways between its pixels, bytes and fractions.
class Frame {
  constructor(width, height, view, extent) {
    this.top = GUTTER.top;
    this.height = Math.max(1, height - GUTTER.top - GUTTER.bottom);
    this.view = view;
    this.extent = extent;
    this.left = Math.max(GUTTER.left, widthOfByteLabels(this));
    this.width = Math.max(1, width - this.left - GUTTER.right);
  }

  get right() {
    return this.left + this.width;
  }

  get bottom() {
    return this.top + this.height;
  }

  x(fraction) {
    return this.left + (fraction - this.view.x0) / (this.view.x1 - this.view.x0) * this.width;
  }

  y(byte) {
    const fraction = (byte / this.extent - this.view.y0) / (this.view.y1 - this.view.y0);
    return this.bottom - fraction * this.height;
  }

  fractionAt(x) {
    return this.view.x0 + (x - this.left) / this.width * (this.view.x1 - this.view.x0);
  }

  byteAt(y) {
    const fraction = (this.bottom - y) / this.height;
    return (this.view.y0 + fraction * (this.view.y1 - this.view.y0)) * this.extent;
  }

  holds(x, y) {
    return x >= this.left && x <= this.right && y >= this.top && y <= this.bottom;
  }

  // The pixels of bytes in a stretch of a column's time: at least one each way.
  box(column, bytes, span) {
    const x = this.x(fractionOf(column, span[0]));
    const y = this.y(bytes[1]);
    return {
      x,
      y,
      width: Math.max(1, this.x(fractionOf(column, span[1])) - x),
      height: Math.max(1, this.y(bytes[0]) - y),
    };
  }

  isVisible(box) {
    return box.x < this.right && box.x + box.width > this.left && box.y < this.bottom &&
      box.y + box.height > this.top;
  }

  // The part of a box that shows.
  clip(box) {
    const x = Math.max(box.x, this.left);
    const y = Math.max(box.y, this.top);
    return {
      x,
      y,
      width: Math.min(box.x + box.width, this.right) - x,
      height: Math.min(box.y + box.height, this.bottom) - y,
    };
  }
}

// Whether any of a span lies within the time that a column shows.
function isInWindow(column, span) {
  return span[0] < column.axis.shown[1] && column.axis.shown[0] < span[1];
}

// `scene`: frame, bank, columns (by method), colours, emphasis (a set of storages, or null for
// all), selected, hovered, finding (its index, or -1), findings, peak (a panel, or null).
function drawBank(context, scene) {
  const { frame, colours } = scene;
  context.clearRect(0, 0, frame.right + GUTTER.right, frame.bottom + GUTTER.bottom);
  drawByteAxis(context, scene);
  context.save();
  context.beginPath();
  context.rect(frame.left, frame.top, frame.width, frame.height);
  context.clip();
  if (scene.bank.shared) drawRibbons(context, scene);
  for (const panel of scene.bank.panels) {
    const column = scene.columns.get(panel.method);
    if (!column) continue;
    drawWaste(context, scene, panel, column);
    for (const storage of panel.drawn) drawStorage(context, scene, storage, column);
    drawLimits(context, scene, panel, column);
  }
  for (const panel of scene.bank.panels) {
    const column = scene.columns.get(panel.method);
    if (column) drawMarks(context, scene, panel, column);
  }
  const labels = new Labels(context, scene);
  for (const panel of scene.bank.panels) {
    const column = scene.columns.get(panel.method);
    if (column) labels.drawPanel(panel, column);
  }
  outline(context, scene, scene.hovered, 1.5);
  outline(context, scene, scene.selected, 3);
  context.restore();
  for (const panel of scene.bank.panels) {
    const column = scene.columns.get(panel.method);
    if (column) drawTimeAxis(context, scene, panel, column);
  }
  context.strokeStyle = colours.frame;
  context.lineWidth = 1;
  context.strokeRect(frame.left - 0.5, frame.top - 0.5, frame.width + 1, frame.height + 1);
}

function hatch(context, box, colour, pitch, down) {
  const x0 = Math.floor(box.x);
  const y0 = Math.floor(box.y);
  context.save();
  context.beginPath();
  context.rect(box.x, box.y, box.width, box.height);
  context.clip();
  context.strokeStyle = colour;
  context.lineWidth = 1.2;
  context.beginPath();
  // Lines stay where they are when the box grows: their distance to the corner of all is fixed.
  const sum = down ? x0 - y0 - box.height : x0 + y0;
  for (let at = Math.floor(sum / pitch) * pitch; at < sum + box.width + 2 * box.height; at += pitch) {
    const x = down ? at + y0 : at - y0;
    context.moveTo(x, y0);
    context.lineTo(down ? x + box.height + 1 : x - box.height - 1, y0 + box.height + 1);
  }
  context.stroke();
  context.restore();
}

function columnBox(frame, column, bytes) {
  return frame.clip(frame.box(column, bytes, column.axis.shown));
}

function drawWaste(context, scene, panel, column) {
  const { frame, colours } = scene;
  const draw = (bytes, colour, pitch) => {
    const box = columnBox(frame, column, bytes);
    if (box.width > 0 && box.height > 0) hatch(context, box, colour, pitch, true);
  };
  if (panel.axis.complete && panel.size > panel.live) {
    draw([panel.live, panel.size], colours.above, 8);
  }
  for (const range of panel.phantoms) draw(range, colours.phantom, 6);
}

function isFaint(scene, storage) {
  return scene.emphasis !== null && !scene.emphasis.has(storage);
}

function drawStorage(context, scene, storage, column) {
  const { frame, colours } = scene;
  const kind = colours[storage.kind];
  context.globalAlpha = isFaint(scene, storage) ? 0.22 : 1;
  for (const span of storage.live) {
    if (!isInWindow(column, span)) continue;
    const box = frame.box(column, storage.bytes, span);
    if (!frame.isVisible(box)) continue;
    const isThin = Math.min(box.width, box.height) < THIN;
    context.fillStyle = isThin ? kind.line : kind.fill;
    context.fillRect(box.x, box.y, box.width, box.height);
    if (isThin) continue;
    context.setLineDash(storage.kind === "reserved" ? [3, 2] : []);
    context.strokeStyle = kind.line;
    context.lineWidth = 0.8;
    context.strokeRect(box.x + 0.4, box.y + 0.4, box.width - 0.8, box.height - 0.8);
    context.setLineDash([]);
  }
  const top = frame.y(storage.bytes[1]);
  if (frame.y(storage.bytes[0]) - top >= LEGIBLE) drawInside(context, scene, storage, column);
  context.globalAlpha = 1;
}

// Results in place, other names of a part of the bytes or of the time, and later writes.
function drawInside(context, scene, storage, column) {
  const { frame, colours } = scene;
  storage.parts.forEach((part, index) => {
    const isWhole = part.bytes[0] === storage.bytes[0] && part.bytes[1] === storage.bytes[1];
    if (index === 0 && isWhole) return;
    for (const span of part.live) {
      if (!isInWindow(column, span)) continue;
      const box = frame.box(column, part.bytes, span);
      const isLegible = box.width >= LEGIBLE && box.height >= LEGIBLE;
      if (!isLegible || !frame.isVisible(box)) continue;
      if (part.how === "in place") {
        hatch(context, frame.clip(box), colours.place, 6, false);
        line(context, colours.part, 2, box.x, box.y, box.x, box.y + box.height);
      } else if (!isWhole || part.how === "view") {
        context.setLineDash([2, 2]);
        context.strokeStyle = colours.part;
        context.lineWidth = 0.8;
        context.strokeRect(box.x + 1.5, box.y + 1.5, box.width - 3, box.height - 3);
        context.setLineDash([]);
      }
    }
  });
  let last = -Infinity;
  for (const write of storage.writes) {
    const point = 2 * write + 1;
    const isWithin = storage.live.some((span) => span[0] < point && point < span[1]);
    const x = frame.x(fractionOf(column, point));
    if (!isWithin || x - last < 3 || x < frame.left || x > frame.right) continue;
    line(context, colours.write, 1.6, x, frame.y(storage.bytes[1]) + 1, x,
      frame.y(storage.bytes[0]) - 1);
    last = x;
  }
}

function line(context, colour, width, x0, y0, x1, y1) {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}

// The size of the bank, its peak live bytes, and the time at which they are in use.
function drawLimits(context, scene, panel, column) {
  const { frame, colours } = scene;
  const x0 = frame.x(column.left);
  const x1 = frame.x(column.left + column.width);
  const size = frame.y(panel.size);
  line(context, colours.size, 2, x0, size, x1, size);
  if (!panel.axis.complete) return;
  context.setLineDash([7, 4]);
  const live = frame.y(panel.live);
  line(context, colours.live, 1.5, x0, live, x1, live);
  context.setLineDash([2, 3]);
  const x = frame.x(fractionOf(column, panel.peakAt + 0.5));
  line(context, colours.live, scene.peak === panel ? 3 : 1.2, x, size, x, frame.y(0));
  context.setLineDash([]);
}

// The same state of two neighbouring methods: level if both have it in the same bytes.
function drawRibbons(context, scene) {
  const { frame, colours } = scene;
  const panels = scene.bank.panels.filter((panel) => scene.columns.has(panel.method));
  for (let p = 1; p < panels.length; ++p) {
    const states = new Map(panels[p - 1].storages.filter((storage) => storage.kind === "state")
      .map((storage) => [stateKey(storage), storage]));
    const from = scene.columns.get(panels[p - 1].method);
    const x0 = frame.x(from.left + from.width);
    const x1 = frame.x(scene.columns.get(panels[p].method).left);
    for (const storage of panels[p].storages) {
      const other = storage.kind === "state" ? states.get(stateKey(storage)) : undefined;
      if (!other) continue;
      const agree = other.bytes[0] === storage.bytes[0] && other.bytes[1] === storage.bytes[1];
      context.fillStyle = agree ? colours.state.fill : colours.error;
      context.globalAlpha = 0.5;
      context.beginPath();
      context.moveTo(x0, frame.y(other.bytes[1]));
      context.lineTo(x1, frame.y(storage.bytes[1]));
      context.lineTo(x1, frame.y(storage.bytes[0]));
      context.lineTo(x0, frame.y(other.bytes[0]));
      context.fill();
      context.globalAlpha = 1;
    }
  }
}

// Where findings show: the storages that meet are outlined, the bytes at issue hatched.
function drawMarks(context, scene, panel, column) {
  const { frame, colours, findings } = scene;
  for (const mark of panel.marks) {
    const finding = findings[mark.finding];
    const colour = finding.open ? colours.warning : colours.error;
    const isChosen = scene.finding === mark.finding;
    context.globalAlpha = scene.finding >= 0 && !isChosen ? 0.25 : 1;
    context.setLineDash(mark.elsewhere ? [5, 3] : []);
    context.strokeStyle = colour;
    context.lineWidth = isChosen ? 3 : 2;
    for (const index of mark.storages) {
      const storage = panel.storages[index];
      for (const span of storage.live) {
        if (!isInWindow(column, span)) continue;
        const box = frame.box(column, storage.bytes, span);
        if (frame.isVisible(box)) context.strokeRect(box.x, box.y, box.width, box.height);
      }
    }
    context.setLineDash([]);
    if (mark.event && mark.bytes[1] > mark.bytes[0]) {
      const box = frame.clip(markBox(frame, column, mark));
      if (box.width > 0 && box.height > 0) hatch(context, box, colour, 6, false);
    }
    context.globalAlpha = 1;
  }
}

function markBox(frame, column, mark) {
  const LEAST = 4; // it must be seen
  const box = frame.box(column, mark.bytes, mark.time);
  box.width = Math.max(box.width, LEAST);
  box.height = Math.max(box.height, LEAST);
  return box;
}

function outline(context, scene, storage, width) {
  const column = storage ? scene.columns.get(storage.panel.method) : undefined;
  if (!column || storage.panel.bank !== scene.bank) return;
  context.strokeStyle = scene.colours.text;
  context.lineWidth = width;
  for (const span of storage.live) {
    if (!isInWindow(column, span)) continue;
    const box = scene.frame.box(column, storage.bytes, span);
    context.strokeRect(box.x, box.y, box.width, box.height);
  }
}
