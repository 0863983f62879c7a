"""A right planner, and planners that are wrong in one way each.

They have the interface of ExecuTorch's `memory_planning_algo`, and set the places of the specs.
"""

import itertools
import time


def right(alignment, specs, module, signature, padding, meets=None, order=None):
    """The longest-lived first, each at the lowest free offset of its bank."""
    sizes = list(module.input_mem_buffer_sizes)
    floors = list(sizes)
    placed = []
    owners = [spec for spec in specs if spec.storage_base is None]
    for spec in sorted(owners, key=order or (lambda x: x.lifetime[0] - x.lifetime[1])):
        spec.realign(alignment)
        spec.mem_id = bank = spec.mem_id or 1
        sizes += [0] * (bank + 1 - len(sizes))
        floors += [0] * (bank + 1 - len(floors))
        others = [
            (x.mem_offset, x.mem_offset + x.allocated_memory)
            for x in placed
            if x.mem_id == bank and (meets or meet)(x.lifetime, spec.lifetime)
        ]
        offset = -(-floors[bank] // alignment) * alignment
        for low, high in sorted(others):
            if offset + spec.allocated_memory <= low:
                break
            offset = max(offset, high)
        spec.mem_offset = offset
        placed.append(spec)
        sizes[bank] = max(sizes[bank], offset + spec.allocated_memory)
    put_parts(specs)
    return [size + padding for size in sizes]


def meet(one, other):
    return one[0] <= other[1] and other[0] <= one[1]


def put_parts(specs):
    """Each part inside of its base."""
    waiting = [spec for spec in specs if spec.storage_base is not None]
    while waiting:
        for spec in [x for x in waiting if x.storage_base.mem_offset is not None]:
            spec.mem_id = spec.storage_base.mem_id
            spec.mem_offset = spec.storage_base.mem_offset + spec.storage_base_offset
            waiting.remove(spec)


def ends_lives_early(*words):
    """Overlap: the last reader of a storage is forgotten."""
    return right(*words, meets=lambda one, other: one[0] < other[1] and other[0] < one[1])


def forgets_the_alignment(alignment, *words):
    """Alignment: always that of ExecuTorch's default."""
    return right(16, *words)


def forgets_the_padding(alignment, specs, module, signature, padding):
    """Padding."""
    return right(alignment, specs, module, signature, 0)


def forgets_what_is_taken(alignment, specs, module, signature, padding):
    """Taken: starts at 0."""
    module.input_mem_buffer_sizes = [0, 0]
    return right(alignment, specs, module, signature, padding)


def knows_one_bank(alignment, specs, module, signature, padding):
    """Bank: all in the first one."""
    for spec in specs:
        spec.mem_id = None
    return right(alignment, specs, module, signature, padding)


def counts_what_lives_last(alignment, specs, module, signature, padding):
    """Bounds: a bank ends where its last storage ends."""
    sizes = right(alignment, specs, module, signature, padding)
    for spec in specs:
        sizes[spec.mem_id] = spec.mem_offset + spec.allocated_memory + padding
    return [max(pair) for pair in zip(sizes, module.input_mem_buffer_sizes + [0] * 4)]


def puts_parts_at_the_beginning(*words):
    """Fixed: the bytes before a part are forgotten."""
    sizes = right(*words)
    for spec in words[1]:
        if spec.storage_base is not None:
            spec.mem_offset = spec.storage_base.mem_offset
    return sizes


def sorts_by_address(*words):
    """Repeat: what Python's sets do, whose order is that of addresses."""
    return right(*words, order=id)


def takes_them_as_they_come(*words):
    """Order, if it promises the same layout in each order."""
    return right(*words, order=lambda spec: 0)


def divides_by_sizes(*words):
    """Raises: a storage without bytes."""
    return right(*words, order=lambda spec: 1 / spec.nbytes())


def leaves_one_out(*words):
    """Place: the last one is forgotten."""
    sizes = right(*words)
    words[1][-1].mem_offset = None
    return sizes


def never_ends(*words):
    """Raises: of many storages it tries all orders."""
    if len(words[1]) > 3:
        for _ in itertools.count():
            time.sleep(0.01)
    return right(*words)


def returns_nothing(*words):
    """Raises: an answer without sizes."""
    right(*words)


LAW = {
    ends_lives_early: "overlap",
    forgets_the_alignment: "alignment",
    forgets_the_padding: "padding",
    forgets_what_is_taken: "taken",
    knows_one_bank: "bank",
    counts_what_lives_last: "bounds",
    puts_parts_at_the_beginning: "fixed",
    sorts_by_address: "repeat",
    takes_them_as_they_come: "order",
    divides_by_sizes: "it raises ZeroDivisionError",
    leaves_one_out: "place",
    never_ends: "it gives no answer in 0.2 seconds",
    returns_nothing: "it returns None, which has no list of the banks' sizes",
}
