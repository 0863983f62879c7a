#!/usr/bin/env python3
"""Confirms what a certificate says of the memory plan of an ExecuTorch program.

    python pteproof_checker.py model.pte model.cert.json [data.ptd ...]

Exit code 0: all claims are confirmed; 1: one is refuted; 2: an input is malformed; 3: confirmed in
part. No certificate is believed, and nothing is shared with the tool that writes them.

WHAT A RIGHT PLAN IS

A program has methods, and a method is a list of instructions over values. Most values are tensors,
and the plan gives each a place: bytes [lo, hi) of a bank. Many tensors share bytes. What a program
*means* is the run in which each value has memory of its own:

  M1  A value that an instruction writes means, at each read, what was last written to it on the
      path taken. The caller writes the inputs before the call. Nothing ever writes a constant.
  M2  A move, an et_view, and what a call returns for an argument name the content of their source.
      But for the et_view both are one tensor then, of one form: an et_view into one of them
      places both.
  M3  A buffer lives from call to call and starts with its stored value. A value of each method, no
      constant, stands for it. A write to it, or in place to a name taken from it, is a store. So
      may any write be to a name that a move, of this call or the last, makes one tensor with it.
  M4  A value that no instruction has written is *born*: it means what its sources hold then (a
      view, a concatenation, a slice). The certificate says of what, and before which instruction.
  M5  A fill writes a part and leaves the rest. Before the first fill the rest means anything. So
      does what kernels leave alone (n), if nothing else makes it and it has no name and no data.

The plan is right if each read, each output, and each buffer when a call ends, find what is meant in
their places.

HOW THAT IS CONFIRMED

One pass over a listing keeps a fact for each name: that what it means lies in its place. A name is
a value, or the end of a buffer, which is what the next call finds.

  R1  A read of a name needs that it holds. So does an output.
  R2  A write to a name ends all that holds in a byte of its place; then the name holds. An update
      reads it first. A whole store to a buffer makes its end hold; a partial one keeps what held.
      No name is written that may have more bytes than its place, or where M3 leaves open whether
      that is a store.
  R3  A result may share bytes with an operand only if both have one place, and the operator takes
      element i of the operand for element i of the result. Results of one call share no bytes.
  R4  A name that is born holds if its sources hold, and their places put together are its place, or
      the only one lies around it. A moved name lies where its source lies, until it moves again.
  R5  Where paths join, what holds on each holds. At the target of a jump back, what the certificate
      keeps is kept, and must hold again at each jump back.
  R6  Before each call, each buffer that some method reads lies in its place. So it must when a call
      of any method ends that has the bank in common under the policy, in all orders of calls. A
      load puts stored values into their places. It may not undo a store that a later call finds.
  B   A birth follows from the file if the listing introduces values in ascending order, the moment
      is the first instruction with a higher number or the first use, the sources are older, and
      the only one is the last older value of the same place and type; or no older value is, and
      they are several of that type; and the value comes after an input, has no data, and no name
      but theirs. Other births are printed as trusted.

A certificate can lie about births, buffers without a name, results of delegates, and operators that
are not in operators.tsv: all of that is printed. Who doubts such a line should doubt the verdict.
An unsafe claim comes with a misplaced value, or a path or two on which a read finds other bytes.
"""

import hashlib
import json
import struct
import sys
from bisect import bisect_left, bisect_right
from itertools import dropwhile, filterfalse
from pathlib import Path
from types import SimpleNamespace as Record
from typing import NamedTuple

STEPS_PER_BYTE, FREE_STEPS = 200, 200_000
POLICIES = {"private": (), "share-1-2": (1, 2), "share-all": None}  # banks in common; None: all
ELEMENT = (1, 1, 2, 4, 8, 2, 4, 8, 4, 8, 16, 1, 1, 1, 4, 2,
           1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 4, 8)  # bytes of an element, by type
WIDTH = {"b": 1, "B": 1, "H": 2, "i": 4, "I": 4, "q": 8, "Q": 8}  # bytes of a number in the file
BOOL, TENSOR, TENSORS, OPTIONALS = 3, 5, 10, 11  # kinds of values
KERNEL, DELEGATE, MOVE, JUMP = range(1, 5)  # kinds of instructions; 5 frees: refused

class Malformed(Exception):
    """An input is not what it has to be."""

class Refuted(Exception):
    """A claim does not hold, or does not follow by the rules."""

class TooMuch(Exception):
    """More work than the size of the inputs allows."""

def need(condition, otherwise):
    if not condition:
        raise Malformed(otherwise)

# ---- The file. A table is where it begins, 0 if it is absent; each look is within the bytes. ----

class Flat:
    def __init__(self, data, size_of_inputs):
        self.data, self.left = data, FREE_STEPS + STEPS_PER_BYTE * size_of_inputs

    def spend(self, steps):
        self.left -= steps
        if self.left < 0:
            raise TooMuch("too much work")

    def numbers(self, form, at, count=1):
        self.spend(1 + count)
        if not 0 <= at <= len(self.data) - count * WIDTH[form]:
            raise Malformed(f"nothing at byte {at}")
        return struct.unpack_from(f"<{count}{form}", self.data, at)

    def get(self, table, k, form):
        """Field k: a number in a form of struct, a table (T), a list of these (*), or a text."""
        if form == "text":
            return bytes(self.get(table, k, "*B")).decode("utf-8", "surrogateescape")
        fields = table - self.numbers("i", table)[0] if table else 0
        known = table and 6 + 2 * k <= self.numbers("H", fields)[0]
        at = table + self.numbers("H", fields + 4 + 2 * k)[0] if known else table
        if at == table:
            return () if form[0] == "*" else 0
        if form[0] not in "*T":
            return self.numbers(form, at)[0]
        at += self.numbers("I", at)[0]
        if form == "T":
            return at
        items = self.numbers(form[1].replace("T", "I"), at + 4, self.numbers("I", at)[0])
        return [at + 4 + 4 * i + x for i, x in enumerate(items)] if form == "*T" else items

