"""What `pteproof inspect --meaning` recovers from a file, compared with what the exporter knows."""

import collections
import dataclasses
import re

from changed_files import erase_names, number_backwards, serialized
from executorch.exir import ExecutorchBackendConfig, ExecutorchProgramManager, schema
from exporter_truth import recorded

from pteproof._words import Words
from pteproof.executorch._names import name_state

# The files of a program: as the exporter numbers its values, with names of buffers and without;
# and without both.
FILES = ("with names", "without names", "numbered backwards")

_METHOD = re.compile(r"method (.*)")
_VALUE = re.compile(r"  v(\d+): (.*)")
_CLAIM = re.compile(r", (view|slice|concatenation) of ((?:v\d+, )*v\d+) as before (\d+)")
_NUMBER = re.compile(r"v(\d+)")
_BUFFER = re.compile(r"buffer(?: '([^']*)')?(?:,|$)")
_HANDLE = re.compile(r", names v(\d+) v(\d+)")
_DOUBT = re.compile(r"  open: delegate call (\d+) may read its argument (\d+)")
_JOINED = re.compile(r"one buffer: (.*)")
_INSTANCE = re.compile(r"v(\d+) of ([^,]+)")
_OPEN = (
    ", open when it was made",
    ", open whether it is that slice",
    ", a name of bytes that nothing writes",
)
# Operators that take the type of their first operand, and not its content.
_OF_TYPE = re.compile(r"aten::(copy|\w+_like|sym_\w+|new_\w+)")


@dataclasses.dataclass
class Claim:
    """That a value is a name of these others, as they are ahead of an instruction."""

    kind: str
    sources: list[int]
    before: int


@dataclasses.dataclass
class Told:
    """What the meaning tells of a value."""

    text: str
    claims: list[Claim]
    is_open: bool  # there are other readings

    def is_a(self, role):
        """Whether it has this role."""
        return self.text == role or self.text.startswith(f"{role},")

    @property
    def is_buffer(self):
        """Whether it is a buffer itself, not a name of one."""
        return _BUFFER.match(self.text) is not None

    @property
    def name(self):
        """The name of a buffer; empty if it has none."""
        found = _BUFFER.match(self.text)
        return (found[1] or "") if found else ""


class Meaning:
    """What the meaning of a file tells: values by method, handles, doubts, and what is one."""

    def __init__(self, program):
        words = Words("inspect")
        words.program(program)
        words.flag("meaning", True)
        outcome = words.call()
        if outcome.code != 0:
            outcome.fail()
        self.values = {}  # by method and number
        self.handles = {}  # by method: (base, handle)
        self.doubts = {}  # by method: (delegate call, argument)
        self.joined = []  # of each buffer: the method and the number
        handles = set()  # none ahead of the methods
        for line in outcome.output.splitlines():
            if found := _METHOD.fullmatch(line):
                values = self.values[found[1]] = {}
                handles = self.handles[found[1]] = set()
                doubts = self.doubts[found[1]] = []
            elif found := _VALUE.fullmatch(line):
                values[int(found[1])] = _told(found[2])
            elif found := _DOUBT.fullmatch(line):
                doubts.append((int(found[1]), int(found[2])))
            elif found := _JOINED.fullmatch(line):
                self.joined.append([(name, int(v)) for v, name in _INSTANCE.findall(found[1])])
            else:
                handles.update((int(b), int(v)) for b, v in _HANDLE.findall(line))

    def leave_open(self, plan):
        """Marks the arguments of delegates that are in doubt, and the names of these."""
        calls = [i.instr_args for i in plan.chains[0].instructions]
        delegates = [call for call in calls if isinstance(call, schema.DelegateCall)]
        values = self.values[plan.name]
        marked = [delegates[call].args[argument] for call, argument in self.doubts[plan.name]]
        while marked:
            v = marked.pop()
            values[v].is_open = True
            marked += [
                n
                for n, told in values.items()
                if not told.is_open and any(v in claim.sources for claim in told.claims)
            ]


def _told(text):
    claims = [
        Claim(kind, [int(v) for v in _NUMBER.findall(sources)], int(before))
        for kind, sources, before in _CLAIM.findall(text)
    ]
    return Told(text, claims, any(words in text for words in _OPEN))


