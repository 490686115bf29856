#!/bin/sh
# Make .venv anew: the pinned packages, each held to its hash, and this checkout, editable.
# uv does it where uv is found or can be fetched; else pip does it, from whatever index pip knows.
# pyspark is built from source, with the pinned packages of build.txt: nothing unpinned is fetched for it.
set -eu
cd "$(dirname "$0")/.."

pins=requirements/dev.txt
builders=requirements/build.txt
target=.venv/bin/python
python=$(sh scripts/python.sh)

venv_with_pip() {
    rm -rf .venv
    "$python" -m venv .venv && return
    echo "setup: $python cannot make a virtual environment (its venv module, or pip in it, is missing)." >&2
    echo "setup: on Debian and Ubuntu, run: apt-get install -y python3-venv" >&2
    exit 1
}

uv_installs() {
    "$uv" pip sync --quiet --python "$target" --require-hashes "$builders" &&
        "$uv" pip sync --quiet --python "$target" --require-hashes \
            --no-build-isolation "$pins"
}

pip_installs() {
    "$target" -m pip install -qq --require-hashes -r "$builders" &&
        "$target" -m pip install -qq --require-hashes --no-build-isolation -r "$pins"
}

echo "setup: $("$python" --version), into .venv"
rm -rf .venv
if uv --version >/dev/null 2>&1 && uv venv --quiet --python "$python" .venv; then
    uv=uv
else
    venv_with_pip
    echo "setup: no uv on the path; fetching it with pip"
    uv=.venv/bin/uv
    "$target" -m pip install -qq --require-hashes -r requirements/uv.txt || uv=
fi

if [ -z "$uv" ] || ! uv_installs; then
    echo "setup: uv could not install the pins; installing them with pip"
    venv_with_pip
    pip_installs
    uv=.venv/bin/uv
fi

# The backend is among the pins, so nothing is fetched to build this checkout.
"$uv" pip install --quiet --python "$target" --no-deps --no-index --no-build-isolation --editable .
