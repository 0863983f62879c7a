"""The command: `python -m pteproof`, and the console script `pteproof`."""

import sys

from pteproof import _core, _solver


def main() -> int:
    """Runs the command with the words of this process, and returns its exit code."""
    _solver.look()
    return _core.main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
