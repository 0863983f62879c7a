#!/usr/bin/env python3
"""Confirms what a certificate says of the memory plan of an ExecuTorch program.

    python pteproof_checker.py model.pte model.cert.json [data.ptd ...]

Exit code 0: all claims are confirmed; 1: one is refuted; 2: an input is malformed; 3: confirmed in
part. Python 3.10, standard library only; operators.tsv lies beside this file. Nothing is shared
with the tool that writes certificates, and no certificate is believed.

WHAT A RIGHT PLAN IS

A program has methods, and a method is a list of instructions over values. Most values are tensors,
and the plan gives each a place: bytes [lo, hi) of a bank. Many tensors share bytes. What a program
*means* is the run in which each value has memory of its own:

  M1  A value that an instruction writes means, at each read, what was last written to it on the path
      taken. The caller writes the inputs before the call. Nothing ever writes a constant.
  M2  A move, an et_view, and what a call returns for an argument name the content of their source.
  M3  A buffer lives from call to call and starts with its stored value. A value of each method
      stands for it. A write to that value, or in place to a name taken from it, is a store to it.
  M4  A value that no instruction has written is *born*: it means what its sources hold then (a
      view, a concatenation, a slice). The certificate says of what, and before which instruction.
  M5  A fill writes a part and leaves the rest. Before the first fill the rest means anything.

The plan is right if each read, each output, and each buffer when a call ends, find what is meant in
their places.

HOW THAT IS CONFIRMED

One pass over a listing keeps equations "what n means lies in these bytes": n is a value, or the end
of a buffer, which is what the next call finds.

  R1  A read of n needs its equation. So does an output.
  R2  A write to n ends all equations that have a byte of its place; then n lies there. An update
      reads n first. A store to a buffer makes the equation of its end.
  R3  A result may share bytes with an operand only if both have one place, and the operator takes
      element i of the operand for element i of the result. Results of one call share no bytes.
  R4  A birth gives an equation if those of its sources hold, and their places put together are its
      place, or the only one lies around it.
  R5  Where paths join, what holds on each holds. At the target of a jump back, what the certificate
      keeps is kept, and must hold again at each jump back.
  R6  Before each call, each buffer that some method reads lies in its place. So it must when a call
      of any method ends that has the bank in common under the policy. This is for all orders of
      calls. A load puts stored values into their places.
  B   A birth follows from the file if the listing introduces values in ascending order, the moment
      is the first instruction with a higher number or the first use, the sources are older, and
      the only one is the last older value of the same place and type; or no older value is, and
      they are several of that type. Other births are printed as trusted.

A certificate can lie about births, buffers without a name, results of delegates, and operators that
are not in operators.tsv: all of that is printed. Who doubts such a line should doubt the verdict.
An unsafe claim comes with one path, or two calls: there a read does not find what is meant.
"""

import hashlib
import json
import struct
import sys
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from pathlib import Path

SCHEMA, STEPS_PER_BYTE, FREE_STEPS = 1, 200, 200_000
POLICIES = {"private": (), "share-1-2": (1, 2), "share-all": ()}  # banks in common, or all
ELEMENT = dict(enumerate((1, 1, 2, 4, 8, 2, 4, 8, 4, 8, 16, 1, 1, 1, 4, 2, 1, 1, 1, 1, 1, 1, 2, 1,
                          1, 1, 1, 2, 4, 8)))  # bytes of an element, by type
BOOL, TENSOR, TENSORS, OPTIONALS = 3, 5, 10, 11  # kinds of values
KERNEL, DELEGATE, MOVE, JUMP, FREE = range(1, 6)  # kinds of instructions


class Malformed(Exception):
    """An input is not what it has to be."""


class Refuted(Exception):
    """A claim does not hold, or does not follow by the rules."""


class TooMuch(Exception):
    """More work than the size of the inputs allows."""


def need(condition, otherwise):
    if not condition:
        raise Malformed(otherwise)


class Work:
    def __init__(self, size):
        self.left = FREE_STEPS + STEPS_PER_BYTE * size

    def spend(self, steps):
        self.left -= steps
        if self.left < 0:
            raise TooMuch()


# ---- The file. A table is its offset, 0 if it is absent; each look stays within the bytes. ----


class Flat:
    def __init__(self, data, work):
        self.data, self.work = data, work

    def number(self, form, at):
        need(0 <= at and at + struct.calcsize(form) <= len(self.data), f"nothing at byte {at}")
        self.work.spend(1)
        return struct.unpack_from("<" + form, self.data, at)[0]

    def slot(self, table, index):
        if table == 0:
            return 0
        vtable = table - self.number("i", table)
        if 6 + 2 * index > self.number("H", vtable):
            return 0
        offset = self.number("H", vtable + 4 + 2 * index)
        return table + offset if offset else 0

    def scalar(self, table, index, form):
        at = self.slot(table, index)
        return self.number(form, at) if at else 0

    def table(self, table, index):
        at = self.slot(table, index)
        return at + self.number("I", at) if at else 0

    def vector(self, table, index, form):
        at = self.table(table, index)
        count = self.number("I", at) if at else 0
        need(at + 4 + count * struct.calcsize(form) <= len(self.data), f"a list at {at} is cut")
        self.work.spend(count)
        return struct.unpack_from(f"<{count}{form}", self.data, at + 4) if count else ()

    def tables(self, table, index):
        at = self.table(table, index) + 4
        return [at + 4 * k + to for k, to in enumerate(self.vector(table, index, "I"))]

    def text(self, table, index):
        return bytes(self.vector(table, index, "B")).decode("utf-8", "replace")


@dataclass
class Value:
    kind: int
    flag: bool = False  # of a Bool
    items: tuple = ()  # of a list of tensors: values, -1 for none
    dtype: int = 0
    sizes: tuple = ()
    order: tuple = ()  # of the dimensions
    data: int = 0  # number of its stored bytes, 0: none
    place: tuple = (0, 0, 0)  # bank, first byte, end; below bank 0: memory of its own
    dynamic: bool = False
    external: bool = False  # its bytes come from a .ptd
    name: str = ""

    def size(self):
        return self.place[2] - self.place[1]

    def loaded(self):
        return self.data > 0 or self.external

    def constant(self):
        return self.place[0] < 0 and self.loaded()


