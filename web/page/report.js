"use strict";
// The report of a program as text, what can be done with it, and its certificate.

function dataWords(sheet) {
  return sheet.question("check").data.map((file) => "--data " + shellWord(file));
}

// What only the command does: it proves, plans anew and mends, and shows what it wrote to be right.
function commandsFor(sheet) {
  const asked = sheet.question("check");
  const stem = shellWord(stemOf(sheet.name));
  const about = [shellWord(sheet.name), asked.policy ? "--policy " + asked.policy : [],
    asked.manifest ? "--manifest " + shellWord(asked.manifest) : [], dataWords(sheet)].flat(2).join(" ");
  const { report } = sheet.answer;
  const commands = [["the same report", "check " + about], ["a proof by Z3", "prove " + about]];
  if (report.verdict !== "safe") {
    commands.push(["a mended plan", "replan --repair " + about + " -o " + stem + "-mended.pte"]);
  }
  if (report.banks.some((use) => use.waste > 0)) {
    commands.push(["a smaller plan", "replan " + about + " -o " + stem + "-smaller.pte"]);
  }
  return commands;
}

function makeReport(sheet) {
  const { answer, name } = sheet;
  const stem = stemOf(name);
  const status = element("span", { class: "grey", role: "status" });
  const copied = async (text, what) => {
    status.textContent = await copyText(text) ? what + " copied" : "The browser did not copy it";
  };
  const certificate = element("div");
  const rows = commandsFor(sheet).map(([what, words]) => element("tr", {},
    element("td", {}, button("Copy", "Copy the command for " + what,
      () => copied("pteproof " + words, "Command"))),
    element("th", { scope: "row" }, what),
    element("td", { class: "code" }, "pteproof " + words)));
  return [
    element("div", { class: "tools", role: "toolbar", "aria-label": "Report" },
      button("Copy as Markdown", "Copy the report as Markdown",
        () => copied(answer.markdown, "Markdown")),
      button("Copy link", "Copy a link to what shows, for whoever has the same file",
        () => copied(location.href, "Link")),
      button("Download text", "Download the report as text",
        () => download(stem + ".report.txt", answer.text, "text/plain")),
      button("Download JSON", "Download the report as JSON",
        () => download(stem + ".report.json", answer.json, "application/json")),
      button("Certify", "Make a certificate, and have it confirmed",
        () => certify(sheet, certificate)), status),
    certificate,
    element("pre", { class: "report" }, answer.text),
    tableOf("With the command", headRow(["", "", ""], []), rows),
  ];
}

// The library writes it, and the certificate's checker, which shares nothing with it, reads it.
async function certify(sheet, node) {
  let answer;
  try {
    answer = await sheet.ask("certificate");
  } catch (error) {
    answer = { error: error.message };
  }
  if (answer.error) {
    replaceContent(node, element("p", {}, answer.error));
    return;
  }
  replaceContent(node,
    element("p", {}, (answer.given ? "The certificate that lies beside the file: " : "") +
      (answer.exit === 0 ? "confirmed" : answer.exit === 3 ? "confirmed in part" : "not confirmed") +
      " by the checker, which shares nothing with the check."),
    element("pre", { class: "report" }, answer.lines.join("\n")),
    button("Download certificate", "Download the certificate",
      () => download(stemOf(sheet.name) + ".cert.json", answer.certificate, "application/json")));
}