def read_value(get, v, table):
    """A tensor has a place: (bank, first byte, end); below bank 0 it is memory of its own."""
    kind, at = get(table, 0, "B"), get(table, 1, "T")
    value = Record(kind=kind, flag=kind == BOOL and get(at, 0, "B") != 0)
    value.items = get(at, 0, "*i") if kind in (TENSORS, OPTIONALS) else ()  # values, -1 for none
    at = at if kind == TENSOR else 0
    value.dtype, value.sizes, value.order = get(at, 0, "b"), get(at, 2, "*i"), get(at, 3, "*B")
    value.stored, value.dynamic = get(at, 5, "I"), get(at, 8, "b") != 0
    planned, extra = get(at, 6, "T"), get(at, 9, "T")
    value.external, value.name = get(extra, 2, "b") == 1, get(extra, 1, "text")  # from a .ptd
    bank, low, high = (get(planned, k, "I") for k in range(3))
    need(0 <= value.dtype < len(ELEMENT), f"value {v} has no type")
    need(bank > 0 or not planned, f"value {v} lies in bank 0")
    value.size = ELEMENT[value.dtype] if at else 0
    for size in value.sizes:
        value.size *= size
        need(0 <= size and value.size < 1 << 62, f"value {v} has no size")
    low = low | high << 32 if planned else 0
    value.place = (bank if planned else -1 - v, low, low + value.size)
    value.loaded = value.stored > 0 or value.external
    value.constant = value.loaded and not planned
    return value

def read_code(get, chains):
    """(kind, operator or delegate or where a jump goes, values: a move's source and name...)"""
    code = []
    for chain in chains:
        first = len(code)
        for table in get(chain, 2, "*T"):
            kind, at = get(table, 0, "B"), get(table, 1, "T")
            need(kind != 5, "an instruction frees memory, which no certificate covers")
            need(KERNEL <= kind <= JUMP, "an instruction is empty")
            one, two = get(at, 0, "i"), get(at, 1, "i")
            code.append((kind, one, get(at, 1, "*i")) if kind in (KERNEL, DELEGATE) else
                        (kind, first + two, (one,)) if kind == JUMP else
                        (kind, 0, (one, two)))
        need(all(first <= to <= len(code) for kind, to, _ in code[first:] if kind == JUMP),
             "a jump leaves its chain")
    return code

def read_program(data, size_of_certificate):
    """The tables of its methods, where stored values of buffers begin, and the work allowed."""
    need(data[4:8] == b"ET12" and len(data) >= 64, "not an ExecuTorch program")
    size, base = struct.unpack_from("<QQ", data, 16) if data[8:12] == b"eh00" else (len(data), 0)
    work, starts = Flat(data[:size], min(size, len(data)) + size_of_certificate), []
    root = work.numbers("I", 0)[0]
    for part in work.get(root, 6, "*T")[:1]:
        segment, segments = work.get(part, 0, "I"), work.get(root, 4, "*T")
        need(segment < len(segments), "a segment that is not there")
        base += work.get(segments[segment], 0, "Q")
        starts = [base + offset for offset in work.get(part, 1, "*Q")]
    return Record(tables=work.get(root, 1, "*T"), starts=starts, data=data, work=work)

# ---- The certificate ----

def fits(thing, form):
    """Whether JSON has a form: words, a limit (a number below it), a type, {key: form}, or a list,
    whose last form is that of all further items, or none."""
    if type(form) is dict:
        return type(thing) is dict and thing.keys() <= form.keys() and all(
            fits(thing[key], form[key]) for key in thing)
    if type(form) is list:
        return type(thing) is list and len(thing) >= len(form) - 1 and all(
            fits(x, form[min(k, len(form) - 1)]) for k, x in enumerate(thing))
    if type(form) is int:
        return type(thing) is int and 0 <= thing < form
    return thing in form if type(form) is tuple else isinstance(thing, form)

def read_certificate(text):
    claim = {"schema": (1,), "file": str, "data": [str], "manifest": str, "claims": dict,
             "load": ("any", "all-first"), "operators": dict, "buffers": [[str, list]],
             "methods": [dict], "outputs": ("next-call",), "shown": object}
    try:
        cert = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"the certificate is not JSON ({type(error).__name__})") from None
    need(fits(cert, claim) and {"schema", "file", "claims"} <= cert.keys(), "no such certificate")
    for policy, claim in cert["claims"].items():
        known = policy in POLICIES and (claim in ("safe", "undecided") or type(claim) is list)
        need(known, "an unknown claim")
    return cert

def read_buffers(methods, entries):
    """Buffers at one place each, with users (method, value, whether a call reads what it finds).
    All with one key are one buffer of the model."""
    buffers, names = {}, set()
    for key, (name, *users) in enumerate(entries):
        need(name not in names, "a buffer has a name of its own")
        names |= {name} - {""}
        for user in users:
            known = fits(user, [len(methods), 1 << 32, 1]) and len(user) <= 3
            need(known and user[1] < len(methods[user[0]].values), "a user is [method, value]")
            m, v, *rest = user
            value, words = methods[m].values[v], f"buffer v{v} of {methods[m].words}"
            known = value.kind == TENSOR and not value.constant and value.name == name
            need(known, f"v{v} is not buffer '{name}'")
            new = Record(key=key, name=name, place=value.place, words=words, users=[])
            buffer = buffers.setdefault((key, value.place, m if value.place[0] < 0 else -1), new)
            buffer.users.append((m, v, not rest))
    return list(buffers.values())

def read_signature(code):
    """(letter, whether the call returns it) of each argument: operators.tsv says what they mean."""
    need(type(code) is str and set(code) <= set("-rewWufnpvh>"), "a signature is of other letters")
    return [(letter, code[k + 1:k + 2] == ">") for k, letter in enumerate(code) if letter != ">"]

def reached(steps, names):
    """Names, and those that steps (by name: a set of names) lead to from them."""
    found = dict.fromkeys(names)
    names = [*found]
    for name in names:
        new = steps.get(name, set()) - found.keys()
        found.update(dict.fromkeys(new))
        names += new
    return names

def series(values):
    return ", ".join(f"v{v}" for v in values)

# ---- Facts ----

def overlap(a, b):
    """The bytes that two places have in common, or None."""
    part = a[0], max(a[1], b[1]), min(a[2], b[2])
    return part if a[0] == b[0] and part[1] < part[2] else None

def within(inner, outer):
    return inner[0] == outer[0] and outer[1] <= inner[1] and inner[2] <= outer[2]

LOST, VOID, PART, HELD = range(4)
SOME = -2  # the buffer of a name of this or that, by the path

class Fact(NamedTuple):
    """What is known of a name at one point of the paths that lead there."""
    # HELD: what it means lies there. VOID: no fill has begun (M5). PART: one of both; or, of the
    # end of a buffer, what the call found is there still, on some path.
    status: int
    places: tuple  # in one of which it lies; (): unknown
    buffer: int = -1  # of which it is a name
    cause: str = ""  # of a loss

