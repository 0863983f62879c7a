"""Programs that ExecuTorch runs wrong, each with a certificate that says `safe`, and right ones
that differ in little. All are written by hand: no exporter makes them, and none needs the command.

P and Q are places in bank 1; `sin(a, to)` is aten::sin.out."""

import hashlib
import json

from programs import boolean, integer, integers, method, none, program, tensor

ALL = ("private", "share-1-2", "share-all")
COPY, VIEW = "aten::copy_", "executorch_prim::et_view.default"
P, Q, R, S = (1, 0), (1, 16), (1, 32), (1, 48)
ZEROS = (bytes(16),)


def sin(a, to):
    return ("aten::sin.out", a, to, to)


def four(place=None, **more):
    return tensor([4], place, **more)


def one(values, inputs, output, *chains, stored=()):
    return program([method("forward", values, inputs, [output], *chains)], stored)


def case(data, methods=({},), claims=ALL, **more):
    said = {"schema": 1, "file": hashlib.sha256(data).hexdigest(), "methods": list(methods),
            "claims": {policy: "safe" for policy in claims}, **more}
    return data, json.dumps(said).encode()


def jump_out():
    """v2 and v3 share P. A jump out of a chain ends it, and the next chain begins at its start."""
    return case(one([four(), boolean(0), four(P), four(P), four(Q)], [0], 4,
                    [sin(0, 2), ("jump", 1, 3)], [sin(0, 3), sin(2, 4)]))


def moved(before, after, *, call=False):
    """v4 is set to lie at P, becomes one tensor with v5, and is set to lie at Q."""
    makes = [("aten::sin.out", 0, 1, 1), (VIEW, 1, 3, 4), ("move", 4, 5)]
    if call:
        makes = [(VIEW, 1, 3, 4), ("aten::sin.out", 0, 4, 5)]
    values = [four(), four(P), four(Q), integers([7]), four(), four(), four(R), integer(4), four(S)]
    return case(one(values, [0], 6, [*makes, sin(0, 2), *before, (VIEW, 2, 3, 4), *after]))


def views_of_a_moved_name():
    """v4 is the tensor v1 from the move on."""
    values = [four(), four(P), four(Q), integers([5]), four(), integer(4), four(R)]
    return case(one(values, [0], 6,
                    [sin(0, 1), sin(1, 2), ("move", 1, 4), (VIEW, 2, 3, 4), sin(1, 6)]))


def freed(values, *code, stored=(), **more):
    return case(one(values, [0], len(values) - 1, [*code], stored=stored), **more)


def returned(kind):
    """What a call returns replaces the value in its last argument."""
    return case(one([four(), four(P), kind, four(P), four(Q)], [0], 4,
                    [("aten::sin.out", 0, 1, 2), sin(0, 3), sin(2, 4)]))


def between(place):
    return case(one([four(), four(place), four(Q)], [0], 2, [sin(0, 1), sin(1, 2)]))


def cache(name, **listed):
    """The first fill of a cache finds what the call before left: v3 lies over it."""
    values = [four(), tensor([4, 4], P, name=name, stored=int(bool(name))), integer(),
              tensor([4, 4], P), tensor([4, 4], (1, 64)), integers([6, 6]), integer(4)]
    code = [("aten::full.out", 5, 2, 3, 3), ("executorch_prim::et_copy_index.tensor", 1, 0, 2),
            sin(1, 4)]
    return case(one(values, [0], 4, code, stored=(bytes(64),)), **listed)


def second_value(name):
    """The store to v2 does not come to P, where the next call reads the buffer."""
    values = [four(), four(P, name="x", stored=1), four(Q, name=name), four(R), integer(1),
              boolean(0)]
    code = [("aten::add.out", 0, 1, 4, 3, 3), (COPY, 2, 3, 5, 2)]
    return case(one(values, [0], 3, code, stored=ZEROS), buffers=[["x", [0, 1]]])


def two_methods(place, users, methods=({}, {})):
    """`put` stores to x, `get` reads it at P."""
    get = method("get", [four(), four(P, name="x", stored=1), four(S)], [0], [2], [sin(1, 2)])
    put = method("put", [four(), four(place, name="x", stored=1), boolean(0), four(R)], [0], [3],
                 [(COPY, 1, 0, 2, 1), sin(0, 3)])
    return case(program([get, put], ZEROS), methods, buffers=[["x", *users]], load="all-first",
                claims=("share-all",))


