"use strict";
// The plans of a page: read from its one block of JSON, and given the links that drawing needs.
// Strings of the block come from files: they are shown as text, and never become markup.

function readPictures() {
  const block = document.getElementById("plans");
  return JSON.parse(block.textContent).pictures.map(preparePicture);
}

// Panels know their bank and method, storages their panel. Methods without a bank have no panel.
function preparePicture(picture) {
  picture.storages = [];
  for (const bank of picture.banks) {
    bank.panels = bank.panels.filter((panel) => panel !== null);
    bank.extent = 1;
    for (const panel of bank.panels) {
      panel.bank = bank;
      panel.axis = picture.methods[panel.method];
      bank.extent = Math.max(bank.extent, panel.size, panel.peak);
      for (const storage of panel.storages) {
        storage.panel = panel;
        storage.words = searchWords(storage);
        bank.extent = Math.max(bank.extent, storage.bytes[1]);
        picture.storages.push(storage);
      }
      panel.drawn = drawingOrder(panel.storages);
    }
    const ends = bank.panels.flatMap((panel) => panel.storages.flatMap((storage) => storage.bytes));
    bank.levels = new Set(ends).size; // bytes at which something begins or ends
  }
  picture.storages.sort(inTimeOrder);
  return picture;
}

// Reserved places lie below what is used, large storages below small ones.
function drawingOrder(storages) {
  const area = (storage) => (storage.bytes[1] - storage.bytes[0]) *
    storage.live.reduce((sum, span) => sum + span[1] - span[0], 0);
  const rank = (storage) => (storage.kind === "reserved" ? 0 : 1);
  return [...storages].sort((a, b) => rank(a) - rank(b) || area(b) - area(a));
}

function inTimeOrder(a, b) {
  return a.panel.method - b.panel.method || a.panel.bank.id - b.panel.bank.id ||
    a.live[0][0] - b.live[0][0] || a.bytes[0] - b.bytes[0];
}

function searchWords(storage) {
  const words = [storage.label, storage.kind, storage.panel.axis.name];
  for (const part of storage.parts) {
    words.push(part.label, part.name || "", part.type, part.model || "", part.source || "");
  }
  return words.join("\n").toLowerCase();
}

// Whether all words of a query occur in a storage; a value's number ("v12") counts as a whole.
function matchesQuery(storage, words) {
  return words.every((word) => {
    if (!/^v\d+$/.test(word)) return storage.words.includes(word);
    const value = Number(word.slice(1));
    return storage.parts.some((part) => part.value === value);
  });
}

function queryWords(query) {
  return query.toLowerCase().split(/\s+/).filter((word) => word !== "");
}

// What tells a state from others in all methods: its name, else its bytes.
function stateKey(storage) {
  const named = storage.parts.find((part) => part.name);
  return named ? "name " + named.name : "bytes " + storage.bytes.join(" ");
}

// Stretches of a storage's life, cut where a result in place begins, each with its name.
function piecesOf(storage) {
  const pieces = [];
  for (const [lower, upper] of storage.live) {
    const begins = storage.parts.find((part) => part.live[0][0] === lower && !part.name);
    const isFirst = lower === storage.live[0][0];
    pieces.push({ lower, upper, name: isFirst || !begins ? storage.label : begins.label });
    for (const part of storage.parts) {
      const last = pieces[pieces.length - 1];
      const begin = part.live[0][0];
      if (part.how !== "in place" || begin <= last.lower || begin >= upper) continue;
      last.upper = begin;
      pieces.push({ lower: begin, upper, name: part.name || part.label, isInPlace: true });
    }
  }
  return pieces;
}

// The storage of another version of the plan that holds the same value, if there is one.
function counterpartOf(storage, picture) {
  const value = storage.parts[0].value;
  return picture.storages.find((other) =>
    other.panel.axis.name === storage.panel.axis.name && other.label === storage.label &&
    other.parts.some((part) => part.value === value));
}

// The marks of one finding in a picture, each with its panel.
function marksOf(picture, finding) {
  const marks = [];
  for (const bank of picture.banks) {
    for (const panel of bank.panels) {
      for (const mark of panel.marks) {
        if (mark.finding === finding) marks.push({ panel, mark });
      }
    }
  }
  return marks;
}
