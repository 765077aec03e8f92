#!/usr/bin/env python3
"""Writes passes/shape/generated/call_rules.inc: dtypes and devices that eager mode accepts.

    scripts/record_op_cases.py legal.jsonl.gz
    scripts/generate_call_rules.py probe legal.jsonl.gz probed.jsonl [--shard K/N] [--only OPS]
    scripts/generate_call_rules.py write probed.jsonl... passes/shape/generated/call_rules.inc
        --accepted legal.jsonl.gz illegal.jsonl.gz

Kernels support the dtypes that they list in C++ macros, which no schema states. `probe` finds them
by calling each overload. Its unit is a *kind*: the dtype of a tensor or of a `ScalarType` argument,
or whether a `Scalar` is a bool, int, float or complex number. For each argument it finds the kinds
that eager mode accepts, and for each two arguments the accepted pairs of kinds.

A kind, or a pair, counts as refused only if eager mode refuses it in every call tried. The probe tries
several recorded calls that differ in dtypes, modes and optional arguments. The other arguments are as
recorded, have either kind of the pair, or have a dtype that the result can be cast to. The kinds of
recorded calls are accepted. Calls that crash or are refused because of values are ignored.

In the same way the probe puts each single tensor on the device meta with the other tensors on the CPU,
and the reverse. `--accepted` names recordings of calls (also of record_illegal_calls.py). The table
accepts their accepted calls, and their calls with two devices complete its sets of arguments.
"""

import argparse
import collections
import itertools
import json
import mmap
import os
import random
import resource
import signal
import sys
import warnings

import torch

from record_illegal_calls import BY_VALUE, find, filled, is_tensor, opened

# The order is that of the bits; int8 and int16 count as int32 (C++: kind_bit).
DTYPES = ("bool", "uint8", "int32", "int64", "float16", "bfloat16", "float32", "float64",
          "complex64", "complex128")
NUMBERS = (bool, int, float, complex)
KINDS = len(DTYPES) + len(NUMBERS)
BIT = {name: i for i, name in enumerate(DTYPES)} | {"int8": 2, "int16": 2}
VALUES = (True, 1, 1.0, {"complex": [1.0, 0.0]})
UNKNOWN = -1
NONE_REFUSED = [0] * KINDS
MAX_TRIES = 12000  # per overload; calls that were not tried count as accepted
MAX_ALTERNATIVES = 60  # for a pair of kinds in one recorded call


def kind_of(value, form):
    """The bit of one value of an argument; UNKNOWN if the table does not cover it."""
    if form == "number":
        if isinstance(value, dict):
            return 12 if "f" in value else 13 if "complex" in value else UNKNOWN
        return len(DTYPES) + NUMBERS.index(type(value)) if type(value) in NUMBERS else UNKNOWN
    if isinstance(value, dict):
        return BIT.get(value.get("t", value.get("dtype")), UNKNOWN)
    return UNKNOWN


def of_kind(value, kind, form):
    if form == "number":
        return value if kind_of(value, form) == kind else VALUES[kind - len(DTYPES)]
    if form == "dtype":
        return {"dtype": DTYPES[kind]}
    if not is_tensor(value):
        return value
    return value if BIT.get(value["t"]) == kind else {**value, "t": DTYPES[kind]}


def form_of(formal):
    text = str(formal.type)
    if "Tensor" in text:
        return "tensor"
    # torch.bool is an int in the schema; the argument's name distinguishes it.
    if str(formal.real_type).replace("Optional[", "").rstrip("]") == "ScalarType":
        return "dtype"
    if "number" in text:
        return "number"
    return None


