"""Argument kinds, call modes, and the tables that generate_call_rules.py derives from them.

A *kind* is the dtype of a tensor or of a `ScalarType` argument, or whether a `Scalar` is a bool, an int, a
float or a complex number.  An *atom* is the kind of one argument, or the kinds of a pair of arguments.  An
*observation* is a call and its outcome in eager mode: the kinds of its arguments, its mode, and whether it
was ACCEPTED, REJECTED with a message about kinds, or rejected with a different message (REJECTED_OTHERWISE).
A table rejects an atom that occurs only in rejected observations, and in enough of them; otherwise the
argument is unconstrained.  Rules for dtype= arguments require messages about kinds, because a dtype may
truncate numbers that eager mode then rejects.  So do rules for bools and uint8 in a list of indices: these
are masks, and eager mode compares their sizes.  Devices are kinds too, in a separate table for calls with
tensors on both the CPU and the meta device.

Kernels differ by mode: they return early for empty tensors, and code for reductions or for calls without
a bias, for example, accepts different dtypes.  If modes differ, the table of an operator is a tree in which
each inner node tests one property of the mode.
"""

import collections
import itertools
import re

# In bit order; int8 and int16 count as int32 (C++: kind_of_dtype).
DTYPES = ("bool", "uint8", "int32", "int64", "float16", "bfloat16", "float32", "float64",
          "complex64", "complex128")
NUMBERS = (bool, int, float, complex)
KINDS = len(DTYPES) + len(NUMBERS)
ALL = (1 << KINDS) - 1
BIT = {name: i for i, name in enumerate(DTYPES)} | {"int8": 2, "int16": 2}
VALUES = (True, 1, 1.0, {"complex": [1.0, 0.0]})
UNKNOWN = -1
# The outcome of a call in eager mode.
REJECTED, ACCEPTED, UNCLEAR, REJECTED_OTHERWISE = range(4)
# Matches messages about kinds.
KIND_MESSAGE = re.compile(r"not implemented|dtype|scalar type|ScalarType|can't be cast|float|integral|"
                          r"[Bb]ool|[Cc]omplex|Long|type ")
# The properties of a mode that a table can test, as in C++ (CallCase::Test).
EMPTY, NONE, TRUE, NUMBER, RANK, COUNT = range(1, 7)
MAX_DEPTH = 3
# The number and the share of rejected observations that a split must explain; splits on ranks and
# numbers must explain more, because the recorded calls of an overload have few of each.
MIN_GAIN, MIN_SHARE = 2, 0.01
MIN_NUMBER_GAIN, MIN_NUMBER_SHARE = 4, 0.05
# The number of rejected observations that an atom must occur in if other atoms also explain each of
# them.
MIN_SUPPORT = 3


def is_tensor(x):
    return isinstance(x, dict) and "t" in x


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
    # The schema treats torch.bool as an int; the name distinguishes it.
    if re.sub(r"Optional\[|\]", "", str(formal.real_type)) == "ScalarType":
        return "dtype"
    return "number" if "number" in text else None


class Formals:
    """The arguments of an overload."""

    def __init__(self, function):
        arguments = function._schema.arguments
        self.names = [a.name for a in arguments]
        self.number = {n: i for i, n in enumerate(self.names)}
        self.forms = [form_of(a) for a in arguments]
        self.defaults = [a.default_value for a in arguments]
        self.written = {i for i, a in enumerate(arguments)
                        if a.alias_info is not None and a.alias_info.is_write}

    def values(self, args, kwargs):
        """The values of the arguments, in schema order; omitted arguments have their defaults."""
        out = list(self.defaults)
        out[:len(args)] = args
        for name, value in kwargs.items():
            if name in self.number:
                out[self.number[name]] = value
        return out


def items_of(value):
    return value if isinstance(value, list) else [value]


def kinds_of(formals, values):
    """{argument: kinds of its items}, for the arguments that have any."""
    out = {}
    for i, form in enumerate(formals.forms):
        if form:
            kinds = tuple(kind_of(v, form) for v in items_of(values[i]))
            if any(k != UNKNOWN for k in kinds):
                out[i] = kinds
    return out


