"""The command: `python -m pteproof.hunt.planners`."""

import sys

from pteproof.hunt.planners.command_line import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