class State:
    """The facts at one point. A name without one is lost, and lies at home. Each bank is cut into
    stretches with the names that have held a byte of it."""

    def __init__(self, homes, work, facts=()):
        self.homes, self.work, self.facts, self.banks = homes, work, {}, {}
        for name, fact in dict(facts).items():
            self[name] = fact

    def __getitem__(self, name):
        return self.facts.get(name) or Fact(LOST, self.homes[name])

    def __setitem__(self, name, fact):
        self.work.spend(1)
        self.facts[name] = fact
        for place in fact.places if fact.status >= PART else ():
            self.own(name, place)

    def lose(self, name, cause):
        self[name] = self[name]._replace(status=LOST, cause=cause)

    def stretches(self, place):
        """All stretches of the bank, their owners, and which of them are the place's."""
        starts, owners = self.banks.setdefault(place[0], ([0], [set()]))
        for at in place[1:]:
            k = bisect_left(starts, at)
            if k == len(starts) or starts[k] != at:
                self.work.spend(1 + len(owners[k - 1]))
                starts.insert(k, at)
                owners.insert(k, set(owners[k - 1]))
        return starts, owners, bisect_left(starts, place[1]), bisect_left(starts, place[2])

    def own(self, name, place):
        _, owners, first, end = self.stretches(place)
        self.work.spend(1 + end - first)
        for names in owners[first:end]:
            names.add(name)

    def clear(self, place):
        """The names that hold a byte of the place: they have to be lost, or set again."""
        starts, owners, first, end = self.stretches(place)
        names = set().union(*owners[first:end])
        self.work.spend(1 + end - first + sum(1 + len(self[x].places) for x in names))
        starts[first:end], owners[first:end] = starts[first:end][:1], [set()] * (first < end)
        return {x for x in names if self[x].status >= PART and any(
            overlap(place, at) for at in self[x].places)}

    def join(self, other):
        """R5: what holds on both paths."""
        self.work.spend(1 + len(self.facts) + len(other.facts))
        for name in self.facts.keys() | other.facts.keys():
            a, b = self[name], other[name]
            if a is not b:
                self.work.spend(len(a.places) + len(b.places))
                status = min(a.status, b.status)
                if LOST < a.status != b.status > LOST:
                    status = PART  # VOID on one path, HELD on another
                places = {*a.places, *b.places} if a.places and b.places else ()
                buffer = a.buffer if a.buffer == b.buffer else SOME
                fact = Fact(status, tuple(sorted(places)), buffer, a.cause or b.cause)
                if fact != a:
                    self[name] = fact

# ---- One method ----