class Base:
    """One recorded call, its arguments by their numbers in the schema."""

    def __init__(self, case, forms, names):
        self.args, self.kwargs = case["args"], case["kwargs"]
        self.names = names
        self.values = {i: v for i, v in enumerate(self.args) if forms.get(i)}
        self.values |= {i: self.kwargs[n] for i, n in enumerate(names)
                        if n in self.kwargs and forms.get(i)}
        self.forms = {i: forms[i] for i, v in self.values.items() if self.kinds_in(i, v, forms[i])}

    @staticmethod
    def kinds_in(i, value, form):
        items = value if isinstance(value, list) else [value]
        return [k for k in (kind_of(v, form) for v in items) if k != UNKNOWN]

    def kinds(self, override, i):
        """The kinds of the items of argument i, UNKNOWN for None."""
        value = override.get(i, self.values[i])
        items = value if isinstance(value, list) else [value]
        return [kind_of(v, self.forms[i]) for v in items]

    def changed(self, i, kind, item=None):
        value, form = self.values[i], self.forms[i]
        if not isinstance(value, list):
            return of_kind(value, kind, form)
        return [of_kind(v, kind, form) if item is None or item == n else v
                for n, v in enumerate(value)]

    def call(self, override):
        args = [override.get(i, v) for i, v in enumerate(self.args)]
        kwargs = {n: override.get(self.names.index(n), v) if n in self.names else v
                  for n, v in self.kwargs.items()}
        return args, kwargs

    def tokens(self):
        out = set()
        for i, v in enumerate(self.args):
            out |= self.token(i, v)
        for n, v in self.kwargs.items():
            out |= self.token(n, v)
        return out

    @staticmethod
    def token(place, v):
        if is_tensor(v):
            return {(place, v["t"]), (place, "rank", min(len(v["shape"]), 3)),
                    (place, 0 in v["shape"])}
        if isinstance(v, list):
            return {(place, "list")} | {t for item in v[:2] for t in Base.token(place, item)}
        if isinstance(v, (bool, str)) or v is None:
            return {(place, v)}
        if isinstance(v, dict):
            return {(place, str(v))}
        return {(place, type(v).__name__, v in (0, 1, -1))}


class Caller:
    """Calls a function. Tensors that the function only reads are made once."""

    def __init__(self, function, forms, written):
        self.function, self.written = function, written
        self.made = {}

    def tensor(self, t, filling, fresh):
        if fresh:
            return filled(t, filling)
        key = (t["t"], tuple(t["shape"]), tuple(t["stride"]), t.get("offset", 0),
               t.get("device"), filling)
        if key not in self.made:
            self.made[key] = filled(t, filling)
        return self.made[key]

    def decode(self, x, filling, fresh):
        if is_tensor(x):
            return self.tensor(x, filling, fresh)
        if isinstance(x, list):
            return [self.decode(i, filling, fresh) for i in x]
        if not isinstance(x, dict):
            return x
        if "f" in x:
            return float(x["f"])
        if "complex" in x:
            return complex(*x["complex"])
        if "device" in x:
            return torch.device(x["device"])
        (value,) = x.values()
        return getattr(torch, value)

    def accepted(self, args, kwargs):
        """True, False, or None: unknown."""
        for filling in range(3):
            try:
                a = [self.decode(v, filling, i in self.written) for i, v in enumerate(args)]
                k = {n: self.decode(v, filling, n in self.written) for n, v in kwargs.items()}
            except Exception:  # not a tensor that can be made
                return None
            try:
                with torch.no_grad():
                    self.function(*a, **k)
                return True
            except MemoryError:
                return None
            except Exception as e:  # any exception
                if not BY_VALUE.search(str(e).split("\n")[0]):
                    return False
        return None


