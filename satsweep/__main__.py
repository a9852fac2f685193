"""``python -m satsweep``: the command, where its script is not on the path."""

from satsweep.cli import main

if __name__ == "__main__":
    main()
