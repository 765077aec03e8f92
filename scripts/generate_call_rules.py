#!/usr/bin/env python3
"""Writes passes/shape/generated/call_rules.inc: dtypes and devices that eager mode accepts.

    scripts/record_op_cases.py legal.jsonl.gz
    scripts/generate_call_rules.py probe legal.jsonl.gz... probed.jsonl [--shard K/N] [--only OPS]
        [--devices]
    scripts/generate_call_rules.py write probed.jsonl... passes/shape/generated/call_rules.inc
        --accepted legal.jsonl.gz illegal.jsonl.gz
    scripts/generate_call_rules.py check passes/shape/generated/call_rules.inc calls.jsonl...
    scripts/generate_call_rules.py relax passes/shape/generated/call_rules.inc calls.jsonl... call_rules.inc
    scripts/generate_call_rules.py merge passes/shape/generated/call_rules.inc part.inc call_rules.inc
        --only OPS

Kernels list the dtypes that they support in C++ macros; schemas do not list them.  `probe` finds them by
calling each overload.  It starts from recorded calls that differ in dtypes, ranks, modes and optional
arguments, and from variants of these: with a different bool or small number, without an optional argument,
with empty tensors, or with a tensor of rank 0.  In each call, it changes all tensors of one dtype to each
other dtype in turn and, in the resulting calls, each set of arguments to each other dtype.  Calls rejected
because of values, and calls that crash, are ignored.  In the same way, it moves sets of arguments to the meta
device.

`write` derives a table for each overload (call_kinds.py) and writes it.  A table rejects a kind, or a
combination of kinds of two arguments, only if eager mode rejected every call with it, in every mode or in the
modes that the table distinguishes.  `--accepted` names additional recordings of calls (including those of
record_illegal_calls.py); the table rejects no call that they record as accepted.

`check` compares a table with recorded calls: every row must name a known overload and existing arguments, and
no row may reject a call that eager mode accepts.

`relax` writes a table without the rules that recorded calls contradict: a kind is accepted if eager mode
accepted at least one call with it.

`merge` writes a table in which the rows of some overloads (--only) come from a second table, which `write`
created from the recordings of these overloads alone.
"""

import argparse
import collections
import itertools
import json
import random
import sys
import warnings

import torch

import call_kinds
from call_table import Table, read_table
from call_kinds import (ACCEPTED, DTYPES, KINDS, KIND_MESSAGE, REJECTED, REJECTED_OTHERWISE, UNCLEAR, Formals,
                        Learner, is_tensor, kind_of, kinds_of, mode_of, of_kind)
from op_calls import BY_VALUE, decode, filled, find, opened, run_calls

MAX_BASES = 10
MAX_CALLS = 5000  # per overload
OUTCOMES = (ACCEPTED, REJECTED, REJECTED_OTHERWISE)


class Caller:
    """Calls a function. Tensors that the function only reads are created once."""

    def __init__(self, formals):
        self.formals, self.tensors = formals, {}

    def shared(self, t, filling):
        key = (t["t"], tuple(t["shape"]), tuple(t["stride"]), t.get("offset", 0), t.get("device"),
               filling)
        if key not in self.tensors:
            self.tensors[key] = filled(t, filling)
        return self.tensors[key]

    def __call__(self, function, args, kwargs):
        """ACCEPTED, REJECTED, REJECTED_OTHERWISE or UNCLEAR. Calls whose messages are not about kinds are
        retried with different values."""
        written, number = self.formals.written, self.formals.number
        for filling in range(3):
            try:
                a = [decode(v, filling, filled if i in written else self.shared)
                     for i, v in enumerate(args)]
                k = {n: decode(v, filling, filled if number.get(n) in written else self.shared)
                     for n, v in kwargs.items()}
            except Exception:  # a tensor cannot be created
                return UNCLEAR
            try:
                with torch.no_grad():
                    function(*a, **k)
                return ACCEPTED
            except MemoryError:
                return UNCLEAR
            except Exception as e:  # the kernel may raise any exception
                text = str(e).split("\n")[0]
                if BY_VALUE.search(text):
                    by_value = True
                elif KIND_MESSAGE.search(text):
                    return REJECTED
                else:
                    by_value = False
        return UNCLEAR if by_value else REJECTED_OTHERWISE


