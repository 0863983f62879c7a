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

One pass over a listing keeps a fact for each name: whether what it means lies in its place. A name
is a value, or the end of a buffer, which is what the next call finds.

  R1  A read of n needs that n holds. So does an output.
  R2  A write to n ends all that holds in a byte of its place; then n holds. An update reads n
      first. A store to a buffer makes the end of the buffer hold.
  R3  A result may share bytes with an operand only if both have one place, and the operator takes
      element i of the operand for element i of the result. Results of one call share no bytes.
  R4  A name that is born holds if its sources hold, and their places put together are its place, or
      the only one lies around it. A moved name lies where its source lies, until it moves again.
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
from typing import NamedTuple

SCHEMA, STEPS_PER_BYTE, FREE_STEPS = 1, 200, 200_000
POLICIES = {"private": (), "share-1-2": (1, 2), "share-all": None}  # banks in common; None: all
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

    def numbers(self, form, at, count=1):
        size = count * struct.calcsize("<" + form)
        need(0 <= at and at + size <= len(self.data), f"nothing at byte {at}")
        self.work.spend(1 + count)
        return struct.unpack_from(f"<{count}{form}", self.data, at)

    def field(self, table, k):
        """Where field k of a table is; 0: it is absent."""
        if table == 0:
            return 0
        fields = table - self.numbers("i", table)[0]
        if 6 + 2 * k > self.numbers("H", fields)[0]:
            return 0
        offset = self.numbers("H", fields + 4 + 2 * k)[0]
        return table + offset if offset else 0

    def number(self, table, k, form):
        at = self.field(table, k)
        return self.numbers(form, at)[0] if at else 0

    def table(self, table, k):
        at = self.field(table, k)
        return at + self.numbers("I", at)[0] if at else 0

    def list(self, table, k, form):
        at = self.table(table, k)
        return self.numbers(form, at + 4, self.numbers("I", at)[0]) if at else ()

    def tables(self, table, k):
        first = self.table(table, k) + 4
        return [first + 4 * i + to for i, to in enumerate(self.list(table, k, "I"))]

    def text(self, table, k):
        return bytes(self.list(table, k, "B")).decode("utf-8", "replace")


@dataclass
class Value:
    kind: int
    flag: bool = False  # of a Bool
    items: tuple = ()  # of a list of tensors: values, -1 for none
    dtype: int = 0
    sizes: tuple = ()
    order: tuple = ()  # of the dimensions
    stored: int = 0  # number of its stored bytes, 0: none
    place: tuple = (0, 0, 0)  # bank, first byte, end; below bank 0: memory of its own
    dynamic: bool = False
    external: bool = False  # its bytes come from a .ptd
    name: str = ""

    def size(self):
        return self.place[2] - self.place[1]

    def loaded(self):
        return self.stored > 0 or self.external

    def constant(self):
        return self.place[0] < 0 and self.loaded()


class Instruction(NamedTuple):
    kind: int
    target: int  # the operator, the delegate, or where a jump goes
    args: tuple  # values: a move's source and name, a jump's condition


@dataclass
class Method:
    name: str
    values: list
    inputs: tuple
    outputs: tuple
    code: list
    operators: list
    delegates: int
    banks: tuple

    def is_tensor(self, v):
        return self.values[v].kind == TENSOR

    def tensors(self, v):
        return (v,) if self.is_tensor(v) else tuple(t for t in self.values[v].items if t >= 0)


def read_value(flat, table, v):
    kind, at = flat.number(table, 0, "B"), flat.table(table, 1)
    if kind != TENSOR:
        items = flat.list(at, 0, "i") if kind in (TENSORS, OPTIONALS) else ()
        return Value(kind, flag=kind == BOOL and flat.number(at, 0, "B") != 0, items=items)
    dtype, sizes = flat.number(at, 0, "b"), flat.list(at, 2, "i")
    need(dtype in ELEMENT and min(sizes, default=0) >= 0, f"value {v} has no sizes or type")
    count = ELEMENT[dtype]
    for size in sizes:
        count *= size
        need(count < 1 << 62, f"value {v} is too large")
    place, allocation, extra = (-1 - v, 0, count), flat.table(at, 6), flat.table(at, 9)
    if allocation:
        bank, low, high = (flat.number(allocation, k, "I") for k in range(3))
        place = (bank, low | high << 32, (low | high << 32) + count)
        need(bank > 0, f"value {v} lies in bank 0")
    return Value(kind, dtype=dtype, sizes=sizes, order=flat.list(at, 3, "B"), place=place,
                 stored=flat.number(at, 5, "I"), dynamic=flat.number(at, 8, "b") != 0,
                 external=flat.number(extra, 2, "b") == 1, name=flat.text(extra, 1))


def read_code(flat, chains):
    code = []
    for chain in chains:
        first = len(code)
        for table in flat.tables(chain, 2):
            kind, at = flat.number(table, 0, "B"), flat.table(table, 1)
            need(KERNEL <= kind <= FREE, "an instruction is empty")
            one, other = (flat.number(at, k, "i") for k in range(2))
            code.append(Instruction(kind, 0, (one, other)[:kind == MOVE and 2 or 1])
                        if kind in (MOVE, FREE) else
                        Instruction(kind, first + other, (one,)) if kind == JUMP else
                        Instruction(kind, one, flat.list(at, 1, "i")))
    return code


