"use strict";
// pteproof in VS Code: programs are checked when they change or are saved, and findings show in the
// lines of the model that they come from, else at the program.

const { execFile } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const vscode = require("vscode");
const { readReports, problemsOf, readPatch, fits } = require("./report");

const PROGRAMS = "**/*.{pte,bpte,pteasm}";
const BESIDE = "**/*.{manifest.json,source.json}";
const PAUSE = 300; // milliseconds: an exporter writes several files
const MOST_OUTPUT = 64 * 2 ** 20;

class Extension {
  constructor() {
    this.diagnostics = vscode.languages.createDiagnosticCollection("pteproof");
    this.problems = new Map(); // by program: what it has, as report.js gives it
    this.rules = new Map(); // texts by name, as promises
    this.waiting = new Map(); // timers by program
    this.newest = new Map(); // by program: the check that began last
    this.told = false;
  }

  settings(uri) {
    return vscode.workspace.getConfiguration("pteproof", uri);
  }

  folderOf(uri) {
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    return folder ? folder.uri.fsPath : path.dirname(uri.fsPath);
  }

  // Standard output, whatever the verdict; null if the command could not be run or says nothing of
  // its failure there.
  run(uri, words) {
    const options = { cwd: this.folderOf(uri), maxBuffer: MOST_OUTPUT };
    return new Promise((resolve) => {
      execFile(this.settings(uri).get("command"), words, options, (error, output, complaints) => {
        const answered = !error || (typeof error.code === "number" && output !== "");
        if (!answered) this.complain(error, complaints);
        resolve(answered ? output : null);
      });
    });
  }

  complain(error, complaints) {
    if (this.told) return; // once is enough
    this.told = true;
    const why = complaints !== "" ? complaints.trim() : String(error.message);
    const settings = " (settings pteproof.command and pteproof.arguments)";
    vscode.window.showWarningMessage("pteproof: " + why + settings);
  }

  // After a moment without another change.
  checkSoon(uri) {
    clearTimeout(this.waiting.get(uri.fsPath));
    this.waiting.set(uri.fsPath, setTimeout(() => {
      this.waiting.delete(uri.fsPath);
      this.check(uri);
    }, PAUSE));
  }

  async check(uri) {
    const check = Symbol(uri.fsPath);
    this.newest.set(uri.fsPath, check);
    const more = this.settings(uri).get("arguments");
    const name = path.relative(this.folderOf(uri), uri.fsPath).replace(/^-/, "./-"); // no flag
    const output = await this.run(uri, ["check", "--json", "--patch", ...more, name]);
    if (output === null || this.newest.get(uri.fsPath) !== check) return;
    const withNotes = this.settings(uri).get("notes");
    const problems = readReports(output).flatMap((report) => problemsOf(report, withNotes))
      .map((problem) => ({ ...problem, file: path.resolve(this.folderOf(uri), problem.file) }));
    this.problems.set(uri.fsPath, problems);
    this.show();
  }

  forget(uri) {
    clearTimeout(this.waiting.get(uri.fsPath));
    this.newest.delete(uri.fsPath);
    this.problems.delete(uri.fsPath);
    this.show();
  }

  show() {
    const byFile = new Map();
    for (const problem of [...this.problems.values()].flat()) {
      byFile.set(problem.file, [...(byFile.get(problem.file) || []), problem]);
    }
    this.diagnostics.clear();
    for (const [file, problems] of byFile) {
      this.diagnostics.set(vscode.Uri.file(file), problems.map((each) => this.diagnosticOf(each)));
    }
  }

  diagnosticOf(problem) {
    const column = problem.column || 0;
    const END = 1000; // of the line: an editor cuts it
    const range = new vscode.Range(problem.line, column, problem.line, END);
    const levels = { error: vscode.DiagnosticSeverity.Error,
      warning: vscode.DiagnosticSeverity.Warning, note: vscode.DiagnosticSeverity.Information };
    const diagnostic = new vscode.Diagnostic(range, problem.message, levels[problem.severity]);
    diagnostic.source = "pteproof";
    diagnostic.code = problem.rule;
    return diagnostic;
  }

  async checkAll() {
    for (const uri of await vscode.workspace.findFiles(PROGRAMS)) await this.check(uri);
  }

  settingsChanged() {
    this.told = false;
    return this.checkAll();
  }

  // A change beside a program is one of the program.
  async besideChanged(uri) {
    const stem = uri.fsPath.replace(/\.(manifest|source)\.json$/, "");
    for (const program of await vscode.workspace.findFiles(PROGRAMS)) {
      if (program.fsPath.replace(/\.[^.]*$/, "") === stem) this.checkSoon(program);
    }
  }

