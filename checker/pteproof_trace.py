#!/usr/bin/env python3
"""Prints what the checker has read, for the proved rules (sound/accepted.ml, which says its form).

    python pteproof_checker.py --trace POLICY model.pte model.cert.json

It walks as the checker does, and writes each step down: the moments of births, stores to buffers by
other names, first fills, and what holds at the targets of jumps. What the model leaves out is left
out here: values without bytes, and numbers that are no tensors. Constants are inputs, as nothing
writes them. A condition of a jump is an input of its own.
"""

import pteproof_checker as checker
from pteproof_checker import HELD, JUMP, LOST, PART, VOID


class Names:
    """One number for each name of the program. A value that is a buffer has the buffer's."""

    def __init__(self, methods, buffers, policy):
        self.methods, self.buffers, self.policy = methods, buffers, policy
        self.firsts, count = [], 0
        for method in methods:
            self.firsts.append(count)
            count += 2 * len(method.values)  # each value, and what it says as a condition
        self.of_buffers = count
        self.users = {(x.m, v): b for x in methods for v, b in x.own.items()
                      if x.values[v].place == buffers[b].place}

    def buffer(self, b, m):
        """Of buffer b as method m sees it: one of all methods, or one that is its own."""
        common = checker.is_common(self.policy, self.buffers[b].place)
        return self.of_buffers + b * (len(self.methods) + 1) + (0 if common else 1 + m)

    def value(self, m, v):
        b = self.users.get((m, v))
        return self.firsts[m] + v if b is None else self.buffer(b, m)

    def condition(self, m, v):
        return self.firsts[m] + len(self.methods[m].values) + v

    def place(self, m, place, size):
        """With so many bytes from its beginning on."""
        bank, low, _ = place
        where = f"{bank}@{m}" if bank > 0 else f"a{self.value(m, -1 - bank)}"
        return f"{where}:{low}:{size}"

    def kept(self):
        """(name, method, buffer) of what calls find: the contents between calls."""
        found = {}
        for b, buffer in enumerate(self.buffers):
            for m in sorted({m for m, _, is_read in buffer.users if is_read}):
                found.setdefault(self.buffer(b, m), (m, b))
        return [(name, m, b) for name, (m, b) in found.items() if self.buffers[b].place[1] <
                self.buffers[b].place[2]]


