"""From a JSON object to a dataclass of the same keys."""

from __future__ import annotations

import dataclasses
import functools
import types
from collections.abc import Callable
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


def record(kind: type[T], json: dict[str, Any]) -> T:
    """Returns the dataclass whose fields are the object's keys.

    A key that the object leaves out must have a default in the dataclass. A key that the dataclass
    does not know is an error: the two are kept equal.

    >>> @dataclasses.dataclass
    ... class Bank:
    ...     method: str
    ...     size: int
    >>> record(Bank, {"method": "forward", "size": 48})
    Bank(method='forward', size=48)
    """
    types_of: dict[str, Any] = _types_of(kind)
    return kind(**{key: _value(types_of[key], value) for key, value in json.items()})


_types_of: Callable[[Any], dict[str, Any]] = functools.cache(get_type_hints)


def _value(kind: Any, value: Any) -> Any:
    if value is None:
        return None
    origin = get_origin(kind)
    parts = get_args(kind)
    if origin in (Union, types.UnionType):
        return _value(_alternative(parts, value), value)
    if origin is list:
        return [_value(parts[0], item) for item in value]
    if origin is tuple:
        return tuple(value)
    if origin is dict:
        return {key: _value(parts[1], item) for key, item in value.items()}
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return record(kind, value)
    return value


def _alternative(parts: tuple[Any, ...], value: Any) -> Any:
    """Of `str | tuple[int, int] | None` the part that the value has."""
    known = [part for part in parts if part is not types.NoneType]
    plain = [part for part in known if get_origin(part) is None and isinstance(value, part)]
    return plain[0] if plain else known[-1]
