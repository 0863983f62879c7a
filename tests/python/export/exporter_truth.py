"""What each value of a program file is, as ExecuTorch's emitter knows it while it emits the file.

The emitter walks the graph of each method, node by node. A wrapper around `_Emitter.run_node` sees
which value of the file a node got, and after how many instructions. Inputs, constants and buffers
are placeholders. A view is a `memory.view`, which is emitted as an `et_view` or not at all. All
else is made by an instruction.

A value has contents, in turn. What makes or updates it gives it a new one; a view gets the one that
its base has at that moment. Values of one content are names of the same bytes on purpose.
"""

import bisect
import contextlib
import dataclasses
import itertools

from executorch.exir import memory
from executorch.exir.emit._emitter import _AbstractValue, _Emitter
from torch.utils import _pytree as pytree


@dataclasses.dataclass
class Value:
    """A tensor of the file.

    kind: "input", "constant", "buffer", "made" by an instruction, "view" without an instruction, or
      "handle", a view with one.
    name: the fully qualified name of a buffer or constant, if it has one.
    base: of a view or handle, the value that it is a view of.
    born: of a view, the number of instructions ahead of it.
    """

    kind: str
    name: str = ""
    base: int = -1
    born: int = 0


class Method:
    """The values of a method by their numbers, and their contents."""

    def __init__(self):
        self.values = {}
        self._contents = {}  # by value: the moments, ascending, and the content from each on
        self._new = itertools.count()

    def content(self, value, before):
        """The content of a value ahead of that instruction; None: it has none yet."""
        moments, contents = self._contents.get(value, ([], []))
        found = bisect.bisect_right(moments, before)
        return contents[found - 1] if found else None

    def root(self, value):
        """The value that a view is of in the end."""
        while self.values[value].kind == "view":
            value = self.values[value].base
        return value

    def renumbered(self, new):
        """The same of a file with other numbers, which are given by the old ones."""
        other = Method()
        for v, value in self.values.items():
            base = new[value.base] if value.base >= 0 else -1
            other.values[new[v]] = dataclasses.replace(value, base=base)
        other._contents = {new[v]: contents for v, contents in self._contents.items()}
        return other

    def note(self, value, kind, **facts):
        """Tells what a value is; of several nodes the first one does."""
        self.values.setdefault(value, Value(kind, **facts))

    def fill(self, value, moment, content=None):
        """Gives the value this content after so many instructions; None: a new one."""
        moments, contents = self._contents.setdefault(value, ([], []))
        moments.append(moment)
        contents.append(next(self._new) if content is None else content)


class UnknownNodeError(Exception):
    """The emitter was given a node of a kind that is not known here."""


@contextlib.contextmanager
def recorded():
    """Returns what is noted, by method, of programs that are emitted in this context."""
    methods = {}
    unknown = []  # raised in the end, as the emitter makes its own errors of others
    of_state = {}  # by the emitter's state, which the regions of a method share; it is kept alive
    original = _Emitter.run_node

    def run_node(emitter, node):
        state = emitter.emitter_state
        if id(state) not in of_state:
            methods[emitter.name] = Method()
            of_state[id(state)] = state, methods[emitter.name]
        before = _now(emitter)
        result = original(emitter, node)
        try:
            _note(of_state[id(state)][1], emitter, node, _tensors(result), before)
        except Exception as error:
            unknown.append((node, error))
        return result

    _Emitter.run_node = run_node
    try:
        yield methods
    finally:
        _Emitter.run_node = original
    for node, error in unknown:
        raise UnknownNodeError(node.format_node()) from error


def _now(emitter):
    """The number of instructions so far."""
    return emitter.instruction_start_offset + len(emitter.chain.instructions)


def _tensors(result):
    """The numbers of the tensors that a node returned."""
    leaves = pytree.tree_leaves(result)
    return [x.id for x in leaves if isinstance(x, _AbstractValue) and x.tensor is not None]


def _note(method, emitter, node, results, before):
    after = _now(emitter)
    if node.op == "placeholder":
        for value in results:
            _note_placeholder(method, emitter, node, value)
    elif node.op == "get_attr":
        for value in results:
            method.note(value, "constant")
            method.fill(value, 0)
    elif node.op != "call_function":
        return
    elif node.target is memory.view:
        _note_view(method, emitter, node, results, before)
    elif node.target is memory.alloc:
        for value in results:
            method.note(value, "made")  # by the call that gets it as its result
    elif after > before:
        for value in {*results, *_written(emitter, node)}:
            method.note(value, "made")
            method.fill(value, after)


def _note_placeholder(method, emitter, node, value):
    if value in method.values:
        return  # a value of the graph around the region
    if not hasattr(emitter, "exported_program"):
        method.note(value, "made")  # what a loop takes in its round
        method.fill(value, _now(emitter))
        return
    signature = emitter.exported_program.graph_signature
    held = {
        **signature.inputs_to_parameters,
        **signature.inputs_to_buffers,
        **signature.inputs_to_lifted_tensor_constants,
    }
    name = held.get(node.target, "")
    is_planned = emitter.emitter_state.values[value].val.allocation_info is not None
    if value in emitter.inputs:
        method.note(value, "input")
    elif is_planned or name in signature.buffers_to_mutate.values():
        method.note(value, "buffer", name=name)
    else:
        method.note(value, "constant", name=name)
    method.fill(value, 0)


def _note_view(method, emitter, node, results, before):
    [value] = results
    [base] = _tensors(emitter.env[node.args[0]])
    after = _now(emitter)
    method.note(value, "view" if after == before else "handle", base=base, born=before)
    method.fill(value, after, method.content(base, before))


def _written(emitter, node):
    """The operands that a call updates."""
    schema = getattr(node.target, "_schema", None)
    found = []
    for position, argument in enumerate(schema.arguments if schema else ()):
        if argument.alias_info is None or not argument.alias_info.is_write:
            continue
        given = node.args[position] if position < len(node.args) else None
        operands = pytree.tree_leaves(node.kwargs.get(argument.name, given))
        found += [
            v for each in operands if each in emitter.env for v in _tensors(emitter.env[each])
        ]
    return found
