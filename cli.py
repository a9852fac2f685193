"""Run the satsweep command from a checkout: ``python cli.py solve examples/expert.json``."""

from satsweep.cli import main

if __name__ == "__main__":
    main()