def device_kind(t):
    """0: on the CPU, 1: on the CPU without dimensions, 2: on meta, 3: on meta without dimensions."""
    return (2 if t.get("device") == "meta" else 0) + (not t["shape"]) if is_tensor(t) else UNKNOWN


def devices_of(formals, values):
    """{argument: device kinds of its items} for a call with tensors on both meta and the CPU, else {}."""
    out = {}
    for i, form in enumerate(formals.forms):
        if form == "tensor":
            kinds = tuple(device_kind(v) for v in items_of(values[i]))
            if any(k != UNKNOWN for k in kinds):
                out[i] = kinds
    used = {k >> 1 for kinds in out.values() for k in kinds if k != UNKNOWN}
    return out if len(used) > 1 else {}


def mode_of(formals, values):
    """The properties of a call that its kernel may depend on, as a set of tests."""
    out = set()
    for i, value in enumerate(values):
        if formals.forms[i] == "tensor":
            tensors = [t for t in items_of(value) if is_tensor(t)]
            if any(0 in t["shape"] for t in tensors):
                out.add((EMPTY, 0, 0))
            if is_tensor(value):
                out.add((RANK, i, len(value["shape"])))
        if isinstance(value, list):
            out.add((COUNT, i, min(len(value), 100)))
        elif value is None:
            out.add((NONE, i, 0))
        elif value is True:
            out.add((TRUE, i, 0))
        elif type(value) is int and -4 <= value <= 4:
            out.add((NUMBER, i, value))
    return frozenset(out)


def atoms_of(kinds):
    """Single kinds (i, a) and pairs (i, a, j, b) of a call."""
    out = set()
    for i, argument_kinds in kinds.items():
        out.update((i, k) for k in argument_kinds if k != UNKNOWN)
        if len(argument_kinds) > 1 and argument_kinds[0] != UNKNOWN:
            out.update((i, argument_kinds[0], i, k) for k in argument_kinds[1:] if k != UNKNOWN)
    for i, j in itertools.combinations(sorted(kinds), 2):
        a, b = kinds[i], kinds[j]
        both = zip(a, b) if len(a) == len(b) else itertools.product(a, b)
        out.update((i, x, j, y) for x, y in both if x != UNKNOWN and y != UNKNOWN)
    return out


