#!/usr/bin/env python3
"""Confirms what a certificate says of an ExecuTorch program's memory plan.

    python pteproof_checker.py model.pte model.cert.json [data.ptd ...]

Exit code 0: all claims are confirmed; 1: one is refuted; 2: an input is malformed; 3: confirmed in part. Python 3.10,
standard library only; operators.tsv lies beside this file. Nothing here is shared with the tool that wrote the certificate.

WHAT A RIGHT PLAN IS

A program has methods; a method is a list of instructions over values. Most values are tensors, and the plan gives each a
place: bytes [lo, hi) of a bank. Many tensors share bytes. What a program *means* is the run in which each value has a
memory of its own:

  M1  A value that an instruction writes means, at each read, what was last written to it on the path taken. An input is
      written by the caller before the call, a constant by nobody ever.
  M2  A move, an et_view, and the value that a call returns for an argument it wrote name the same content as their source.
  M3  A buffer lives from call to call. It starts with its stored value. A value of the method stands for it; a write to
      that value, or in place to a name taken from it, is a store to the buffer.
  M4  A value that no instruction has written yet is *born*: from then on it means what its sources hold at that moment (a
      view, a concatenation, a slice). Sources and moment come from the certificate; see B below.
  M5  A fill writes a part and leaves the rest; before its first fill the rest means anything.

The plan is right if each read, each output and each buffer at the end of a call finds in its place what is meant.

HOW THAT IS CONFIRMED

One pass over a method's listing keeps equations "the content that n means lies in these bytes". n is a value, or the end
of a buffer: what the next call finds.

  R1  A read of n needs n's equation. So does an output.
  R2  A write to n at p ends each equation that has a byte of p, and n's old one; then n lies at p. An update reads first.
  R3  A result may lie on an operand only at the very same place, if the operator goes over that operand element by element,
      and both have the same elements in the same order. Results of one call never share bytes.
  R4  A birth gives its value an equation if the sources' equations hold, and their places, put together, are the value's
      place (or one of them lies around it).
  R5  Where paths join, what holds on each holds. At the target of a jump back the certificate takes equations away; all
      that are left must hold again at each jump back.
  R6  Before a call, each buffer that some method reads lies at its place. After each call of each method that has the bank
      under the policy, it must lie there again. This is for every order of calls. A load copies stored values to their places.
  B   A birth follows from the file if values are numbered in the order of the listing (their results ascend), the moment is
      the first instruction with a higher number or the first use, all sources are older, and the source is the last older
      value of the same place and type; or, if no older value has that place, the sources are tiles of the same type. Any
      other birth is printed as trusted.

What the certificate could lie about is printed: births, buffers without a name, delegates' results, operators that are not
in operators.tsv. A reader who does not believe such a line should not believe the verdict.
"""

import hashlib
import json
import struct
import sys
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from pathlib import Path

SCHEMA = 1
STEPS_PER_BYTE = 200
FREE_STEPS = 200_000
POLICIES = {"private": (), "share-1-2": (1, 2), "share-all": None}  # the banks that are one for all methods; None: all
ELEMENT = {0: 1, 1: 1, 2: 2, 3: 4, 4: 8, 5: 2, 6: 4, 7: 8, 8: 4, 9: 8, 10: 16, 11: 1, 12: 1, 13: 1, 14: 4, 15: 2, 16: 1,
           17: 1, 18: 1, 19: 1, 20: 1, 21: 1, 22: 2, 23: 1, 24: 1, 25: 1, 26: 1, 27: 2, 28: 4, 29: 8}  # bytes by type
NULL, INT, BOOL, DOUBLE, TENSOR, STRING, INTS, DOUBLES, BOOLS, TENSORS, OPTIONALS = range(1, 12)  # kinds of values
KERNEL, DELEGATE, MOVE, JUMP, FREE = range(1, 6)  # kinds of instructions


class Malformed(Exception):
    """An input is not what it has to be."""


class Refuted(Exception):
    """A claim does not hold, or does not follow by the rules."""


class TooMuch(Exception):
    """More work than the inputs' size allows."""


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


# ---- The file ----


class Flat:
    """Tables of a FlatBuffer. A table is its offset, 0 if it is absent; each look stays within the bytes."""

    def __init__(self, data, work):
        self.data, self.work = data, work

    def number(self, form, at):
        need(0 <= at and at + struct.calcsize(form) <= len(self.data), f"nothing at byte {at}")
        self.work.spend(1)
        return struct.unpack_from("<" + form, self.data, at)[0]

    def slot(self, table, index):
        """Where a field lies; 0: it is absent."""
        if table == 0:
            return 0
        vtable = table - self.number("i", table)
        if 6 + 2 * index > self.number("H", vtable):
            return 0
        offset = self.number("H", vtable + 4 + 2 * index)
        return table + offset if offset else 0

    def scalar(self, table, index, form, default=0):
        at = self.slot(table, index)
        return self.number(form, at) if at else default

    def table(self, table, index):
        at = self.slot(table, index)
        return at + self.number("I", at) if at else 0

    def vector(self, table, index, form):
        at = self.table(table, index)
        if at == 0:
            return ()
        count = self.number("I", at)
        need(at + 4 + count * struct.calcsize(form) <= len(self.data), f"a list at byte {at} leaves the file")
        self.work.spend(count)
        return struct.unpack_from(f"<{count}{form}", self.data, at + 4)

    def tables(self, table, index):
        at = self.table(table, index)
        return [at + 4 + 4 * k + offset for k, offset in enumerate(self.vector(table, index, "I"))] if at else []

    def text(self, table, index):
        return bytes(self.vector(table, index, "B")).decode("utf-8", "replace")


@dataclass
class Value:
    kind: int
    flag: bool = False  # of a Bool
    items: tuple = ()  # of a list of tensors: values, -1 for none
    dtype: int = 0
    sizes: tuple = ()
    order: tuple = ()
    data: int = 0  # number of its stored bytes, 0: none
    place: tuple = (0, 0, 0)  # bank, first byte, end
    dynamic: bool = False
    external: bool = False
    name: str = ""

    def bytes(self):
        return self.place[2] - self.place[1]

    def planned(self):
        return self.place[0] > 0

    def constant(self):
        return not self.planned() and (self.data > 0 or self.external)


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

    def tensor(self, v):
        return self.values[v].kind == TENSOR

    def tensors(self, v):
        value = self.values[v]
        return (v,) if value.kind == TENSOR else tuple(t for t in value.items if t >= 0)