@dataclass
class Method:
    name: str
    values: list
    inputs: tuple
    outputs: tuple
    code: list  # (kind, operator, delegate or value, arguments)
    operators: list
    delegates: list
    banks: tuple

    def tensors(self, v):
        value = self.values[v]
        return (v,) if value.kind == TENSOR else tuple(t for t in value.items if t >= 0)

    def tensor(self, v):
        return self.values[v].kind == TENSOR


def read_value(flat, table, number):
    kind, at = flat.scalar(table, 0, "B"), flat.table(table, 1)
    if kind != TENSOR:
        items = flat.vector(at, 0, "i") if kind in (TENSORS, OPTIONALS) else ()
        return Value(kind, flag=kind == BOOL and flat.scalar(at, 0, "B") != 0, items=items)
    dtype, sizes = flat.scalar(at, 0, "b"), flat.vector(at, 2, "i")
    need(dtype in ELEMENT and min(sizes, default=0) >= 0, f"value {number} has no sizes or type")
    count = ELEMENT[dtype]
    for size in sizes:
        count *= size
        need(count < 1 << 62, f"value {number} is too large")
    place, allocation, extra = (-1 - number, 0, count), flat.table(at, 6), flat.table(at, 9)
    if allocation:
        lo = flat.scalar(allocation, 1, "I") | flat.scalar(allocation, 2, "I") << 32
        place = (flat.scalar(allocation, 0, "I"), lo, lo + count)
        need(place[0] > 0, f"value {number} lies in bank 0")
    return Value(kind, dtype=dtype, sizes=sizes, order=flat.vector(at, 3, "B"), place=place,
                 data=flat.scalar(at, 5, "I"), dynamic=flat.scalar(at, 8, "b") != 0,
                 external=flat.scalar(extra, 2, "b") == 1, name=flat.text(extra, 1))


def read_code(flat, chains):
    code = []
    for chain in chains:
        first = len(code)
        for table in flat.tables(chain, 2):
            kind, at = flat.scalar(table, 0, "B"), flat.table(table, 1)
            need(KERNEL <= kind <= FREE, "an instruction is empty")
            args = () if kind == FREE else (flat.scalar(at, 1, "i"),)
            if kind in (KERNEL, DELEGATE):
                args = flat.vector(at, 1, "i")
            elif kind == JUMP:
                args = (args[0] + first,)
            code.append((kind, flat.scalar(at, 0, "i"), args))
    return code


def read_method(flat, table):
    values = [read_value(flat, t, v) for v, t in enumerate(flat.tables(table, 2))]
    names = [(flat.text(t, 0), flat.text(t, 1)) for t in flat.tables(table, 6)]
    method = Method(flat.text(table, 0), values, flat.vector(table, 3, "i"),
                    flat.vector(table, 4, "i"), read_code(flat, flat.tables(table, 5)),
                    [name + "." * bool(overload) + overload for name, overload in names],
                    [flat.text(t, 0) for t in flat.tables(table, 7)], flat.vector(table, 8, "q"))
    used = [*method.inputs, *method.outputs]
    for kind, target, args in method.code:
        used += () if kind == JUMP else args
        table = {KERNEL: names, DELEGATE: method.delegates}.get(kind, values)
        need(0 <= target < len(table), f"'{method.name}' names a thing that it has not")
        need(kind != JUMP or 0 <= args[0] <= len(method.code), "a jump leaves the method")
    need(all(0 <= v < len(values) for v in used), f"'{method.name}' names a value that it has not")
    for t in (t for value in values for t in value.items):
        need(-1 <= t < len(values) and (t < 0 or method.tensor(t)), "a list holds no tensors")
    return method


@dataclass
class Program:
    methods: list
    initial: dict  # stored values of buffers: where each begins, by number
    data: bytes
    work: Work


def read_program(data, size_of_certificate):
    need(data[4:8] == b"ET12" and len(data) >= 64, "not an ExecuTorch program")
    size, base = struct.unpack_from("<QQ", data, 16) if data[8:12] == b"eh00" else (len(data), 0)
    work = Work(min(size, len(data)) + size_of_certificate)
    flat = Flat(data[:size], work)
    root = flat.number("I", 0)
    methods = [read_method(flat, t) for t in flat.tables(root, 1)]
    segments, initial = flat.tables(root, 4), {}
    for part in flat.tables(root, 6)[:1]:
        index = flat.scalar(part, 0, "I")
        need(index < len(segments), "a segment that is not there")
        start = base + flat.scalar(segments[index], 0, "Q")
        initial = {k: start + offset for k, offset in enumerate(flat.vector(part, 1, "Q"))}
    return Program(methods, initial, data, work)


# ---- The certificate ----


def whole(number, limit, what):
    need(type(number) is int and 0 <= number < limit, f"{what} is not a number below {limit}")
    return number


def listed(thing, what):
    need(type(thing) is list, f"{what} is not a list")
    return thing


def keyed(thing, keys, what):
    need(type(thing) is dict and thing.keys() <= keys, f"{what} has other keys than {sorted(keys)}")
    return thing


def read_certificate(text):
    def no_number(word):
        raise Malformed(f"{word} is not a number")

    try:
        cert = json.loads(text, parse_constant=no_number)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"the certificate is not JSON ({type(error).__name__})") from None
    keyed(cert, {"schema", "file", "data", "manifest", "load", "claims", "operators", "buffers",
                 "methods", "other", "shown"}, "the certificate")
    need(cert.get("schema") == SCHEMA, f"the certificate's schema is not {SCHEMA}")
    need(cert.get("load", "any") in ("any", "all-first"), "unknown load order")
    keyed(cert.get("claims"), POLICIES.keys(), "claims")
    need(type(cert.get("operators", {})) is dict, "operators are by name")
    return cert


@dataclass
class Buffer:
    """A buffer at one place. All places with one key are one buffer of the model."""

    key: int
    name: str
    place: tuple
    users: list = field(default_factory=list)  # (method, value, whether a call reads what it finds)


def read_buffers(program, listing):
    buffers, names = {}, set()
    for key, entry in enumerate(listed(listing, "buffers")):
        name, *users = listed(entry, "a buffer") or [None]
        need(type(name) is str and name not in names, "a buffer's name is text, and its own")
        names |= {name} - {""}
        for user in users:
            need(len(listed(user, "a user")) in (2, 3), "a buffer's user is [method, value]")
            m = whole(user[0], len(program.methods), "a method")
            v = whole(user[1], len(program.methods[m].values), "a value")
            value = program.methods[m].values[v]
            fits = value.kind == TENSOR and not value.constant() and value.name == name
            need(fits, f"v{v} is not buffer '{name}'")
            where = (key, value.place, m if value.place[0] < 0 else -1)
            buffer = buffers.setdefault(where, Buffer(key, name, value.place))
            buffer.users.append((m, v, len(user) == 2))
    return list(buffers.values())


