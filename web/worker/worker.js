"use strict";
// The worker: unpacks the library once, and answers one question after the other.

let library = null; // a promise of the module

async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(plain).arrayBuffer());
}

function readable({ name, blob }) {
  const reader = new FileReaderSync();
  return { name, size: blob.size,
    read: (begin, end) => new Uint8Array(reader.readAsArrayBuffer(blob.slice(begin, end))) };
}

self.addEventListener("message", async ({ data }) => {
  if (data.packed !== undefined) {
    library = unpack(data.packed);
    return;
  }
  const { id, question, files } = data;
  try {
    const answer = askLibrary(await library, question, files.map(readable));
    self.postMessage({ id, answer });
  } catch (error) {
    const failed = error instanceof OutOfMemory ? "memory"
      : error instanceof DOMException ? "unreadable" : "failed";
    self.postMessage({ id, failed, why: String(error.message || error) });
  }
});
