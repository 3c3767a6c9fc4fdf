"""Draws the charts of the README from the tables in Documentation; scripts/charts says how to call it.

A figure is found by the first cell of its row. A row that is missing, or has another form, ends the script with its name.
"""
import re
import sys
from dataclasses import dataclass

from pictures import PICTURES, ROOT, THEMES, framed, words

WIDTH, MARGIN, BAR, ROW, LABEL_END, BARS_END = 830, 20, 16, 22, 290, 715
FONT = "system-ui, -apple-system, 'Segoe UI', 'PingFang SC', 'Noto Sans CJK SC', 'Microsoft YaHei', sans-serif"
MONTHS = "January February March April May June July August September October November December".split()
PERFORMANCE, CONFORMANCE = "Documentation/Performance.md", "Documentation/Conformance.md"


@dataclass
class Bar:
    label: str
    value: float
    shown: str
    color: str = "good"


@dataclass
class Panel:
    """Bars under a heading, in groups with a name each. `whole` is the value that each is a part of; `mark` is a line and its words."""
    heading: str
    note: str
    groups: list[tuple[str, list[Bar]]]
    whole: float | None = None
    mark: tuple[float, str] | None = None

    @property
    def longest(self):
        """The value at the right end of the bars; without `whole` it leaves room for the words of the longest bar."""
        return self.whole or 1.14 * max(bar.value for _, bars in self.groups for bar in bars)

    @property
    def height(self):
        names = sum(1 for name, _ in self.groups if name)
        rows = sum(len(bars) for _, bars in self.groups)
        return 50 + 10 * len(self.groups) + ROW * (names + rows) + (16 if self.mark else 0)


class Page:
    """The tables of a page, and when and where they were measured."""

    def __init__(self, name, part=""):
        self.name = name
        text = (ROOT / name).read_text(encoding="utf-8")
        self.text = text[text.index(part):] if part else text
        self.rows = {}
        for line in re.findall(r"^\| (.*) \|$", self.text, re.M):
            first, *cells = (cell.strip() for cell in line.split(" | "))
            self.rows.setdefault(first, cells)

    def found(self, pattern, text, what):
        return re.search(pattern, text) or sys.exit(f"{self.name}: {what}")

    def cell(self, row, column):
        cells = self.rows.get(row) or sys.exit(f"{self.name}: no table has the row “{row}”")
        return cells[column] if column < len(cells) else sys.exit(f"{self.name}: the row “{row}” is too short")

    def number(self, row, column):
        return float(self.found(r"^[\d.]+", self.cell(row, column), f"the row “{row}” has no number in column {column + 2}")[0])

    def passed(self, row):
        """(passed, all) of a result such as “112 of 113”; several parts of it add up."""
        pairs = re.findall(r"(\d+) of (\d+)", self.cell(row, 0)) or sys.exit(f"{self.name}: the row “{row}” has no “… of …”")
        return tuple(sum(int(number) for number in numbers) for numbers in zip(*pairs))

    def measured(self, say):
        """The month, and the machine where the page names it."""
        text = " ".join(self.text.split())
        month, year = self.found(r"[Mm]easured in (\w+) (\d{4})", text, "no text says when it was measured").groups()
        date = say(f"{month} {year}", f"{year} 年 {MONTHS.index(month) + 1} 月")
        machine = re.search(r"[Mm]easured in \w+ \d{4} on (?:an? )?(.*?Swift [\d.]*\d)", text)
        place = machine[1] if machine else ""
        return say(", ".join(filter(None, [date, place])), "，".join(filter(None, [date, place.replace(" cores", " 核").replace(", ", "，")])))