def read_births(method, listing):
    """By instruction: (value, sources)."""
    births = {}
    for entry in listed(listing, "births"):
        need(len(listed(entry, "a birth")) >= 3, "a birth is [instruction, value, source...]")
        at = whole(entry[0], len(method.code) + 1, "an instruction")
        v, *sources = (whole(x, len(method.values), "a value") for x in entry[1:])
        fits = all(method.tensor(x) for x in (v, *sources)) and not method.values[v].constant()
        need(fits and v not in method.inputs, f"v{v} has no birth")
        births.setdefault(at, []).append((v, sources))
    return births


def read_signature(code):
    """(letter, whether the call returns it) for each argument: operators.tsv says what they mean."""
    letters = []
    need(type(code) is str and set(code) <= set("-rewWufnvh>"), "a signature is of other letters")
    for k, letter in enumerate(code):
        if letter != ">":
            letters.append((letter, code[k + 1:k + 2] == ">"))
    return letters


@dataclass
class Effects:
    """What one instruction does to tensors."""

    reads: list = field(default_factory=list)  # (value, element by element)
    writes: dict = field(default_factory=dict)  # by value: one of w W u f n
    names: list = field(default_factory=list)  # (name, argument): returned, after the writes
    moves: list = field(default_factory=list)  # (name, source): it lies where its source lies


def effects_of(method, i, letters):
    kind, target, args = method.code[i]
    effects = Effects()
    if kind == JUMP:
        effects.reads = [(v, False) for v in method.tensors(target)]
    if kind == MOVE and method.tensor(target) and method.tensor(args[0]):
        effects.moves = [(args[0], target)]
    elif kind == MOVE and (method.tensors(target) or method.tensors(args[0])):
        raise Refuted(f"instruction {i} of '{method.name}' moves a list of tensors")
    if kind not in (KERNEL, DELEGATE):
        return effects
    rest = len(args) - len(letters)
    need(rest in (0, 1), f"instruction {i} of '{method.name}' does not fit its signature")
    for (letter, returned), arg in zip(letters, args):
        for v in method.tensors(arg):
            if letter in "re":
                effects.reads.append((v, letter == "e"))
            elif letter in "wWufn":
                effects.writes.setdefault(v, letter)
        if returned and rest and args[-1] != arg and method.tensor(args[-1]) and method.tensor(arg):
            effects.names.append((args[-1], arg))
    kinds = [letter for letter, _ in letters]
    if "v" in kinds and "h" in kinds:
        effects.moves = [(args[kinds.index("h")], args[kinds.index("v")])]
        need(all(method.tensor(v) for v in effects.moves[0]), "a view of no tensor")
    return effects


# ---- Equations ----


def meets(a, b):
    return a[0] == b[0] and max(a[1], b[1]) < min(a[2], b[2])


def within(inner, outer):
    return inner[0] == outer[0] and outer[1] <= inner[1] and inner[2] <= outer[2]


class Bytes:
    """One bank: stretches of bytes, each with the equations that have it: (name, number)."""

    def __init__(self, work):
        self.starts, self.owners, self.work = [0], [()], work

    def cut(self, at):
        k = bisect_left(self.starts, at)
        if k == len(self.starts) or self.starts[k] != at:
            self.starts.insert(k, at)
            self.owners.insert(k, self.owners[k - 1])
        return k

    def clear(self, lo, hi):
        first, last = self.cut(lo), self.cut(hi)
        owners = {owner for k in range(first, last) for owner in self.owners[k]}
        self.work.spend(last - first + len(owners))
        self.starts[first:last], self.owners[first:last] = [lo], [()]
        return owners

    def add(self, lo, hi, owner, is_current):
        for k in range(self.cut(lo), self.cut(hi)):
            self.work.spend(1 + len(self.owners[k]))
            self.owners[k] = (*filter(is_current, self.owners[k]), owner)


class State:
    """The equations at one point of a path."""

    def __init__(self, work):
        self.work, self.banks, self.count = work, {}, 0
        self.held = {}  # by name: (places, number); several: it lies in one of them
        self.at = {}  # by moved name: the places where it may lie; absent: anywhere
        self.alias = {}  # by value: the buffer that it is a name of
        self.void, self.maybe = set(), set()  # not filled yet: on all paths; held, but void on some
        self.lost = {}  # by name: (instruction, value) that was written over it

    def copy(self):
        new = State(self.work)
        self.work.spend(1 + len(self.at) + len(self.alias) + len(self.lost))
        new.at, new.alias, new.lost = dict(self.at), dict(self.alias), dict(self.lost)
        for name, (places, _) in self.held.items():
            new.hold(name, places)
        new.void, new.maybe = set(self.void), set(self.maybe)
        return new

    def is_current(self, owner):
        return self.held.get(owner[0], (0, 0))[1] == owner[1]

    def hold(self, name, places):
        self.count += 1
        self.held[name] = (places, self.count)
        self.void.discard(name)
        self.maybe.discard(name)
        for place in places:
            self.own(name, place)

    def own(self, name, place):
        bank = self.banks.setdefault(place[0], Bytes(self.work))
        if place[1] < place[2]:
            bank.add(place[1], place[2], (name, self.held[name][1]), self.is_current)

    def lose(self, name, cause):
        if self.held.pop(name, None) is not None:
            self.lost[name] = cause
        self.maybe.discard(name)

    def clear(self, place):
        """The names that had a byte of the place, which have to be lost."""
        if place[1] >= place[2] or place[0] not in self.banks:
            return set()
        owners = self.banks[place[0]].clear(place[1], place[2])
        return {owner[0] for owner in owners if self.is_current(owner)}

    def take(self, to, source, places):
        """M2: a name of the same content, in the same places."""
        if source in self.held and source not in self.maybe:
            self.hold(to, places)
            if source in self.alias:
                self.alias[to] = self.alias[source]


