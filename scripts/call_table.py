"""The arrays of passes/shape/generated/call_rules.inc: writing and reading them."""

import json
import re

from call_kinds import DTYPES, KINDS, masks_of


class Table:
    """The arrays of the generated file; equal parts are shared."""

    def __init__(self):
        self.matrices, self.shared = {}, {}
        self.kinds, self.pairs, self.cases, self.rows = [], [], [], []

    def place(self, flat, items):
        key = (id(flat), items)
        if key not in self.shared:
            self.shared[key] = len(flat)
            flat.extend(items)
        return self.shared[key]

    def add(self, name, kinds, devices):
        """The trees of an overload."""
        trees = [self.nodes(kinds), self.nodes(devices)]
        if trees != [self.nodes((frozenset(),))] * 2:
            places = ", ".join(str(self.place(self.cases, nodes)) for nodes in trees)
            self.rows.append(f'    {{"{name}", {{{places}}}}},\n')

    def nodes(self, tree):
        out = []
        self.flatten(tree, out)
        return tuple((*test, no, self.place(self.kinds, single), len(single),
                      self.place(self.pairs, pairs), len(pairs)) for *test, no, single, pairs in out)

    def flatten(self, tree, out):
        """Appends the nodes, each before its children; first the child for a true test."""
        if len(tree) == 3:
            at = len(out)
            out.append(None)
            self.flatten(tree[1], out)
            out[at] = (*tree[0], len(out) - at, (), ())
            self.flatten(tree[2], out)
            return
        single, pairs = masks_of(tree[0])
        out.append((0, 0, 0, 0, tuple(single.items()),
                    tuple((i, j, self.matrices.setdefault(m, len(self.matrices)))
                          for (i, j), m in pairs.items())))

    def text(self, version):
        def array(kind, name, lines):
            return f"constexpr {kind} {name}[] = {{\n" + "".join(lines) + "};\n"
        return ("// Made by scripts/generate_call_rules.py from libtorch "
                f"{version}: do not edit.\n"
                "// Bits: " + ", ".join(DTYPES) + ",\n// then bool, int, float, complex numbers; "
                "devices: CPU, CPU without dimensions, meta, meta without\n// dimensions.\n" +
                array("KindPairs", "kKindPairs",
                      ("    {{" + ", ".join(f"0x{m:x}" for m in masks) + "}},\n"
                       for masks in self.matrices)) +
                array("ArgumentKinds", "kArgumentKinds",
                      (f"    {{{i}, 0x{m:x}}},\n" for i, m in self.kinds)) +
                array("ArgumentPair", "kArgumentPairs",
                      (f"    {{{i}, {j}, {m}}},\n" for i, j, m in self.pairs)) +
                array("CallCase", "kCallCases",
                      (f"    {{{', '.join(map(str, case))}}},\n" for case in self.cases)) +
                array("CallRow", "kCallRows", self.rows))


def read_table(path):
    """{overload: (tree of kinds, tree of devices)} of a generated file, in its order."""
    arrays, name = {}, None
    with open(path) as file:
        for line in file:
            if match := re.match(r"constexpr \w+ (\w+)\[\]", line):
                name = match[1]
                arrays[name] = []
            elif line.startswith("    {"):
                text = line.strip().rstrip(",").replace("{", "[").replace("}", "]")
                arrays[name].append(json.loads(re.sub(r"0x([0-9a-f]+)", lambda m: str(int(m[1], 16)),
                                                      text)))

    def tree(at):
        test, i, value, no, kinds, kinds_count, pairs, pairs_count = arrays["kCallCases"][at]
        if test:
            return ((test, i, value), tree(at + 1), tree(at + no))
        refused = {(i, k) for i, mask in arrays["kArgumentKinds"][kinds:kinds + kinds_count]
                   for k in range(KINDS) if not mask >> k & 1}
        for i, j, m in arrays["kArgumentPairs"][pairs:pairs + pairs_count]:
            masks = arrays["kKindPairs"][m][0]
            refused |= {(i, a, j, b) for a in range(KINDS) for b in range(KINDS)
                        if not masks[a] >> b & 1}
        return (refused,)
    return {name: tuple(map(tree, places)) for name, places in arrays["kCallRows"]}
