"use strict";
// The storages of a plan as a table: the same facts for a reader who does not see the picture.

const COLUMNS = [
  { title: "storage", value: (storage) => storage.label },
  { title: "kind", value: (storage) => storage.kind },
  { title: "method", value: (storage) => storage.panel.axis.name },
  { title: "type", value: (storage) => storage.parts[0].type },
  { title: "size", value: sizeOf, text: (storage) => bytesText(sizeOf(storage)), number: true, byNumber: true },
  { title: "bank", value: (storage) => storage.panel.bank.id, number: true, byNumber: true },
  { title: "bytes", value: (storage) => storage.bytes[0],
    text: (storage) => rangeText(storage.bytes), number: true, byNumber: true },
  { title: "in use", value: (storage) => storage.live[0][0], byNumber: true,
    text: (storage) => livesText(storage.live, storage.panel.axis) },
  { title: "written by", value: (storage) => writersText(storage, 3) },
  { title: "read by", value: (storage) => readersText(storage, 3) },
  { title: "source", value: (storage) => sourcesText(storage, 3), optional: true },
];

class StorageTable {
  constructor(owner) {
    this.owner = owner;
    this.sorted = { column: -1, down: false };
    this.columns = COLUMNS.filter(({ value, optional }) =>
      !optional || owner.picture.storages.some((storage) => value(storage) !== ""));
    this.node = element("div", { class: "scroll storages", hidden: true });
  }

  toggle() {
    this.node.hidden = !this.node.hidden;
    if (!this.node.hidden) this.fill();
    return !this.node.hidden;
  }

  refresh() {
    if (!this.node.hidden) this.fill();
  }

  fill() {
    const MOST = 5000;
    const storages = this.inOrder(this.owner.shownStorages());
    const rows = storages.slice(0, MOST).map((storage) => this.row(storage));
    const left = storages.length - rows.length;
    replaceContent(this.node,
      element("table", {},
        element("caption", {}, storages.length + " storages" +
          (left > 0 ? ", the first " + MOST + " of them; search for others" : "")),
        element("thead", {}, this.head()), element("tbody", {}, ...rows)));
  }

  inOrder(storages) {
    const { column, down } = this.sorted;
    if (column < 0) return storages;
    const { value, byNumber } = this.columns[column];
    const compare = byNumber ? (a, b) => value(a) - value(b)
      : (a, b) => value(a).localeCompare(value(b), "en", { numeric: true });
    return [...storages].sort((a, b) => (down ? compare(b, a) : compare(a, b)));
  }

  head() {
    return element("tr", {}, ...this.columns.map((column, index) => {
      const isSorted = this.sorted.column === index;
      const order = this.sorted.down ? "descending" : "ascending";
      return element("th", { scope: "col", class: column.number ? "n" : undefined,
        "aria-sort": isSorted ? order : undefined },
      button(column.title + (isSorted ? (this.sorted.down ? " \u2193" : " \u2191") : ""),
        "Sort by " + column.title, () => this.sortBy(index), { class: "link" }));
    }));
  }

  sortBy(index) {
    const down = this.sorted.column === index && !this.sorted.down;
    this.sorted = { column: index, down };
    this.fill();
    this.node.querySelectorAll("th button")[index].focus();
  }

  row(storage) {
    const cells = this.columns.map(({ text, value, number }, index) => {
      const told = String((text || value)(storage));
      if (index > 0) return element("td", { class: number ? "n" : undefined }, told);
      return element("th", { scope: "row" }, button(told, "Select " + told,
        () => this.owner.select(storage, true), { class: "link" }));
    });
    return element("tr", {}, ...cells);
  }
}
