#!/usr/bin/env python3
"""Draws docs/storage.svg, the storage of a small graph.

    scripts/make_storage_picture.py            writes the picture
    scripts/make_storage_picture.py --check    fails if docs/storage.svg differs from the picture

The picture shows the graph

    graph(%x : f32[2], %w : f32[2]) {
      %add : f32[2] = aten.add.Tensor(%x, %w)
      %mul : f32[2] = aten.mul.Tensor(%add, %x)
      return %mul
    }

as stored by ir/graph: nodes, argument cells and the use lists that link them, order keys, and names.
"""

import pathlib
import sys

OUT = pathlib.Path(__file__).resolve().parents[1] / "docs" / "storage.svg"

INK, PALE, NODE, CELL, CONTEXT = "#222222", "#777777", "#e8f0fe", "#fff3d6", "#eef6ea"
USES = {"x": "#b3261e", "w": "#6a3fa0", "add": "#0b6e4f", "mul": "#1a56b0"}

# Slot, name (base, number), opcode, target, order, operands.
NODES = [
    (1, "x", "placeholder", "“x”", 64, []),
    (2, "w", "placeholder", "“w”", 128, []),
    (3, "add", "call_function", "aten.add.Tensor", 192, ["x", "w"]),
    (4, "mul", "call_function", "aten.mul.Tensor", 256, ["add", "x"]),
    (5, "output", "output", "“output”", 320, ["mul"]),
]
WIDTH, GAP, LEFT = 184, 24, 30
NODE_TOP, LINE = 92, 17
CELL_TOP, CELL_WIDTH, CELL_HEIGHT = 360, 150, 74


def text(x: float, y: float, words: str, size: int = 12, color: str = INK, anchor: str = "start",
         weight: str = "normal") -> str:
    return (f'<text x="{x}" y="{y}" font-size="{size}" fill="{color}" text-anchor="{anchor}" '
            f'font-weight="{weight}">{words}</text>')


def box(x: float, y: float, width: float, height: float, fill: str, stroke: str = INK) -> str:
    return (f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="4" fill="{fill}" '
            f'stroke="{stroke}"/>')


def arrow(path: str, color: str, dashed: bool = False) -> str:
    dash = ' stroke-dasharray="5 4"' if dashed else ""
    return (f'<path d="{path}" fill="none" stroke="{color}" stroke-width="1.5"{dash} '
            f'marker-end="url(#tip-{color[1:]})"/>')


