"""For export scripts that use PyTorch and ExecuTorch: needs both, and is imported only when used.

`to_executorch` takes the place of `edge.to_executorch(config)`, and checks what it makes.
`manifest` says what the source model means and the program file cannot.
"""

from pteproof.executorch._export import CheckedProgram, to_executorch
from pteproof.executorch._manifest import manifest, write_manifest

__all__ = ["CheckedProgram", "manifest", "to_executorch", "write_manifest"]
