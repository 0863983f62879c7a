"use strict";
// The VS Code extension with the built command, in an editor of which only the calls are there.
// PTEPROOF_BINARY names the command, PTEPROOF_SOURCE_DIR the repository.

const assert = require("node:assert");
const fs = require("node:fs");
const Module = require("node:module");
const os = require("node:os");
const path = require("node:path");
const test = require("node:test");

const SOURCE = process.env.PTEPROOF_SOURCE_DIR;
const BUG = path.join(SOURCE, "corpus/real/bugs/cond-siblings/cond-siblings.pte");
const SOUND = path.join(SOURCE, "corpus/real/bugs/cond-siblings-ok/cond-siblings-ok.pte");

class Range {
  constructor(a, b, c, d) {
    [this.start, this.end] = typeof a === "object" ? [a, b]
      : [{ line: a, character: b }, { line: c, character: d }];
  }
}

// What the extension asks the editor for, and what it was told.
function editorIn(folder) {
  const editor = { shown: new Map(), watchers: [], hovers: [], actions: [], warnings: [],
    commands: new Map(), opened: [], changes: [],
    settings: { command: process.env.PTEPROOF_BINARY, arguments: ["--no-config"], notes: false } };
  const uriOf = (file) => ({ fsPath: file });
  const listen = (list) => (listener) => list.push(listener);
  editor.saves = [];
  editor.vscode = {
    Range,
    Uri: { file: uriOf },
    Diagnostic: class {
      constructor(range, message, severity) {
        Object.assign(this, { range, message, severity });
      }
    },
    DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2 },
    MarkdownString: class {
      appendCodeblock(text) {
        this.value = text;
      }
    },
    Hover: class {
      constructor(contents) {
        this.contents = contents;
      }
    },
    CodeAction: class {
      constructor(title) {
        this.title = title;
      }
    },
    CodeActionKind: { QuickFix: "quickfix" },
    WorkspaceEdit: class {
      constructor() {
        this.edits = [];
      }
      replace(uri, range, text) {
        this.edits.push({ range, text });
      }
    },
    languages: {
      createDiagnosticCollection: () => ({
        clear: () => editor.shown.clear(),
        set: (uri, diagnostics) => editor.shown.set(uri.fsPath, diagnostics),
      }),
      registerHoverProvider: (selector, provider) => editor.hovers.push(provider),
      registerCodeActionsProvider: (selector, provider) => editor.actions.push(provider),
    },
    commands: { registerCommand: (name, act) => editor.commands.set(name, act) },
    env: { openExternal: async (uri) => editor.opened.push(uri.fsPath) },
    window: { showWarningMessage: (text) => editor.warnings.push(text) },
    workspace: {
      asRelativePath: (uri) => path.relative(folder, uri.fsPath),
      getConfiguration: () => ({ get: (key) => editor.settings[key] }),
      getWorkspaceFolder: () => ({ uri: uriOf(folder) }),
      findFiles: async () => fs.readdirSync(folder).filter((name) => /\.(pte|pteasm)$/.test(name))
        .map((name) => uriOf(path.join(folder, name))),
      createFileSystemWatcher: () => {
        const watcher = { changed: [], gone: [] };
        watcher.onDidCreate = watcher.onDidChange = listen(watcher.changed);
        watcher.onDidDelete = listen(watcher.gone);
        editor.watchers.push(watcher);
        return watcher;
      },
      onDidSaveTextDocument: listen(editor.saves),
      onDidChangeConfiguration: listen(editor.changes),
    },
  };
  return editor;
}

function activateIn(folder) {
  const editor = editorIn(folder);
  const load = Module._load;
  Module._load = (name, ...more) => (name === "vscode" ? editor.vscode : load(name, ...more));
  const file = path.join(SOURCE, "editors/vscode/extension.js");
  delete require.cache[file];
  editor.extension = require(file).activate({ subscriptions: [] });
  Module._load = load;
  return editor;
}

async function until(condition) {
  for (let tries = 0; tries < 600; ++tries) {
    const value = condition();
    if (value) return value;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("nothing has happened within a minute");
}

function folderWith(files) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pteproof-"));
  for (const [name, content] of Object.entries(files)) {
    fs.writeFileSync(path.join(folder, name), content);
  }
  return folder;
}

const MODEL = "def forward(self, x):\n    y = torch.cond(x > 0, self.a, self.b)\n    return y\n";