class Search:
    """The results for an overload; runs in a child process, which may die."""

    def __init__(self, bases, caller, ask, refused=({}, {})):
        """`refused`: kinds and pairs that the functional form, and thus other forms, refuse."""
        self.bases, self.caller, self.ask = bases, caller, ask
        self.refused_kinds, self.refused_pairs = refused
        self.single = collections.defaultdict(int)   # argument -> mask of accepted kinds
        self.pairs = collections.defaultdict(lambda: [0] * KINDS)  # (i, j) -> masks
        self.tries = 0

    def mark(self, base, override):
        kinds = {i: base.kinds(override, i) for i in base.forms}
        for i, values in kinds.items():
            for k in values:
                if k != UNKNOWN:
                    self.single[i] |= 1 << k
            if len(values) > 1:
                for k in values[1:]:
                    if k != UNKNOWN and values[0] != UNKNOWN:
                        self.pairs[i, i][values[0]] |= 1 << k
        for i, j in itertools.combinations(sorted(kinds), 2):
            a, b = kinds[i], kinds[j]
            both = zip(a, b) if len(a) == len(b) else itertools.product(a, b)
            for x, y in both:
                if x != UNKNOWN and y != UNKNOWN:
                    self.pairs[i, j][x] |= 1 << y

    def mark_kinds(self, fixed):
        for i, kind in fixed.items():
            self.single[i] |= 1 << kind
        for i, j in itertools.combinations(sorted(fixed), 2):
            self.pairs[i, j][fixed[i]] |= 1 << fixed[j]

    def attempt(self, base, override):
        self.tries += 1
        outcome = self.ask(lambda: self.caller.accepted(*base.call(override)))
        if outcome is not False:  # unknown counts as accepted
            self.mark(base, override)
        return outcome is not False

    def alternatives(self, base, fixed, kinds):
        """Overrides of the other arguments, likely overrides first."""
        others = [k for k in base.forms if k not in fixed]
        tensors = [k for k in others if base.forms[k] == "tensor"]
        inputs = [k for k in tensors if k not in self.caller.written and
                  base.names[k] not in self.caller.written]
        outputs = [k for k in tensors if k not in inputs]
        numbers = [k for k in others if base.forms[k] == "number"]
        dtypes = [k for k in others if base.forms[k] == "dtype"]
        first = {k: base.kinds({}, k)[0] for k in tensors + list(fixed) if base.kinds({}, k)}
        wanted = [k for k in dict.fromkeys(kinds) if k < len(DTYPES)]
        groups = [{}]
        for kind in wanted:
            for leader in fixed:
                groups.append({k: kind for k in inputs if first.get(k) == first.get(leader)})
            groups.append({k: kind for k in inputs})
            if len(inputs) > 1:
                groups += [{k: kind} for k in inputs]
        if len(wanted) == 2 and len(inputs) == 2:
            groups += [dict(zip(inputs, wanted)), dict(zip(inputs, wanted[::-1]))]
        common = wanted[0] if wanted else None
        for kind in wanted[1:]:
            common = BIT[str(torch.promote_types(getattr(torch, DTYPES[common]),
                                                 getattr(torch, DTYPES[kind])))[6:]]
        results = dict.fromkeys([*([] if common is None else [common]), 9, *wanted, 6, 3, 0])
        outs = [{}] + [{k: kind for k in outputs} for kind in results if outputs]
        nums = [{}] + [{k: kind for k in numbers} for kind in (11, 10, 12, 13) if numbers]
        if len(numbers) > 1:  # `alpha` does not change, `other` follows
            nums += [{numbers[0]: kind} for kind in (11, 10, 12, 13)]
        types = [{}] + [{k: kind for k in dtypes} for kind in dict.fromkeys([*wanted, 6, 8])
                        if dtypes]
        seen = set()
        # First the overrides that differ least from the recorded call and from the likely choices.
        choices = sorted(itertools.product(*(enumerate(f) for f in (groups, nums, types, outs))),
                         key=lambda parts: sum(n for n, _ in parts))
        for parts in choices:
            merged = {k: v for _, part in parts for k, v in part.items()}
            key = tuple(sorted(merged.items()))
            if key not in seen:
                seen.add(key)
                yield {k: base.changed(k, kind) for k, kind in merged.items()}

    def try_kinds(self, fixed, item=None):
        """Tries to find an accepted call with these kinds, {argument: kind}."""
        for base in self.bases:
            if any(i not in base.forms for i in fixed):
                continue
            if self.tries > MAX_TRIES:
                self.mark_kinds(fixed)
                return True
            own = {i: base.changed(i, kind) for i, kind in fixed.items()}
            others = self.alternatives(base, fixed, list(fixed.values()))
            for others in itertools.islice(others, MAX_ALTERNATIVES):
                if self.attempt(base, {**others, **own}):
                    return True
        return False

    def kinds_for(self, i):
        form = next(b.forms[i] for b in self.bases if i in b.forms)
        return range(len(DTYPES), KINDS) if form == "number" else range(len(DTYPES))

    def run(self):
        for base in self.bases:
            self.mark(base, {})
        for base in self.bases:
            for kind in range(len(DTYPES)):  # all tensors with the dtype of the first tensor
                leader = next((i for i in base.forms if base.forms[i] == "tensor"), None)
                if leader is None:
                    break
                kinds = base.kinds({}, leader)
                group = [i for i in base.forms if base.forms[i] == "tensor" and
                         base.kinds({}, i)[0] == kinds[0]]
                self.attempt(base, {i: base.changed(i, kind) for i in group})
        arguments = sorted({i for b in self.bases for i in b.forms})
        for i in arguments:
            for kind in self.kinds_for(i):
                if not (self.single[i] | self.refused_kinds.get(i, 0)) >> kind & 1:
                    self.try_kinds({i: kind})
        together = {pair for b in self.bases for pair in itertools.combinations(sorted(b.forms), 2)}
        for i, j in sorted(together):
            for a in self.kinds_for(i):
                for b in self.kinds_for(j):
                    if self.single[i] >> a & 1 and self.single[j] >> b & 1 and \
                            not self.pairs[i, j][a] >> b & 1 and \
                            not self.refused_pairs.get((i, j), NONE_REFUSED)[a] >> b & 1:
                        self.try_kinds({i: a, j: b})
        for i in arguments:
            self.try_items(i)
        return self.result(arguments, together)

    def try_items(self, i):
        """Compares the first item of a list with the other items."""
        bases = [b for b in self.bases
                 if i in b.forms and isinstance(b.values[i], list) and len(b.values[i]) > 1]
        for a in self.kinds_for(i) if bases else ():
            for b in self.kinds_for(i):
                if not (self.single[i] >> a & 1 and self.single[i] >> b & 1) or \
                        self.pairs[i, i][a] >> b & 1:
                    continue
                for base in bases:
                    value = base.values[i]
                    form = base.forms[i]
                    mixed = [of_kind(v, a if n != 1 else b, form) for n, v in enumerate(value)]
                    if any(self.attempt(base, {**others, i: mixed})
                           for others in self.alternatives(base, {i: a}, [a, b])):
                        break

    def devices(self):
        """Arguments whose tensors may not be alone on meta, and not alone on the CPU."""
        refused = collections.defaultdict(set)
        for base in self.bases:
            tensors = [i for i in base.forms if base.forms[i] == "tensor"]
            items = [t for i in tensors
                     for t in (base.values[i] if isinstance(base.values[i], list)
                               else [base.values[i]]) if is_tensor(t)]
            if len(items) < 2 or any(not t["shape"] for t in items):
                continue

            def moved(i, which=None):
                value = base.values[i]
                if isinstance(value, list):
                    return [{**v, "device": "meta"} if is_tensor(v) and which in (None, n) else v
                            for n, v in enumerate(value)]
                return {**value, "device": "meta"}
            for i in tensors:
                count = len(base.values[i]) if isinstance(base.values[i], list) else 1
                choices = [None] if len(tensors) > 1 else []
                choices += range(count) if count > 1 else []
                for which in choices:
                    refused["meta", i].add(self.ask_device(base, {i: moved(i, which)}))
                if len(tensors) > 1:
                    rest = {k: moved(k) for k in tensors if k != i}
                    refused["cpu", i].add(self.ask_device(base, rest))
        return [[i for (where, i), found in sorted(refused.items())
                 if where == device and found == {False}] for device in ("meta", "cpu")]

    def ask_device(self, base, override):
        return self.ask(lambda: self.caller.accepted(*base.call(override)))

    def result(self, arguments, together):
        single = {}
        for i in arguments:
            full = sum(1 << k for k in self.kinds_for(i))
            if self.single[i] & full != full:
                single[i] = self.single[i]
        pairs = []
        for (i, j), masks in sorted(self.pairs.items()):
            if i == j or (i, j) in together:
                row_kinds, column_kinds = self.kinds_for(i), self.kinds_for(j)
                full = sum(1 << k for k in column_kinds)
                open_row = (1 << KINDS) - 1
                # A kind that the argument refuses by itself is not a constraint on the pair.
                rows = [(masks[a] | ~self.single[j] & open_row | ~full & open_row)
                        if a in row_kinds and self.single[i] >> a & 1 else open_row
                        for a in range(KINDS)]
                if any(r != open_row for r in rows):
                    pairs.append([i, j, rows])
        meta, cpu = self.devices()
        return {"single": sorted(single.items()), "pairs": pairs, "meta": meta, "cpu": cpu,
                "tries": self.tries}


