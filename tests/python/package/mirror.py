"""Compares what the API returns with the command's JSON, key by key."""

import dataclasses
from typing import Any


def differences(report: Any, json: Any, place: str = "") -> list[str]:
    """The places at which a dataclass and a JSON value differ. A field that JSON leaves out is to
    have its default."""
    if dataclasses.is_dataclass(report):
        return _of_fields(report, json, place)
    if isinstance(json, list):
        if len(report) != len(json):
            return [f"{place}: {len(report)} items, {len(json)} in JSON"]
        pairs = enumerate(zip(report, json, strict=True))
        return [d for i, (a, b) in pairs for d in differences(a, b, f"{place}[{i}]")]
    if isinstance(json, dict):
        if report.keys() != json.keys():
            return [f"{place}: keys {sorted(report)}, {sorted(json)} in JSON"]
        return [d for key in json for d in differences(report[key], json[key], f"{place}.{key}")]
    return [] if report == json else [f"{place}: {report!r}, {json!r} in JSON"]


def _of_fields(report, json, place):
    found = []
    fields = {field.name: field for field in dataclasses.fields(report) if field.compare}
    found += [f"{place}.{key}: not in the API" for key in json if key not in fields]
    for name, field in fields.items():
        value = getattr(report, name)
        if name in json:
            found += differences(value, json[name], f"{place}.{name}")
        elif value != _default(field):
            found.append(f"{place}.{name}: {value!r}, not in JSON")
    return found


def _default(field):
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default
