"use strict";
// Tables of a program: what a device needs, what makes the peak, and the instructions.

// "67,108,864" with "64 MiB" behind it in a softer colour.
function bytesCell(bytes) {
  const unit = bytes < 1024 ? null : element("span", { class: "grey unit" }, bytesText(bytes));
  return element("td", { class: "n" }, bytes.toLocaleString("en-US"), " ", unit);
}

// `numbers` are the columns whose cells are numbers, below which the titles stand as they do.
function headRow(titles, numbers) {
  return element("thead", {}, element("tr", {}, ...titles.map((title, index) =>
    element("th", { scope: "col", class: numbers.includes(index) ? "n" : undefined }, title))));
}

function tableOf(caption, head, rows) {
  return element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": caption },
    element("table", {}, element("caption", {}, caption), head, element("tbody", {}, ...rows)));
}

function banksOfLoaders(loaders) {
  const names = new Map();
  for (const { banks } of loaders) {
    for (const bank of banks) {
      names.set(bank.bank + " " + bank.device,
        "bank " + bank.bank + (bank.device ? " on " + bank.device : ""));
    }
  }
  return [...names].map(([key, name]) => element("tr", {},
    element("th", { scope: "row", class: "inner" }, name),
    ...loaders.map(({ banks }) => {
      const bank = banks.find((each) => each.bank + " " + each.device === key);
      const cell = bytesCell(bank ? bank.bytes : 0);
      if (bank && bank.shared) cell.prepend(element("span", { class: "grey" }, "shared "));
      return cell;
    })));
}

// `memory`: as `memory --json` prints it, with the words of its rows.
function memoryTables(memory) {
  if (memory.error) return [element("p", {}, memory.error)];
  const { loaders } = memory;
  const rows = [];
  for (const [key, words] of memory.rows) {
    if (loaders.every((loader) => loader[key] === 0)) continue;
    rows.push(element("tr", { class: key.startsWith("at_") ? "sum" : undefined },
      element("th", { scope: "row" }, words), ...loaders.map((loader) => bytesCell(loader[key]))));
    if (key === "planned") rows.push(...banksOfLoaders(loaders));
  }
  const parts = Object.entries(memory.sections).filter(([, bytes]) => bytes > 0)
    .map(([name, bytes]) => element("tr", {},
      element("th", { scope: "row" }, name.replace(/_/g, " ")), bytesCell(bytes)));
  return [
    tableOf("What a device allocates, in bytes", headRow(["", ...loaders.map((loader) =>
      loader.loader + " (" + loader.policy + ")")], loaders.map((_, index) => index + 1)), rows),
    tableOf("What the file holds, in bytes", headRow(["", "bytes"], [1]), parts),
    element("p", { class: "grey" },
      "Not counted: " + (memory.not_counted.join(", ") || "nothing") + "."),
  ];
}

// The bytes of a report's banks.
function bankTable(banks) {
  if (banks.length === 0) return null;
  const rows = banks.map((use) => element("tr", {}, element("th", { scope: "row" }, use.method),
    element("td", { class: "n" }, String(use.bank)),
    ...[use.size, use.peak, use.peak_live, use.waste, use.phantom].map(bytesCell)));
  return tableOf("Banks of the methods, in bytes", headRow(
    ["method", "bank", "size", "peak", "peak live", "waste", "phantom"], [1, 2, 3, 4, 5, 6]), rows);
}

// Where a storage comes from: the line of the model, else the operator that wrote it first.
function layerOf(storage) {
  const source = sourcesText(storage, 1);
  if (source !== "") return source;
  const axis = storage.panel.axis;
  if (storage.kind === "state" || storage.writes.length === 0) return storage.kind;
  return axis.operators[axis.at[storage.writes[0]]];
}

function layersOf(panel) {
  const layers = new Map();
  for (const index of panel.atPeak) {
    const storage = panel.storages[index];
    if (storage.kind === "reserved") continue;
    const layer = layers.get(layerOf(storage)) || { count: 0, bytes: 0 };
    layer.count += 1;
    layer.bytes += sizeOf(storage);
    layers.set(layerOf(storage), layer);
  }
  return [...layers].sort(([, a], [, b]) => b.bytes - a.bytes);
}

// The shares are of the storages' own bytes: in an unsafe plan they are more than the peak live bytes.
function layerRows(panel) {
  const layers = layersOf(panel);
  const all = layers.reduce((sum, [, { bytes }]) => sum + bytes, 0);
  return layers.map(([layer, { count, bytes }]) => element("tr", {},
    element("td", {}, panel.axis.name), element("td", { class: "n" }, String(panel.bank.id)),
    element("th", { scope: "row" }, layer), element("td", { class: "n" }, String(count)),
    bytesCell(bytes),
    element("td", { class: "n" }, Math.round(100 * bytes / Math.max(1, all)) + "%")));
}

// What is in use when most is, by layer.
function layerTable(picture) {
  const rows = picture.banks.flatMap((bank) => bank.panels).flatMap(layerRows);
  return tableOf("By layer, at the peak of each bank",
    headRow(["method", "bank", "layer", "storages", "bytes", "of the peak"], [1, 3, 4, 5]), rows);
}

// The instructions of a method; those of findings lead to them.
class Listing {
  constructor(listing, findings, onFinding) {
    this.methods = listing.methods || [];
    this.findings = findings;
    this.onFinding = onFinding;
    this.choice = element("select", { "aria-label": "Method", onchange: () => this.fill() },
      ...this.methods.map((method, index) => element("option", { value: String(index) },
        method.method)));
    this.search = element("input", { type: "search", placeholder: "Find instructions",
      "aria-label": "Find instructions by operator or value", oninput: () => this.fill() });
    this.count = element("span", { class: "grey", role: "status" });
    this.body = element("div");
    this.node = listing.error ? element("p", {}, listing.error)
      : element("div", {}, element("div", { class: "tools" }, this.choice, this.search, this.count),
        this.body);
    if (this.methods.length > 0) this.fill();
  }

  fill() {
    const MOST = 2000;
    const method = this.methods[Number(this.choice.value)];
    const words = queryWords(this.search.value);
    const found = method.instructions.map((text, index) => ({ text, index }))
      .filter(({ text }) => words.every((word) => text.toLowerCase().includes(word)));
    const shown = found.slice(0, MOST);
    this.count.textContent = found.length + " of " + method.instructions.length +
      (shown.length < found.length ? ", the first " + MOST + " shown" : "");
    replaceContent(this.body, tableOf("Instructions of " + method.method,
      headRow(["at", "instruction", "finding"], [0]), shown.map((each) => this.row(method, each))));
  }

  row(method, { text, index }) {
    const about = this.findings.map((finding, number) => ({ finding, number })).filter(
      ({ finding }) => finding.method === method.method && finding.instruction === index &&
        finding.severity !== "note");
    return element("tr", { class: about.length > 0 ? "found" : undefined },
      element("td", { class: "n" }, String(index)), element("td", { class: "code" }, text),
      element("td", {}, ...about.map(({ finding, number }) => button(finding.rule,
        "Show the finding " + finding.rule, () => this.onFinding(number), { class: "link" }))));
  }
}
