"""Where a source file can be changed: the mutants of its function bodies, and the file that holds them all.

Each mutant is a conditional on Mutated(NUMBER) (tests/mutation/mutated.h) beside the code as it is; without a number
chosen the file does what it did. Needs libclang's Python binding.
"""

import re
from pathlib import Path
from typing import NamedTuple

from clang.cindex import Cursor, CursorKind, Diagnostic, Index, TranslationUnit, TypeKind

K = CursorKind
FUNCTIONS = {K.FUNCTION_DECL, K.CXX_METHOD, K.CONSTRUCTOR, K.DESTRUCTOR, K.CONVERSION_FUNCTION, K.FUNCTION_TEMPLATE}
NEGATED = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
SHIFTED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
ORDERED = {"-", "/", "%", "<<", ">>"}  # operators whose operands are not to be swapped
# What comes out is the same in any order.
COMMUTATIVE = {"min", "max", "swap", "CheckedAdd", "CheckedMul", "CheckedMultiply"}
NUMBER = re.compile(r"(0[xXbB])?[0-9a-fA-F']+[uUlLzZ]*")
# Seams of planted defects: constants in the product, where what they choose is never compiled in.
SEAMS = {"Without"}
SKIPPED = {K.STATIC_ASSERT, K.TYPE_REF, K.TEMPLATE_REF, K.NAMESPACE_REF, K.PARM_DECL}


class Mutant(NamedTuple):
    start: int  # of what is changed, in bytes
    end: int
    change: str  # what becomes of it, to be read and to be told apart by
    code: str  # what stands there instead; "" for a statement that is left out; "!" for a negation


def text_of(source: bytes, cursor: Cursor) -> str:
    return source[cursor.extent.start.offset:cursor.extent.end.offset].decode()


def on_one_line(code: str) -> str:
    line = " ".join(code.split())
    return line if len(line) <= 90 else line[:60] + " ... " + line[-25:]


