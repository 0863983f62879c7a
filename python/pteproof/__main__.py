"""The command: `python -m pteproof`, and the console script `pteproof`."""

import sys

from pteproof import _library, _solver


def main() -> int:
    """Runs the command with the words of this process, and returns its exit code."""
    _solver.look()
    if sys.argv[1:2] == ["hunt"]:  # needs what only Python has
        from pteproof.hunt import _command

        return _command.main(sys.argv[2:])
    return _library.main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
