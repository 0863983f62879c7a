"use strict";
// One bank on its canvas: drawing when something has changed, and what mouse, fingers and keys do.

class BankMap {
  // `owner` is the PictureMap: it holds what is selected and told. `view` may be shared with the
  // same bank of another version of the plan.
  constructor(owner, bank, view) {
    this.owner = owner;
    this.bank = bank;
    this.view = view;
    this.pointers = new Map();
    this.waiting = false;
    this.canvas = element("canvas", {
      tabindex: "0",
      role: "application",
      "aria-roledescription": "memory map",
      "aria-label": this.describe(),
      "aria-keyshortcuts": "ArrowLeft ArrowRight ArrowUp ArrowDown + - 0 N P F K T Escape",
    });
    this.caption = element("figcaption");
    this.node = element("figure", {}, this.caption, this.canvas);
    this.listen();
  }

  describe() {
    const parts = this.bank.panels.map((panel) => panel.axis.name + ": " +
      panel.storages.length + " storages in " + bytesText(panel.size));
    return "Bank " + this.bank.id + ", bytes against time. " + parts.join("; ") +
      ". N and P select storages, F findings; T shows a table.";
  }

  writeCaption() {
    const panels = this.bank.panels.filter((panel) => this.owner.columns.has(panel.method));
    const sharing = this.owner.picture.methods.length < 2 ? ""
      : (this.bank.shared ? ", one for all methods" : ", each method has its own") + " under " +
        this.owner.picture.policy;
    const use = panels.length === 1
      ? [panels[0]].map((panel) => bytesText(panel.size) + ", peak live " + bytesText(panel.live) +
        ", waste " + panel.wastePercent + "%" +
        (panel.phantom > 0 ? ", phantom " + bytesText(panel.phantom) : ""))
      : panels.map((panel) => panel.axis.name + " " + bytesText(panel.size));
    replaceContent(this.caption, element("b", {}, "bank " + this.bank.id),
      element("span", {}, sharing), " ", element("span", { class: "grey" }, use.join(" \u00b7 ")));
  }

  frame() {
    return new Frame(this.canvas.clientWidth, this.canvas.clientHeight, this.view, this.bank.extent);
  }

