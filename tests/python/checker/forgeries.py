"""Forged certificates and programs: one field changed, or a few, or a certificate made to fit.

A field of a program is (name, first byte, form of struct). Nothing here uses the checker."""

import copy
import hashlib
import json
import struct

KINDS = {1: "kernel", 2: "delegate", 3: "move", 4: "jump", 5: "free"}


def sealed(certificate, data):
    """The certificate, of these bytes."""
    return {**certificate, "file": hashlib.sha256(data).hexdigest()}


# ---- Programs ----


class Walker:
    """Where a program holds its numbers."""

    def __init__(self, data):
        self.data = data

    def at(self, form, where):
        return struct.unpack_from("<" + form, self.data, where)[0]

    def slot(self, table, k):
        if not table:
            return 0
        fields = table - self.at("i", table)
        offset = self.at("H", fields + 4 + 2 * k) if 6 + 2 * k <= self.at("H", fields) else 0
        return table + offset if offset else 0

    def below(self, table, k):
        where = self.slot(table, k)
        return where + self.at("I", where) if where else 0

    def items(self, table, k, size):
        where = self.below(table, k)
        return [where + 4 + size * i for i in range(self.at("I", where))] if where else []

    def tables(self, table, k):
        return [where + self.at("I", where) for where in self.items(table, k, 4)]

    def fields(self):
        root = self.at("I", 0)
        for method in self.tables(root, 1):
            for k in (3, 4):
                yield from (("signature", at, "i") for at in self.items(method, k, 4))
            yield from (("bank", at, "q") for at in self.items(method, 8, 8)[1:])
            for v, value in enumerate(self.tables(method, 2)):
                yield from self.of_value(v, value)
            for chain in self.tables(method, 5):
                for instruction in self.tables(chain, 2):
                    yield from self.of_instruction(instruction)
        for part in self.tables(root, 6):
            yield from (("stored", at, "Q") for at in self.items(part, 1, 8))

    def of_value(self, v, value):
        kind, of = self.at("B", self.slot(value, 0)), self.below(value, 1)
        if kind == 3 and self.slot(of, 0):
            yield "flag", self.slot(of, 0), "B"
        if kind in (10, 11):
            yield from (("item", at, "i") for at in self.items(of, 0, 4))
        if kind != 5:
            return
        allocation, extra = self.below(of, 6), self.below(of, 9)
        for name, at, form in (("dtype", self.slot(of, 0), "b"), ("data", self.slot(of, 5), "I"),
                               ("dynamic", self.slot(of, 8), "b"),
                               ("bank of a place", self.slot(allocation, 0), "I"),
                               ("place", self.slot(allocation, 1), "I")):
            if at:
                yield name, at, form
        yield from (("size", at, "i") for at in self.items(of, 2, 4))
        yield from (("order", at, "B") for at in self.items(of, 3, 1))
        yield from (("name", at, "B") for at in self.items(extra, 1, 1)[-1:])

    def of_instruction(self, instruction):
        kind, of = self.at("B", self.slot(instruction, 0)), self.below(instruction, 1)
        for k in (0,) if kind in (1, 2) else (0, 1):
            if self.slot(of, k):
                yield KINDS.get(kind, "?"), self.slot(of, k), "i"
        if kind in (1, 2):
            yield from (("argument", at, "i") for at in self.items(of, 1, 4))


def fields_of(data):
    found = {}
    for name, at, form in Walker(data).fields():
        found.setdefault(name, []).append((at, form))
    return found


def changed_program(rng, data, fields):
    """(data, the field's name): one number of it is another one, mostly of its own kind."""
    name = rng.choice(list(fields) + ["place"] * (2 if "place" in fields else 0))
    at, form = rng.choice(fields[name])
    now = struct.unpack_from("<" + form, data, at)[0]
    others = {struct.unpack_from("<" + form, data, other)[0] for other, _ in fields[name]}
    others |= {now + 1, now - 1, now + 4, now + 16, now - 16, 0} if rng.random() < 0.5 else set()
    most = 1 << 8 * struct.calcsize(form) - (form in "iqb")
    fit = sorted(x for x in others - {now} if 0 <= x < most)
    if not fit:
        return data, name
    number = struct.pack("<" + form, rng.choice(fit))
    return data[:at] + number + data[at + len(number):], name


