"use strict";
// From the reports of `pteproof check --json --patch` to what an editor shows. Knows no editor.

// The reports of an output: one JSON object a line.
function readReports(output) {
  return output.split("\n").filter((line) => line.trim() !== "").map((line) => JSON.parse(line));
}

// "error", "warning" or "note": what is undecided is neither right nor wrong.
function severityOf(finding) {
  return finding.undecided ? "warning" : finding.severity;
}

// Where a finding shows: the model's line if that is known, else the program. Lines count from 0.
function placeOf(finding, file) {
  if (finding.source) return { file: finding.source.file, line: finding.source.line - 1 };
  const inText = /^Line (\d+), column (\d+): /.exec(finding.explanation || "");
  if (inText) return { file, line: Number(inText[1]) - 1, column: Number(inText[2]) - 1 };
  return { file, line: 0 };
}

function messageOf(finding, report) {
  const where = [];
  if (finding.method !== null && finding.method !== undefined) where.push("method " + finding.method);
  if (finding.instruction !== null && finding.instruction !== undefined) {
    where.push("instruction " + finding.instruction);
  }
  if (finding.policy) where.push("with " + finding.policy.join(", "));
  const head = finding.source ? [report.file, ...where] : where;
  return (head.length > 0 ? head.join(", ") + "\n" : "") + finding.explanation +
    (finding.fix ? "\nFix: " + finding.fix : "");
}

// {file, line, column, severity, rule, message, patch} for each finding; one without a rule for a
// file without a verdict.
function problemsOf(report, withNotes) {
  const problems = report.findings.filter((finding) => withNotes || severityOf(finding) !== "note")
    .filter((finding) => !finding.suppressed)
    .map((finding) => ({ ...placeOf(finding, report.file), severity: severityOf(finding),
      rule: finding.rule, message: messageOf(finding, report), patch: finding.patch || "" }));
  if (report.error) {
    problems.push({ file: report.file, line: 0, severity: "error", rule: "",
      message: report.verdict + ": " + report.error, patch: "" });
  }
  return problems;
}

// The hunks of a unified diff of one file: {file, hunks: [{line, before, after}]}, lines from 0.
function readPatch(diff) {
  const patch = { file: "", hunks: [] };
  let hunk = null;
  for (const line of diff.split("\n")) {
    const begins = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@/.exec(line);
    if (begins) {
      const empty = begins[2] === "0";
      hunk = { line: Number(begins[1]) - (empty ? 0 : 1), before: [], after: [] };
      patch.hunks.push(hunk);
    } else if (line.startsWith("+++ ")) {
      patch.file = line.slice(4).split("\t")[0];
    } else if (hunk && line.startsWith("-")) {
      hunk.before.push(line.slice(1));
    } else if (hunk && line.startsWith("+")) {
      hunk.after.push(line.slice(1));
    } else if (hunk && line.startsWith(" ")) {
      hunk.before.push(line.slice(1));
      hunk.after.push(line.slice(1));
    }
  }
  return patch;
}

// Whether the lines of a text are still those that a patch was made for.
function fits(patch, lines) {
  return patch.hunks.length > 0 && patch.hunks.every((hunk) =>
    hunk.before.every((line, index) => lines[hunk.line + index] === line));
}

module.exports = { readReports, problemsOf, readPatch, fits };
