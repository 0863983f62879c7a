"""Programs that ExecuTorch runs wrong, each with a certificate that says `safe`, and right ones
that differ in little. All are written by hand: no exporter makes them, and none needs the command.

P and Q are places in bank 1; `sin(a, to)` is aten::sin.out."""

import hashlib
import json

from programs import boolean, integer, integers, method, none, program, tensor, tensors

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
        makes = [sin(0, 1), (VIEW, 1, 3, 4), ("aten::sin_", 4, 5)]
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
                    [sin(0, 1), ("aten::sin_", 1, 2), sin(0, 3), sin(2, 4)]))


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


def joined(flag, *, view=False):
    """The name v3 is x's or that of v2, by the path: its store may not come to x at P."""
    get = method("get", [four(), four(P, name="x", stored=1), four(R)], [0], [2], [sin(1, 2)])
    values = [four(), four((1, 128), name="x", stored=1), four((1, 64)), four(),
              tensor([1], dtype=11), boolean(flag), boolean(0), four((1, 96)), integers([9]),
              integer(4)]
    one, other = [(VIEW, v, 8, 3) if view else ("move", v, 3) for v in (1, 2)]
    put = method("put", values, [0, 4], [7],
                 [("jump", 4, 3), one, ("jump", 5, 4), other, (COPY, 3, 0, 6, 3), sin(0, 7)])
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


def a_row_for_all(sizes):
    """The sum of v1 and of the other operand lies over v1, of which a call may have one element."""
    values = [tensor([4, 1], dynamic=1), tensor(sizes, P, dynamic=1), tensor([4, 1], P, dynamic=1),
              integer(1), tensor(sizes, dynamic=1)]
    return case(one(values, [0, 4], 2,
                    [("aten::sin.out", 4, 1, 1), ("aten::add.out", 1, 0, 3, 2, 2)]))


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


def moved_to(kind, over):
    """v2 is v1 from the move on, whatever the file says of its elements; `over` lies over it."""
    values = [tensor([16], dtype=3), tensor([16], P, dtype=3), kind, over,
              tensor([4, 16], dtype=1), integer(1), none(), tensor([4, 16], (1, 64), dtype=1)]
    return values, [("aten::clone.out", 0, 6, 1, 1), ("move", 1, 2)]


def repeated():
    """Rows of v2 are 64 bytes: the first row of the sum is written over those that come next."""
    values, code = moved_to(tensor([4, 16], P, dtype=1), tensor([4, 16], P, dtype=1))
    return case(program([method("forward", values, [0, 4], [3],
                                [*code, ("aten::add.out", 2, 4, 5, 3, 3)])]))


def emptied():
    """What v2 is has bytes, which v3 takes."""
    values, code = moved_to(tensor([0], P, dtype=3), tensor([4, 16], P, dtype=1))
    return case(program([method("forward", values, [0, 4], [7],
                                [*code, ("aten::clone.out", 4, 6, 3, 3),
                                 ("aten::add.out", 2, 4, 5, 7, 7)])]))


def write_where_a_view_is(to):
    """v5 lies at Q with v4, and the write to it is over v2. v5's own place is P."""
    values = [four(), four(P), four(Q), integers([6]), four(P), four(P), integer(4), four(S)]
    return case(one(values, [0], 7, [sin(0, 1), sin(1, 2), (VIEW, 1, 3, 4), ("move", 4, 5),
                                     (VIEW, 2, 3, 4), sin(0, to), sin(2, 7)]))


def left_alone(over):
    """v3 is lost, and update_cache has it for its unused result."""
    values = [tensor([1, 1, 1, 4]), tensor([1, 4, 1, 4], (1, 64), name="c", stored=1), integer(),
              four(P), four(over), four(R), four()]
    code = [sin(6, 3), sin(6, 4), ("llama::update_cache.out", 0, 1, 2, 3, 3), sin(3, 5)]
    return case(program([method("forward", values, [0, 6], [5], code)], (bytes(64),)),
                buffers=[["c", [0, 1]]])


def store_by_a_view(users):
    """`put` stores to x at Q by a view of it, `get` reads x at P."""
    get = method("get", [four(), four(P, name="x", stored=1), four(S)], [0], [2], [sin(1, 2)])
    values = [four(), four(Q, name="x", stored=1), boolean(0), four(R), integers([5]), integer(4),
              four(Q)]
    put = method("put", values, [0], [3], [(VIEW, 1, 4, 6), (COPY, 6, 0, 2, 6), sin(0, 3)])
    return case(program([get, put], ZEROS), [{}, {}], buffers=[["x", [0, 1], *users]],
                claims=("share-all",), load="all-first")


def constant_of_the_name(name):
    """`get` always reads the value that `put` begins with."""
    get = method("get", [four(), four(name=name, stored=1), four(S)], [0], [2], [sin(1, 2)])
    put = method("put", [four(), four(P, name="x", stored=1), boolean(0), four(R)], [0], [3],
                 [(COPY, 1, 0, 2, 1), sin(0, 3)])
    return case(program([get, put], ZEROS), [{}, {}], buffers=[["x", [1, 1]]])


