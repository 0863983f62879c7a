"""The page's library as it is linked, and the page's size and policy. Needs no browser."""

import base64
import gzip
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest
from typing import Any

SOURCE = pathlib.Path(os.environ.get("PTEPROOF_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
PAGE = pathlib.Path(os.environ.get("PTEPROOF_WEB_PAGE", SOURCE / "build/web/pteproof.html"))
LIBRARY = pathlib.Path(
    os.environ.get("PTEPROOF_WEB_LIBRARY", SOURCE / "build/web/web/pteproof.wasm")
)
NODE = shutil.which("node") or shutil.which("nodejs")


def symbols() -> list[str]:
    """The names of the library's functions and data."""
    done = subprocess.run(
        ["llvm-nm-19", "--demangle", str(LIBRARY)], capture_output=True, text=True, check=True
    )
    return [line.split(maxsplit=2)[-1] for line in done.stdout.splitlines()]


class Links(unittest.TestCase):
    def test_the_library_has_its_names(self) -> None:
        self.assertIn("pteproof::Judge(", "\n".join(symbols()))

    def test_nothing_throws_starts_threads_opens_files_or_proves(self) -> None:
        unwanted = re.compile(
            r"__cxa_(throw|allocate_exception|begin_catch)|_Unwind_|pthread_create|std::__2::(thread|"
            r"mutex|recursive_mutex|condition_variable|promise|future)\b|\bf?open(at)?$|path_open|"
            r"std::__2::filesystem|\bZ3_|\bz3::|\bCLI::|\btoml::|pteproof::proofs::|pteproof::oracles::"
        )
        self.assertEqual([name for name in symbols() if unwanted.search(name)], [])

    def test_the_page_gives_it_memory_and_a_clock(self) -> None:
        if NODE is None:
            self.skipTest("there is no node")
        code = (
            "const m = new WebAssembly.Module(require('fs').readFileSync(process.argv[1]));"
            "console.log(JSON.stringify(WebAssembly.Module.imports(m).map((i) => i.name)))"
        )
        done = subprocess.run(
            [NODE, "-e", code, str(LIBRARY)], capture_output=True, text=True, check=True
        )
        names: list[Any] = json.loads(done.stdout)
        # The last four are of the C library's standard streams, which lead nowhere.
        known = {"memory", "outOfMemory", "clock_time_get", "environ_get", "environ_sizes_get"}
        known |= {"fd_close", "fd_seek", "fd_write", "proc_exit"}
        self.assertLessEqual(set(names), known)


class OneFile(unittest.TestCase):
    def test_it_is_small(self) -> None:
        size = len(gzip.compress(PAGE.read_bytes(), 9))
        print(f"{size:,} bytes after gzip -9")
        self.assertLessEqual(size, 2_000_000)

    def test_its_policy_lets_nothing_in_or_out(self) -> None:
        text = PAGE.read_text()
        found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', text)
        assert found is not None
        policy = dict(rule.strip().split(" ", 1) for rule in found[1].split(";"))
        self.assertEqual(policy["default-src"], "'none'")
        self.assertEqual(policy["connect-src"], "'none'")
        self.assertEqual(policy["worker-src"], "blob:")
        for name, tag in (("script-src", "script"), ("style-src", "style")):
            element = re.search(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
            assert element is not None
            digest = base64.b64encode(hashlib.sha256(element[1].encode()).digest()).decode()
            self.assertIn(f"'sha256-{digest}'", policy[name])
        self.assertEqual(
            re.sub(r"'sha256-[^']+' ", "", policy["script-src"]), "blob: 'wasm-unsafe-eval'"
        )

    def test_it_names_nothing_elsewhere(self) -> None:
        text = re.sub(r'<script type="text/plain" id="library">.*?</script>', "", PAGE.read_text())
        self.assertEqual(re.findall(r"(?:src|href)=[\"']?(?:https?:)?//", text), [])


if __name__ == "__main__":
    unittest.main()