def read_tensor(flat, table, number):
    sizes = flat.vector(table, 2, "i")
    dtype = flat.scalar(table, 0, "b")
    need(dtype in ELEMENT and all(size >= 0 for size in sizes), f"value {number} has no sizes or type")
    count = ELEMENT[dtype]
    for size in sizes:
        count *= size
        need(count < 1 << 62, f"value {number} is too large")
    value = Value(TENSOR, dtype=dtype, sizes=sizes, order=flat.vector(table, 3, "B"), data=flat.scalar(table, 5, "I"),
                  dynamic=flat.scalar(table, 8, "b") != 0, place=(-1 - number, 0, count))
    allocation, extra = flat.table(table, 6), flat.table(table, 9)
    if allocation:
        lo = flat.scalar(allocation, 1, "I") | flat.scalar(allocation, 2, "I") << 32
        value.place = (flat.scalar(allocation, 0, "I"), lo, lo + count)
        need(value.place[0] > 0, f"value {number} lies in bank 0")
    value.name, value.external = flat.text(extra, 1), flat.scalar(extra, 2, "b") == 1
    return value


def read_value(flat, table, number):
    kind, at = flat.scalar(table, 0, "B"), flat.table(table, 1)
    if kind == TENSOR:
        need(at, f"value {number} is empty")
        return read_tensor(flat, at, number)
    value = Value(kind)
    if kind in (TENSORS, OPTIONALS):
        value.items = flat.vector(at, 0, "i")
    value.flag = kind == BOOL and flat.scalar(at, 0, "B") != 0
    return value


def read_instruction(flat, table):
    kind, at = flat.scalar(table, 0, "B"), flat.table(table, 1)
    need(KERNEL <= kind <= FREE and at, "an instruction is empty")
    if kind in (KERNEL, DELEGATE):
        return kind, flat.scalar(at, 0, "i"), flat.vector(at, 1, "i")
    return kind, flat.scalar(at, 0, "i"), () if kind == FREE else (flat.scalar(at, 1, "i"),)


def read_method(flat, table):
    values = [read_value(flat, t, v) for v, t in enumerate(flat.tables(table, 2))]
    code = []
    for chain in flat.tables(table, 5):
        first = len(code)
        part = [read_instruction(flat, t) for t in flat.tables(chain, 2)]
        code += [(k, x, (args[0] + first,) if k == JUMP else args) for k, x, args in part]
    operators = []
    for t in flat.tables(table, 6):
        name, overload = flat.text(t, 0), flat.text(t, 1)
        operators.append(f"{name}.{overload}" if overload else name)
    method = Method(flat.text(table, 0), values, flat.vector(table, 3, "i"), flat.vector(table, 4, "i"), code, operators,
                    [flat.text(t, 0) for t in flat.tables(table, 7)], flat.vector(table, 8, "q"))
    check_indices(method)
    return method


def check_indices(method):
    """Each number of a value, an operator, a delegate or an instruction names one."""
    count = len(method.values)

    def named(values, lowest=0):
        need(all(lowest <= v < count for v in values), f"'{method.name}' names a value that it has not")

    named(method.inputs)
    named(method.outputs)
    for value in method.values:
        named(value.items, -1)
        need(all(t < 0 or method.tensor(t) for t in value.items), f"a list of '{method.name}' holds more than tensors")
    for kind, target, args in method.code:
        if kind in (KERNEL, DELEGATE):
            named(args)
            need(0 <= target < len(method.operators if kind == KERNEL else method.delegates), "a call of nothing")
        else:
            named((target,))
            named(args if kind == MOVE else ())
            need(kind != JUMP or 0 <= args[0] <= len(method.code), "a jump leaves the method")


@dataclass
class Program:
    methods: list
    initial: dict  # stored values of buffers: where each begins, by number
    data: bytes


def read_program(data, size_of_work):
    """The methods of a file, and a budget of work by the size of what was read."""
    need(data[4:8] == b"ET12" and len(data) >= 64, "not an ExecuTorch program")
    size, base = len(data), 0
    if data[8:12] == b"eh00":
        size, base = struct.unpack_from("<QQ", data, 16)
        size = min(size, len(data))
    work = Work(size + size_of_work)
    flat = Flat(data[:size], work)
    root = flat.number("I", 0)
    methods = [read_method(flat, t) for t in flat.tables(root, 1)]
    need(methods, "no method")
    segments, initial = flat.tables(root, 4), {}
    for part in flat.tables(root, 6)[:1]:
        index = flat.scalar(part, 0, "I")
        need(index < len(segments), "a segment that is not there")
        start = base + flat.scalar(segments[index], 0, "Q")
        initial = {k: start + offset for k, offset in enumerate(flat.vector(part, 1, "Q"))}
    return Program(methods, initial, data), work


# ---- The certificate ----


def whole(number, limit, what):
    need(type(number) is int and 0 <= number < limit, f"{what} is not a number below {limit}")
    return number


def listed(thing, what):
    need(type(thing) is list, f"{what} is not a list")
    return thing


def keyed(thing, keys, what):
    need(type(thing) is dict and thing.keys() <= keys, f"{what} has other keys than {', '.join(sorted(keys))}")
    return thing


def no_number(text):
    raise Malformed(f"{text} is not a number")


def read_certificate(text):
    try:
        loaded = json.loads(text, parse_constant=no_number)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"the certificate is not JSON ({type(error).__name__})") from None
    cert = keyed(loaded, {"schema", "file", "data", "load", "claims", "operators", "buffers", "methods", "other", "shown"},
                 "the certificate")
    need(cert.get("schema") == SCHEMA, f"the certificate's schema is not {SCHEMA}")
    need(cert.get("load", "any") in ("any", "all-first"), "unknown load order")
    need(type(cert.get("claims")) is dict and cert["claims"].keys() <= POLICIES.keys(), "claims are by policy")
    for signature in keyed(cert.get("operators", {}), cert.get("operators", {}).keys(), "operators").values():
        need(type(signature) is str, "a signature is text")
    return cert


