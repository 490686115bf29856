#!/bin/sh
# Make sure that a Java of 17 or later is there, for Spark; install Debian's where we may.
set -u

version() {
    # Prints the major version of the Java that Spark would take, or nothing; Java 8 says "1.8".
    java=java
    [ -n "${JAVA_HOME:-}" ] && java="$JAVA_HOME/bin/java"
    "$java" -version 2>&1 | sed -n 's/.*version "\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' | head -n 1
}

found() {
    major=$(version)
    [ -n "$major" ] && [ "$major" -ge 17 ]
}

refuse() {
    echo "java: Spark needs a Java runtime of 17 or later; found: ${major:-none}. $1" >&2
    echo "java: everything but Spark works without it. $2" >&2
    exit 1
}

by_hand="To install it, run:
    sudo apt-get update && sudo apt-get install -y openjdk-17-jre-headless"

found && exit 0
command -v apt-get >/dev/null 2>&1 || refuse "There is no apt-get here." "Install it from this system's own packages."

if [ "$(id -u)" -eq 0 ]; then
    as_root=
elif sudo -n true >/dev/null 2>&1; then
    as_root="sudo -n"
else
    refuse "Installing it needs rights that this user does not have." "$by_hand"
fi

echo "java: installing Debian's openjdk-17-jre-headless"
{ $as_root apt-get update -q && $as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends openjdk-17-jre-headless; } </dev/null ||
    refuse "apt-get failed." "$by_hand"
found || refuse "It was installed, but the java on the PATH (or in JAVA_HOME) is another one." \
        "Put it first on the PATH, or set JAVA_HOME to it."
