"""Counts the instructions of the IR's hot operations with callgrind, and compares them with the
counts stored for the same compiler in bench/instructions.json: times vary on shared machines, whereas
instruction counts do not.

    python3 bench/instructions.py BINARY [--update]

Fails if a count exceeds the stored count by more than TOLERANCE. --update stores the new counts.
"""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile

TOLERANCE = 0.10  # other versions of the compiler and the C library differ by a few percent
NODES = 12000
STORED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "instructions.json")


def count(binary):
    """Returns the name of the compiler of `binary`, and the instructions per node by operation."""
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(
            ["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={folder}/out", binary],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        counts = {}
        for path in glob.glob(folder + "/out*"):
            with open(path) as file:
                text = file.read()
            label = re.search(r"^desc: Trigger: Client Request: (.*)$", text, re.M)
            totals = re.search(r"^(?:totals|summary): (\d+)", text, re.M)
            if label and totals:
                counts[label[1]] = round(int(totals[1]) / NODES, 1)
        return run.stdout.strip(), counts


def main(binary, update):
    compiler, counts = count(binary)
    if not counts:
        sys.exit("callgrind counted nothing")
    with open(STORED) as file:
        by_compiler = json.load(file)
    if update:
        by_compiler[compiler] = dict(sorted(counts.items()))
        with open(STORED, "w") as file:
            json.dump(by_compiler, file, indent=1)
            file.write("\n")
        return
    stored = by_compiler[compiler]
    worse = set(stored) - set(counts)
    for name in sorted(counts):
        before = stored.get(name)
        ratio = counts[name] / before if before else 1
        if ratio > 1 + TOLERANCE:
            worse.add(name)
        print(f"{name:24} {counts[name]:9.1f} instructions per node, stored {before}"
              f"{'  TOO MANY' if name in worse else ''}")
    if worse:
        sys.exit(f"more instructions than before, or not counted: {', '.join(sorted(worse))}")


if __name__ == "__main__":
    main(sys.argv[1], "--update" in sys.argv)
