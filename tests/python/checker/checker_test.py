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
from unittest import mock

ROOT = Path(os.environ.get("PTEPROOF_SOURCE_DIR", Path(__file__).resolve().parents[3]))
COMMAND = os.environ.get("PTEPROOF_BINARY", str(ROOT / "build/quick/pteproof"))
CASES = int(os.environ.get("PTEPROOF_RANDOM_CASES", "60"))
sys.path[:0] = [str(ROOT / "checker"), str(Path(__file__).parent)]
import by_hand  # noqa: E402
import forge_run  # noqa: E402
import forgeries  # noqa: E402
import programs as written  # noqa: E402
import pteproof_checker as checker  # noqa: E402

REVIEWED, _ = checker.read_operators()
FOLDER = tempfile.TemporaryDirectory()
# Errors of these rules are about the model, sizes or devices: no certificate speaks of them.
NOT_OF_BYTES = {"dim-order-mismatch", "write-back-missing", "mutability-mismatch", "output-misbound",
                "initial-value-wrong", "bound-too-small", "read-before-write", "device-mismatch",
                "call-refused", "memory-missing", "state-split"}
# Writes to views of larger elements. No runtime makes such a view: the checker does not know that.
LARGER = {"view-of-another-type", "view-bool-of-int64-written"}


def made_for(program):
    """(certificate, report) of a file, or None for one that has no certificate."""
    out = Path(FOLDER.name) / "out.cert.json"
    out.unlink(missing_ok=True)
    words = [COMMAND, "check", "--json", "--no-manifest", "--certificate", str(out), str(program)]
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    if not out.exists():
        return None
    return json.loads(out.read_bytes()), json.loads(run.stdout)


@functools.cache
def certificate_of(program):
    """The same of a file of the corpus."""
    return made_for(program)


def certificate_of_bytes(data):
    program = Path(FOLDER.name) / "forged.pte"
    program.write_bytes(data)
    return made_for(program)


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


def safe_programs(*folders):
    found = [(program, certificate_of(program)) for program in programs(*folders)]
    return [(p, made[0]) for p, made in found if made and is_safe(made[0])]


def only(certificate, **changed):
    return {**certificate, **changed}


class Corpus(unittest.TestCase):
    def test_confirms_what_is_safe(self):
        for program, certificate in safe_programs("real", "safety", "cases", "link"):
            with self.subTest(program=program.name):
                word = "refuted" if program.stem in LARGER else "confirmed"
                self.assertEqual(asked(program.read_bytes(), certificate)[0], word)

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

    def test_what_another_rule_shows_is_not_certified(self):
        for stored in ('"state" = zeros', 'external "state"'):
            text = Path(FOLDER.name) / "constant.pteasm"
            text.write_text(f"""program
method put(%x: float32[8] @1:0) {{
  %state: float32[8] @2:0 "state"
  %state = aten::copy_(%state, %x, false)
  return
}}
method get() {{
  %state: float32[8] {stored}
  %out: float32[8] @1:0 = aten::relu.out(%state)
  return %out
}}
""")
            file = text.with_suffix(".pte")
            subprocess.run([COMMAND, "assemble", str(text), "-o", str(file)], check=True)
            certificate, report = made_for(file)
            with self.subTest(stored):
                rules = {f["rule"] for f in report["findings"] if f["severity"] == "error"}
                self.assertEqual(rules, {"mutability-mismatch"})
                self.assertEqual(asked(file.read_bytes(), certificate)[0], "in part")

    def test_certificates_are_small_and_equal_for_equal_files(self):
        for program, certificate in safe_programs("real")[:20]:
            data = program.read_bytes()
            size = struct.unpack_from("<Q", data, 16)[0] if data[8:12] == b"eh00" else len(data)
            text = json.dumps(certificate, separators=(",", ":"))
            self.assertLessEqual(len(text), size / 8 + 4096)
            self.assertEqual(made_for(program)[0], certificate)


class Forged(unittest.TestCase):
    """Files whose plan was changed, with certificates that were made to fit."""

    @staticmethod
    def forge(rng, data):
        """Another place of one tensor."""
        fields = forgeries.fields_of(data)
        if len(fields.get("place", ())) < 2:
            return data
        return forgeries.changed_program(rng, data, {"place": fields["place"]})[0]

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

    def test_no_forgery_is_confirmed_of_a_wrong_file_without_a_line_more(self):
        # Systematic changes of files, certificates and both, judged by runs: forge_run.py --count.
        forger = forge_run.Forger(checker, programs("real", "safety"), 3)
        for n in range(CASES):
            forger.one(n % 10 == 0)
        self.assertEqual(forger.found, [])
        words = {word for _, word in forger.counts}
        self.assertLessEqual({"confirmed", "malformed"}, words)


