"""Forged programs and certificates, many of them, against the checker.

    python forge_run.py [--count N] [--seed S]

The rule: for a wrong file the checker refuses, or prints a trusted line that the right certificate
of the right file does not have. A run decides whether a file is wrong (`pteproof diff`, planned against
private storage), and never the checker. A forgery that the checker confirms without a line more is
run; each other one is settled by the checker's own answer. No input may raise anything but the
checker's three exceptions.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import forgeries  # noqa: E402
import mutation  # noqa: E402

POLICIES = ("private", "share-1-2", "share-all")


class Forger:
    def __init__(self, checker, programs, seed):
        self.checker, self.rng = checker, random.Random(seed)
        self.reviewed, _ = checker.read_operators()
        self.counts, self.found = Counter(), []
        self.folder = tempfile.TemporaryDirectory()
        self.subjects = []
        for program, text in mutation.certificates(programs).items():
            data, certificate = program.read_bytes(), json.loads(text)
            if len(data) < 20000 and "safe" in certificate["claims"].values():
                fields = forgeries.fields_of(data)
                if fields:
                    self.subjects.append((program, data, certificate, fields))

    def answer(self, data, certificate):
        """(word, trusted lines); anything but the three exceptions is a find."""
        text = forgeries.text_of(forgeries.sealed(certificate, data))
        found = mutation.answer(self.checker, self.reviewed, data, text, 20)
        if found[0] in ("broken", "slow"):
            self.find(found, data, certificate)
        return found[0], set(found[2]) if found[0] == "confirmed" else set()

    def find(self, what, data, certificate):
        self.found.append((what, data, certificate))
        print("FOUND", what, flush=True)

    def is_wrong(self, data, policy):
        """By runs: planned and private storage differ. None: nothing could be compared."""
        program = Path(self.folder.name) / "forged.pte"
        program.write_bytes(data)
        words = [mutation.COMMAND, "diff", str(program), "--no-manifest", "--policy", policy]
        run = subprocess.run([*words, "--sequences", "5"], capture_output=True, check=False)
        return {0: False, 1: True}.get(run.returncode)

    def fitted(self, data):
        """The command's certificate of these bytes, or None."""
        program, out = Path(self.folder.name) / "fit.pte", Path(self.folder.name) / "fit.json"
        program.write_bytes(data)
        out.unlink(missing_ok=True)
        subprocess.run([mutation.COMMAND, "check", "-q", "--no-manifest", "--certificate", str(out),
                        str(program)], capture_output=True, check=False)
        return json.loads(out.read_bytes()) if out.exists() else None

    def one(self, fit):
        rng = self.rng
        program, data, right, fields = rng.choice(self.subjects)
        _, usual = self.answer(data, right)
        kind = rng.choice(["file", "file", "both", "certificate", "damage"])
        forged, names = data, []
        if kind in ("file", "both"):
            for _ in range(rng.choice([1, 1, 1, 2])):
                forged, name = forgeries.changed_program(rng, forged, fields)
                names.append(name)
        elif kind == "damage":
            forged = forgeries.damaged(rng, data)
        policy = rng.choice(POLICIES)
        certificate = right
        if fit and kind != "certificate":
            kind, certificate = kind + ", fitted", self.fitted(forged) or right
        if kind.startswith(("both", "certificate")):
            for _ in range(rng.choice([1, 1, 2, 3])):
                certificate = forgeries.changed_certificate(rng, certificate)
        certificate = {**certificate, "claims": {policy: "safe"}}
        word, lines = self.answer(forged, certificate)
        self.counts[kind, word] += 1
        if word != "confirmed" or lines - usual or forged == data:
            return
        wrong = self.is_wrong(forged, policy)
        if wrong and self.is_wrong(data, policy):
            wrong = "as of the right file"  # it reads what no output shows
        self.counts["confirmed without a line more", {None: "not run"}.get(wrong, wrong)] += 1
        if wrong is True:
            self.find((str(program), policy, kind, names), forged, certificate)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fit", type=float, default=0.1, help="share with a new certificate")
    parser.add_argument("--keep", type=Path, help="a folder for what was found")
    asked = parser.parse_args()
    path = mutation.ROOT / "checker/pteproof_checker.py"
    checker = mutation.module_of(compile(path.read_text(), "checker", "exec"), path)
    names = ("real", "safety", "cases", "link", "crafted")
    folders = [mutation.ROOT / "corpus" / name for name in names]
    forger = Forger(checker, sorted(p for x in folders for p in x.rglob("*.pte")), asked.seed)
    end, done = time.monotonic() + asked.seconds, 0
    while done < asked.count and time.monotonic() < end:
        forger.one(forger.rng.random() < asked.fit)
        done += 1
    print(done, "forgeries of", len(forger.subjects), "programs")
    for (kind, word), count in sorted(forger.counts.items(), key=str):
        print(f"  {count:7} {kind}: {word}")
    for n, (what, data, certificate) in enumerate(forger.found if asked.keep else ()):
        asked.keep.mkdir(parents=True, exist_ok=True)
        (asked.keep / f"{asked.seed}-{n}.pte").write_bytes(data)
        text = forgeries.text_of(forgeries.sealed(certificate, data))
        (asked.keep / f"{asked.seed}-{n}.json").write_bytes(text)
        (asked.keep / f"{asked.seed}-{n}.txt").write_text(str(what))
    return 1 if forger.found else 0


if __name__ == "__main__":
    sys.exit(main())