@dataclass
class Buffer:
    """One place of a buffer, in the methods that have it there. All places with one key are one buffer of the model."""

    key: int
    name: str
    place: tuple
    users: list = field(default_factory=list)  # (method, value, whether its content at entry may be read)


def read_buffers(program, listing):
    buffers, known, names = [], {}, set()
    for key, entry in enumerate(listed(listing, "buffers")):
        name, *users = listed(entry, "a buffer") or [None]
        need(type(name) is str and name not in names, "a buffer's name is text, and its own")
        names |= {name} - {""}
        for user in users:
            need(len(listed(user, "a buffer's value")) in (2, 3), "a buffer's value is [method, value]")
            m = whole(user[0], len(program.methods), "a method")
            v = whole(user[1], len(program.methods[m].values), "a value")
            value = program.methods[m].values[v]
            need(value.kind == TENSOR and not value.constant() and value.name == name, f"v{v} is not buffer '{name}'")
            where = (key, value.place, m if value.place[0] < 0 else -1)
            if where not in known:
                known[where] = Buffer(key, name, value.place)
                buffers.append(known[where])
            known[where].users.append((m, v, len(user) == 2))
    return buffers


def read_births(method, listing, key):
    """By instruction: (value, sources)."""
    births = {}
    for entry in listed(listing.get(key, []), key):
        need(len(listed(entry, key)) >= 3, "a birth is [instruction, value, source...]")
        at = whole(entry[0], len(method.code) + 1, "an instruction")
        v, *sources = (whole(x, len(method.values), "a value") for x in entry[1:])
        need(all(method.tensor(x) for x in (v, *sources)), "a birth is of tensors")
        need(v not in method.inputs and not method.values[v].constant(), "an input or a constant has no birth")
        births.setdefault(at, []).append((v, sources))
    return births


class Signatures:
    """Codes of operators: a letter for each argument, and > behind those that the call returns (operators.tsv)."""

    LETTERS = frozenset("-rewWufnvh")

    def __init__(self, reviewed, stated):
        self.codes = {}
        self.trusted = []
        for name, code in {**reviewed, **stated}.items():
            self.codes[name] = self.parse(code)
        for name, code in sorted(stated.items()):
            if reviewed.get(name) != code:
                differs = f", reviewed as {reviewed[name]}" if name in reviewed else ""
                self.trusted.append(f"operator {name} does {code}{differs}")

    @classmethod
    def parse(cls, code):
        letters = []
        for letter in code:
            if letter == ">" and letters:
                letters[-1] = (letters[-1][0], True)
            else:
                need(letter in cls.LETTERS, f"{letter!r} in a signature")
                letters.append((letter, False))
        return letters


@dataclass
class Effects:
    """What one instruction does to tensors."""

    reads: list = field(default_factory=list)  # (value, element by element)
    writes: dict = field(default_factory=dict)  # by value: w makes, W replaces, u updates, f fills, n leaves anything
    names: list = field(default_factory=list)  # (name, what was written): after the writes
    moves: list = field(default_factory=list)  # (name, source): from then on it lies where its source lies


def effects_of(method, i, signatures, roles, call):
    """`call`: the code of this call alone, or None; `roles`: outputs and updated arguments of a delegate call."""
    kind, target, args = method.code[i]
    effects = Effects()
    if kind == MOVE and method.tensor(target):
        need(method.tensor(args[0]), "a tensor is moved to another kind of value")
        effects.moves.append((args[0], target))
    elif kind == MOVE and (method.tensors(target) or method.tensors(args[0])):
        raise Refuted(f"instruction {i} of '{method.name}' moves a list of tensors")
    elif kind == JUMP:
        effects.reads += [(v, False) for v in method.tensors(target)]
    if kind not in (KERNEL, DELEGATE):
        return effects
    if kind == DELEGATE:
        outputs, updated = roles
        first = len(args) - whole(outputs, len(args) + 1, "a count of outputs")
        codes = [("w" if a >= first else "u" if a in updated else "r", False) for a in range(len(args))]
    else:
        name = method.operators[target]
        need(call is not None or name in signatures.codes, f"no signature of {name}")
        codes = signatures.codes[name] if call is None else call
    need(len(args) - len(codes) in (0, 1), f"instruction {i} of '{method.name}' does not fit its signature")
    slot = args[-1] if len(args) > len(codes) else -1
    for (letter, returned), arg in zip(codes, args):
        for v in method.tensors(arg):
            if letter in "re":
                effects.reads.append((v, letter == "e"))
            elif letter in "wWufn":
                effects.writes.setdefault(v, letter)
        if returned and slot >= 0 and slot != arg and method.tensor(slot) and method.tensor(arg):
            effects.names.append((slot, arg))
    viewed = [arg for (letter, _), arg in zip(codes, args) if letter == "v" and method.tensor(arg)]
    handles = [arg for (letter, _), arg in zip(codes, args) if letter == "h" and method.tensor(arg)]
    effects.moves += zip(handles, viewed)
    return effects


# ---- Bytes ----


class Bytes:
    """One bank: stretches of bytes, each with the equations that have it. An equation is (name, its number)."""

    def __init__(self, work):
        self.starts, self.owners, self.work = [0], [()], work

    def cut(self, at):
        k = bisect_left(self.starts, at)
        if k == len(self.starts) or self.starts[k] != at:
            self.starts.insert(k, at)
            self.owners.insert(k, self.owners[k - 1])
        return k

    def clear(self, lo, hi):
        """Forgets the stretch; the equations that had a byte of it."""
        first, last = self.cut(lo), self.cut(hi)
        owners = {owner for k in range(first, last) for owner in self.owners[k]}
        self.work.spend(last - first + len(owners))
        self.starts[first:last], self.owners[first:last] = [lo], [()]
        return owners

    def add(self, lo, hi, owner, is_current):
        first, last = self.cut(lo), self.cut(hi)
        for k in range(first, last):
            kept = tuple(o for o in self.owners[k] if is_current(o))
            self.work.spend(1 + len(self.owners[k]))
            self.owners[k] = (*kept, owner)


