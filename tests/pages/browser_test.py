"""The pages of `--html` in a browser: they open, search, zoom, and tell what is clicked.

Needs Chromium, its driver and selenium. With PTEPROOF_SCREENSHOTS=FOLDER it leaves pictures at two
widths and in both themes to look at.
"""

import os
import pathlib
import unittest

from page_support import (
    DESK,
    HOSTILE,
    PHONE,
    SOURCE,
    Pages,
    PageTest,
    close_pages,
    open_pages,
)
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

setUpModule = open_pages  # noqa: N816
tearDownModule = close_pages  # noqa: N816


class Opens(PageTest):
    def test_every_page_without_a_complaint_and_without_the_network(self) -> None:
        for page in sorted(Pages.folder.glob("*.html")):
            for width, theme in (
                (PHONE, "light"),
                (PHONE, "dark"),
                (DESK, "light"),
                (DESK, "dark"),
            ):
                with self.subTest(page=page.name, width=width, theme=theme):
                    self.open(page.stem, width, theme)
                    self.assertEqual(self.complaints(), [])
                    self.assertEqual([r for r in self.requests() if "file://" not in r], [])
                    self.assertLessEqual(self.js("return document.body.scrollWidth"), width)
                    self.keep(f"{page.stem}-{width}-{theme}")

    def keep(self, name: str) -> None:
        if folder := os.environ.get("PTEPROOF_SCREENSHOTS"):
            Pages.browser.save_screenshot(str(pathlib.Path(folder) / f"{name}.png"))

    def test_the_canvas_has_the_colours_of_the_theme(self) -> None:
        shades = []
        for theme in ("light", "dark"):
            self.open("unsafe", theme=theme)
            x, y = self.middle_of("input v1")
            code = """
                const canvas = document.querySelector("section.current canvas");
                const at = [canvas.width / 2 + arguments[0], canvas.height / 2 + arguments[1]];
                return [...canvas.getContext("2d").getImageData(...at, 1, 1).data];"""
            shades.append(sum(Pages.browser.execute_script(code, x, y + 8)[:3]))
        self.assertGreater(shades[0], 400)
        self.assertLess(shades[1], 300)

    def test_without_scripts_it_tells_verdict_and_findings(self) -> None:
        Pages.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        try:
            Pages.browser.get((Pages.folder / "many.html").as_uri())
            text = Pages.browser.find_element(By.TAG_NAME, "body").text
        finally:
            Pages.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
        self.assertIn("Fix: Clone each result after its cond", text)
        self.assertIn("The picture needs scripts", text)

    def test_names_of_a_file_stay_text(self) -> None:
        self.open("hostile")
        self.assertIsNone(self.js("return window.hit || null"))
        self.assertEqual(Pages.browser.find_elements(By.TAG_NAME, "img"), [])
        self.button("Table").click()
        shown = HOSTILE.replace("\u2028", "\\u2028")
        self.assertIn(shown, self.one(".storages").text)
        self.all(".storages tbody button")[0].click()
        self.assertIn(shown, self.facts())
        self.assertIsNone(self.js("return window.hit || null"))

    def test_two_thousand_storages_show_within_a_second_and_move_smoothly(self) -> None:
        first_drawing = """
            const clear = CanvasRenderingContext2D.prototype.clearRect;
            CanvasRenderingContext2D.prototype.clearRect = function (...box) {
              window.drawnAt ??= performance.now();
              clear.apply(this, box);
            };"""
        added = Pages.browser.execute_cdp_cmd(
            "Page.addScriptToEvaluateOnNewDocument", {"source": first_drawing}
        )
        pan = """
            const done = arguments[0];
            const bank = pteproofPage.allMaps()[0].banks[0];
            const times = [];
            bank.zoom(1.5);
            const step = (time) => {
              times.push(time);
              bank.pan(0.004, 0);
              if (times.length < 61) return requestAnimationFrame(step);
              const between = times.slice(1).map((each, i) => each - times[i]);
              done(between.sort((a, b) => a - b)[30]);
            };
            requestAnimationFrame(step);"""
        shown, frames = [], []
        try:
            # A busy machine may take the processor away: one quiet try is enough.
            for _ in range(10):
                if frames and min(shown) < 1000 and min(frames) < 1000 / 55:
                    break
                self.open("large")
                shown.append(self.js("return drawnAt"))
                frames.append(Pages.browser.execute_async_script(pan))
        finally:
            Pages.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
        self.assertEqual(self.js("return pteproofPage.pictures[0].storages.length"), 2001)
        print(f"shows after {min(shown):.0f} ms, {1000 / min(frames):.0f} frames a second")
        self.assertLess(min(shown), 1000)
        self.assertLess(min(frames), 1000 / 55)

    def test_paper_shows_all_explanations(self) -> None:
        self.open("unsafe")
        self.js(
            "window.seen = []; addEventListener('afterprint', () => seen.push("
            "document.querySelectorAll('details.finding[open]').length));"
        )
        before = len(self.all("details.finding[open]"))
        pdf = Pages.browser.execute_cdp_cmd("Page.printToPDF", {})["data"]
        self.assertGreater(len(pdf), 20_000)
        self.assertEqual(len(self.all("details.finding[open]")), before)
        self.assertFalse(self.js("return document.documentElement.classList.contains('print')"))