def meet(a, b):
    """R5: what holds on both paths."""
    new = State(a.work)
    new.at = {n: tuple({*p, *b.at[n]}) for n, p in a.at.items() if n in b.at}
    new.alias = {n: k for n, k in a.alias.items() if b.alias.get(n) == k}
    new.lost = {**a.lost, **b.lost}
    for one, other in ((a, b), (b, a)):
        one.work.spend(1 + len(one.held) + len(one.at) + len(one.alias) + len(one.lost))
        for name, (places, _) in one.held.items():
            if name in other.void:
                new.hold(name, places)
            elif one is a and name in b.held and (name in new.at or b.held[name][0] == places):
                new.hold(name, new.at.get(name, places))
    new.void = a.void & b.void
    new.maybe = (a.void | b.void | a.maybe | b.maybe) & new.held.keys()
    return new


# ---- One method ----


class Walk:
    """The pass over a method. Name len(values) + b is the end of buffer b."""

    def __init__(self, program, m, buffers, part, codes):
        self.method, self.m, self.buffers, self.work = program.methods[m], m, buffers, program.work
        self.values, self.misses, self.trusted = self.method.values, None, []
        keyed(part, {"born", "placed", "delegates", "calls", "heads", "idle"}, "a method")
        count, names = len(self.method.code), len(self.values) + len(buffers)
        self.births = read_births(self.method, part.get("born", []))
        self.placed = read_births(self.method, part.get("placed", []))
        self.idle = {whole(i, count, "an instruction") for i in listed(part.get("idle", []), "idle")}
        self.heads = {}
        for head in listed(part.get("heads", []), "heads"):
            need(len(listed(head, "a head")) == 3, "a head is [instruction, kept, begun]")
            sets = [{whole(n, names, "a name") for n in listed(p, "names")} for p in head[1:]]
            self.heads[whole(head[0], count, "an instruction")] = sets
        self.read_effects(part, codes)
        self.idle = {i for i in self.idle if self.method.code[i][0] == KERNEL
                     and self.effects[i].writes and self.method.tensor(self.method.code[i][2][-1])}
        self.find_uses()
        self.find_buffers()
        self.stored, self.replaced = set(), set()  # keys of buffers; values that copy_ replaced

    def read_effects(self, part, codes):
        """Of all instructions; what is not in the table becomes a trusted line."""
        method, own, self.effects = self.method, {}, []
        for call in listed(part.get("calls", []), "calls"):
            need(len(listed(call, "a call")) == 2, "a call is [instruction, signature]")
            own[whole(call[0], len(method.code), "an instruction")] = read_signature(call[1])
            self.trusted.append(f"instruction {call[0]} of '{method.name}' does {call[1]}")
        delegates = iter(listed(part.get("delegates", []), "delegates"))
        for i, (kind, target, args) in enumerate(method.code):
            letters = own.get(i, ())
            if kind == DELEGATE:
                roles = listed(next(delegates, None), "the roles of a delegate call")
                outputs, *updated = (whole(x, len(args) + 1, "a role") for x in roles or [None])
                letters = [("u" if a in updated else "r", False) for a in range(len(args) - outputs)]
                letters += [("w", False)] * outputs
                also = f", and updates {updated}" if updated else ""
                self.trusted.append(f"delegate call {i} of '{method.name}' makes the last {outputs} "
                                    f"of its {len(args)} arguments{also}")
            elif kind == KERNEL and i not in own:
                need(method.operators[target] in codes, f"no signature of {method.operators[target]}")
                letters = codes[method.operators[target]]
            self.effects.append(effects_of(method, i, letters))
        for i, births in self.placed.items():
            need(i < len(method.code) and method.code[i][0] == KERNEL, "no call leaves a result")
            need({v for v, _ in births} == set(self.effects[i].writes), "other results are left")
            name, self.effects[i] = method.operators[method.code[i][1]], Effects()
            for v, sources in births:
                self.trusted.append(f"instruction {i} of '{method.name}' ({name}) leaves v{v} in "
                                    f"{', '.join(f'v{x}' for x in sources)}")

    def find_uses(self):
        self.first_use, self.first_write, self.scalars = {}, {}, set()
        self.handles = set()  # names that lie where something moved them
        self.targets = {args[0] for i, (kind, _, args) in enumerate(self.method.code)
                        if kind == JUMP and args[0] <= i}  # of jumps back
        for i, effects in enumerate(self.effects):
            kind, _, args = self.method.code[i]
            updated = [v for v, letter in effects.writes.items() if letter == "u"]
            for v in [v for v, _ in effects.reads] + [v for _, v in effects.moves] + updated:
                self.first_use.setdefault(v, i)
            names = [to for to, _ in effects.names + effects.moves]
            for v in [*effects.writes, *names]:
                self.first_write.setdefault(v, i)
            self.handles |= {to for to, _ in effects.moves}
            self.handles |= {to for to, v in effects.names if self.place(to) != self.place(v)}
            self.scalars |= set(args if kind == DELEGATE else () if kind == JUMP else args[-1:])

    def find_buffers(self):
        """By value: the buffer that it is a name of, as the certificate or its name says."""
        users = [(b, v) for b, buffer in enumerate(self.buffers) for m, v, _ in buffer.users
                 if m == self.m]
        self.own, named = {v: b for b, v in users}, {}
        for b, _ in users:
            named.setdefault(self.buffers[b].name, []).append(b)
        self.names = named.keys() - {""}
        for v, value in enumerate(self.values):
            for b in named.get(value.name, ()) if value.name and v not in self.own else ():
                if within(value.place, self.buffers[b].place):
                    self.own[v] = b

    def end(self, b):
        return len(self.values) + b

    def place(self, v):
        return self.values[v].place

    def where(self, s, v):
        """The places in one of which a value lies; None: unknown."""
        return s.at.get(v) if v in self.handles else (self.place(v),)

    def holds(self, s, v):
        value = self.values[v]
        return value.size() == 0 or value.constant() or (v in s.held and v not in s.maybe)

    def fault(self, i, v, words):
        words = f"in '{self.method.name}' " + words
        if self.misses is None:
            raise Refuted(words)
        self.misses.setdefault((i, v), words)

    def miss(self, s, i, v):
        cause = s.lost.get(v)
        if cause is None and self.misses is not None:
            return  # of an unsafe claim, only a loss counts
        if cause is None or type(cause) is str:
            why = cause or "nothing has made it"
        else:
            by = f"instruction {cause[0]}" if cause[0] >= 0 else "the caller"
            why = f"v{cause[1]} was written over it by {by}"
        who = f"instruction {i}" if i < len(self.method.code) else "the caller"
        self.fault(i, v, f"{who} does not find what v{v} means: {why}")

    # The rules, in the order in which a call meets them.

    def entry(self, lost=()):
        """M1, M3, R6: what a call finds."""
        s, method = State(self.work), self.method
        for b, buffer in enumerate(self.buffers):
            ours = [(v, is_read) for m, v, is_read in buffer.users if m == self.m]
            if (buffer.place[0] > 0 or ours) and b not in lost:
                s.hold(self.end(b), (buffer.place,))
            for v, is_read in ours:
                s.alias[v] = b
                if is_read:
                    s.hold(v, (buffer.place,))
                    if b in lost:
                        s.lose(v, lost[b])
        for v, value in enumerate(self.values):
            brought = value.kind == TENSOR and value.place[0] < 0 and v not in self.own
            if brought and not value.constant() and v not in method.inputs:
                use = min(self.first_use.get(v, 1 << 62), len(method.code))
                if v not in self.handles and use <= self.first_write.get(v, 1 << 62):
                    s.hold(v, (value.place,))
                    if v in self.first_use or v in method.outputs:
                        self.trusted.append(f"v{v} of '{method.name}' is set by the caller")
        filled = {v for effects in self.effects for v, x in effects.writes.items() if x == "f"}
        s.void = filled - s.held.keys() - self.own.keys() - set(method.inputs)
        inputs = {v: "w" for v in method.inputs if method.tensor(v)}
        for v in self.handles & (inputs.keys() | self.own.keys()):
            s.at[v] = (self.place(v),)
            if self.place(v)[0] > 0:
                self.trusted.append(f"v{v} of '{method.name}', which a call moves, lies in its own "
                                    "place when the next call begins")
        self.write_all(s, -1, inputs, True)
        return s

    def bear(self, s, i, v, sources):
        """M4, R4."""
        place, places = self.place(v), [self.where(s, x) or () for x in sources]
        need(self.first_write.get(v, i) >= i, f"v{v} is born after it was written")
        fits = all(self.holds(s, x) and len(p) == 1 for x, p in zip(sources, places))
        if fits and len(sources) > 1:
            tiles = sorted(p[0] for p in places)
            fits = all(a[0] == b[0] and a[2] == b[1] for a, b in zip(tiles, tiles[1:]))
            places = [[(tiles[0][0], tiles[0][1], tiles[-1][2])]]
            fits = fits and places[0][0] == place
        fits = fits and within(place, places[0][0])
        s.lose(v, (i, v))
        s.alias.pop(v, None)
        if fits:
            s.at.update({v: (place,)} if v in self.handles else {})
            s.hold(v, (place,))
            if len(sources) == 1 and sources[0] in s.alias:
                s.alias[v] = s.alias[sources[0]]
        else:
            s.lost.update({v: s.lost[x] for x in sources if x in s.lost and x not in s.held})

    def operands(self, s, i):
        """R1, R3. Whether all operands are there."""
        effects, sound = self.effects[i], True
        updated = [v for v, letter in effects.writes.items() if letter == "u"]
        for v in [v for v, _ in effects.reads] + updated:
            if not self.holds(s, v):
                sound = False
                if i not in self.idle:
                    self.miss(s, i, v)
                else:
                    self.trusted.append(f"nothing needs what instruction {i} of "
                                        f"'{self.method.name}' reads of v{v}")
        written = [(w, p) for w, x in effects.writes.items() if x != "n"
                   for p in self.where(s, w) or ()]
        self.work.spend(1 + len(effects.reads) * len(written))
        for v, elementwise in effects.reads:
            for at in self.where(s, v) or ():
                for w, p in written:
                    same = at == p and elementwise and self.same_elements(v, w)
                    if meets(at, p) and not same:
                        self.fault(i, v, f"instruction {i} writes v{w} over its operand v{v}")
        return sound

    def same_elements(self, v, w):
        a, b = self.values[v], self.values[w]
        if a.size() != b.size() or ELEMENT[a.dtype] != ELEMENT[b.dtype]:
            return False
        if a.sizes == b.sizes and a.order == b.order:
            return True
        plain = all(list(x.order) == sorted(x.order) for x in (a, b))
        longer = [[n for n in x.sizes if n != 1] for x in (a, b)]
        return plain and (longer[0] == longer[1] or not (a.dynamic or b.dynamic))

    def write(self, s, i, v, letter, sound):
        """R2, M3, M5. The names that were lost."""
        places = self.where(s, v)
        if places is None:
            self.fault(i, v, f"instruction {i} writes v{v}, which the call before has moved")
            return set()
        if any(bank < 0 and self.values[-1 - bank].constant() for bank, _, _ in places):
            self.fault(i, v, f"instruction {i} writes a constant by the name of v{v}")
        b = self.own.get(v, s.alias.get(v) if letter != "w" else None)
        home = self.buffers[b].place if b is not None else (0, 0, 0)
        stores = b is not None and len(places) == 1 and meets(places[0], home)
        kept = self.end(b) if stores else v
        lives = letter in "wW" or v in s.held or v in s.void
        lost = set().union(*(s.clear(place) for place in places)) - {v, kept}
        if b is not None:
            self.stored.add(self.buffers[b].key)
            lost |= set() if stores or home[1] == home[2] else {self.end(b)}
        for name in (*lost, v):
            s.lose(name, (i, v))
        if letter == "w" and v not in self.own:
            s.alias.pop(v, None)
        if lives and sound:
            s.hold(v, places)
        if stores:
            if sound and letter in "wW" and within(home, places[0]):
                s.hold(kept, (home,))
            elif sound and kept in s.held:
                lo, hi = max(places[0][1], home[1]), min(places[0][2], home[2])
                s.own(kept, (home[0], lo, hi))
            else:
                s.lose(kept, (i, v))
        return lost

    def write_all(self, s, i, writes, sound):
        """R3: of two results in common bytes neither is there afterwards."""
        written = set()
        for v, letter in writes.items():
            if letter == "n":
                s.hold(v, self.where(s, v) or ())
            elif self.write(s, i, v, letter, sound) & written:
                s.lose(v, (i, v))
            written |= {v} if letter != "n" else set()

    def step(self, s, i):
        for v, sources in self.placed.get(i, ()):
            self.bear(s, i, v, sources)
        effects, sound = self.effects[i], self.operands(s, i)
        for to, source in effects.moves:
            self.move(s, i, to, source)
        self.write_all(s, i, effects.writes, sound)
        for v, letter in effects.writes.items():
            if letter == "W" and all(self.where(s, v) != self.where(s, r) for r, _ in effects.reads):
                self.replaced.add(v)
        for to, source in effects.names:
            self.move(s, i, to, source)
        if self.method.code[i][0] == FREE:
            s.lose(self.method.code[i][1], (i, self.method.code[i][1]))

    def move(self, s, i, to, source):
        """M2: a name lies where its source lies."""
        if to != source:
            s.lose(to, (i, to))
            s.alias.pop(to, None)
            s.at.pop(to, None)
            places = self.where(s, source)
            if places is not None:
                s.at.update({to: places} if to in self.handles else {})
                if self.values[source].constant():
                    s.hold(to, places)
                s.take(to, source, places)

    # Paths.

    def branches(self, i):
        """Whether an instruction goes on with the next one, and where it jumps; -1: nowhere."""
        kind, target, args = self.method.code[i]
        if kind != JUMP:
            return True, -1
        value = self.values[target]
        if value.kind != BOOL or target in self.scalars or target in self.method.inputs:
            return True, args[0]
        return value.flag, -1 if value.flag else args[0]

    def weaken(self, s, i):
        """R5: the invariant at the target of a jump back."""
        if i in self.heads:
            kept, begun = self.heads[i]
            for name in s.held.keys() - kept:
                s.lose(name, (i, name))
            s.at = {name: places for name, places in s.at.items() if name in kept}
            s.alias = {name: b for name, b in s.alias.items() if name in kept}
            for name in begun & s.void:
                s.void.discard(name)
                if name in kept:
                    s.hold(name, (self.place(name),))
                    s.maybe.add(name)
        return s.copy()

    def jump_back(self, s, i, to, invariant):
        if invariant is None:
            raise Refuted(f"'{self.method.name}' comes to instruction {to} by a jump back alone")
        self.work.spend(1 + len(invariant.held) + len(invariant.at) + len(invariant.alias))
        for name, (places, _) in invariant.held.items():
            there = name in s.held and set(s.held[name][0]) <= set(places)
            if name in invariant.maybe:
                there = there or name in s.void
            if not there or (name in s.maybe and name not in invariant.maybe):
                self.fault(i, name, f"the jump at {i} does not bring {name} back to {to}")
        same = invariant.void <= s.void and invariant.alias.items() <= s.alias.items()
        if not same or any(not set(s.at.get(n, (0,))) <= set(p) for n, p in invariant.at.items()):
            raise Refuted(f"in '{self.method.name}' names lie elsewhere at {i} than at {to}")

    def run(self):
        """Over the listing once. The equations when a call ends; None: no call ends."""
        count, waiting, invariants, s = len(self.method.code), {}, {}, self.entry()
        for i in range(count + 1):
            for other in waiting.pop(i, ()):
                s = other if s is None else meet(s, other)
            if s is None:
                continue
            if i in self.targets:
                invariants[i] = self.weaken(s, i)
            for v, sources in self.births.get(i, ()):
                self.bear(s, i, v, sources)
            if i < count:
                self.step(s, i)
                goes_on, to = self.branches(i)
                if to > i:
                    waiting.setdefault(to, []).append(s.copy() if goes_on else s)
                elif to >= 0:
                    self.jump_back(s, i, to, invariants.get(to))
                s = s if goes_on else None
        if s is not None:
            self.leave(s)
        return s

    def follow(self, path, lost):
        """One path: the jumps that go either way, 1 if taken. The equations where it ends."""
        self.misses, i, s, path = {}, 0, self.entry(lost), iter(path)
        left = rounds = 2 * len(self.method.code) + 2  # jumps that go one way may never end
        while left > 0:
            left -= 1
            for v, sources in self.births.get(i, ()):
                self.bear(s, i, v, sources)
            if i == len(self.method.code):
                self.leave(s)
                return s
            self.step(s, i)
            goes_on, to = self.branches(i)
            if goes_on and to >= 0:
                taken = next(path, None)
                if taken is None:
                    return s
                goes_on, left = taken == 0, rounds
            i = i + 1 if goes_on else to
        return s

    def leave(self, s):
        """R1 of outputs. A buffer, or an input that comes back again, is returned as at entry."""
        seen, count = set(), len(self.method.code)
        for v in (t for v in self.method.outputs for t in self.method.tensors(v)):
            if not self.holds(s, v):
                self.miss(s, count, v)
            again = v in self.own or self.values[v].name in self.names or v in seen
            seen |= {v} & set(self.method.inputs)
            if again and v in self.replaced and self.values[v].size():
                self.fault(count, v, f"v{v} is returned as it was before a store to it")

    # Births that follow from the file.

    def numbered(self):
        """B: whether the listing introduces values in ascending order, at least four."""
        values, highest, seen = self.values, -1, set()
        for v in self.method.inputs:
            if v <= highest:
                return False
            highest = v
            seen.add(v)
        used = set()
        for (kind, target, args), effects in zip(self.method.code, self.effects):
            if kind not in (KERNEL, DELEGATE):
                used.add(target)
                continue
            new = {v for v, letter in effects.writes.items()
                   if letter == "w" and not (values[v].name or values[v].loaded())}
            new |= {v for v in args if not self.method.tensor(v) and v not in self.scalars}
            new -= seen | used
            if min(new, default=highest + 1) <= highest:
                return False
            seen |= new
            highest = max(new, default=highest)
        return len(seen) >= 4

    def births_not_in_file(self):
        """B: a line for each birth that does not follow."""
        highest, top, uses, known, forms = [], -1, dict(self.first_use), {}, {}
        for kind, target, args in self.method.code:
            top = max(top, *(target,) * (kind in (MOVE, JUMP)), *args * (kind not in (JUMP, FREE)), -1)
            highest.append(top)
        for i, births in self.births.items():
            for v, sources in births:
                known.setdefault(v, []).append((i, sources))
                uses.update((x, min(i, uses.get(x, i))) for x in sources)
        for v, value in enumerate(self.values):
            touched = v in uses or v in self.first_write or v in self.own or v in self.method.inputs
            if value.kind == TENSOR and touched:
                forms.setdefault((value.place, value.dtype), []).append(v)
        numbered = bool(known) and self.numbered()
        for v, births in sorted(known.items()):
            moment = min(bisect_right(highest, v), uses.get(v, len(self.method.code)))
            follows = numbered and len(births) == 1 and births[0][0] == moment
            follows = follows and not (v in self.first_write and self.targets)
            if not (follows and self.is_last_older(v, births[0][1], forms, known)):
                for i, sources in births:
                    yield (f"v{v} of '{self.method.name}' is born before instruction {i} of "
                           f"{', '.join(f'v{x}' for x in sources)}")

    def is_last_older(self, v, sources, forms, known):
        if any(x >= v or self.values[x].dtype != self.values[v].dtype for x in sources):
            return False
        twins = forms[(self.place(v), self.values[v].dtype)]
        last = bisect_left(twins, v) - 1
        base = twins[last] if last >= 0 else -1
        while base != sources[0] and base in known and len(known[base][0][1]) == 1:
            self.work.spend(1)
            base = min(known[base][0][1][0], base - 1)
        return base == sources[0] if len(sources) == 1 else last < 0


