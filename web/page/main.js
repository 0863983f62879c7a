"use strict";
// Starts the page: takes files, has them judged, and shows one at a time.

class App {
  constructor() {
    this.client = new Client();
    this.shelf = new Shelf();
    this.sheets = new Map(); // by the program's name
    this.pair = null;
    this.current = null;
    this.wanted = readLink(); // until the file that it is about is there
    this.numbers = 0;
    this.sections = document.getElementById("sections");
    this.list = document.getElementById("files");
    this.told = document.getElementById("told");
    this.build();
    followWindow(() => this.allMaps());
    this.client.ask({ ask: "version" }, []).then(({ version }) => {
      document.getElementById("version").textContent = version;
    }).catch((error) => this.tell(error.message, false));
  }

  build() {
    const input = element("input", { type: "file", multiple: true, id: "choose", class: "unseen",
      onchange: () => {
        this.open([...input.files]);
        input.value = "";
      } });
    const examples = readExamples().map((example) => element("li", {},
      button(example.title, "Open the example: " + example.title, () => this.openExample(example),
        { class: "link" }), " ", element("span", { class: "grey" }, example.story)));
    replaceContent(document.getElementById("drop"),
      element("p", {}, input, element("label", { for: "choose", class: "choose" }, "Choose files"),
        " or drop them anywhere: .pte, .bpte, and beside them .ptd, .manifest.json, .cert.json"),
      element("details", { class: "examples", open: true },
        element("summary", {}, "Or look at a mistake that was made"),
        element("ul", {}, ...examples)));
    window.addEventListener("dragover", (event) => {
      event.preventDefault();
      document.body.classList.add("dragging");
    });
    window.addEventListener("dragleave", (event) => {
      if (event.relatedTarget === null) document.body.classList.remove("dragging");
    });
    window.addEventListener("drop", (event) => {
      event.preventDefault();
      document.body.classList.remove("dragging");
      droppedFiles(event.dataTransfer).then((files) => this.open(files), (error) =>
        this.tell("The browser could not read what was dropped: " + error.message, false));
    });
    window.addEventListener("hashchange", () => {
      this.wanted = readLink();
      this.restoreWanted();
    });
  }

  openExample(example) {
    this.open(example.files.map(({ name, blob }) => Object.assign(blob, { name })));
  }

  // Programs that are new, or beside which something new lies, are judged.
  async open(files) {
    const refusals = [];
    const names = new Set();
    for (const file of files) {
      const why = !names.has(file.name) ? this.shelf.add(file.name, file)
        : "Several files are named " + file.name + ": the first was taken. Drop the folder that holds them.";
      names.add(file.name);
      if (why) refusals.push(why);
    }
    const programs = this.shelf.of("program").map((file) => file.name);
    const hasCompanions = files.some((file) => kindOf(file.name) !== "program");
    const judged = programs.filter((name) => hasCompanions || names.has(name));
    if (programs.length === 0 && files.length > 0) {
      refusals.push("These lie beside a program: add its .pte.");
    }
    if (judged.length > 0) document.querySelector(".examples").open = false;
    for (const [index, name] of judged.entries()) {
      this.tell("Judging " + name + (judged.length > 1 ? ", " + (index + 1) + " of " + judged.length
        : ""), true);
      await this.judge(name);
    }
    this.tell(refusals.join(" "), false);
    const first = judged.find((name) => names.has(name));
    this.showList();
    if (first) this.show(this.sheets.get(first), true);
    await this.restoreWanted();
  }

  async judge(name) {
    let sheet = this.sheets.get(name);
    if (!sheet) {
      this.numbers += 1;
      sheet = new ProgramSheet(this, name, "file-" + this.numbers);
      this.sheets.set(name, sheet);
      this.sections.append(sheet.node);
    }
    await sheet.judge();
  }

  ask(question, program) {
    return this.client.ask(question, this.shelf.filesFor(program));
  }

  tell(text, canStop) {
    replaceContent(this.told, text === "" ? null : element("p", {}, text, " ",
      canStop ? button("Stop", "Stop judging", () => this.client.stop()) : null));
  }

  // The files, if there are several, with a way to compare two.
  showList() {
    const sheets = [...this.sheets.values()].filter((sheet) => sheet.answer !== null);
    if (sheets.length < 2) {
      replaceContent(this.list);
      this.files = null;
      return;
    }
    const rows = sheets.map(({ node, name, answer }) => element("tr",
      { "data-verdict": answer.report.verdict },
      element("td", { class: "file" }, element("a", { href: "#" + node.id }, name)),
      element("td", {}, verdictWord(answer.report.verdict)),
      ...LOADERS.slice(1).map(([policy]) => element("td", {},
        verdictWord(answer.report.policies[policy] || "")))));
    const node = element("div", { class: "files" }, element("div", { class: "scroll" },
      element("table", {}, headRow(["file", "verdict", ...LOADERS.slice(1).map(([p]) => p)], []),
        element("tbody", {}, ...rows))), this.makeChoice(sheets));
    replaceContent(this.list, node);
    this.files = new FileList(node, (id, moves) => {
      this.showSection(sheets.find((sheet) => sheet.node.id === id), moves);
    });
  }

  makeChoice(sheets) {
    const choice = (label, chosen) => element("select", { "aria-label": label },
      ...sheets.map((sheet, index) => element("option", { value: String(index),
        selected: index === chosen }, sheet.name)));
    const [before, after] = [choice("Before", 0), choice("After", 1)];
    return element("div", { class: "tools compare" }, "Compare ", before, " with ", after,
      button("Compare", "Compare the two plans", () => this.compare(
        sheets[Number(before.value)], sheets[Number(after.value)])));
  }

  async compare(before, after) {
    if (this.pair) this.pair.node.remove();
    this.numbers += 1;
    this.pair = new PairSheet(before, after, "file-" + this.numbers);
    this.sections.append(this.pair.node);
    this.showSection(this.pair, false);
    await this.pair.fill();
    this.focus(this.pair.node);
  }

  show(sheet, moves) {
    if (this.files) this.files.show(sheet.node.id, moves);
    else this.showSection(sheet, moves);
  }

  showSection(sheet, moves) {
    this.current = sheet;
    for (const node of this.sections.children) {
      node.classList.toggle("current", node === sheet.node);
    }
    for (const map of sheet.maps) map.layOut();
    if (!moves) return;
    this.noteState();
    this.focus(sheet.node);
  }

  focus(section) {
    section.querySelector("h2").focus({ preventScroll: true });
    section.scrollIntoView({ block: "start" });
  }

  allMaps() {
    const pair = this.pair ? this.pair.maps : [];
    return [...[...this.sheets.values()].flatMap((sheet) => sheet.maps), ...pair];
  }

  // The address leads back to what shows, for whoever has the same file.
  noteState() {
    clearTimeout(this.noting);
    this.noting = setTimeout(() => {
      const state = this.current ? this.current.state() : {};
      if (state.file) showLink(state);
    }, 250);
  }

  async restoreWanted() {
    const wanted = this.wanted;
    if (!wanted.file) return;
    const sheet = [...this.sheets.values()].find((each) => each.state().file === wanted.file);
    if (!sheet) return this.tell("The link is about a file that has not been opened here.", false);
    this.wanted = {};
    this.show(sheet, false);
    await sheet.restore(wanted);
  }
}

document.documentElement.classList.add("scripted");
document.addEventListener("DOMContentLoaded", () => {
  window.pteproofPage = new App();
});