class Finder:
    """The mutants of one file, in the order of a walk through it."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.found: list[Mutant] = []

    def add(self, cursor: Cursor, code: str, what: str = "") -> None:
        start, end = cursor.extent.start.offset, cursor.extent.end.offset
        before = on_one_line(text_of(self.source, cursor))
        change = what or (f"!({before})" if code == "!" else on_one_line(code))
        mutant = Mutant(start, end, f"`{before}` becomes `{change}`", code)
        if not any(m[:2] == mutant[:2] and m.code == code for m in self.found):
            self.found.append(mutant)

    def statement(self, cursor: Cursor, in_if: bool) -> None:
        """One that could be left out."""
        kind = peel(cursor).kind
        plain = kind in {K.CALL_EXPR, K.BINARY_OPERATOR, K.COMPOUND_ASSIGNMENT_OPERATOR, K.UNARY_OPERATOR}
        leaves = kind in {K.BREAK_STMT, K.CONTINUE_STMT, K.RETURN_STMT}
        start = cursor.extent.start.offset
        end = self.source.find(b";", cursor.extent.end.offset) + 1
        between = self.source[cursor.extent.end.offset:end]
        text = self.source[start:end].decode()
        if (not plain and not (leaves and in_if)) or between.strip() != b";" or re.search(r"\breserve\(", text):
            return
        self.found.append(Mutant(start, end, f"`{on_one_line(text)}` is left out", ""))

    def block(self, cursor: Cursor, in_if: bool) -> None:
        """The body of something: a compound statement or a single one."""
        inner = peel(cursor)
        if inner.kind != K.COMPOUND_STMT:
            self.statement(cursor, in_if)
            self.visit(cursor)
            return
        for child in inner.get_children():
            self.statement(child, in_if)
            self.visit(child)

    def visit(self, cursor: Cursor, condition: bool = False) -> None:
        cursor = peel(cursor)
        if cursor.kind in SKIPPED:
            return
        visitor = {
            K.COMPOUND_STMT: lambda: self.block(cursor, False),
            K.IF_STMT: lambda: self.visit_if(cursor),
            K.WHILE_STMT: lambda: self.visit_loop(cursor, 0),
            K.FOR_STMT: lambda: self.visit_for(cursor),
            K.CXX_FOR_RANGE_STMT: lambda: self.visit_loop(cursor, None),
            K.CASE_STMT: lambda: self.visit_case(cursor),
            K.DEFAULT_STMT: lambda: [self.block(c, False) for c in cursor.get_children()],
            K.CONDITIONAL_OPERATOR: lambda: self.visit_choice(cursor),
            K.INTEGER_LITERAL: lambda: self.visit_number(cursor, 1),
            K.CXX_BOOL_LITERAL_EXPR: lambda: self.visit_truth(cursor),
            K.VAR_DECL: lambda: self.visit_variable(cursor),
            K.UNARY_OPERATOR: lambda: self.visit_unary(cursor, condition),
        }.get(cursor.kind)
        if visitor is not None:
            visitor()
            return
        binary = cursor.kind in {K.BINARY_OPERATOR, K.CALL_EXPR} or is_rewritten(cursor)
        if binary and self.visit_operator(cursor):
            return
        if condition and cursor.kind.is_expression():
            self.add(cursor, "!")
        if is_seam(cursor) or (cursor.kind == K.CALL_EXPR and cursor.spelling == "reserve"):
            return
        if cursor.kind == K.CALL_EXPR:
            self.swap_arguments(cursor)
        for child in cursor.get_children():
            self.visit(child)

    def visit_if(self, cursor: Cursor) -> None:
        children = list(cursor.get_children())
        tokens = text_of(self.source, cursor)[:16].replace(" ", "")
        while children and children[0].kind == K.DECL_STMT:
            self.visit(children.pop(0))
        if not tokens.startswith("ifconstexpr"):
            self.visit(children[0], condition=True)
        for branch in children[2 if is_seam(children[0]) else 1:]:
            self.block(branch, in_if=len(children) == 2 or peel(branch).kind == K.COMPOUND_STMT)

    def visit_loop(self, cursor: Cursor, condition: int | None) -> None:
        *heads, body = list(cursor.get_children())
        for i, head in enumerate(heads):
            self.visit(head, condition=i == condition)
        self.block(body, False)

    def visit_for(self, cursor: Cursor) -> None:
        """Which of a loop's three heads are there is told by its two semicolons."""
        *heads, body = list(cursor.get_children())
        for head in heads:
            before = self.source[cursor.extent.start.offset:head.extent.start.offset].decode()
            after = self.source[head.extent.end.offset:body.extent.start.offset].decode()
            is_condition = head.kind != K.DECL_STMT and ";" in before and ";" in after
            self.visit(head, condition=is_condition)
        self.block(body, False)

    def visit_case(self, cursor: Cursor) -> None:
        for child in list(cursor.get_children())[1:]:
            self.visit(child)

    def visit_choice(self, cursor: Cursor) -> None:
        condition, *both = list(cursor.get_children())
        self.visit(condition, condition=True)
        for one in both[1 if is_seam(condition) else 0:]:
            self.visit(one)

    def visit_number(self, cursor: Cursor, step: int) -> None:
        text = text_of(self.source, cursor)
        if NUMBER.fullmatch(text):
            self.add(cursor, f"{text} {'+' if step > 0 else '-'} 1")

    def visit_truth(self, cursor: Cursor) -> None:
        text = text_of(self.source, cursor)
        if text in {"true", "false"}:
            self.add(cursor, "false" if text == "true" else "true")

    def visit_variable(self, cursor: Cursor) -> None:
        head = self.source[max(0, cursor.extent.start.offset - 20):cursor.location.offset]
        children = [c for c in cursor.get_children() if c.kind not in SKIPPED]
        if b"constexpr" in re.split(rb"[;{}(]", head)[-1] or not children:
            return
        first = peel(children[-1])
        # What is constructed as `name(arguments)` is no expression for itself.
        named = first.extent.start.offset == cursor.location.offset
        for child in list(first.get_children()) if named else [first]:
            self.visit(child)

    def visit_unary(self, cursor: Cursor, condition: bool) -> None:
        operator = chr(self.source[cursor.extent.start.offset])
        operand = next(cursor.get_children())
        if operator == "-" and peel(operand).kind == K.INTEGER_LITERAL:
            self.visit_number(peel(operand), -1)
        elif operator == "!":
            self.visit(operand, condition=True)
        else:
            if condition:
                self.add(cursor, "!")
            self.visit(operand)

    def visit_operator(self, cursor: Cursor) -> bool:
        """A binary operator, or the call of one; False: it is something else."""
        children = list(cursor.get_children())
        if cursor.kind == K.UNEXPOSED_EXPR:
            children = operands_of(cursor)
        elif cursor.kind == K.CALL_EXPR:
            if not cursor.spelling.startswith("operator") or len(children) != 3:
                return False
            children = [children[0], children[2]]
        if len(children) != 2:
            return False
        left, right = children
        between = self.source[left.extent.end.offset:right.extent.start.offset].decode()
        operator = re.sub(r"//.*", "", between).strip()
        first, second = text_of(self.source, left), text_of(self.source, right)
        if operator in NEGATED:
            self.add(cursor, "!", f"{on_one_line(first)} {NEGATED[operator]} {on_one_line(second)}")
            if operator in SHIFTED:
                self.add(cursor, f"({first}) {SHIFTED[operator]} ({second})",
                         f"{on_one_line(first)} {SHIFTED[operator]} {on_one_line(second)}")
        elif operator in {"&&", "||"}:
            other = "||" if operator == "&&" else "&&"
            self.add(cursor, f"({first}) {other} ({second})", f"{on_one_line(first)} {other} {on_one_line(second)}")
        elif operator in ORDERED:
            self.add(cursor, f"({second}) {operator} ({first})", f"{on_one_line(second)} {operator} {on_one_line(first)}")
        elif cursor.kind == K.CALL_EXPR and operator not in {"+", "=", "|", "&", "+=", "|=", "-="}:
            return False
        for operand in (left, right):
            if operator in SHIFTED and peel(operand).kind == K.INTEGER_LITERAL:
                continue  # a number beside is what the other comparison is
            self.visit(operand, condition=operator in {"&&", "||"})
        return True

    def swap_arguments(self, cursor: Cursor) -> None:
        arguments = [a for a in cursor.get_arguments() if a is not None and a.extent.start.offset > 0]
        braced = self.source[cursor.extent.start.offset:][:1] == b"{"  # has no type of its own to be chosen by
        if braced or cursor.spelling in COMMUTATIVE or cursor.spelling.startswith("operator"):
            return
        for first, second in zip(arguments, arguments[1:]):
            one, other = text_of(self.source, first), text_of(self.source, second)
            if bare_type(first) != bare_type(second) or "<" in bare_type(first)[:1] or one == other:
                continue
            start, end = cursor.extent.start.offset, cursor.extent.end.offset
            if not start <= first.extent.start.offset < second.extent.end.offset <= end:
                continue
            pieces = (self.source[start:first.extent.start.offset].decode(), other,
                      self.source[first.extent.end.offset:second.extent.start.offset].decode(), one,
                      self.source[second.extent.end.offset:end].decode())
            self.add(cursor, "".join(pieces))


