"""Planners alone: random problems for a placement algorithm, and laws that its layouts keep.

`python -m pteproof.hunt.planners --planner-only module:callable` hunts in a callable with the
interface of ExecuTorch's `memory_planning_algo`, `--command 'my_planner {in} {out}'` in a command
that reads and writes the table of `pteproof place`. `pteproof.testing.planner_laws` is the same as
a test.
"""

from pteproof.hunt.planners.command_line import main

__all__ = ["main"]
