"use strict";
// The table of many files: counts by verdict, a filter, and which file shows.

class FileList {
  constructor(node, onShow) {
    this.node = node;
    this.onShow = onShow;
    this.verdict = ""; // all
    this.rows = [...node.querySelectorAll("tbody tr")];
    this.filter = element("input", { type: "search", placeholder: "Filter files",
      "aria-label": "Filter files by name", autocomplete: "off", oninput: () => this.update() });
    this.count = element("span", { class: "grey", role: "status" });
    this.chips = element("span", { class: "chips", role: "group", "aria-label": "Verdicts" });
    this.addChip("", "all", this.rows.length);
    for (const [verdict, count] of this.countVerdicts()) this.addChip(verdict, verdict, count);
    node.prepend(element("div", { class: "tools" }, this.chips, this.filter, this.count));
    for (const link of node.querySelectorAll("a")) {
      link.addEventListener("click", (event) => {
        event.preventDefault();
        this.show(link.hash.slice(1), true);
      });
    }
    this.update();
  }

  // In the order of the table: the worst first.
  countVerdicts() {
    const counts = new Map();
    for (const row of this.rows) {
      counts.set(row.dataset.verdict, (counts.get(row.dataset.verdict) || 0) + 1);
    }
    return counts;
  }

  addChip(verdict, text, count) {
    this.chips.append(button(text + " " + count, "Show files: " + text, (event) => {
      this.verdict = verdict;
      for (const chip of this.chips.children) {
        chip.setAttribute("aria-pressed", String(chip === event.currentTarget));
      }
      this.update();
    }, { "aria-pressed": String(verdict === "") }));
  }

  update() {
    const words = queryWords(this.filter.value);
    let shown = 0;
    for (const row of this.rows) {
      const name = row.querySelector(".file").textContent.toLowerCase();
      row.hidden = (this.verdict !== "" && row.dataset.verdict !== this.verdict) ||
        !words.every((word) => name.includes(word));
      if (!row.hidden) shown += 1;
    }
    this.count.textContent = shown + " of " + this.rows.length + " files";
  }

  // Marks the row of the file that shows; `moves`: the reader asked for it.
  show(id, moves) {
    for (const row of this.rows) {
      const isCurrent = row.querySelector("a").hash === "#" + id;
      row.classList.toggle("current", isCurrent);
      if (isCurrent) row.querySelector("a").setAttribute("aria-current", "true");
      else row.querySelector("a").removeAttribute("aria-current");
    }
    this.onShow(id, moves);
  }
}
