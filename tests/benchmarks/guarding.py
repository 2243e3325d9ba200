"""What it costs to compare a plan with the constraints of an old project, in CPU seconds, the median of several runs; and how well plans are told apart.

python tests/benchmarks/guarding.py [--constraints 500] [--runs 5]
"""

import argparse
import json
import statistics
import time
from pathlib import Path

from handoffsite.extract import guard
from handoffsite.records.constraint import Constraint

SAMPLES = Path(__file__).parents[1] / "samples" / "guard"


def main() -> None:
    """Measure and print."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--constraints", type=int, default=500)
    words.add_argument("--runs", type=int, default=5)
    given = words.parse_args()
    samples = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(SAMPLES.glob("*/*.json"))]
    known = [one for sample in samples for one in sample["constraints"]]
    many = [
        Constraint(
            **{**known[n % len(known)], "id": f"C-{n + 1}-abc", "tried": f"{known[n % len(known)]['tried']} in module m{n}"}
        )
        for n in range(given.constraints)
    ]
    plan = "\n".join(one["text"] for one in samples[0]["plans"])
    costs = []
    for _ in range(given.runs):
        begun = time.process_time()
        guard.repetitions(plan, many)
        costs.append(time.process_time() - begun)
    for folder in sorted(path for path in SAMPLES.iterdir() if path.is_dir()):
        print(f"{folder.name}: recall {{:.2f}}, precision {{:.2f}}, of {{}} plans".format(*told_apart(folder)))
    print(f"{given.constraints} constraints, {len(samples[0]['plans'])} plans: {statistics.median(costs):.2f} s CPU")


def told_apart(folder: Path) -> tuple[float, float, int]:
    """Recall, precision and number of the plans in *folder*."""
    hits = wanted = false = count = 0
    for path in sorted(folder.glob("*.json")):
        sample = json.loads(path.read_text(encoding="utf-8"))
        constraints = [Constraint(**one) for one in sample["constraints"]]
        for plan in sample["plans"]:
            ids = {one.id for one in guard.repetitions(plan["text"], constraints)}
            hits += bool(ids & set(plan["repeats"]))
            wanted += bool(plan["repeats"])
            false += bool(ids) and not plan["repeats"]
            count += 1
    return hits / wanted, hits / (hits + false), count


if __name__ == "__main__":
    main()
