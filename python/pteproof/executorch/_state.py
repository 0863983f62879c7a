"""Which tensors of a model's programs are one.

State is a tensor, not a name. A model that is wrapped twice, as `s.m` and as `s.model`, has one
cache under two names; exporters go by the names, and make two of it. Two models, each with a
`cache`, have two under one name. So tensors are told apart by their memory: storage, offset, sizes
and strides. An empty tensor has none, and goes by its name.

What was loaded from a file, or copied apart, has memory of its own: then a common name does not
tell whether the model has one tensor or two. The tracer of `torch.export` knows the tensors that it
was given, so that this case is seen.
"""

from __future__ import annotations

import copy
import dataclasses
import operator
from typing import TYPE_CHECKING, Any, TypeAlias

import torch
from torch.export.graph_signature import InputKind

from pteproof.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from torch.export import ExportedProgram
    from torch.fx import GraphModule, Node

    # Storage, offset, sizes, strides and type.
    Memory: TypeAlias = tuple[Any, ...]

HELD = (InputKind.BUFFER, InputKind.PARAMETER, InputKind.CONSTANT_TENSOR)
_LOADED = "treespec_namedtuple_fields"  # a mark of programs that torch.export.load made
_FEW_ELEMENTS = 1 << 26  # of a storage of which two parts are compared element by element


@dataclasses.dataclass(frozen=True)
class Holder:
    """A tensor that a method's program holds, by its name there."""

    method: str
    name: str
    tensor: torch.Tensor
    is_known: bool  # it is the model's own, not a copy


class Tensors:
    """The tensors of all methods, and a key for each: one key is one tensor of the model.

    The key is a name that the tensor has, if no other one has it; else the method's name is put
    ahead.
    """

    def __init__(self, programs: Mapping[str, ExportedProgram]) -> None:
        self._holders = [h for name in sorted(programs) for h in _held(name, programs[name])]
        self._keys: dict[tuple[str, str], str] = {}
        self._of: dict[str, list[Holder]] = {}
        by_memory: dict[Memory, str] = {}
        for holder in self._holders:
            memory = _memory(holder.tensor)
            key = by_memory.get(memory) if memory else None
            key = key or self._by_name(holder)
            if memory:
                by_memory.setdefault(memory, key)
            self._keys[holder.method, holder.name] = key
            self._of.setdefault(key, []).append(holder)

    def _by_name(self, holder: Holder) -> str:
        """The key of a tensor that no other method holds in the same memory."""
        others = self._of.get(holder.name)
        if others is None:
            return holder.name
        # Two tensors of one method are two, and so are two of the model itself.
        apart = any(o.method == holder.method or (o.is_known and holder.is_known) for o in others)
        is_state = _memory(holder.tensor) is not None
        return f"{holder.method}.{holder.name}" if apart and is_state else holder.name

    def key(self, method: str, name: str | None) -> str | None:
        """The key of what a method holds under this name; None: it is not the model's."""
        return self._keys.get((method, name or ""))

    def of(self, key: str) -> list[torch.Tensor]:
        """Its tensors: one, or those of one name of which it is not known whether they are one."""
        tensors = {id(holder.tensor): holder.tensor for holder in self._of[key]}
        return list(tensors.values())

    def names(self, key: str) -> dict[str, list[str]]:
        """By method, what it calls the tensor; empty if all call it by its key."""
        found: dict[str, list[str]] = {}
        for holder in self._of[key]:
            found.setdefault(holder.method, []).append(holder.name)
        return found if any(names != [key] for names in found.values()) else {}

    def weights_of_several_names(self) -> Iterator[tuple[torch.Tensor, list[str]]]:
        """Each parameter that the model has under several names, and these."""
        for holders in self._of.values():
            names = sorted({holder.name for holder in holders})
            if len(names) > 1 and isinstance(holders[0].tensor, torch.nn.Parameter):
                yield holders[0].tensor, names

    def holders(self, key: str) -> set[tuple[str, str]]:
        """The methods that hold it, and its names there."""
        return {(holder.method, holder.name) for holder in self._of[key]}

    def unknown(self) -> list[str]:
        """The keys of which it is not known whether methods hold one tensor or several."""
        return [key for key, holders in self._of.items() if self._is_unknown(holders)]

    @staticmethod
    def _is_unknown(holders: list[Holder]) -> bool:
        memories = {_memory(holder.tensor) for holder in holders}
        return len({holder.method for holder in holders}) > 1 and len(memories) > 1

    def refuse_parts(self, stored: Iterable[str]) -> None:
        """Raises ModelError if a tensor that some method stores shares a part of its memory."""
        for one in (self._of[key][0] for key in stored if key in self._of):
            for other in self._holders:
                is_one = self._keys[one.method, one.name] == self._keys[other.method, other.name]
                if not is_one and _overlap(one.tensor, other.tensor):
                    raise ModelError(
                        f"'{one.name}' of method '{one.method}' and '{other.name}' of method "
                        f"'{other.method}' share memory in part, and '{one.name}' is stored to: a "
                        "program file holds them apart. Register one of them, and take the other "
                        "as a view of it in `forward`."
                    )


def _held(method: str, program: ExportedProgram) -> Iterator[Holder]:
    specs = program.graph_signature.input_specs
    named = [
        (s.target, registered(program, s.target)) for s in specs if s.kind in HELD and s.target
    ]
    tensors = [(name, tensor) for name, tensor in named if isinstance(tensor, torch.Tensor)]
    known = _is_traced(program, [tensor for _, tensor in tensors])
    for name, tensor in tensors:
        yield Holder(method, name, tensor, known)


