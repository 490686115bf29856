#!/bin/sh
# Print the interpreter to build on: $PYTHON if it is set, else the first Python of 3.11 or later.
set -u

new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

for candidate in ${PYTHON:-python3.11 python3.12 python3.13 python3.14 python3 python}; do
    if new_enough "$candidate"; then
        "$candidate" -c 'import sys; print(sys.executable)'
        exit 0
    fi
done

if [ -n "${PYTHON:-}" ]; then
    echo "setup: PYTHON=$PYTHON was asked for, but it is not a Python of 3.11 or later." >&2
else
    echo "setup: ominus needs Python 3.11 or later, and none was found on the PATH." >&2
fi
echo "setup: install one (on Debian: apt-get install python3.11 python3.11-venv), or say make PYTHON=/path/to/python." >&2
exit 1
