#!/bin/sh
# Make sure that a Java of 17 or later is there, for Spark; install Debian's where we may.
set -u

version() {
    # Prints the major version of the Java that Spark would take, or nothing.
    java=java
    [ -n "${JAVA_HOME:-}" ] && java="$JAVA_HOME/bin/java"
    "$java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -n 1
}

found() {
    major=$(version)
    [ -n "$major" ] && [ "$major" -ge 17 ]
}

refuse() {
    echo "java: Spark needs a Java runtime of 17 or later; found: ${major:-none}. $1" >&2
    echo "java: everything but Spark works without it. To install it, run:" >&2
    echo "    sudo apt-get update && sudo apt-get install -y openjdk-17-jre-headless" >&2
    exit 1
}

found && exit 0
command -v apt-get >/dev/null 2>&1 || refuse "This machine has no apt-get: use its own packages."

if [ "$(id -u)" -eq 0 ]; then
    as_root=
elif sudo -n true >/dev/null 2>&1; then
    as_root="sudo -n"
else
    refuse "Installing it needs rights that this user does not have."
fi

echo "java: installing Debian's openjdk-17-jre-headless"
{ $as_root apt-get update -q && $as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends openjdk-17-jre-headless; } </dev/null ||
    refuse "apt-get failed."
found || refuse "It was installed, but the java on the PATH (or in JAVA_HOME) is another one."