class Method:
    """The pass over a method. Name len(values) + b is the end of buffer b."""

    def __init__(self, m, get, table):
        """What the file says."""
        self.m, self.words, self.trusted = m, f"'{get(table, 0, 'text')}'", set()
        self.inputs, self.outputs = dict.fromkeys(get(table, 3, "*i")), get(table, 4, "*i")
        self.values = [read_value(get, v, x) for v, x in enumerate(get(table, 2, "*T"))]
        self.operators = [".".join(filter(None, (get(x, 0, "text"), get(x, 1, "text"))))
                          for x in get(table, 6, "*T")]
        self.code, self.banks = read_code(get, get(table, 5, "*T")), get(table, 8, "*q")
        ends = {KERNEL: len(self.operators), DELEGATE: len(get(table, 7, "*T")),
                JUMP: len(self.code) + 1}
        used, count = [*self.inputs, *self.outputs], len(self.values)
        for kind, target, args in self.code:
            need(0 <= target < ends.get(kind, 1), f"{self.words} names a thing that it has not")
            used += args
        need(all(0 <= v < count for v in used), f"{self.words} names a value that it has not")
        for t in (t for value in self.values for t in value.items):
            need(-1 <= t < count and (t < 0 or self.is_tensor(t)), "a list holds no tensors")

    def is_tensor(self, *values):
        return all(self.values[v].kind == TENSOR for v in values)

    def tensors(self, v):
        self.work.spend(1 + len(self.values[v].items))
        return [v] if self.is_tensor(v) else [t for t in self.values[v].items if t >= 0]

    def read(self, part, buffers, codes, work):
        """What the certificate says."""
        values, count, name = len(self.values), len(self.code), len(self.values) + len(buffers)
        births, heads = [[count + 1, values, values, values]], [[count, [name], [name], object]]
        need(fits(part, {"born": births, "placed": births, "delegates": [object], "idle": [count],
                         "calls": [[count, str, object]], "heads": heads}),
             f"what is said of {self.words} has no such form")
        self.buffers, self.work, self.misses = buffers, work, None
        self.stored, self.replaced = set(), set()  # buffers; what copy_ made anew
        self.heads = {i: (set(kept), set(begun)) for i, kept, begun, *_ in part.get("heads", ())}
        self.effects = [*map(self.effects_of, range(count), self.signatures(part, codes))]
        self.births, self.placed = (self.read_births(part, x) for x in ("born", "placed"))
        for i, births in self.placed.items():  # M4: what a call leaves in its operands
            need(i < count and self.code[i][0] == KERNEL, "no call leaves a result")
            letters, op = self.effects[i].writes, self.operators[self.code[i][1]]
            known = {v for v, _ in births} == {*letters} and {*letters.values()} <= {*"pw"}
            need(known, "other results are left")
            self.effects[i] = Record(reads=[], needs=[], writes={}, moves=[], returned=[])
            who = f"instruction {i} of {self.words}, {op}, leaves"
            self.trusted |= {f"{who} v{v} in {series(sources)}" for v, sources in births}
        self.idle = {i for i in part.get("idle", ()) if self.code[i][0] == KERNEL
                     and self.effects[i].writes and self.is_tensor(self.code[i][2][-1])}
        self.find_uses()

    def read_births(self, part, key):
        """By instruction: (value, sources)."""
        births = {}
        for i, v, *sources in part.get(key, ()):
            constant = self.values[v].constant or (key == "born" and v in self.inputs)
            need(self.is_tensor(v, *sources) and not constant, f"v{v} has no birth")
            births.setdefault(i, []).append((v, sources))
        return births

    def signatures(self, part, codes):
        """Of each instruction: the table's, or its own one if it differs or calls a delegate."""
        own, roles = {}, iter(part.get("delegates", ()))
        for i, args in ((i, x[2]) for i, x in enumerate(self.code) if x[0] == DELEGATE):
            role = next(roles, None)
            need(fits(role, [len(args) + 1, len(args)]), "a delegate has no roles")
            made, updated = role[0], {*role[1:]}
            own[i] = "".join("ru"[a in updated] for a in range(len(args) - made)) + "w" * made
        for i, code, *_ in part.get("calls", ()):
            need(self.code[i][0] == KERNEL, "a call is of an operator")
            own[i] = code
        self.trusted |= {f"instruction {i} of {self.words} does {own[i]}" for i in own}
        usual = {MOVE: "vh", JUMP: "r"}
        for i, (kind, target, _) in enumerate(self.code):
            name = self.operators[target] if kind == KERNEL and i not in own else None
            need(name is None or name in codes, f"no signature of {name}")
            yield codes[name] if name is not None else read_signature(own.get(i, usual.get(kind)))

    def effects_of(self, i, letters):
        """What an instruction does to tensors: reads (value, element by element), needs (reads and
        updates), writes (by value, one of w W u f n p), moves and returned (name, its source)."""
        kind, _, args = self.code[i]
        effects = Record(reads=[], needs=[], writes={}, moves=[], returned=[])
        kinds = [letter for letter, _ in letters]  # does an operand with fewer elements repeat them?
        effects.repeats = kinds.count("e") > 1 or not {"u", "W"}.isdisjoint(kinds)
        rest, ends = len(args) - len(letters), {}  # 1: the last one names what the call returns
        need(rest in (0, 1), f"instruction {i} of {self.words} does not fit its signature")
        for (letter, returned), arg in zip(letters, args):
            ends[letter] = arg
            for v in self.tensors(arg):
                effects.needs += [v] * (letter in "reu")
                if letter in "re":
                    effects.reads.append((v, letter == "e"))
                elif letter in "wWufnp":
                    effects.writes.setdefault(v, letter)
            if returned and rest and args[-1] != arg and self.tensors(arg):
                need(self.is_tensor(args[-1], arg), "a tensor is returned as another thing")
                effects.returned.append((args[-1], arg))
        if "v" in ends and "h" in ends and (self.tensors(ends["v"]) or self.tensors(ends["h"])):
            need(self.is_tensor(ends["v"], ends["h"]), "a list of tensors is moved")
            effects.moves = [(ends["h"], ends["v"])]
        return effects

    def find_uses(self):
        self.first_use, self.first_write, self.scalars, named, views = {}, {}, set(), {}, set()
        # Values that are more than what kernels leave alone (M5).
        self.made = {*self.inputs, *(v for births in self.births.values() for v, _ in births)}
        # By value: its names, and what a move or a return makes one tensor with it (M2).
        renamed, self.same, handles = {}, {}, set()
        self.targets = {target for i, (kind, target, _) in enumerate(self.code)
                        if kind == JUMP and target <= i}  # of jumps back
        for i, ((kind, _, args), effects) in enumerate(zip(self.code, self.effects)):
            for v in effects.needs + [v for _, v in effects.moves]:
                self.first_use.setdefault(v, i)
            others = effects.moves + effects.returned + self.placed.get(i, [])
            for v in [*effects.writes, *(to for to, _ in others)]:
                self.first_write.setdefault(v, i)
                self.made |= {v} if effects.writes.get(v) != "n" else set()
            for to, v in effects.moves + effects.returned:
                renamed.setdefault(v, set()).add(to)
                handles |= {to} if self.values[to].place != self.values[v].place else set()
            for to, v in effects.returned + effects.moves * (kind == MOVE):
                self.same.setdefault(v, set()).add(to)
            views |= {to for to, _ in effects.moves if kind != MOVE}
            self.scalars |= set({DELEGATE: args, JUMP: ()}.get(kind, args[-1:]))
        need(views.isdisjoint({to for x in self.same.values() for to in x}),
             "a view is set that is another tensor")
        self.handles = {*reached(renamed, handles)}  # names that lie where something moved them
        for v in reached(self.same, [v for v in self.same if self.values[v].dynamic]):
            self.values[v].dynamic = True
        self.homes = [() if v in self.handles else (x.place,) for v, x in enumerate(self.values)]
        self.homes += [(buffer.place,) for buffer in self.buffers]
        # By value: the buffer that it is a name of, as the certificate or its name says.
        self.own = {v: b for b, x in enumerate(self.buffers) for m, v, _ in x.users if m == self.m}
        self.work.spend(sum(len(x.users) for x in self.buffers))
        known = {x.name for x in self.buffers} - {""}
        for v, value in enumerate(self.values):
            named.setdefault(value.name, []).append(v)
        self.buffer_names = {self.buffers[b].name for b in self.own.values()} - {""}
        for b, buffer in enumerate(self.buffers):
            for v in named.get(buffer.name, ()) if buffer.name in self.buffer_names else ():
                self.work.spend(1)
                if within(self.values[v].place, buffer.place):
                    self.own.setdefault(v, b)
        self.made |= self.own.keys() | {v for v, x in enumerate(self.values) if x.name or x.loaded}
        # What a move or a return, also one of the call before, may make a name of a buffer.
        self.stand_ins = {*reached(self.same, self.own)} - self.own.keys()
        used = {**self.first_write, **self.first_use}
        need(all(v in self.own or self.values[v].name not in known for v in used),
             "a value of a buffer is not listed")

    def fault(self, i, v, words):
        """Something is wrong at an instruction. Along the path of an unsafe claim, goes on."""
        if self.misses is None:
            raise Refuted(f"in {self.words} {words}")
        self.misses.setdefault((i, v), f"in {self.words} {words}")

    def holds(self, s, v):
        constant = self.values[v].constant and v not in self.handles
        return s[v].status == HELD or self.values[v].size == 0 or constant

    def finds(self, s, i, v):
        """R1: whether v holds. Along the path of an unsafe claim, only a loss (a cause) counts."""
        holds, cause = self.holds(s, v), s[v].cause
        if not holds and i in self.idle:
            self.trusted.add(f"nothing needs what instruction {i} of {self.words} reads of v{v}")
        elif not holds and (cause or self.misses is None):
            who = f"instruction {i}" if i < len(self.code) else "the caller"
            self.fault(i, v, f"{who} does not find what v{v} means: {cause or 'nothing made it'}")
        return holds

    # The rules, in the order in which a call meets them.

    def entry(self, lost):
        """M1, M3, R6: what a call finds. Lost: why it does not find a buffer."""
        s = State(self.homes, self.work)
        self.work.spend(len(self.values) + sum(len(x.users) for x in self.buffers))
        for b, buffer in enumerate(self.buffers):
            cause, here = lost.get(b, ""), (buffer.place,)
            s[len(self.values) + b] = Fact(LOST if cause else PART, here, b, cause)
            for v, is_read in ((v, is_read) for m, v, is_read in buffer.users if m == self.m):
                s[v] = Fact(HELD if is_read and not cause else LOST, here, b, cause)
        fills = {v for effects in self.effects for v, x in effects.writes.items() if x == "f"}
        inputs = {v: "w" for v in self.inputs if self.is_tensor(v)}
        rest = {*range(len(self.values))} - self.own.keys() - inputs.keys() - self.handles
        outputs = dict.fromkeys(self.outputs, len(self.code))
        for v in (v for v in rest if self.is_tensor(v) and not self.values[v].constant):
            value, use = self.values[v], self.first_use.get(v, outputs.get(v, -1))
            if value.place[0] < 0 <= use <= self.first_write.get(v, use):
                s[v] = Fact(HELD, self.homes[v])
                self.trusted.add(f"v{v} of {self.words} is set by the caller")
            elif self.misses is None and value.place[0] < 0 < value.size and (
                    v in self.first_write and v not in outputs):
                self.fault(self.first_write[v], v, f"v{v} has no memory")
            elif v in fills and not (value.name or value.loaded):
                s[v] = Fact(VOID, self.homes[v])
        for v in sorted(self.handles):
            if v in inputs or v in self.own:
                self.fault(-1, v, f"v{v} is moved, and not back for the next call")
        self.write_all(s, -1, inputs, True)
        return s

    def bear(self, s, i, v, sources, by_call=False):
        """M4, R4. What a call leaves in its operands, it makes: it may have been made before."""
        need(by_call or self.first_write.get(v, i) >= i, f"v{v} is born after it was written")
        need(v not in self.handles, f"v{v} is born, and a call may have moved it")
        place, facts, alone = self.values[v].place, [s[x] for x in sources], len(sources) == 1
        tiles = sorted(fact.places[0] for fact in facts if len(fact.places) == 1)
        there = len(tiles) == len(sources) and all(self.holds(s, x) for x in sources)
        if there and alone:
            there = within(place, tiles[0])
        elif there:
            ends = [place[:2], *(tile[::2] for tile in tiles)]  # each tile begins where one ends
            there = ends == [*(tile[:2] for tile in tiles), place[::2]] and not any(
                self.values[x].dynamic for x in sources)
        cause = "" if there else next((fact.cause for fact in facts if fact.cause), "")
        buffer = self.own.get(sources[0], facts[0].buffer) if alone else -1
        s[v] = Fact(HELD if there else LOST, (place,), buffer, cause)

    def overlay(self, s, i):
        """R3: of results and operands."""
        effects = self.effects[i]
        written = [(w, p) for w, x in effects.writes.items() if x not in "np" for p in s[w].places]
        self.work.spend(1 + sum(1 + len(s[v].places) * len(written) for v, _ in effects.reads))
        for v, elementwise in effects.reads:
            for at, (w, p) in ((at, x) for at in s[v].places for x in written):
                same = elementwise and at == p and self.same_elements(v, w, effects.repeats)
                if overlap(at, p) and not same:
                    self.fault(i, v, f"instruction {i} writes v{w} over its operand v{v}")

    def same_elements(self, v, w, repeats=False):
        a, b = self.values[v], self.values[w]
        self.work.spend(len(a.sizes) + len(b.sizes))
        plain = all([*x.order] == [*range(len(x.sizes))] for x in (a, b))
        drop = dropwhile if repeats else filterfalse
        longer = [[*drop((1).__eq__, x.sizes)] for x in (a, b)]
        alike = a.size == b.size and ELEMENT[a.dtype] == ELEMENT[b.dtype]
        perhaps = self.misses is not None  # on the path of an unsafe claim: not shown to be others
        return alike and (perhaps or (a.sizes == b.sizes and a.order == b.order) or (
            plain and (longer[0] == longer[1] or not (a.dynamic or b.dynamic))))

    def write(self, s, i, v, letter, sound):
        """R2, M3, M5. The names that were lost."""
        before, places, stores = s[v], s[v].places, False
        if self.misses is None:  # what the path of an unsafe claim does not show
            if not places:
                self.fault(i, v, f"instruction {i} writes v{v}, which the call before has moved")
            if any(hi - lo < self.values[v].size for _, lo, hi in places):
                self.fault(i, v, f"instruction {i} writes v{v} to fewer bytes than it may have")
            if v in self.stand_ins and (letter == "w" or before.buffer < 0):
                self.fault(i, v, f"instruction {i} may store to a buffer by the name of v{v}")
        if v not in self.own and letter != "w" and before.buffer == SOME:
            self.fault(i, v, f"instruction {i} stores to one of several buffers by v{v}")
        if any(bank < 0 and self.values[-1 - bank].constant for bank, _, _ in places):
            self.fault(i, v, f"instruction {i} writes a constant by the name of v{v}")
        cause = f"v{v} was written over it by " + (f"instruction {i}" if i >= 0 else "the caller")
        lost = set().union(*map(s.clear, places)) - {v}
        b = self.own.get(v, -1 if letter == "w" else before.buffer)
        if b >= 0:  # a store, which keeps the buffer's end if it goes to its place
            end, home = len(self.values) + b, self.buffers[b].place
            stores = len(places) == 1 and overlap(places[0], home)
            lost = lost - {end} if stores else lost | {end}
            self.stored.add(b)
        for name in lost:
            s.lose(name, cause)
        lives = sound and (letter in "wW" or before.status > LOST)
        s[v] = Fact(HELD if lives else LOST, places, b, before.cause if sound else "")
        if stores and sound and letter in "wW" and within(home, places[0]):
            s[end] = Fact(HELD, (home,), b)
        elif stores and not sound:
            s.lose(end, "")
        elif stores:
            s[end] = s[end]  # it holds bytes of the place still
        return lost

    def write_all(self, s, i, writes, sound):
        """R3: of two results in common bytes neither is there afterwards."""
        for v, letter in writes.items():
            if letter == "n":
                if v not in self.made:
                    s[v] = Fact(HELD, self.homes[v])
            elif letter == "p":
                where = f"instruction {i} leaves it where no operand lies"
                s.lose(v, where if self.misses is None else "")  # a placed one may be left out
            elif any(writes.get(x, "n") not in "np" for x in self.write(s, i, v, letter, sound)):
                s.lose(v, "another input lies there" if i < 0 else "another result lies there")

    def move(self, s, i, to, source):
        """M2, R4: a name lies where its source lies."""
        fact = s[source]
        one = to in self.same.get(source, ()) and self.values[to].size + self.values[source].size
        if one and self.misses is None and not self.same_elements(to, source):
            self.fault(i, to, f"v{to} becomes v{source}, a tensor of another form")
        if to != source:
            status = HELD if fact.places and self.holds(s, source) else LOST
            s[to] = Fact(status, fact.places, self.own.get(source, fact.buffer), fact.cause)

    def lose_others(self, s, i, v):
        """M2: an et_view sets where its tensor lies, by whatever name. A move does not."""
        names = reached(self.same, [v])[1:] if self.code[i][0] != MOVE else ()
        self.work.spend(len(names))
        for name in names:
            s[name] = Fact(LOST, self.homes[name], cause=f"instruction {i} sets where v{v} lies")

    def step(self, s, i):
        for v, sources in self.placed.get(i, ()):
            self.bear(s, i, v, sources, True)
        effects = self.effects[i]
        sound = all([self.finds(s, i, v) for v in effects.needs])
        self.overlay(s, i)
        for to, source in effects.moves:
            self.lose_others(s, i, to)
            self.move(s, i, to, source)
        self.write_all(s, i, effects.writes, sound)
        for v, letter in effects.writes.items():
            if letter == "W" and all(s[v].places != s[r].places for r, _ in effects.reads):
                self.replaced.add(v)
        for to, source in effects.returned:
            self.move(s, i, to, source)

    def leave(self, s):
        """R1 of outputs. A buffer, or an input that comes back again, is returned as at entry."""
        seen, count = set(), len(self.code)
        for v in (t for v in self.outputs for t in self.tensors(v)):
            self.finds(s, count, v)
            again = v in self.own or self.values[v].name in self.buffer_names or v in seen
            seen |= {v} & self.inputs.keys()
            if again and v in self.replaced and self.values[v].size:
                self.fault(count, v, f"v{v} is returned as it was before a store to it")

    # Paths.

    def advance(self, s, i):
        """One step. Whether a path goes on with the next instruction, and where it jumps, or -1."""
        for v, sources in self.births.get(i, ()):
            self.bear(s, i, v, sources)
        if i == len(self.code):
            self.leave(s)
            return False, -1
        self.step(s, i)
        kind, target, args = self.code[i]
        if kind != JUMP:
            return True, -1
        condition = self.values[args[0]]
        if condition.kind != BOOL or args[0] in self.scalars or args[0] in self.inputs:
            return True, target
        return condition.flag, -1 if condition.flag else target

    def weaken(self, s, i):
        """R5: the invariant at the target of a jump back."""
        kept, begun = self.heads.get(i, (s.facts.keys(), ()))
        for name, fact in list(s.facts.items()):
            if fact.status == VOID and name in begun:
                s[name] = Fact(PART if name in kept else LOST, fact.places)
            elif fact.status != VOID and name not in kept:
                cause = f"the jumps back to {i} do not keep it"
                s[name] = Fact(LOST, s.homes[name], fact.buffer, cause)
        self.work.spend(len(s.facts))
        return dict(s.facts)

    def jump_back(self, s, i, to, invariant):
        """R5: each fact holds again."""
        need(invariant is not None, f"{self.words} comes to {to} by a jump back alone")
        self.work.spend(1 + len(invariant))
        enough = {LOST: range(4), VOID: (VOID,), PART: (VOID, PART, HELD), HELD: (HELD,)}
        for name, fact in invariant.items():
            now = s[name]
            self.work.spend(len(fact.places) + len(now.places))
            lies = not fact.places or (now.places and {*now.places} <= {*fact.places})
            same = fact.buffer in (SOME, now.buffer) and now.status in enough[fact.status]
            if not (lies and same):
                self.fault(i, name, f"the jump at {i} does not bring {name} back to {to}")

    def run(self):
        """Over the listing once. The facts when a call ends; None: no call ends."""
        waiting, invariants, s = {}, {}, self.entry({})
        for i in range(len(self.code) + 1):
            for other in waiting.pop(i, ()):
                s = s or other
                s.join(other)
            if s is not None:
                if i in self.targets:
                    invariants[i] = self.weaken(s, i)
                goes_on, to = self.advance(s, i)
                if to > i:
                    waiting.setdefault(to, []).append(State(self.homes, self.work, s.facts))
                elif to >= 0:
                    self.jump_back(s, i, to, invariants.get(to))
                s = s if goes_on or i == len(self.code) else None
        return s

    def follow(self, path, lost):
        """One path: the jumps that go either way, 1 if taken. The facts at the end of the call, or
        None: the path does not come to it."""
        self.misses, self.replaced = {}, set()  # from here on nothing is refused
        i, s, jumps = 0, self.entry(lost), iter(path)
        for _ in range(2 * (len(path) + 1) * (len(self.code) + 1)):  # some jumps may never end
            goes_on, to = self.advance(s, i)
            taken = next(jumps, None) if goes_on and to >= 0 else to >= 0
            if taken is None or i == len(self.code):
                break
            i = to if taken else i + 1
        return s if i == len(self.code) else None

    # Births that follow from the file.

    def numbered(self):
        """B: whether the listing introduces values in ascending order, at least four."""
        groups, seen, highest = [{v} for v in self.inputs], set(), -1
        for (kind, _, args), effects in zip(self.code, self.effects):
            new = {v for v, letter in effects.writes.items()
                   if letter == "w" and not (self.values[v].name or self.values[v].loaded)}
            new |= {v for v in args if not self.is_tensor(v) and v not in self.scalars and (
                kind in (KERNEL, DELEGATE))}
            groups.append(new)
        for new in groups:
            if min(new - seen, default=highest + 1) <= highest:
                return False
            seen |= new
            highest = max(new | {highest})
        return len(seen) >= 4

    def births_not_in_file(self):
        """B: a line for each birth that does not follow."""
        highest, uses, known, last, top = [], dict(self.first_use), {}, {}, -1
        for kind, _, args in self.code:
            top = max(top, *args, -1)
            highest.append(top)
        for i, births in self.births.items():
            for v, sources in births:
                known.setdefault(v, []).append((i, sources))
                uses.update((x, min(i, uses.get(x, i))) for x in sources)
        numbered, first = known and self.numbered(), min(self.inputs, default=-1)
        touched = {*uses, *known, *self.first_write, *self.own, *self.inputs}
        for v in sorted(v for v in touched if self.is_tensor(v)):
            form = self.values[v].place, self.values[v].dtype
            older, last[form] = last.get(form, -1), v
            for i, sources in known.get(v, ()):
                base, alone = older, len(sources) == 1  # base: the last one, or what it is born of
                while base != sources[0] and base in known and len(known[base][0][1]) == 1:
                    self.work.spend(1)
                    base = min(known[base][0][1][0], base - 1)
                named = self.values[v].name not in ("", self.values[sources[0]].name)
                follows = numbered and len(known[v]) == 1 and v > first and (
                    not (named or self.values[v].loaded)) and (
                    i == min(bisect_right(highest, v), uses.get(v, len(self.code)))
                    and not (v in self.first_write and self.targets)
                    and all(x < v and self.values[x].dtype == form[1] for x in sources)
                    and (base == sources[0] if alone else older < 0))
                if not follows:
                    words = f"v{v} of {self.words} is born before instruction {i} of "
                    yield words + series(sources)