def joined(flag):
    """The name v3 is x's or that of v2, by the path: its store may not come to x at P."""
    get = method("get", [four(), four(P, name="x", stored=1), four(R)], [0], [2], [sin(1, 2)])
    values = [four(), four((1, 128), name="x", stored=1), four((1, 64)), four(),
              tensor([1], dtype=11), boolean(flag), boolean(0), four((1, 96))]
    put = method("put", values, [0, 4], [7],
                 [("jump", 4, 3), ("move", 1, 3), ("jump", 5, 4), ("move", 2, 3),
                  (COPY, 3, 0, 6, 3), sin(0, 7)])
    return case(program([get, put], ZEROS), [{}, {}], buffers=[["x", [0, 1], [1, 1, 0]]])


def born(to):
    """v2 is born of v1, at P. If the call moves it, the next one begins with it at Q."""
    values = [four(), four(P), four(P), four(Q), four(R), four(S)]
    return case(one(values, [0], 5, [sin(0, 1), sin(2, 3), sin(3, 4), ("move", 4, to),
                                     sin(to, 5)]), [{"born": [[1, 2, 1]]}])


def input_moved():
    """The next call sets the caller's memory into the tensor that v0 has become: v1."""
    values = [four(), four(P), four(Q), integer(-1), boolean(0)]
    code = [("aten::_softmax.out", 0, 3, 4, 1, 1), ("move", 1, 0), sin(0, 2)]
    return case(one(values, [0], 2, code))


def together(dynamic):
    """v3 is v1 and v2, which do not adjoin if v1 is smaller than its bound."""
    values = [four(dynamic=dynamic), four(P, dynamic=dynamic), four(Q, dynamic=dynamic),
              tensor([8], P, dynamic=dynamic), tensor([8], (1, 64), dynamic=dynamic)]
    return case(one(values, [0], 4, [sin(0, 1), sin(1, 2), sin(3, 4)]),
                [{"born": [[2, 3, 1, 2]]}])


def names(first, second):
    """Two buffers by names that are no UTF-8, at one place."""
    n = method("n", [four(), four(P, name=first), boolean(0), four(R)], [0], [3],
               [sin(1, 3), (COPY, 1, 0, 2, 1)])
    m = method("m", [four(), four(P, name=second, stored=1), boolean(0), four(R)], [0], [3],
               [(COPY, 1, 0, 2, 1), sin(0, 3)])
    return case(program([n, m], ZEROS), [{}, {}], ("share-all",), load="all-first",
                buffers=[["x\ufffd", [0, 1], [1, 1, 0]]])


def ordered(order):
    """A result over its operand, in another order of dimensions."""
    values = [tensor([2, 2], P), tensor([2, 2, 1], P, order=order), none()]
    return case(one(values, [0], 1, [("aten::clone.out", 0, 2, 1, 1)]))


WRONG = {
    "a jump into the next chain": jump_out(),
    "a view set anew under another name": moved([], [sin(5, 6)]),
    "a view set anew under a returned name": moved([], [sin(5, 6)], call=True),
    "a view of what was moved": views_of_a_moved_name(),
    "a free of what the next call writes": freed(
        [four(), four(P), four(Q)], sin(0, 1), sin(1, 2), ("free", 1)),
    "a free before a write": freed([four(), four(P), four(Q)], ("free", 1), sin(0, 1), sin(1, 2)),
    "a free by another name": freed([four(), four(P), four(), four(Q)], sin(0, 1), ("move", 1, 2),
                                    ("free", 2), sin(1, 3)),
    "a free of a constant": freed([four(), four(stored=1), four(Q)], ("free", 1), sin(1, 2),
                                  stored=ZEROS),
    "a free of a buffer": freed([four(), four(P, name="x", stored=1), four(Q)], sin(1, 2),
                                ("free", 1), stored=ZEROS, buffers=[["x", [0, 1]]]),
    "a result returned as None": returned(none()),
    "a value without memory": between(None),
    "a cache that is listed nowhere": cache("cache"),
    "a store to another value of the name": second_value("x"),
    "a store by a method that is listed nowhere": two_methods(Q, [[0, 1]]),
    "a store that a call is said to leave": two_methods(P, [[0, 1], [1, 1, 0]],
                                                        [{}, {"placed": [[0, 1, 1]]}]),
    "a store to this buffer or none": joined(0),
    "a birth of what the last call moved": born(2),
    "an input that is moved": input_moved(),
    "a concatenation of what varies in size": together(1),
    "names that are no text": names(b"x\xff", b"x\xfe"),
    "an order of dimensions that is none": ordered([0, 0, 0]),
}
RIGHT = {
    "a moved name that is read before": moved([sin(5, 6)], []),
    "a value in a bank": between(P),
    "a cache without a name": cache(""),
    "a store to a value without a name": second_value(""),
    "a store by a method that is listed": two_methods(P, [[0, 1], [1, 1, 0]]),
    "a concatenation of what does not vary": together(0),
    "the usual order of dimensions": ordered([0, 1, 2]),
}
