"""For export scripts that use PyTorch and ExecuTorch: needs both, and is imported only when used.

`to_executorch` takes the place of `edge.to_executorch(config)`, and checks what it makes. `module`
says what a model computes, to be compared with, planned, or run.
Its import lets torch.export keep all lines of the model in the stack traces of
nodes, not those of functions named `forward` alone.
`manifest` says what the source model means and the program file cannot, `record_sources` which of
its lines the instructions come from. `MemoryPlanning` plans
memory with pteproof's placement.
"""

from pteproof.executorch._etrecord import record_sources
from pteproof.executorch._export import CheckedProgram, to_executorch
from pteproof.executorch._files import write_manifest
from pteproof.executorch._manifest import manifest
from pteproof.executorch._module import NoModuleError, module
from pteproof.executorch._planning import MemoryPlanning
from pteproof.executorch._source import keep_frames

__all__ = [
    "CheckedProgram",
    "MemoryPlanning",
    "NoModuleError",
    "manifest",
    "module",
    "record_sources",
    "to_executorch",
    "write_manifest",
]

keep_frames()
