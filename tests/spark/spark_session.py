"""One Spark session for the whole suite: local, on two threads, and silent."""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

QUIET = Path(__file__).parent / "quiet.properties"
JAVA = (
    f"-Dlog4j2.configurationFile={QUIET.as_uri()}",
    "-XX:TieredStopAtLevel=1",  # most of what a test asks is over before more would pay
    "-XX:+UseSerialGC",
)
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.extraJavaOptions": " ".join(JAVA),
    "spark.sql.shuffle.partitions": "2",
}


def missing() -> str | None:
    """Why Spark cannot start here, if it cannot."""
    if not find_spec("pyspark"):
        return "pyspark is not installed: `make setup` installs it"
    home = os.environ.get("JAVA_HOME")
    if not shutil.which("java", path=f"{home}/bin" if home else None):
        return "Spark needs a Java runtime of 17 or later: `make java` installs it"
    return None


@functools.cache
def session() -> SparkSession:
    """The session, started when it is first asked for, and stopped with the process."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable  # else its workers run the system's Python
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    builder = SparkSession.builder.master("local[2]").appName("ominus")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    started = builder.getOrCreate()
    atexit.register(started.stop)
    return started
