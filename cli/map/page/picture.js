"use strict";
// The picture of one plan: its banks, the tools above them, and what is selected, found and told.

class PictureMap {
  // `sheet`: the part of the page about the plan. `views`: by bank, shared with other versions.
  constructor(sheet, picture, views) {
    this.sheet = sheet;
    this.picture = picture;
    this.viewOfBank = views;
    this.partner = null;
    this.method = -1; // all
    this.selected = null;
    this.hovered = null;
    this.finding = -1;
    this.peak = null; // the panel whose peak is told
    this.matches = null; // of a search, in time order; nothing: no search
    this.leastScale = 1;
    this.colours = readColours();
    this.facts = new Facts(this);
    this.table = new StorageTable(this);
    this.tip = element("div", { class: "tip", role: "tooltip", hidden: true });
    this.banks = picture.banks.map((bank) => {
      if (!views.has(bank.id)) views.set(bank.id, new View());
      return new BankMap(this, bank, views.get(bank.id));
    });
    this.build();
    this.showMethod(-1);
  }

  build() {
    this.tools = this.makeTools();
    this.drawing = element("div", { class: "drawing" }, ...this.banks.map((bank) => bank.node),
      this.makeLegend());
    if (this.banks.length === 0) {
      this.drawing.prepend(element("p", { class: "grey" }, "No method has planned memory."));
    }
    replaceContent(this.sheet.querySelector(".map"), this.tools, this.drawing, this.table.node,
      this.facts.status, this.tip);
    this.sheet.querySelector(".words").prepend(this.facts.node);
    for (const details of this.sheet.querySelectorAll("[data-finding]")) {
      details.open = details.dataset.finding === "0";
      details.querySelector("summary").addEventListener("click", () => {
        this.selectFinding(Number(details.dataset.finding));
      });
    }
    new ResizeObserver(() => this.layOut()).observe(this.sheet.querySelector(".map"));
  }

  makeTools() {
    this.search = element("input", { type: "search", placeholder: "Find a storage",
      "aria-label": "Find storages by name, value or type", autocomplete: "off",
      oninput: () => this.find(this.search.value),
      onkeydown: (event) => this.onSearchKey(event) });
    this.count = element("span", { class: "count grey", role: "status" });
    this.tableButton = button("Table", "Show the storages as a table", () => this.toggleTable(),
      { "aria-pressed": "false" });
    const methods = this.picture.methods.length < 2 ? null
      : element("select", { "aria-label": "Methods shown",
        onchange: (event) => this.chooseMethod(Number(event.target.value)) },
      element("option", { value: "-1" }, "all methods"),
      ...this.picture.methods.map((axis, index) =>
        element("option", { value: String(index) }, axis.name)));
    this.methods = methods;
    return element("div", { class: "tools", role: "toolbar", "aria-label": "Picture" },
      this.search, this.count, methods,
      element("span", { class: "group" },
        button("\u2212", "Zoom out", () => this.zoom(1 / 1.5)),
        button("+", "Zoom in", () => this.zoom(1.5)),
        button("Fit", "Show all", () => this.fit())),
      this.picture.banks.length > 0
        ? button("Peak", "The storages that make the peak", () => this.togglePeak(this.picture.banks[0]))
        : null,
      this.tableButton);
  }

  makeLegend() {
    const seen = new Set(this.picture.storages.map((storage) => storage.kind));
    const entries = KIND_NAMES.filter((kind) => seen.has(kind)).map((kind) => [kind, kind]);
    entries.push(["live", "peak live bytes, and when"], ["size", "size of the bank"]);
    const keys = [["Wheel, + \u2212", "zoom"], ["drag, arrows", "move"], ["N P", "next storage"],
      ["F", "next finding"], ["K", "peak"], ["T", "table"], ["/", "search"], ["0", "show all"]];
    return element("div", { class: "legend" },
      ...entries.map(([name, text]) => element("span", {},
        element("i", { class: "swatch swatch-" + name }), text)),
      element("details", { class: "keys" }, element("summary", {}, "Keys"),
        ...keys.map(([key, text]) => element("span", {}, element("kbd", {}, key), " " + text))));
  }

  // All that drawing a bank needs to know of the picture.
  scene() {
    return { columns: this.columns, colours: this.colours, emphasis: this.emphasis(),
      selected: this.selected, hovered: this.hovered, finding: this.finding,
      findings: this.picture.findings, peak: this.peak };
  }

