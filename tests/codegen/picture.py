"""Finds defects in a picture from `fxcpp emit --to svg`: overlapping elements.

It reads the SVG file: boxes, edge labels (their white background) and frames are rectangles
in page coordinates; the extent of text is computed from its baseline.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field

SVG = "{http://www.w3.org/2000/svg}"
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
# Lower bounds on character widths in the narrowest font of the pictures (Helvetica), in ems.
NARROW, NARROW_WIDTH, LETTER_WIDTH = frozenset(" .,:;!'|/\\()[]{}-ijlftrI"), 0.19, 0.45
SLACK = 1.0  # a tolerance


@dataclass
class Rectangle:
    left: float
    top: float
    right: float
    bottom: float
    name: str = ""

    def overlaps(self, other: Rectangle) -> bool:
        return (min(self.right, other.right) - max(self.left, other.left) > SLACK and
                min(self.bottom, other.bottom) - max(self.top, other.top) > SLACK)

    def contains(self, other: Rectangle) -> bool:
        return (self.left - SLACK <= other.left and other.right <= self.right + SLACK and
                self.top - SLACK <= other.top and other.bottom <= self.bottom + SLACK)


@dataclass
class Picture:
    boxes: list[Rectangle] = field(default_factory=list)
    frames: list[Rectangle] = field(default_factory=list)
    titles: list[Rectangle] = field(default_factory=list)  # the titles of frames
    labels: list[Rectangle] = field(default_factory=list)  # the labels of edges
    # For each edge, the names of the boxes at its ends (see `ids`), and points along its line.
    lines: list[tuple[set[str], list[tuple[float, float]]]] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)  # the names of the boxes
    defects: list[str] = field(default_factory=list)


def outline(group: ET.Element) -> Rectangle:
    """Returns the bounding box of the first shape in a group."""
    for shape in group.iter():
        if shape.tag == f"{SVG}ellipse":
            x, y, rx, ry = (float(shape.get(key, "0")) for key in ("cx", "cy", "rx", "ry"))
            return Rectangle(x - rx, y - ry, x + rx, y + ry)
        if shape.tag in (f"{SVG}polygon", f"{SVG}path"):
            values = [float(n) for n in NUMBER.findall(shape.get("points") or shape.get("d") or "")]
            return Rectangle(min(values[::2]), min(values[1::2]), max(values[::2]),
                             max(values[1::2]))
    raise ValueError("a group without a shape")


def text_box(text: ET.Element) -> Rectangle:
    size, x, y = (float(text.get(key, "0")) for key in ("font-size", "x", "y"))
    words = "".join(text.itertext())
    width = sum(NARROW_WIDTH if letter in NARROW else LETTER_WIDTH for letter in words) * size
    left = {"middle": x - width / 2, "end": x - width}.get(text.get("text-anchor", "start"), x)
    return Rectangle(left, y - 0.75 * size, left + width, y + 0.2 * size, words)


def moved(rectangle: Rectangle, x: float, y: float, name: str) -> Rectangle:
    return Rectangle(rectangle.left + x, rectangle.top + y, rectangle.right + x,
                     rectangle.bottom + y, name)


def read_texts(group: ET.Element, shape: Rectangle, name: str, picture: Picture) -> None:
    """Checks that each line of text is within its box, and that lines do not overlap."""
    texts = [text_box(t) for t in group.iter(f"{SVG}text")]
    for text in texts:
        if not shape.contains(text):
            picture.defects.append(f"{name}: the text {text.name!r} extends outside its box")
    picture.defects += [f"{name}: {a.name!r} overlaps {b.name!r}"
                       for i, a in enumerate(texts) for b in texts[:i] if a.overlaps(b)]


def points_along(path: str) -> list[tuple[float, float]]:
    """Returns points along a path of Bezier curves, `M37,-46C37,-58 92,-58 92,-70`."""
    numbers = [float(n) for n in NUMBER.findall(path)]
    knots = list(zip(numbers[::2], numbers[1::2]))
    points = []
    for (ax, ay), (bx, by), (cx, cy), (dx, dy) in zip(knots[::3], knots[1::3], knots[2::3], knots[3::3]):
        for step in range(25):
            t = step / 24
            u = 1 - t
            weights = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
            points.append((sum(w * x for w, x in zip(weights, (ax, bx, cx, dx))),
                           sum(w * y for w, y in zip(weights, (ay, by, cy, dy)))))
    return points


def read(element: ET.Element, x: float, y: float, picture: Picture) -> None:
    for group in element:
        if group.tag != f"{SVG}g":
            continue
        shift_x, shift_y = x, y
        if found := re.search(r"translate\(([^)]*)\)", group.get("transform", "")):
            by_x, by_y = (float(n) for n in NUMBER.findall(found[1]))
            shift_x, shift_y = x + by_x, y + by_y
        title = group.findtext(f"{SVG}title", "")
        kind = group.get("class")
        if kind == "node" and group.find(f".//{SVG}text") is not None:
            shape = outline(group)
            name = group.findtext(f".//{SVG}text", title)
            read_texts(group, shape, name, picture)
            picture.boxes.append(moved(shape, shift_x, shift_y, name))
            picture.ids.append(title)
        elif kind == "edge":
            for path in group.iter(f"{SVG}path"):
                points = [(x + shift_x, y + shift_y) for x, y in points_along(path.get("d", ""))]
                picture.lines.append((set(title.split("->")), points))
            read(group, shift_x, shift_y, picture)  # the label of the edge
        elif kind == "cluster":
            picture.frames.append(moved(outline(group), shift_x, shift_y, title))
            if group.find(f".//{SVG}text") is not None:
                picture.defects.append(f"frame {title}: edges cross its title")
        elif kind == "frame-label":
            picture.titles += [moved(text_box(t), shift_x, shift_y, "".join(t.itertext()))
                               for t in group.iter(f"{SVG}text")]
        elif group.get("id", "").endswith("-label"):
            words = "".join(t.text or "" for t in group.iter(f"{SVG}text"))
            picture.labels.append(moved(outline(group), shift_x, shift_y, words))
        else:
            read(group, shift_x, shift_y, picture)


def picture_of(svg: str) -> Picture:
    picture = Picture()
    read(ET.fromstring(svg), 0, 0, picture)
    return picture


def overlapping(first: list[Rectangle], second: list[Rectangle], template: str) -> list[str]:
    """Returns a message for each overlapping pair between two lists, or within one list; sweeps from left
    to right."""
    same = first is second
    order = sorted([(r.left, 0, r) for r in first] + ([] if same else [(r.left, 1, r) for r in second]),
                   key=lambda entry: entry[0])
    open_: list[tuple[int, Rectangle]] = []
    found = []
    for left, which, rectangle in order:
        open_ = [(w, r) for w, r in open_ if r.right > left]
        found += [template.format(rectangle.name, other.name) for w, other in open_
                  if (same or w != which) and rectangle.overlaps(other)]
        open_.append((which, rectangle))
    return found


def hidden_edges(svg: str) -> list[str]:
    """Returns a message for each edge that crosses the box of another node."""
    picture = picture_of(svg)
    return [f"{'->'.join(sorted(ends))} crosses the box of {box.name}"
            for ends, points in picture.lines for name, box in zip(picture.ids, picture.boxes)
            if name not in ends and any(
                box.left + SLACK < x < box.right - SLACK and box.top + SLACK < y < box.bottom - SLACK
                for x, y in points)]


def defects(svg: str) -> list[str]:
    """Returns a message for each defect; none if everything in the picture is legible."""
    picture = picture_of(svg)
    result = [*picture.defects,
              *overlapping(picture.boxes, picture.boxes, "box {} overlaps box {}"),
              *overlapping(picture.labels, picture.labels, "label {} overlaps label {}"),
              *overlapping(picture.labels, picture.boxes, "{} overlaps {}, a label and a box"),
              *overlapping(picture.titles, picture.boxes, "{} overlaps {}, a title and a box"),
              *overlapping(picture.titles, picture.labels, "{} overlaps {}, a title and a label")]
    for i, a in enumerate(picture.frames):
        for b in picture.frames[:i]:
            if a.overlaps(b) and not a.contains(b) and not b.contains(a):
                result.append(f"frame {a.name} crosses frame {b.name}")
        for box in picture.boxes:
            if a.overlaps(box) and not a.contains(box):
                result.append(f"box {box.name} crosses the edge of frame {a.name}")
    return result
