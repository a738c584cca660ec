"""Headless Chromium through Selenium, with the queries that the tests make of every page."""
import json
import pathlib
import shutil
import time

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
except ImportError:
    webdriver = None

CHECKS = (pathlib.Path(__file__).parent / "checks.js").read_text()


def missing():
    """The reason why there is no browser to test with; None if there is one."""
    if webdriver is None:
        return "no Selenium: apt-get install python3-selenium, and run with /usr/bin/python3"
    for program in ("chromium", "chromedriver"):
        if shutil.which(program) is None:
            return f"no {program}: apt-get install chromium chromium-driver"
    return None


class Chrome:
    def __init__(self):
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--force-color-profile=srgb"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        self.driver.set_script_timeout(30)

    def quit(self):
        self.driver.quit()

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def check(self, name, *arguments):
        """Calls a function of checks.js."""
        return self.script(CHECKS + f"\nreturn {name}(...arguments);", *arguments)

    def look(self, width, theme, height=900):
        """From now on, shows pages as on a screen of this width, for a reader who prefers this theme."""
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                    {"features": [{"name": "prefers-color-scheme", "value": theme}]})

    def open(self, page, view="overview"):
        self.driver.get("about:blank")
        self.driver.get(f"{pathlib.Path(page).as_uri()}#{view}")
        self.settle()

    def go(self, view):
        if self.script("return location.hash") != f"#{view}":
            self.script("document.activeElement.blur(); location.hash = arguments[0]", view)
            self.wait_for(lambda: self.script("return document.activeElement.tagName") == "H1", f"view {view}")
        self.settle()

    def settle(self):
        """Waits until every chart has been drawn in the present theme."""
        self.wait_for(lambda: self.script(
            "const theme = document.documentElement.dataset.theme;"
            "return [...document.querySelectorAll('.chart')].every((box) => box.dataset.drawn === theme)"), "charts")

    def wait_for(self, condition, what, seconds=20):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise AssertionError(f"waited {seconds} s for {what}; console: {self.console()}")
            time.sleep(0.02)

    def console(self):
        """The messages written to the console, or requests refused by the page's policy, since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """Every address requested since the last call."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
