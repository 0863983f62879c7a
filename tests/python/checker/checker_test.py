"""The certificate's checker: it confirms what is right, refuses what was forged, and never breaks.

PTEPROOF_BINARY is the command, PTEPROOF_SOURCE_DIR the checkout. PTEPROOF_RANDOM_CASES chooses how
many forgeries and damages are tried; without it, a few.
"""

import functools
import hashlib
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("PTEPROOF_SOURCE_DIR", Path(__file__).resolve().parents[3]))
COMMAND = os.environ.get("PTEPROOF_BINARY", str(ROOT / "build/quick/pteproof"))
CASES = int(os.environ.get("PTEPROOF_RANDOM_CASES", "60"))
sys.path.insert(0, str(ROOT / "checker"))
import pteproof_checker as checker  # noqa: E402

REVIEWED, _ = checker.read_operators()
FOLDER = tempfile.TemporaryDirectory()
# Errors of these rules are about the model, sizes or devices: no certificate speaks of them.
NOT_OF_BYTES = {"dim-order-mismatch", "write-back-missing", "mutability-mismatch", "output-misbound",
                "initial-value-wrong", "bound-too-small", "read-before-write", "device-mismatch",
                "call-refused", "memory-missing", "state-split"}


def certificate_of(program):
    """(certificate, report) of a file, or None for one that has no certificate."""
    out = Path(FOLDER.name) / "out.cert.json"
    out.unlink(missing_ok=True)
    words = [COMMAND, "check", "--json", "--no-manifest", "--certificate", str(out), str(program)]
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    if not out.exists():
        return None
    return json.loads(out.read_bytes()), json.loads(run.stdout)


def certificate_of_bytes(data):
    program = Path(FOLDER.name) / "forged.pte"
    program.write_bytes(data)
    return certificate_of(program)


def asked(data, certificate):
    """What the checker says: the word, and its trusted lines."""
    try:
        confirmed, trusted, unchecked = checker.check(
            data, json.dumps(certificate).encode(), REVIEWED)
    except checker.Refuted:
        return "refuted", []
    except checker.Malformed:
        return "malformed", []
    except checker.TooMuch:
        return "unchecked", []
    return "confirmed" if confirmed and not unchecked else "in part", trusted


def programs(*folders):
    return sorted(p for folder in folders for p in (ROOT / "corpus" / folder).rglob("*.pte"))


def is_safe(certificate):
    return all(claim == "safe" for claim in certificate["claims"].values())


@functools.cache
def safe_programs(*folders):
    found = [(program, certificate_of(program)) for program in programs(*folders)]
    return [(p, made[0]) for p, made in found if made and is_safe(made[0])]


def only(certificate, **changed):
    return {**certificate, **changed}


class Corpus(unittest.TestCase):
    def test_confirms_what_is_safe(self):
        for program, certificate in safe_programs("real", "safety", "cases", "link"):
            with self.subTest(program=program.name):
                self.assertEqual(asked(program.read_bytes(), certificate)[0], "confirmed")

    def test_does_not_confirm_an_unsafe_plan_as_safe(self):
        seen = 0
        for program in programs("real", "safety"):
            found = certificate_of(program)
            if not found:
                continue
            certificate, report = found
            for policy, claim in certificate["claims"].items():
                rules = {f["rule"] for f in report["findings"] if f["severity"] == "error"
                         and policy in f.get("policies", [policy])}
                if type(claim) is not list or not rules - NOT_OF_BYTES:
                    continue
                seen += 1
                forged = only(certificate, claims={policy: "safe"})
                with self.subTest(program=program.name, policy=policy):
                    self.assertNotEqual(asked(program.read_bytes(), forged)[0], "confirmed")
        self.assertGreater(seen, 50)

    def test_shows_what_is_unsafe(self):
        shown = 0
        for program in programs("safety"):
            found = certificate_of(program)
            if found and any(type(claim) is list and claim for claim in found[0]["claims"].values()):
                word, _ = asked(program.read_bytes(), found[0])
                shown += word in ("confirmed", "in part")
        self.assertGreater(shown, 5)

    def test_certificates_are_small_and_equal_for_equal_files(self):
        for program, certificate in safe_programs("real")[:20]:
            data = program.read_bytes()
            size = struct.unpack_from("<Q", data, 16)[0] if data[8:12] == b"eh00" else len(data)
            text = json.dumps(certificate, separators=(",", ":"))
            self.assertLessEqual(len(text), size / 8 + 4096)
            self.assertEqual(certificate_of(program)[0], certificate)