def in_child(work, memory=3):
    """Runs work(ask) in child processes until it returns; a call that kills one is unknown."""
    killers, slot = set(), mmap.mmap(-1, 8)
    answers = mmap.mmap(-1, 1 << 22)  # one byte per call: results of earlier children
    for _ in range(12):
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
            limit = int(used + memory * 2**30)
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            number = [0]

            def ask(call):
                n = number[0]
                number[0] += 1
                if n in killers:
                    return None
                known = answers[n] if n < len(answers) else 0
                if known:
                    return (None, False, True)[known - 1]
                slot[:] = n.to_bytes(8, "little")
                signal.setitimer(signal.ITIMER_PROF, 3)
                outcome = call()
                signal.setitimer(signal.ITIMER_PROF, 0)
                if n < len(answers):
                    answers[n] = 1 if outcome is None else 3 if outcome else 2
                return outcome
            with os.fdopen(write, "w") as pipe:
                try:
                    json.dump(work(ask), pipe)
                except Exception as e:  # an error in this script, not in eager mode
                    json.dump({"error": repr(e)}, pipe)
            os._exit(0)
        os.close(write)
        with os.fdopen(read) as pipe:
            text = pipe.read()
        os.waitpid(child, 0)
        try:
            return json.loads(text)
        except json.JSONDecodeError:
            killers.add(int.from_bytes(slot[:], "little"))
    return None


