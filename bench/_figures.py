"""Where a benchmark puts its figures: bench/results/, with machine and commit."""

import json
import os
import platform
import subprocess
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "bench" / "results"


def record(question: str, figures: Mapping[str, object]) -> Path:
    """Write the answer to one question; the file replaces the last answer."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{question}.json"
    answer = {"figures": dict(figures), "machine": machine(), "commit": commit()}
    path.write_text(json.dumps(answer, indent=2) + "\n", encoding="utf-8")
    return path


def machine() -> dict[str, object]:
    """What bears on speed, and nothing that tells whose machine it is."""
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
    }


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor())


def commit() -> str:
    """The commit, with a plus where the tree differs from it."""
    head = git("rev-parse", "--short=12", "HEAD")
    changed = git("status", "--porcelain", "--", "src", "bench/*.py")
    return f"{head or 'unknown'}{'+' if changed else ''}"


def git(*words: str) -> str:
    run = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return run.stdout.strip()