class Listing(checker.Method):
    """A method that writes down each step of the pass over it."""

    def trace(self, names):
        """The lines of the method."""
        self.naming, self.lines, self.voids = names, [[] for _ in range(len(self.code) + 1)], []
        self.here, self.at, self.begins, self.prologue = 0, {}, None, []
        self.joins = {target for kind, target, _ in self.code if kind == JUMP}
        self.run()
        self.place_fills()
        body = self.body()
        return [*self.head(), *body, *self.invariants()]

    def name(self, v):
        return self.naming.value(self.m, v)

    def has_bytes(self, v):
        return self.is_tensor(v) and self.values[v].size > 0

    def spot(self, place, v):
        return self.naming.place(self.m, place, self.values[v].size)

    def say(self, *words):
        self.lines[self.here].append(" ".join(map(str, words)))

    # What the pass does.

    def entry(self, lost):
        s = super().entry(lost)
        self.begins = dict(s.facts)
        self.voids.append((-1, 0, {v for v, fact in s.facts.items() if fact.status == VOID}))
        return s

    def advance(self, s, i):
        self.here = i
        if i in self.joins:
            self.at[i] = dict(s.facts)
        goes_on, to = super().advance(s, i)
        reached = self.joins & {to, i + 1 if goes_on else to}
        voids = {v for v, fact in s.facts.items() if fact.status == VOID} if reached else ()
        self.voids += [(i, target, voids) for target in reached]
        if to >= 0:
            condition = self.naming.condition(self.m, self.code[i][2][0])
            self.say(*(["jump", condition] if goes_on else ["goto"]), f"@{to}")
        return goes_on, to

    def bear(self, s, i, v, sources, by_call=False):
        facts = [s[x] for x in sources]
        super().bear(s, i, v, sources, by_call)
        if not self.has_bytes(v):
            return
        if s[v].status != HELD:
            self.say("forget", self.name(v))
            return
        place, parts = self.values[v].place, []
        for fact, x in sorted(zip(facts, sources), key=lambda pair: pair[0].places):
            if self.has_bytes(x) and fact.places:
                low = max(0, place[1] - fact.places[0][1])
                parts += [self.name(x), low, min(self.values[x].size - low, self.values[v].size)]
        self.say("born", self.name(v), *parts)

    def move(self, s, i, to, source):
        held = self.holds(s, source)
        super().move(s, i, to, source)
        if to == source or not (self.has_bytes(to) and self.has_bytes(source)):
            return
        if not held:
            self.say("forget", self.name(to))
        elif to in self.handles:
            self.say("move", self.name(to), self.name(source))
        elif self.name(to) != self.name(source):
            self.say("born", self.name(to), self.name(source), 0, self.values[to].size)

    def step(self, s, i):
        effects = self.effects[i]
        sound = all(self.holds(s, v) for v in effects.needs)
        for v, letter in effects.writes.items():
            if self.has_bytes(v) and letter == "f" and s[v].status == VOID:
                self.say("anything", self.name(v))
        fills = {v for v, letter in effects.writes.items() if letter == "f" and s[v].status == LOST}
        call = self.call(i, sound, fills)
        if call:
            self.say(*call)
        super().step(s, i)

    def call(self, i, sound, fills):
        effects, words = self.effects[i], []
        made = {v: x for v, x in effects.writes.items() if x in "wWuf" and self.has_bytes(v)}
        for v, elementwise in effects.reads:
            if self.has_bytes(v) and self.code[i][0] != JUMP:
                by = elementwise and any(self.same_elements(v, w) for w in made)
                words += ["e", self.name(v), self.unit(v)] if by else ["r", self.name(v)]
        for v, letter in made.items():
            letter = "u" if letter in "uf" and v not in fills else "w"
            words += [letter, self.name(v), self.unit(v)]
        return ["call" if sound else "idle", i, *words] if words else []

    def unit(self, v):
        return checker.ELEMENT[self.values[v].dtype]

    def write(self, s, i, v, letter, sound):
        before = s[v]
        b = self.own.get(v, -1 if letter == "w" else before.buffer)
        lost = super().write(s, i, v, letter, sound)
        home, place = (self.buffers[b].place if b >= 0 else ()), before.places[:1]
        if b >= 0 and place and self.has_bytes(v) and s[v].status == HELD:
            name = self.naming.buffer(b, self.m)
            if name != self.name(v) and checker.within(home, place[0]):
                self.say("born", name, self.name(v), home[1] - place[0][1], home[2] - home[1])
        return lost

    def write_all(self, s, i, writes, sound):
        super().write_all(s, i, writes, sound)
        for v, letter in writes.items():
            if self.has_bytes(v) and i >= 0:
                if letter == "n" and v not in self.made:
                    self.say("anything", self.name(v))
                elif s[v].status != HELD:
                    self.say("forget", self.name(v))

    # What is written down of it.

    def place_fills(self):
        """M5: what a path begins to fill before a join, and another does not, means anything."""
        for i, to, voids in self.voids:
            for v in sorted(voids):
                fact = self.at.get(to, {}).get(v)
                if fact and fact.status in (PART, HELD) and self.has_bytes(v):
                    lines = self.lines[i] if i >= 0 else self.prologue
                    jumps = i >= 0 and self.code[i][0] == JUMP
                    lines.insert(len(lines) - jumps, f"anything {self.name(v)}")

    def head(self):
        lines, m, names = ["method"], self.m, self.naming
        homes = {}
        for v, value in enumerate(self.values):
            if self.has_bytes(v):
                homes.setdefault(self.name(v), self.spot(value.place, v))
        kept = names.kept()
        for name, k, b in kept:
            homes.setdefault(name, self.kept_place(k, b))
        lines += [f"home {name} {place}" for name, place in homes.items()]
        handles = [v for v in self.handles if self.has_bytes(v)]
        lines += [f"handle {name}" for name in sorted({self.name(v) for v in handles})]
        lines += [f"settled {name}" for name in sorted({
            self.name(v) for v in handles
            if v in self.begins and self.begins[v].places == (self.values[v].place,)})]
        lines += [f"input {name}" for name in self.given()]
        lines += [f"output {self.name(v)}" for v in self.returned()]
        lines += [f"load {name}" for name in sorted({
            self.name(v) for v, x in enumerate(self.values)
            if x.place[0] > 0 and x.loaded and self.has_bytes(v)})]
        read = {names.buffer(b, self.m) for b, x in enumerate(self.buffers)
                for user, _, is_read in x.users if user == m and is_read}
        lines += [f"begin {name}" for name, _, _ in kept if name in read]
        lines += [f"{word} {name} {self.kept_place(k, b)}" for word in ("begin", "end")
                  for name, k, b in kept]
        scalars = {args[0] for kind, _, args in self.code if kind == JUMP}
        lines += [f"home {names.condition(m, v)} a{names.condition(m, v)}:0:1" for v in scalars]
        lines += [f"input {names.condition(m, v)}" for v in sorted(scalars)]
        return lines

    def kept_place(self, k, b, names=None):
        _, low, high = place = self.buffers[b].place
        return (names or self.naming).place(k, place, high - low)

    def given(self):
        """Inputs, what the caller sets, and constants."""
        set_by_caller = [v for v, fact in self.begins.items() if v < len(self.values)
                         and fact.status == HELD and v not in self.own]
        given = [*self.inputs, *set_by_caller, *self.constants()]
        return dict.fromkeys(self.name(v) for v in given if self.has_bytes(v))

    def constants(self):
        return [v for v, x in enumerate(self.values) if x.constant and self.has_bytes(v)]

    def returned(self):
        return [v for t in self.outputs for v in self.tensors(t) if self.has_bytes(v)]

    def body(self):
        """The instructions, with the numbers of those that jumps go to."""
        self.starts, count = [], len(self.prologue)
        for lines in self.lines:
            self.starts.append(count)
            count += len(lines)
        words = [*self.prologue, *(line for lines in self.lines for line in lines)]
        return [f"{line.rpartition('@')[0]}{self.starts[int(line.rpartition('@')[2])]}"
                if line.startswith(("jump", "goto")) else line for line in words]

    def invariants(self):
        lines, m = [], self.m
        scalars = {self.naming.condition(m, args[0]) for kind, _, args in self.code if kind == JUMP}
        for i, facts in sorted(self.at.items()):
            lines.append(f"at {self.starts[i]}")
            held = [v for v, fact in facts.items() if v < len(self.values) and self.has_bytes(v)
                    and fact.status >= PART]
            for v in sorted(self.handles):
                fact = facts.get(v)
                if fact and fact.places and self.has_bytes(v):
                    spots = " ".join(self.spot(place, v) for place in fact.places)
                    lines.append(f"spot {self.name(v)} {spots}")
            names = dict.fromkeys(self.name(v) for v in [*held, *self.constants()])
            lines += [f"here {name}" for name in (*names, *sorted(scalars))]
            for name, k, b in self.naming.kept():
                end = facts.get(len(self.values) + b)
                mine = name == self.naming.buffer(b, m)
                if not mine or (end and end.status >= PART):
                    lines.append(f"there {name} {self.kept_place(k, b)}")
        return lines


