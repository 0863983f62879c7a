"use strict";
// One program of the page: its verdict by loader, and behind tabs its plan, memory, instructions and
// report.

const LOADERS = [["", ""], ["private", "C++ Module's default"],
  ["share-1-2", "Module with shared arenas"], ["share-all", "the Python Runtime"]];
const TABS = [["plan", "Plan"], ["memory", "Memory"], ["layers", "Layers"],
  ["instructions", "Instructions"], ["report", "Report"]];
const COLOUR_OF_WORD = { safe: "safe", undecided: "warning", depends: "warning", warning: "warning",
  note: "s" };

function verdictWord(word) {
  return element("span", { class: "verdict v-" + (COLOUR_OF_WORD[word] || "error") }, word);
}

// As a shell takes it, and no flag: as ShellWord (cli/io/quote.h).
function shellWord(path) {
  const name = path.startsWith("-") ? "./" + path : path;
  return /^[\w.+=:,@%/-]+$/.test(name) ? name : "'" + name.replace(/'/g, "'\\''") + "'";
}

class ProgramSheet {
  // `owner` asks the library, holds the files, and is told when what shows has changed.
  constructor(owner, name, id) {
    this.owner = owner;
    this.name = name;
    this.policy = ""; // that of the manifest, else all
    this.vouched = false;
    this.tab = "plan";
    this.answer = null;
    this.maps = [];
    this.heading = element("h2", { tabindex: "-1" }, name);
    this.told = element("div");
    this.panels = new Map(TABS.map(([key]) => [key, this.makePanel(id, key)]));
    this.tabs = this.makeTabs(id);
    this.node = element("section", { class: "file", id, "aria-label": name }, this.heading,
      this.told, this.tabs, ...this.panels.values());
    for (const event of ["pointerup", "keyup", "wheel", "change"]) {
      this.node.addEventListener(event, () => this.owner.noteState(), { passive: true });
    }
  }

  makePanel(id, key) {
    const isPlan = key === "plan";
    return element("div", { id: id + "-" + key, role: "tabpanel", class: isPlan ? "sheet" : "panel",
      "data-picture": isPlan ? "0" : undefined, "aria-labelledby": id + "-tab-" + key,
      hidden: !isPlan });
  }

  makeTabs(id) {
    const tabs = TABS.map(([key, title]) => element("button", { type: "button", role: "tab",
      id: id + "-tab-" + key, "aria-controls": id + "-" + key, "aria-selected": String(key === "plan"),
      tabindex: key === "plan" ? "0" : "-1", onclick: () => this.showTab(key) }, title));
    return element("div", { class: "tabs", role: "tablist", "aria-label": "Of " + this.name,
      onkeydown: (event) => this.onTabKey(event) }, ...tabs);
  }

  onTabKey(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const keys = TABS.map(([key]) => key);
    const next = (keys.indexOf(this.tab) + by + keys.length) % keys.length;
    this.showTab(keys[next]);
    this.tabs.children[next].focus();
  }

  question(ask) {
    const { shelf } = this.owner;
    const manifest = shelf.manifestOf(this.name);
    const question = { ask, program: this.name, data: shelf.dataOf(this.name).map((file) => file.name) };
    if (this.policy !== "") question.policy = this.policy;
    if (this.vouched && manifest) question.manifest = manifest.name;
    const certificate = shelf.beside(this.name, "certificate");
    if (certificate) question.certificate = certificate.name;
    return question;
  }

  ask(ask) {
    return this.owner.ask(this.question(ask), this.name);
  }

  // Asks anew; what is shown before stays until then.
  async judge() {
    this.filled = new Set();
    try {
      this.answer = await this.ask("check");
      this.answer.report = JSON.parse(this.answer.json); // with numbers above 2^53 rounded
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      const more = error.kind === "memory" ? "pteproof check " + shellWord(this.name) : "";
      this.answer = { exit: 70, report: { file: this.name, verdict: "no answer", findings: [],
        policies: {}, banks: [], assumptions: [], error: error.message + more },
      json: "", headlines: [], notes: [], text: error.message + more + "\n", markdown: "", picture: null };
    }
    this.show();
    return this.answer;
  }

  get verdict() {
    return this.answer === null ? "" : this.answer.report.verdict;
  }

  show() {
    const { report } = this.answer;
    replaceContent(this.told, this.makeSize(), this.makeVerdict(report), this.makeLoaders(report),
      this.makeManifest(report));
    this.showPlan();
    this.showTab(this.tab);
  }

  makeSize() {
    const { blob } = this.owner.shelf.files.get(this.name);
    const read = this.answer.read;
    return element("p", { class: "grey" }, exactBytesText(blob.size) +
      (read !== undefined && read < blob.size ? ", of which " + bytesText(read) + " were read" : ""));
  }

  makeVerdict(report) {
    const line = element("p", {}, verdictWord(report.verdict));
    if (report.policy) {
      line.append(" with " + LOADERS.find(([name]) => name === report.policy)[1] + " (" +
        report.policy + ")");
    }
    if (report.by_word) {
      line.append(", and " + report.by_word + " if you vouch for " + report.manifest);
    }
    if (report.error) line.append(element("pre", {}, report.error));
    return line;
  }

  makeLoaders(report) {
    if (Object.values(report.policies).every((word) => word === report.verdict &&
        !["safe", "unsafe", "undecided"].includes(word))) return null;
    const group = "loader-" + this.node.id;
    const byManifest = this.policy === "" && report.policy;
    return element("fieldset", { class: "loaders" }, element("legend", {}, "Loader"),
      ...LOADERS.map(([policy, words]) => element("label", {},
        element("input", { type: "radio", name: group, value: policy,
          checked: policy === this.policy, onchange: () => this.choosePolicy(policy) }),
        policy === "" ? (byManifest ? "as the manifest says" : "all of them") : words + " ",
        policy === "" ? null : element("span", { class: "grey" }, policy + " "),
        policy === "" ? null : verdictWord(report.policies[policy]))));
  }

  makeManifest(report) {
    const manifest = this.owner.shelf.manifestOf(this.name);
    if (!manifest || !report.manifest && stemOf(manifest.name) === stemOf(this.name)) return null;
    return element("label", { class: "vouch" },
      element("input", { type: "checkbox", checked: this.vouched,
        onchange: (event) => this.vouch(event.target.checked) }),
      "I vouch for " + manifest.name + ": it may make the verdict better, as with --manifest.");
  }

  async choosePolicy(policy, finding) {
    if (policy !== this.policy || finding === undefined) {
      this.policy = policy;
      await this.judge();
    }
    if (finding !== undefined && this.maps[0]) this.maps[0].selectFinding(finding);
    this.owner.noteState();
  }

  async vouch(vouched) {
    this.vouched = vouched;
    await this.judge();
    this.owner.noteState();
  }

  showPlan() {
    const { picture } = this.answer;
    const plan = this.panels.get("plan");
    const map = element("div", { class: "map" });
    const words = element("div", { class: "words" }, ...this.makeFindings());
    if (picture) plan.setAttribute("data-picture", "0");
    else plan.removeAttribute("data-picture");
    replaceContent(plan, map, words);
    this.answer.plain = picture ? JSON.stringify(picture) : ""; // for comparisons
    this.maps = picture ? makeMaps([plan], [preparePicture(picture)]) : [];
  }

  makeFindings() {
    const { report } = this.answer;
    const notes = report.assumptions.map((text) =>
      element("p", { class: "grey" }, "assumes " + text));
    if (report.findings.length === 0) {
      return [element("p", { class: "grey" }, "No findings."), ...notes];
    }
    return [element("h3", {}, "Findings"),
      ...report.findings.map((finding, index) => this.makeFinding(finding, index)), ...notes];
  }

  makeFinding(finding, index) {
    const { picture, headlines, notes } = this.answer;
    const number = picture ? picture.findings[index].number : 0;
    const word = finding.undecided ? "undecided" : finding.severity;
    const isMarked = number > 0 && (word === "error" || word === "undecided");
    const badge = element("span", { class: "number" + (isMarked ? " marked" : "") +
      (isMarked && finding.undecided ? " doubt" : "") }, number > 0 ? String(number) : "\u2013");
    const summary = element("summary", {}, badge, verdictWord(word), " ", headlines[index]);
    const elsewhere = picture && finding.policy && !finding.policy.includes(picture.policy);
    if (elsewhere) {
      // It is drawn under a loader for which it holds.
      summary.addEventListener("click", (event) => {
        event.preventDefault();
        event.stopImmediatePropagation();
        this.choosePolicy(finding.policy[0], index);
      });
    }
    return element("details", { class: "finding", "data-finding": String(index),
      open: index === 0 }, summary, element("pre", {}, notes[index]),
    finding.suppressed ? element("p", { class: "grey" }, "Accepted: " + finding.suppressed) : null,
    finding.file_alone
      ? element("p", { class: "grey" }, "Only without the manifest, which is not trusted.") : null,
    element("p", { class: "grey" }, "More: ", element("code", {}, "pteproof rules " + finding.rule)));
  }

  // What a tab shows is asked for when it is first looked at.
  showTab(tab) {
    this.tab = tab;
    TABS.forEach(([key], index) => {
      const isShown = key === tab;
      this.panels.get(key).hidden = !isShown;
      this.tabs.children[index].setAttribute("aria-selected", String(isShown));
      this.tabs.children[index].tabIndex = isShown ? 0 : -1;
    });
    if (tab === "plan") this.maps.forEach((map) => map.layOut());
    else if (!this.filled.has(tab)) this.fill(tab);
    this.owner.noteState();
  }

  async fill(tab) {
    this.filled.add(tab);
    const panel = this.panels.get(tab);
    const makers = {
      memory: async () => [bankTable(this.answer.report.banks),
        ...memoryTables(await this.ask("memory"))],
      layers: async () => [this.maps.length > 0 ? layerTable(this.maps[0].picture)
        : element("p", {}, "The file has no plan.")],
      instructions: async () => [new Listing(await this.ask("listing"), this.answer.report.findings,
        (number) => this.showFinding(number)).node],
      report: async () => makeReport(this),
    };
    try {
      replaceContent(panel, ...await makers[tab]());
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      replaceContent(panel, element("p", {}, error.message));
      this.filled.delete(tab);
    }
  }

  showFinding(number) {
    this.showTab("plan");
    this.node.querySelector('[data-finding="' + number + '"] summary').click();
  }

  // For a link. Of a file that was not read there is none.
  state() {
    const identity = this.answer && this.answer.identity;
    if (!identity) return {};
    return { file: identity.sha256.slice(0, 16) + "," + identity.size, policy: this.policy,
      tab: this.tab === "plan" ? "" : this.tab, ...(this.maps[0] ? stateOfMap(this.maps[0]) : {}) };
  }

  async restore(state) {
    if (state.policy && LOADERS.some(([policy]) => policy === state.policy)) {
      this.policy = state.policy;
      await this.judge();
    }
    if (this.maps[0]) restoreMap(this.maps[0], state);
    if (this.panels.has(state.tab)) this.showTab(state.tab);
  }
}
