"""Other files of an emitted program: without names, and with other numbers of values."""

from executorch.exir import schema
from executorch.exir._serialize._serialize import serialize_for_executorch

LISTS = (schema.IntList, schema.TensorList, schema.OptionalTensorList)


def serialized(made, config):
    """The file of a program that was emitted, and has been changed since."""
    pte, data = serialize_for_executorch(
        made._emitter_output, config, made._data_serializer, made._named_data
    )
    if data:
        raise ValueError("a part of the data lies outside of the file")
    return bytes(pte)


def erase_names(made):
    """Takes the names from planned tensors, and makes equal first values one, as the exporter does
    for those without a name."""
    firsts = {}
    for plan in made.executorch_program.execution_plan:
        for value in plan.values:
            tensor = value.val
            if not isinstance(tensor, schema.Tensor) or tensor.allocation_info is None:
                continue
            tensor.extra_tensor_info = None
            if index := tensor.data_buffer_idx:
                content = bytes(made._emitter_output.mutable_data[index].storage)
                tensor.data_buffer_idx = firsts.setdefault(content, index)


def number_backwards(plans, truth):
    """Numbers the tensors the other way round, which tells nothing of their order; returns the
    truth of them."""
    backwards = {}
    for plan in plans:
        tensors = [v for v, x in enumerate(plan.values) if isinstance(x.val, schema.Tensor)]
        others = [v for v, x in enumerate(plan.values) if not isinstance(x.val, schema.Tensor)]
        new = {v: number for number, v in enumerate([*reversed(tensors), *others])}
        _renumber(plan, new)
        if plan.name in truth:
            backwards[plan.name] = truth[plan.name].renumbered(new)
    return backwards


def _renumber(plan, new):
    values = [None] * len(new)
    for v, value in enumerate(plan.values):
        if isinstance(value.val, LISTS):
            value.val.items = [new.get(item, item) for item in value.val.items]  # -1: none
        values[new[v]] = value
    plan.values = values
    plan.inputs = [new[v] for v in plan.inputs]
    plan.outputs = [new[v] for v in plan.outputs]
    for instruction in plan.chains[0].instructions:
        call = instruction.instr_args
        if hasattr(call, "args"):
            call.args = [new[v] for v in call.args]
        for field in ("move_from", "move_to", "cond_value_index", "value_index"):
            if hasattr(call, field):
                setattr(call, field, new[getattr(call, field)])
