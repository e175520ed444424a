"""A page in headless Chromium, driven through the pipe of its debugging protocol: the standard library is enough."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_browser():
    """The program, or None."""
    return os.environ.get("ERMINE_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One tab. `problems` are errors on the console, exceptions and requests that leave the file."""

    def __init__(self, program):
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        read_here, write_there = os.pipe()
        read_there, self._out = os.pipe()
        self._in = read_here
        options = ("--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars --no-first-run "
                   "--disable-background-networking --disable-extensions --remote-debugging-pipe about:blank")
        # The browser reads from its descriptor 3 and writes to 4.
        command = f'exec "$0" {options} --user-data-dir="$1" 3<&{read_there} 4>&{write_there}'
        self._process = subprocess.Popen(["bash", "-c", command, program, self._profile.name],
                                         pass_fds=(read_there, write_there), stdout=subprocess.DEVNULL,
                                         stderr=subprocess.DEVNULL)
        os.close(read_there)
        os.close(write_there)
        self._buffer, self._number, self._session, self._events = b"", 0, None, []
        self.problems = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._in)
        os.close(self._out)
        self._profile.cleanup()

    def _receive(self, deadline):
        while b"\0" not in self._buffer:
            if not select.select([self._in], [], [], max(0.0, deadline - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self._in, 1 << 16)
            if not piece:
                raise ConnectionError("the browser ended")
            self._buffer += piece
        message, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(message)

    def _note(self, message):
        method, values = message.get("method"), message.get("params", {})
        self._events.append(method)
        if method == "Runtime.exceptionThrown":
            self.problems.append("exception: " + values["exceptionDetails"]["text"])
        elif method == "Runtime.consoleAPICalled" and values["type"] in ("error", "warning", "assert"):
            self.problems.append(f"console: {values['args']}")
        elif method == "Log.entryAdded" and values["entry"]["level"] in ("error", "warning"):
            self.problems.append("log: " + values["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            address = values["request"]["url"]
            if not address.startswith(("file:", "data:", "about:")):
                self.problems.append("asks the network for " + address)
        elif method == "Network.loadingFailed":
            self.problems.append("could not load: " + values.get("errorText", ""))

    def call(self, method, **values):
        self._number += 1
        message = {"id": self._number, "method": method, "params": values}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + 600
        while True:
            answer = self._receive(deadline)
            if answer.get("id") != self._number:
                self._note(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']['message']}")
            else:
                return answer["result"]

    def open(self, address, width, height=900, scheme="light"):
        """Shows a page in a window of that width, as a phone has it if that is narrow."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self._events.clear()
        answer = self.call("Page.navigate", url=address)
        if "errorText" in answer:
            raise RuntimeError(f"{address}: {answer['errorText']}")
        deadline = time.monotonic() + 600
        while "Page.loadEventFired" not in self._events:
            self._note(self._receive(deadline))

    def evaluate(self, script):
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"]["description"])
        return answer["result"].get("value")

    def save_screenshot(self, path):
        """Of the whole page, down to its end."""
        picture = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture["data"]))
