"""Chromium without a window, with several tabs. Used by docs_browse.py.

It speaks the DevTools protocol over a pipe, so that the standard library is enough: descriptor 3 of Chromium reads commands, 4 writes
responses and events, each JSON followed by a zero byte.
"""

import itertools
import json
import os
import queue
import subprocess
import tempfile
import threading

SECONDS = 60
ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-pipe"]
# The timers of tabs behind another one would be slow.
ARGUMENTS += ["--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding"]


class Browser:
    """A Chromium with a profile of its own, until the end of a `with`."""

    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()
        # The shell gives the descriptors the numbers that Chromium expects, whatever numbers they have here.
        shell = ["sh", "-c", f'exec "$0" "$@" 3<&{commands} 4>&{answers}', "chromium", *ARGUMENTS]
        self.process = subprocess.Popen([*shell, f"--user-data-dir={self.profile.name}"], pass_fds=(commands, answers), stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self.numbers, self.waiting, self.lock = itertools.count(1), {}, threading.Lock()
        threading.Thread(target=self.read, daemon=True).start()
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
            self.process.wait(10)
        except (subprocess.TimeoutExpired, queue.Empty, OSError):
            self.process.kill()
            self.process.wait()
        self.profile.cleanup()

    def read(self):
        """Hands each response to the call that waits for it. Events are not used."""
        with open(self.answers, "rb") as pipe:
            rest = b""
            while chunk := pipe.read1(1 << 16):
                *messages, rest = (rest + chunk).split(b"\0")
                for message in map(json.loads, messages):
                    if answer := self.waiting.pop(message.get("id"), None):
                        answer.put(message)

    def call(self, method, session=None, **parameters):
        """The result of a command, of the browser or of a tab."""
        number, answer = next(self.numbers), queue.Queue()
        self.waiting[number] = answer
        message = {"id": number, "method": method, "params": parameters} | ({"sessionId": session} if session else {})
        with self.lock:
            text = json.dumps(message).encode() + b"\0"
            while text:
                text = text[os.write(self.commands, text):]
        message = answer.get(timeout=SECONDS)
        if "error" in message:
            raise OSError(f"{method}: {message['error']['message']}")
        return message["result"]


class Tab:
    def __init__(self, browser, width=1400, height=900):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def prefer(self, scheme):
        """Has pages believe that the user prefers `dark` or `light`."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def open(self, address):
        self.call("Page.navigate", url=address)

    def value(self, script):
        """The value of an expression, or of the promise that it is."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise OSError(result["exceptionDetails"]["exception"].get("description", "an exception"))
        return result["result"].get("value")