class Learner:
    """Derives the tree of an overload from its observations."""

    def __init__(self, formals):
        self.formals, self.forms = formals, formals.forms
        self.accepted = collections.defaultdict(set)  # mode -> atoms
        self.rejected = collections.defaultdict(collections.Counter)  # mode -> atoms of a call

    def add(self, mode, kinds, outcome):
        atoms = atoms_of(kinds)
        if outcome == ACCEPTED:
            self.accepted[mode] |= atoms
        else:
            numbers_only = self.has_odd_number(kinds)
            self.rejected[mode][frozenset(
                a for a in atoms if self.is_sure(a) and
                not (numbers_only and all(self.forms[i] != "number" for i in a[::2])) and
                not (outcome == REJECTED_OTHERWISE and
                     any(self.needs_message(i, k) for i, k in zip(a[::2], a[1::2]))))] += 1

    def needs_message(self, i, kind):
        return self.forms[i] == "dtype" or (self.formals.names[i] == "indices" and
                                            DTYPES[kind] in ("bool", "uint8"))

    def has_odd_number(self, kinds):
        """Whether the kind of a number differs from that of a tensor, in which case eager mode may
        reject the kind."""
        category = {i: max((0 if k == 0 else 1 if k < 4 else 2 if k < 8 else 3) for k in argument_kinds
                           if k != UNKNOWN)
                    for i, argument_kinds in kinds.items() if self.forms[i] == "tensor"}
        numbers = {k - len(DTYPES) for i, argument_kinds in kinds.items() if self.forms[i] == "number"
                   for k in argument_kinds if k != UNKNOWN}
        return any(n > 1 and n > c or n == 0 and c > 0 for n in numbers for c in category.values())

    def is_sure(self, atom):
        """Whether a rejection must be due to the kinds in the atom. For two numbers, or a real number and
        a floating-point tensor, eager mode may have rejected a value instead."""
        if any(self.forms[i] == "number" and k in (10, 11) for i, k in zip(atom[::2], atom[1::2])):
            return False  # eager mode may have rejected a different number in the call
        if len(atom) == 2:
            return not (self.forms[atom[0]] == "number" and atom[1] == 12)
        i, a, j, b = atom
        forms = self.formals.forms[i], self.formals.forms[j]
        if "number" not in forms:
            return True
        if forms == ("number", "number"):
            return False
        number, other = (a, b) if forms[0] == "number" else (b, a)
        return not (number < 13 and other >= 4)

    def table(self, modes, parent):
        """(atoms rejected in these modes, how many rejected observations they explain)."""
        accepted, seen = set(), set()
        for mode in modes:
            accepted |= self.accepted.get(mode, set())
            for atoms in self.rejected.get(mode, ()):
                seen |= atoms
        rejected = (seen | parent) - accepted
        explained = sum(n for m in modes for atoms, n in self.rejected.get(m, {}).items()
                        if not rejected.isdisjoint(atoms))
        return rejected, explained

    def supported(self, rejected, modes, parent):
        """The rejected atoms, except those that occur in few observations of these modes, if other
        atoms explain all of these observations."""
        observations = [atoms & rejected for m in modes for atoms in self.rejected.get(m, ())]
        containing = collections.defaultdict(list)
        for number, atoms in enumerate(observations):
            for atom in atoms:
                containing[atom].append(number)
        explanations = [len(atoms) for atoms in observations]
        kept = set(rejected)
        for atom in sorted(rejected - parent, key=lambda a: (len(containing[a]), -len(a), a)):
            numbers = containing[atom]
            if len(numbers) < MIN_SUPPORT and all(explanations[n] > 1 for n in numbers):
                kept.discard(atom)
                for n in numbers:
                    explanations[n] -= 1
        return frozenset(kept)

    def tree(self, modes=None, parent=frozenset(), depth=0):
        """(rejected atoms,) or (test, tree if it holds, tree if it does not)."""
        if modes is None:
            modes = set(self.accepted) | set(self.rejected)
        rejected, explained = self.table(modes, parent)
        total = sum(sum(self.rejected[m].values()) for m in modes if m in self.rejected)
        best, best_gain = None, 0
        for test in sorted({t for m in modes for t in m}) if depth < MAX_DEPTH else ():
            yes = {m for m in modes if test in m}
            min_support = max(MIN_GAIN, MIN_SHARE * total) if test[0] <= TRUE \
                else max(MIN_NUMBER_GAIN, MIN_NUMBER_SHARE * total)
            if len(yes) == len(modes) or total - explained < min_support:
                continue
            gain = self.table(yes, rejected)[1] + self.table(modes - yes, rejected)[1] - explained
            if gain >= min_support and gain > best_gain:
                best, best_gain = (test, yes), gain
        if best is None:
            return (self.supported(rejected, modes, parent),)
        test, yes = best
        return (test, self.tree(yes, rejected, depth + 1),
                self.tree(modes - yes, rejected, depth + 1))


def masks_of(rejected):
    """({argument: accepted kinds}, {(argument, argument): accepted kinds for each kind})."""
    single = collections.defaultdict(lambda: ALL)
    pairs = collections.defaultdict(lambda: [ALL] * KINDS)
    for atom in rejected:
        if len(atom) == 2:
            single[atom[0]] &= ~(1 << atom[1])
    for atom in rejected:
        if len(atom) == 4:
            i, a, j, b = atom
            # Pairs with a kind that is rejected on its own are omitted.
            if single[i] >> a & 1 and single[j] >> b & 1:
                pairs[i, j][a] &= ~(1 << b)
    return ({i: m for i, m in sorted(single.items()) if m != ALL},
            {key: tuple(m) for key, m in sorted(pairs.items())})


def is_rejected(trees, formals, args, kwargs):
    """Whether an overload's trees, one for kinds and one for devices, reject a call."""
    values = formals.values(args, kwargs)
    mode = mode_of(formals, values)
    for tree, kinds in zip(trees, (kinds_of(formals, values), devices_of(formals, values))):
        while len(tree) == 3:
            tree = tree[1] if tree[0] in mode else tree[2]
        if not tree[0].isdisjoint(atoms_of(kinds)):
            return True
    return False
