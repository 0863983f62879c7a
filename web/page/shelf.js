"use strict";
// The files that the reader gave, and which lie beside which: by name, as in a folder.

const LARGEST = 2000 * 2 ** 20; // bytes of one file, as the worker takes them
const KINDS = [
  [".manifest.json", "manifest"], [".source.json", "source"], [".cert.json", "certificate"],
  [".ptd", "data"],
];

function kindOf(name) {
  const known = KINDS.find(([ending]) => name.endsWith(ending));
  return known ? known[1] : "program";
}

// "folder/" of "folder/model.pte".
function folderOf(name) {
  return name.slice(0, name.lastIndexOf("/") + 1);
}

// "model" of "model.pte" and of "model.manifest.json".
function stemOf(name) {
  const known = KINDS.find(([ending]) => name.endsWith(ending));
  return known ? name.slice(0, -known[0].length) : name.replace(/\.[^.]*$/, "");
}

class Shelf {
  constructor() {
    this.files = new Map(); // by name: {name, kind, blob}
  }

  // Gives why not, or nothing.
  add(name, blob) {
    if (blob.size > LARGEST) {
      return name + " has " + exactBytesText(blob.size) + ", and the page takes " +
        bytesText(LARGEST) + " at most. It was not read; the command takes it: pteproof check " +
        shellWord(name);
    }
    this.files.set(name, { name, kind: kindOf(name), blob });
    return null;
  }

  of(kind) {
    return [...this.files.values()].filter((file) => file.kind === kind);
  }

  beside(program, kind) {
    return this.of(kind).find((file) => stemOf(file.name) === stemOf(program)) || null;
  }

  // One that lies beside it, else the only one that there is of the only program.
  manifestOf(program) {
    const beside = this.beside(program, "manifest");
    if (beside || this.of("program").length > 1) return beside;
    return this.of("manifest")[0] || null;
  }

  // A program's data files: those of its folder, if it has some, without those that are named after
  // another program. If none is left, "model.ptd" of "model-mended.pte": a new plan keeps the data.
  dataOf(program) {
    const stems = new Set(this.of("program").map((file) => stemOf(file.name)));
    stems.delete(stemOf(program));
    const inFolder = this.of("data").filter(({ name }) => folderOf(name) === folderOf(program));
    const all = inFolder.length > 0 ? inFolder : this.of("data");
    const own = all.filter(({ name }) => !stems.has(stemOf(name)));
    const like = all.filter(({ name }) => stemOf(program).startsWith(stemOf(name)));
    return [own, like, all].find((files) => files.length > 0) || [];
  }

  // All that a question about a program may need.
  filesFor(program) {
    const kinds = ["manifest", "source", "certificate"];
    const beside = kinds.map((kind) => this.beside(program, kind));
    const named = this.manifestOf(program);
    const all = new Set([this.files.get(program), ...beside, named, ...this.dataOf(program)]);
    return [...all].filter((file) => file !== null).map(({ name, blob }) => ({ name, blob }));
  }

  remove(name) {
    this.files.delete(name);
  }
}

// The files that come with the page: each with a mistake that was made.
function readExamples() {
  return JSON.parse(document.getElementById("examples").textContent).map((example) => ({
    ...example,
    files: example.files.map(({ name, bytes }) => ({
      name, blob: new Blob([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))]),
    })),
  }));
}

async function* entriesOf(folder) {
  const reader = folder.createReader();
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    yield* some;
  }
}

// Files of a drop: those of folders too, which are named by their paths. Chromium reads no entries
// for a page from a disk, but handles; other browsers have entries alone.
async function droppedFiles(transfer) {
  const items = [...transfer.items].filter((item) => item.kind === "file");
  const entries = items.map((item) => item.webkitGetAsEntry());
  if (!entries.some((entry) => entry && entry.isDirectory)) return [...transfer.files];
  const roots = items.every((item) => item.getAsFileSystemHandle)
    ? await Promise.all(items.map((item) => item.getAsFileSystemHandle())) : entries;
  const files = [];
  const walk = async (at, folder) => {
    const name = folder + at.name;
    if (at.kind === "file" || at.isFile) {
      const file = await (at.getFile ? at.getFile()
        : new Promise((resolve, reject) => at.file(resolve, reject)));
      files.push(Object.defineProperty(file, "name", { value: name }));
      return;
    }
    for await (const each of at.values ? at.values() : entriesOf(at)) await walk(each, name + "/");
  };
  for (const root of roots) if (root) await walk(root, "");
  return files.filter((file) => /\.(pte|bpte|pteasm|ptd|json)$/.test(file.name));
}
