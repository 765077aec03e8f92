#!/usr/bin/env bash
# Usage: run_documents.sh PYTHON REPLAY_DOCUMENTS. Reads and writes torch.fx's graphs and modules.
# Exit status 77: torch is missing.
set -euo pipefail
documents=$(mktemp -d)
trap 'rm -rf "$documents"' EXIT
"$1" "$(dirname "${BASH_SOURCE[0]}")/make_graphs.py" "$documents"
"$2" "$documents"