  // The storages that stand out: those of the finding, of the peak, or of the search.
  emphasis() {
    if (this.finding >= 0) return new Set(this.storagesOf(this.finding));
    if (this.peak) return new Set(this.peak.atPeak.map((index) => this.peak.storages[index]));
    return this.matches === null ? null : new Set(this.matches);
  }

  storagesOf(finding) {
    const storages = marksOf(this.picture, finding)
      .flatMap(({ panel, mark }) => mark.storages.map((index) => panel.storages[index]));
    return [...new Set(storages)];
  }

  shownStorages() {
    const among = this.matches === null ? this.picture.storages : this.matches;
    return among.filter((storage) => this.columns.has(storage.panel.method));
  }

  // In both versions of a plan, as they share what shows.
  chooseMethod(method) {
    this.showMethod(method);
    if (!this.partner) return;
    const { methods } = this.partner.picture;
    const name = method < 0 ? "" : this.picture.methods[method].name;
    this.partner.showMethod(methods.findIndex((axis) => axis.name === name));
  }

  showMethod(method) {
    this.method = method;
    const { methods } = this.picture;
    const axes = method < 0 ? methods : [methods[method]];
    const columns = columnsOf(axes);
    this.columns = new Map(columns.map((column) => [methods.indexOf(column.axis), column]));
    if (this.methods) this.methods.value = String(method);
    for (const bank of this.banks) {
      bank.node.hidden = !bank.bank.panels.some((panel) => this.columns.has(panel.method));
      bank.writeCaption();
    }
    this.fit();
    this.layOut();
    this.table.refresh();
  }

  // Banks share the window's height by how much they hold.
  layOut() {
    const shown = this.banks.filter((bank) => !bank.node.hidden);
    const isNarrow = this.sheet.clientWidth < 700;
    const most = (isNarrow ? 0.55 : 0.66) * window.innerHeight / Math.max(1, Math.min(2, shown.length));
    for (const bank of shown) {
      const height = Math.max(150, Math.min(most, 44 + (isNarrow ? 26 : 40) * bank.bank.levels));
      bank.canvas.style.height = Math.round(height) + "px";
    }
    this.request();
  }

  request() {
    for (const bank of this.banks) bank.request();
  }

  requestAll() {
    this.request();
    if (this.partner) this.partner.request();
  }

  get views() {
    return this.viewOfBank.values();
  }

  // The time that shows is that of all banks.
  viewChanged(from) {
    const moved = this.banks.find((bank) => bank.bank === from).view;
    for (const view of this.views) [view.x0, view.x1] = [moved.x0, moved.x1];
    this.hover(null);
    this.requestAll();
  }

  zoom(factor) {
    for (const view of this.views) view.zoom(factor, 0.5, 0.5);
    this.requestAll();
  }

  fit() {
    for (const view of this.views) view.fit();
    this.requestAll();
  }

  hover(storage, x, y) {
    if (storage !== this.hovered) {
      this.hovered = storage;
      this.request();
    }
    this.tip.hidden = storage === null;
    if (storage === null) return;
    const axis = storage.panel.axis;
    replaceContent(this.tip, element("b", {}, storage.label), " " + storage.kind,
      element("br"), storage.parts[0].type + ", " + exactBytesText(sizeOf(storage)),
      element("br"), "bank " + storage.panel.bank.id + " " + rangeText(storage.bytes) +
        ", instructions " + livesText(storage.live, axis),
      element("br"), "written by " + writersText(storage, 2),
      element("br"), "read by " + readersText(storage, 2),
      element("span", { class: "source" }, sourcesText(storage, 2)));
    const room = document.documentElement.clientWidth - this.tip.offsetWidth - 8;
    const isLow = y > window.innerHeight / 2;
    this.tip.style.left = Math.max(4, Math.min(x + 14, room)) + "px";
    this.tip.style.top = (isLow ? y - this.tip.offsetHeight - 12 : y + 16) + "px";
  }

  select(storage, moves) {
    this.forget();
    this.selected = storage;
    if (storage === null) {
      this.facts.hide();
    } else {
      this.facts.showStorage(storage);
      if (moves) this.makeVisible([storage]);
    }
    if (this.partner) {
      this.partner.selected = storage === null ? null : counterpartOf(storage, this.partner.picture);
      this.partner.request();
    }
    this.request();
  }

  // No finding and no peak is told any more.
  forget() {
    this.finding = -1;
    this.peak = null;
    for (const details of this.sheet.querySelectorAll(".chosen")) details.classList.remove("chosen");
  }

  // The keys work on in the picture.
  close() {
    this.clear();
    if (this.banks.length > 0) this.banks[0].canvas.focus({ preventScroll: true });
  }