class Forged(unittest.TestCase):
    """Files whose plan was changed, with certificates that were made to fit."""

    @staticmethod
    def offsets(data):
        """Where the file holds the first byte of each planned tensor."""
        flat = checker.Flat(data, checker.Work(1 << 30))
        for method in flat.tables(flat.number("I", 0), 1):
            for value in flat.tables(method, 2):
                tensor = flat.table(value, 1) if flat.scalar(value, 0, "B") == 5 else 0
                allocation = flat.table(tensor, 6)
                if flat.slot(allocation, 1):
                    yield flat.slot(allocation, 1)

    def forge(self, rng, data):
        places = list(self.offsets(data))
        if len(places) < 2:
            return data
        one, other = rng.sample(places, 2)
        values = [*struct.unpack_from("<I", data, other)]
        now = struct.unpack_from("<I", data, one)[0]
        values += [now + 16, max(now - 16, 0), now + 4]
        return data[:one] + struct.pack("<I", rng.choice(values)) + data[one + 4:]

    def test_a_wrong_plan_is_refused_or_says_what_it_trusts(self):
        rng, wrong = random.Random(1), 0
        subjects = safe_programs("real", "safety")
        for _ in range(CASES):
            program, right = rng.choice(subjects)
            data = program.read_bytes()
            forged = self.forge(rng, data)
            word, lines = asked(data, right)
            judged = certificate_of_bytes(forged)
            if not judged:
                continue
            fitted, report = judged
            anew = only(right, file=hashlib.sha256(forged).hexdigest())
            for policy in right["claims"]:
                rules = {f["rule"] for f in report["findings"] if f["severity"] == "error"
                         and policy in f.get("policies", [policy])}
                if not rules - NOT_OF_BYTES:
                    continue
                wrong += 1
                for certificate in (anew, fitted):
                    word, trusted = asked(forged, only(certificate, claims={policy: "safe"}))
                    more = set(trusted) - set(lines)
                    self.assertFalse(word == "confirmed" and not more,
                                     f"{program}: {policy}, {sorted(rules)}")
        self.assertGreater(wrong, CASES / 20)

    def test_each_part_of_a_certificate_matters_or_is_printed(self):
        rng = random.Random(2)
        for program, right in safe_programs("safety")[:40]:
            data, (_, lines) = program.read_bytes(), asked(program.read_bytes(), right)
            for _ in range(5):
                forged = json.loads(json.dumps(right))
                self.change(rng, forged)
                word, trusted = asked(data, forged)
                # The file is right: what is confirmed of it is true, whatever the certificate says.
                self.assertIn(word, ("confirmed", "in part", "refuted", "malformed"))
                self.assertTrue(word != "confirmed" or trusted or not lines)

    def change(self, rng, thing):
        """Changes one number or text somewhere in a tree."""
        while type(thing) in (dict, list) and thing:
            keys = list(thing) if type(thing) is dict else range(len(thing))
            key = rng.choice(list(keys))
            if type(thing[key]) in (dict, list) and thing[key]:
                thing = thing[key]
                continue
            changed = {int: [0, 1, 7, -1, 1 << 70], str: ["", "x", "w>", "rrw>"]}
            thing[key] = rng.choice(changed.get(type(thing[key]), [None, [], 1.5, True]))
            return


class Damaged(unittest.TestCase):
    """Any input ends in a word: no exception leaves the checker but its own three."""

    def test_files(self):
        rng = random.Random(3)
        subjects = [(p.read_bytes(), c) for p, c in safe_programs("safety")]
        for _ in range(CASES):
            data, right = rng.choice(subjects)
            damaged = bytearray(data)
            for _ in range(rng.randint(1, 4)):
                at = rng.randrange(len(damaged))
                damaged[at] = rng.choice([0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)])
            damaged = bytes(damaged[:rng.choice([len(damaged), rng.randrange(len(damaged))])])
            asked(damaged, only(right, file=hashlib.sha256(damaged).hexdigest()))

    def test_certificates(self):
        texts = [b"", b"[" * 100000, b'{"schema":NaN}', b'{"schema":1}', b"\xff\xfe", b"1" * 10000,
                 b'{"schema":1,"file":"","claims":[]}', b'{"schema":' + b"9" * 5000 + b"}"]
        for text in texts:
            with self.assertRaises((checker.Malformed, checker.Refuted)):
                checker.check(b"ET12" * 32, text, REVIEWED)

    def test_work_is_bounded(self):
        program, right = safe_programs("safety")[0]
        forged = only(right, methods=[only(right["methods"][0], born=[])] * len(right["methods"]))
        self.assertIn(asked(program.read_bytes(), forged)[0],
                      ("confirmed", "refuted", "malformed", "unchecked"))


class File(unittest.TestCase):
    def test_stands_alone(self):
        text = (ROOT / "checker/pteproof_checker.py").read_text()
        imports = {line.split()[1].split(".")[0] for line in text.splitlines()
                   if line.startswith(("import ", "from "))}
        self.assertLessEqual(imports, set(sys.stdlib_module_names))


if __name__ == "__main__":
    unittest.main()