def damaged(rng, data):
    """A few bytes are others, or the end is cut."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        byte = rng.choice([0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)])
        changed[rng.randrange(len(changed))] = byte
    return bytes(changed[:rng.choice([len(changed)] * 3 + [rng.randrange(len(changed))])])


# ---- Certificates ----

LETTERS = "-rewWufnvh"
ODD = [0, 1, 2, 3, 7, -1, 1 << 31, 1 << 70, True, None, 1.5, "", "x", [], {}, [0], [0, 0, 0]]


def places_in(thing):
    """(container, key) of each part of a tree."""
    keys = thing.keys() if type(thing) is dict else range(len(thing)) if type(thing) is list else ()
    for key in list(keys):
        yield thing, key
        yield from places_in(thing[key])


def changed_text(rng, text):
    k = rng.randrange(len(text) + 1)
    letter = rng.choice(LETTERS + ">")
    return rng.choice([text[:k] + letter + text[k + 1:], text[:k] + text[k + 1:],
                       text[:k] + letter + text[k:]])


def changed_certificate(rng, certificate):
    """One part is another one, is gone, or is there twice; or a part is new."""
    forged = copy.deepcopy(certificate)
    if rng.random() < 0.4:
        added(rng, forged)
        return forged
    places = [(thing, key) for thing, key in places_in(forged)
              if not (thing is forged and key in ("file", "schema", "data"))]
    thing, key = rng.choice(places)
    now, way = thing[key], rng.random()
    if way < 0.2:
        del thing[key]
    elif way < 0.3 and type(thing) is list:
        thing.insert(rng.randrange(len(thing) + 1), copy.deepcopy(now))
    elif way < 0.4 and type(thing) is list and len(thing) > 1:
        other = rng.randrange(len(thing))
        thing[key], thing[other] = thing[other], now
    elif way < 0.5:
        thing[key] = rng.choice(ODD)
    elif type(now) is int:
        thing[key] = max(0, now + rng.choice([-2, -1, 1, 2, 3, 5, 10]))
    elif type(now) is str:
        thing[key] = changed_text(rng, now)
    else:
        thing[key] = rng.choice(ODD)
    return forged


def added(rng, forged):
    """One entry more: what a liar would like to say."""
    parts = forged.get("methods")
    parts = [part for part in parts if type(part) is dict] if type(parts) is list else []
    part = rng.choice(parts or [{}])
    numbers = [x for thing, key in places_in(part) for x in [thing[key]] if type(x) is int]
    most = max(numbers, default=3) + 3
    n = lambda: rng.randrange(most)  # noqa: E731
    operators = forged.get("operators")
    operators = operators if type(operators) is dict else {}
    signature = rng.choice([x for x in operators.values() if type(x) is str] or ["ew>"])
    entry = {"born": lambda: [n(), n(), n()], "placed": lambda: [n(), n(), n()], "idle": n,
             "calls": lambda: [n(), changed_text(rng, signature)], "delegates": lambda: [1],
             "heads": lambda: [n(), [n(), n()], [n()]]}
    key = rng.choice(["born"] * 3 + ["idle", "calls", "placed", "heads", "delegates", "operators",
                                     "buffers", "load"])
    if key == "operators" and operators:
        operators[rng.choice(list(operators))] = changed_text(rng, signature)
    elif key == "buffers" and type(forged.get(key, [])) is list:
        forged.setdefault(key, []).append(["", [0, n()], *[[0, n()]] * rng.randrange(2)])
    elif key == "load":
        forged[key] = rng.choice(["any", "all-first", "none"])
    elif key in entry:
        listing = part.setdefault(key, [])
        if type(listing) is list:
            listing.insert(rng.randrange(len(listing) + 1), entry[key]())


def claims_safe(certificate, policies):
    return {**certificate, "claims": {policy: "safe" for policy in policies}}


def text_of(certificate):
    return json.dumps(certificate).encode()