def is_seam(cursor: Cursor) -> bool:
    cursor = peel(cursor)
    return cursor.kind == K.CALL_EXPR and cursor.spelling in SEAMS


def bare_type(cursor: Cursor) -> str:
    kind = peel(cursor).type.get_canonical()
    if kind.kind in {TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE}:
        kind = kind.get_pointee()
    return kind.spelling.removeprefix("const ")


def is_rewritten(cursor: Cursor) -> bool:
    """A comparison that the compiler writes by another operator: the call below covers only a part of it."""
    children = list(cursor.get_children())
    return (cursor.kind == K.UNEXPOSED_EXPR and len(children) == 1
            and children[0].extent.end.offset < cursor.extent.end.offset)


def operands_of(cursor: Cursor) -> list[Cursor]:
    """Of a rewritten comparison."""
    below = cursor
    while children := list(below.get_children()):
        if len(children) == 3 and children[2].extent.end.offset == cursor.extent.end.offset:
            return [children[0], children[2]]
        below = children[0]
    return []


def peel(cursor: Cursor) -> Cursor:
    """What stands below conversions and parentheses."""
    while cursor.kind in {K.UNEXPOSED_EXPR, K.UNEXPOSED_STMT, K.PAREN_EXPR}:
        children = list(cursor.get_children())
        if len(children) != 1 or is_rewritten(cursor):
            break
        cursor = children[0]
    return cursor