def meets(a, b):
    return a[0] == b[0] and a[1] < b[2] and b[1] < a[2] and a[1] < a[2] and b[1] < b[2]


def within(inner, outer):
    return inner[0] == outer[0] and outer[1] <= inner[1] and inner[2] <= outer[2]


class State:
    """The equations at one point of a path."""

    def __init__(self, work):
        self.work = work
        self.held = {}  # by name: (its places, number of the equation); several: it lies in one of them
        self.at = {}  # by moved name: the places where it may lie; absent: anywhere
        self.alias = {}  # by value: the buffer of which it is a name
        self.void = set()  # filled names before their first fill: they mean anything
        self.maybe = set()  # held names that are void on some paths
        self.lost = {}  # by name: (instruction, value) that was written over it last
        self.banks, self.count = {}, 0

    def copy(self):
        """Without the map of bytes, which `hold` builds anew."""
        new = State(self.work)
        self.work.spend(len(self.held) + len(self.at) + len(self.alias) + len(self.lost) + 1)
        new.at, new.alias, new.void, new.maybe = dict(self.at), dict(self.alias), set(self.void), set(self.maybe)
        new.lost = dict(self.lost)
        for name, (places, _) in self.held.items():
            new.hold(name, places)
        return new

    def is_current(self, owner):
        return owner[0] in self.held and self.held[owner[0]][1] == owner[1]

    def hold(self, name, places):
        self.count += 1
        self.held[name] = (places, self.count)
        self.void.discard(name)
        self.maybe.discard(name)
        for place in places:
            self.own(name, place)

    def own(self, name, place):
        if place[1] < place[2]:
            bank = self.banks.setdefault(place[0], Bytes(self.work))
            bank.add(place[1], place[2], (name, self.held[name][1]), self.is_current)

    def lose(self, name, cause):
        if self.held.pop(name, None) is not None:
            self.lost[name] = cause
        self.maybe.discard(name)

    def clear(self, place):
        """The names that had a byte of a place; they are to be lost."""
        if place[1] == place[2] or place[0] not in self.banks:
            return set()
        return {owner[0] for owner in self.banks[place[0]].clear(place[1], place[2]) if self.is_current(owner)}


def meet(a, b):
    """R5: what holds on both paths."""
    joined = State(a.work)
    a.work.spend(len(a.held) + len(b.held) + len(a.at) + len(b.at) + len(a.alias) + 1)
    joined.at = {n: tuple(sorted({*p, *b.at[n]})) for n, p in a.at.items() if n in b.at}
    joined.alias = {n: c for n, c in a.alias.items() if b.alias.get(n) == c}
    joined.lost = {**a.lost, **b.lost}
    for name, (places, _) in a.held.items():
        if name in b.held:
            joined.hold(name, joined.at[name] if name in joined.at else places)
            if b.held[name][0] != places and name not in joined.at:
                joined.lose(name, (-1, name))
        elif name in b.void:
            joined.hold(name, places)
    for name in b.held.keys() & a.void:
        joined.hold(name, b.held[name][0])
    joined.void = a.void & b.void
    joined.maybe = (a.void | b.void | a.maybe | b.maybe) & joined.held.keys()
    return joined


# ---- One method ----


