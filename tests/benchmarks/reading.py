"""What it costs to read and condense one long log of each format: MB/s on one core, and memory, beside a loop of plain `json.loads`.

python tests/benchmarks/reading.py [--megabytes 200] [--output 900] [FORMAT ...]

`--output` is the size of what a tool prints, in characters: the smaller it is, the more lines there are to a megabyte. Logs that are one
document are called `document:FORMAT`, and have 30 MB at most, since no more than 32 MiB of one are held.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
from tests.robust.documents import DOCUMENTS, document_of  # noqa: E402 -- no package holds the tests
from tests.robust.talks import DIALECTS, log_of  # noqa: E402

DOCUMENT = "document:"
LARGEST = 30  # megabytes of a document
READ = "import sys; from pathlib import Path; from handoffsite import sources; sum(1 for _ in sources.open_transcript(Path(sys.argv[1])))"
PLAIN = "import sys, json; [json.loads(line) and None for line in open(sys.argv[1], 'rb')]"
WHOLE = "import sys, json; text = open(sys.argv[1], 'rb').read(); text[:1] in b'{[' and json.loads(text)"


def cost(command: list[str], cwd: Path) -> tuple[float, float]:
    """CPU seconds and MiB of *command*, as the system accounts them."""
    process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(command)} ended with {status}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main() -> None:
    """Measure and print."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("formats", nargs="*", metavar="FORMAT")
    words.add_argument("--megabytes", type=int, default=200)
    words.add_argument("--output", type=int, default=9000)
    given = words.parse_args()
    print(f"{'format':<24}{'MB':>6}{'json.loads':>12}{'read':>8}{'extract':>9}  MB/s;{'memory':>8} MiB   {time.strftime('%F')}")
    for format in given.formats or (*DIALECTS, *(DOCUMENT + name for name in DOCUMENTS)):
        name = format.removeprefix(DOCUMENT)
        written, megabytes, loop = (
            (log_of, given.megabytes, PLAIN) if name == format else (document_of, min(given.megabytes, LARGEST), WHOLE)
        )
        with tempfile.TemporaryDirectory() as folder:
            here = Path(folder)
            log = written(name, here, megabytes << 20, given.output)
            size = log.stat().st_size / 1e6
            subprocess.run([sys.executable, "-m", "handoffsite", "init"], cwd=here, check=True, stdout=subprocess.DEVNULL)
            plain, _ = cost([sys.executable, "-c", loop, str(log)], here)
            read, _ = cost([sys.executable, "-c", READ, str(log)], here)
            whole, memory = cost(
                [sys.executable, "-m", "handoffsite", "end", "--transcript", str(log), "--dry-run", "--json"], here
            )
        print(f"{format:<24}{size:>6.0f}{size / plain:>12.0f}{size / read:>8.0f}{size / whole:>9.0f}{memory:>15.0f}")


if __name__ == "__main__":
    main()