def store_at_anothers_place(to):
    """`a` has x at P, which `b` stores to. `b` has it at Q, and reads it there in its next call."""
    a = method("a", [four(), four(P, name="x"), four(S)], [0], [2], [sin(0, 2)])
    values = [four(), four(Q, name="x", stored=1), four(P, name="x"), boolean(0), four(R)]
    b = method("b", values, [0], [4], [sin(1, 4), (COPY, to, 0, 3, to)])
    return case(program([a, b], ZEROS), [{}, {}], ("private",),
                buffers=[["x", [0, 1, 0], [1, 1]]])


def placed(place, **more):
    """v7 is v2 and v3 until v6 is written, and is said to be v6 then."""
    values = [four(), tensor([8]), four(P), four(Q), tensors([2, 3]), integer(), tensor([8], place),
              tensor([8], P), tensor([8], (1, 96))]
    code = [sin(0, 2), sin(0, 3), ("aten::_cat_nop.out", 4, 5, 7, 7), sin(1, 6), sin(7, 8)]
    return case(one(values, [0, 1], 8, code), [{"placed": [[2, 7, 2, 3]], **more}])


def two_buffers(place, said, *users):
    """v0 is read by each call, and v1 stored to: of both the numbers say that they are buffers."""
    values = [four(P), four(place), four(), four(), four(R), four(S), four((1, 64)), boolean(0)]
    code = [sin(2, 4), sin(3, 5), sin(0, 6), (COPY, 1, 4, 7, 1)]
    return case(one(values, [2, 3], 6, code), [said],
                buffers=[["", [0, 0]], *(["", user] for user in users)])


def not_planned():
    values = [four(), four(name="x"), four(P)]
    return case(one(values, [0], 2, [sin(0, 1), sin(1, 2)]), buffers=[["x", [0, 1, 0]]])


def view_of_more(bound):
    """v3 is v2 by a view; its bound is greater, and the write to it is over v4 at Q."""
    values = [tensor([8], dynamic=1), four(dynamic=1), four(P, dynamic=1),
              tensor([bound], dynamic=1), four(Q, dynamic=1), integers([7]),
              four(R, dynamic=1), integer(-1), tensor([bound], (1, 96), dynamic=1)]
    code = [sin(1, 2), (VIEW, 2, 5, 3), sin(1, 4), sin(0, 3), sin(3, 8), sin(4, 6)]
    return case(program([method("forward", values, [0, 1], [6, 8], code)]))


def store_by_a_move(to):
    """v4 is x at Q from the move on. `get` reads x at P."""
    get = method("get", [four(), four(P, name="x", stored=1), four(S)], [0], [2], [sin(1, 2)])
    values = [four(), four(Q, name="x", stored=1), boolean(0), four(R), four(), four((1, 64))]
    put = method("put", values, [0], [3], [("move", 1, 4), sin(0, to), sin(0, 3)])
    return case(program([get, put], ZEROS), [{}, {}], ("share-all",), load="all-first",
                buffers=[["x", [0, 1], [1, 1, 0]]])


def store_by_the_name_of_the_last_call(place):
    """From the second call on v4 is x, if that lies at Q, too: a store."""
    get = method("get", [four(), four(P, name="x", stored=1), four(S)], [0], [2], [sin(1, 2)])
    values = [four(), four(Q, name="x", stored=1), boolean(0), four(R), four(place),
              four((1, 64))]
    moves = ("move", 1, 4) if place == Q else ("move", 4, 5)
    put = method("put", values, [0], [3], [(COPY, 4, 0, 2, 4), sin(4, 3), moves])
    return case(program([get, put], ZEROS), [{}, {}], ("share-all",), load="all-first",
                buffers=[["x", [0, 1], [1, 1, 0]]])


def left_with_a_stored_value(**more):
    """v3 means what the load put there, and v4 lies over it."""
    values = [tensor([1, 1, 1, 4]), tensor([1, 4, 1, 4], (1, 64), name="c", stored=1), integer(),
              four(P, **more), four(P), four(R), four(), four(S)]
    code = [sin(6, 4), sin(4, 7), ("llama::update_cache.out", 0, 1, 2, 3, 3), sin(3, 5)]
    return case(program([method("forward", values, [0, 6], [5, 7], code)],
                        (bytes(64), bytes(16))), buffers=[["c", [0, 1]]])


def never_reached():
    """v2 has no memory, and the constant condition leads around its write."""
    values = [four(), boolean(0), four(), four(P)]
    return case(one(values, [0], 3, [("jump", 1, 2), sin(0, 2), sin(0, 3)]))


def written_and_moved():
    """Each call writes v2 where it lies, reads it at once, and makes it v1."""
    values = [four(), four(P), four(Q), four(R)]
    return case(one(values, [0], 3, [sin(0, 2), sin(2, 3), sin(0, 1), ("move", 1, 2)]))