def _is_traced(program: ExportedProgram, tensors: list[torch.Tensor]) -> bool:
    """Whether these are the tensors that the program was traced with, not copies of them.

    The tracer counts the tensors that it meets: inputs and the model's own come first. Those of a
    copy are met when it is lowered. A program that was loaded says that it was.
    """
    if _LOADED in program.graph_module.meta:
        return False
    inputs = len(program.graph_signature.user_inputs)
    counts = [count for t in tensors for count in _counts(program, t)]
    return bool(counts) and min(counts) < inputs + len(tensors)


def _counts(program: ExportedProgram, tensor: torch.Tensor) -> list[int]:
    """When the tracers met a tensor; empty: never, or PyTorch does not say."""
    values = (node.meta.get("val") for node in program.graph.nodes if node.op == "placeholder")
    modes = {id(v.fake_mode): v.fake_mode for v in values if hasattr(v, "fake_mode")}
    found = []
    for mode in modes.values():
        converter = getattr(mode.fake_tensor_converter, "meta_converter", None)
        known = getattr(getattr(converter, "describer", None), "lookup_tensor", None)
        if known is not None and tensor in known:
            found.append(int(known[tensor]))
    return found


def registered(program: ExportedProgram, name: str) -> Any:
    """What the source model registered under this name; None: passes have taken its value away."""
    if name in program.state_dict:
        return program.state_dict[name]
    return program.constants.get(name)  # a buffer that is not persistent, or a constant


def _memory(tensor: torch.Tensor) -> Memory | None:
    """Where a tensor lies; None if it has no element, or no memory."""
    if tensor.numel() == 0 or tensor.is_meta or tensor.layout != torch.strided:
        return None
    try:
        place = tensor.untyped_storage().data_ptr()
    except RuntimeError:  # of a tensor without values
        return None
    shape = (tuple(tensor.shape), tuple(tensor.stride()), tensor.dtype)
    return (place, tensor.storage_offset(), *shape) if place else None


def copied(programs: Mapping[str, ExportedProgram]) -> dict[str, ExportedProgram]:
    """Copies of all programs, of which each may store to its own.

    Tensors that share memory share it in the copies, too. Parameters that no method writes are the
    programs' own.
    """
    held = [holder for name, program in programs.items() for holder in _held(name, program)]
    held = [holder for holder in held if _memory(holder.tensor) is not None]
    read_only = {
        (name, spec.target)
        for name, program in programs.items()
        for spec in program.graph_signature.input_specs
        if spec.kind == InputKind.PARAMETER and not _is_written(program, spec.arg.name)
    }
    storages: dict[int, Any] = {}  # by what they are a copy of
    for holder in held:
        if (holder.method, holder.name) not in read_only:
            old = holder.tensor.untyped_storage()
            storages.setdefault(old.data_ptr(), old)
    storages = {place: old.clone() for place, old in storages.items()}
    memo: dict[int, Any] = {}
    for tensor in (holder.tensor for holder in held):
        new = storages.get(tensor.untyped_storage().data_ptr())
        memo.setdefault(id(tensor), tensor if new is None else _in_storage(tensor, new))
    return copy.deepcopy(dict(programs), memo)


def _in_storage(tensor: torch.Tensor, storage: Any) -> torch.Tensor:
    """A tensor like this one in another storage."""
    place = (tensor.storage_offset(), tensor.shape, tensor.stride())
    with torch.no_grad():
        other = torch.empty(0, dtype=tensor.dtype, device=tensor.device).set_(storage, *place)
    is_parameter = isinstance(tensor, torch.nn.Parameter)
    return torch.nn.Parameter(other, tensor.requires_grad) if is_parameter else other


def _is_written(program: ExportedProgram, placeholder: str) -> bool:
    """Whether an operator of the graph may write a placeholder's memory, by a view too."""
    names = {placeholder}
    for node in program.graph.nodes:
        taken = [each.name in names for each in node.all_input_nodes]
        if not any(taken):
            continue
        if _writes(node, program.graph_module):
            return True
        schema = getattr(node.target, "_schema", None)
        if schema is None or any(returned.alias_info for returned in schema.returns):
            names.add(node.name)  # a view, an item of a list, a region's result
    return False


def _writes(node: Node, module: GraphModule) -> bool:
    """Whether an operator, or one in its regions, writes an operand."""
    if getattr(getattr(node.target, "_schema", None), "is_mutable", False):
        return True
    regions = [
        operator.attrgetter(each.target)(module)
        for each in node.all_input_nodes
        if each.op == "get_attr"
    ]
    return any(
        _writes(inner, region)
        for region in regions
        if isinstance(region, torch.fx.GraphModule)
        for inner in region.graph.nodes
    )


def _overlap(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two tensors, not the same one, have a byte in common."""
    if _memory(one) is None or _memory(other) is None:
        return False
    storage = one.untyped_storage()
    if storage.data_ptr() != other.untyped_storage().data_ptr():
        return False
    (a, b), (c, d) = _extent(one), _extent(other)
    if b <= c or d <= a:
        return False
    size = one.element_size()
    if size != other.element_size() or storage.nbytes() // size > _FEW_ELEMENTS:
        return True
    marks = torch.zeros(storage.nbytes() // size, dtype=torch.bool)
    marks.as_strided(one.shape, one.stride(), one.storage_offset()).fill_(True)
    return bool(marks.as_strided(other.shape, other.stride(), other.storage_offset()).any())


def _extent(tensor: torch.Tensor) -> tuple[int, int]:
    """The first byte in the storage, and the one behind the last."""
    span = sum((n - 1) * s for n, s in zip(tensor.shape, tensor.stride(), strict=True))
    first = tensor.storage_offset()
    return first * tensor.element_size(), (first + span + 1) * tensor.element_size()