# ---- Methods and policies ----

def is_common(policy, place):
    return place[0] > 0 and (POLICIES[policy] is None or place[0] in POLICIES[policy])

class Calls:
    """R6: the pass over methods, for all orders of calls under each policy."""

    def __init__(self, program, methods, buffers, all_first):
        self.program, self.methods, self.buffers = program, methods, buffers
        self.all_first = all_first
        self.loads = [(m, v, x) for m, method in enumerate(methods)
                      for v, x in enumerate(method.values) if x.place[0] > 0 and x.loaded]

    def stored(self, m):
        """The keys of the buffers that method m stores to."""
        self.program.work.spend(1 + len(self.methods[m].stored))
        return {self.buffers[b].key for b in self.methods[m].stored}

    def lost(self, policy, b, m, reader, s, apart):
        """Why a reader of buffer b does not find what a call of m leaves; None: it does.
        s: the facts when m ends. apart: gets a line if the methods have a buffer each."""
        buffer, method = self.buffers[b], self.methods[m]
        common, end = is_common(policy, buffer.place), s[len(method.values) + b]
        if (common or m == reader) and end.status < PART and buffer.place[1] < buffer.place[2]:
            return end.cause
        self.program.work.spend(len(method.stored))
        for other in (self.buffers[x] for x in method.stored if self.buffers[x].key == buffer.key):
            if other is not buffer or not (common or m == reader):
                if (common and is_common(policy, other.place)) or m == reader or buffer.name:
                    return f"{method.words} stores to another place of it"
                apart.add(f"under {policy}, {method.words} has a buffer apart from {buffer.words}")
        return None

    def judge(self, policy, ends, trusted):
        for b, buffer in enumerate(self.buffers):
            readers = {m for m, _, is_read in buffer.users if is_read}
            for m, reader in ((m, reader) for m, s in enumerate(ends) if s for reader in readers):
                why = self.lost(policy, b, m, reader, ends[m], trusted)
                if why is not None:
                    raise Refuted(f"under {policy}, {buffer.words} is not as a call of "
                                  f"{self.methods[m].words} has to leave it: {why or 'it is lost'}")
            self.program.work.spend(len(self.loads))
            for m, v, value in self.loads if readers else ():
                common = is_common(policy, buffer.place)
                if overlap(value.place, buffer.place) and (common or m in readers):
                    self.load(m, v, b, common, ends[m])

    def load(self, m, v, b, common, end):
        """A load of method m puts the stored value of v over buffer b."""
        buffer, method, value = self.buffers[b], self.methods[m], self.methods[m].values[v]
        own = method.own.get(v) == b and value.place == buffer.place  # v is the buffer itself
        others = [self.methods[n].values[u] for n, u, _ in buffer.users if n != m or u != v]
        self.program.work.spend(len(buffer.users) + len(self.methods))
        keys = {buffer.key, self.buffers[method.own.get(v, b)].key}
        stored = any(keys & self.stored(n) for n in range(len(self.methods)) if not own or n != m)
        alike = all(x.loaded and self.alike(value, x) for x in others if x.loaded or not own)
        found = any(n == m and is_read for n, _, is_read in buffer.users) or (
            end is None or end[len(method.values) + b].status == PART)
        kept = own and (self.all_first or not found)  # no call finds what the load puts there
        if (common or not own) and not (alike and (kept or not stored)):
            raise Refuted(f"loading {method.words} puts v{v} over {buffer.words}")

    def alike(self, a, b):
        """Whether two values are loaded with equal bytes where their places meet."""
        if a.external or b.external:
            return a.external == b.external and a.name == b.name and a.place == b.place
        starts, data = self.program.starts, self.program.data
        need(max(a.stored, b.stored) < len(starts), "a stored value is not there")
        _, lo, hi = overlap(a.place, b.place) or (0, 0, 0)
        one, other = (starts[x.stored] + lo - x.place[1] for x in (a, b))
        need(max(one, other) + hi - lo <= len(data), "a stored value is cut")
        self.program.work.spend((hi - lo) // 64)
        return data[one:one + hi - lo] == data[other:other + hi - lo]

    def show(self, policy, witness):
        """Of an unsafe claim: what does not find what is meant on the path. Nothing: all does."""
        known = 3 <= len(witness) <= 4 and fits(witness[2:], [[len(self.methods), 1 << 32]])
        need(known, "a witness has a reader and calls")
        i, calls, lost = witness[1], witness[2:], {}
        (reader, *path), method = calls[0], self.methods[calls[0][0]]
        need(fits(i, len(method.code) + 1), "a reader is an instruction")
        for m, *before in calls[1:]:
            s = self.methods[m].follow(before, {})
            need(s, "the path of a call does not come to its end")
            undone = self.stored(m) if m != reader and not self.all_first else set()
            self.program.work.spend(len(self.buffers) * (1 + len(self.loads)))
            for b, buffer in enumerate(self.buffers):
                lost[b] = self.lost(policy, b, m, reader, s, set()) or ""
                if buffer.key in undone and any(
                        n == reader and method.own.get(v) == b for n, v, _ in self.loads):
                    lost[b] = "its load puts the stored value back"
        method.follow(path, lost)
        first = "".join(f", after a call of {self.methods[m].words}" for m, *_ in calls[1:])
        jumps = " on the path shown" if any(path for _, *path in calls) else ""
        return [words + first + jumps for (at, _), words in method.misses.items() if at == i]

def misplaced(methods):
    """[method, value] that leaves its bank, or is not aligned and begins where no other ends."""
    found = []
    for m, method in enumerate(methods):
        ends = {(x.place[0], x.place[2]) for x in method.values if x.size}
        banks = dict(enumerate(method.banks))
        for v, value in enumerate(method.values):
            bank, lo, hi = value.place
            odd = lo % ELEMENT[value.dtype] and (bank, lo) not in ends
            found += [[m, v]] if bank > 0 and (odd or hi > banks.get(bank, 0)) else []
    return found

def buffers_not_in_file(methods, buffers):
    first = [min(x.inputs, default=-1) if x.numbered() else -1 for x in methods]
    for buffer in buffers:
        for m, v, is_read in buffer.users:
            loaded, words = methods[m].values[v].loaded, f"v{v} of {methods[m].words}"
            if not (buffer.name or loaded or v < first[m]):
                yield f"{words} is a buffer"
            if (is_read or buffer.place[0] < 0) and not loaded:
                yield f"{words} is there before the first call"
        if not buffer.name and len(buffer.users) > 1:
            names = [f"v{v} of {methods[m].words}" for m, v, _ in buffer.users]
            yield f"{' and '.join(names)} are one buffer"

# ---- Claims ----

def read_operators():
    text = Path(__file__).with_name("operators.tsv").read_bytes()
    lines = [line for line in text.decode("ascii").splitlines() if not line.startswith("#")]
    return dict(line.split("\t") for line in lines), hashlib.sha256(text).hexdigest()

def judge_unsafe(calls, policy, claim, wrong, confirmed, unchecked):
    shown, known = [], {*map(tuple, wrong)}
    for witness in claim:
        need(fits(witness, [object, object]), "a witness is not a list")
        if witness[0] != "place":
            shown += calls.show(policy, witness)
        elif fits(witness[1:], [1 << 32]) and tuple(witness[1:]) in known:
            shown.append(f"v{witness[2]} of method {witness[1]} is misplaced in its bank")
    confirmed += [f"{policy} is unsafe: {line}" for line in shown[:1]]
    if not shown:
        unchecked.append(f"{policy}: unsafe, which no path of the certificate shows")
    elif shown[0].endswith("on the path shown"):
        unchecked.append(f"{policy}: that this path can be taken")

def read(data, text, reviewed, data_files=(), kind=Method):
    """The certificate, and the methods and their calls as it describes them."""
    cert = read_certificate(text)
    hashes = [hashlib.sha256(x).hexdigest() for x in (data, *data_files)]
    need([cert["file"], *cert.get("data", [])] == hashes, "it is of another file, or other data")
    program, stated = read_program(data, len(text)), cert.get("operators", {})
    codes = {name: read_signature(code) for name, code in {**reviewed, **stated}.items()}
    methods = [kind(m, program.work.get, x) for m, x in enumerate(program.tables)]
    buffers, parts = read_buffers(methods, cert.get("buffers", [])), cert.get("methods", [])
    need(len(parts) == len(methods), "it has another number of methods")
    for method, part in zip(methods, parts):
        method.read(part, buffers, codes, program.work)
    return cert, methods, Calls(program, methods, buffers, cert.get("load") == "all-first")

def check(data, text, reviewed, data_files=()):
    """Lines (confirmed, trusted, not checked). Raises Refuted, Malformed or TooMuch."""
    cert, methods, calls = read(data, text, reviewed, data_files)
    stated = cert.get("operators", {})
    confirmed, unchecked, trusted, wrong = [], [], set(), misplaced(methods)
    is_safe = "safe" in cert["claims"].values()
    for m, v in wrong if is_safe else ():
        raise Refuted(f"v{v} of {methods[m].words} is misplaced in its bank")
    ends = [method.run() for method in methods] if is_safe else []
    for policy, claim in sorted(cert["claims"].items()):
        if claim == "safe":
            calls.judge(policy, ends, trusted)
            confirmed.append(f"{policy}: each read finds what is meant, in all orders of calls")
        elif claim == "undecided":
            unchecked.append(f"{policy}: undecided")
        else:
            judge_unsafe(calls, policy, claim, wrong, confirmed, unchecked)
    trusted |= {f"operator {x} does {stated[x]}" for x in stated if stated[x] != reviewed.get(x)}
    trusted |= {*buffers_not_in_file(methods, calls.buffers)}
    for method in methods:
        trusted |= {*method.trusted, *method.births_not_in_file()}
    trusted |= {"all methods are loaded before the first call"} if calls.all_first else set()
    trusted |= {f"the manifest {cert['manifest']}"} if "manifest" in cert else set()
    trusted |= {"outputs are read before the next call of a method"} if "outputs" in cert else set()
    unchecked += ["what was shown of a new plan (shown)"] if "shown" in cert else []
    return confirmed, sorted(trusted), unchecked

ALWAYS = """operators do as operators.tsv says before they return, and compute what is meant
           tensors stay within the sizes of the file, as the runtime checks when it resizes
           dynamic operands of equal bounds are of equal sizes, as the exporter has it
           the caller sets inputs before each call, apart from each other and from the banks
           a value that nothing writes means what rule B says
           a buffer starts alike in all methods, and without a name is one if a line says so
           methods are loaded directly before their first call, or as a line says
           all stores that the model asks for are in the file"""

def main(arguments):
    if arguments[:1] == ["--trace"]:  # for the proved rules, in sound: no part of the checker
        import pteproof_trace
        return pteproof_trace.main(arguments[1:])
    if len(arguments) < 2:
        print("usage: pteproof_checker.py model.pte model.cert.json [data.ptd ...]")
        return 2
    reviewed, version = read_operators()
    try:
        data, text, *more = (Path(name).read_bytes() for name in arguments)
        lines = dict(zip(("confirmed", "trusted", "unchecked"), check(data, text, reviewed, more)))
        code = 3 if lines["unchecked"] or not lines["confirmed"] else 0
    except (Malformed, OSError, Refuted, TooMuch) as error:
        word, code = {Refuted: ("refuted", 1), TooMuch: ("unchecked", 3)}.get(
            type(error), ("malformed", 2))
        lines = {word: [error]}
    for word, listing in lines.items():
        for line in listing:  # names of the file may not look like other lines
            print(f"{word:9}  {str(line).encode('unicode_escape').decode()}")
    if "trusted" in lines:
        print(f"trusted    {ALWAYS}\noperators  {version}")
    return code

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