def chosen(cases, forms, names, caller, limit):
    """Recorded calls that run here, as different from one another as possible."""
    bases = [Base(c, forms, names) for c in cases]
    out, seen = [], set()
    while bases and len(out) < limit:
        best = max(bases, key=lambda b: len(b.tokens() - seen))
        bases.remove(best)
        if out and not best.tokens() - seen:
            break
        if caller.accepted(*best.call({})):
            out.append(best)
            seen |= best.tokens()
    return out


def functional_name(name):
    """The functional form of an in-place or out= overload, otherwise the same name."""
    packet, overload = name.rsplit(".", 1)
    if packet.endswith("_") and not packet.endswith("__"):
        packet = packet[:-1]
    if overload == "out":
        overload = "default"
    elif overload.endswith("_out"):
        overload = overload[:-4]
    return f"{packet}.{overload}"


def refused_by(row, names):
    """The kinds that a row refuses, by the argument numbers of another form of the operator."""
    if row is None:
        return {}, {}
    number = {names.index(n): i for i, n in enumerate(row["names"]) if n in names}
    number = {i: k for k, i in number.items()}
    everything = (1 << KINDS) - 1
    kinds = {number[i]: everything & ~mask for i, mask in row["single"] if i in number}
    pairs = {(number[i], number[j]): [everything & ~m for m in masks]
             for i, j, masks in row["pairs"]
             if i in number and j in number and number[i] < number[j]}
    return kinds, pairs


