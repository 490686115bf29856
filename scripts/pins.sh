#!/bin/sh
# Write requirements/*.txt: every package of every extra, pinned and hashed, for all platforms at once.
# What is pinned stays as it is unless pyproject.toml asks for more; UPGRADE=1 takes the newest of all.
# One version serves every Python (`fewest`), so that what we test is what anyone gets.
# No index and no command is written into the files: they would name a host or a machine.
set -eu
cd "$(dirname "$0")/.."

uv=.venv/bin/uv
[ -x "$uv" ] || uv=uv

pin() {
    file=$1
    shift
    "$uv" pip compile "$@" --output-file "requirements/$file.txt" ${UPGRADE:+--upgrade} \
        --universal --fork-strategy fewest --python-version 3.11 --generate-hashes \
        --no-emit-index-url --custom-compile-command "make pins" --quiet
    echo "pins: requirements/$file.txt"
}

# The widest comes first, and holds the others to its versions.
pin all pyproject.toml --extra all
for extra in spark prove serve; do
    pin $extra pyproject.toml --extra $extra --constraints requirements/all.txt
done
pin core pyproject.toml --constraints requirements/all.txt
pin dev pyproject.toml --extra prove --extra spark --group dev --constraints requirements/all.txt
pin build --group build --constraints requirements/dev.txt
echo uv | pin uv - --constraints requirements/dev.txt