class Base:
    """One call to start from."""

    def __init__(self, args, kwargs, formals):
        self.args, self.kwargs, self.formals = args, kwargs, formals
        self.values = formals.values(args, kwargs)
        self.mode = mode_of(formals, self.values)
        self.kinds = kinds_of(formals, self.values)
        self.tensors = [i for i in self.kinds if formals.forms[i] == "tensor"]

    def call(self, override):
        """(args, kwargs) with the values in `override`, which is keyed by argument index."""
        names = self.formals.names
        args = [override.get(i, v) for i, v in enumerate(self.args)]
        kwargs = dict(self.kwargs)
        for i, value in override.items():
            if i >= len(args):
                kwargs[names[i]] = value
        return args, kwargs

    def with_kinds(self, kinds):
        """The override that sets all items of some arguments to these kinds."""
        return {i: self.with_kind(self.values[i], k, self.formals.forms[i]) for i, k in kinds.items()}

    @staticmethod
    def with_kind(value, kind, form):
        return [of_kind(v, kind, form) for v in value] if isinstance(value, list) \
            else of_kind(value, kind, form)

    def uniform(self):
        """Overrides for all tensors of the first tensor's kind: none, then one for each other kind."""
        if not self.tensors:
            return [{}]
        first = self.kinds[self.tensors[0]][0]
        group = [i for i in self.tensors if self.kinds[i][0] == first]
        return [{}] + [{i: k for i in group} for k in range(len(DTYPES)) if k != first]

    def subsets(self):
        """Sets of arguments whose kinds are changed together."""
        n = len(self.tensors)
        if n <= 4:
            return [s for k in range(1, n + 1) for s in itertools.combinations(self.tensors, k)]
        out = [(i,) for i in self.tensors] + list(itertools.combinations(self.tensors, 2))
        out += [tuple(k for k in self.tensors if k != i) for i in self.tensors]
        return out + [tuple(self.tensors)]

    def changes(self, uniform):
        """Overrides of argument kinds, in addition to those in `uniform`."""
        for subset in self.subsets():
            for kind in range(len(DTYPES)):
                yield self.with_kinds({**uniform, **{i: kind for i in subset}})
        start = self.with_kinds(uniform)
        for i, kinds in self.kinds.items():
            form = self.formals.forms[i]
            if form != "tensor":
                kinds = range(len(DTYPES), KINDS) if form == "number" else range(len(DTYPES))
                for kind in kinds:
                    yield {**start, **self.with_kinds({i: kind})}
            elif isinstance(self.values[i], list) and len(self.values[i]) > 1:
                value = start.get(i, self.values[i])
                for kind in range(len(DTYPES)):  # one item that differs from the others
                    yield {**start, i: [value[0], of_kind(value[1], kind, form), *value[2:]]}
                    yield {**start, i: [of_kind(value[0], kind, form), *value[1:]]}

    def variants(self):
        """Calls in other modes."""
        formals = self.formals
        for i, value in enumerate(self.values):
            optional = "Optional" in str(find_type(formals, i))
            others = []
            if optional and value is not None:
                others = [None]
            if formals.names[i] == "rounding_mode":
                others = [m for m in (None, "floor", "trunc") if m != value]
            if formals.forms[i] == "dtype" and value is None:
                others = [{"dtype": "float32"}, {"dtype": "int64"}]
            if isinstance(value, bool):
                others = [not value]
            elif type(value) is int:
                others = [n for n in (0, 1, 2) if n != value]
            elif type(value) is float:
                others = [n for n in (0.0, 1.0, 2.0, float("inf")) if n != value]
                others = [{"f": "inf"} if n == float("inf") else n for n in others]
            for other in others:
                yield self.call({i: other})
        sizes = {n for i in self.tensors for t in call_kinds.items_of(self.values[i]) if is_tensor(t)
                 for n in t["shape"]}
        for size in sorted(sizes)[:3]:
            yield self.call({i: resized(self.values[i], size, 0) for i in self.tensors})
        for i in self.tensors:  # the dtype of a tensor of rank 0 counts less
            value = self.values[i]
            if is_tensor(value) and value["shape"]:
                yield self.call({i: {**value, "shape": [], "stride": []}})


