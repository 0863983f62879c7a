"""Docstrings of the package as Markdown: arguments become lists, examples become blocks."""

import re

import griffe

ARGUMENT = re.compile(r"([a-z_]+(?:, [a-z_]+)*): (.*)")


def markdown(text):
    """The docstring with `name: text` lines as a list and `>>>` examples in fences."""
    lines = []
    in_example = False
    for number, line in enumerate(text.split("\n")):
        if line.startswith(">>>") and not in_example:
            lines += ["", "```python"]
            in_example = True
        elif in_example and not line.strip():
            lines.append("```")
            in_example = False
        if not in_example:
            line = line.replace("[", "\\[")
            argument = ARGUMENT.fullmatch(line) if number > 0 else None
            if argument:
                line = f"- `{argument[1]}`: {argument[2]}"
        lines.append(line)
    return "\n".join([*lines, "```"] if in_example else lines)


class Docstrings(griffe.Extension):
    """Rewrites the docstring of each object as it is loaded, and that of a module afterwards."""

    def on_object(self, *, obj, **_):
        self.rewrite(obj)

    def on_module_members(self, *, mod, **_):
        self.rewrite(mod)

    def rewrite(self, obj):
        if obj.docstring and "```" not in obj.docstring.value:
            obj.docstring.value = markdown(obj.docstring.value)
