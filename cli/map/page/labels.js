"use strict";
// Names in rectangles, where they fit and cover no other name, and the numbers of findings.

const LABEL_HEIGHT = 12;
const MOST_LABELS = 600;
const BADGE = 7.5; // radius of a number's circle

class Labels {
  constructor(context, scene) {
    this.context = context;
    this.scene = scene;
    this.taken = []; // boxes
    this.hatched = []; // boxes of marks and of results in place: a name there needs a halo
  }

  drawPanel(panel, column) {
    const { frame } = this.scene;
    this.noteLines(panel, column);
    this.drawBadges(panel, column);
    for (const storage of panel.drawn) {
      const box = frame.box(column, storage.bytes, [storage.live[0][0],
        storage.live[storage.live.length - 1][1]]);
      if (this.taken.length > MOST_LABELS) return;
      if (!frame.isVisible(box) || Math.max(box.width, box.height) < 24 ||
          Math.min(box.width, box.height) < LABEL_HEIGHT - 1) continue;
      for (const piece of piecesOf(storage)) this.drawPiece(storage, piece, column);
    }
  }

  // Names over the lines of the peak need a halo.
  noteLines(panel, column) {
    const { frame } = this.scene;
    const bytes = columnBox(frame, column, [0, panel.size]);
    this.hatched.push({ x: bytes.x, y: frame.y(panel.live) - 1, width: bytes.width, height: 2 },
      { x: frame.x(fractionOf(column, panel.peakAt + 0.5)) - 1, y: bytes.y, width: 2,
        height: bytes.height });
  }

  drawPiece(storage, piece, column) {
    const { frame, colours } = this.scene;
    const span = [piece.lower, piece.upper];
    if (!isInWindow(column, span)) return;
    const box = frame.box(column, storage.bytes, span);
    if (!frame.isVisible(box)) return;
    const room = frame.clip(box);
    this.context.globalAlpha = isFaint(this.scene, storage) ? 0.3 : 1;
    this.context.fillStyle = colours.text;
    this.context.font = SMALL_FONT;
    this.context.textBaseline = "middle";
    this.context.textAlign = "left";
    if (piece.isInPlace) this.hatched.push(room);
    if (!this.drawLevel(piece.name, storage, room)) this.drawUpwards(piece.name, room);
    this.context.globalAlpha = 1;
  }

  drawLevel(name, storage, room) {
    const columns = Math.floor((room.width - 8) / SMALL_PITCH);
    if (room.height < LABEL_HEIGHT || columns < 4) return false;
    const text = shortened(name, columns);
    if (text.length < name.length && room.height > 2 * room.width) return false;
    const size = bytesText(sizeOf(storage));
    const hasSize = room.height >= 2 * LABEL_HEIGHT + 6 && size.length <= columns;
    const height = hasSize ? 2 * LABEL_HEIGHT : LABEL_HEIGHT;
    const width = SMALL_PITCH * Math.max(text.length, hasSize ? size.length : 0);
    const place = this.take(room, width, height);
    if (!place) return false;
    const hasHalo = this.hatched.some((box) => meets(box, place));
    this.write(text, place.x, place.y + LABEL_HEIGHT / 2, hasHalo);
    if (hasSize) {
      this.context.fillStyle = this.scene.colours.soft;
      this.write(size, place.x, place.y + 1.5 * LABEL_HEIGHT, hasHalo);
    }
    return true;
  }

  write(text, x, y, hasHalo) {
    if (hasHalo) {
      this.context.strokeStyle = this.scene.colours.background;
      this.context.lineWidth = 3.5;
      this.context.lineJoin = "round";
      this.context.strokeText(text, x, y);
    }
    this.context.fillText(text, x, y);
  }

  drawUpwards(name, room) {
    const columns = Math.floor((room.height - 8) / SMALL_PITCH);
    if (room.width < LABEL_HEIGHT - 1 || columns < 4) return;
    const text = shortened(name, columns);
    const middle = { x: room.x - 4 + (room.width - LABEL_HEIGHT) / 2, y: room.y,
      width: LABEL_HEIGHT + 8, height: room.height };
    const place = this.take(middle, LABEL_HEIGHT, text.length * SMALL_PITCH);
    if (!place) return;
    const hasHalo = this.hatched.some((box) => meets(box, place));
    this.context.save();
    this.context.translate(place.x + LABEL_HEIGHT / 2, place.y + place.height);
    this.context.rotate(-Math.PI / 2);
    this.write(text, 0, 0, hasHalo);
    this.context.restore();
  }

  // A free place of that size in a room, four pixels from its left; else the same further down.
  take(room, width, height) {
    if (width > room.width - 7 || height > room.height) return null;
    const slackX = room.width - 8 - width;
    const slackY = room.height - height;
    for (const down of [0.5, 0, 1]) {
      for (const right of [0, 0.5, 1]) {
        const place = { x: room.x + 4 + Math.max(0, slackX * right), y: room.y + slackY * down,
          width, height };
        if (this.taken.some((other) => meets(place, other))) continue;
        this.taken.push(place);
        return place;
      }
    }
    return null;
  }

  drawBadges(panel, column) {
    const { frame, colours, findings } = this.scene;
    for (const mark of panel.marks) {
      const finding = findings[mark.finding];
      const box = markBox(frame, column, mark);
      if (finding.number === 0 || !frame.isVisible(box)) continue;
      const clipped = frame.clip(box);
      if (mark.event) this.hatched.push(clipped);
      const badge = { x: Math.min(clipped.x + 2, frame.right - 2 * BADGE),
        y: Math.min(clipped.y + 2, frame.bottom - 2 * BADGE), width: 2 * BADGE, height: 2 * BADGE };
      for (const other of this.taken) {
        if (meets(badge, other)) badge.x = other.x + other.width + 2;
      }
      this.taken.push(badge);
      this.context.fillStyle = finding.open ? colours.warning : colours.error;
      this.context.beginPath();
      this.context.arc(badge.x + BADGE, badge.y + BADGE, BADGE, 0, 2 * Math.PI);
      this.context.fill();
      this.context.fillStyle = colours.background;
      this.context.font = BOLD_FONT;
      this.context.textAlign = "center";
      this.context.textBaseline = "middle";
      this.context.fillText(String(finding.number), badge.x + BADGE, badge.y + BADGE + 0.5);
    }
  }
}

function meets(a, b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
    b.y < a.y + a.height;
}

// At most that long: the number of a value stays when its operator's name is cut.
function shortened(name, columns) {
  const LEAST_STEM = 4;
  const space = name.lastIndexOf(" v");
  if (name.length <= columns || space < 0) return fitted(name, columns);
  const number = name.slice(space + 1);
  if (columns < number.length + 1 + LEAST_STEM) return fitted(number, columns);
  return fitted(name.slice(0, space), columns - number.length - 1) + " " + number;
}
