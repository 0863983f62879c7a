"""The proved rules, as a program, accept the corpus' certificates that the Python file accepts.

corpus_test.py ACCEPTED [FOLDER...]. PTEPROOF_BINARY is the command, PTEPROOF_SOURCE_DIR the
checkout.
Each claim is asked alone. Printed are the counts, and each refusal.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(os.environ.get("PTEPROOF_SOURCE_DIR", Path(__file__).resolve().parents[2]))
COMMAND = os.environ.get("PTEPROOF_BINARY", str(ROOT / "build/quick/pteproof"))
sys.path.insert(0, str(ROOT / "checker"))
import pteproof_checker as checker  # noqa: E402
import pteproof_trace  # noqa: E402

MOST_BYTES = 6_000_000  # a trace has a line for each name and instruction
REVIEWED, _ = checker.read_operators()

# Where the model is stricter than the Python file, as docs/explanation/what-safe-means.md says.
LARGER = "a name has more bytes than its source"
LOADED = "a load puts bytes over a buffer that are equal, but not its own stored value"
REFUSED = {
    "view-of-another-type": LARGER,
    "view-of-more-elements": LARGER,
    "view-of-more-rows-than-there-can-be": LARGER,
    "view-complex-of-bytes": LARGER,
    "view-of-a-row-read-wide": LARGER,
    "nameless-value-in-a-buffer": LOADED,
    "two-sizes-loaded-at-one-place": LOADED,
    "two-sizes-loaded-at-one-place-by-two-methods": LOADED,
}


def certificate_of(program, out):
    out.unlink(missing_ok=True)
    words = [COMMAND, "check", "-q", "--no-manifest", "--certificate", str(out), str(program)]
    subprocess.run(words, capture_output=True, check=False)
    return out.read_bytes() if out.exists() else None


def confirmed(data, text):
    """(policy, certificate) of each claim that the Python file confirms, alone."""
    certificate = json.loads(text)
    for policy, claim in certificate["claims"].items():
        alone = json.dumps({**certificate, "claims": {policy: "safe"}}).encode()
        try:
            if claim == "safe" and checker.check(data, alone, REVIEWED)[0]:
                yield policy, alone
        except (checker.Refuted, checker.TooMuch, checker.Malformed):
            pass


def stacked(trace):
    """The same, with all that is planned in a bank at its beginning: most plans are wrong then."""
    return re.sub(r"^home (\d+) (\d+@\d+):\d+:", r"home \1 \2:0:", trace, flags=re.MULTILINE)


def main():
    accepted, folders = sys.argv[1], sys.argv[2:] or [ROOT / "corpus"]
    programs = sorted(p for folder in folders for p in Path(folder).rglob("*.pte")
                      if p.stat().st_size < MOST_BYTES)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "trace")

        def answer(trace):
            """The words of the extracted function; nothing: it accepts."""
            path.write_text(trace)
            run = subprocess.run([accepted, str(path)], capture_output=True, text=True, check=False)
            return "" if run.returncode == 0 else (run.stdout + run.stderr).partition(": ")[2]

        traces, refused, wrong = 0, {}, []
        for program in programs:
            text = certificate_of(program, Path(folder, "cert.json"))
            data = program.read_bytes()
            for policy, alone in confirmed(data, text) if text else ():
                trace = pteproof_trace.trace(policy, data, alone, REVIEWED)
                words = answer(trace)
                traces += 1
                if words:
                    refused[program] = f"{policy}: {words.strip()}"
                elif traces % 10 == 0:
                    wrong.append(answer(stacked(trace)) != "")
    print(f"{traces} claims that the Python file confirms; refused are those of", len(refused),
          f"programs. Of {len(wrong)} with places that were changed, {sum(wrong)} are refused")
    for program, words in refused.items():
        print(f"refused {program.stem}: {words} ({REFUSED.get(program.stem, 'NO REASON KNOWN')})")
    stems = {program.stem for program in refused}
    return 0 if stems == {*REFUSED} and traces and sum(wrong) > len(wrong) / 2 else 1


if __name__ == "__main__":
    sys.exit(main())