def read_method(flat, table):
    values = [read_value(flat, t, v) for v, t in enumerate(flat.tables(table, 2))]
    operators = [".".join(filter(None, (flat.text(t, 0), flat.text(t, 1))))
                 for t in flat.tables(table, 6)]
    method = Method(flat.text(table, 0), values, flat.list(table, 3, "i"), flat.list(table, 4, "i"),
                    read_code(flat, flat.tables(table, 5)), operators,
                    len(flat.tables(table, 7)), flat.list(table, 8, "q"))
    ends = {KERNEL: len(operators), DELEGATE: method.delegates, JUMP: len(method.code) + 1}
    used = [*method.inputs, *method.outputs]
    for kind, target, args in method.code:
        need(0 <= target < ends.get(kind, 1), f"'{method.name}' names a thing that it has not")
        used += args
    need(all(0 <= v < len(values) for v in used), f"'{method.name}' names a value that it has not")
    for t in (t for value in values for t in value.items):
        need(-1 <= t < len(values) and (t < 0 or method.is_tensor(t)), "a list holds no tensors")
    return method


@dataclass
class Program:
    methods: list
    starts: list  # where the stored values of buffers begin
    data: bytes
    work: Work


def read_program(data, size_of_certificate):
    need(data[4:8] == b"ET12" and len(data) >= 64, "not an ExecuTorch program")
    size, base = struct.unpack_from("<QQ", data, 16) if data[8:12] == b"eh00" else (len(data), 0)
    flat = Flat(data[:size], Work(min(size, len(data)) + size_of_certificate))
    root = flat.numbers("I", 0)[0]
    methods = [read_method(flat, t) for t in flat.tables(root, 1)]
    segments, starts = flat.tables(root, 4), []
    for part in flat.tables(root, 6)[:1]:
        index = flat.number(part, 0, "I")
        need(index < len(segments), "a segment that is not there")
        start = base + flat.number(segments[index], 0, "Q")
        starts = [start + offset for offset in flat.list(part, 1, "Q")]
    return Program(methods, starts, data, flat.work)


# ---- The certificate ----


def listed(thing, what):
    need(type(thing) is list, f"{what} is not a list")
    return thing


def keyed(thing, keys, what):
    need(type(thing) is dict and thing.keys() <= keys, f"{what} has other keys than {sorted(keys)}")
    return thing


def numbers(thing, what, *limits):
    """A list of numbers, each below its limit, and more or none below the last one."""
    need(len(listed(thing, what)) >= len(limits) - 1, f"{what} is too short")
    for k, number in enumerate(thing):
        limit = limits[min(k, len(limits) - 1)]
        need(type(number) is int and 0 <= number < limit, f"{what}: no number below {limit}")
    return thing


def read_certificate(text):
    def no_number(word):
        raise Malformed(f"{word} is not a number")

    try:
        cert = json.loads(text, parse_constant=no_number)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"the certificate is not JSON ({type(error).__name__})") from None
    keyed(cert, {"schema", "file", "data", "manifest", "load", "claims", "operators", "buffers",
                 "methods", "shown"}, "the certificate")
    need(cert.get("schema") == SCHEMA, f"the certificate's schema is not {SCHEMA}")
    need(cert.get("load", "any") in ("any", "all-first"), "unknown load order")
    need(type(cert.get("manifest", "")) is str, "the manifest is named by its hash")
    for claim in keyed(cert.get("claims"), POLICIES.keys(), "claims").values():
        need(claim in ("safe", "undecided") or type(claim) is list, "an unknown claim")
    need(type(cert.get("operators", {})) is dict, "operators are by name")
    return cert


@dataclass
class Buffer:
    """A buffer at one place. All places with one key are one buffer of the model."""

    key: int
    name: str
    place: tuple
    users: list = field(default_factory=list)  # (method, value, whether a call reads what it finds)


def read_buffers(methods, listing):
    buffers, names = {}, set()
    for key, entry in enumerate(listed(listing, "buffers")):
        name, *users = listed(entry, "a buffer") or [None]
        need(type(name) is str and name not in names, "a buffer's name is text, and its own")
        names |= {name} - {""}
        for user in users:
            m, v, *rest = numbers(user, "a user", len(methods), 1 << 32, 1)
            need(v < len(methods[m].values) and len(rest) < 2, "a user is [method, value]")
            value = methods[m].values[v]
            fits = value.kind == TENSOR and not value.constant() and value.name == name
            need(fits, f"v{v} is not buffer '{name}'")
            where = (key, value.place, m if value.place[0] < 0 else -1)
            buffer = buffers.setdefault(where, Buffer(key, name, value.place))
            buffer.users.append((m, v, not rest))
    return list(buffers.values())


def read_births(method, listing, what):
    """By instruction: (value, sources)."""
    births, count = {}, len(method.values)
    for entry in listed(listing, what):
        i, v, *sources = numbers(entry, what, len(method.code) + 1, count, count, count)
        fits = all(method.is_tensor(x) for x in (v, *sources)) and not method.values[v].constant()
        need(fits and v not in method.inputs, f"v{v} has no birth")
        births.setdefault(i, []).append((v, sources))
    return births


def read_signature(code):
    """(letter, whether the call returns it) for each argument: operators.tsv says what they mean."""
    need(type(code) is str and set(code) <= set("-rewWufnvh>"), "a signature is of other letters")
    return [(letter, code[k + 1:k + 2] == ">") for k, letter in enumerate(code) if letter != ">"]