# ---- Methods and policies ----


class Together:
    """R6 under each policy."""

    def __init__(self, program, buffers, walks, all_first):
        self.methods, self.program, self.buffers = program.methods, program, buffers
        self.walks, self.all_first = walks, all_first
        self.loads = [(m, v) for m, method in enumerate(program.methods)
                      for v, x in enumerate(method.values) if x.place[0] > 0 and x.loaded()]

    def words(self, b):
        m, v, _ = self.buffers[b].users[0]
        return f"buffer v{v} of '{self.methods[m].name}'"

    @staticmethod
    def is_shared(policy, buffer):
        return buffer.place[0] > 0 and (policy == "share-all" or buffer.place[0] in POLICIES[policy])

    def gets(self, policy, b, m, reader):
        """Why a call of the reader does not find in buffer b what method m stored; None: it does."""
        buffer = self.buffers[b]
        shared = self.is_shared(policy, buffer)
        if buffer.key not in self.walks[m].stored:
            return None
        for other in (x for x in self.buffers if x.key == buffer.key):
            apart = other is not buffer or not (shared or m == reader)
            if apart and any(user[0] == m for user in other.users):
                both = shared and self.is_shared(policy, other)
                if both or m == reader or buffer.name:
                    return f"'{self.methods[m].name}' stores to another place of it"
        return None

    def own_copies(self, policy, b, m, reader):
        """Two methods with a buffer each, though it has one place in both."""
        buffer = self.buffers[b]
        others = [x for x in self.buffers if x.key == buffer.key]
        stores = buffer.key in self.walks[m].stored and m != reader
        return stores and any(user[0] == m for x in others for user in x.users) and not (
            self.is_shared(policy, buffer))

    def judge(self, policy, ends, trusted):
        for b, buffer in enumerate(self.buffers):
            shared = self.is_shared(policy, buffer)
            readers = [m for m, _, is_read in buffer.users if is_read]
            for reader in readers:
                for m, s in enumerate(ends):
                    touches = s is not None and (shared or m == reader)
                    if touches and self.walks[m].end(b) not in s.held and buffer.place[1] < buffer.place[2]:
                        i, v = s.lost.get(self.walks[m].end(b), (-1, -1))
                        raise Refuted(f"instruction {i} of '{self.methods[m].name}' writes v{v} over "
                                      + self.words(b))
                    why = self.gets(policy, b, m, reader)
                    if why:
                        raise Refuted(f"{self.words(b)}: {why}, under {policy}")
                    if self.own_copies(policy, b, m, reader):
                        trusted.add(f"under {policy}, '{self.methods[m].name}' has a buffer apart "
                                    f"from {self.words(b)}")
            for m, v in self.loads if readers else ():
                meet_each = meets(self.methods[m].values[v].place, buffer.place)
                if meet_each and (shared or m in readers):
                    self.load(m, v, b, shared)

    def load(self, m, v, b, shared):
        """A load of method m puts the stored value of v over buffer b."""
        buffer, walk, value = self.buffers[b], self.walks[m], self.methods[m].values[v]
        others = [(n, self.methods[n].values[u]) for n, u, _ in buffer.users if n != m or u != v]
        alike = all(self.alike(value, x) for _, x in others if x.loaded())
        words = f"loading '{self.methods[m].name}' puts v{v} over {self.words(b)}"
        if walk.own.get(v) != b or value.place != buffer.place:
            keys = {buffer.key} | {self.buffers[x].key for x in [walk.own.get(v)] if x is not None}
            stored = any(keys & other.stored for other in self.walks)
            if stored or not alike or not all(x.loaded() for _, x in others):
                raise Refuted(words)
        elif shared:
            reads = any(is_read for n, _, is_read in buffer.users if n == m)
            if not alike:
                raise Refuted(words + ", which is loaded with other bytes")
            late = [n for n, _ in others if n != m and buffer.key in self.walks[n].stored]
            if late and not self.all_first and (reads or buffer.key not in walk.stored):
                raise Refuted(words + f", to which '{self.methods[late[0]].name}' has stored")

    def alike(self, a, b):
        """Whether two values are loaded with equal bytes where their places meet."""
        if a.external or b.external:
            return a.external == b.external and a.name == b.name and a.place == b.place
        lo, hi = max(a.place[1], b.place[1]), min(a.place[2], b.place[2])
        starts = [self.program.initial.get(x.data) for x in (a, b)]
        need(None not in starts, "a stored value that is not there")
        first, second = (at + lo - x.place[1] for at, x in zip(starts, (a, b)))
        data = self.program.data
        return data[first:first + hi - lo] == data[second:second + hi - lo]

    def show(self, policy, witness):
        """Of an unsafe claim: what does not find what is meant on the path. Nothing: all does."""
        need(len(listed(witness, "a witness")) in (3, 4), "a witness has a reader and calls")
        calls = []
        for call in witness[2:]:
            m, *path = (whole(x, 1 << 32, "a call") for x in listed(call, "a call") or [None])
            calls.append((whole(m, len(self.methods), "a method"), path))
        (reader, path), lost = calls[0], {}
        for m, before in calls[1:]:
            s = self.walks[m].follow(before, {})
            for b, buffer in enumerate(self.buffers):
                end, touches = self.walks[m].end(b), self.is_shared(policy, buffer) or m == reader
                if touches and end in s.lost and end not in s.held:
                    lost[b] = s.lost[end]
                elif self.is_undone(b, m, reader):
                    lost[b] = "its load puts the stored value back"
                elif self.gets(policy, b, m, reader):
                    lost[b] = self.gets(policy, b, m, reader)
        walk = self.walks[reader]
        i = whole(witness[1], len(walk.method.code) + 1, "an instruction")
        walk.follow(path, lost)
        first = "".join(f", after a call of '{self.methods[m].name}'" for m, _ in calls[1:])
        jumps = " on the path shown" if any(path for _, path in calls) else ""
        return [words + first + jumps for (at, _), words in walk.misses.items() if at == i]

    def is_undone(self, b, m, reader):
        """The load of the reader, after a call of m, puts its stored value over what m stored."""
        loaded = any(n == reader and self.walks[n].own.get(v) == b for n, v in self.loads)
        late = loaded and m != reader and not self.all_first
        return late and self.buffers[b].key in self.walks[m].stored


