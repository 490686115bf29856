"""How long does `import ominus` take, in a fresh process?

The median over several processes, with the import and without it, taken in turns.
The difference is what the import costs; the promise is under 0.3 s.
"""

import statistics
import subprocess
import sys
import time

from _figures import record

PROCESSES = 15
WITHOUT = "pass"
WITH = "import ominus"


def seconds(code: str) -> float:
    """The wall time of one fresh interpreter that runs `code`."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - start


def modules(code: str) -> int:
    """How many modules a fresh interpreter has loaded after `code`."""
    ask = [sys.executable, "-c", f"{code}\nimport sys\nprint(len(sys.modules))"]
    return int(subprocess.run(ask, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    seconds(WITH)  # the first process writes the bytecode
    pairs = [(seconds(WITHOUT), seconds(WITH)) for _ in range(PROCESSES)]
    without, with_ = (statistics.median(times) for times in zip(*pairs, strict=True))
    figures = {
        "without_ms": round(without * 1e3, 1),
        "with_ms": round(with_ * 1e3, 1),
        "import_ms": round((with_ - without) * 1e3, 1),
        "modules_loaded_by_it": modules(WITH) - modules(WITHOUT),
        "processes": PROCESSES,
    }
    for name, value in figures.items():
        print(f"{name:22}{value:>8}")
    print(f"written: {record('import_time', figures).name}")


if __name__ == "__main__":
    main()