@dataclass
class Effects:
    """What one instruction does to tensors."""

    reads: list = field(default_factory=list)  # (value, element by element)
    writes: dict = field(default_factory=dict)  # by value: one of w W u f n
    names: list = field(default_factory=list)  # (name, argument): returned, after the writes
    moves: list = field(default_factory=list)  # (name, source), before the writes

    def needs(self):
        return self.reads + [(v, False) for v, letter in self.writes.items() if letter == "u"]


def effects_of(method, i, letters):
    kind, _, args = method.code[i]
    effects, where = Effects(), f"instruction {i} of '{method.name}'"
    if kind == JUMP:
        effects.reads = [(v, False) for v in method.tensors(args[0])]
    if kind == MOVE and all(method.is_tensor(v) for v in args):
        effects.moves = [(args[1], args[0])]
    elif kind == MOVE and any(method.tensors(v) for v in args):
        raise Refuted(f"{where} moves a list of tensors")
    if kind not in (KERNEL, DELEGATE):
        return effects
    rest = len(args) - len(letters)  # the returned argument is named again at the end, or is not
    need(rest in (0, 1), f"{where} does not fit its signature")
    for (letter, returned), arg in zip(letters, args):
        for v in method.tensors(arg):
            if letter in "re":
                effects.reads.append((v, letter == "e"))
            elif letter in "wWufn":
                effects.writes.setdefault(v, letter)
        if returned and rest and args[-1] != arg and all(map(method.is_tensor, (args[-1], arg))):
            effects.names.append((args[-1], arg))
    by_letter = {letter: arg for (letter, _), arg in zip(letters, args)}
    if "v" in by_letter and "h" in by_letter:
        effects.moves = [(by_letter["h"], by_letter["v"])]
        need(all(map(method.is_tensor, effects.moves[0])), "a view of no tensor")
    return effects


# ---- Facts ----


def meets(a, b):
    return a[0] == b[0] and max(a[1], b[1]) < min(a[2], b[2])


def within(inner, outer):
    return inner[0] == outer[0] and outer[1] <= inner[1] and inner[2] <= outer[2]


LOST, VOID, PART, HELD = range(4)


class Fact(NamedTuple):
    """What is known of a name at one point of the paths that lead there."""

    status: int  # HELD: what it means lies there. VOID: no fill has begun (M5). PART: one of both
    places: tuple  # in one of which it lies; (): unknown
    buffer: int = -1  # of which it is a name
    cause: str = ""  # of a loss


class Bytes:
    """One bank: stretches of bytes, each with its owners: (name, the fact that holds there)."""

    def __init__(self, work, starts=(0,), owners=((),)):
        self.starts, self.owners, self.work = list(starts), list(owners), work

    def cut(self, at):
        k = bisect_left(self.starts, at)
        if k == len(self.starts) or self.starts[k] != at:
            self.starts.insert(k, at)
            self.owners.insert(k, self.owners[k - 1])
        return k

    def clear(self, lo, hi):
        first, last = self.cut(lo), self.cut(hi)
        owners = [owner for k in range(first, last) for owner in self.owners[k]]
        self.work.spend(last - first + len(owners))
        self.starts[first:last], self.owners[first:last] = [lo], [()]
        return owners

    def add(self, lo, hi, owner, is_current):
        for k in range(self.cut(lo), self.cut(hi)):
            self.work.spend(1 + len(self.owners[k]))
            self.owners[k] = (*filter(is_current, self.owners[k]), owner)


class State:
    """The facts at one point. A name without one is lost, and lies at home."""

    def __init__(self, homes, work, facts=(), banks=()):
        self.homes, self.work, self.facts, self.banks = homes, work, dict(facts), dict(banks)

    def copy(self):
        self.work.spend(1 + len(self.facts) + sum(len(b.starts) for b in self.banks.values()))
        banks = {k: Bytes(self.work, b.starts, b.owners) for k, b in self.banks.items()}
        return State(self.homes, self.work, self.facts, banks)

    def __getitem__(self, name):
        return self.facts.get(name) or Fact(LOST, self.homes[name])

    def __setitem__(self, name, fact):
        self.facts[name] = fact
        for place in fact.places if fact.status >= PART else ():
            self.own(name, place)

    def is_current(self, owner):
        return self.facts.get(owner[0]) is owner[1]

    def own(self, name, place):
        if place[1] < place[2]:
            bank = self.banks.setdefault(place[0], Bytes(self.work))
            bank.add(place[1], place[2], (name, self.facts[name]), self.is_current)

    def lose(self, name, cause):
        self[name] = self[name]._replace(status=LOST, cause=cause)

    def clear(self, place):
        """The names that hold a byte of the place: they have to be lost."""
        if place[1] >= place[2] or place[0] not in self.banks:
            return set()
        owners = self.banks[place[0]].clear(place[1], place[2])
        return {owner[0] for owner in owners if self.is_current(owner)}

    def join(self, other):
        """R5: what holds on both paths."""
        self.work.spend(1 + len(self.facts) + len(other.facts))
        for name in self.facts.keys() | other.facts.keys():
            a, b = self[name], other[name]
            if a is not b:
                status = PART if LOST < a.status != b.status > LOST else min(a.status, b.status)
                places = {*a.places, *b.places} if a.places and b.places else ()
                places = a.places if a.places == b.places else tuple(sorted(places))
                fact = Fact(status, places, a.buffer if a.buffer == b.buffer else -1,
                            a.cause or b.cause)
                if fact != a:
                    self[name] = fact


