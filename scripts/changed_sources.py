#!/usr/bin/env python3
"""Lists the core sources that recent commits changed, for clang-tidy in the gate.

    scripts/changed_sources.py [--all]

"Recent" means the last 30 commits or the last three days, whichever is longer. A source counts as changed if
its code differs: comments, #include lines and whitespace do not count, and a moved file is compared with its
old version. For a changed header, the script lists its source file, or one that includes it. --all lists
every core source. Sources that use libtorch (their includes take too long to check) and generated tables are
not listed. Paths are separated by NUL characters, most recently changed first.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDERS = ["ir", "tracer", "interp", "passes", "codegen", "importers", "tools"]
COMMITS, DAYS = 30, 3
LITERAL_OR_COMMENT = re.compile(
    r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/', re.DOTALL
)


def git(*arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True, errors="replace"
    ).stdout


def code_of(text: str) -> str:
    """The text without comments, #include lines and whitespace."""
    text = LITERAL_OR_COMMENT.sub(lambda m: "" if m[0][0] == "/" else m[0], text)
    lines = [line for line in text.splitlines() if not re.match(r"\s*#\s*include", line)]
    return re.sub(r"\s+", "", "".join(lines))


def base_commit() -> str:
    """The commit 30 commits ago or the last commit that is at least three days old, whichever is older."""
    commits = git("rev-list", "--first-parent", "HEAD").split()
    by_count = min(COMMITS, len(commits) - 1)
    recent = git("rev-list", "--first-parent", f"--since={DAYS} days ago", "HEAD").split()
    by_date = min(len(recent), len(commits) - 1)
    return commits[max(by_count, by_date)]


def is_checked(path: str) -> bool:
    return path.endswith((".h", ".cpp")) and "/torch/" not in path and "/generated/" not in path


def changed_files() -> list[str]:
    base = base_commit()
    changed = []
    fields = git("diff", "-z", "-M40%", "-l0", "--name-status", base, "--", *FOLDERS).split("\0")
    i = 0
    while i < len(fields) and fields[i]:
        status = fields[i]
        old, new = fields[i + 1], fields[i + 2 if status[0] in "RC" else i + 1]
        i += 3 if status[0] in "RC" else 2
        if status == "D" or not is_checked(new):
            continue
        before = "" if status == "A" else git("show", f"{base}:{old}")
        if code_of(before) != code_of((ROOT / new).read_text(errors="replace")):
            changed.append(new)
    return changed


def main() -> int:
    if sys.argv[1:] not in ([], ["--all"]):
        print(__doc__, file=sys.stderr)
        return 2
    sources = [p for p in git("ls-files", "-z", *FOLDERS).split("\0") if p.endswith(".cpp")]
    sources = [p for p in sources if is_checked(p)]
    if sys.argv[1:] == ["--all"]:
        selected = set(sources)
    else:
        selected = set()
        texts = {p: (ROOT / p).read_text(errors="replace") for p in sources}
        for path in changed_files():
            if path.endswith(".cpp"):
                selected.add(path)
                continue
            source = path[:-2] + ".cpp"
            users = [p for p in sources if f'"fx/{path}"' in texts[p] or f'"{path}"' in texts[p]]
            if source in texts:
                selected.add(source)
            elif not selected.intersection(users):
                selected.update(users[:1])
    log = git("log", "--format=", "--name-only", f"{base_commit()}..HEAD", "--", *FOLDERS).split("\n")
    age: dict[str, int] = {}
    for path in log:
        age.setdefault(path, len(age))
    by_age = sorted(selected, key=lambda p: (age.get(p, len(age)), p))
    sys.stdout.write("".join(p + "\0" for p in by_age))
    return 0


if __name__ == "__main__":
    sys.exit(main())