def trace(policy, data, text, reviewed, data_files=()):
    """The text of the trace under a policy. Raises what the checker raises."""
    _, methods, calls = checker.read(data, text, reviewed, data_files, Listing)
    names = Names(methods, calls.buffers, policy)
    lines = [f"policy {policy}"] + ["all-first"] * calls.all_first
    sizes = {}
    for method in methods:
        sizes.update((names.value(method.m, v), x.size) for v, x in enumerate(method.values)
                     if x.size and x.kind == checker.TENSOR)
        sizes.update((names.condition(method.m, args[0]), 1)
                     for kind, _, args in method.code if kind == JUMP)
    kept = names.kept()
    for name, _, b in kept:
        sizes[name] = calls.buffers[b].place[2] - calls.buffers[b].place[1]
    lines += [f"size {name} {size}" for name, size in sorted(sizes.items())]
    for name, m, b in kept:
        buffer, where = calls.buffers[b], methods[m].kept_place(m, b, names)
        lines.append(f"between {name} {where}")
        if any(is_read and not methods[n].values[v].loaded for n, v, is_read in buffer.users):
            lines.append(f"before {name} {where}")
    for method in methods:
        lines += method.trace(names)
    return "\n".join(lines) + "\n"


def main(arguments):
    if len(arguments) < 3 or arguments[0] not in checker.POLICIES:
        print("usage: pteproof_checker.py --trace POLICY model.pte model.cert.json [data.ptd ...]")
        return 2
    reviewed, _ = checker.read_operators()
    data, text, *more = (checker.Path(name).read_bytes() for name in arguments[1:])
    print(trace(arguments[0], data, text, reviewed, more), end="")
    return 0
