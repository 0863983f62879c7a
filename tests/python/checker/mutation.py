"""The checker's mutation score: each refusal, comparison and condition of it is switched off alone.

    python mutation.py [--inputs N] [--only LINE] [--checker FILE] [--write]

A mutant comes to one of four ends:

    through    it confirms a claim that the checker refuses, or leaves out a line that is trusted or
               not checked
    stricter   it refuses what the checker confirms, and lets nothing through
    otherwise  it refuses by another word, prints more lines, or breaks
    survives   it answers all inputs alike

Those that let nothing through and are not stricter are in mutants.txt, each with the reason why that
is no hole: another check meets the same inputs, or it bounds the work. --write writes the list anew, and
keeps the reasons; without it a mutant that is not in the list is printed, and the exit code is 1.
"""

import argparse
import ast
import importlib.util
import os
import random
import signal
import subprocess
import sys
import tempfile
import traceback
import types
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import forgeries  # noqa: E402

ROOT = Path(os.environ.get("PTEPROOF_SOURCE_DIR", Path(__file__).resolve().parents[3]))
COMMAND = os.environ.get("PTEPROOF_BINARY", str(ROOT / "build/quick/pteproof"))
REFUSALS = {"need", "fault", "miss", "spend", "demand"}


class Slow(Exception):
    pass


def certificates(programs):
    """{program: certificate's bytes} of those that have one."""
    made = {}
    with tempfile.TemporaryDirectory() as folder:
        def one(numbered):
            n, program = numbered
            out = Path(folder) / f"{n}.json"
            subprocess.run([COMMAND, "check", "-q", "--no-manifest", "--certificate", str(out),
                            str(program)], capture_output=True, check=False)
            if out.exists():
                made[program] = out.read_bytes()
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(one, enumerate(programs)))
    return dict(sorted(made.items()))


# ---- Mutants ----


def mutants(tree):
    """(its lines, words, mutated tree)"""
    tree.body = [node for node in tree.body if "__main__" not in ast.unparse(node)]
    for node in list(ast.walk(tree)):
        for words, change in changes_of(node):
            kind, parts = node.__class__, dict(node.__dict__)
            lines = range(parts["lineno"], parts["end_lineno"] + 1)
            change(node)
            yield lines, words, ast.fix_missing_locations(tree)
            node.__class__ = kind
            node.__dict__.clear()
            node.__dict__.update(parts)


def become(node, value):
    """The node is another one, in place."""
    where = {k: v for k, v in node.__dict__.items() if k.endswith(("lineno", "col_offset"))}
    parts = {**value.__dict__, **where}
    node.__class__ = type(value)
    node.__dict__.clear()
    node.__dict__.update(parts)


def constant(value):
    return lambda node: become(node, ast.Constant(value))


def drop(k):
    def change(node):
        node.values = node.values[:k] + node.values[k + 1:]
        if len(node.values) == 1:
            become(node, node.values[0])
    return change


def changes_of(node):
    source = ast.unparse(node)[:70].replace("\n", " ") if hasattr(node, "lineno") else ""
    if isinstance(node, ast.Raise) and node.exc is not None:
        yield f"no {source}", lambda n: become(n, ast.Pass())
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        called = node.value.func
        name = getattr(called, "attr", getattr(called, "id", ""))
        if name in REFUSALS:
            yield f"no {source}", lambda n: become(n, ast.Pass())
    truth = isinstance(node, ast.Compare) or (
        isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("all", "any"))
    if truth:
        yield f"True for {source}", constant(True)
        yield f"False for {source}", constant(False)
    if isinstance(node, ast.BoolOp):
        for k, part in enumerate(node.values):
            yield f"without {ast.unparse(part)[:50]} in {source}", drop(k)


# ---- Answers ----


def module_of(code, path):
    module = types.ModuleType("mutant")
    module.__file__ = str(path)
    sys.modules["mutant"] = module
    exec(code, module.__dict__)  # noqa: S102
    return module


