"""The steps of scripts/inspector-check over files with bodies that are out of the ordinary."""

import json
import time

from inspector_browser import Program
from selenium.webdriver.common.by import By

MARKUP = "<img src=x onerror=\"document.title='owned'\">"
# Longer than browsers lay out lines of 20 pixels.
LINES = 600_000


def entry(number, path="/", body="", kind="application/json", headers=(), error=None):
    response = {"status": 0 if error else 200, "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [], "headers": [{"name": "Content-Type", "value": kind}, *headers],
                "content": {"size": len(body), "mimeType": kind, "text": body}, "redirectURL": "", "headersSize": -1, "bodySize": len(body)}
    if error:
        response["_error"] = error
    return {"startedDateTime": f"2026-11-23T10:00:0{number}.000Z", "time": 40,
            "request": {"method": "GET", "url": f"https://api.example/{number}{path}", "httpVersion": "HTTP/1.1", "cookies": [], "headers": list(headers),
                        "queryString": [], "headersSize": -1, "bodySize": 0},
            "response": response, "cache": {}, "timings": {"send": 1, "wait": 30, "receive": 9}}


def archive(file, entries):
    file.write_text(json.dumps({"log": {"version": "1.2", "creator": {"name": "check", "version": "1"}, "entries": entries}}), encoding="utf-8")
    return file


def open_entry(page, number, tab):
    """Opens the call with this number in its path."""
    def click():
        next(row for row in page.all("#rows .row") if row.is_displayed() and f"/{number}" in row.find_elements(By.CSS_SELECTOR, "span")[3].text).click()

    page.until(f"the details of call {number}", lambda: f" /{number}" in page.text("#title") or click())
    page.find(f'#tabs button[data-tab="{tab}"]').click()


def lines(page):
    """The lines in view, from the top on."""
    return page.evaluate("""[...document.querySelectorAll("#panel .text .item")].filter((line) => !line.hidden)
        .sort((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top)).map((line) => line.textContent)""")


def check_files(page, program, folder, passed):
    long = "x" * 5_000
    before = [f"line {number}" for number in range(3_000)]
    after = [f"other {number}" if number % 300 == 0 else line for number, line in enumerate(before)]
    entries = [
        entry(1, "/" + MARKUP, MARKUP, "text/plain", [{"name": "X-Markup", "value": MARKUP}]), entry(2, "/lost", error=MARKUP),
        entry(3, body='{"b":1,"10":2,"2":3.0,"b":4,"long":"' + long + '"}'), entry(4, body="first" + "\n" * (LINES - 1) + "last", kind="text/plain"),
        entry(5, body="\n".join(before), kind="text/plain"), entry(6, body="\n".join(after), kind="text/plain"),
    ]
    with Program(program, "open", archive(folder / "bodies.har", entries)) as running:
        page.open(running.url)
        page.until("the calls of the file", lambda: page.number() == len(entries))
        check_markup(page, passed)
        check_json(page, passed)
        check_long(page, passed)
        check_long_difference(page, passed)
        page.quiet("after the bodies")
        page.leave()


def check_markup(page, passed):
    """Markup in a URL, a header field, a body and an error is text."""
    for number, tabs in ((1, ("overview", "attemptsTab", "request", "response")), (2, ("overview", "attemptsTab"))):
        for tab in tabs:
            open_entry(page, number, tab)
            page.until(f"the markup as text in {tab}", lambda: "onerror" in page.text("#panel"))
            if tab == "response":
                page.until("the markup as the body", lambda: MARKUP in lines(page))
            assert not page.all("img") and page.driver.title == "Tarmac", f"markup of call {number} became elements in {tab}"
    passed("markup in a URL, a header field, a body and an error stays text")


def check_json(page, passed):
    open_entry(page, 3, "response")
    page.until("JSON", lambda: page.all("#panel .text .k"))
    names = [line.strip().split(":")[0] for line in lines(page)][1:6]
    assert names == ['"b"', '"10"', '"2"', '"b"', '"long"'], f"the members are {names}"
    assert "3.0" in "".join(lines(page)), "a number is not as it was written"
    count = len(lines(page))
    page.find("#panel .more").click()
    page.until("the rest of a long text", lambda: len(lines(page)) == count + 2 and "".join(lines(page)).count("x") >= 5_000)
    page.find("#panel .more").click()
    page.until("the beginning alone", lambda: len(lines(page)) == count)
    passed("JSON keeps the order of its members and those that occur twice; a long text opens")


def check_long(page, passed):
    open_entry(page, 4, "response")
    page.until("the text", lambda: lines(page) and lines(page)[0] == "first")
    page.driver.execute_script("const box = document.querySelector('#panel .text'); box.scrollTop = box.scrollHeight;")
    page.until("the last line in view", lambda: page.evaluate("""[...document.querySelectorAll("#panel .text .item")].some((line) => {
        const place = line.getBoundingClientRect(), view = line.closest(".text").getBoundingClientRect();
        return !line.hidden && line.textContent === arguments[0] && place.bottom <= view.bottom + 1 && place.top >= view.top; })""", "last"))
    passed(f"a text of {LINES} lines scrolls to its end")


def check_long_difference(page, passed):
    open_entry(page, 5, "overview")
    page.find("#action-compare").click()
    open_entry(page, 6, "overview")
    start = time.monotonic()
    page.find("#action-compare").click()
    page.until("the difference", lambda: page.all("#difference-lines .added"))
    changed, same = page.all("#difference-lines .added, #difference-lines .removed"), page.all("#difference-lines .item:not(.added):not(.removed)")
    assert len(changed) < len(same), f"{len(changed)} lines in view are changed, {len(same)} are the same"
    page.find("#difference-close").click()
    passed(f"the difference of 3,000 lines is exact, after {time.monotonic() - start:.1f} s")