function withLines() {
  const line = { file: "model.py", line: 2, text: "    y = torch.cond(x > 0, self.a, self.b)".trim() };
  const instructions = Object.fromEntries(Array.from({ length: 13 }, (_, at) => [at, line]));
  return folderWith({ "m.pte": fs.readFileSync(BUG), "model.py": MODEL,
    "m.source.json": JSON.stringify({ pteproof_source: 1, methods: { forward: { instructions } } }) });
}

function documentOf(file) {
  return { uri: { fsPath: file }, getText: () => fs.readFileSync(file, "utf8") };
}

test("a finding shows at its program where no line is known", async () => {
  const folder = folderWith({ "m.pte": fs.readFileSync(BUG) });
  const editor = activateIn(folder);
  const shown = await until(() => editor.shown.get(path.join(folder, "m.pte")));
  assert.strictEqual(shown.length, 1);
  assert.strictEqual(shown[0].code, "region-escape");
  assert.strictEqual(shown[0].severity, 0);
  assert.match(shown[0].message, /Instruction 12 \(aten::sub.out\) gets a wrong value/);
  assert.match(shown[0].message, /Fix: Clone each result after its cond/);
});

test("a finding shows in its line of the model, and a sound export clears it", async () => {
  const folder = withLines();
  const model = path.join(folder, "model.py");
  const editor = activateIn(folder);
  const shown = await until(() => editor.shown.get(model));
  assert.strictEqual(shown[0].range.start.line, 1);
  fs.copyFileSync(SOUND, path.join(folder, "m.pte"));
  for (const changed of editor.watchers[0].changed) changed({ fsPath: path.join(folder, "m.pte") });
  await until(() => editor.shown.size === 0);
});

test("a hover has the rule", async () => {
  const folder = withLines();
  const model = path.join(folder, "model.py");
  const editor = activateIn(folder);
  await until(() => editor.shown.get(model));
  const hover = await editor.hovers[0].provideHover(documentOf(model), { line: 1, character: 4 });
  assert.match(hover.contents[0].value, /^region-escape/);
  assert.strictEqual(
    await editor.hovers[0].provideHover(documentOf(model), { line: 0, character: 4 }), undefined);
});

test("the quick fix puts a clone into the model, unless its lines have changed", async () => {
  const folder = withLines();
  const model = path.join(folder, "model.py");
  const editor = activateIn(folder);
  await until(() => editor.shown.get(model));
  const at = new Range(1, 0, 1, 0);
  const actions = editor.actions[0].provideCodeActions(documentOf(model), at);
  assert.strictEqual(actions.length, 1);
  const lines = MODEL.split("\n");
  for (const { range, text } of actions[0].edit.edits) {
    lines.splice(range.start.line, range.end.line - range.start.line, ...text.split("\n").slice(0, -1));
  }
  assert.match(lines.join("\n"), /self\.b\)\n {4}y = y\.clone\(\)\n {4}return y\n/);
  const changed = { ...documentOf(model), getText: () => "# new\n" + MODEL };
  assert.deepStrictEqual(editor.actions[0].provideCodeActions(changed, at), []);
});

test("what is no program is told as an error", async () => {
  const folder = folderWith({ "m.pte": "nothing of the kind" });
  const editor = activateIn(folder);
  const shown = await until(() => editor.shown.get(path.join(folder, "m.pte")));
  assert.strictEqual(shown[0].severity, 0);
});

// A command whose first check is over only when `folder` holds the file "go".
function slowFirst(folder) {
  const command = path.join(folder, "slow-first");
  fs.writeFileSync(command, "#!/bin/sh\nsaid=$('" + process.env.PTEPROOF_BINARY + "' \"$@\")\ncode=$?\n" +
    "if mkdir began 2>/dev/null; then while [ ! -e go ]; do sleep 0.05; done; fi\n" +
    "printf '%s\\n' \"$said\"\nexit $code\n", { mode: 0o755 });
  return command;
}

// A check of an unsafe program that has judged it, and has not told yet.
async function lateCheck() {
  const folder = folderWith({});
  const editor = activateIn(folder);
  const program = { fsPath: path.join(folder, "m.pte") };
  fs.copyFileSync(BUG, program.fsPath);
  editor.settings.command = slowFirst(folder);
  const late = editor.extension.check(program);
  await until(() => fs.existsSync(path.join(folder, "began")));
  const end = () => {
    fs.writeFileSync(path.join(folder, "go"), "");
    return late;
  };
  return { editor, program, end };
}