def misplaced(program):
    """(method, value) that leaves its bank, or is not aligned to its element."""
    for m, method in enumerate(program.methods):
        ends = {(v.place[0], v.place[2]) for v in method.values if v.place[1] < v.place[2]}
        for v, value in enumerate(method.values):
            bank, lo, hi = value.place
            leaves = bank > 0 and hi > (method.banks[bank] if bank < len(method.banks) else 0)
            if leaves or (bank > 0 and lo % ELEMENT[value.dtype] and (bank, lo) not in ends):
                yield m, v


def buffers_not_in_file(program, buffers, walks):
    for buffer in buffers:
        for m, v, is_read in buffer.users:
            method, value = program.methods[m], program.methods[m].values[v]
            known = buffer.name or value.loaded() or v < min(method.inputs, default=-1)
            if not known or not (buffer.name or value.loaded() or walks[m].numbered()):
                yield f"v{v} of '{method.name}' is a buffer"
            if is_read and not value.loaded():
                yield f"v{v} of '{method.name}' is there before the first call"
        same = [f"v{v} of '{program.methods[m].name}'" for m, v, _ in buffer.users]
        if not buffer.name and len(same) > 1:
            yield f"{' and '.join(same)} are one buffer"


# ---- Claims ----


def read_operators():
    text = Path(__file__).with_name("operators.tsv").read_bytes()
    lines = [line for line in text.decode("ascii").splitlines() if not line.startswith("#")]
    return dict(line.split("\t") for line in lines), hashlib.sha256(text).hexdigest()