class Walk:
    """The pass over one method. Name len(values) + b is the end of buffer b: what the next call finds."""

    def __init__(self, program, m, buffers, cert, signatures, work):
        self.method, self.m, self.buffers, self.work = program.methods[m], m, buffers, work
        method, count = self.method, len(self.method.code)
        listing = keyed(cert, {"born", "placed", "delegates", "calls", "heads", "idle"}, "a method of the certificate")
        self.births = read_births(method, listing, "born")
        self.placed = read_births(method, listing, "placed")
        self.idle = {whole(i, count, "an instruction") for i in listed(listing.get("idle", []), "idle")}
        self.heads = {}
        for head in listed(listing.get("heads", []), "heads"):
            need(len(listed(head, "a head")) == 4, "a head is [instruction, kept, begun, buffers lost]")
            names = [{whole(n, len(method.values) + len(buffers), "a name") for n in listed(part, "names")}
                     for part in head[1:]]
            self.heads[whole(head[0], count + 1, "an instruction")] = names
        self.trusted = []
        self.read_calls(listing, signatures)
        self.reads_of_place()
        self.stored = set()  # buffers' keys that some instruction stores to
        self.replaced = set()  # values whose content a store replaced

    def read_calls(self, listing, signatures):
        method = self.method
        calls = {}
        for call in listed(listing.get("calls", []), "calls"):
            need(len(listed(call, "a call")) == 2 and type(call[1]) is str, "a call is [instruction, signature]")
            calls[whole(call[0], len(method.code), "an instruction")] = signatures.parse(call[1])
            self.trusted.append(f"instruction {call[0]} of '{method.name}' does {call[1]}")
        delegates = iter(listed(listing.get("delegates", []), "delegates"))
        self.effects = []
        for i, (kind, target, args) in enumerate(method.code):
            roles = None
            if kind == DELEGATE:
                roles = next(delegates, None)
                need(type(roles) is list and len(roles) > 0, "roles of a delegate call are [outputs, updated...]")
                updated = {whole(a, len(args), "an argument") for a in roles[1:]}
                roles = (roles[0], updated)
                words = f", updates {sorted(updated)}" if updated else ""
                self.trusted.append(f"delegate call {i} of '{method.name}' ({method.delegates[target]}) makes the last "
                                    f"{roles[0]} of its {len(args)} arguments{words}")
            self.effects.append(effects_of(method, i, signatures, roles, calls.get(i)))
        for i, births in self.placed.items():
            need(i < len(method.code), "an instruction")
            effects = self.effects[i]
            need({v for v, _ in births} == set(effects.writes), f"instruction {i} leaves other results")
            name = method.operators[method.code[i][1]]
            for v, sources in births:
                self.trusted.append(f"instruction {i} of '{method.name}' ({name}) leaves v{v} in the bytes of "
                                    + ", ".join(f"v{s}" for s in sources))
            self.effects[i] = Effects(names=effects.names)

    def reads_of_place(self):
        """What is known of the values without the certificate."""
        method = self.method
        self.handles = {to for e in self.effects for to, _ in e.moves}
        self.handles |= {to for e in self.effects for to, source in e.names if self.place(to) != self.place(source)}
        self.first_write, self.filled, self.scalars, self.first_use = {}, set(), set(), {}
        for i, effects in enumerate(self.effects):
            kind, target, args = method.code[i]
            for v in [v for v, _ in effects.reads] + [v for _, v in effects.moves] + [v for v in effects.writes
                                                                                     if effects.writes[v] == "u"]:
                self.first_use.setdefault(v, i)
            for v in [*effects.writes, *(to for to, _ in effects.names), *(to for to, _ in effects.moves)]:
                self.first_write.setdefault(v, i)
            self.filled |= {v for v, letter in effects.writes.items() if letter == "f"}
            self.scalars |= set(args[-1:] if kind in (KERNEL, MOVE) else args if kind == DELEGATE else ())
        self.own = {}  # by value: the buffer that it is a name of by the file, or the certificate's value for it
        for b, buffer in enumerate(self.buffers):
            for m, v, _ in buffer.users:
                if m == self.m:
                    self.own[v] = b
        named = {}
        for v, b in self.own.items():
            if method.values[v].name:
                named.setdefault(method.values[v].name, []).append(b)
        for v, value in enumerate(method.values):
            for b in named.get(value.name, ()) if value.kind == TENSOR and v not in self.own else ():
                if within(value.place, self.buffers[b].place):
                    self.own[v] = b

    def end(self, b):
        return len(self.method.values) + b

    def place(self, v):
        return self.method.values[v].place

    def where(self, s, v):
        """The places in one of which a value lies; None: nobody knows."""
        return s.at.get(v) if v in self.handles else (self.place(v),)

    def holds(self, s, v):
        value = self.method.values[v]
        return value.bytes() == 0 or value.constant() or (v in s.held and v not in s.maybe)

    def miss(self, s, i, v):
        cause = s.lost.get(v)
        why = "nothing has made it" if cause is None else "the caller's inputs lie on it" if cause[0] < 0 else (
            f"instruction {cause[0]} wrote v{cause[1]} over it")
        who = "the caller" if i == len(self.method.code) else f"instruction {i}"
        raise Refuted(f"in '{self.method.name}' {who} does not find v{v}: {why}")

    # The rules, in the order in which an instruction follows them.

    def entry(self):
        """M1, M3, R6: what a call finds."""
        s = State(self.work)
        for b, buffer in enumerate(self.buffers):
            if buffer.place[0] > 0 or any(m == self.m for m, _, _ in buffer.users):
                s.hold(self.end(b), (buffer.place,))
            for m, v, is_read in buffer.users:
                if m == self.m:
                    s.alias[v] = b
                    if v in self.handles:
                        s.at[v] = (buffer.place,)
                    if is_read:
                        s.hold(v, (buffer.place,))
        for v, value in enumerate(self.method.values):
            if value.kind == TENSOR and not value.planned() and not value.constant() and v not in self.first_write:
                s.hold(v, (value.place,))
                if (v in self.first_use or v in self.method.outputs) and v not in self.own and v not in self.method.inputs:
                    self.trusted.append(f"v{v} of '{self.method.name}', the caller's memory, is set before each call")
        s.void = {v for v in self.filled if v not in self.own and v not in self.method.inputs}
        inputs = {v: "w" for v in self.method.inputs if self.method.tensor(v)}
        s.at.update((v, (self.place(v),)) for v in inputs)
        self.write_all(s, -1, inputs, True)
        return s

    def bear(self, s, i, v, sources):
        """M4, R4."""
        method, place = self.method, self.place(v)
        need(v not in self.handles or self.first_write[v] >= i, f"v{v} is moved, and has no birth")
        places = [self.where(s, x) for x in sources]
        fits = all(self.holds(s, x) and p is not None and len(p) == 1 for x, p in zip(sources, places))
        if fits and len(sources) == 1:
            fits = within(place, places[0][0])
        elif fits:
            tiles = sorted(p[0] for p in places)
            fits = all(t[0] == place[0] for t in tiles) and tiles[0][1] == place[1] and tiles[-1][2] == place[2] and all(
                a[2] == b[1] for a, b in zip(tiles, tiles[1:]))
        s.lose(v, (i, v))
        s.alias.pop(v, None)
        if not fits:
            causes = [s.lost[x] for x in sources if x in s.lost and x not in s.held]
            s.lost[v] = causes[0] if causes else (i, v)
            return
        if v in self.handles:
            s.at[v] = (place,)
        s.hold(v, (place,))
        if len(sources) == 1 and sources[0] in s.alias:
            s.alias[v] = s.alias[sources[0]]

    def operands(self, s, i):
        """R1 and R3. Whether all operands are there."""
        effects, sound = self.effects[i], True
        needed = effects.reads + [(v, False) for v, letter in effects.writes.items() if letter == "u"]
        for v, _ in needed:
            if not self.holds(s, v):
                sound = i in self.idle and not effects.moves
                if not sound:
                    self.miss(s, i, v)
        written = [(w, p) for w in effects.writes if effects.writes[w] != "n" for p in self.where(s, w) or ()]
        self.work.spend(len(effects.reads) * len(written))
        for v, elementwise in effects.reads:
            for at in self.where(s, v) or ():
                for w, p in written:
                    if meets(at, p) and not (at == p and elementwise and self.same_elements(v, w)):
                        raise Refuted(f"in '{self.method.name}' instruction {i} writes v{w} over its operand v{v}")
        return sound

    def same_elements(self, v, w):
        a, b = self.method.values[v], self.method.values[w]
        if a.bytes() != b.bytes() or ELEMENT[a.dtype] != ELEMENT[b.dtype]:
            return False
        if a.sizes == b.sizes and a.order == b.order:
            return True
        plain = all(list(x.order) == sorted(x.order) for x in (a, b))
        return plain and (not (a.dynamic or b.dynamic) or [n for n in a.sizes if n != 1] == [n for n in b.sizes if n != 1])

    def write(self, s, i, v, letter, spoiled):
        """R2, with M3 for stores and M5 for fills. The names that were lost."""
        places = self.where(s, v)
        if places is None:
            raise Refuted(f"in '{self.method.name}' instruction {i} writes v{v}, which an earlier call has moved")
        if any(bank < 0 and self.method.values[-1 - bank].constant() for bank, _, _ in places):
            raise Refuted(f"in '{self.method.name}' instruction {i} writes the constant v{v}")
        b = self.own.get(v, s.alias.get(v) if letter != "w" else None)
        is_there = b is not None and len(places) == 1 and meets(places[0], self.buffers[b].place)
        keeps = b is not None and is_there and self.end(b) in s.held
        lives = letter in "wWn" or v in s.held or v in s.void
        lost = set()
        for place in places:
            lost |= s.clear(place)
        lost -= {v}
        if b is not None:
            self.stored.add(self.buffers[b].key)
            if is_there:
                lost -= {self.end(b)}
            else:
                lost |= {self.end(b)}
        for name in lost:
            s.lose(name, (i, v))
        s.lose(v, (i, v))
        if letter == "w" and v not in self.own:
            s.alias.pop(v, None)
        if lives and not spoiled:
            s.hold(v, places)
        if not is_there:
            return lost
        end, whole_of_it = self.end(b), letter in "wW" and within(self.buffers[b].place, places[0])
        if spoiled or not (keeps or whole_of_it):
            s.lose(end, (i, v))
        elif whole_of_it:
            s.hold(end, (self.buffers[b].place,))
        else:
            s.own(end, (places[0][0], max(places[0][1], self.buffers[b].place[1]),
                        min(places[0][2], self.buffers[b].place[2])))
        return lost

    def write_all(self, s, i, writes, sound):
        """R3: of two results in common bytes neither is there afterwards."""
        written = set()
        for v, letter in writes.items():
            if letter == "n":
                s.lose(v, (i, v))
                continue
            for name in self.write(s, i, v, letter, not sound) & written:
                s.lose(v, (i, name))
            written.add(v)

    def step(self, s, i):
        effects = self.effects[i]
        for v, sources in self.placed.get(i, ()):
            self.bear(s, i, v, sources)
        sound = self.operands(s, i)
        for to, source in effects.moves:
            self.move(s, i, to, source)
        self.write_all(s, i, effects.writes, sound)
        for v, letter in effects.writes.items():
            if letter == "W" and not any(self.where(s, r) == self.where(s, v) for r, e in effects.reads):
                self.replaced.add(v)
        for to, source in effects.names:
            self.name(s, i, to, source)
        if self.method.code[i][0] == FREE:
            s.lose(self.method.code[i][1], (i, self.method.code[i][1]))

    def move(self, s, i, to, source):
        """M2: the name lies where its source lies."""
        if to == source:
            return
        places, held = self.where(s, source), self.holds(s, source)
        s.lose(to, (i, to))
        s.at.pop(to, None)
        s.alias.pop(to, None)
        if places is not None:
            s.at[to] = places
            if held:
                s.hold(to, places)
                if source in s.alias:
                    s.alias[to] = s.alias[source]

    def name(self, s, i, to, source):
        """M2: what a call returns lies where the argument lies."""
        if to in self.handles:
            self.move(s, i, to, source)
            return
        s.lose(to, (i, to))
        s.alias.pop(to, None)
        if source in s.held and self.where(s, source) == self.where(s, to) == (self.place(to),):
            s.hold(to, (self.place(to),))
            if source in s.alias:
                s.alias[to] = s.alias[source]

    # Paths.

    def branches(self, i):
        """Whether an instruction goes on with the next one, and where it jumps; -1: nowhere."""
        kind, target, args = self.method.code[i]
        if kind != JUMP:
            return True, -1
        value = self.method.values[target]
        if value.kind != BOOL or target in self.scalars or target in self.method.inputs:
            return True, args[0]
        return value.flag, -1 if value.flag else args[0]

    def weaken(self, s, i):
        """R5: the invariant at the target of a jump back."""
        if i not in self.heads:
            return s.copy()
        kept, begun, lost = self.heads[i]
        count = len(self.method.values)
        ours = {self.end(b) for b, buffer in enumerate(self.buffers) if any(m == self.m for m, _, _ in buffer.users)}
        for name in s.held.keys() - kept:
            if name < count or name in ours or name in lost:
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
        self.work.spend(len(invariant.held) + len(invariant.at) + len(invariant.alias) + 1)
        for name, (places, _) in invariant.held.items():
            begins = name in invariant.maybe and (name in s.void or name in s.maybe)
            there = name in s.held and set(s.held[name][0]) <= set(places) and name not in s.maybe
            if not (there or begins):
                raise Refuted(f"in '{self.method.name}' the jump at {i} does not bring {name} back to instruction {to}")
        fits = invariant.void <= s.void and all(n in s.at and set(s.at[n]) <= set(p) for n, p in invariant.at.items())
        if not fits or any(s.alias.get(n) != b for n, b in invariant.alias.items()):
            raise Refuted(f"in '{self.method.name}' names lie elsewhere at the jump at {i} than at instruction {to}")

    def run(self):
        """Over the listing once. The equations at the end of a call; None: no call ends."""
        count = len(self.method.code)
        targets = {self.method.code[i][2][0] for i in range(count)
                   if self.method.code[i][0] == JUMP and self.method.code[i][2][0] <= i}
        waiting, invariants, s = {}, {}, self.entry()
        for i in range(count + 1):
            for other in waiting.pop(i, ()):
                s = other if s is None else meet(s, other)
            if s is None:
                continue
            if i in targets:
                invariants[i] = self.weaken(s, i)
            for v, sources in self.births.get(i, ()):
                self.bear(s, i, v, sources)
            if i == count:
                break
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

    def leave(self, s):
        """R1 for outputs. One that is a buffer, or an input that comes back again, means its content at entry."""
        seen, count = set(), len(self.method.code)
        for v in self.method.outputs:
            if not self.method.tensor(v):
                continue
            if not self.holds(s, v):
                self.miss(s, count, v)
            named = {self.buffers[b].name for b in self.own.values()} - {""}
            again = v in self.own or self.method.values[v].name in named or v in seen
            seen |= {v} & set(self.method.inputs)
            if again and v in self.replaced and self.method.values[v].bytes():
                raise Refuted(f"'{self.method.name}' returns v{v} as it was before a store to it")

    # Births that follow from the file.

    def numbered(self):
        """B: whether the listing introduces values in ascending order, and at least four."""
        method, highest, seen, count = self.method, -1, set(), 0
        for v in method.inputs:
            if v <= highest:
                return False
            highest, count = v, count + 1
            seen.add(v)
        for i, (kind, target, args) in enumerate(method.code):
            if kind not in (KERNEL, DELEGATE):
                seen.add(target)
                continue
            new = [v for v, letter in self.effects[i].writes.items() if letter == "w" and not (
                method.values[v].name or method.values[v].data or method.values[v].external)]
            new += [v for v in args if not method.tensor(v) and v not in self.scalars]
            new = {v for v in new if v not in seen}
            if any(v <= highest for v in new):
                return False
            seen |= new
            highest, count = max(new, default=highest), count + len(new)
        return count >= 4

    def births_not_in_file(self):
        """B: the lines of births that do not follow."""
        if not self.births:
            return []
        method, lines = self.method, []
        numbered = self.numbered()
        highest, top = [], -1
        for kind, target, args in method.code:
            top = max([top, *((target,) if kind in (MOVE, JUMP) else ()), *(args if kind not in (JUMP, FREE) else ())])
            highest.append(top)
        by_form, uses, known = {}, dict(self.first_use), {}
        for v, value in enumerate(method.values):
            if value.kind == TENSOR and (v in self.first_write or v in uses or v in self.own or v in method.inputs):
                by_form.setdefault((value.place, value.dtype), []).append(v)
        for i, births in self.births.items():
            for v, sources in births:
                known.setdefault(v, []).append((i, sources))
                for x in sources:
                    uses[x] = min(i, uses.get(x, i))
        for v, births in sorted(known.items()):
            i, sources = births[0]
            moment = min(bisect_right(highest, v), uses.get(v, len(method.code)))
            follows = numbered and len(births) == 1 and i == moment and self.first_write.get(v, i) >= i
            if follows and self.is_last_older(v, sources, by_form, known):
                continue
            for i, sources in births:
                need(self.first_write.get(v, i) >= i, f"v{v} is born after it was written")
                words = ", ".join(f"v{x}" for x in sources)
                lines.append(f"v{v} of '{method.name}' is what {words} held before instruction {i}")
        return lines

    def is_last_older(self, v, sources, by_form, known):
        values = self.method.values
        if any(x >= v or values[x].dtype != values[v].dtype for x in sources):
            return False
        twins = by_form[(values[v].place, values[v].dtype)]
        last = bisect_left(twins, v) - 1
        if len(sources) > 1:
            return last < 0
        base = twins[last] if last >= 0 else -1
        while base != sources[0] and base in known and len(known[base][0][1]) == 1:
            self.work.spend(1)
            base = min(known[base][0][1][0], base - 1)
        return base == sources[0]