  // The model's line has changed: what its programs say of it may not hold any more.
  saved(document) {
    if (/\.(pte|bpte|pteasm)$/.test(document.uri.fsPath)) return this.checkSoon(document.uri);
    for (const [program, problems] of this.problems) {
      if (problems.some((problem) => problem.file === document.uri.fsPath)) {
        this.checkSoon(vscode.Uri.file(program));
      }
    }
    return undefined;
  }

  problemsAt(document, range) {
    return [...this.problems.values()].flat().filter((problem) =>
      problem.file === document.uri.fsPath && problem.line >= range.start.line &&
      problem.line <= range.end.line);
  }

  async ruleText(uri, rule) {
    if (!this.rules.has(rule)) this.rules.set(rule, this.run(uri, ["rules", rule]));
    const text = await this.rules.get(rule);
    if (text === null) this.rules.delete(rule); // another time it may be had
    return text;
  }

  async hover(document, position) {
    const problems = this.problemsAt(document, new vscode.Range(position, position));
    const rules = [...new Set(problems.map((problem) => problem.rule))].filter((rule) => rule);
    if (rules.length === 0) return undefined;
    const texts = await Promise.all(rules.map((rule) => this.ruleText(document.uri, rule)));
    const told = texts.filter((text) => text).map((text) => {
      const markdown = new vscode.MarkdownString();
      markdown.appendCodeblock(text.trim(), "text");
      return markdown;
    });
    return told.length > 0 ? new vscode.Hover(told) : undefined;
  }

  // The clone that mends a finding, if the lines are still those that were exported.
  actions(document, range) {
    const lines = document.getText().split(/\r?\n/);
    return this.problemsAt(document, range).filter((problem) => problem.patch !== "")
      .map((problem) => ({ problem, patch: readPatch(problem.patch) }))
      .filter(({ patch }) => fits(patch, lines))
      .map(({ problem, patch }) => {
        const action = new vscode.CodeAction("Clone, as " + problem.rule + " asks",
          vscode.CodeActionKind.QuickFix);
        action.edit = new vscode.WorkspaceEdit();
        for (const hunk of patch.hunks) {
          const all = new vscode.Range(hunk.line, 0, hunk.line + hunk.before.length, 0);
          const text = hunk.after.map((line) => line + "\n").join("");
          action.edit.replace(document.uri, all, text);
        }
        return action;
      });
  }

  async showMap() {
    const programs = await vscode.workspace.findFiles(PROGRAMS);
    const names = programs.map((uri) => vscode.workspace.asRelativePath(uri));
    const name = names.length < 2 ? names[0]
      : await vscode.window.showQuickPick(names, { placeHolder: "The program to draw" });
    const uri = programs[names.indexOf(name)];
    if (!uri) return;
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pteproof-"));
    const page = path.join(folder, path.basename(uri.fsPath) + ".map.html");
    const told = await this.run(uri, ["map", uri.fsPath, "--html", page]);
    if (fs.existsSync(page)) {
      await vscode.env.openExternal(vscode.Uri.file(page));
    } else {
      vscode.window.showWarningMessage("pteproof drew no map. " + (told || "").split("\n")[0]);
    }
  }

  watch(pattern, changed, gone) {
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    watcher.onDidCreate(changed);
    watcher.onDidChange(changed);
    watcher.onDidDelete(gone);
    return watcher;
  }
}

function activate(context) {
  const extension = new Extension();
  const check = (uri) => extension.checkSoon(uri);
  const beside = (uri) => extension.besideChanged(uri);
  context.subscriptions.push(
    extension.diagnostics,
    extension.watch(PROGRAMS, check, (uri) => extension.forget(uri)),
    extension.watch(BESIDE, beside, beside),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("pteproof")) extension.settingsChanged();
    }),
    vscode.workspace.onDidSaveTextDocument((document) => extension.saved(document)),
    vscode.languages.registerHoverProvider({ scheme: "file" },
      { provideHover: (document, position) => extension.hover(document, position) }),
    vscode.languages.registerCodeActionsProvider({ scheme: "file" },
      { provideCodeActions: (document, range) => extension.actions(document, range) },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] }),
    vscode.commands.registerCommand("pteproof.checkAll", () => extension.checkAll()),
    vscode.commands.registerCommand("pteproof.showMap", () => extension.showMap()));
  extension.checkAll();
  return extension;
}

function deactivate() {}

module.exports = { activate, deactivate };