class ByHand(unittest.TestCase):
    """Programs that no exporter writes, with certificates that no command makes."""

    def said(self, data, text):
        return asked(data, json.loads(text))[0]

    def test_what_runs_wrong_is_refused(self):
        for name, (data, text) in by_hand.WRONG.items():
            with self.subTest(name):
                self.assertIn(self.said(data, text), ("refuted", "malformed"))

    def test_what_differs_in_little_and_is_right_is_confirmed(self):
        for name, (data, text) in by_hand.RIGHT.items():
            with self.subTest(name):
                self.assertEqual(self.said(data, text), "confirmed")

    def test_what_the_file_does_not_show_is_a_line(self):
        for line, (data, text) in by_hand.TOLD.items():
            with self.subTest(line):
                self.assertIn(line, asked(data, json.loads(text))[1])

    def test_what_is_right_is_not_shown_unsafe(self):
        for name, (data, text) in by_hand.SLANDERED.items():
            with self.subTest(name):
                self.assertNotEqual(self.said(data, text), "confirmed")


class Damaged(unittest.TestCase):
    """Any input ends in a word: no exception leaves the checker but its own three."""

    def test_files(self):
        rng = random.Random(3)
        subjects = [(p.read_bytes(), c) for p, c in safe_programs("safety")]
        for _ in range(CASES):
            data, right = rng.choice(subjects)
            damaged = forgeries.damaged(rng, data)
            asked(damaged, forgeries.sealed(right, damaged))

    def test_certificates(self):
        program, right = safe_programs("safety")[0]
        data = program.read_bytes()
        text = json.dumps(right).encode()
        texts = [b"", b"[" * 100000, b'{"schema":NaN}', b'{"schema":1}', b"\xff\xfe", b"1" * 10000,
                 b'{"schema":1,"file":"","claims":[]}', b'{"schema":' + b"9" * 5000 + b"}"]
        texts += [text[:k] for k in range(0, len(text) - 1, 7)]
        deep = b"[" * 900 + b"]" * 900
        for key in ("manifest", "claims", "operators", "buffers", "methods", "load", "data",
                    "schema"):
            for odd in (deep, b"NaN", b"1e999", b"-1", b"1" * 4000, b"null", b'"\\ud800"', b"[[]]",
                        b"{}", b"[{}]", b"true", b"[NaN]"):
                texts.append(text[:-1] + b', "%b": %b}' % (key.encode(), odd))
        for text in texts:
            try:
                checker.check(data, text, REVIEWED)
            except (checker.Malformed, checker.Refuted):
                pass  # and nothing else

    def test_names_cannot_look_like_other_lines(self):
        program, right = safe_programs("safety")[0]
        operators = {**right["operators"], "x\nconfirmed  all": "w"}
        forged = only(right, operators=operators, manifest="\ud800")
        out = Path(FOLDER.name) / "lines.json"
        out.write_bytes(forgeries.text_of(forged))
        words = [sys.executable, "-B", str(ROOT / "checker/pteproof_checker.py"), str(program)]
        run = subprocess.run([*words, str(out)], capture_output=True, text=True, check=False,
                             env={**os.environ, "PYTHONIOENCODING": "ascii"})
        self.assertEqual(run.stderr, "")
        self.assertIn("trusted    operator x\\nconfirmed  all does w\n", run.stdout)

    def test_the_trace_names_what_was_read(self):
        # What the proved rules say of it: tests/sound/corpus_test.py.
        program, right = safe_programs("safety")[0]
        out = Path(FOLDER.name) / "traced.json"
        out.write_bytes(forgeries.text_of(right))
        words = [sys.executable, "-B", str(ROOT / "checker/pteproof_checker.py"), "--trace"]
        run = subprocess.run([*words, "share-all", str(program), str(out)], capture_output=True,
                             text=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertTrue(run.stdout.startswith("policy share-all\nsize "))
        self.assertIn("\nmethod\nhome ", run.stdout)
        run = subprocess.run([*words, "any", str(program)], capture_output=True, check=False)
        self.assertEqual(run.returncode, 2)

    def test_work_grows_with_the_listing(self):
        # Each value at a place of its own: a write must not look at all names of the bank.
        def steps(count):
            values = [written.tensor([4], (1, 16 * n)) for n in range(count + 1)]
            listing = [("aten::sin.out", n, n + 1, n + 1) for n in range(count)]
            method = written.method("forward", values, [0], [count], listing)
            data = written.program([{**method, 8: ("*q", [0, 16 * (count + 1)])}])
            taken = []
            with mock.patch.object(checker.Flat, "spend", lambda _, some: taken.append(some)):
                self.assertEqual(asked(data, certificate_of_bytes(data)[0])[0], "confirmed")
            return sum(taken)

        self.assertLess(steps(800), 5 * steps(200))

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