# ---- Methods and policies ----


def is_shared(policy, bank):
    return bank > 0 and (POLICIES[policy] is None or bank in POLICIES[policy])


class Together:
    """R6 under each policy, from one walk of each method."""

    def __init__(self, program, buffers, walks, ends, all_first):
        self.program, self.buffers, self.walks, self.ends, self.all_first = program, buffers, walks, ends, all_first
        self.loads = [(m, v) for m, method in enumerate(program.methods) for v, value in enumerate(method.values)
                      if value.kind == TENSOR and value.planned() and (value.data or value.external)]

    def called(self, m):
        return f"'{self.program.methods[m].name}'"

    def judge(self, policy, trusted):
        for b, buffer in enumerate(self.buffers):
            readers = [m for m, _, is_read in buffer.users if is_read]
            shared = is_shared(policy, buffer.place[0])
            for reader in readers:
                for m in range(len(self.walks)) if shared else (reader,):
                    self.keeps(m, b, reader)
                self.same_copy(policy, buffer, reader, trusted)
            for m, v in self.loads if readers else ():
                if (shared or m in readers) and meets(self.program.methods[m].values[v].place, buffer.place):
                    self.load(m, v, b, shared)

    def keeps(self, m, b, reader):
        s, walk = self.ends[m], self.walks[m]
        if s is not None and walk.end(b) not in s.held:
            i, v = s.lost.get(walk.end(b), (-1, -1))
            raise Refuted(f"after a call of {self.called(m)}, {self.called(reader)} does not find its buffer "
                          f"{self.words(b)}: instruction {i} wrote v{v} over it")

    def words(self, b):
        m, v, _ = self.buffers[b].users[0]
        return f"v{v} of {self.called(m)}" + (f" ('{self.buffers[b].name}')" if self.buffers[b].name else "")

    def same_copy(self, policy, buffer, reader, trusted):
        """Stores to the buffer that another place or another method's bank gets."""
        for other in self.buffers:
            if other.key != buffer.key:
                continue
            for m, _, _ in other.users:
                if buffer.key not in self.walks[m].stored:
                    continue
                both = is_shared(policy, buffer.place[0]) and is_shared(policy, other.place[0])
                if other is buffer and (m == reader or both):
                    continue
                if both or m == reader or buffer.name:
                    raise Refuted(f"{self.called(reader)} does not find what {self.called(m)} stores to a buffer of both")
                trusted.add(f"under {policy}, {self.called(m)} and {self.called(reader)} each have a buffer of their own "
                            f"in bank {buffer.place[0]}")

    def load(self, m, v, b, shared):
        """A load of method m puts a stored value over buffer b."""
        buffer, walk = self.buffers[b], self.walks[m]
        value = self.program.methods[m].values[v]
        if walk.own.get(v) != b or value.place != buffer.place:
            loaded = [self.program.methods[n].values[u] for n, u, _ in buffer.users]
            if all((x.data or x.external) and self.alike(value, x) for x in loaded) and not self.stores(b, walk.own.get(v)):
                return
            raise Refuted(f"loading {self.called(m)} puts v{v} over buffer {self.words(b)}")
        if not shared:
            return
        reads = any(is_read for n, _, is_read in buffer.users if n == m)
        stores = buffer.key in walk.stored
        for n, u, _ in buffer.users:
            other = self.program.methods[n].values[u]
            if n != m and (other.data or other.external) and not self.alike(value, other):
                raise Refuted(f"{self.called(m)} and {self.called(n)} load buffer {self.words(b)} with different bytes")
            if n != m and not self.all_first and buffer.key in self.walks[n].stored and (reads or not stores):
                raise Refuted(f"loading {self.called(m)} undoes what {self.called(n)} stores to {self.words(b)}")

    def stores(self, *buffers):
        keys = {self.buffers[b].key for b in buffers if b is not None}
        return any(keys & walk.stored for walk in self.walks)

    def alike(self, a, b):
        """Whether two values are loaded with equal bytes where their places meet."""
        if a.external or b.external:
            return a.external == b.external and a.name == b.name and a.place == b.place
        lo, hi = max(a.place[1], b.place[1]), min(a.place[2], b.place[2])
        starts = [self.program.initial.get(x.data) for x in (a, b)]
        need(None not in starts, "a stored value that is not there")
        first, second = (start + lo - x.place[1] for start, x in zip(starts, (a, b)))
        return self.program.data[first:first + hi - lo] == self.program.data[second:second + hi - lo]