  clear() {
    this.search.value = "";
    this.find("");
    this.select(null, false);
  }

  // Moves only if a storage is out of sight.
  makeVisible(storages) {
    this.showMethodsOf(storages);
    const hidden = storages.filter((storage) => !this.bankOf(storage).shows(storage));
    if (hidden.length > 0) this.revealStorages(storages);
  }

  revealStorages(storages) {
    const ROOM = 0.6; // around them, in their own size
    const LEAST = 0.02; // of all
    this.showMethodsOf(storages);
    const boxes = storages.map((storage) => this.bankOf(storage).boxOf(storage));
    const x0 = Math.min(...boxes.map((box) => box.x0));
    const x1 = Math.max(...boxes.map((box) => box.x1));
    let last = null;
    for (const bank of this.banks) {
      const own = boxes.filter((box, index) => storages[index].panel.bank === bank.bank);
      if (own.length === 0) continue;
      const y0 = Math.min(...own.map((box) => box.y0));
      const y1 = Math.max(...own.map((box) => box.y1));
      bank.view.reveal({ x0, x1, y0, y1 }, ROOM, LEAST);
      last = bank.bank;
    }
    if (last) this.viewChanged(last);
  }

  showMethodsOf(storages) {
    if (storages.some((storage) => !this.columns.has(storage.panel.method))) this.showMethod(-1);
  }

  bankOf(storage) {
    return this.banks.find((bank) => bank.bank === storage.panel.bank);
  }

  // The next storage in time, of a bank's.
  step(by, bank) {
    const storages = this.shownStorages().filter((storage) => storage.panel.bank === bank);
    if (storages.length === 0) return;
    const at = storages.indexOf(this.selected);
    const next = at < 0 ? (by > 0 ? 0 : storages.length - 1)
      : (at + by + storages.length) % storages.length;
    this.select(storages[next], true);
  }

  selectFinding(finding) {
    const storages = this.storagesOf(finding);
    this.select(null, false);
    this.finding = finding;
    this.facts.showFinding(finding, storages);
    const details = this.sheet.querySelector('[data-finding="' + finding + '"]');
    if (details) details.classList.add("chosen");
    if (storages.length > 0) this.revealStorages(storages);
    this.tools.scrollIntoView({ block: "nearest" });
    this.request();
  }

  stepFinding(by) {
    const marked = this.picture.findings.map((finding, index) => index)
      .filter((index) => this.storagesOf(index).length > 0);
    if (marked.length === 0) return;
    const at = marked.indexOf(this.finding);
    this.selectFinding(marked[(at + by + marked.length) % marked.length]);
  }

  // The peaks of all banks and methods in turn, then none.
  togglePeak(bank) {
    const panels = this.picture.banks.flatMap((each) => each.panels)
      .filter((panel) => this.columns.has(panel.method));
    const first = panels.findIndex((panel) => panel.bank === bank);
    const next = this.peak ? panels[panels.indexOf(this.peak) + 1] : panels[Math.max(0, first)];
    this.select(null, false);
    this.peak = next || null;
    if (this.peak) this.facts.showPeak(this.peak);
    this.request();
  }

  toggleTable() {
    const isShown = this.table.toggle();
    this.drawing.hidden = isShown;
    this.tableButton.setAttribute("aria-pressed", String(isShown));
    if (!isShown) this.layOut();
  }

  find(query) {
    const words = queryWords(query);
    this.matches = words.length === 0 ? null
      : this.picture.storages.filter((storage) => matchesQuery(storage, words));
    this.count.textContent = this.matches === null ? "" : this.matches.length + " of " +
      this.picture.storages.length;
    this.finding = -1;
    this.peak = null;
    this.table.refresh();
    this.request();
  }

  // Enter goes to the next storage that was found, with Shift to the one before.
  onSearchKey(event) {
    if (event.key === "Escape") this.clear();
    if (event.key !== "Enter" || !this.matches || this.matches.length === 0) return;
    event.preventDefault();
    const at = this.matches.indexOf(this.selected);
    const by = event.shiftKey ? -1 : 1;
    const next = at < 0 ? 0 : (at + by + this.matches.length) % this.matches.length;
    this.select(this.matches[next], false);
    this.revealStorages([this.matches[next]]);
    this.count.textContent = next + 1 + " of " + this.matches.length;
  }

  recolour() {
    this.colours = readColours();
    this.request();
  }

  // Sharper, and at once: a printer does not wait for the next frame.
  drawForPrint(scale) {
    this.leastScale = scale;
    this.colours = readColours();
    for (const bank of this.banks) bank.draw();
  }
}
