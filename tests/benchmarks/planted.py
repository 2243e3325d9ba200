"""How much of what a generator planted in its sessions the extractor finds, and how much of what it reports was planted.

python tests/benchmarks/planted.py [--generator gen_sessions.py] [--sessions 200]
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from handoffsite.extract.session import extract
from handoffsite.sources import open_transcript

ROOT = Path(__file__).parents[2]
GENERATOR = ROOT.parent / "shared" / "tools" / "gen_sessions.py"


def found(texts: Iterable[tuple[str, str]], planted: Iterable[tuple[str, str]]) -> tuple[int, int, int, int]:
    """Planted things found, planted, items that are right, items; each text is (what, why), folded."""
    items, truth = (
        [(what.casefold(), why.casefold()) for what, why in texts],
        {(what.casefold(), why.casefold()) for what, why in planted},
    )
    hit = sum(any(what in item[0] and why in item[1] for item in items) for what, why in truth)
    right = sum(any(what in item[0] and why in item[1] for what, why in truth) for item in items)
    return hit, len(truth), right, len(items)


def main() -> None:
    """Measure and print."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--generator", type=Path, default=GENERATOR)
    words.add_argument("--sessions", type=int, default=200)
    given = words.parse_args()
    if not given.generator.is_file():
        sys.exit(f"no generator of sessions at {given.generator}: name one with --generator")
    with tempfile.TemporaryDirectory() as name:
        logs = Path(name) / "logs"
        subprocess.run([sys.executable, given.generator, logs, "--sessions", str(given.sessions)], check=True)
        truth = {one["session"]: one for one in json.loads(Path(f"{logs}.truth.json").read_text())["sessions"]}
        totals: dict[str, list[int]] = {}
        for path in sorted(logs.glob("*/*.jsonl")):
            planted, said = truth[path.stem], extract(open_transcript(path))
            kinds = {
                "decisions": (
                    [(one.title, one.rationale) for one in said.decisions],
                    [(one["what"], one["why"]) for one in planted["decisions"]],
                ),
                "constraints": (
                    [(one.tried, one.because) for one in said.constraints],
                    [(one["what"], one["why"]) for one in planted["constraints"]],
                ),
                "dependencies": ([(one.name, "") for one in said.dependencies], [(one["name"], "") for one in planted["deps"]]),
            }
            for kind, (items, labels) in kinds.items():
                totals[kind] = [a + b for a, b in zip(totals.get(kind, [0] * 4), found(items, labels), strict=True)]
    for kind, (hit, labelled, right, reported) in totals.items():
        print(
            f"{kind:13} recall {hit / max(1, labelled):.3f} of {labelled:4}   precision {right / max(1, reported):.3f} of {reported:4}"
        )


if __name__ == "__main__":
    main()
