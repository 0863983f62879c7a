"""The pages under test, the browser that shows them, and the words in which tests speak of both."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
from collections.abc import Iterable
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

SOURCE = pathlib.Path(os.environ.get("PTEPROOF_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
BINARY = os.environ.get("PTEPROOF_BINARY", str(SOURCE / "build/release/pteproof"))
DRIVER = os.environ.get("PTEPROOF_CHROMEDRIVER") or shutil.which("chromedriver")
REAL = SOURCE / "corpus/real"
UNSAFE = REAL / "bugs/cond-siblings/cond-siblings.pte"
SOUND = REAL / "bugs/cond-siblings-ok/cond-siblings-ok.pte"
SHARED = REAL / "models/put_get/put_get.pte"
LLAMA = REAL / "models/llama_block/llama_block.pte"
MALFORMED = REAL / "bugs/initial-out-of-table/initial-out-of-table.pte"
HOSTILE = "</script><script>hit=1</script><img src=x onerror=hit=1>'\"\u2028"
PHONE, DESK = 390, 1280


def run(*words: str | int | pathlib.Path) -> None:
    """Runs the command, whatever the verdict."""
    done = subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 2, 3):
        raise AssertionError(done.stderr)


def chain(count: int) -> str:
    """A Module of that many results, each of the last one and an earlier one."""
    lines = ["method forward(%x: float32[64]) {", "  %0: float32[64] = aten::neg.out(%x)"]
    for i in range(1, count):
        other = max(0, i - (1, 2, 3, 7, 20, 60, 200)[i % 7])
        lines.append(f"  %{i}: float32[64] = aten::add.out(%{i - 1}, %{other}, 1)")
    return "\n".join([*lines, f"  return %{count - 1}", "}", ""])


def hostile_program(folder: pathlib.Path) -> pathlib.Path:
    """A program whose method and buffer have a name that tries to be markup and script."""
    name = HOSTILE.encode()
    method, buffer = "m" * len(name), "b" * len(name)
    text = f"""buffer @{buffer}: float32[4] shared

method {method}(%x: float32[4]) {{
  %0 = entry @{buffer}
  %1: float32[4] = aten::add.out(%0, %x, 1)
  return %1
  store @{buffer} = %1
}}
"""
    (folder / "hostile.module").write_text(text)
    run("plan", folder / "hostile.module", "-o", folder / "hostile.pte")
    program = folder / "hostile.pte"
    data = program.read_bytes()
    program.write_bytes(data.replace(method.encode(), name).replace(buffer.encode(), name))
    return program


def with_source_lines(folder: pathlib.Path) -> pathlib.Path:
    """A copy of a program with lines of a model, and a standard that it does not meet."""
    program = folder / "told" / "told.pte"
    program.parent.mkdir()
    shutil.copy(UNSAFE, program)
    line = {"file": "models/net.py", "line": 42, "text": "y = torch.cond(z, a, b)"}
    methods = {
        "forward": {
            "instructions": {"7": line, "10": {**line, "line": 44}},
            "values": {"1": {"name": "x"}},
        }
    }
    lines = {"pteproof_source": 1, "methods": methods}
    (program.parent / "told.source.json").write_text(json.dumps(lines))
    (program.parent / "pteproof.toml").write_text("max-bytes = 10\n")
    return program


class Pages:
    """The pages under test, and the browser that shows them."""

    folder: pathlib.Path
    browser: webdriver.Chrome
    scratch: Any


def open_pages() -> None:
    """Writes all pages, and starts the browser."""
    Pages.scratch = tempfile.TemporaryDirectory()
    Pages.folder = folder = pathlib.Path(Pages.scratch.name)
    run("check", UNSAFE, "--html", folder / "unsafe.html")
    run("check", SHARED, "--policy", "share-all", "--html", folder / "shared.html")
    told = with_source_lines(folder)
    standard = told.parent / "pteproof.toml"
    run("check", told, "--config", standard, "--html", folder / "told.html")
    run("map", LLAMA, "--html", folder / "llama.html")
    run("check", LLAMA, SHARED, MALFORMED, UNSAFE, "--html", folder / "many.html")
    run("compare", UNSAFE, SOUND, "--html", folder / "compare.html")
    run("replan", SHARED, "-o", folder / "new.pte", "--runs", 2, "--html", folder / "versions.html")
    run("check", hostile_program(folder), "--html", folder / "hostile.html")
    (folder / "large.module").write_text(chain(2000))
    run("plan", "--without", "in-place", folder / "large.module", "-o", folder / "large.pte")
    run("map", folder / "large.pte", "--html", folder / "large.html")
    start_browser()


def start_browser() -> None:
    """A browser without a window."""
    options = webdriver.ChromeOptions()
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    Pages.browser = webdriver.Chrome(options=options, service=Service(executable_path=DRIVER))


def close_pages() -> None:
    """Ends the browser, and removes the pages."""
    Pages.browser.quit()
    Pages.scratch.cleanup()


class PageTest(unittest.TestCase):
    """What the tests of a page share: it is opened at a width and in a theme."""

    def open(self, name: str, width: int = DESK, theme: str = "light") -> None:
        browser = Pages.browser
        browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width == PHONE},
        )
        browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": width == PHONE})
        scheme = {"name": "prefers-color-scheme", "value": theme}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        browser.get("about:blank")
        browser.get_log("browser")
        browser.get_log("performance")
        browser.get((Pages.folder / f"{name}.html").as_uri())
        self.frame()

    def frame(self) -> None:
        """Waits until what was asked for is drawn."""
        Pages.browser.execute_async_script(
            "const done = arguments[0];"
            "requestAnimationFrame(() => requestAnimationFrame(() => done()));"
        )

    def js(self, code: str) -> Any:
        return Pages.browser.execute_script(code)

    def one(self, selector: str) -> WebElement:
        return Pages.browser.find_element(By.CSS_SELECTOR, f"section.current {selector}")

    def all(self, selector: str) -> list[WebElement]:
        return Pages.browser.find_elements(By.CSS_SELECTOR, f"section.current {selector}")

    def button(self, text: str) -> WebElement:
        return self.one(".tools").find_element(By.XPATH, f".//button[text()='{text}']")

    def facts(self) -> str:
        return self.one(".facts").text

    def view(self, picture: int = 0) -> list[float]:
        code = (
            "const v = pteproofPage.allMaps()[%d].banks[0].view; return [v.x0, v.x1, v.y0, v.y1];"
        )
        return self.js(code % picture)

    def middle_of(self, label: str) -> tuple[int, int]:
        """Where a storage lies, from the middle of its canvas."""
        code = """
            const map = pteproofPage.allMaps()[0];
            const storage = map.picture.storages.find((each) => each.label === arguments[0]);
            const bank = map.bankOf(storage);
            const column = map.columns.get(storage.panel.method);
            const box = bank.frame().box(column, storage.bytes, storage.live[0]);
            return [Math.round(box.x + box.width / 2 - bank.canvas.clientWidth / 2),
                    Math.round(box.y + box.height / 2 - bank.canvas.clientHeight / 2)];"""
        x, y = Pages.browser.execute_script(code, label)
        return x, y

    def complaints(self) -> list[str]:
        return [entry["message"] for entry in Pages.browser.get_log("browser")]

    def requests(self) -> Iterable[str]:
        for entry in Pages.browser.get_log("performance"):
            if '"Network.requestWillBeSent"' in entry["message"]:
                yield entry["message"]
