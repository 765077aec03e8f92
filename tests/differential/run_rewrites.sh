#!/usr/bin/env bash
# Usage: run_rewrites.sh PYTHON REPLAY_REWRITES [option of make_rewrites.py...]. Replays torch.fx's
# replace_pattern on random graphs. Exit status 77: torch is missing.
set -euo pipefail
python=$1 replay=$2
shift 2
file=$(mktemp)
trap 'rm -f "$file"' EXIT
"$python" "$(dirname "${BASH_SOURCE[0]}")/make_rewrites.py" "$file" "$@"
"$replay" "$file"