# ---- One method ----


class Walk:
    """The pass over a method. Name len(values) + b is the end of buffer b."""

    def __init__(self, program, m, buffers, part, codes):
        self.method, self.m, self.buffers, self.work = program.methods[m], m, buffers, program.work
        self.values, self.misses, self.trusted = self.method.values, None, []
        keyed(part, {"born", "placed", "delegates", "calls", "heads", "idle"}, "a method")
        count, names = len(self.method.code), len(self.values) + len(buffers)
        self.births = read_births(self.method, part.get("born", []), "births")
        self.placed = read_births(self.method, part.get("placed", []), "placed results")
        self.heads = {}
        for head in listed(part.get("heads", []), "heads"):
            need(len(listed(head, "a head")) == 3, "a head is [instruction, kept, begun]")
            i = numbers(head[:1], "a head", count)[0]
            self.heads[i] = [set(numbers(part, "names", names)) for part in head[1:]]
        self.effects = [effects_of(self.method, i, letters)
                        for i, letters in enumerate(self.signatures(part, codes))]
        self.place_results()
        self.idle = {i for i in numbers(part.get("idle", []), "idle", count)
                     if self.method.code[i].kind == KERNEL and self.effects[i].writes
                     and self.method.is_tensor(self.method.code[i].args[-1])}
        self.find_uses()
        self.find_buffers()
        self.stored, self.replaced = set(), set()  # keys of buffers; values that copy_ replaced

    def signatures(self, part, codes):
        """Of all instructions; what is not in the table becomes a trusted line."""
        method, own = self.method, {}
        for call in listed(part.get("calls", []), "calls"):
            need(len(listed(call, "a call")) == 2, "a call is [instruction, signature]")
            own[numbers(call[:1], "a call", len(method.code))[0]] = read_signature(call[1])
            self.trusted.append(f"instruction {call[0]} of '{method.name}' does {call[1]}")
        delegates = iter(listed(part.get("delegates", []), "delegates"))
        for i, (kind, target, args) in enumerate(method.code):
            if kind == DELEGATE:
                outputs, *updated = numbers(next(delegates, None), "roles", len(args) + 1,
                                            len(args) + 1)
                also = f", and updates {updated}" if updated else ""
                self.trusted.append(f"delegate call {i} of '{method.name}' makes the last {outputs} "
                                    f"of its {len(args)} arguments{also}")
                made = len(args) - outputs
                yield [("w" if a >= made else "u" if a in updated else "r", False)
                       for a in range(len(args))]
            elif kind == KERNEL and i not in own:
                need(method.operators[target] in codes, f"no signature of {method.operators[target]}")
                yield codes[method.operators[target]]
            else:
                yield own.get(i, ())

    def place_results(self):
        """Results that a call leaves in the bytes of its operands are born, not written."""
        for i, births in self.placed.items():
            need(i < len(self.effects) and self.method.code[i].kind == KERNEL, "no call leaves it")
            need({v for v, _ in births} == set(self.effects[i].writes), "other results are left")
            self.effects[i] = Effects()
            for v, sources in births:
                self.trusted.append(
                    f"instruction {i} of '{self.method.name}' "
                    f"({self.method.operators[self.method.code[i].target]}) leaves v{v} in "
                    f"{', '.join(f'v{x}' for x in sources)}")

    def find_uses(self):
        self.first_use, self.first_write, self.scalars = {}, {}, set()
        self.targets = {target for i, (kind, target, _) in enumerate(self.method.code)
                        if kind == JUMP and target <= i}  # of jumps back
        named = {}  # names that lie elsewhere, by their source
        for i, effects in enumerate(self.effects):
            kind, _, args = self.method.code[i]
            for v in [v for v, _ in effects.needs()] + [v for _, v in effects.moves]:
                self.first_use.setdefault(v, i)
            for v in [*effects.writes, *(to for to, _ in effects.names + effects.moves)]:
                self.first_write.setdefault(v, i)
            for to, v in effects.names:
                named.setdefault(v, []).append(to)
            self.scalars |= set({DELEGATE: args, JUMP: (), FREE: ()}.get(kind, args[-1:]))
        moved = [to for effects in self.effects for to, _ in effects.moves]
        moved += [to for effects in self.effects for to, v in effects.names
                  if self.place(to) != self.place(v)]
        self.handles = set()  # names that lie where something moved them
        while moved:
            to = moved.pop()
            moved += named.get(to, ()) if to not in self.handles else ()
            self.handles.add(to)
        self.homes = [() if v in self.handles else (value.place,)
                      for v, value in enumerate(self.values)]
        self.homes += [(buffer.place,) for buffer in self.buffers]

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

    def holds(self, s, v):
        return s[v].status == HELD or self.values[v].size() == 0 or self.values[v].constant()

    def fault(self, i, v, words):
        """Something is wrong at an instruction. Along the path of an unsafe claim, goes on."""
        words = f"in '{self.method.name}' " + words
        if self.misses is None:
            raise Refuted(words)
        self.misses.setdefault((i, v), words)

    def miss(self, s, i, v):
        """R1. Along the path of an unsafe claim, only a loss counts."""
        if s[v].cause or self.misses is None:
            who = f"instruction {i}" if i < len(self.method.code) else "the caller"
            why = s[v].cause or "nothing has made it"
            self.fault(i, v, f"{who} does not find what v{v} means: {why}")

    # The rules, in the order in which a call meets them.

    def entry(self, lost):
        """M1, M3, R6: what a call finds. Lost: why it does not find a buffer."""
        s, method = State(self.homes, self.work), self.method
        for b, buffer in enumerate(self.buffers):
            here, cause = (buffer.place,), lost.get(b, "")
            s[self.end(b)] = Fact(LOST if cause else PART, here, b, cause)
            for m, v, is_read in buffer.users:
                if m == self.m:
                    s[v] = Fact(HELD if is_read and not cause else LOST, here, b, cause)
        for v, value in enumerate(self.values):
            brought = value.kind == TENSOR and value.place[0] < 0 and not value.constant()
            if brought and not any(v in x for x in (self.own, method.inputs, self.handles)):
                use = self.first_use.get(v, len(method.code) if v in method.outputs else 1 << 62)
                if use < 1 << 62 and use <= self.first_write.get(v, use):
                    s[v] = Fact(HELD, (value.place,))
                    self.trusted.append(f"v{v} of '{method.name}' is set by the caller")
        for v in {v for effects in self.effects for v, x in effects.writes.items() if x == "f"}:
            if not any(v in x for x in (s.facts, self.own, method.inputs, self.handles)):
                s[v] = Fact(VOID, (self.place(v),))
        inputs = {v: "w" for v in method.inputs if method.is_tensor(v)}
        for v in self.handles & (inputs.keys() | self.own.keys()):
            s[v] = s[v]._replace(places=(self.place(v),))
            if self.place(v)[0] > 0:
                self.trusted.append(f"v{v} of '{method.name}', which a call moves, lies in its own "
                                    "place when the next call begins")
        self.write_all(s, -1, inputs, True)
        return s

    def bear(self, s, i, v, sources):
        """M4, R4."""
        need(self.first_write.get(v, i) >= i, f"v{v} is born after it was written")
        place, facts = self.place(v), [s[x] for x in sources]
        tiles = sorted(fact.places[0] for fact in facts if len(fact.places) == 1)
        fits = len(tiles) == len(sources) and all(self.holds(s, x) for x in sources)
        if fits:
            around = (tiles[0][0], tiles[0][1], tiles[-1][2])
            fits = all(a[0] == b[0] and a[2] == b[1] for a, b in zip(tiles, tiles[1:]))
            fits = fits and (within(place, around) if len(sources) == 1 else place == around)
        cause = "" if fits else next((fact.cause for fact in facts if fact.cause), "")
        buffer = self.own.get(sources[0], facts[0].buffer) if fits and len(sources) == 1 else -1
        s[v] = Fact(HELD if fits else LOST, (place,), buffer, cause)

    def operands(self, s, i):
        """R1, R3. Whether all operands are there."""
        effects, sound = self.effects[i], True
        for v, _ in effects.needs():
            if not self.holds(s, v):
                sound = False
                if i not in self.idle:
                    self.miss(s, i, v)
                else:
                    self.trusted.append(f"nothing needs what instruction {i} of "
                                        f"'{self.method.name}' reads of v{v}")
        written = [(w, p) for w, x in effects.writes.items() if x != "n" for p in s[w].places]
        self.work.spend(1 + len(effects.reads) * len(written))
        for v, elementwise in effects.reads:
            for at in s[v].places:
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
        before = s[v]
        places = before.places
        if not places:
            self.fault(i, v, f"instruction {i} writes v{v}, which the call before has moved")
            return set()
        if any(bank < 0 and self.values[-1 - bank].constant() for bank, _, _ in places):
            self.fault(i, v, f"instruction {i} writes a constant by the name of v{v}")
        b = self.own.get(v, -1 if letter == "w" else before.buffer)
        home, kept = self.buffers[b].place if b >= 0 else (0, 0, 0), self.end(b)
        stores = b >= 0 and len(places) == 1 and meets(places[0], home)
        lost = set().union(*(s.clear(place) for place in places)) - {v, kept if stores else v}
        if b >= 0:
            self.stored.add(self.buffers[b].key)
            lost |= {kept} if not stores and home[1] < home[2] else set()
        by = f"instruction {i}" if i >= 0 else "the caller"
        cause = f"v{v} was written over it by {by}"
        for name in lost:
            s.lose(name, cause)
        lives = sound and (letter in "wW" or before.status > LOST)
        s[v] = Fact(HELD if lives else LOST, places, b, before.cause if sound else "")
        if stores:
            if sound and letter in "wW" and within(home, places[0]):
                s[kept] = Fact(HELD, (home,), b)
            elif sound and s[kept].status > LOST:
                lo, hi = max(places[0][1], home[1]), min(places[0][2], home[2])
                s.own(kept, (home[0], lo, hi))
            else:
                s.lose(kept, cause)
        return lost

    def write_all(self, s, i, writes, sound):
        """R3: of two results in common bytes neither is there afterwards."""
        written = set()
        for v, letter in writes.items():
            if letter == "n":
                s[v] = Fact(HELD if s[v].places else LOST, s[v].places)
            elif self.write(s, i, v, letter, sound) & written:
                s.lose(v, f"another result of instruction {i} has bytes of it")
            written |= {v} if letter != "n" else set()

    def step(self, s, i):
        for v, sources in self.placed.get(i, ()):
            self.bear(s, i, v, sources)
        effects, sound = self.effects[i], self.operands(s, i)
        for to, source in effects.moves:
            self.move(s, to, source)
        self.write_all(s, i, effects.writes, sound)
        for v, letter in effects.writes.items():
            if letter == "W" and all(s[v].places != s[r].places for r, _ in effects.reads):
                self.replaced.add(v)
        for to, source in effects.names:
            self.move(s, to, source)
        if self.method.code[i].kind == FREE:
            s.lose(self.method.code[i].args[0], f"instruction {i} frees it")

    def move(self, s, to, source):
        """M2, R4: a name lies where its source lies."""
        fact = s[source]
        if to != source:
            held = fact.places and self.holds(s, source)
            s[to] = Fact(HELD if held else LOST, fact.places, self.own.get(source, fact.buffer),
                         fact.cause)

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

    # Paths.

    def advance(self, s, i):
        """One step. Whether a path goes on with the next instruction, and where it jumps, or -1."""
        for v, sources in self.births.get(i, ()):
            self.bear(s, i, v, sources)
        if i == len(self.method.code):
            self.leave(s)
            return False, -1
        self.step(s, i)
        kind, target, args = self.method.code[i]
        if kind != JUMP:
            return True, -1
        condition = self.values[args[0]]
        if condition.kind != BOOL or args[0] in self.scalars or args[0] in self.method.inputs:
            return True, target
        return condition.flag, -1 if condition.flag else target

    def weaken(self, s, i):
        """R5: the invariant at the target of a jump back."""
        kept, begun = self.heads.get(i, (s.facts.keys(), ()))
        for name, fact in list(s.facts.items()):
            if fact.status == VOID and name in begun:
                s[name] = Fact(PART if name in kept else LOST, fact.places)
            elif fact.status != VOID and name not in kept:
                s[name] = Fact(LOST, s.homes[name], -1, f"the jumps back to {i} do not keep it")
        return s.copy()

    def jump_back(self, s, i, to, invariant):
        """R5: each fact holds again."""
        if invariant is None:
            raise Refuted(f"'{self.method.name}' comes to instruction {to} by a jump back alone")
        self.work.spend(1 + len(invariant.facts))
        stronger = {LOST: range(4), VOID: (VOID,), PART: (VOID, PART, HELD), HELD: (HELD,)}
        for name, fact in invariant.facts.items():
            now = s[name]
            lies = not fact.places or (now.places and {*now.places} <= {*fact.places})
            if not lies or fact.buffer not in (-1, now.buffer) or (
                    now.status not in stronger[fact.status]):
                self.fault(i, name, f"the jump at {i} does not bring {name} back to {to}")

    def run(self):
        """Over the listing once. The facts when a call ends; None: no call ends."""
        waiting, invariants, s = {}, {}, self.entry({})
        for i in range(len(self.method.code) + 1):
            for other in waiting.pop(i, ()):
                s = s or other
                s.join(other)
            if s is not None:
                if i in self.targets:
                    invariants[i] = self.weaken(s, i)
                goes_on, to = self.advance(s, i)
                if to > i:
                    waiting.setdefault(to, []).append(s.copy() if goes_on else s)
                elif to >= 0:
                    self.jump_back(s, i, to, invariants.get(to))
                s = s if goes_on or i == len(self.method.code) else None
        return s

    def follow(self, path, lost):
        """One path: the jumps that go either way, 1 if taken. The facts where it ends."""
        self.misses, i, s, path = {}, 0, self.entry(lost), iter(path)
        left = rounds = 2 * len(self.method.code) + 2  # jumps that go one way may never end
        while left > 0 and i >= 0:
            left -= 1
            goes_on, to = self.advance(s, i)
            if goes_on and to >= 0:
                taken = next(path, None)
                if taken is None:
                    break
                goes_on, left = taken == 0, rounds
            i = i + 1 if goes_on else to
        return s

    # Births that follow from the file.

    def numbered(self):
        """B: whether the listing introduces values in ascending order, at least four."""
        seen, used, highest = set(), set(), -1
        for v in self.method.inputs:
            if v <= highest:
                return False
            seen.add(v)
            highest = v
        for (kind, _, args), effects in zip(self.method.code, self.effects):
            if kind not in (KERNEL, DELEGATE):
                used |= set(args[kind == MOVE:])
                continue
            new = {v for v, letter in effects.writes.items()
                   if letter == "w" and not (self.values[v].name or self.values[v].loaded())}
            new |= {v for v in args if not self.method.is_tensor(v) and v not in self.scalars}
            new -= seen | used
            if min(new, default=highest + 1) <= highest:
                return False
            seen |= new
            highest = max(new, default=highest)
        return len(seen) >= 4

    def births_not_in_file(self):
        """B: a line for each birth that does not follow."""
        highest, top, uses, known, forms = [], -1, dict(self.first_use), {}, {}
        for kind, _, args in self.method.code:
            top = max(top, *args * (kind != FREE), -1)
            highest.append(top)
        for i, births in self.births.items():
            for v, sources in births:
                known.setdefault(v, []).append((i, sources))
                uses.update((x, min(i, uses.get(x, i))) for x in sources)
        for v, value in enumerate(self.values):
            touched = any(v in x for x in (uses, self.first_write, self.own, self.method.inputs))
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