class Moves(PageTest):
    def test_wheel_and_drag_zoom_and_move(self) -> None:
        self.open("llama")
        canvas = self.one("canvas")
        self.assertEqual(self.view(), [0, 1, 0, 1])
        wheel = """
            arguments[0].dispatchEvent(new WheelEvent("wheel", {deltaY: arguments[1],
              clientX: 500, clientY: 400, bubbles: true, cancelable: true}));"""
        for _ in range(5):
            Pages.browser.execute_script(wheel, canvas, -120)
        closer = self.view()
        self.assertLess(closer[1] - closer[0], 0.2)
        ActionChains(Pages.browser).drag_and_drop_by_offset(canvas, -100, 0).perform()
        moved = self.view()
        self.assertGreater(moved[0], closer[0])
        self.assertEqual(moved[2], closer[2])
        for _ in range(8):
            Pages.browser.execute_script(wheel, canvas, 120)
        self.assertEqual(self.view(), [0, 1, 0, 1])

    def test_keys_zoom_move_and_select(self) -> None:
        self.open("llama")
        canvas = self.one("canvas")
        canvas.send_keys("+")
        self.assertLess(self.view()[1] - self.view()[0], 0.7)
        left = self.view()[0]
        canvas.send_keys(Keys.ARROW_RIGHT)
        self.assertGreater(self.view()[0], left)
        canvas.send_keys("0")
        self.assertEqual(self.view(), [0, 1, 0, 1])
        canvas.send_keys("n")
        first = self.one(".facts h3").text
        canvas.send_keys("n")
        self.assertNotEqual(self.one(".facts h3").text, first)
        canvas.send_keys("p")
        self.assertEqual(self.one(".facts h3").text, first)
        self.assertTrue(self.one("p.unseen[role=status]").get_attribute("textContent"))
        canvas.send_keys(Keys.ESCAPE)
        self.assertFalse(self.one(".facts").is_displayed())

    def test_fingers_pinch_and_move(self) -> None:
        self.open("llama", PHONE)
        box = self.one("canvas").rect
        top = box["y"] - self.js("return scrollY")
        points = [(150, 100), (230, 160)]
        wider = [(100, 60), (300, 220)]

        def touch(kind: str, places: list[tuple[int, int]]) -> None:
            fingers = [
                {"x": box["x"] + x, "y": top + y, "id": i} for i, (x, y) in enumerate(places)
            ]
            Pages.browser.execute_cdp_cmd(
                "Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers}
            )

        self.assertEqual(self.one("canvas").value_of_css_property("touch-action"), "pan-y")
        touch("touchStart", points)
        touch("touchMove", wider)
        touch("touchEnd", [])
        self.frame()
        closer = self.view()
        self.assertLess(closer[1] - closer[0], 0.8)
        self.assertEqual(self.one("canvas").value_of_css_property("touch-action"), "none")
        touch("touchStart", [(200, 100)])
        touch("touchMove", [(140, 100)])
        touch("touchEnd", [])
        self.assertGreater(self.view()[0], closer[0])


