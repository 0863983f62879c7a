"""The page that judges programs (scripts/web), in a browser: as the command does.

Needs Chromium, its driver and selenium, and the page that PTEPROOF_WEB_PAGE names. With
PTEPROOF_SCREENSHOTS=FOLDER it leaves pictures at two widths and in both themes to look at.
"""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest
from typing import Any

from page_support import BINARY, DESK, PHONE, SOURCE, Pages, PageTest, start_browser
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

PAGE = pathlib.Path(os.environ.get("PTEPROOF_WEB_PAGE", SOURCE / "build/web/pteproof.html"))
BUGS = SOURCE / "corpus/real/bugs"
UNSAFE = BUGS / "cond-siblings/cond-siblings.pte"
SOUND = BUGS / "cond-siblings-ok/cond-siblings-ok.pte"
DEPENDS = BUGS / "private-state/private-state.pte"
LLAMA = SOURCE / "corpus/real/models/llama_block/llama_block.pte"
TABS = ("plan", "memory", "layers", "instructions", "report")
PATIENCE = 60  # seconds
AT_ONCE = 200  # programs, which the driver waits for


def setUpModule() -> None:  # noqa: N802
    """Puts the page into a folder of its own, as someone has it who got it alone."""
    Pages.scratch = tempfile.TemporaryDirectory()
    Pages.folder = pathlib.Path(Pages.scratch.name)
    shutil.copy(PAGE, Pages.folder / "pteproof.html")
    start_browser()


def tearDownModule() -> None:  # noqa: N802
    """Ends the browser."""
    Pages.browser.quit()
    Pages.scratch.cleanup()


def command(*words: str | pathlib.Path) -> str:
    """What the command prints."""
    done = subprocess.run(
        [BINARY, *map(str, words)], capture_output=True, text=True, check=False, cwd=SOURCE
    )
    return done.stdout


def programs() -> list[str]:
    """All programs of the corpus."""
    corpus = SOURCE / "corpus"
    found = [*corpus.rglob("*.pte"), *corpus.rglob("*.bpte")]
    return sorted(str(file.relative_to(SOURCE)) for file in found)


