"""Drives Chromium over the page of the inspector; scripts/inspector-check starts it."""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

ROOT = pathlib.Path(__file__).resolve().parents[2]
CALLS = 1_000
LARGEST_PICTURE = 200_000


class Program:
    """The program under test, until the end of a `with`."""

    def __init__(self, *command):
        self.command = [str(word) for word in command]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = self.process.stdout.readline().strip()
        if not self.url.startswith("http://127.0.0.1:"):
            sys.exit(f"{' '.join(self.command)} printed no URL: {self.url!r}")
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()


class Page:
    def __init__(self, downloads, language="en-US"):
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1500,860", f"--lang={language}"):
            options.add_argument(argument)
        options.add_experimental_option(
            "prefs", {"download.default_directory": str(downloads), "download.prompt_for_download": False, "intl.accept_languages": language})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.driver.set_script_timeout(60)

    def open(self, url):
        self.driver.get(url)

    def leave(self):
        """Closes the page before its program ends, so that it does not look for it again."""
        self.driver.get("about:blank")

    def theme(self, name):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": name}]})

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.find(selector).text

    def until(self, what, holds, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if found := holds():
                    return found
            except Exception:  # An element is replaced while it is read.
                pass
            time.sleep(0.1)
        sys.exit(f"✘ not within {seconds} s: {what}. Board: {self.text('#count')!r}, {self.text('#toast')!r}\n{self.console()}")

    def key(self, key):
        self.driver.switch_to.active_element.send_keys(key)

    def console(self):
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def number(self):
        """The calls that the page has."""
        digits = "".join(character if character.isdigit() else " " for character in self.text("#count")).split()
        return int(digits[-1]) if digits else 0


def passed(claim):
    print(f"✔ {claim}", flush=True)


def check_live(page, program, downloads):
    with Program(program, "inspect", "--port", "0", "--calls", CALLS, "--every", "1") as running:
        page.open(running.url)
        page.until(f"{CALLS} live calls", lambda: page.number() >= CALLS, 120)
        page.until("no call is in flight", lambda: "flying" not in {row.get_attribute("class").split()[-1] for row in page.all("#rows .row:not([hidden])")}, 60)
        passed(f"{CALLS} live calls arrive")
        check_reload(page)
        drawn = len(page.all("#rows .row"))
        assert drawn < 100, f"{drawn} rows are elements"
        passed(f"the board of {CALLS} calls is {drawn} elements")
        check_filter(page)
        check_details(page)
        check_resend(page)
        check_twice(page)
        check_faults(page)
        check_difference(page)
        archive = check_har(page, downloads)
        check_language(page)
        check_pause_and_clear(page)
        page.leave()
    check_import(page, program, downloads, archive)


def check_reload(page):
    assert "token" not in page.driver.current_url, "the token is in the address bar"
    page.console()
    page.driver.refresh()
    page.until("the calls after a reload", lambda: page.number() >= CALLS)
    messages = [message for message in page.console() if "401" not in message]
    assert not messages, "the console has: " + "\n".join(messages)
    passed("the token leaves the address bar, and a reload finds it")


def rows(page):
    return [row for row in page.all("#rows .row") if row.is_displayed()]


def check_filter(page):
    search = page.find("#search")
    page.key("/")
    assert page.driver.switch_to.active_element == search, "the key / goes to the search"
    search.send_keys("status/503")
    page.until("a filter by text", lambda: rows(page) and all("503" in row.text for row in rows(page)))
    search.send_keys(Keys.ESCAPE)
    page.until("Esc ends the search", lambda: "/" not in page.text("#count").replace(" of ", "/"))
    page.find('#states button[data-outcome="client"]').click()
    page.until("a filter by outcome", lambda: rows(page) and all("client" in row.get_attribute("class") for row in rows(page)))
    page.find('#states button[data-outcome="client"]').click()
    passed("filters by text and by outcome, / and Esc")


def open_call(page, path):
    search = page.find("#search")
    search.clear()
    search.send_keys(path)
    page.until(f"a call to {path}", lambda: any(path in row.text for row in rows(page)))
    time.sleep(0.5)  # The search in bodies and fields answers.
    next(row for row in rows(page) if path in row.text).click()
    page.until("the details", lambda: path in page.text("#title"))


def check_details(page):
    open_call(page, "/users/7")
    assert page.all("#panel .timing"), "no timing bars"
    for tab in ("attemptsTab", "request", "response", "events", "settings"):
        page.find(f'#tabs button[data-tab="{tab}"]').click()
        page.until(f"the tab {tab}", lambda: page.text("#panel").strip())
    page.until("the settings by layer", lambda: "timeout" in page.text("#panel"))
    page.find('#tabs button[data-tab="response"]').click()
    page.until("pretty JSON", lambda: page.all("#panel .text .k"))
    before = len(page.all("#panel .text .item"))
    page.find("#panel .text .fold").click()
    page.until("JSON folds", lambda: len([line for line in page.all("#panel .text .item") if line.is_displayed()]) < before)
    passed("details: timings, headers, JSON that folds, events, settings by layer")


def check_resend(page):
    open_call(page, "/users/8")
    before = page.number()
    page.find("#action-resend").click()
    page.until("a call that was sent again", lambda: page.number() > before or "Sent again" in page.text("#toast"))
    page.until("the new call in the list", lambda: page.number() > before)
    passed("a call is sent again")
    page.find("#action-curl").click()
    page.until("a cURL command", lambda: page.text("#toast") == "Copied")
    passed("a call is copied as cURL")


def check_twice(page):
    """A call that changes something is sent again on the second click."""
    open_call(page, "/login")
    before, button = page.number(), page.find("#action-resend")
    button.click()
    page.until("a question that names the host", lambda: "POST" in button.text and "127.0.0.1" in button.text)
    assert page.number() == before, "the first click sent the call"
    page.key(Keys.ESCAPE)
    passed("a call that changes something is not sent by one click")


def check_faults(page):
    open_call(page, "/users/8")
    page.find("#faults-open").click()
    Select(page.find('#fault-rows select[data-kind="fault"][data-service="demo"]')).select_by_value("offline")
    page.until("the fault", lambda: "demo" in page.text("#faults-now"))
    page.find("#faults-close").click()
    page.find("#action-resend").click()
    page.until("a call that is offline", lambda: "connectionFailed" in page.text("#toast"))
    page.find("#faults-open").click()
    Select(page.find('#fault-rows select[data-kind="fault"][data-service="demo"]')).select_by_value("")
    page.until("no fault", lambda: not page.find("#faults-now").is_displayed())
    page.find("#faults-close").click()
    passed("a service is offline and back")


def check_difference(page):
    open_call(page, "/users/7")
    page.find("#action-compare").click()
    open_call(page, "/users/8")
    page.find("#action-compare").click()
    page.until("the difference", lambda: page.all("#difference-lines .added") and page.all("#difference-lines .removed"))
    page.find("#difference-close").click()
    passed("the difference of two calls")


def download(page, downloads):
    """Downloads the archive of the page, and returns its file."""
    known = set(downloads.glob("*.har"))
    page.find("#har").click()
    page.until("the download", lambda: set(downloads.glob("*.har")) - known and not list(downloads.glob("*.crdownload")))
    return (set(downloads.glob("*.har")) - known).pop()


def check_har(page, downloads):
    file = download(page, downloads)
    archive = json.loads(file.read_text(encoding="utf-8"))
    assert archive["log"]["version"] == "1.2" and len(archive["log"]["entries"]) >= CALLS, "the archive lacks calls"
    passed(f"the HAR download parses and has {len(archive['log']['entries'])} entries")
    return file


def check_import(page, program, downloads, archive):
    """The program opens the download, and what it exports again is the same."""
    with Program(program, "open", archive) as running:
        page.open(running.url)
        page.until("the calls of the download", lambda: page.number() > 0)
        again = download(page, downloads)
        assert again.read_bytes() == archive.read_bytes(), "the archive changes when it is imported"
        passed(f"the HAR download of {page.number()} calls re-imports equal")
        page.leave()


def check_language(page):
    page.find("#language").click()
    page.until("Chinese", lambda: "次调用" in page.text("#count"))
    page.find("#language").click()
    page.until("English", lambda: "calls" in page.text("#count"))
    passed("English and Chinese")


def check_pause_and_clear(page):
    search = page.find("#search")
    search.send_keys(Keys.ESCAPE)
    page.find("#pause").click()
    page.until("a pause", lambda: page.find("#pause").get_attribute("aria-pressed") == "true")
    page.find("#pause").click()
    page.until("the end of a pause", lambda: page.find("#pause").get_attribute("aria-pressed") == "false")
    page.find("#clear").click()
    page.until("an empty board", lambda: page.number() == 0)
    passed("pause and clear")


def check_scrolling(page, file):
    """10,000 calls of a file: the time of a frame while the board scrolls from end to end."""
    script = """
        const done = arguments[0], view = document.getElementById("rows"), frames = []; let last = performance.now(), step = 0;
        const tick = (now) => { frames.push(now - last); last = now; view.scrollTop = (step++ / 120) * view.scrollHeight;
          if (step > 120) { frames.sort((a, b) => a - b); done([frames[60], frames[114], view.querySelectorAll(".row").length]); } else requestAnimationFrame(tick); };
        requestAnimationFrame(tick);"""
    page.until("10,000 calls of a file", lambda: page.number() == 10_000)
    median, slow, drawn = page.driver.execute_async_script(script)
    passed(f"10,000 calls scroll with {median:.1f} ms a frame (95 %: {slow:.1f} ms), {drawn} rows are elements")


def long_archive(file, count):
    entries = [{
        "startedDateTime": f"2026-11-23T10:{number // 600 % 60:02}:{number // 10 % 60:02}.{number % 10}00Z", "time": 40 + number % 200,
        "request": {"method": "GET", "url": f"https://api.example/items/{number}", "httpVersion": "HTTP/2", "cookies": [], "headers": [], "queryString": [], "headersSize": -1, "bodySize": 0},
        "response": {"status": [200, 200, 200, 404, 500][number % 5], "statusText": "", "httpVersion": "HTTP/2", "cookies": [], "headers": [],
                     "content": {"size": 2, "mimeType": "application/json", "text": "{}"}, "redirectURL": "", "headersSize": -1, "bodySize": 2},
        "cache": {}, "timings": {"send": 1, "wait": 30, "receive": 9}} for number in range(count)]
    file.write_text(json.dumps({"log": {"version": "1.2", "creator": {"name": "check", "version": "1"}, "entries": entries}}), encoding="utf-8")


def check_file(page, program, folder):
    file = folder / "long.har"
    long_archive(file, 10_000)
    with Program(program, "open", file) as running:
        page.open(running.url)
        check_scrolling(page, file)
        page.find("#rows").click()
        page.key(Keys.HOME)
        page.key(Keys.END)
        page.until("the key End", lambda: any("/items/0" in row.text and row.get_attribute("aria-selected") == "true" for row in rows(page)))
        passed("the keys Home and End")
        page.leave()


def check_console(page):
    messages = page.console()
    assert not messages, "the console has: " + "\n".join(messages)
    passed("no error, no warning and no violation of the policy on the console")


def take_pictures(page, program):
    from PIL import Image

    folder = ROOT / "Documentation/Pictures"
    folder.mkdir(parents=True, exist_ok=True)
    with Program(program, "inspect", "--port", "0", "--calls", "60", "--every", "45") as running:
        page.open(running.url)
        page.until("60 calls", lambda: page.number() >= 60)
        time.sleep(2)
        page.key(Keys.ESCAPE)
        row = next((row for row in rows(page) if "/redirect" in row.text), rows(page)[2])
        row.click()
        page.until("the details", lambda: page.find("#details").is_displayed())
        for theme in ("light", "dark"):
            page.theme(theme)
            time.sleep(0.4)
            file = folder / f"inspector-{theme}.png"
            page.driver.save_screenshot(str(file))
            # The page has few colours, and README loads both pictures.
            Image.open(file).convert("RGB").quantize(128).save(file, optimize=True)
            size = file.stat().st_size
            assert size < LARGEST_PICTURE, f"{file} has {size} bytes"
            passed(f"{file.relative_to(ROOT)}, {size} bytes")
        page.leave()


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--pictures", action="store_true")
    arguments.add_argument("program", nargs="?", default=str(ROOT / ".build/debug/tarmac"))
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        page = Page(folder)
        try:
            check_live(page, given.program, folder)
            check_file(page, given.program, folder)
            check_console(page)
            if given.pictures:
                take_pictures(page, given.program)
        finally:
            page.driver.quit()
    print("The page of the inspector works in Chromium.")


main()