class Tells(PageTest):
    def test_a_click_tells_the_facts_of_a_storage(self) -> None:
        self.open("llama")
        x, y = self.middle_of("embedding v18")
        hover = ActionChains(Pages.browser).move_to_element_with_offset(self.one("canvas"), x, y)
        hover.perform()
        self.assertIn("embedding v18", self.one(".tip").text)
        hover.click().perform()
        facts = self.facts()
        for fact in (
            "embedding v18",
            "float32 [1, 6, 16]",
            "384 bytes",
            "written by",
            "aten::embedding.out",
            "read by",
        ):
            self.assertIn(fact, facts)

    def test_a_storage_names_the_lines_of_its_model(self) -> None:
        self.open("told")
        x, y = self.middle_of("add v8")
        hover = ActionChains(Pages.browser).move_to_element_with_offset(self.one("canvas"), x, y)
        hover.perform()
        self.assertIn("models/net.py:42 y = torch.cond(z, a, b)", self.one(".tip").text)
        hover.click().perform()
        self.assertIn("models/net.py:42 y = torch.cond(z, a, b)", self.facts())
        self.one("input[type=search]").send_keys("net.py:44")
        self.assertTrue(self.one(".count").text.startswith("1 of "))
        self.one("input[type=search]").send_keys(Keys.ESCAPE)
        self.button("Table").click()
        self.assertIn("models/net.py:44", self.one(".storages").text)
        self.open("unsafe")
        self.button("Table").click()
        self.assertNotIn("source", self.one(".storages thead").text)

    def test_a_page_names_the_demands_that_are_not_met(self) -> None:
        self.open("told")
        self.assertIn("not met:", self.one(".standard").text)
        self.assertIn("10", self.one(".standard + ul").text)
        self.open("unsafe")
        self.assertEqual(self.all(".standard"), [])

    def test_a_tap_tells_the_facts_of_a_storage(self) -> None:
        self.open("unsafe", PHONE)
        x, y = self.middle_of("mul v3")
        self.js("document.querySelector('section.current canvas').scrollIntoView()")
        canvas = self.one("canvas")
        place = {
            "x": canvas.rect["x"] + canvas.rect["width"] / 2 + x,
            "y": self.js("return document.querySelector('canvas').getBoundingClientRect().y")
            + canvas.rect["height"] / 2
            + y,
        }
        for kind, points in (("touchStart", [place]), ("touchEnd", [])):
            Pages.browser.execute_cdp_cmd(
                "Input.dispatchTouchEvent", {"type": kind, "touchPoints": points}
            )
        self.frame()
        self.assertEqual(self.one(".facts h3").text, "mul v3")

    def test_a_search_finds_storages_and_goes_to_them(self) -> None:
        self.open("large")
        self.one("input[type=search]").send_keys("v1000")
        self.assertEqual(self.one(".count").text, "1 of 2001")
        self.one("input[type=search]").send_keys(Keys.ENTER)
        self.assertEqual(self.one(".facts h3").text, "add v1000")
        x0, x1, _, _ = self.view()
        self.assertLess(x0, 1000 / 2000)
        self.assertGreater(x1, 1000 / 2000)
        self.assertLess(x1 - x0, 0.1)
        self.one("input[type=search]").send_keys(Keys.ESCAPE)
        self.assertEqual(self.one(".count").text, "")

    def test_a_finding_shows_its_storages_explanation_and_fix(self) -> None:
        self.open("unsafe")
        self.one("[data-finding='0'] summary").click()
        facts = self.facts()
        for text in (
            "Finding 1: region-escape",
            "Instruction 12 (aten::sub.out) reads v2",
            "Fix: Clone each result after its cond",
            "mul v3",
            "add v8",
        ):
            self.assertIn(text, facts)
        self.assertNotEqual(self.view(), [0, 1, 0, 1])
        emphasis = "return [...pteproofPage.allMaps()[0].emphasis()].map((each) => each.label)"
        self.assertIn("add v8", self.js(emphasis))

    def test_the_peak_lists_the_storages_that_make_it(self) -> None:
        self.open("llama")
        self.button("Peak").click()
        self.assertIn("5 storages with 4.25 KiB (4,352 bytes) are in use", self.facts())
        self.assertEqual(len(self.all(".facts tbody tr")), 5)
        self.all(".facts tbody button")[0].click()
        self.assertIn("permute_copy v302", self.one(".facts h3").text)

    def test_a_table_has_the_same_storages(self) -> None:
        self.open("shared")
        self.button("Table").click()
        rows = self.all(".storages tbody tr")
        self.assertEqual(len(rows), self.js("return pteproofPage.pictures[0].storages.length"))
        self.assertFalse(self.one("canvas").is_displayed())
        self.one(".storages th:nth-child(5) button").click()
        sizes = [
            row.find_elements(By.TAG_NAME, "td")[3].text for row in self.all(".storages tbody tr")
        ]
        self.assertEqual(sizes, sorted(sizes, key=lambda text: int(text.split()[0])))
        self.assertEqual(
            self.one(".storages th:nth-child(5)").get_attribute("aria-sort"), "ascending"
        )

    def test_one_method_alone(self) -> None:
        self.open("shared")
        select = self.one("select")
        self.js(
            "const s = document.querySelector('section.current select'); s.value = '1';"
            "s.dispatchEvent(new Event('change'));"
        )
        self.assertEqual(select.get_attribute("value"), "1")
        self.assertEqual(self.js("return [...pteproofPage.allMaps()[0].columns.keys()]"), [1])

    def test_all_that_can_be_pressed_has_a_name(self) -> None:
        for page in ("unsafe", "shared", "many", "compare"):
            self.open(page)
            tree = Pages.browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
            pressed = {
                "button",
                "link",
                "searchbox",
                "combobox",
                "application",
                "DisclosureTriangle",
            }
            seen = [n for n in tree if n.get("role", {}).get("value") in pressed]
            self.assertGreater(len(seen), 6)
            nameless = [n for n in seen if not n.get("name", {}).get("value")]
            self.assertEqual(nameless, [], page)