test("a check that ends after a newer one changes nothing", async () => {
  const { editor, program, end } = await lateCheck();
  fs.copyFileSync(SOUND, program.fsPath);
  await editor.extension.check(program);
  await end();
  assert.strictEqual(editor.shown.size, 0);
});

test("a program that is gone does not come back", async () => {
  const { editor, program, end } = await lateCheck();
  for (const changed of editor.watchers[0].changed) changed(program);
  const checks = [];
  editor.extension.check = (uri) => checks.push(uri);
  for (const gone of editor.watchers[0].gone) gone(program);
  await end();
  await new Promise((resolve) => setTimeout(resolve, 600)); // longer than the pause after a change
  assert.strictEqual(editor.shown.size, 0);
  assert.deepStrictEqual(checks, []);
});

test("wrong arguments clear no finding, and are told again after another change of them", async () => {
  const folder = folderWith({ "m.pte": fs.readFileSync(BUG) });
  const program = path.join(folder, "m.pte");
  const editor = activateIn(folder);
  await until(() => editor.shown.get(program));
  for (const times of [1, 2]) {
    editor.settings.arguments = ["--no-such-flag"];
    for (const changed of editor.changes) changed({ affectsConfiguration: (name) => name === "pteproof" });
    await until(() => editor.warnings.length === times);
    await editor.extension.check({ fsPath: program });
    assert.strictEqual(editor.warnings.length, times);
    assert.match(editor.warnings[times - 1], /no flag '--no-such-flag'/);
    assert.strictEqual(editor.shown.get(program).length, 1);
  }
});

test("a program without a verdict has no rule to explain", async () => {
  const folder = folderWith({});
  const program = path.join(folder, "m.pte");
  fs.symlinkSync("nowhere", program);
  const editor = activateIn(folder);
  const shown = await until(() => editor.shown.get(program));
  assert.match(shown[0].message, /^unreadable: No such file/);
  const at = { line: 0, character: 0 };
  assert.strictEqual(await editor.hovers[0].provideHover({ uri: { fsPath: program } }, at), undefined);
  assert.deepStrictEqual(editor.warnings, []);
});

test("a rule whose text could not be had is asked for again", async () => {
  const folder = folderWith({ "m.pte": fs.readFileSync(BUG) });
  const program = path.join(folder, "m.pte");
  const editor = activateIn(folder);
  await until(() => editor.shown.get(program));
  const hover = () => editor.hovers[0].provideHover({ uri: { fsPath: program } }, { line: 0, character: 0 });
  const { command } = editor.settings;
  editor.settings.command = path.join(folder, "missing");
  assert.strictEqual(await hover(), undefined);
  editor.settings.command = command;
  assert.match((await hover()).contents[0].value, /^region-escape/);
});

test("a map is opened if it was drawn, and each is a file of its own", async () => {
  const folder = folderWith({ "m.pte": fs.readFileSync(BUG) });
  const editor = activateIn(folder);
  const showMap = editor.commands.get("pteproof.showMap");
  await showMap();
  await showMap();
  assert.strictEqual(new Set(editor.opened).size, 2);
  assert.match(fs.readFileSync(editor.opened[0], "utf8"), /^<!DOCTYPE html>/);
  fs.writeFileSync(path.join(folder, "m.pte"), "nothing of the kind");
  await showMap();
  assert.strictEqual(editor.opened.length, 2);
  assert.match(editor.warnings.pop(), /drew no map\. .*m\.pte: malformed/);
});

test("a program whose name begins as a flag does is checked", async () => {
  const folder = folderWith({ "-m.pte": fs.readFileSync(BUG) });
  const editor = activateIn(folder);
  const shown = await until(() => editor.shown.get(path.join(folder, "-m.pte")));
  assert.strictEqual(shown[0].code, "region-escape");
});

test("each kind of program activates the extension", () => {
  const { activationEvents } = JSON.parse(
    fs.readFileSync(path.join(SOURCE, "editors/vscode/package.json"), "utf8"));
  for (const kind of ["pte", "bpte", "pteasm"]) {
    assert.ok(activationEvents.includes("workspaceContains:**/*." + kind), kind);
  }
});
