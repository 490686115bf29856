"""`python -m ominus` is `ominus`."""

from ominus.cli import main

if __name__ == "__main__":
    main(prog_name="ominus")