def bodies(cursor: Cursor, source: bytes, path: Path):
    """Bodies of functions that run; what is computed as the file is compiled has none."""
    for child in cursor.get_children():
        if child.location.file is None or Path(child.location.file.name) != path:
            continue
        if child.kind in FUNCTIONS and child.is_definition():
            *_, body = child.get_children()
            head = source[child.extent.start.offset:body.extent.start.offset]
            written = source[body.extent.start.offset:][:1] == b"{"  # not `= default`
            if written and body.kind == K.COMPOUND_STMT and not re.search(rb"\bconst(expr|eval)\b", head):
                yield body
        elif child.kind in {K.NAMESPACE, K.CLASS_DECL, K.STRUCT_DECL, K.UNEXPOSED_DECL, K.LINKAGE_SPEC}:
            yield from bodies(child, source, path)


def rewritten(source: bytes, mutants: list[tuple[int, Mutant]]) -> tuple[bytes, list[tuple[int, int, int]]]:
    """The file with numbered mutants, and where each stands in it: first byte, the one past the last, its number."""
    out = bytearray()
    places: list[tuple[int, int, int]] = []

    def emit(start: int, end: int, inner: list[tuple[int, Mutant]]) -> None:
        at = start
        while inner:
            first, last = inner[0][1].start, inner[0][1].end
            here = [m for m in inner if m[1][:2] == (first, last)]
            below = [m for m in inner if m[1].start >= first and m[1].end <= last and m not in here]
            inner = [m for m in inner if m[1].start >= last]
            out.extend(source[at:first])
            emit_site(first, last, here, below)
            at = last
        out.extend(source[at:end])

    def emit_site(start: int, end: int, here: list[tuple[int, Mutant]], below: list[tuple[int, Mutant]]) -> None:
        begin = len(out)
        if here[0][1].code == "":
            out.extend(b"{ if (!::pteproof::Mutated(%d)) { " % here[0][0])
            emit(start, end, below)
            out.extend(b" } }")
        else:
            negations = [number for number, m in here if m.code == "!"]
            out.extend(b"(")
            for number, mutant in here:
                if mutant.code != "!":
                    out.extend(b"::pteproof::Mutated(%d) ? (%s) : " % (number, mutant.code.encode()))
            for number in negations:
                out.extend(b"::pteproof::Mutated(%d) != !!" % number)
            out.extend(b"(")
            emit(start, end, below)
            out.extend(b"))")
        places.extend((begin, len(out), number) for number, _ in here)

    emit(0, len(source), sorted(mutants, key=lambda m: (m[1].start, -m[1].end)))
    return bytes(out), places


def errors(unit: TranslationUnit, path: Path) -> list[int]:
    """Where in the file something does not compile."""
    def offsets(diagnostic: Diagnostic) -> list[int]:
        place = diagnostic.location
        own = [place.offset] if place.file is not None and Path(place.file.name) == path else []
        return own or [o for child in diagnostic.children for o in offsets(child)][:1]

    return [o for d in unit.diagnostics if d.severity >= Diagnostic.Error for o in offsets(d)[:1]]


def mutants_of(path: Path, flags: list[str]) -> list[Mutant]:
    """All mutants of the file that compile, in their order in it."""
    source = path.read_bytes()
    unit = Index.create().parse(str(path), args=flags, options=0x4 | 0x100)
    if found := [d for d in unit.diagnostics if d.severity >= Diagnostic.Error]:
        raise RuntimeError(f"{path} does not compile by itself: {found[0]}")
    finder = Finder(source)
    for body in bodies(unit.cursor, source, path):
        finder.visit(body)
    left = dict(enumerate(sorted(finder.found, key=lambda m: (m.start, -m.end))))
    for _ in range(20):
        text, places = rewritten(source, list(left.items()))
        unit.reparse([(str(path), text.decode())])
        bad = set()
        for offset in errors(unit, path):
            around = [p for p in places if p[0] <= offset < p[1]]
            if not around:
                raise RuntimeError(f"{path}: {[str(d) for d in unit.diagnostics if d.severity >= Diagnostic.Error][:3]}")
            bad.add(min(around, key=lambda p: p[1] - p[0])[:2])
        if not bad and not any(d.severity >= Diagnostic.Error for d in unit.diagnostics):
            return list(left.values())
        left = {n: m for n, m in left.items() if not any(p[2] == n and p[:2] in bad for p in places)}
    raise RuntimeError(f"{path}: mutants that do not compile were not found")
