"use strict";
// Which part of a bank shows: a window in fractions of all time (x) and of all bytes (y), so that
// pictures of other sizes can share one. Nothing here knows of pixels.

class View {
  constructor() {
    this.fit();
  }

  fit() {
    Object.assign(this, { x0: 0, x1: 1, y0: 0, y1: 1 });
  }

  get isWhole() {
    return this.x1 - this.x0 > 0.999 && this.y1 - this.y0 > 0.999;
  }

  // Zooms by `factor` (above 1: closer) about a point of the window, given in fractions of it.
  zoom(factor, atX, atY) {
    [this.x0, this.x1] = zoomRange(this.x0, this.x1, factor, atX);
    [this.y0, this.y1] = zoomRange(this.y0, this.y1, factor, atY);
  }

  // Moves by fractions of the window.
  pan(dx, dy) {
    [this.x0, this.x1] = moveRange(this.x0, this.x1, dx * (this.x1 - this.x0));
    [this.y0, this.y1] = moveRange(this.y0, this.y1, dy * (this.y1 - this.y0));
  }

  // Makes a box visible with room around it: `room` times its size, at least `least` of all.
  reveal(box, room, least) {
    [this.x0, this.x1] = rangeAround(box.x0, box.x1, room, least);
    [this.y0, this.y1] = rangeAround(box.y0, box.y1, room, least);
  }

  shows(box) {
    return box.x0 < this.x1 && this.x0 < box.x1 && box.y0 < this.y1 && this.y0 < box.y1;
  }
}

const CLOSEST = 1e-6;

function zoomRange(lower, upper, factor, at) {
  const size = Math.min(1, Math.max(CLOSEST, (upper - lower) / factor));
  const pivot = lower + at * (upper - lower);
  return moveRange(pivot - at * size, pivot + (1 - at) * size, 0);
}

// Moved, but not out of [0, 1].
function moveRange(lower, upper, by) {
  const size = upper - lower;
  if (size > 1 - CLOSEST) return [0, 1];
  const from = Math.min(1 - size, Math.max(0, lower + by));
  return [from, from + size];
}

function rangeAround(lower, upper, room, least) {
  const size = Math.max((upper - lower) * (1 + 2 * room), least);
  const middle = (lower + upper) / 2;
  return moveRange(middle - size / 2, middle + size / 2, 0);
}

// The methods' columns from left to right, in fractions of all time. They share the room by their
// points, but none gets less than a part of it.
function columnsOf(axes) {
  const GAP = axes.length < 2 ? 0 : Math.min(0.04, 0.3 / axes.length);
  const room = 1 - GAP * (axes.length - 1);
  const points = axes.map((axis) => axis.shown[1] - axis.shown[0]);
  const all = points.reduce((sum, each) => sum + each, 0);
  const least = Math.min(0.15, 0.6 / axes.length);
  const wanted = points.map((each) => Math.max(least, each / all));
  const total = wanted.reduce((sum, each) => sum + each, 0);
  let left = 0;
  return axes.map((axis, index) => {
    const width = room * wanted[index] / total;
    const column = { axis, left, width };
    left += width + GAP;
    return column;
  });
}

// The fraction of all time of a point in a column; of points beyond its edges, that of the edge.
function fractionOf(column, point) {
  const [lower, upper] = column.axis.shown;
  const within = Math.min(upper, Math.max(lower, point));
  return column.left + column.width * (within - lower) / (upper - lower);
}

function pointOf(column, fraction) {
  const [lower, upper] = column.axis.shown;
  return lower + (fraction - column.left) / column.width * (upper - lower);
}