class Words(PageTest):
    def test_numbers_and_times_read_as_the_command_prints_them(self) -> None:
        self.open("unsafe")
        sizes = "return [0, 528, 4096, 4352, 5000, 1 << 20].map(bytesText)"
        self.assertEqual(self.js(sizes), ["0 B", "528 B", "4 KiB", "4.25 KiB", "4.88 KiB", "1 MiB"])
        self.assertEqual(self.js("return exactBytesText(4352)"), "4.25 KiB (4,352 bytes)")
        lives = """
            const axis = {at: [0, 0, 0, 0]};
            return [[-1, 0], [-1, 1], [-1, 9], [1, 8], [4, 6], [7, 9], [8, 9]]
              .map((span) => lifeText(span, axis));"""
        self.assertEqual(
            self.js(lives), ["entry", "entry..0", "entry..end", "0..3", "2", "3..end", "end"]
        )


class StaticMaps(PageTest):
    def test_no_text_meets_another_or_leaves_the_picture(self) -> None:
        boxes = """
            const of = document.documentElement.getBoundingClientRect();
            return [...document.querySelectorAll("text")].map((text) => {
              const box = text.getBoundingClientRect();
              return [text.textContent, box.left - of.left, box.top - of.top,
                      box.right - of.left, box.bottom - of.top];
            });"""
        for picture in sorted((SOURCE / "docs/pictures").glob("*.svg")):
            Pages.browser.get(picture.as_uri())
            _, _, width, height = self.js(
                "return document.documentElement.getAttribute('viewBox').split(' ').map(Number)"
            )
            texts = self.js(boxes)
            self.assertGreater(len(texts), 10)
            for at, (text, left, top, right, bottom) in enumerate(texts):
                with self.subTest(picture=picture.name, text=text):
                    self.assertGreaterEqual(left, 0)
                    self.assertLessEqual(right, width)
                    self.assertLessEqual(bottom, height)
                    meets = [
                        other[0]
                        for other in texts[at + 1 :]
                        if min(right, other[3]) - max(left, other[1]) > 1
                        and min(bottom, other[4]) - max(top, other[2]) > 4
                    ]
                    self.assertEqual(meets, [])


