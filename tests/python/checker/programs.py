"""ExecuTorch programs written by hand, for the checker's tests: values, instructions, methods.

A table is {field: (form, value)}: a number in a form of struct, "T" a table, "*T" a list of these,
"*" and a form a list of numbers, "text". Nothing here uses the checker."""

import struct

WIDTH = {"b": 1, "B": 1, "H": 2, "i": 4, "I": 4, "q": 8, "Q": 8}


def laid_out(root, header):
    """Each table, list and text in order, aligned as flatc does it."""
    out, waiting = bytearray(4) + b"ET12" + header, [(0, "T", root)]

    def align(to, ahead=0):
        out.extend(bytes(-(len(out) + ahead) % to))

    def table(fields):
        count = max(fields, default=-1) + 1
        align(2)
        slots = len(out)
        out.extend(bytes(4 + 2 * count))
        align(8)
        start = len(out)
        out.extend(struct.pack("<i", start - slots))
        for k, (form, value) in sorted(fields.items()):
            align(WIDTH.get(form, 4))
            struct.pack_into("<H", out, slots + 4 + 2 * k, len(out) - start)
            if form not in WIDTH:
                waiting.append((len(out), form, value))
            out.extend(struct.pack("<" + form, value) if form in WIDTH else bytes(4))
        struct.pack_into("<HH", out, slots, 4 + 2 * count, len(out) - start)
        return start

    def listing(form, items):
        align(max(4, WIDTH.get(form, 4)), 4)
        start = len(out)
        out.extend(struct.pack("<I", len(items)))
        for item in items:
            if form == "T":
                waiting.append((len(out), form, item))
            out.extend(bytes(4) if form == "T" else struct.pack("<" + form, item))
        return start

    while waiting:
        at, form, value = waiting.pop(0)
        if form == "T":
            start = table(value)
        elif form == "text":
            start = listing("B", value if type(value) is bytes else value.encode())
            out.append(0)
        else:
            start = listing(form[1:], value)
        struct.pack_into("<I", out, at, start - at)
    return bytes(out)


def value(kind, fields):
    return {0: ("B", kind), 1: ("T", fields)}


def tensor(sizes, place=None, name="", stored=0, dtype=6, dynamic=0, order=None, external=0):
    """Place: (bank, first byte). Stored: the number of its value among those of the program."""
    order = list(range(len(sizes))) if order is None else order
    fields = {0: ("b", dtype), 2: ("*i", sizes), 3: ("*B", order), 5: ("I", stored),
              8: ("b", dynamic)}
    if place:
        fields[6] = ("T", {0: ("I", place[0]), 1: ("I", place[1])})
    if name or external:
        fields[9] = ("T", {0: ("Q", 0), 1: ("text", name), 2: ("b", external)})
    return value(5, fields)


def none():
    return value(1, {})


def integer(number=0):
    return value(2, {0: ("q", number)})


def boolean(flag):
    return value(3, {0: ("B", flag)})


def integers(items):
    return value(7, {0: ("*q", items)})


def tensors(items, kind=10):
    return value(kind, {0: ("*i", items)})


def instruction(what, operators):
    """("move", from, to), ("jump", condition, to), ("free", value), or (operator, argument...)."""
    name, *args = what
    if name in ("move", "jump", "free"):
        kind = {"move": 3, "jump": 4, "free": 5}[name]
        return {0: ("B", kind), 1: ("T", {k: ("i", x) for k, x in enumerate(args)})}
    number = operators.setdefault(name, len(operators))
    return {0: ("B", 1), 1: ("T", {0: ("i", number), 1: ("*i", args)})}


def method(name, values, inputs, outputs, *chains):
    operators = {}
    code = [{0: ("*i", []), 1: ("*i", []), 2: ("*T", [instruction(x, operators) for x in chain])}
            for chain in chains]
    names = [{0: ("text", x.rpartition(".")[0]), 1: ("text", x.rpartition(".")[2])}
             if "." in x else {0: ("text", x), 1: ("text", "")} for x in operators]
    return {0: ("text", name), 1: ("T", {0: ("text", ""), 1: ("text", "")}),
            2: ("*T", values), 3: ("*i", inputs), 4: ("*i", outputs), 5: ("*T", code),
            6: ("*T", names), 7: ("*T", []), 8: ("*q", [0, 4096, 4096])}


def program(methods, stored=()):
    """Stored: the bytes of value 1, 2, ... of constants, and of what loads put into places."""
    data, starts = b"", [0]
    for one in stored:
        starts.append(len(data))
        data += one + bytes(-len(one) % 16)
    index = {0: ("I", 0), 1: ("*Q", starts)}
    segment = {0: ("Q", 0), 1: ("Q", len(data))}
    root = {0: ("I", 0), 1: ("*T", methods), 2: ("*T", []), 3: ("*T", []), 4: ("*T", [segment]),
            5: ("T", index), 6: ("*T", [index])}
    size = len(laid_out(root, bytes(40)))
    size += -size % 16
    header = struct.pack("<4sIQQQ8x", b"eh00", 32, size, size, len(data))
    return laid_out(root, header).ljust(size, b"\0") + data