def speed(say):
    page, json = Page(PERFORMANCE), Page(PERFORMANCE, "\n## JSON\n")
    works = [
        ("64 concurrent 1 KiB GETs, CPU", say("64 requests of 1 KiB at once, not decoded", "64 个并发请求，各 1 KiB，不解码")),
        ("sequential 1 KiB GET, decoded, CPU", say("requests of 1 KiB one after another, decoded", "逐个请求，各 1 KiB，解码")),
        ("64 concurrent 1 KiB GETs, decoded, CPU", say("64 requests of 1 KiB at once, decoded", "64 个并发请求，各 1 KiB，解码")),
        ("64 concurrent 100 KiB GETs, decoded, CPU", say("64 requests of 100 KiB at once, decoded", "64 个并发请求，各 100 KiB，解码")),
    ]
    clients = [(0, "AsyncHTTPClient", "good"), (2, "URLSession", "second")]
    calls = [
        (name, [Bar(say(f"over {client}", f"基于 {client}"), page.number(row, column), f"{page.number(row, column):.2f}", color)
                for column, client, color in clients])
        for row, name in works
    ]
    documents = [(1, "1 KiB"), (2, "100 KiB"), (3, say("0.64 MB, nested", "0.64 MB，深层嵌套"))]
    codecs = [
        ("`Codable` structs ÷ `JSONDecoder`, times as fast", say("decoding, against JSONDecoder", "解码，对比 JSONDecoder")),
        ("encoding ÷ `JSONEncoder`, times as fast", say("encoding, against JSONEncoder", "编码，对比 JSONEncoder")),
    ]
    texts = [
        (name, [Bar(label, json.number(row, column), say(f"{json.number(row, column):.1f}×", f"{json.number(row, column):.1f} 倍"))
                for column, label in documents])
        for row, name in codecs
    ]
    return say("Speed, measured against the bare client and Foundation", "速度：与底层客户端及 Foundation 对比"), [
        Panel(
            say("CPU of a call ÷ CPU of the bare client under it (less is better)", "一次调用的 CPU 用量 ÷ 直接使用底层客户端的 CPU 用量（越小越好）"),
            say(f"The bare client decodes with JSONDecoder. scripts/bench run, {page.measured(say)}",
                f"直接使用底层客户端时用 JSONDecoder 解码。scripts/bench run，{page.measured(say)}"),
            calls, mark=(1, say("1 = the bare client", "1 = 直接使用底层客户端"))),
        Panel(
            say("JSON and Codable structs, times as fast as Foundation (more is better)", "JSON 与 Codable 结构体互转，速度是 Foundation 的几倍（越大越好）"),
            say(f"scripts/bench json, {json.measured(say)}", f"scripts/bench json，{json.measured(say)}"), texts),
    ]


def conformance(say):
    page = Page(CONFORMANCE)
    row = "HTTP caching: the public suite http-tests/cache-tests, as a private cache"
    own, required = page.found(r"^(\d+) of (\d+) required", page.cell(row, 0), f"the row “{row}” does not begin with “… of … required”").groups()
    others = ["Apache httpd", "Chrome", "OkHttp", "Firefox", "nginx"]
    counts = [("Tarmac", int(own), "good")] + [(name, int(page.number(name, 0)), "soft") for name in others]
    caches = [Bar(name, count, str(count), color) for name, count, color in sorted(counts, key=lambda each: -each[1])]
    suites = [
        ("URI templates (RFC 6570)", say("URI templates (RFC 6570)", "URI 模板（RFC 6570）")),
        ("JSON grammar: JSONTestSuite", say("JSON grammar (JSONTestSuite)", "JSON 语法（JSONTestSuite）")),
        ("dates of cookies (RFC 6265bis)", say("dates of cookies (RFC 6265bis)", "Cookie 日期（RFC 6265bis）")),
        ("public suffixes", say("public suffixes", "公共后缀")),
        ("server-sent events: contract tests", say("server-sent events", "Server-Sent Events")),
        ("TLS and pins", say("TLS and pins", "TLS 与证书绑定")),
        ("downloads: twelve kinds of servers, cut off in two ways, over both transports", say("downloads that are cut off", "中断后续传的下载")),
        ("faults of a server or a network, over AsyncHTTPClient", say("faults, over AsyncHTTPClient", "故障，基于 AsyncHTTPClient")),
        ("… over URLSession", say("faults, over URLSession", "故障，基于 URLSession")),
    ]
    results = [(label, *page.passed(name)) for name, label in suites]
    shares = [Bar(label, passed / count, say(f"{passed} of {count}", f"{passed} / {count}")) for label, passed, count in results]
    return say("Conformance, examined from outside", "一致性：外部检验的结果"), [
        Panel(
            say(f"HTTP caching: required tests passed, of {required}", f"HTTP 缓存：通过的必需测试，共 {required} 项"),
            say("Public suite http-tests/cache-tests; all in the same scope, Tarmac as a private cache",
                "公开测试套件 http-tests/cache-tests；测试范围相同，Tarmac 作为私有缓存"),
            [("", caches)], whole=int(required)),
        Panel(
            say("Other suites and fault servers: cases passed", "其他测试套件与故障服务器：通过的用例"),
            say(f"Documentation/Conformance.md, {page.measured(say)}", f"Documentation/Conformance.md，{page.measured(say)}"),
            [("", shares)], whole=1),
    ]