def show(together, policy, witness, wrong):
    if listed(witness, "a witness")[:1] == ["place"]:
        m, v = (witness[1:] + [None, None])[:2]
        return [f"v{v} of method {m} is misplaced in its bank"] if (m, v) in wrong else []
    return together.show(policy, witness)


def check(data, text, reviewed, data_files=()):
    """Lines (confirmed, trusted, not checked). Raises Refuted, Malformed or TooMuch."""
    cert = read_certificate(text)
    need(cert.get("file") == hashlib.sha256(data).hexdigest(), "it is of another file")
    hashes = [hashlib.sha256(x).hexdigest() for x in data_files]
    need(listed(cert.get("data", []), "data") == hashes, "it is of other data files")
    program, stated = read_program(data, len(text)), cert.get("operators", {})
    codes = {name: read_signature(code) for name, code in {**reviewed, **stated}.items()}
    buffers = read_buffers(program, cert.get("buffers", []))
    parts = listed(cert.get("methods", []), "methods")
    need(len(parts) == len(program.methods), "it has another number of methods")
    walks = [Walk(program, m, buffers, part, codes) for m, part in enumerate(parts)]
    together = Together(program, buffers, walks, cert.get("load") == "all-first")
    confirmed, unchecked, trusted, wrong = [], [], set(), list(misplaced(program))
    claims = sorted(cert["claims"].items())
    if any(claim == "safe" for _, claim in claims):
        for m, v in wrong:
            raise Refuted(f"v{v} of '{program.methods[m].name}' is misplaced in its bank")
        ends = [walk.run() for walk in walks]
    for policy, claim in claims:
        if claim == "safe":
            together.judge(policy, ends, trusted)
            confirmed.append(f"{policy}: each read finds what is meant, in all orders of calls")
    for policy, claim in claims:
        if type(claim) is list and claim:
            shown = [line for one in claim for line in show(together, policy, one, wrong)]
            if shown:
                confirmed.append(f"{policy} is unsafe: {shown[0]}")
            if not shown:
                unchecked.append(f"{policy}: unsafe, which no path of the certificate shows")
            elif shown[0].endswith("on the path shown"):
                unchecked.append(f"{policy}: that this path can be taken")
        elif claim != "safe":
            unchecked.append(f"{policy}: {claim or 'unsafe, by rules that the certificate does not speak of'}")
    trusted |= {f"operator {name} does {code}" for name, code in stated.items()
                if reviewed.get(name) != code}
    trusted |= {*buffers_not_in_file(program, buffers, walks)}
    for walk in walks:
        trusted |= {*walk.trusted, *walk.births_not_in_file()}
    trusted |= {"all methods are loaded before the first call"} if together.all_first else set()
    trusted |= {f"the manifest {cert['manifest']}"} if "manifest" in cert else set()
    unchecked += [f"{cert['other']}"] if "other" in cert else []
    unchecked += ["what was shown of a new plan (shown)"] if "shown" in cert else []
    return confirmed, sorted(trusted), unchecked


ALWAYS = """operators do as operators.tsv says, and compute what the model means
           tensors stay within the sizes of the file, as the runtime checks when it resizes
           the caller sets inputs before each call, in memory apart from the banks
           all stores that the model asks for are in the file"""


def main(arguments):
    if len(arguments) < 2:
        print("usage: pteproof_checker.py model.pte model.cert.json [data.ptd ...]")
        return 2
    reviewed, version = read_operators()
    try:
        data, text, *more = (Path(name).read_bytes() for name in arguments)
        confirmed, trusted, unchecked = check(data, text, reviewed, more)
    except (Malformed, OSError) as error:
        print(f"malformed  {error}")
        return 2
    except Refuted as error:
        print(f"refuted    {error}")
        return 1
    except TooMuch:
        print("unchecked  too much work")
        return 3
    for word, lines in (("confirmed", confirmed), ("trusted", trusted), ("unchecked", unchecked)):
        print("".join(f"{word:9}  {line}\n" for line in lines), end="")
    print(f"trusted    {ALWAYS}\noperators  {version}")
    return 3 if unchecked or not confirmed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
