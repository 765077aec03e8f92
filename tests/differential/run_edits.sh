#!/usr/bin/env bash
# Usage: run_edits.sh PYTHON REPLAY_EDITS. Replays random edits of torch.fx on fx::Graph.
# Exit status 77: torch is missing.
set -euo pipefail
edits=$(mktemp)
trap 'rm -f "$edits"' EXIT
"$1" "$(dirname "${BASH_SOURCE[0]}")/make_edits.py" "$edits"
"$2" "$edits"