class WebTest(PageTest):
    """What the tests share: files are given to the page as a reader gives them."""

    def setUp(self) -> None:
        self.start()

    def start(self, width: int = DESK, theme: str = "light", fragment: str = "") -> None:
        self.open("pteproof", width, theme)
        if fragment:
            Pages.browser.get("about:blank")
            Pages.browser.get((Pages.folder / "pteproof.html").as_uri() + fragment)
        self.wait("document.getElementById('version').textContent !== ''")

    def wait(self, condition: str) -> None:
        end = time.monotonic() + PATIENCE
        while not self.js(f"return Boolean({condition})"):
            if time.monotonic() > end:
                self.fail(f"{condition}: {self.complaints()}")
            time.sleep(0.02)

    def settled(self) -> None:
        """Until nothing is judged any more."""
        self.wait("pteproofPage.client.waiting.size === 0")
        self.wait("!document.querySelector('#told button')")

    def give(self, *files: pathlib.Path) -> None:
        chooser = Pages.browser.find_element(By.ID, "choose")
        chooser.send_keys("\n".join(str(file) for file in files))
        self.wait("document.querySelector('#told button, section.current, #told p')")
        self.settled()

    def drop(self, file: pathlib.Path) -> None:
        drag = {"items": [], "files": [str(file)], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            event = {"type": kind, "x": 200, "y": 200, "data": drag}
            Pages.browser.execute_cdp_cmd("Input.dispatchDragEvent", event)

    def verdict(self) -> str:
        return self.one("p .verdict").text

    def commands(self) -> dict[str, str]:
        """Those of the tab Report, by title."""
        self.tab("report")
        rows = self.all("[role=tabpanel]:not([hidden]) tbody tr")
        cells = [(row.find_element(By.TAG_NAME, "th"), row.find_element(By.CLASS_NAME, "code"))
                 for row in rows]  # fmt: skip
        return {title.text: line.text for title, line in cells}

    def tab(self, name: str) -> None:
        self.js(f"document.querySelector('section.current [id$=\"-tab-{name}\"]').click()")
        self.settled()
        self.frame()

    def choose(self, policy: str) -> None:
        self.one(f"input[type=radio][value='{policy}']").click()
        self.settled()

    def keep(self, name: str) -> None:
        if folder := os.environ.get("PTEPROOF_SCREENSHOTS"):
            Pages.browser.save_screenshot(str(pathlib.Path(folder) / f"web-{name}.png"))


class Judges(WebTest):
    ASK = """
        const [names, besides, done] = arguments;
        const given = [...document.getElementById('choose').files];
        const asked = names.map(async (name, index) => {
          const files = besides[index].map((at) => ({name: at[0], blob: window.given[at[1]]}));
          try {
            const answer = await pteproofPage.client.ask({ask: 'check', program: name}, files);
            return answer.json;
          } catch (error) {
            return String(error);
          }
        });
        Promise.all(asked).then(done);"""

    def answers(self, names: list[str]) -> list[str]:
        """The page's, of programs with what lies beside them."""
        paths: list[pathlib.Path] = []
        besides = []
        for name in names:
            file = SOURCE / name
            beside = [file.with_suffix(end) for end in (".manifest.json", ".source.json")]
            lie = [file, *[each for each in beside if each.exists()]]
            besides.append(
                [(str(e.relative_to(SOURCE)), len(paths) + i) for i, e in enumerate(lie)]
            )
            paths += lie
        self.js(
            "const input = document.createElement('input'); input.type = 'file';"
            "input.multiple = true; input.id = 'all'; document.body.append(input);"
            "input.addEventListener('change', () => { window.given = [...input.files]; });"
        )
        Pages.browser.find_element(By.ID, "all").send_keys("\n".join(map(str, paths)))
        given = self.js("return window.given.map((file) => file.name)")
        self.assertEqual(given, [path.name for path in paths])
        Pages.browser.set_script_timeout(600)
        answers: list[str] = []
        for at in range(0, len(names), AT_ONCE):
            some = slice(at, at + AT_ONCE)
            answers += Pages.browser.execute_async_script(self.ASK, names[some], besides[some])
        return answers

    def test_the_whole_corpus_as_the_command(self) -> None:
        names = programs()
        self.assertGreater(len(names), 1000)
        told = command("check", "--json", "--no-config", *names).splitlines()
        reports = [json.loads(line) for line in told]
        self.assertEqual([report["file"] for report in reports], names)
        answers = self.answers(names)
        unlike = []
        for name, report, answer in zip(names, reports, answers, strict=True):
            if not answer.startswith("{") or json.loads(answer) != report:
                unlike.append((name, report["verdict"], answer[:200]))
        self.assertEqual(unlike, [])
        counts: dict[str, int] = {}
        for report in reports:
            counts[report["verdict"]] = counts.get(report["verdict"], 0) + 1
        print(f"{len(names)} programs: {counts}")

    def test_memory_instructions_and_markdown_as_the_command(self) -> None:
        self.give(LLAMA)
        ask = """
            const done = arguments[1];
            const sheet = pteproofPage.current;
            sheet.ask(arguments[0]).then(done);"""
        for ask_for, words in (
            ("memory", ["memory", "--json"]),
            ("listing", ["inspect", "--json"]),
        ):
            told = json.loads(command(*words, LLAMA))
            answer = Pages.browser.execute_async_script(ask, ask_for)
            answer.pop("rows", None)  # words for the page
            del told["file"], answer["file"], answer["read"]
            self.assertEqual(answer, told)
        self.give(UNSAFE)
        shown = self.js("return pteproofPage.sheets.get('cond-siblings.pte').answer.markdown")
        told_text = command("check", "--format", "markdown", "--all", "--no-manifest", UNSAFE)
        self.assertEqual(shown, told_text.replace(str(UNSAFE), UNSAFE.name))

    def test_data_files_and_a_manifest_that_is_vouched_for(self) -> None:
        folder = SOURCE / "corpus/real/models/external_some"
        self.give(folder / "external_some.pte", folder / "external_some.ptd")
        self.assertEqual(self.verdict(), "safe")
        self.start()
        file = Pages.folder / "private-state.pte"
        shutil.copy(DEPENDS, file)
        manifest = file.with_suffix(".manifest.json")
        manifest.write_text('{"pteproof": 1, "policy": "private"}')
        self.give(file, manifest)
        found = json.loads(command("check", "--json", file))
        self.assertEqual(self.verdict(), found["verdict"])
        self.one(".vouch input").click()
        self.settled()
        trusted = json.loads(command("check", "--json", "--trust-manifests", file))
        self.assertEqual(self.verdict(), trusted["verdict"])
        self.assertNotEqual(found["verdict"], trusted["verdict"])

    def test_each_program_of_several_gets_its_own_data(self) -> None:
        source = SOURCE / "corpus/real/models/external_some/external_some"
        names = ("before", "after", "after-mended")
        files = [Pages.folder / f"{name}.pte" for name in names]
        for file in files:
            shutil.copy(source.with_suffix(".pte"), file)
        data = [Pages.folder / f"{name}.ptd" for name in names[:2]]
        for file in data:
            shutil.copy(source.with_suffix(".ptd"), file)
        self.give(*files, *data)
        sheets = self.js(
            "return [...pteproofPage.sheets.values()].map((s) => [s.verdict, s.answer.json])"
        )
        self.assertEqual([verdict for verdict, _ in sheets], ["safe"] * 3)
        for _, report in sheets:
            self.assertNotIn("load-fails", report)

    def test_files_of_folders_keep_their_paths(self) -> None:
        folder = Pages.folder / "dropped"
        for name, file in (("a", UNSAFE), ("b", SOUND)):
            (folder / name).mkdir(parents=True)
            shutil.copy(file, folder / name / "model.pte")
        self.drop(folder)
        self.wait("pteproofPage.sheets.size === 2")
        self.settled()
        verdicts = self.js(
            "return [...pteproofPage.sheets.values()].map((sheet) => [sheet.name, sheet.verdict])"
        )
        self.assertEqual(
            sorted(verdicts), [["dropped/a/model.pte", "unsafe"], ["dropped/b/model.pte", "safe"]]
        )
        # As in a browser without handles: Chromium refuses entries to a page from a disk.
        self.start()
        self.js("delete DataTransferItem.prototype.getAsFileSystemHandle")
        self.drop(folder)
        self.wait("document.querySelector('#told p')")
        told = Pages.browser.find_element(By.ID, "told").text
        self.assertIn("could not read what was dropped", told)

    def test_folders_as_entries(self) -> None:
        names = self.js("""
            const file = (name) => ({name, isFile: true, file: (done) => done(new File([], name))});
            const folder = (name, ...held) => ({name, isDirectory: true, createReader: () => {
              const parts = [...held.map((each) => [each]), []];
              return {readEntries: (done) => done(parts.shift())};
            }});
            const root = folder('m', folder('a', file('m.pte')), file('m.ptd'), file('m.txt'));
            const item = {kind: 'file', webkitGetAsEntry: () => root};
            return droppedFiles({items: [item]}).then((all) => all.map((f) => f.name));""")
        self.assertEqual(names, ["m/a/m.pte", "m/m.ptd"])

    def test_of_two_files_with_one_name_one_is_refused(self) -> None:
        self.js(
            "const files = ['a', 'bc'].map((text) => new File([text], 'm.pte'));"
            "pteproofPage.open(files);"
        )
        self.wait("document.querySelector('#told p') && !document.querySelector('#told button')")
        text = Pages.browser.find_element(By.ID, "told").text
        self.assertIn("Several files are named m.pte: the first was taken", text)
        self.assertEqual(self.js("return pteproofPage.shelf.files.get('m.pte').blob.size"), 1)

    def test_the_shown_commands_give_the_page_s_verdict(self) -> None:
        folder = Pages.folder / "commands"
        folder.mkdir()
        model = folder / "-it's.pte"
        shutil.copy(DEPENDS, model)
        shutil.copy(
            SOURCE / "corpus/real/models/external_some/external_some.ptd", folder / "-w.ptd"
        )
        (folder / "facts.manifest.json").write_text('{"pteproof": 1, "policy": "private"}')
        self.give(*sorted(folder.iterdir()))
        self.one(".vouch input").click()
        self.settled()
        verdicts = [self.verdict()]
        told = [self.commands()]
        self.choose("share-all")
        verdicts.append(self.verdict())
        told.append(self.commands())
        self.assertEqual(verdicts, ["safe", "unsafe"])
        for verdict, commands in zip(verdicts, told, strict=True):
            for title, line in commands.items():
                self.assertTrue(line.startswith("pteproof "), line)
                done = subprocess.run(
                    BINARY + line.removeprefix("pteproof"), shell=True, cwd=folder,
                    capture_output=True, text=True, check=False
                )  # fmt: skip
                self.assertLess(done.returncode, 64, (line, done.stderr))
                if title == "the same report":
                    self.assertEqual(done.returncode, 0 if verdict == "safe" else 1, done.stdout)
                for flag in ("--manifest facts.manifest.json", "--data ./-w.ptd"):
                    self.assertIn(flag, line)
        self.assertIn("a mended plan", told[1])
        self.assertIn("--policy share-all", told[1]["a mended plan"])


class Shows(WebTest):
    def test_every_view_without_a_complaint_and_without_the_network(self) -> None:
        for width, theme in ((PHONE, "light"), (PHONE, "dark"), (DESK, "light"), (DESK, "dark")):
            for example in range(3):
                with self.subTest(width=width, theme=theme, example=example):
                    self.start(width, theme)
                    self.js(f"document.querySelectorAll('.examples button')[{example}].click()")
                    self.wait("document.querySelector('section.current .verdict')")
                    self.settled()
                    for name in TABS:
                        self.tab(name)
                        self.assertLessEqual(self.js("return document.body.scrollWidth"), width)
                        self.keep(f"{example}-{name}-{width}-{theme}")
                    self.assertEqual(self.complaints(), [])
                    elsewhere = [r for r in self.requests() if "http" in r.split('"url":')[-1][:8]]
                    self.assertEqual(elsewhere, [])

    def test_a_finding_of_another_loader_is_drawn_under_it(self) -> None:
        self.give(DEPENDS)
        self.assertEqual(self.verdict(), "depends")
        self.choose("private")
        self.assertEqual(self.verdict(), "safe")
        self.one("[data-finding='0'] summary").click()
        self.settled()
        self.frame()
        self.assertEqual(self.verdict(), "unsafe")
        self.assertIn("state-clobbered", self.one(".facts h3").text)
        self.assertNotIn("No storage of the picture", self.facts())

    def test_instructions_lead_to_their_findings(self) -> None:
        self.give(UNSAFE)
        self.tab("instructions")
        self.assertIn("aten::add.out", self.one("tr.found").text)
        self.one("tr.found button").click()
        self.frame()
        self.assertIn("region-escape", self.one(".facts h3").text)

    def test_tables_have_bytes_and_their_units(self) -> None:
        self.give(LLAMA)
        self.tab("memory")
        self.assertIn("5,120 5 KiB", self.one("[role=tabpanel]:not([hidden])").text)
        self.give(SOURCE / "corpus/delegates/real/vulkan_two.pte")
        self.tab("memory")
        self.assertIn("workspace of delegates 96", self.one("[role=tabpanel]:not([hidden])").text)
        self.give(UNSAFE)
        self.tab("memory")
        self.assertIn("not counted: nothing", command("memory", UNSAFE))
        self.assertIn("Not counted: nothing.", self.one("[role=tabpanel]:not([hidden])").text)

    def test_shares_of_layers_make_a_whole(self) -> None:
        for program, layers in ((LLAMA, 4), (UNSAFE, 3)):
            self.give(program)
            self.tab("layers")
            cells = self.all("[role=tabpanel]:not([hidden]) tbody td:last-child")
            self.assertEqual(len(cells), layers)
            whole = sum(int(cell.text.removesuffix("%")) for cell in cells)
            self.assertAlmostEqual(whole, 100, delta=layers / 2)

    def test_titles_stand_over_their_columns(self) -> None:
        unlike = """
            const side = (cell) => getComputedStyle(cell).textAlign;
            return [...document.querySelectorAll('section.current table')].flatMap((table) =>
              [...table.tHead.rows[0].cells].filter((title, column) =>
                title.textContent !== '' && table.tBodies[0].rows.length > 0 &&
                side(title) !== side(table.tBodies[0].rows[0].cells[column])))
              .map((title) => title.textContent);"""
        self.give(UNSAFE, SOUND)
        for name in TABS:
            self.tab(name)
            self.assertEqual(self.js(unlike), [], name)
        Pages.browser.find_element(By.XPATH, "//button[text()='Compare']").click()
        self.wait("pteproofPage.pair && pteproofPage.pair.maps.length === 2")
        self.assertEqual(self.js(unlike), [])

    def test_two_plans_side_by_side(self) -> None:
        self.give(SOUND, UNSAFE)
        button = Pages.browser.find_element(By.XPATH, "//button[text()='Compare']")
        button.click()
        self.wait("pteproofPage.pair && pteproofPage.pair.maps.length === 2")
        self.settled()
        text = self.one("div").text
        self.assertIn("region-escape", text)
        self.assertIn("pteproof compare cond-siblings-ok.pte cond-siblings.pte", text)
        self.assertEqual(self.complaints(), [])
        self.keep("pair")

    def test_two_plans_without_their_instructions(self) -> None:
        self.give(SOUND, UNSAFE)
        self.js(
            "const { client } = pteproofPage; const ask = client.ask.bind(client);"
            "client.ask = (question, files) => question.ask === 'listing'"
            " ? Promise.reject(new NoAnswer('memory', '')) : ask(question, files);"
        )
        Pages.browser.find_element(By.XPATH, "//button[text()='Compare']").click()
        self.wait("pteproofPage.pair && pteproofPage.pair.maps.length === 2")
        text = self.one("div").text
        self.assertIn("not enough memory", text)
        self.assertIn("region-escape", text)
        self.assertEqual(self.complaints(), [])

    def test_a_certificate_is_confirmed(self) -> None:
        self.give(SOUND)
        self.tab("report")
        self.one("[role=tabpanel]:not([hidden]) button[title^='Make a certificate']").click()
        self.settled()
        self.wait("document.querySelector('section.current').textContent.includes('confirmed by')")
        self.assertIn("each read finds what is meant", self.one("pre.report").text)

    def test_gutters_fit_their_labels(self) -> None:
        self.give(LLAMA)
        cut = """
            const map = pteproofPage.allMaps()[0];
            for (let step = 0; step < 8; ++step) map.zoom(1.7);
            const frame = map.banks[0].frame();
            const context = map.banks[0].canvas.getContext('2d');
            context.font = SMALL_FONT;
            const widths = byteTicks(frame).map((byte) => context.measureText(axisBytes(byte)).width);
            return [Math.max(...widths), frame.left];"""
        widest, room = self.js(cut)
        self.assertLess(widest + 6, room)


class Reaches(WebTest):
    def test_a_link_leads_back_to_what_showed(self) -> None:
        self.give(DEPENDS)
        self.choose("share-all")
        canvas = self.one("canvas")
        canvas.send_keys("+")
        canvas.send_keys("n")
        self.wait("location.hash.includes('selected=')")
        fragment = self.js("return location.hash")
        shown = (self.view(), self.one(".facts h3").text)
        self.start(fragment=fragment)
        self.give(DEPENDS)
        self.frame()
        self.assertEqual(self.one("input[type=radio]:checked").get_attribute("value"), "share-all")
        for before, now in zip(shown[0], self.view(), strict=True):
            self.assertAlmostEqual(before, now, places=4)
        self.assertEqual(self.one(".facts h3").text, shown[1])

    def test_keys_reach_tabs_loaders_and_files(self) -> None:
        self.give(UNSAFE, SOUND)
        tab = self.one("[role=tab][aria-selected=true]")
        tab.send_keys(Keys.ARROW_RIGHT)
        self.settled()
        self.assertEqual(self.one("[role=tab][aria-selected=true]").text, "Memory")
        radio = self.one("input[type=radio]:checked")
        radio.send_keys(Keys.ARROW_RIGHT)
        self.settled()
        self.assertEqual(self.one("input[type=radio]:checked").get_attribute("value"), "private")

    def test_all_that_can_be_pressed_has_a_name(self) -> None:
        self.give(UNSAFE, SOUND)
        pressed = {"button", "link", "searchbox", "combobox", "application", "radio", "checkbox",
                   "tab", "DisclosureTriangle"}  # fmt: skip
        for name in TABS:
            self.tab(name)
            tree = Pages.browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
            seen = [n for n in tree if n.get("role", {}).get("value") in pressed]
            self.assertGreater(len(seen), 10)
            self.assertEqual([n for n in seen if not n.get("name", {}).get("value")], [], name)


class Stays(WebTest):
    def sparse(self, name: str, size: int) -> pathlib.Path:
        """A program that so many bytes follow, which no disk holds."""
        file = Pages.folder / name
        shutil.copy(LLAMA, file)
        os.truncate(file, size)
        return file

    def timed(self, file: pathlib.Path) -> float:
        start = time.monotonic()
        self.give(file)
        return time.monotonic() - start

    def test_large_files_are_not_read_whole(self) -> None:
        seconds = self.timed(self.sparse("forty.pte", 40 * 2**20))
        self.assertEqual(self.verdict(), "safe")
        file = self.sparse("large.pte", 800 * 2**20)
        large = self.timed(file)
        self.assertEqual(self.verdict(), "safe")
        read = self.js("return pteproofPage.sheets.get('large.pte').answer.read")
        print(f"40 MiB in {seconds:.1f} s; 800 MiB in {large:.1f} s, of which {read:,} bytes read")
        self.assertLess(read, 2**20)
        self.give(self.sparse("largest.pte", 1990 * 2**20))
        self.assertEqual(self.verdict(), "safe")

    def patched(self, text: str, other: str) -> None:
        """A worker of another text from now on."""
        self.assertIn(text, self.js("return document.getElementById('worker').textContent"))
        Pages.browser.execute_script(
            "const worker = document.getElementById('worker');"
            "worker.textContent = worker.textContent.replace(...arguments);"
            "pteproofPage.client = new Client();",
            text,
            other,
        )

    def test_a_large_file_that_finds_no_place_is_read_whole(self) -> None:
        self.patched("2 ** 32", "0")
        self.give(self.sparse("hundred.pte", 100 * 2**20))
        self.assertEqual(self.verdict(), "safe")
        read = self.js("return pteproofPage.sheets.get('hundred.pte').answer.read")
        self.assertEqual(read, 100 * 2**20)

    def test_a_browser_without_memory_is_told(self) -> None:
        self.patched(
            "new WebAssembly.Memory(", "(() => { throw new RangeError('could not allocate'); })("
        )
        self.give(UNSAFE)
        self.assertIn("not enough memory", self.one("pre").text)

    def test_what_lies_behind_the_tables_is_read_if_it_is_needed(self) -> None:
        # Data behind the tables: where they are compared, the whole file is read.
        file = self.sparse("hashed.pte", 64 * 2**20)
        manifest = Pages.folder / "hashed.manifest.json"
        manifest.write_text(json.dumps({"pteproof": 1, "program_sha256": "0" * 64}))
        self.give(file, manifest)
        self.assertIn("is that of another program", self.one("pre").text)

    def test_a_size_limit_is_told_before_reading(self) -> None:
        file = Pages.folder / "huge.pte"
        file.write_bytes(b"")
        os.truncate(file, 2100 * 2**20)
        self.give(file)
        text = Pages.browser.find_element(By.ID, "told").text
        self.assertIn("the page takes 1.95 GiB at most", text)
        self.assertIn("pteproof check huge.pte", text)

    def test_running_out_of_memory_is_told_and_the_page_stays(self) -> None:
        self.patched("HEAP + 2 * room", "0")
        self.give(self.sparse("forty.pte", 40 * 2**20))
        self.assertIn("not enough memory", self.one("pre").text)
        self.js("pteproofPage.client = new Client()")
        self.give(UNSAFE)
        self.assertEqual(self.verdict(), "unsafe")

    def test_a_stop_ends_the_worker_alone(self) -> None:
        told: Any = Pages.browser.execute_async_script(
            "const done = arguments[0]; const client = pteproofPage.client;"
            "client.ask({ask: 'version'}, []).then(() => done('answered'),"
            " (error) => done(error.kind)); client.stop();"
        )
        self.assertEqual(told, "stopped")
        self.give(UNSAFE)
        self.assertEqual(self.verdict(), "unsafe")

    def test_what_is_no_program_is_told(self) -> None:
        file = Pages.folder / "picture.pte"
        file.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
        self.give(file)
        self.assertEqual(self.verdict(), "malformed")
        self.assertIn("a PNG picture", self.one(".words").text)


if __name__ == "__main__":
    unittest.main()
