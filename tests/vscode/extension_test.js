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
  const editor = { shown: new Map(), watchers: [], hovers: [], actions: [], warnings: [] };
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
    commands: { registerCommand: () => {} },
    window: { showWarningMessage: (text) => editor.warnings.push(text) },
    workspace: {
      getConfiguration: () => ({ get: (key) => ({ command: process.env.PTEPROOF_BINARY,
        arguments: ["--no-config"], notes: false })[key] }),
      getWorkspaceFolder: () => ({ uri: uriOf(folder) }),
      findFiles: async () => fs.readdirSync(folder).filter((name) => /\.(pte|pteasm)$/.test(name))
        .map((name) => uriOf(path.join(folder, name))),
      createFileSystemWatcher: () => {
        const watcher = { changed: [] };
        watcher.onDidCreate = watcher.onDidChange = listen(watcher.changed);
        watcher.onDidDelete = () => {};
        editor.watchers.push(watcher);
        return watcher;
      },
      onDidSaveTextDocument: listen(editor.saves),
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
  require(file).activate({ subscriptions: [] });
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