  request() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.waiting = false;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0) return;
    const scale = Math.max(this.owner.leastScale, window.devicePixelRatio || 1);
    if (this.canvas.width !== Math.round(width * scale) ||
        this.canvas.height !== Math.round(height * scale)) {
      this.canvas.width = Math.round(width * scale);
      this.canvas.height = Math.round(height * scale);
    }
    const context = this.canvas.getContext("2d");
    context.setTransform(scale, 0, 0, scale, 0, 0);
    drawBank(context, { ...this.owner.scene(), frame: this.frame(), bank: this.bank });
    // At rest a finger scrolls the page; in a part of the picture it moves the part.
    this.canvas.style.touchAction = this.view.isWhole ? "pan-y" : "none";
  }

  // The storage at a pixel: of several the smallest. Thin ones count from some pixels away.
  storageAt(x, y, reach) {
    const frame = this.frame();
    if (!frame.holds(x, y)) return null;
    let best = null;
    let least = Infinity;
    for (const panel of this.bank.panels) {
      const column = this.owner.columns.get(panel.method);
      if (!column) continue;
      for (const storage of panel.storages) {
        for (const span of storage.live) {
          if (!isInWindow(column, span)) continue;
          const box = frame.box(column, storage.bytes, span);
          const away = Math.max(box.x - x, x - box.x - box.width, box.y - y,
            y - box.y - box.height, 0);
          const rank = box.width * box.height + (away > 0 ? 1e12 * away : 0) +
            (storage.kind === "reserved" ? 1e9 : 0);
          if (away > reach || rank >= least) continue;
          best = storage;
          least = rank;
        }
      }
    }
    return best;
  }

  // The window's fractions at a pixel, from the bottom left.
  windowAt(x, y) {
    const frame = this.frame();
    return [(x - frame.left) / frame.width, (frame.bottom - y) / frame.height];
  }

  zoom(factor, x, y) {
    const [atX, atY] = x === undefined ? [0.5, 0.5] : this.windowAt(x, y);
    this.view.zoom(factor, Math.min(1, Math.max(0, atX)), Math.min(1, Math.max(0, atY)));
    this.owner.viewChanged(this.bank);
  }

  pan(dx, dy) {
    this.view.pan(dx, dy);
    this.owner.viewChanged(this.bank);
  }

  // In fractions of all time and bytes.
  boxOf(storage) {
    const column = this.owner.columns.get(storage.panel.method);
    return {
      x0: fractionOf(column, storage.live[0][0]),
      x1: fractionOf(column, storage.live[storage.live.length - 1][1]),
      y0: storage.bytes[0] / this.bank.extent,
      y1: storage.bytes[1] / this.bank.extent,
    };
  }

  shows(storage) {
    return this.view.shows(this.boxOf(storage));
  }

  listen() {
    const { canvas } = this;
    canvas.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
    canvas.addEventListener("pointerdown", (event) => this.onDown(event));
    canvas.addEventListener("pointermove", (event) => this.onMove(event));
    canvas.addEventListener("pointerup", (event) => this.onUp(event));
    canvas.addEventListener("pointercancel", (event) => this.pointers.delete(event.pointerId));
    canvas.addEventListener("pointerleave", () => this.owner.hover(null));
    canvas.addEventListener("dblclick", (event) => this.zoom(2.5, event.offsetX, event.offsetY));
    canvas.addEventListener("keydown", (event) => this.onKey(event));
  }

  // Closer and further; with Shift, or sideways, to the left and right. Further out than all, the
  // page scrolls.
  onWheel(event) {
    const unit = event.deltaMode === 1 ? 30 : event.deltaMode === 2 ? 300 : 1;
    const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (this.view.isWhole && (sideways || event.deltaY > 0)) return;
    event.preventDefault();
    const frame = this.frame();
    if (sideways) {
      this.pan(unit * (event.deltaX || event.deltaY) / frame.width, 0);
    } else {
      const steps = Math.max(-120, Math.min(120, unit * event.deltaY));
      this.zoom(Math.exp(-steps / 300), event.offsetX, event.offsetY);
    }
  }

  onDown(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    if (this.pointers.size === 1) this.start = { x: event.offsetX, y: event.offsetY, moved: false };
  }

  onMove(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      if (event.pointerType === "mouse") {
        const storage = this.storageAt(event.offsetX, event.offsetY, 2);
        this.owner.hover(storage, event.clientX, event.clientY);
      }
      return;
    }
    const after = { x: event.offsetX, y: event.offsetY };
    const distance = Math.hypot(after.x - this.start.x, after.y - this.start.y);
    if (this.pointers.size === 1 && !this.start.moved && distance < 5) return;
    this.start.moved = true;
    this.owner.hover(null);
    const frame = this.frame();
    if (this.pointers.size === 1) {
      this.pan((before.x - after.x) / frame.width, (after.y - before.y) / frame.height);
    } else {
      this.pinch(event.pointerId, before, after, frame);
    }
    this.pointers.set(event.pointerId, after);
  }

  // One of two fingers moves: the other stays where it is.
  pinch(id, before, after, frame) {
    const other = [...this.pointers].find(([each]) => each !== id)[1];
    const was = Math.hypot(before.x - other.x, before.y - other.y);
    const is = Math.hypot(after.x - other.x, after.y - other.y);
    if (was < 1 || is < 1) return;
    this.view.pan((before.x - after.x) / 2 / frame.width, (after.y - before.y) / 2 / frame.height);
    this.zoom(is / was, (after.x + other.x) / 2, (after.y + other.y) / 2);
  }

  onUp(event) {
    this.pointers.delete(event.pointerId);
    if (this.start && !this.start.moved && this.pointers.size === 0) {
      const reach = event.pointerType === "touch" ? 10 : 2;
      this.owner.select(this.storageAt(event.offsetX, event.offsetY, reach), false);
    }
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const STEP = 0.15;
    const acts = {
      ArrowLeft: () => this.pan(-STEP, 0),
      ArrowRight: () => this.pan(STEP, 0),
      ArrowUp: () => this.pan(0, STEP),
      ArrowDown: () => this.pan(0, -STEP),
      "+": () => this.zoom(1.5),
      "=": () => this.zoom(1.5),
      "-": () => this.zoom(1 / 1.5),
      "0": () => this.owner.fit(),
      Home: () => this.owner.fit(),
      n: () => this.owner.step(1, this.bank),
      p: () => this.owner.step(-1, this.bank),
      f: () => this.owner.stepFinding(1),
      k: () => this.owner.togglePeak(this.bank),
      t: () => this.owner.toggleTable(),
      "/": () => this.owner.search.focus(),
      Enter: () => this.owner.facts.focus(),
      Escape: () => this.owner.clear(),
    };
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}