def onto_itself():
    """The copy of v1, of other sizes that vary, is written to its own bytes."""
    values = [tensor([4, 2], dynamic=1), tensor([4, 2], P, dynamic=1), integers([4]),
              tensor([8], P, dynamic=1), integer(-1), tensor([8], (1, 64), dynamic=1)]
    return case(one(values, [0], 5, [sin(0, 1), ("aten::view_copy.out", 1, 2, 3, 3), sin(3, 5)]))


def unsafe(made, reader, *calls, **said):
    """The same program, and a certificate that shows a read which does not find what is meant."""
    data, text = made
    witness = ["read", reader, *calls]
    claim = {**json.loads(text), "claims": {"share-all": [witness]}, **said}
    return data, json.dumps(claim).encode()


def stored_at_last():
    """v2 lies over the buffer until copy_ stores it."""
    values = [tensor([1], dtype=11), four(P, name="x", stored=1), four(P), boolean(0), four(Q),
              four()]
    code = [sin(1, 4), sin(5, 2), ("jump", 0, 3), (COPY, 1, 2, 3, 1)]
    data = program([method("forward", values, [0, 5], [4], code)], ZEROS)
    return case(data, buffers=[["x", [0, 1]]])


def counted():
    """Each call adds to the buffer, and returns it."""
    values = [four(), four(P, name="x", stored=1), integer(1), four(R)]
    code = [("aten::add_.Tensor", 1, 0, 2, 1), sin(1, 3)]
    return case(one(values, [0], 3, code, stored=ZEROS), buffers=[["x", [0, 1]]])


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
    "a store to a view of this buffer or none": joined(0, view=True),
    "a birth of what the last call moved": born(2),
    "an input that is moved": input_moved(),
    "a concatenation of what varies in size": together(1),
    "a sum over an operand whose only element it repeats": a_row_for_all([1, 4]),
    "names that are no text": names(b"x\xff", b"x\xfe"),
    "an order of dimensions that is none": ordered([0, 0, 0]),
    "a move to a tensor of other elements": repeated(),
    "a move to a tensor of no bytes": emptied(),
    "a write to what lies with a view": write_where_a_view_is(5),
    "a lost value that a kernel leaves alone": left_alone(P),
    "a store by a view in a method that is listed nowhere": store_by_a_view([]),
    "a store to this buffer at another place": store_by_a_view([[1, 1, 0]]),
    "a constant of a buffer's name": constant_of_the_name("x"),
    "a store at the place that another method has": store_at_anothers_place(2),
    "a result that is left, and born again": placed(P, born=[[4, 7, 6]]),
    "a write to a view of a greater bound": view_of_more(8),
    "a store by a name that a move gave": store_by_a_move(4),
    "a store by the name that the last call gave": store_by_the_name_of_the_last_call(Q),
    "a stored value that a kernel leaves alone": left_with_a_stored_value(stored=2),
    "a buffer that a kernel leaves alone": left_with_a_stored_value(stored=2, name="y"),
}
RIGHT = {
    "a moved name that is read before": moved([sin(5, 6)], []),
    "a value in a bank": between(P),
    "a cache without a name": cache(""),
    "a store to a value without a name": second_value(""),
    "a store by a method that is listed": two_methods(P, [[0, 1], [1, 1, 0]]),
    "a concatenation of what does not vary": together(0),
    "a sum over an operand of as many rows": a_row_for_all([4, 1]),
    "the usual order of dimensions": ordered([0, 1, 2]),
    "a write beside a view": write_where_a_view_is(1),
    "a value that a kernel leaves alone": left_alone(S),
    "a constant of another name": constant_of_the_name("y"),
    "a store at its own place": store_at_anothers_place(1),
    "a result that is left": placed((1, 64)),
    "a store at last": stored_at_last(),
    "an update by each call": counted(),
    "two buffers": two_buffers(Q, {}, [0, 1]),
    "a write to a view of the same bound": view_of_more(4),
    "a write beside the name that a move gave": store_by_a_move(5),
    "a store to no buffer's name": store_by_the_name_of_the_last_call((1, 96)),
    "a value without data that a kernel leaves alone": left_with_a_stored_value(),
}
# Confirmed if one believes the line, which no right file has.
TOLD = {
    "v1 of 'forward' is born before instruction 0 of v0":
        two_buffers(P, {"born": [[0, 1, 0]]}),
    "v1 of 'forward' is there before the first call": not_planned(),
}
# Right programs that a certificate calls unsafe.
SLANDERED = {
    "a result that is left, without a word of it":
        unsafe(placed((1, 64)), 4, [0], methods=[{}]),
    "a call before that stops in the middle": unsafe(stored_at_last(), 0, [0], [0]),
    "an update that is said to read nothing of the call before":
        unsafe(counted(), 0, [0], [0], buffers=[["x", [0, 1, 0]]]),
    "a write without memory that no path reaches": unsafe(never_reached(), 1, [0]),
    "a write where the last call has moved the name": unsafe(written_and_moved(), 0, [0]),
    "a copy onto itself": unsafe(onto_itself(), 1, [0]),
}
