#!/usr/bin/env python3
"""Writes the figures of `tarmac-bench growth` or `leaks` into Documentation/Reference/Growth.md, with a picture of the curves.

    scripts/support/growth.py growth FILE     the table and the picture (light and dark)
    scripts/support/growth.py leaks FILE      the table

The text is placed between the markers `<!-- growth -->` and `<!-- end of growth -->`, or those of `leaks`.
"""
import json
import math
import pathlib
import sys
import textwrap

from pictures import PICTURES, ROOT, THEMES, framed, words

PAGE = ROOT / "Documentation" / "Reference" / "Growth.md"
COLUMNS, WIDTH, HEIGHT = 5, 210, 150


def shown(value):
    """A figure with three digits."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def ratio(figure):
    return figure["costs"][-1] / max(figure["costs"][0], 0.001)


def holds(figure):
    bar, last = figure.get("bar"), figure.get("last")
    return (bar is None or ratio(figure) <= bar) and (last is None or figure["costs"][-1] <= last)


def allowed(figure):
    bar, last = figure.get("bar"), figure.get("last")
    unit = " µs" if figure["isTime"] else ""
    parts = [f"≤ {bar:g}"] if bar is not None else []
    return ", ".join(parts + ([f"≤ {last:,.0f}{unit}"] if last is not None else []))


def growth_table(figures):
    yield "| what grows | unit | sizes | cost of a unit | last ÷ first | bar | |"
    yield "|---|---|---|---|---|---|---|"
    for figure in figures:
        sizes = " → ".join(f"{size:,}" for size in (figure["sizes"][0], figure["sizes"][-1]))
        costs = " → ".join(shown(cost) for cost in figure["costs"]) + (" µs" if figure["isTime"] else "")
        why = figure.get("why")
        mark = "" if holds(figure) else "**missed**" + (f": {why}" if why else "")
        of_time = f"{ratio(figure):.2f}" if figure["costs"][0] > 0 else "–"
        yield f"| {figure['name']} | {figure['unit']} | {sizes} | {costs} | {of_time} | {allowed(figure)} | {mark} |"


def leaks_table(figures):
    yield "| work | repetitions | left by each | bar | |"
    yield "|---|---|---|---|---|"
    for figure in figures:
        mark = "" if figure["bytes"] <= figure["bar"] else "**missed**"
        yield f"| {figure['name']} | 5 × {figure['repetitions']:,} | {figure['bytes']:.1f} B | ≤ {figure['bar']:.0f} B | {mark} |"


def panel(figure, left, top, theme):
    """One curve: the size on a logarithmic axis, the cost from zero."""
    color = theme["good"] if holds(figure) else theme["bad"]
    x, y, width, height = left + 12, top + 52, WIDTH - 24, HEIGHT - 76
    logs = [math.log10(max(size, 1)) for size in figure["sizes"]]
    span, most = max(logs[-1] - logs[0], 1e-9), max(max(figure["costs"]), 1e-9) * 1.25
    points = [
        (x + width * (at - logs[0]) / span, y + height * (1 - max(cost, 0) / most)) for at, cost in zip(logs, figure["costs"])
    ]
    for row, line in enumerate(textwrap.wrap(figure["name"], 34)[:2]):
        yield words(left + 12, top + 16 + 13 * row, line, "name")
    yield f'<line x1="{x}" y1="{y + height}" x2="{x + width}" y2="{y + height}" class="axis"/>'
    yield f'<polyline points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in points)}" fill="none" stroke="{color}" stroke-width="2"/>'
    for (a, b), cost, anchor in ((points[0], figure["costs"][0], "start"), (points[-1], figure["costs"][-1], "end")):
        yield f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.5" fill="{color}"/>'
        yield words(f"{a:.1f}", f"{b - 6:.1f}", shown(cost), "soft", anchor)
    for place, anchor, size in ((x, "start", figure["sizes"][0]), (x + width, "end", figure["sizes"][-1])):
        yield words(place, y + height + 13, f"{size:,}", "soft", anchor)
    yield words(x + width / 2, y + height + 13, f"×{ratio(figure):.2f}", "soft", "middle")


def picture(figures, theme):
    size = (COLUMNS * WIDTH, math.ceil(len(figures) / COLUMNS) * HEIGHT + 8)
    style = (
        f'text {{ font: 10px system-ui, sans-serif; fill: {theme["soft"]} }} .name {{ font-size: 11px; fill: {theme["text"]} }} '
        f'.axis {{ stroke: {theme["grid"]} }}'
    )
    panels = (
        line for number, figure in enumerate(figures)
        for line in panel(figure, number % COLUMNS * WIDTH, number // COLUMNS * HEIGHT, theme)
    )
    return framed(size, theme, "The cost of a unit while something grows", style, panels)


def place(name, lines):
    """Replaces what is between the markers."""
    text = PAGE.read_text(encoding="utf-8")
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    if begin not in text or end not in text:
        sys.exit(f"{PAGE.name} has no markers {begin} and {end}")
    head, rest = text.split(begin, 1)
    PAGE.write_text(head + begin + "\n" + "\n".join(lines) + "\n" + end + rest.split(end, 1)[1], encoding="utf-8")


def main():
    name, figures = sys.argv[1], json.loads(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"))
    if name == "leaks":
        return place(name, leaks_table(figures))
    PICTURES.mkdir(exist_ok=True)
    for theme, colors in THEMES.items():
        (PICTURES / f"growth-{theme}.svg").write_text("\n".join(picture(figures, colors)) + "\n", encoding="utf-8")
    shown_by = [
        "<picture>",
        '  <source media="(prefers-color-scheme: dark)" srcset="../Pictures/growth-dark.svg">',
        '  <img alt="The cost of a unit while something grows, a curve for each row of the table" src="../Pictures/growth-light.svg">',
        "</picture>",
        "",
    ]
    place(name, shown_by + list(growth_table(figures)))


if __name__ == "__main__":
    main()
