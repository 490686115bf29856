"""The files here are for type checkers, not for pytest to import."""

collect_ignore = ["refused.py", "user.py"]