def drawn(panel, top, theme):
    scale = (BARS_END - LABEL_END) / panel.longest
    yield words(MARGIN, top + 20, panel.heading, "head")
    y = top + 34 + (16 if panel.mark else 0)
    if panel.mark:
        x, end = LABEL_END + scale * panel.mark[0], top + panel.height - 20
        yield words(f"{x:.1f}", y - 4, panel.mark[1], "soft", "middle")
        yield f'<line x1="{x:.1f}" y1="{y}" x2="{x:.1f}" y2="{end}" stroke="{theme["soft"]}" stroke-dasharray="3 3"/>'
    for name, bars in panel.groups:
        if name:
            yield words(MARGIN, y + 15, name, "name")
            y += ROW
        for bar in bars:
            yield from line_of(bar, y, scale, panel, theme)
            y += ROW
        y += 10
    yield words(MARGIN, y + 8, panel.note, "soft")


def line_of(bar, y, scale, panel, theme):
    length = scale * bar.value
    end = BARS_END if panel.whole else LABEL_END + length
    yield words(LABEL_END - 10, y + 13, bar.label, "label", "end")
    if panel.whole:
        yield f'<rect x="{LABEL_END}" y="{y}" width="{BARS_END - LABEL_END}" height="{BAR}" fill="{theme["grid"]}"/>'
    yield f'<rect x="{LABEL_END}" y="{y}" width="{length:.1f}" height="{BAR}" fill="{theme[bar.color]}"/>'
    yield words(f"{end + 8:.1f}", y + 13, bar.shown, "value")


def description(panels):
    """Everything that the bars show, in words."""
    for panel in panels:
        groups = [
            (f"{name}: " if name else "") + ", ".join(f"{bar.label} {bar.shown}" for bar in bars) for name, bars in panel.groups
        ]
        yield f"{panel.heading}. {'; '.join(groups)}. {panel.note}."


def picture(title, panels, theme):
    text, soft = theme["text"], theme["soft"]
    style = (
        f"text {{ font: 14px {FONT}; fill: {text} }} .title {{ font-size: 18px; font-weight: 600 }} .head {{ font-size: 15px; font-weight: 600 }} "
        f".value {{ font-weight: 600; paint-order: stroke; stroke: {theme['ground']}; stroke-width: 5px }} .soft {{ font-size: 12px; fill: {soft} }}"
    )
    content, top = [words(MARGIN, 34, title, "title")], 46
    for panel in panels:
        content += drawn(panel, top, theme)
        top += panel.height + 16
    return "\n".join(framed((WIDTH, top), theme, title, style, content, " ".join(description(panels)))) + "\n"


def pictures():
    """The text of each file."""
    for name, chart in (("speed", speed), ("conformance", conformance)):
        for language, ending in enumerate(("", ".zh-CN")):
            title, panels = chart(lambda *versions: versions[language])
            for theme, colors in THEMES.items():
                yield PICTURES / f"{name}-{theme}{ending}.svg", picture(title, panels, colors)


def main():
    stale = [(file, text) for file, text in pictures() if not file.exists() or file.read_text(encoding="utf-8") != text]
    if sys.argv[1:] == ["--check"]:
        for file, _ in stale:
            print(f"{file.relative_to(ROOT)}: differs from the tables; run scripts/charts")
        sys.exit(1 if stale else 0)
    for file, text in stale:
        file.write_text(text, encoding="utf-8")


main()