class Calls:
    """R6: the pass over methods, for all orders of calls under each policy."""

    def __init__(self, program, buffers, walks, all_first):
        self.methods, self.program, self.buffers = program.methods, program, buffers
        self.walks, self.all_first = walks, all_first
        self.loads = [(m, v, x) for m, method in enumerate(program.methods)
                      for v, x in enumerate(method.values) if x.place[0] > 0 and x.loaded()]
        self.places = {}  # (key, method): where that method has the buffer
        for buffer in buffers:
            for m in {m for m, _, _ in buffer.users}:
                self.places.setdefault((buffer.key, m), []).append(buffer)

    def words(self, b):
        m, v, _ = self.buffers[b].users[0]
        return f"buffer v{v} of '{self.methods[m].name}'"

    @staticmethod
    def is_common(policy, buffer):
        banks = POLICIES[policy]
        return buffer.place[0] > 0 and (banks is None or buffer.place[0] in banks)

    def lost(self, policy, b, m, reader, s, apart):
        """Why a reader of buffer b does not find what a call of m leaves; "": it does.

        s: the facts when m ends. apart: gets a line if the methods have a buffer each."""
        buffer, walk = self.buffers[b], self.walks[m]
        common, end = self.is_common(policy, buffer), s[walk.end(b)]
        if (common or m == reader) and end.status < PART and buffer.place[1] < buffer.place[2]:
            return end.cause
        others = self.places.get((buffer.key, m), ()) if buffer.key in walk.stored else ()
        self.work().spend(1 + len(others))
        for other in others:
            if other is not buffer or not (common or m == reader):
                both = common and self.is_common(policy, other)
                if both or m == reader or buffer.name:
                    return f"'{self.methods[m].name}' stores to another place of it"
                apart.add(f"under {policy}, '{self.methods[m].name}' has a buffer apart "
                          f"from {self.words(b)}")
        return ""

    def work(self):
        return self.program.work

    def judge(self, policy, ends, trusted):
        for b, buffer in enumerate(self.buffers):
            readers = {m for m, _, is_read in buffer.users if is_read}
            for m, s in enumerate(ends):
                for reader in readers if s is not None else ():
                    why = self.lost(policy, b, m, reader, s, trusted)
                    if why:
                        raise Refuted(f"under {policy}, {self.words(b)} is not as a call of "
                                      f"'{self.methods[m].name}' has to leave it: {why}")
            common = self.is_common(policy, buffer)
            for m, v, value in self.loads if readers else ():
                self.work().spend(1)
                if meets(value.place, buffer.place) and (common or m in readers):
                    self.load(m, v, b, common, ends)

    def load(self, m, v, b, common, ends):
        """A load of method m puts the stored value of v over buffer b."""
        buffer, walk, value = self.buffers[b], self.walks[m], self.methods[m].values[v]
        others = [(n, self.methods[n].values[u]) for n, u, _ in buffer.users if n != m or u != v]
        alike = all(self.alike(value, x) for _, x in others if x.loaded())
        words = f"loading '{self.methods[m].name}' puts v{v} over {self.words(b)}"
        if walk.own.get(v) != b or value.place != buffer.place:
            keys = {buffer.key, self.buffers[walk.own.get(v, b)].key}
            stored = any(keys & other.stored for other in self.walks)
            if stored or not alike or not all(x.loaded() for _, x in others):
                raise Refuted(words)
        elif common:
            if not alike:
                raise Refuted(words + ", which is loaded with other bytes")
            reads = any(is_read for n, _, is_read in buffer.users if n == m)
            found = ends[m] is None or ends[m][walk.end(b)].status == PART
            late = [n for n, _ in others if n != m and buffer.key in self.walks[n].stored]
            if late and not self.all_first and (reads or found):
                raise Refuted(words + f", to which '{self.methods[late[0]].name}' has stored")

    def alike(self, a, b):
        """Whether two values are loaded with equal bytes where their places meet."""
        if a.external or b.external:
            return a.external == b.external and a.name == b.name and a.place == b.place
        need(max(a.stored, b.stored) < len(self.program.starts), "a stored value is not there")
        lo, hi = max(a.place[1], b.place[1]), min(a.place[2], b.place[2])
        one, other = (self.program.starts[x.stored] + lo - x.place[1] for x in (a, b))
        data = self.program.data
        need(max(one, other) + hi - lo <= len(data), "a stored value is cut")
        self.work().spend((hi - lo) // 64)
        return data[one:one + hi - lo] == data[other:other + hi - lo]

    def show(self, policy, witness):
        """Of an unsafe claim: what does not find what is meant on the path. Nothing: all does."""
        need(len(witness) in (3, 4), "a witness has a reader and calls")
        calls = [numbers(call, "a call", len(self.methods), 1 << 32) for call in witness[2:]]
        (reader, *path), lost = calls[0], {}
        for m, *before in calls[1:]:
            s = self.walks[m].follow(before, {})
            for b in range(len(self.buffers)):
                why = self.lost(policy, b, m, reader, s, set())
                lost |= {b: why} if why else {}
                if self.is_undone(b, m, reader):
                    lost[b] = "its load puts the stored value back"
        walk = self.walks[reader]
        i = numbers(witness[1:2], "a reader", len(walk.method.code) + 1)[0]
        walk.follow(path, lost)
        first = "".join(f", after a call of '{self.methods[m].name}'" for m, *_ in calls[1:])
        jumps = " on the path shown" if any(path for _, *path in calls) else ""
        return [words + first + jumps for (at, _), words in walk.misses.items() if at == i]

    def is_undone(self, b, m, reader):
        """The load of the reader, after a call of m, puts its stored value over what m stored."""
        loaded = any(n == reader and self.walks[n].own.get(v) == b for n, v, _ in self.loads)
        late = loaded and m != reader and not self.all_first
        return late and self.buffers[b].key in self.walks[m].stored


def misplaced(program):
    """(method, value) that leaves its bank, or is not aligned to its element."""
    for m, method in enumerate(program.methods):
        ends = {(v.place[0], v.place[2]) for v in method.values if v.size()}
        for v, value in enumerate(method.values):
            bank, lo, hi = value.place
            leaves = bank > 0 and hi > (method.banks[bank] if bank < len(method.banks) else 0)
            if leaves or (bank > 0 and lo % ELEMENT[value.dtype] and (bank, lo) not in ends):
                yield m, v


def buffers_not_in_file(program, buffers, walks):
    for buffer in buffers:
        for m, v, is_read in buffer.users:
            method, value = program.methods[m], program.methods[m].values[v]
            known = value.loaded() or (v < min(method.inputs, default=-1) and walks[m].numbered())
            if not (buffer.name or known):
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


def judge_unsafe(calls, policy, claim, wrong):
    """Lines (confirmed, not checked)."""
    shown = []
    for witness in claim:
        if listed(witness, "a witness")[:1] == ["place"]:
            shown += [f"v{v} of method {m} is misplaced in its bank" for m, v in wrong
                      if witness[1:] == [m, v]]
        else:
            shown += calls.show(policy, witness)
    if not shown:
        what = "which no path of the certificate shows" if claim else (
            "by rules that the certificate does not speak of")
        return [], [f"{policy}: unsafe, {what}"]
    doubt = [f"{policy}: that this path can be taken"] * shown[0].endswith("on the path shown")
    return [f"{policy} is unsafe: {shown[0]}"], doubt


def check(data, text, reviewed, data_files=()):
    """Lines (confirmed, trusted, not checked). Raises Refuted, Malformed or TooMuch."""
    cert = read_certificate(text)
    need(cert.get("file") == hashlib.sha256(data).hexdigest(), "it is of another file")
    hashes = [hashlib.sha256(x).hexdigest() for x in data_files]
    need(cert.get("data", []) == hashes, "it is of other data files")
    program, stated = read_program(data, len(text)), cert.get("operators", {})
    codes = {name: read_signature(code) for name, code in {**reviewed, **stated}.items()}
    buffers = read_buffers(program.methods, cert.get("buffers", []))
    parts = listed(cert.get("methods", []), "methods")
    need(len(parts) == len(program.methods), "it has another number of methods")
    walks = [Walk(program, m, buffers, part, codes) for m, part in enumerate(parts)]
    calls = Calls(program, buffers, walks, cert.get("load") == "all-first")
    confirmed, unchecked, trusted, wrong = [], [], set(), list(misplaced(program))
    claims = sorted(cert["claims"].items())
    safe = [policy for policy, claim in claims if claim == "safe"]
    for m, v in wrong if safe else ():
        raise Refuted(f"v{v} of '{program.methods[m].name}' is misplaced in its bank")
    ends = [walk.run() for walk in walks] if safe else []
    for policy in safe:
        calls.judge(policy, ends, trusted)
        confirmed.append(f"{policy}: each read finds what is meant, in all orders of calls")
    for policy, claim in claims:
        if type(claim) is list:
            shown, doubts = judge_unsafe(calls, policy, claim, wrong)
            confirmed, unchecked = confirmed + shown, unchecked + doubts
        elif claim != "safe":
            unchecked.append(f"{policy}: {claim}")
    trusted |= {f"operator {name} does {code}" for name, code in stated.items()
                if reviewed.get(name) != code}
    trusted |= {*buffers_not_in_file(program, buffers, walks)}
    for walk in walks:
        trusted |= {*walk.trusted, *walk.births_not_in_file()}
    trusted |= {"all methods are loaded before the first call"} if calls.all_first else set()
    trusted |= {f"the manifest {cert['manifest']}"} if "manifest" in cert else set()
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
    lines, code = {}, 3
    try:
        data, text, *more = (Path(name).read_bytes() for name in arguments)
        found = check(data, text, reviewed, more)
        lines, code = dict(zip(("confirmed", "trusted", "unchecked"), found)), 0
    except (Malformed, OSError) as error:
        lines, code = {"malformed": [error]}, 2
    except Refuted as error:
        lines, code = {"refuted": [error]}, 1
    except TooMuch:
        lines = {"unchecked": ["too much work"]}
    for word, listing in lines.items():
        for line in listing:  # names of the file may not look like other lines
            print(f"{word:9}  {str(line).encode('unicode_escape').decode()}")
    if "trusted" in lines:
        print(f"trusted    {ALWAYS}\noperators  {version}")
    return 3 if code == 0 and (lines["unchecked"] or not lines["confirmed"]) else code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