class Comparison:
    """Counts of values by what they are and how the meaning tells it; what is wrong, in words."""

    def __init__(self):
        self.counts = collections.Counter()
        self.wrong = []

    def add(self, plans, truth, program):
        """Compares the meaning of a program file with the truth of its methods."""
        meaning = Meaning(program)
        for plan in plans:
            if plan.name in truth:
                meaning.leave_open(plan)
                self._add_method(plan, truth[plan.name], meaning)
        for instances in meaning.joined:
            roots = [truth[name].values[truth[name].root(v)] for name, v in instances]
            if len({root.name for root in roots}) > 1:
                self.wrong.append(f"one buffer: {instances}, of {roots}")

    def add_all(self, other):
        """Adds the counts of another one."""
        self.counts += other.counts
        self.wrong += other.wrong

    def count(self, kind=None, answer=None):
        """The number of values, of this kind and answer if they are given."""
        return sum(
            count
            for (its, told), count in self.counts.items()
            if kind in (None, its) and answer in (None, told)
        )

    def _add_method(self, plan, truth, meaning):
        values, handles = meaning.values[plan.name], meaning.handles[plan.name]
        used = used_by(plan)
        for v, value in sorted(truth.values.items()):
            if v not in used:
                continue
            answer = answer_of(truth, v, values, used)
            if value.kind == "handle" and (value.base, v) not in handles:
                answer = "wrong"
            self.counts[value.kind, answer] += 1
            if answer == "wrong":
                self.wrong.append(f"{plan.name}: v{v} is {value}; the meaning: {values[v].text}")


def answer_of(truth, v, values, used):
    """How the meaning tells a value: "right", "open", "wrong", or "a result" if a buffer that is
    stored to and returned is taken for a result, and a view of its value before for the buffer."""
    value, told = truth.values[v], values[v]
    root = truth.root(v)
    is_result = truth.values[root].kind == "buffer" and values[root].text == "made, an output"
    if told.is_open:
        return "open"
    if value.kind == "view":
        right = _is_view(truth, v, told, {*used} - {root} if is_result else used)
        if right and told.is_buffer and is_result:
            return "a result"
    elif told.claims:
        right = False
    elif is_result:
        return "a result"
    elif value.kind == "buffer":
        right = told.is_buffer and told.name in ("", value.name)
    elif value.kind in ("input", "constant"):
        right = told.is_a(value.kind)
    else:
        right = told.is_a("made") or told.is_a("memory of the caller")
    return "right" if right else "wrong"


def _is_view(truth, v, told, used):
    """Whether what it is said to be a name of has, at that moment, the content of the view."""
    root = truth.root(v)
    if truth.values[root].kind == "constant":
        return told.is_a("constant") and not told.claims
    content = truth.content(v, truth.values[v].born)
    if told.is_buffer:  # as well a name of it as the buffer's own value, which nothing uses
        is_buffer = truth.values[root].kind == "buffer" and content == truth.content(root, 0)
        return is_buffer and root not in used
    return bool(told.claims) and all(
        claim.kind == "view" and truth.content(claim.sources[0], claim.before) == content
        for claim in told.claims
    )


def used_by(plan):
    """The values whose content an instruction or a caller uses or makes."""
    found = {*plan.inputs, *plan.outputs}
    for instruction in plan.chains[0].instructions:
        call = instruction.instr_args
        arguments = getattr(call, "args", [])
        if isinstance(call, schema.KernelCall):
            of_type = _OF_TYPE.fullmatch(plan.operators[call.op_index].name)
            arguments = arguments[1:] if of_type else arguments
        elif isinstance(call, schema.MoveCall):
            arguments = [call.move_from, call.move_to]
        found.update(arguments)
    for v in list(found):
        if isinstance(plan.values[v].val, (schema.TensorList, schema.OptionalTensorList)):
            found.update(plan.values[v].val.items)
    return found


@dataclasses.dataclass
class Lowered:
    """A program that ExecuTorch has emitted, and what its emitter knows of it."""

    exported: dict
    made: ExecutorchProgramManager
    config: ExecutorchBackendConfig
    truth: dict


def lowered(kind):
    """Exports and lowers a kind of model, or a random one."""
    exported = kind.exported()
    edge = kind.edge(exported)
    config = kind.config or ExecutorchBackendConfig()
    with recorded() as truth:
        made = edge.to_executorch(config)
    return Lowered(exported, made, config, truth)


def compared(program):
    """By the files of FILES, what each of them tells alone and the exporter knows. Changes the
    program."""
    made, truth = program.made, program.truth
    plans = made.executorch_program.execution_plan
    by_file = {}
    for file in FILES:
        if file == "with names":
            name_state(made, program.config, program.exported)
        elif file == "without names":
            erase_names(made)
        else:
            truth = number_backwards(plans, truth)
        by_file[file] = Comparison()
        by_file[file].add(plans, truth, serialized(made, program.config))
    return by_file