def check_places(program):
    """Bounds of banks, and alignment to the element."""
    for method in program.methods:
        ends = {(v.place[0], v.place[2]) for v in method.values if v.kind == TENSOR and v.bytes()}
        for v, value in enumerate(method.values):
            if value.kind != TENSOR or not value.planned():
                continue
            bank, lo, hi = value.place
            if bank >= len(method.banks) or hi > method.banks[bank]:
                raise Refuted(f"v{v} of '{method.name}' leaves bank {bank}")
            if lo % ELEMENT[value.dtype] and (bank, lo) not in ends:
                raise Refuted(f"v{v} of '{method.name}' is not aligned")


def buffers_not_in_file(program, buffers, walks):
    lines = []
    for b, buffer in enumerate(buffers):
        for m, v, is_read in buffer.users:
            method, value = program.methods[m], program.methods[m].values[v]
            stored = value.data or value.external
            first = min(method.inputs, default=-1)
            if not (buffer.name or stored or (v < first and walks[m].numbered())):
                lines.append(f"v{v} of '{method.name}' is a buffer")
            if is_read and not stored:
                lines.append(f"v{v} of '{method.name}' is there when the method is first called")
        same = [f"v{v} of '{program.methods[m].name}'" for m, v, _ in buffer.users]
        if not buffer.name and len(same) > 1:
            lines.append(f"{' and '.join(same)} are one buffer")
    return lines