def clearer(known, outcome):
    """The combined outcome of two calls with the same kinds and mode."""
    return ACCEPTED if ACCEPTED in (known, outcome) else REJECTED if REJECTED in (known, outcome) else outcome


def find_type(formals, i):
    return formals.function._schema.arguments[i].type


def resized(value, old, new):
    """Replaces a size with a different one in all tensors."""
    if isinstance(value, list):
        return [resized(v, old, new) for v in value]
    if not is_tensor(value):
        return value
    shape = [new if n == old else n for n in value["shape"]]
    stride, step = [], 1
    for n in reversed(shape):
        stride.insert(0, step)
        step *= max(n, 1)
    return {"t": value["t"], "shape": shape, "stride": stride}


def spread(bases, limit):
    """Returns at most `limit` of the bases, chosen to differ from each other as much as possible."""
    out, seen = [], set()
    tokens = {id(b): b.mode | {("kind", i, k) for i, kinds in b.kinds.items() for k in kinds}
              for b in bases}
    while bases and len(out) < limit:
        best = max(bases, key=lambda b: len(tokens[id(b)] - seen))
        if out and not tokens[id(best)] - seen:
            break
        bases.remove(best)
        out.append(best)
        seen |= tokens[id(best)]
    return out


class Probe:
    """The outcomes of calls to an overload in eager mode."""

    def __init__(self, function, cases, only_devices):
        self.only_devices = only_devices
        self.function, self.formals = function, Formals(function)
        self.formals.function = function
        self.cases = cases
        self.observed = {}  # (mode, kinds) -> accepted

    def run_all(self, calls):
        return list(run_calls(self.function, calls, 2, 3, Caller(self.formals)))

    def accepted(self, bases):
        outcomes = self.run_all([(b.args, b.kwargs) for b in bases])
        return [b for b, outcome in zip(bases, outcomes) if outcome == ACCEPTED]

    def note(self, base, override, outcome):
        if outcome in OUTCOMES:
            kinds = {i: tuple(kind_of(v, self.formals.forms[i])
                              for v in call_kinds.items_of(override.get(i, base.values[i])))
                     for i in base.kinds}
            key = base.mode, tuple(sorted(kinds.items()))
            self.observed[key] = clearer(self.observed.get(key), outcome)

    def bases(self):
        recorded = spread([Base(c["args"], c["kwargs"], self.formals) for c in self.cases], 24)
        recorded = self.accepted(recorded)
        others = [Base(*call, self.formals) for b in recorded[:6] for call in b.variants()]
        seen = {b.mode for b in recorded}
        new = []
        for base in others:
            if base.mode not in seen:
                seen.add(base.mode)
                new.append(base)
        first = spread(list(recorded), 6)
        return first + spread(self.accepted(new[:60]), MAX_BASES - len(first))

    def run(self):
        bases = self.bases()
        if not bases:
            return None
        devices = self.devices(bases)
        if self.only_devices:
            return {"modes": [], "devices": devices}
        starts = [(b, u) for b in bases for u in b.uniform()]
        outcomes = self.run_all([b.call(b.with_kinds(u)) for b, u in starts])
        todo = []
        for (base, uniform), outcome in zip(starts, outcomes):
            self.note(base, base.with_kinds(uniform), outcome)
            if outcome == ACCEPTED:
                todo.append([(base, o) for o in base.changes(uniform)])
        # If there are more than MAX_CALLS calls, take an equal share from each start.
        share = max(1, MAX_CALLS // max(1, len(todo)))
        chosen = []
        for changes in todo:
            chosen += changes if len(changes) <= share else random.sample(changes, share)
        for (base, override), outcome in zip(
                chosen, self.run_all([b.call(o) for b, o in chosen])):
            self.note(base, override, outcome)
        modes = collections.defaultdict(list)
        for (mode, kinds), outcome in self.observed.items():
            modes[mode].append([kinds, outcome])
        return {"modes": [[sorted(mode), calls] for mode, calls in modes.items()],
                "devices": devices}

    def devices(self, bases):
        """[mode, [[device kinds, accepted]...]] for sets of arguments on meta, the others on the CPU."""
        calls = []
        for base in bases:
            items = [t for i in base.tensors for t in call_kinds.items_of(base.values[i])
                     if is_tensor(t)]
            if len(items) < 2:
                continue
            calls += [base.call({i: on_meta(base.values[i]) for i in subset})
                      for subset in base.subsets()]
            for i in base.tensors:
                count = len(call_kinds.items_of(base.values[i]))
                calls += [base.call({i: on_meta(base.values[i], n)})
                          for n in (range(count) if count > 1 else ())]
        found = collections.defaultdict(dict)
        for call, outcome in zip(calls, self.run_all(calls)):
            values = self.formals.values(*call)
            kinds = call_kinds.devices_of(self.formals, values)
            if outcome in OUTCOMES and kinds:
                known = found[mode_of(self.formals, values)]
                key = tuple(sorted(kinds.items()))
                known[key] = clearer(known.get(key), outcome)
        return [[sorted(mode), list(calls.items())] for mode, calls in found.items()]


def on_meta(value, which=None):
    if isinstance(value, list):
        return [{**v, "device": "meta"} if is_tensor(v) and which in (None, n) else v
                for n, v in enumerate(value)]
    return {**value, "device": "meta"}


def read_cases(paths, only):
    recorded = collections.defaultdict(list)
    for path in paths:
        with opened(path, "r") as file:
            for line in file:
                case = json.loads(line)
                if "op" in case and "rejected" not in case and (not only or case["op"] in only):
                    recorded[case["op"]].append(case)
    return recorded


def probe_all(options):
    recorded = read_cases(options.input, set(options.only.split(",")) if options.only else None)
    names = sorted(recorded)
    random.Random(0).shuffle(names)
    shard, shards = map(int, options.shard.split("/"))
    with opened(options.output, "w") as file:
        for name in names[shard::shards]:
            try:
                function = find(name)
            except AttributeError:
                continue
            random.seed(name)
            cases = random.sample(recorded[name], min(len(recorded[name]), 80))
            found = Probe(function, cases, options.devices).run()
            if found is None:
                print(f"{name}: no recorded call can be repeated", file=sys.stderr)
                continue
            file.write(json.dumps({"op": name, **found}) + "\n")
            file.flush()


# ---------------------------------------------------------------- the table

class Row:
    """The observations of an overload."""

    def __init__(self, name):
        self.formals = Formals(find(name))
        self.kinds, self.devices = Learner(self.formals), Learner(self.formals)

    def add_probed(self, found):
        for learner, modes in ((self.kinds, found["modes"]), (self.devices, found["devices"])):
            for mode, calls in modes:
                mode = frozenset(tuple(t) for t in mode)
                for kinds, outcome in calls:
                    learner.add(mode, {i: tuple(k) for i, k in kinds}, outcome)

    def add_call(self, case):
        """Adds a recorded call. The kinds of a rejected call count only if a kind was changed."""
        values = self.formals.values(case["args"], case["kwargs"])
        mode, message = mode_of(self.formals, values), case.get("rejected")
        outcome = ACCEPTED if message is None else \
            REJECTED if KIND_MESSAGE.search(message) else REJECTED_OTHERWISE
        devices = call_kinds.devices_of(self.formals, values)
        if devices:
            self.devices.add(mode, devices, outcome)
        if outcome == ACCEPTED or case.get("mutation") in ("dtype", "index", "cast"):
            self.kinds.add(mode, kinds_of(self.formals, values), outcome)


def read_rows(paths, recordings):
    rows = {}
    for path in paths:
        with opened(path, "r") as file:
            for line in file:
                found = json.loads(line)
                if found["op"] not in rows:
                    rows[found["op"]] = Row(found["op"])
                rows[found["op"]].add_probed(found)
    for path in recordings:
        with opened(path, "r") as file:
            for line in file:
                case = json.loads(line)
                if case.get("op") in rows and case.get("rejected") != "values":
                    rows[case["op"]].add_call(case)
    return rows


def write_table(options):
    table = Table()
    for name, row in sorted(read_rows(options.input, options.accepted).items()):
        table.add(name, row.kinds.tree(), row.devices.tree())
    with open(options.output, "w") as file:
        file.write(table.text(torch.__version__.split("+")[0]))
    print(f"{len(table.rows)} rows, {len(table.cases)} cases, {len(table.matrices)} matrices")


# ---------------------------------------------------------------- checking a table

def check_table(path, recordings):
    """Returns 0, or 1 if a table has an error."""
    tables = read_table(path)
    errors = [] if list(tables) == sorted(tables) else ["the rows are not in order"]
    formals = {name: Formals(find(name)) for name in tables}
    for name, both in tables.items():
        leaves = list(both)
        while leaves:
            leaf = leaves.pop()
            if len(leaf) == 3:
                leaves += leaf[1:]
            elif any(i >= len(formals[name].names) or not formals[name].forms[i]
                     for atom in leaf[0] for i in atom[::2]):
                errors.append(f"{name}: a row for an argument that has no kind")
    count = 0
    for name, cases in read_cases(recordings, None).items():
        for case in cases if name in tables else []:
            count += 1
            if call_kinds.is_rejected(tables[name], formals[name], case["args"], case["kwargs"]):
                errors.append(f"{name}: rejects {json.dumps([case['args'], case['kwargs']])}")
    for error in errors:
        print(error)
    print(f"{len(tables)} rows, {count} calls that eager mode accepts, {len(errors)} errors")
    return 1 if errors or not count else 0


def relaxed(tree, mode, atoms):
    """The tree, with these atoms removed from the leaf that a mode reaches."""
    if len(tree) == 1:
        return (tree[0] - atoms,)
    test, yes, no = tree
    return (test, relaxed(yes, mode, atoms), no) if test in mode else (test, yes, relaxed(no, mode, atoms))


def relax_table(path, recordings, output):
    tables, removed = read_table(path), collections.Counter()
    for name, cases in read_cases(recordings, None).items():
        if name not in tables:
            continue
        formals = Formals(find(name))
        kinds, devices = tables[name]
        for case in cases:
            if not call_kinds.is_rejected((kinds, devices), formals, case["args"], case["kwargs"]):
                continue
            removed[name] += 1
            values = formals.values(case["args"], case["kwargs"])
            mode = mode_of(formals, values)
            kinds = relaxed(kinds, mode, call_kinds.atoms_of(kinds_of(formals, values)))
            devices = relaxed(devices, mode,
                              call_kinds.atoms_of(call_kinds.devices_of(formals, values)))
        tables[name] = (kinds, devices)
    table = Table()
    for name, trees in sorted(tables.items()):
        table.add(name, *trees)
    with open(output, "w") as file:
        file.write(table.text(torch.__version__.split("+")[0]))
    print("; ".join(f"{name}: {n} calls" for name, n in removed.items()))


def merge_tables(path, part, output, names):
    tables, new = read_table(path), read_table(part)
    tables = {name: row for name, row in tables.items() if name not in names}
    tables.update((name, new[name]) for name in names if name in new)
    table = Table()
    for name, trees in sorted(tables.items()):
        table.add(name, *trees)
    with open(output, "w") as file:
        file.write(table.text(torch.__version__.split("+")[0]))
    print(f"{len(names)} overloads, {sum(name in new for name in names)} with a row")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("mode", choices=("probe", "write", "check", "relax", "merge"))
    parser.add_argument("input", nargs="+")
    parser.add_argument("output")
    parser.add_argument("--accepted", nargs="*", default=[],
                        help="recordings whose calls are also used (write)")
    parser.add_argument("--only", default="")
    parser.add_argument("--shard", default="0/1", help="K/N: every N-th overload, starting with K")
    parser.add_argument("--devices", action="store_true", help="probe only devices")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.add(torch.ones(2, device="meta"), 1)  # imports modules here, outside the children's time limit
    if options.mode == "check":
        return check_table(options.input[0], [*options.input[1:], options.output])
    if options.mode == "relax":
        relax_table(options.input[0], options.input[1:], options.output)
        return 0
    if options.mode == "merge":
        merge_tables(*options.input, options.output, options.only.split(","))
        return 0
    (probe_all if options.mode == "probe" else write_table)(options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