def probe(function, cases, limit, functional=None):
    formals = function._schema.arguments
    forms = {i: form for i, a in enumerate(formals) if (form := form_of(a))}
    names = [a.name for a in formals]
    written = {x for i, a in enumerate(formals)
               if a.alias_info is not None and a.alias_info.is_write for x in (i, a.name)}

    def work(ask):
        caller = Caller(function, forms, written)
        bases = chosen(cases, forms, names, caller, limit)
        if not bases:
            return {"error": "no recorded call can be repeated"}
        search = Search(bases, caller, ask, refused_by(functional, names))
        for case in cases:
            search.mark(Base(case, forms, names), {})
        return {"names": names, **search.run()}
    return in_child(work)


def read_cases(path, only):
    recorded = collections.defaultdict(list)
    with opened(path, "r") as file:
        for line in file:
            case = json.loads(line)
            if "op" in case and "refused" not in case and (not only or case["op"] in only):
                recorded[case["op"]].append(case)
    return recorded


def probe_all(options):
    only = set(options.only.split(",")) if options.only else None
    recorded = read_cases(options.input[0], only)
    # The forms of an operator are adjacent, with the functional form first.
    families = sorted({functional_name(n) for n in recorded})
    random.Random(0).shuffle(families)
    shard, shards = map(int, options.shard.split("/"))
    families = set(families[shard::shards])
    names = [n for n in sorted(recorded, key=lambda n: (functional_name(n) != n, n))
             if functional_name(n) in families]
    done = {}
    with open(options.output, "w") as file:
        for name in names:
            try:
                function = find(name)
            except AttributeError:
                continue
            cases = recorded[name]
            random.Random(name).shuffle(cases)
            functional = done.get(functional_name(name))
            found = probe(function, cases[:40], options.bases, functional)
            if found is None or "error" in found:
                print(f"{name}: {found['error'] if found else 'crashes'}", file=sys.stderr)
                continue
            if name == functional_name(name):
                done[name] = found
            file.write(json.dumps({"op": name, **found}) + "\n")
            file.flush()


def add_evidence(rows, paths):
    """Marks the kinds in accepted calls, and the operands on two devices that were refused."""
    devices = collections.defaultdict(set)
    for path in paths:
        with opened(path, "r") as file:
            for line in file:
                case = json.loads(line)
                row = rows.get(case.get("op"))
                if row is None or case.get("refused") == "values":
                    continue
                forms = {i: form for i, form in enumerate(row["forms"]) if form}
                base = Base(case, forms, row["names"])
                note_device(base, "refused" in case, devices[case["op"]])
                if "refused" not in case:
                    mark_accepted(base, row)
    for name, found in devices.items():
        row = rows[name]
        for key in {key for key, _ in found}:
            if (key, False) not in found:
                where, i = key
                row.setdefault(where, [])
                if i not in row[where]:
                    row[where].append(i)
        for where in ("meta", "cpu", "meta_scalar", "cpu_scalar"):
            row[where] = [i for i in row.get(where, []) if ((where, i), False) not in found]


def note_device(base, refused, found):
    """Which argument is alone on a device, with or without tensors of rank 0 on the CPU."""
    places, scalar = {"meta": set(), "cpu": set()}, False
    for i in base.forms:
        value = base.values[i]
        for t in value if isinstance(value, list) else [value]:
            if is_tensor(t):
                on_meta = t.get("device") == "meta"
                places["meta" if on_meta else "cpu"].add(i)
                scalar = scalar or (not on_meta and not t["shape"])
    if not places["meta"] or not places["cpu"]:
        return
    for where, arguments in places.items():
        if len(arguments) == 1:
            found.add(((where + ("_scalar" if scalar else ""), min(arguments)), refused))


def mark_accepted(base, row):
    kinds = {i: base.kinds({}, i) for i in base.forms}
    row["single"] = [[i, mask | sum(1 << k for k in set(kinds.get(i, [])) - {UNKNOWN})]
                     for i, mask in row["single"]]
    for i, j, masks in row["pairs"]:
        first, second = kinds.get(i, []), kinds.get(j, [])
        if i == j:
            both = [(first[0], k) for k in first[1:]]
        else:
            both = zip(first, second) if len(first) == len(second) \
                else itertools.product(first, second)
        for a, b in both:
            if a != UNKNOWN and b != UNKNOWN:
                masks[a] |= 1 << b


