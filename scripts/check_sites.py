"""The checks of a source file that can be taken out, one at a time, and the file in which they can.

A site is the condition, or a part of it, of an `if` that refuses: returns an error, throws, or ends the work. In functions
that a list names, every early leave counts, and every condition of a bool that is returned or assigned. The condition
of a site is asked as before, and only where the check would refuse it is asked whether it is out:

    if (a || b) return "no";    if (((a) && !Mutated(1)) || ((b) && !Mutated(2))) return "no";
    if (fits) return {};        if ((fits) || Mutated(3)) return {};
    return Fault();             return Fault();
    return a && b;              return ((a) || Mutated(4)) && ((b) || Mutated(5));

Needs libclang's Python binding.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from clang.cindex import Config, Cursor, CursorKind, Diagnostic, Index

# That of the compiler where it is at hand: PyPI's, which is older, ends itself at some of the sources.
NEWER = Path("/usr/lib/llvm-19/lib/libclang-19.so.1")
if NEWER.exists() and not Config.loaded:
    Config.set_library_file(str(NEWER))
K = CursorKind
FUNCTIONS = {
    K.FUNCTION_DECL, K.CXX_METHOD, K.CONSTRUCTOR, K.DESTRUCTOR, K.CONVERSION_FUNCTION, K.FUNCTION_TEMPLATE}
SCOPES = {K.NAMESPACE, K.CLASS_DECL, K.STRUCT_DECL, K.CLASS_TEMPLATE, K.UNEXPOSED_DECL, K.LINKAGE_SPEC}
LOOPS = {K.WHILE_STMT, K.FOR_STMT, K.CXX_FOR_RANGE_STMT}
DECLARED = re.compile(r"\s*(?:const )?(?:auto|[\w:<>, ]+?)\s*[*&]?\s*\b(\w+)\s*=(?!=)\s*")
THROWS = re.compile(r"(throw\b|ThrowOutside\(|Renew\(|return (Refuse\w*|refuse)\()")
TOLD = re.compile(r"(Refuse\w*|refuse)\(")
REASON = re.compile(r"(why|misfit_?|fault)\s*=(?!=)")
# What a function returns that is done, not one that asks another.
DONE = re.compile(r"return( (true|nullptr|std::nullopt|\{\}|\"\"|\w+))?|continue|break")
FAULTS = re.compile(
    r"(\*|std::move\(|\w+->)*(RunFault(?!::)|too_much|ReplayError|EvaluateError|Finding|Fault|fault\b|why\b|refuse\(|OutOfMemory"
    r"|Refused|Unknown|Beyond|DoesNotFit|ReadsUnwritten|[\w.*>()-]*error\(\))")


class Site(NamedTuple):
    """A condition, or a part of one."""

    start: int  # in bytes
    end: int
    refuses: bool  # where it holds; else where it does not
    name: str  # file:function:condition
    line: int
    declares: str = ""  # the name that a condition declares, which is asked behind it


def shortened(code: str) -> str:
    line = " ".join(code.split())
    return line if len(line) <= 72 else line[:52] + " ... " + line[-15:]


def closing(text: str, at: int) -> int:
    """The place of the bracket that closes the one at `at`."""
    depth = 0
    for i, character in outside_of_literals(text, at):
        depth += (character in "([{") - (character in ")]}")
        if depth == 0:
            return i
    raise ValueError("a bracket is not closed")


def outside_of_literals(text: str, start: int = 0) -> Iterator[tuple[int, str]]:
    i = start
    while i < len(text):
        if literal := re.compile(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])+\'|//[^\n]*').match(text, i):
            i = literal.end()
            continue
        yield i, text[i]
        i += 1


def parts(text: str, start: int, end: int, operator: str) -> list[tuple[int, int]]:
    """What stands between the operators that lie in no brackets."""
    out, depth, first = [], 0, start
    skip = -1
    for i, character in outside_of_literals(text[:end], start):
        depth += (character in "([{") - (character in ")]}")
        if depth == 0 and i >= skip and text.startswith(operator, i):
            out.append((first, i))
            first = skip = i + len(operator)
    out.append((first, end))
    return [trimmed(text, a, b) for a, b in out]


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), end - len(piece) + len(piece.rstrip())


def refused_by(returned: str, kind: str) -> bool:
    """Whether a function of that type refuses by returning that."""
    returned = returned.strip()
    if "char *" in kind or "KernelStatus" in kind:
        return re.fullmatch(r'"[^"]*"(\s*"[^"]*")*|k[A-Z]\w*|why|misfit|fault\.why', returned) is not None
    if "basic_string<" in kind or kind in {"std::string", "string"}:
        return returned not in {'""', "{}"} and re.search(r'"|\bwhy\b', returned) is not None and "?" not in returned
    if re.search(r"Fault|Result<|ReplayError", kind):
        return FAULTS.match(returned) is not None
    return returned in {"false", "std::nullopt", "{}"}


class Finder:
    """The sites of one file, in the order of a walk through it. `strict`: the functions of which all leaves count."""

    def __init__(self, path: Path, source: str, strict: set[str]) -> None:
        self.path, self.source, self.strict = path, source, strict
        self.found: list[Site] = []
        self.function, self.kind = "", ""

    def is_strict(self) -> bool:
        return "*" in self.strict or self.function in self.strict

    def add(self, start: int, end: int, refuses: bool, declares: str = "") -> None:
        text = self.source[start:end]
        name = f"{self.path.name}:{self.function}:{shortened(text)}"
        if start < end and not any(s.start == start and s.end == end for s in self.found):
            self.found.append(Site(start, end, refuses, name, self.source.count("\n", 0, start) + 1, declares))

    def text(self, cursor: Cursor) -> str:
        return self.source[cursor.extent.start.offset:cursor.extent.end.offset]

    def statements(self, cursor: Cursor) -> list[Cursor]:
        if cursor.kind == K.UNEXPOSED_STMT:  # [[likely]]
            *_, cursor = cursor.get_children()
        return list(cursor.get_children()) if cursor.kind == K.COMPOUND_STMT else [cursor]

    def refuses(self, cursor: Cursor) -> bool:
        """Whether a statement refuses, or a block by its last one or by one that tells of a finding."""
        inside = self.statements(cursor)
        if not inside:
            return False
        text = self.text(inside[-1])
        if any(TOLD.match(self.text(one)) for one in inside):
            return True
        if inside[-1].kind == K.RETURN_STMT and not THROWS.match(text):
            return refused_by(text.removeprefix("return"), self.kind)
        return THROWS.match(text) is not None or REASON.match(text) is not None

    def leaves(self, cursor: Cursor) -> bool:
        inside = self.statements(cursor)
        return bool(inside) and inside[-1].kind in {K.RETURN_STMT, K.CONTINUE_STMT, K.BREAK_STMT}

    def visit(self, cursor: Cursor) -> None:
        if cursor.kind == K.COMPOUND_STMT:
            self.visit_block(cursor)
        elif cursor.kind == K.IF_STMT:
            self.visit_if(cursor, refused_behind=False)
        elif cursor.kind == K.RETURN_STMT:
            self.visit_return(cursor)
        else:
            if self.is_strict() and cursor.kind in {K.VAR_DECL, K.BINARY_OPERATOR} and cursor.type.spelling in {"bool", "const bool"}:
                self.visit_truth(cursor)
            for child in cursor.get_children():
                self.visit(child)

    def visit_block(self, cursor: Cursor) -> None:
        children = list(cursor.get_children())
        refusing = [i for i, child in enumerate(children) if child.kind != K.IF_STMT and self.refuses(child)]
        for i, child in enumerate(children):
            if child.kind == K.IF_STMT:
                self.visit_if(child, bool(refusing) and i < refusing[-1])
            else:
                self.visit(child)

    def visit_if(self, cursor: Cursor, refused_behind: bool) -> None:
        begin = self.source.index("(", cursor.extent.start.offset)
        constant = "constexpr" in self.source[cursor.extent.start.offset:begin]
        end = closing(self.source, begin)
        inside = list(cursor.get_children())
        branches = [c for c in inside if c.extent.start.offset > end]
        for child in inside:
            self.visit(child)
        if constant or not branches:
            return
        if self.refuses(branches[0]):
            self.add_condition(begin + 1, end, True)
        elif len(branches) == 2 and branches[1].kind != K.IF_STMT and self.refuses(branches[1]):
            self.add_condition(begin + 1, end, False)
        elif len(branches) == 1 and self.leaves(branches[0]):
            if refused_behind and DONE.fullmatch(self.text(self.statements(branches[0])[-1])):
                self.add_condition(begin + 1, end, False)
            elif self.is_strict() and not refused_by(self.text(self.statements(branches[0])[-1]).removeprefix("return"), self.kind):
                self.add_condition(begin + 1, end, True)

    def add_condition(self, begin: int, end: int, refuses: bool) -> None:
        start, end = parts(self.source, begin, end, ";")[-1]
        if (declared := DECLARED.match(self.source, start, end)) and start == trimmed(self.source, begin, end)[0]:
            self.add(start, end, refuses, declared[1])
            return
        for first, last in parts(self.source, start, end, "||" if refuses else "&&"):
            self.add(first, last, refuses)

    def visit_return(self, cursor: Cursor) -> None:
        for child in cursor.get_children():
            self.visit(child)
        start = cursor.extent.start.offset + len("return")
        start, end = trimmed(self.source, start, cursor.extent.end.offset)
        choice = parts(self.source, start, end, "?")
        if len(choice) == 2:
            arms = parts(self.source, choice[1][0], end, " : ")
            kinds = [refused_by(self.source[a:b], self.kind) or self.source[a:b].endswith("<std::byte>()") for a, b in arms]
            if len(arms) == 2 and kinds[0] != kinds[1]:
                self.add(*choice[0], kinds[0])
        elif self.is_strict() and self.kind == "bool":
            self.add_truths(start, end)

    def visit_truth(self, cursor: Cursor) -> None:
        """A bool that is declared or assigned: the conditions of which it is made."""
        begin, end = cursor.extent.start.offset, cursor.extent.end.offset
        if sides := re.match(r"(?:const )?(?:bool )?(\w+) =(?!=)\s*", self.source[begin:end]):
            self.add_truths(begin + sides.end(), end, sides[1])

    def add_truths(self, start: int, end: int, own: str = "") -> None:
        text = self.source[start:end]
        if len(parts(self.source, start, end, "?")) > 1 or not re.search(r"&&|\|\||[<>=!]=|[<>] |^Is\w+\(", text):
            return
        alone = len(parts(self.source, start, end, "||")) > 1
        for first, last in [(start, end)] if alone else parts(self.source, start, end, "&&"):
            if self.source[first:last] != own:
                self.add(first, last, False)


def functions(cursor: Cursor, path: Path) -> Iterator[Cursor]:
    for child in cursor.get_children():
        if child.location.file is None or Path(child.location.file.name) != path:
            continue
        if child.kind in FUNCTIONS and child.is_definition():
            yield child
        elif child.kind in SCOPES:
            yield from functions(child, path)


def told_apart(sites: list[Site]) -> list[Site]:
    """Each by a name of its own: the second of one name is #2."""
    seen: dict[str, int] = {}
    out = []
    for site in sorted(sites, key=lambda s: (s.start, -s.end)):
        seen[site.name] = seen.get(site.name, 0) + 1
        out.append(site if seen[site.name] == 1 else site._replace(name=f"{site.name} #{seen[site.name]}"))
    return out