def answer(checker, reviewed, data, text, seconds=5):
    """(word, trusted lines)"""
    def stop(*_):
        raise Slow

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        confirmed, trusted, unchecked = checker.check(data, text, reviewed)
        return ("confirmed", tuple(confirmed), tuple(trusted), tuple(unchecked))
    except checker.Refuted:
        return ("refuted",)
    except checker.Malformed:
        return ("malformed",)
    except checker.TooMuch:
        return ("too much",)
    except Slow:
        return ("slow",)
    except Exception as error:  # noqa: BLE001
        return ("broken", type(error).__name__)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def directed(data, certificate):
    """Certificates and programs with one plain mistake each."""
    changed = {"schema": [2, None], "load": ["none"], "manifest": [5, "x"],
               "operators": [[], {"x": "q"}, {"x": 1}],
               "claims": [{"x": "safe"}, {"private": 1}, {"private": "safe"}, [], {"private": [1]},
                          {"private": [["place", 0, 1]]}, {"private": [["read", 0, [0]]]},
                          {"private": [["read", 0]]}, {"private": [["read", 0, [0], [0], [0]]]}],
               "data": [["x"]], "more": [1], "buffers": [1, [1], [[]], [[1, [0, 0]]], [["", [0]]],
                                                         [["", [0, 1 << 20]]], [["", [0, 0, 0, 0]]],
                                                         [["", [0, True]]], [["x"], ["x"]]],
               "methods": [[], [1], [{"x": 1}], [{}, {}, {}, {}, {}, {}]], "shown": [1],
               "file": ["x"]}
    for key, values in changed.items():
        for value in values:
            yield data, {**certificate, key: value}
    first = certificate["methods"][0] if certificate.get("methods") else {}
    part = {"born": [1, [1], [[0, 0]], [[0, 1 << 20, 0]], [[1 << 20, 0, 0]]],
            "heads": [1, [1], [[0, []]], [[0, [1 << 20], []]], [[0, [], [], []]], [[1 << 20, [], []]]],
            "delegates": [1, [1], [[1 << 20]]], "idle": [1, [1 << 20], ["x"], [0], [0, 1, 2, 3]],
            "calls": [1, [1], [[0]], [[0, "q"]], [[0, "w"]], [[0, 5]], [[1 << 20, "w"]]],
            "placed": [1, [[0, 1, 2]], [[1 << 20, 0, 0]]]}
    for key, values in part.items():
        for value in values:
            parts = [{**first, key: value}, *certificate["methods"][1:]]
            yield data, {**certificate, "methods": parts}
    for entry in range(0, min(12, len(certificate["methods"]))):
        yield data, {**certificate, "buffers": [["", [entry, k] ] for k in range(6)]}
    for cut in (4, 40, 63, 64, 100, len(data) // 2, len(data) - 1):
        yield data[:cut], certificate
    yield data[:4] + bytes(4) + data[8:], certificate  # of no format
    for name, places in forgeries.fields_of(data).items():
        for at, form in places[:2] + places[-1:]:
            size = forgeries.struct.calcsize(form)
            for number in (0, 1, 6, (1 << 8 * size - 1) - 1, (1 << 8 * size) - 1):
                yield data[:at] + number.to_bytes(size, "little") + data[at + size:], certificate


def inputs(count, made):
    """(data, certificate's text) of right and forged programs and certificates."""
    import json
    rng = random.Random(5)
    pairs = [(p.read_bytes(), text) for p, text in made.items() if p.stat().st_size < 8000]
    yield from pairs
    listed = [(data, json.loads(text), forgeries.fields_of(data)) for data, text in pairs]
    for data, certificate, _ in rng.sample(listed, min(6, len(listed))):
        for forged, changed in directed(data, certificate):
            changed = changed if changed.get("file") == "x" else forgeries.sealed(changed, forged)
            yield forged, json.dumps(changed).encode()
    for n in range(count):
        data, certificate, fields = rng.choice(listed)
        if n % 2:
            certificate = forgeries.claims_safe(certificate, certificate["claims"])
        for _ in range(rng.choice([0, 0, 1, 1, 1, 2])):
            certificate = forgeries.changed_certificate(rng, certificate)
        for _ in range(rng.choice([0, 1, 1, 2])):
            if fields:
                data, _ = forgeries.changed_program(rng, data, fields)
        if rng.random() < 0.05:
            data = forgeries.damaged(rng, data)
        yield data, forgeries.text_of(forgeries.sealed(certificate, data))


def lines_of(checker, reviewed, data, text):
    """The lines of the checker that an input reaches, its answer, and the lines that refuse it."""
    reached = set()

    def trace(frame, event, _):
        if frame.f_code.co_filename != "checker":
            return None
        if event == "line":
            reached.add(frame.f_lineno)
        return trace

    sys.settrace(trace)
    try:
        found = answer(checker, reviewed, data, text, 60)
    finally:
        sys.settrace(None)
    refusing = set()
    if found[0] != "confirmed":
        try:
            checker.check(data, text, reviewed)
        except Exception as error:  # noqa: BLE001
            frames = traceback.extract_tb(error.__traceback__)
            refusing = {frame.lineno for frame in frames if frame.filename == "checker"}
    return reached, found, refusing


def lets_through(expected, found):
    if found[0] != "confirmed":
        return False
    if expected[0] != "confirmed":
        return expected[0] in ("refuted", "malformed", "too much")
    return not set(expected[2]) | set(expected[3]) <= set(found[2]) | set(found[3])


def end_of(mutant, reviewed, asked):
    """How a mutant ends that is asked these inputs."""
    end = "survives"
    for data, text, expected in asked:
        found = answer(mutant, reviewed, data, text, 10)
        if found == expected:
            continue
        if lets_through(expected, found):
            return "through"
        if expected[0] == "confirmed" and found[0] != "confirmed":
            end = "stricter"
        elif end == "survives":
            end = "otherwise"
    return end


class Inputs:
    """Inputs by the lines that they reach, those first that a line refuses."""

    def __init__(self, most):
        self.most, self.kept, self.reaching, self.refused = most, [], {}, {}

    def add(self, pair, found):
        reached, expected, refusing = found
        few = any(len(self.reaching.get(line, ())) < self.most for line in reached)
        rare = any(len(self.refused.get(line, ())) < self.most for line in refusing)
        if few or rare:
            self.kept.append((*pair, expected))
            for lines, by in ((reached, self.reaching), (refusing, self.refused)):
                for line in lines:
                    by.setdefault(line, []).append(len(self.kept) - 1)

    def of(self, lines, rng):
        near = range(lines[0], lines[-1] + 3)  # what it computes is asked for soon
        first = [n for line in near for n in self.refused.get(line, ())]
        rest = [n for line in lines for n in self.reaching.get(line, ())]
        numbers = dict.fromkeys([*first[:self.most], *rng.sample(rest, min(len(rest), self.most))])
        return [self.kept[n] for n in numbers]


LIST = Path(__file__).with_name("mutants.txt")


def reasons():
    """{words of a mutant: reason}"""
    lines = LIST.read_text().splitlines() if LIST.exists() else []
    pairs = (line.split("\t") for line in lines if not line.startswith("#"))
    return {words: reason for words, reason in pairs}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--inputs", type=int, default=20000)
    parser.add_argument("--most", type=int, default=100, help="inputs that a mutant is asked")
    parser.add_argument("--only", type=int, default=0)
    parser.add_argument("--checker", type=Path, default=ROOT / "checker/pteproof_checker.py")
    parser.add_argument("--extra", type=Path, nargs="*", default=[], help="programs besides")
    parser.add_argument("--write", action="store_true", help="write mutants.txt")
    asked = parser.parse_args()
    tree = ast.parse(asked.checker.read_text())
    checker = module_of(compile(tree, "checker", "exec"), asked.checker)
    reviewed, _ = checker.read_operators()
    made = certificates(sorted((ROOT / "corpus").rglob("*.pte")) + asked.extra)
    given = Inputs(asked.most)
    for data, text in inputs(asked.inputs, made):
        given.add((data, text), lines_of(checker, reviewed, data, text))
    print(len(given.kept), "inputs:", dict(Counter(x[2][0] for x in given.kept)), flush=True)
    known, rng, score, listed = reasons(), random.Random(1), Counter(), {}
    for lines, words, mutated in mutants(tree):  # the tree itself, changed until the next one
        if asked.only and asked.only not in lines:
            continue
        mutant = module_of(compile(mutated, "checker", "exec"), asked.checker)
        end = end_of(mutant, reviewed, given.of(lines, rng))
        score[end] += 1
        if end in ("otherwise", "survives"):
            listed[words] = known.get(words, "")
            if not listed[words]:
                print(f"{end} {lines[0]}: {words}", flush=True)
    print(dict(score))
    if asked.write:
        head = LIST.read_text().partition("\n\n")[0] if LIST.exists() else ""
        rows = "".join(f"{words}\t{reason}\n" for words, reason in listed.items())
        LIST.write_text(f"{head}\n\n{rows}" if head else rows)
    return 0 if all(listed.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