# ---- Claims ----


def read_operators():
    path = Path(__file__).with_name("operators.tsv")
    text = path.read_bytes()
    rows = (line.split("\t") for line in text.decode("ascii").splitlines() if line and not line.startswith("#"))
    return {row[0]: row[1] for row in rows}, hashlib.sha256(text).hexdigest()


def check(data, text, reviewed, data_files=()):
    """(confirmed, trusted, not checked) lines. Raises Refuted, Malformed or TooMuch."""
    cert = read_certificate(text)
    need(cert.get("file") == hashlib.sha256(data).hexdigest(), "the certificate is of another file")
    hashes = listed(cert.get("data", []), "data")
    need(hashes == [hashlib.sha256(d).hexdigest() for d in data_files], "the certificate is of other data files")
    program, work = read_program(data, len(text))
    signatures = Signatures(reviewed, cert.get("operators", {}))
    buffers = read_buffers(program, cert.get("buffers", []))
    parts = listed(cert.get("methods", []), "methods")
    need(len(parts) == len(program.methods), "the certificate has another number of methods")
    check_places(program)
    walks = [Walk(program, m, buffers, part, signatures, work) for m, part in enumerate(parts)]
    ends = [walk.run() for walk in walks]
    trusted = set(buffers_not_in_file(program, buffers, walks)) | set(signatures.trusted)
    for walk in walks:
        trusted |= {*walk.trusted, *walk.births_not_in_file()}
    together = Together(program, buffers, walks, ends, cert.get("load") == "all-first")
    if together.all_first:
        trusted.add("all methods are loaded before the first call")
    confirmed, unchecked = [], []
    for policy, claim in sorted(cert["claims"].items()):
        if claim == "safe":
            together.judge(policy, trusted)
            confirmed.append(f"{policy}: each read finds what is meant, in every order of calls")
        else:
            unchecked.append(f"{policy}: {claim}")
    if "shown" in cert:
        unchecked.append("what was shown of a new plan (`shown`)")
    return confirmed, sorted(trusted), unchecked


ALWAYS = ("operators do as operators.tsv says; sizes stay within the file's bounds, as the runtime checks; the caller's "
          "memory is apart and set before each call; the source's stores are all in the file")


def main(arguments):
    if len(arguments) < 2:
        print("usage: pteproof_checker.py model.pte model.cert.json [data.ptd ...]", file=sys.stderr)
        return 64
    try:
        data, text, *more = (Path(name).read_bytes() for name in arguments)
    except OSError as error:
        print(f"malformed  {error}")
        return 2
    reviewed, version = read_operators()
    try:
        confirmed, trusted, unchecked = check(data, text, reviewed, more)
    except Malformed as error:
        print(f"malformed  {error}")
        return 2
    except Refuted as error:
        print(f"refuted    {error}")
        return 1
    except TooMuch:
        print("not checked: too much work")
        return 3
    print("\n".join([f"confirmed  {line}" for line in confirmed] + [f"trusted    {line}" for line in trusted]
                    + [f"unchecked  {line}" for line in unchecked]))
    print(f"trusted    {ALWAYS}\noperators  {version}")
    return 3 if unchecked or not confirmed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