def rewritten(source: str, sites: list[tuple[int, Site]]) -> str:
    """The file in which each of the numbered checks can be taken out."""
    pieces: list[tuple[int, int, int, str]] = []  # place, closings first and inner ones first of these, text
    for number, site in sites:
        out = f"{{}}::pteproof::Mutated({number})"
        length = site.end - site.start
        if site.declares:
            joined = " && !" if site.refuses else " || "
            pieces.append((site.end, 0, length, f"; ({site.declares}){joined}::pteproof::Mutated({number})"))
            continue
        pieces.append((site.start, 1, -length, "(("))
        pieces.append((site.end, 0, length, out.format(") && !" if site.refuses else ") || ") + ")"))
    text, at = "", 0
    for place, _, _, piece in sorted(pieces):
        text += source[at:place] + piece
        at = place
    return text + source[at:]


def sites_of(path: Path, flags: list[str], strict: set[str]) -> list[Site]:
    """All sites of the file, in their order in it. The file with all of them compiles."""
    source = path.read_text(encoding="ascii")
    language = ["-x", "c++"] if path.suffix == ".h" else []
    unit = Index.create().parse(str(path), args=[*language, *flags], options=0x4 | 0x100)
    require_sound(path, unit.diagnostics)
    finder = Finder(path, source, strict)
    for function in functions(unit.cursor, path):
        *_, body = function.get_children()
        if body.kind != K.COMPOUND_STMT:
            continue
        finder.function, finder.kind = function.spelling.split("<")[0], function.result_type.spelling
        finder.visit(body)
    sites = told_apart(finder.found)
    unit.reparse([(str(path), rewritten(source, list(enumerate(sites))))])
    require_sound(path, unit.diagnostics)
    return sites


def require_sound(path: Path, diagnostics: list[Diagnostic]) -> None:
    if found := [d for d in diagnostics if d.severity >= Diagnostic.Error]:
        raise RuntimeError(f"{path} does not compile: {found[0]}")