class ManyFiles(PageTest):
    def rows(self) -> list[str]:
        rows = Pages.browser.find_elements(By.CSS_SELECTOR, ".files tbody tr")
        return [row.get_attribute("data-verdict") or "" for row in rows if row.is_displayed()]

    def test_are_counted_filtered_and_unsafe_first(self) -> None:
        self.open("many")
        self.assertEqual(self.rows(), ["unsafe", "malformed", "depends", "safe"])
        chips = Pages.browser.find_elements(By.CSS_SELECTOR, ".files .chips button")
        self.assertEqual(
            [chip.text for chip in chips],
            ["all 4", "unsafe 1", "malformed 1", "depends 1", "safe 1"],
        )
        chips[4].click()
        self.assertEqual(self.rows(), ["safe"])
        chips[0].click()
        box = Pages.browser.find_element(By.CSS_SELECTOR, ".files input")
        box.send_keys("put_get")
        self.assertEqual(self.rows(), ["depends"])

    def test_show_one_at_a_time(self) -> None:
        self.open("many")
        self.assertIn("cond-siblings", self.one("h2").text)
        Pages.browser.find_elements(By.CSS_SELECTOR, ".files a")[3].click()
        self.frame()
        shown = [
            s
            for s in Pages.browser.find_elements(By.CSS_SELECTOR, "section.file")
            if s.is_displayed()
        ]
        self.assertEqual(len(shown), 1)
        self.assertIn("llama_block", self.one("h2").text)
        self.assertGreater(
            self.js("return document.querySelector('section.current canvas').width"), 300
        )


class TwoPlans(PageTest):
    def test_share_what_shows(self) -> None:
        self.open("compare")
        self.assertEqual(len(self.all("canvas")), 2)
        self.assertIn("gone: error region-escape", self.one(".told").text)
        self.all("canvas")[0].send_keys("+")
        self.assertEqual(self.view(0), self.view(1))
        self.assertNotEqual(self.view(1), [0, 1, 0, 1])
        extents = "return pteproofPage.allMaps().map((map) => map.picture.banks[0].extent)"
        self.assertEqual(len(set(self.js(extents))), 1)
        left, right = (element.rect for element in self.all("canvas"))
        self.assertEqual(left["height"], right["height"])

    def test_show_the_same_method(self) -> None:
        self.open("versions")
        self.js(
            "const s = document.querySelector('section.current select'); s.value = '2';"
            "s.dispatchEvent(new Event('change'));"
        )
        columns = "return pteproofPage.allMaps().map((map) => [...map.columns.keys()])"
        self.assertEqual(self.js(columns), [[2], [2]])

    def test_stand_below_each_other_on_a_phone(self) -> None:
        self.open("compare", PHONE)
        left, right = (element.rect for element in self.all("canvas"))
        self.assertEqual(left["x"], right["x"])
        self.assertGreater(right["y"], left["y"] + left["height"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