def draw() -> str:
    parts: list[str] = []
    slot_of = {name: slot for slot, name, *_ in NODES}
    left_of = {name: LEFT + i * (WIDTH + GAP) for i, (_, name, *_) in enumerate(NODES)}
    # The cells of all nodes, in the order in which the nodes were created.
    cells: list[tuple[str, str, int]] = []  # user, value, operand number
    first_cell: dict[str, int] = {}
    for _, name, _, _, _, operands in NODES:
        if operands:
            first_cell[name] = len(cells) + 1
        cells += [(name, value, i) for i, value in enumerate(operands)]
    uses = {name: [i for i, (_, value, _) in enumerate(cells, 1) if value == name]
            for name in slot_of}
    cell_left = {i: LEFT + 60 + (i - 1) * (CELL_WIDTH + 44) for i in range(1, len(cells) + 1)}

    parts.append(text(LEFT, 28, "The storage of a Graph", 17, weight="bold"))
    parts.append(text(LEFT, 52, "Nodes: one 64-byte cache line each, in pages; a link is the 32-bit "
                                "number of a slot. The list order is prev/next; order keys make "
                                "comes_before one comparison.", 12, PALE))
    height = 10 * LINE + 8
    for slot, name, op, target, order, operands in NODES:
        x = left_of[name]
        color = USES.get(name, INK)
        parts.append(box(x, NODE_TOP, WIDTH, height, NODE))
        parts.append(text(x + 8, NODE_TOP + 18, f"slot {slot}", 12, PALE))
        parts.append(text(x + WIDTH - 8, NODE_TOP + 18, f"%{name}", 13, color, "end", "bold"))
        rows = [
            ("op", op),
            ("target", target),
            ("type", "f32[2]" if op != "output" else "none"),
            ("name", f"(“{name}”, –)"),
            ("prev, next", f"{slot - 1}, {slot % len(NODES) + 1 if slot < len(NODES) else 0}"),
            ("order", str(order)),
            ("cells", f"{first_cell[name]}, {len(operands)} args" if operands else "none"),
            ("first use", f"cell {uses[name][0]}" if uses[name] else "none"),
            ("num_uses", str(len(uses[name]))),
        ]
        for i, (key, value) in enumerate(rows):
            y = NODE_TOP + 18 + (i + 1) * LINE
            parts.append(text(x + 8, y, key, 12, PALE))
            parts.append(text(x + 74, y, value, 12))
    for (_, a, *_), (_, b, *_) in zip(NODES, NODES[1:]):
        y = NODE_TOP + 18 + 5 * LINE - 4
        parts.append(arrow(f"M {left_of[a] + WIDTH} {y} H {left_of[b] - 2}", INK))

    parts.append(text(LEFT, CELL_TOP + CELL_HEIGHT + 70, "Cells: 16 bytes per argument. The cell of an operand is "
                                           "also its link in the use list of the value (colors); "
                                           "the list is circular.", 12, PALE))
    for i, (user, value, number) in enumerate(cells, 1):
        x, color = cell_left[i], USES[value]
        ring = uses[value]
        at = ring.index(i)
        parts.append(box(x, CELL_TOP, CELL_WIDTH, CELL_HEIGHT, CELL, color))
        parts.append(text(x + 8, CELL_TOP + 17, f"cell {i}", 12, PALE))
        parts.append(text(x + CELL_WIDTH - 8, CELL_TOP + 17, f"%{user}, arg {number}", 12, INK,
                          "end"))
        parts.append(text(x + 8, CELL_TOP + 35, f"value  slot {slot_of[value]} (%{value})", 12,
                          color))
        parts.append(text(x + 8, CELL_TOP + 51, f"user   slot {slot_of[user]}", 12))
        parts.append(text(x + 8, CELL_TOP + 67,
                          f"next, prev  {ring[(at + 1) % len(ring)]}, {ring[at - 1]}", 12, color))
    # From a node to its cells, and from a value to its first use.
    for name, first in first_cell.items():
        start = left_of[name] + 40
        end = cell_left[first] + 30
        parts.append(arrow(f"M {start} {NODE_TOP + height} C {start} {CELL_TOP - 60}, {end} "
                           f"{CELL_TOP - 60}, {end} {CELL_TOP - 2}", INK))
    for name, ring in uses.items():
        if not ring:
            continue
        start = left_of[name] + 140
        end = cell_left[ring[0]] + 100
        parts.append(arrow(f"M {start} {NODE_TOP + height} C {start} {CELL_TOP - 45}, {end} "
                           f"{CELL_TOP - 45}, {end} {CELL_TOP - 2}", USES[name], dashed=True))
        for a, b in zip(ring, ring[1:]):
            bottom, depth = CELL_TOP + CELL_HEIGHT, 40
            parts.append(arrow(f"M {cell_left[a] + 100} {bottom} C {cell_left[a] + 100} "
                               f"{bottom + depth}, {cell_left[b] + 60} {bottom + depth}, "
                               f"{cell_left[b] + 60} {bottom + 2}", USES[name]))
            parts.append(arrow(f"M {cell_left[b] + 30} {bottom} C {cell_left[b] + 30} "
                               f"{bottom + depth + 26}, {cell_left[a] + 60} {bottom + depth + 26}, "
                               f"{cell_left[a] + 60} {bottom + 2}", USES[name]))

    top = CELL_TOP + CELL_HEIGHT + 88
    width = (len(NODES) * (WIDTH + GAP) - 2 * GAP) / 2
    parts.append(box(LEFT, top, width, 92, CONTEXT))
    parts.append(text(LEFT + 10, top + 20, "NameSpace of the graph", 13, weight="bold"))
    parts.append(text(LEFT + 10, top + 40, "For each base, the numbers that are taken: x, w, add, "
                                           "mul, output.", 12))
    parts.append(text(LEFT + 10, top + 57, "The next %add is (“add”, 1), printed add_1. A name is a "
                                           "symbol", 12))
    parts.append(text(LEFT + 10, top + 74, "and a number: creating a node does not create or hash a string.",
                      12))
    right = LEFT + width + GAP
    parts.append(box(right, top, width, 92, CONTEXT))
    parts.append(text(right + 10, top + 20, "Context, shared by graphs", 13, weight="bold"))
    parts.append(text(right + 10, top + 40, "Symbols “x”, “w”, “add”, “mul”, “output”", 12))
    parts.append(text(right + 10, top + 57, "Targets aten.add.Tensor, aten.mul.Tensor; types f32[2]",
                      12))
    parts.append(text(right + 10, top + 74, "Each string, function and type once: pointers compare "
                                            "equal.", 12))

    total_width, total_height = LEFT * 2 + len(NODES) * (WIDTH + GAP) - GAP, top + 112
    tips = "".join(
        f'<marker id="tip-{color[1:]}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        f'markerHeight="7" orient="auto"><path d="M 0 0 L 8 4 L 0 8 z" fill="{color}"/></marker>'
        for color in [INK, *USES.values()])
    body = "\n".join(parts)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{total_width}" height="{total_height}" '
            f'viewBox="0 0 {total_width} {total_height}" font-family="sans-serif">\n'
            f'<!-- generated by scripts/make_storage_picture.py -->\n<defs>{tips}</defs>\n'
            f'<rect width="100%" height="100%" fill="white"/>\n{body}\n</svg>\n')


def main() -> int:
    if sys.argv[1:] == ["--check"]:
        if OUT.read_text() == draw():
            return 0
        print("docs/storage.svg is out of date: run scripts/make_storage_picture.py")
        return 1
    OUT.write_text(draw())
    return 0


if __name__ == "__main__":
    sys.exit(main())
