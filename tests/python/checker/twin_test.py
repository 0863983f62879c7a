"""The two certificate checkers, the Python file and its C++ twin, come to the same exit code and
the same trusted lines: on the corpus' certificates, and on forged ones and forged files.

PTEPROOF_BINARY is the command, PTEPROOF_TWIN the twin's. PTEPROOF_RANDOM_CASES: how many forgeries.
"""

import copy
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("PTEPROOF_SOURCE_DIR", Path(__file__).resolve().parents[3]))
COMMAND = os.environ.get("PTEPROOF_BINARY", str(ROOT / "build/quick/pteproof"))
TWIN = os.environ.get("PTEPROOF_TWIN", str(ROOT / "build/quick/pteproof-checker"))
CASES = int(os.environ.get("PTEPROOF_RANDOM_CASES", "200"))
sys.path[:0] = [str(ROOT / "checker"), str(Path(__file__).parent)]
import by_hand  # noqa: E402
import pteproof_checker as checker  # noqa: E402

REVIEWED, _ = checker.read_operators()
FOLDER = tempfile.TemporaryDirectory()
# The twin refuses what the Python file lets pass: lists of the file that nothing needs, forms of JSON
# that the certificate has not, and loads that do not agree. Nothing is let pass by the twin alone.
STRICTER = ("is cut", "schema is not 1", "is not JSON", "hash is not text", "has none",
            "loaded with other bytes")


def of_python(data, text):
    """(exit code, trusted lines, why)."""
    try:
        confirmed, trusted, unchecked = checker.check(data, text, REVIEWED)
    except checker.Refuted as error:
        return 1, [], str(error)
    except checker.Malformed as error:
        return 2, [], str(error)
    except checker.TooMuch:
        return 3, [], ""
    return 3 if unchecked or not confirmed else 0, trusted, ""


def of_twin(data, text):
    program, certificate = Path(FOLDER.name) / "twin.pte", Path(FOLDER.name) / "twin.json"
    program.write_bytes(data)
    certificate.write_bytes(text)
    run = subprocess.run([TWIN, str(program), str(certificate)], capture_output=True, check=False)
    lines = run.stdout.decode("utf-8", "surrogateescape").splitlines()
    trusted = [line[11:] for line in lines if line.startswith("trusted    ")]
    why = lines[0] if run.returncode in (1, 2) and lines else ""
    return run.returncode, trusted[:-1] if not why else [], why


def printed(line):
    """As the twin prints it: no name ends a line."""
    return "".join(c if " " <= c != "\x7f" else f"\\x{ord(c):02x}" for c in line)


def made(folders, most):
    """(program, certificate) of files of the corpus that have one."""
    programs = sorted(p for folder in folders for p in (ROOT / "corpus" / folder).rglob("*.pte"))
    rng = random.Random(4)
    for program in rng.sample(programs, min(most, len(programs))):
        out = Path(FOLDER.name) / "made.json"
        out.unlink(missing_ok=True)
        words = [COMMAND, "check", "--json", "--no-manifest", "--certificate", out, program]
        subprocess.run(words, capture_output=True, check=False)
        if out.exists():
            yield program.read_bytes(), json.loads(out.read_bytes())


class Twin(unittest.TestCase):
    def agree(self, data, text):
        code, trusted, _ = of_python(data, text)
        other, lines, why = of_twin(data, text)
        if code in (0, 3) and other in (1, 2) and any(words in why for words in STRICTER):
            return
        if {code, other} == {1, 2}:  # of two faults each may meet another one first
            return
        self.assertEqual(code, other, why)
        trusted = [printed(line) for line in trusted]
        self.assertEqual(sorted(trusted), sorted(lines))

    def test_on_the_corpus(self):
        seen = 0
        for data, certificate in made(["real", "safety", "cases", "link", "regressions"], 120):
            self.agree(data, json.dumps(certificate).encode())
            seen += 1
        self.assertGreater(seen, 60)

    def test_on_what_was_written_by_hand(self):
        programs = {**by_hand.WRONG, **by_hand.RIGHT, **by_hand.TOLD, **by_hand.SLANDERED}
        for name, (data, text) in programs.items():
            with self.subTest(name):
                self.agree(data, text)

    def test_on_forgeries(self):
        rng = random.Random(5)
        subjects = list(made(["safety"], 40))
        for _ in range(CASES):
            data, right = rng.choice(subjects)
            certificate = copy.deepcopy(right)
            if rng.random() < 0.5:
                certificate["claims"] = {policy: "safe" for policy in certificate["claims"]}
            if rng.random() < 0.5:
                forged = bytearray(data)
                forged[rng.randrange(len(forged))] = rng.choice([0, 1, 2, 16, 32, 255])
                data = bytes(forged)
                certificate["file"] = hashlib.sha256(data).hexdigest()
            if rng.random() < 0.7:
                self.change(rng, certificate)
            self.agree(data, json.dumps(certificate).encode())

    def change(self, rng, thing):
        """Changes one number or text, or drops or repeats one part, somewhere in a tree."""
        while True:
            keys = list(thing) if type(thing) is dict else range(len(thing))
            key = rng.choice(list(keys))
            if type(thing[key]) in (dict, list) and thing[key] and rng.random() < 0.9:
                thing = thing[key]
                continue
            if type(thing) is list and rng.random() < 0.3:
                thing.insert(key, copy.deepcopy(thing[key]))
            elif type(thing[key]) is int:
                thing[key] = rng.choice([0, 1, 2, 7, thing[key] + 1, thing[key] - 1, 1 << 70])
            elif type(thing[key]) is str:
                thing[key] = rng.choice(["", "x", "w>", "rrw>", "ew>", "safe"])
            else:
                del thing[key]
            return


if __name__ == "__main__":
    unittest.main()
