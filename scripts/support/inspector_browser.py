"""The program and the browser of scripts/inspector-check."""

import json
import subprocess
import sys
import time
import urllib.request

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By


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
    """A window of Chromium.

    `arguments` are further ones of the command line.
    """

    def __init__(self, downloads, language="en-US", arguments=()):
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1500,860", f"--lang={language}",
                         "--remote-allow-origins=*", *arguments):
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
        sys.exit(f"✘ not within {seconds} s: {what}. {self.state()}")

    def state(self):
        try:
            return f"Board: {self.text('#count')!r}, {self.text('#toast')!r}\n{self.console()}"
        except Exception:  # Not the page of the inspector.
            return f"{self.driver.page_source[:500]}\n{self.console()}"

    def key(self, key):
        self.driver.switch_to.active_element.send_keys(key)

    def console(self):
        """The errors and warnings since the last look. A look takes them away, so `quiet` is the way to look."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def quiet(self, when, known=()):
        """Ends the check if the console has an error, a warning or a violation of the policy that is not known."""
        messages = [message for message in self.console() if not any(part in message for part in known)]
        if messages:
            sys.exit(f"✘ the console has, {when}:\n" + "\n".join(messages))

    def evaluate(self, script, *values):
        return self.driver.execute_script("return " + script, *values)

    def clipboard(self):
        self.driver.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
        return self.driver.execute_async_script("const done = arguments[0]; navigator.clipboard.readText().then(done, (error) => done('' + error));")

    def number(self):
        """The calls that the page has."""
        digits = "".join(character if character.isdigit() else " " for character in self.text("#count")).split()
        return int(digits[-1]) if digits else 0


class NetworkPanel:
    """The network panel of the developer tools that Chromium brings, which looks at an empty page."""

    # The panel's own importer, which its button calls with the file that was chosen.
    IMPORT = """
        const [text, done] = arguments;
        (async () => {
          const [network, views, logs] = [await import("./panels/network/network.js"), await import("./ui/legacy/legacy.js"), await import("./models/logs/logs.js")];
          await views.ViewManager.ViewManager.instance().showView("network");
          const view = network.NetworkPanel.NetworkPanel.instance().networkLogView;
          await view.onLoadFromFile(new File([text], "calls.har"));
          const requests = logs.NetworkLog.NetworkLog.instance().requests();
          done({ requests: requests.length, statuses: requests.map((request) => request.statusCode) });
        })().catch((error) => done({ error: String(error) }));"""

    def __init__(self, page):
        self.page = page

    def load(self, archive):
        """Returns the number of requests that the panel has of an archive, and their statuses."""
        driver = self.page.driver
        address = driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        with urllib.request.urlopen(f"http://{address}/json") as answer:
            target = next(target for target in json.load(answer) if target["type"] == "page")
        before = driver.current_window_handle
        driver.switch_to.new_window("tab")
        driver.get(f"http://{address}/devtools/devtools_app.html?ws={address}/devtools/page/{target['id']}&panel=network")
        self.page.until("the developer tools", lambda: driver.execute_script("return document.querySelector('.root-view') !== null"))
        loaded = driver.execute_async_script(self.IMPORT, archive)
        driver.close()
        driver.switch_to.window(before)
        self.page.console()  # The developer tools write to it.
        return loaded
