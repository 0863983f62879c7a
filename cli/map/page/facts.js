"use strict";
// The panel that tells the facts of what is selected: a storage, a finding or the peak.

class Facts {
  constructor(owner) {
    this.owner = owner;
    this.heading = element("h3", { tabindex: "-1" });
    this.body = element("div");
    this.status = element("p", { class: "unseen", role: "status" });
    this.node = element("section", { class: "facts", hidden: true, "aria-label": "Facts" },
      button("\u00d7", "Close the facts", () => owner.close(), { class: "close" }),
      this.heading, this.body);
  }

  focus() {
    this.heading.focus();
  }

  hide() {
    this.node.hidden = true;
    this.status.textContent = "";
  }

  show(title, announced, ...content) {
    this.heading.textContent = title;
    this.status.textContent = announced;
    replaceContent(this.body, ...content);
    this.node.hidden = false;
  }

  showStorage(storage) {
    const axis = storage.panel.axis;
    this.show(storage.label, storage.label + ", " + storage.kind + ", " +
      exactBytesText(sizeOf(storage)) + ", instructions " + livesText(storage.live, axis),
    this.storageFacts(storage), this.findingsOf(storage),
    element("p", {}, button("Zoom to it", "Zoom to this storage",
      () => this.owner.revealStorages([storage]))));
  }

  storageFacts(storage) {
    const MOST_PARTS = 40;
    const list = element("dl");
    for (const [word, text] of factsOf(storage)) {
      list.append(element("dt", {}, word), element("dd", {}, text));
    }
    if (storage.parts.length < 2) return list;
    const parts = element("ul");
    for (const part of storage.parts.slice(0, MOST_PARTS)) {
      parts.append(element("li", {}, partText(part, storage.panel.axis)));
    }
    if (storage.parts.length > MOST_PARTS) {
      parts.append(element("li", {}, "and " + (storage.parts.length - MOST_PARTS) + " more"));
    }
    return element("div", {}, list,
      element("details", { open: storage.parts.length <= 6 },
        element("summary", {}, storage.parts.length + " values in these bytes"), parts));
  }

  // Links to the findings that mark a storage.
  findingsOf(storage) {
    const { panel } = storage;
    const index = panel.storages.indexOf(storage);
    const numbers = [...new Set(panel.marks.filter((mark) => mark.storages.includes(index))
      .map((mark) => mark.finding))];
    if (numbers.length === 0) return null;
    const line = element("p", { class: "v-error" }, "In finding ");
    for (const finding of numbers) {
      const { number, rule } = this.owner.picture.findings[finding];
      line.append(button(number + " " + rule, "Show finding " + number + ", " + rule,
        () => this.owner.selectFinding(finding)), " ");
    }
    return line;
  }

  // The explanation and the fix are the page's own text, which needs no script.
  showFinding(finding, storages) {
    const { number, rule } = this.owner.picture.findings[finding];
    const own = this.owner.sheet.querySelector('[data-finding="' + finding + '"] pre');
    const told = own ? own.textContent : "";
    const content = [element("pre", {}, told)];
    for (const [index, storage] of storages.entries()) {
      content.push(element("details", { open: index < 2 },
        element("summary", {}, storage.label + " \u00b7 " + storage.panel.axis.name + " \u00b7 bank " +
          storage.panel.bank.id + " " + rangeText(storage.bytes)),
        this.storageFacts(storage)));
    }
    if (storages.length === 0) {
      content.push(element("p", { class: "grey" }, this.whyUnmarked(finding)));
    }
    const title = (number > 0 ? "Finding " + number + ": " : "Finding: ") + rule;
    this.show(title, title + ". " + told, ...content);
  }

  whyUnmarked(finding) {
    const { policies } = this.owner.picture.findings[finding];
    const { policy } = this.owner.picture;
    if (!policies || policies.includes(policy)) return "No storage of the picture is marked.";
    return "The picture is drawn for " + policy + ", and the finding holds under " +
      policies.join(" and ") + ": pteproof map --policy " + policies[0] + " draws it.";
  }

  showPeak(panel) {
    const MOST = 200;
    const storages = panel.atPeak.map((index) => panel.storages[index])
      .filter((storage) => storage.kind !== "reserved").sort((a, b) => sizeOf(b) - sizeOf(a));
    const sum = storages.reduce((all, storage) => all + sizeOf(storage), 0);
    const rows = storages.slice(0, MOST).map((storage) => element("tr", {},
      element("td", {}, button(storage.label, "Select " + storage.label,
        () => this.owner.select(storage, true), { class: "link" })),
      element("td", {}, storage.kind), element("td", { class: "n" }, bytesText(sizeOf(storage))),
      element("td", { class: "n" }, rangeText(storage.bytes))));
    const title = "Peak of bank " + panel.bank.id + ", " + panel.axis.name;
    const said = storages.length + " storages with " + exactBytesText(sum) + " are in use at " +
      pointText(panel.peakAt, panel.axis) + ". The peak live bytes" +
      (sum === panel.live ? "" : ", over all time and with padding,") + " are " +
      exactBytesText(panel.live) + ".";
    this.show(title, title + ". " + said, element("p", {}, said),
      panel.flame ? flameOf(panel.flame) : null,
      element("div", { class: "scroll" }, element("table", {},
        element("thead", {}, element("tr", {}, element("th", {}, "storage"),
          element("th", {}, "kind"), element("th", { class: "n" }, "size"),
          element("th", { class: "n" }, "bytes"))),
        element("tbody", {}, ...rows))),
      rows.length < storages.length
        ? element("p", { class: "grey" }, "and " + (storages.length - rows.length) + " smaller ones")
        : null);
  }
}
