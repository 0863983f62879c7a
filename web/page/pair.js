"use strict";
// Two programs side by side: what has changed between their plans.

// By rule, method and severity: numbers of values and instructions change with every export.
function findingKey(finding) {
  return [finding.rule, finding.method, finding.undecided ? "undecided" : finding.severity].join("|");
}

function countKeys(findings) {
  const counts = new Map();
  for (const finding of findings) {
    const key = findingKey(finding);
    counts.set(key, (counts.get(key) || 0) + (finding.count || 1));
  }
  return counts;
}

function findingRows(before, after) {
  const [olds, news] = [countKeys(before.findings), countKeys(after.findings)];
  return [...new Set([...olds.keys(), ...news.keys()])].map((key) => {
    const [rule, method, severity] = key.split("|");
    const [old, now] = [olds.get(key) || 0, news.get(key) || 0];
    const word = old === 0 ? "new" : now === 0 ? "gone" : "";
    return element("tr", {}, element("th", { scope: "row" }, rule),
      element("td", {}, method === "null" ? "" : method), element("td", {}, verdictWord(severity)),
      element("td", { class: "n" }, String(old)), element("td", { class: "n" }, String(now)),
      element("td", {}, word));
  });
}

function bankRows(before, after) {
  const key = (use) => use.method + "|" + use.bank;
  const keys = [...new Set([...before.banks, ...after.banks].map(key))];
  const of = (report, wanted) => report.banks.find((use) => key(use) === wanted);
  return keys.map((wanted) => {
    const [old, now] = [of(before, wanted), of(after, wanted)];
    const [method, bank] = wanted.split("|");
    const cell = (use, count) => (use ? bytesCell(use[count]) : element("td", { class: "n" }, "\u2013"));
    const change = (now ? now.size : 0) - (old ? old.size : 0);
    return element("tr", {}, element("th", { scope: "row" }, method),
      element("td", { class: "n" }, bank), cell(old, "size"), cell(now, "size"),
      element("td", { class: "n" }, (change > 0 ? "+" : "") + change.toLocaleString("en-US")),
      cell(old, "peak_live"), cell(now, "peak_live"));
  });
}

// Instructions of methods, as text; the first that differs.
function listingRows(before, after) {
  const names = [...new Set([...before.methods, ...after.methods].map((method) => method.method))];
  return names.map((name) => {
    const [old, now] = [before, after].map((listing) =>
      (listing.methods.find((method) => method.method === name) || { instructions: [] }).instructions);
    const most = Math.max(old.length, now.length);
    let first = 0;
    while (first < most && old[first] === now[first]) first += 1;
    return element("tr", {}, element("th", { scope: "row" }, name),
      element("td", { class: "n" }, String(old.length)),
      element("td", { class: "n" }, String(now.length)),
      element("td", { class: "code" }, first === most ? "the same text"
        : "from " + first + " on: " + (old[first] || "nothing") + " \u2192 " + (now[first] || "nothing")));
  });
}

function verdictRows(before, after) {
  return LOADERS.slice(1).map(([policy, words]) => element("tr", {},
    element("th", { scope: "row" }, words + " (" + policy + ")"),
    element("td", {}, verdictWord(before.policies[policy])),
    element("td", {}, verdictWord(after.policies[policy]))));
}

class PairSheet {
  constructor(before, after, id) {
    this.sheets = [before, after];
    this.maps = [];
    this.body = element("div");
    this.node = element("section", { class: "file pair", id },
      element("h2", { tabindex: "-1" }, before.name + " \u2192 " + after.name), this.body);
  }

  async fill() {
    const [before, after] = this.sheets.map((sheet) => sheet.answer.report);
    const names = this.sheets.map((sheet) => sheet.name);
    const listings = await Promise.all(this.sheets.map((sheet) =>
      sheet.ask("listing").catch((error) => ({ error: error.message }))));
    const failed = listings.find((listing) => listing.error);
    const data = new Set(this.sheets.flatMap(dataWords));
    const sides = this.sheets.map((sheet, index) => this.makeSide(sheet, index));
    replaceContent(this.body,
      tableOf("Verdicts", headRow(["", ...names], []), verdictRows(before, after)),
      tableOf("Banks, in bytes", headRow(["method", "bank", "size before", "after", "change",
        "peak live before", "after"], [1, 2, 3, 4, 5, 6]), bankRows(before, after)),
      tableOf("Findings", headRow(["rule", "method", "", "before", "after", ""], [3, 4]),
        findingRows(before, after)),
      failed ? element("p", {}, failed.error)
        : tableOf("Instructions", headRow(["method", "before", "after", "first difference"], [1, 2]),
          listingRows(...listings)),
      element("p", {}, "Whether both compute the same, only the command tells, which runs them: ",
        element("code", {}, ["pteproof compare", ...names.map(shellWord), ...data].join(" "))),
      element("div", { class: "pair-of" }, ...sides.map((side) => side.node)));
    const drawn = sides.filter((side) => side.picture);
    this.maps = makeMaps(drawn.map((side) => side.sheet), drawn.map((side) => side.picture));
  }

  makeSide({ name, answer }, index) {
    const sheet = element("div", { class: "sheet", "data-picture": String(index) },
      element("div", { class: "map" }), element("div", { class: "words" }));
    const node = element("div", { class: "side" },
      element("h3", {}, (index === 0 ? "Before: " : "After: ") + name), sheet);
    // The picture of the file's own part is used up: each has a copy.
    const picture = answer.plain ? preparePicture(JSON.parse(answer.plain)) : null;
    return { node, sheet, picture };
  }

  state() {
    return {};
  }
}
