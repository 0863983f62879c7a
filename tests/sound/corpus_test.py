"""The proved rules, as a program, accept each certificate of the corpus that the Python file accepts.

corpus_test.py ACCEPTED [FOLDER...]. PTEPROOF_BINARY is the command, PTEPROOF_SOURCE_DIR the checkout.
Refusals with a reason that the documents name are counted; any other one is a failure.
"""

import collections
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(os.environ.get("PTEPROOF_SOURCE_DIR", Path(__file__).resolve().parents[2]))
COMMAND = os.environ.get("PTEPROOF_BINARY", str(ROOT / "build/quick/pteproof"))
sys.path.insert(0, str(ROOT / "checker"))
import pteproof_checker as checker  # noqa: E402
import pteproof_trace as trace  # noqa: E402

MOST_BYTES = 6_000_000
REVIEWED, _ = checker.read_operators()


def certificate_of(program, out):
    out.unlink(missing_ok=True)
    words = [COMMAND, "check", "-q", "--no-manifest", "--certificate", str(out), str(program)]
    subprocess.run(words, capture_output=True, check=False)
    return out.read_bytes() if out.exists() else None


def confirmed_under(data, text):
    """The policies under which the Python file confirms that the plan is safe, alone."""
    certificate = json.loads(text)
    for policy, claim in certificate["claims"].items():
        alone = json.dumps({**certificate, "claims": {policy: "safe"}}).encode()
        try:
            if claim == "safe" and checker.check(data, alone, REVIEWED)[0]:
                yield policy, alone
        except (checker.Refuted, checker.TooMuch, checker.Malformed):
            pass


def main():
    accepted, folders = sys.argv[1], sys.argv[2:] or [ROOT / "corpus"]
    programs = sorted(p for folder in folders for p in Path(folder).rglob("*.pte")
                      if p.stat().st_size < MOST_BYTES)
    asked, refused, agreeing = 0, collections.defaultdict(list), set()
    with tempfile.TemporaryDirectory() as folder:
        out, path = Path(folder, "cert.json"), Path(folder, "trace")
        for program in programs:
            text, data = certificate_of(program, out), program.read_bytes()
            for policy, alone in confirmed_under(data, text) if text else ():
                asked += 1
                path.write_text(trace.trace(policy, data, alone, REVIEWED))
                run = subprocess.run([accepted, str(path)], capture_output=True, text=True,
                                     check=False, timeout=600)
                if run.returncode == 0:
                    agreeing.add(program)
                else:
                    words = (run.stdout + run.stderr).partition(": ")[2].strip()
                    refused[program].append(f"{policy}: {words}")
    print(f"{asked} confirmed claims; {len(agreeing | {*refused})} programs, {len(refused)} refused")
    for program, lines in refused.items():
        print(f"refused {program}: {lines[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
