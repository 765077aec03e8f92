#!/usr/bin/env python3
"""Tests that eager mode accepts or rejects each checked-in derived call as recorded.

tests/filecheck/shape/derived_calls.test tests the type functions on the same calls
(tests/filecheck/shape/inputs/derived_calls.jsonl, written by scripts/record_illegal_calls.py
--sample). The generated table of kinds must refer to arguments that exist, and must not reject
calls that eager mode accepts. Exit status 77: torch is missing.
"""

import json
import sys
from pathlib import Path

try:
    import torch
except ImportError:
    print("torch is missing")
    sys.exit(77)

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from generate_call_rules import check_table  # noqa: E402
from op_calls import find  # noqa: E402
from record_illegal_calls import attempt  # noqa: E402

CALLS = ROOT / "tests/filecheck/shape/inputs/derived_calls.jsonl"


def main():
    torch.set_num_threads(1)
    different, count = 0, 0
    for number, line in enumerate(CALLS.read_text().splitlines(), 1):
        case = json.loads(line)
        outcome = attempt(find(case["op"]), case["args"], case["kwargs"], again=None)
        count += 1
        if outcome is None or ("rejected" in outcome) != ("rejected" in case):
            different += 1
            print(f"line {number}: {case['op']} ({case['mutation']}): recorded "
                  f"{case.get('rejected', 'acceptance')}, now {outcome}")
    print(f"{count} calls, {different} different")
    failures = check_table(ROOT / "passes/shape/generated/call_rules.inc", [str(CALLS)])
    return 1 if different or failures or not count else 0


if __name__ == "__main__":
    import warnings
    warnings.simplefilter("ignore")
    sys.exit(main())
