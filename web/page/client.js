"use strict";
// The page's side of the worker. Running out of memory, a mistake of the library and a stop end the
// worker; the page stays, and the next question starts another one.

const WHY_NO_ANSWER = {
  memory: "There is not enough memory for this file in a browser. The command reads it: ",
  unreadable: "The browser could not read the file. Was it changed or removed meanwhile? ",
  failed: "The library ended on this file, which it never should. Please report it: ",
  stopped: "Stopped. ",
};

class NoAnswer extends Error {
  constructor(kind, why) {
    super(WHY_NO_ANSWER[kind] + why);
    this.kind = kind;
  }
}

class Client {
  constructor() {
    const source = document.getElementById("worker").textContent;
    this.address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    this.packed = document.getElementById("library").textContent;
    this.worker = null;
    this.waiting = new Map(); // by the question's number: {resolve, reject}
    this.asked = 0;
  }

  // `files`: {name, blob}. Gives the answer's object, or throws NoAnswer.
  ask(question, files) {
    if (!this.worker) this.start();
    this.asked += 1;
    const id = this.asked;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, question, files });
    });
  }

  start() {
    this.worker = new Worker(this.address);
    this.worker.addEventListener("message", ({ data }) => this.onAnswer(data));
    this.worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.end("memory", event.message || "");
    });
    this.worker.postMessage({ packed: this.packed });
  }

  onAnswer({ id, answer, failed, why }) {
    const asked = this.waiting.get(id);
    this.waiting.delete(id);
    if (!failed) asked.resolve(answer);
    else asked.reject(new NoAnswer(failed, failed === "memory" ? "" : why));
    // What ran out of memory may hold it still.
    if (failed === "memory" && this.waiting.size === 0) this.end("memory", "");
  }

  stop() {
    this.end("stopped", "");
  }

  end(kind, why) {
    this.worker.terminate();
    this.worker = null;
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of waiting) reject(new NoAnswer(kind, why));
  }
}
