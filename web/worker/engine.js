"use strict";
// Asks the library (web/page.cc). Each question has an instance of its own: whatever a damaged file
// does to one, the next begins anew. Knows neither the page nor the worker.

const WASM_PAGE = 65536;
const FIRST_PAGES = 256; // as the library is linked (web/CMakeLists.txt)
const HEAP = 768 * 2 ** 20; // bytes beside the files
const MOST_FILES = 2000 * 2 ** 20; // bytes of all files of a question
const LARGE = 48 * 2 ** 20; // of a larger program only the tables are read at first
const SLICE = 32 * 2 ** 20; // bytes read at a time

class OutOfMemory extends Error {}

// A file is {name, size, read(begin, end)}, which gives a Uint8Array; `question` is as page.cc has
// it. Gives the answer, with `read`: how many bytes of the files were read.
function askLibrary(module, question, files) {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > MOST_FILES) throw new OutOfMemory("the files are too large");
  const large = files.find((file) => file.name === question.program && file.size > LARGE);
  if (large) {
    try {
      const room = size - large.size + tablesOf(large);
      return new Instance(module, room).answerTo(question, files, large);
    } catch (error) {
      // It has read what was left out, found no place for it, or fails for another reason: then it
      // will again.
      const ends = [WebAssembly.RuntimeError, OutOfMemory];
      if (!ends.some((end) => error instanceof end)) throw error;
    }
  }
  return new Instance(module, size).answerTo(question, files, null);
}

class Instance {
  constructor(module, room) {
    const most = Math.min(WASM_PAGE, FIRST_PAGES + Math.ceil((HEAP + 2 * room) / WASM_PAGE));
    this.memory = orOutOfMemory(() =>
      new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: most }));
    this.most = most;
    this.read = 0;
    const instance = new WebAssembly.Instance(module, { env: { memory: this.memory },
      page: { outOfMemory() { throw new OutOfMemory("the limit on memory"); } },
      wasi_snapshot_preview1: this.system() });
    this.library = instance.exports;
    this.library._initialize();
  }

  // What the C library asks for: a clock. There are no arguments, variables and files.
  system() {
    const BAD_FILE = 8;
    const none = (countAt, sizeAt) => {
      const view = new DataView(this.memory.buffer);
      view.setUint32(countAt, 0, true);
      view.setUint32(sizeAt, 0, true);
      return 0;
    };
    return {
      clock_time_get: (clock, precision, at) => {
        const time = BigInt(Math.round(performance.now() * 1e6));
        new DataView(this.memory.buffer).setBigUint64(at, time, true);
        return 0;
      },
      environ_sizes_get: none,
      environ_get: () => 0,
      fd_close: () => BAD_FILE,
      fd_seek: () => BAD_FILE,
      fd_write: () => BAD_FILE,
      proc_exit: (code) => { throw new Error("the library ended with " + code); },
    };
  }

  answerTo(question, files, large) {
    const lent = files.filter((file) => file !== large).map((file) => this.lend(file));
    if (large) lent.push(this.lendTables(large));
    const asked = new TextEncoder().encode(JSON.stringify({ ...question, files: lent }));
    const at = this.take(asked.length);
    this.bytes(at, asked.length).set(asked);
    const answer = this.library.ask(at, asked.length) >>> 0;
    const text = new TextDecoder().decode(this.bytes(answer, this.library.answerSize() >>> 0));
    return { ...JSON.parse(text), read: this.read };
  }

  bytes(at, size) {
    return new Uint8Array(this.memory.buffer, at, size);
  }

  take(size) {
    return this.library.take(size) >>> 0;
  }

  lend(file) {
    const at = this.take(file.size);
    this.fill(at, file, file.size);
    return { name: file.name, at, size: file.size };
  }

  fill(at, file, size) {
    for (let begin = 0; begin < size; begin += SLICE) {
      const end = Math.min(size, begin + SLICE);
      this.bytes(at + begin, end - begin).set(file.read(begin, end));
    }
    this.read += size;
  }

  // The file's tables lie in the last bytes that there are, and what follows them lies where no
  // memory is: reading it traps, so that nothing is concluded of bytes that were not read. The heap
  // gets its room first, as memory cannot grow any more then.
  lendTables(file) {
    const pages = Math.ceil(tablesOf(file) / WASM_PAGE);
    const held = this.memory.buffer.byteLength / WASM_PAGE;
    this.library.makeRoom((this.most - held - pages - 1) * WASM_PAGE);
    const left = this.most - this.memory.buffer.byteLength / WASM_PAGE;
    orOutOfMemory(() => this.memory.grow(left));
    const at = (this.most - pages) * WASM_PAGE;
    if (at + file.size >= 2 ** 32) throw new OutOfMemory("the file is too large");
    this.fill(at, file, Math.min(file.size, pages * WASM_PAGE));
    return { name: file.name, at, size: file.size };
  }
}

// The bytes of a program's tables: its extended header states them, else they are the whole file.
function tablesOf(file) {
  const HEADER = 40;
  const head = file.read(0, Math.min(HEADER, file.size));
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const isExtended = head.length === HEADER && String.fromCharCode(...head.slice(8, 12)) === "eh00";
  return isExtended ? Math.min(file.size, Number(view.getBigUint64(16, true))) : file.size;
}

// A browser that has not so much memory throws a RangeError.
function orOutOfMemory(make) {
  try {
    return make();
  } catch (error) {
    throw error instanceof RangeError ? new OutOfMemory(error.message) : error;
  }
}