def accept_real_numbers(row):
    """Pairs of ints and floats with floating tensors and other numbers. In these calls eager mode
    refuses only the value that the search has chosen."""
    real, floating = 7 << len(DTYPES), (1 << len(DTYPES)) - (1 << 4)
    forms = row["forms"]
    row["single"] = [[i, m | 6 << len(DTYPES) if forms[i] == "number" else m]
                     for i, m in row["single"]]
    row["pairs"] = [p for p in row["pairs"] if not forms[p[0]] == forms[p[1]] == "number"]
    for i, j, masks in row["pairs"]:
        for kind in range(KINDS):
            if forms[j] == "number" and floating >> kind & 1:
                masks[kind] |= real
            if forms[i] == "number" and real >> kind & 1:
                masks[kind] |= floating


def write_table(options):
    rows = {}
    for path in options.input:
        with open(path) as file:
            for line in file:
                row = json.loads(line)
                rows[row["op"]] = row
    for name, row in rows.items():
        row["forms"] = [form_of(a) for a in find(name)._schema.arguments]
        accept_real_numbers(row)
    add_evidence(rows, options.accepted)
    rows = {n: r for n, r in rows.items() if r["single"] or r["pairs"] or r["meta"] or r["cpu"] or
            r.get("meta_scalar") or r.get("cpu_scalar")}
    matrices, singles, pairs = {}, {(): 0}, {(): 0}
    flat_singles, flat_pairs, lines = [], [], []

    def place(table, flat, items):
        if items not in table:
            table[items] = len(flat)
            flat.extend(items)
        return table[items]
    for name, row in sorted(rows.items()):
        single = tuple((i, m) for i, m in row["single"])
        pair = tuple((i, j, matrices.setdefault(tuple(m), len(matrices)))
                     for i, j, m in row["pairs"])
        mask = [sum(1 << i for i in row.get(d, []) if i < 32)
                for d in ("meta", "cpu", "meta_scalar", "cpu_scalar")]
        lines.append(f'    {{"{name}", {place(singles, flat_singles, single)}, {len(single)}, '
                     f'{place(pairs, flat_pairs, pair)}, {len(pair)}, '
                     f'{{{", ".join(f"0x{m:x}" for m in mask)}}}}},\n')
    with open(options.output, "w") as file:
        file.write("// Made by scripts/generate_call_rules.py from libtorch "
                   f"{torch.__version__.split('+')[0]}: do not edit.\n"
                   "// Bits: " + ", ".join(DTYPES) + ",\n// then bool, int, float, complex "
                   "numbers.\nconstexpr KindPairs kKindPairs[] = {\n")
        for masks in matrices:
            file.write("    {{" + ", ".join(f"0x{m:x}" for m in masks) + "}},\n")
        file.write("};\nconstexpr ArgumentKinds kArgumentKinds[] = {\n")
        for i, mask in flat_singles:
            file.write(f"    {{{i}, 0x{mask:x}}},\n")
        file.write("};\nconstexpr ArgumentPair kArgumentPairs[] = {\n")
        for i, j, m in flat_pairs:
            file.write(f"    {{{i}, {j}, {m}}},\n")
        file.write("};\nconstexpr CallRow kCallRows[] = {\n")
        file.writelines(lines)
        file.write("};\n")
    print(f"{len(rows)} rows, {len(matrices)} matrices")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("mode", choices=("probe", "write"))
    parser.add_argument("input", nargs="+")
    parser.add_argument("output")
    parser.add_argument("--bases", type=int, default=5)
    parser.add_argument("--accepted", nargs="*", default=[],
                        help="recordings whose calls count, too (write)")
    parser.add_argument("--only", default="")
    parser.add_argument("--shard", default="0/1", help="K/N: every N-th overload from K on")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.add(torch.ones(2, device="meta"), 1)  # imports what children would import in their time
    (probe_all if options.mode == "probe" else write_table)(options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
