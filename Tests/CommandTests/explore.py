"""Explores a page as a user would, in headless Chromium, and compares its content with the database.

    explore.py FOLDER        a results folder: report.html, results.sqlite; a comparison's: compare.html, compare.sqlite

Prints one line per error. Uses Selenium, Chromium's driver and axe (accessibility).
"""

import contextlib
import csv
import json
import os
import pathlib
import re
import signal
import sqlite3
import sys
import time
from statistics import median
from xml.etree import ElementTree

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.keys import Keys

folder = pathlib.Path(sys.argv[1]).resolve()
isComparison = (folder / "compare.sqlite").exists()
page_file = folder / ("compare.html" if isComparison else "report.html")
database = sqlite3.connect(folder / ("compare.sqlite" if isComparison else "results.sqlite"))
kind = "compare" if isComparison else database.execute("SELECT value FROM job WHERE key = 'kind'").fetchone()[0]
tools = pathlib.Path(__file__).resolve().parents[2] / ".build" / "readers" / "axe_playwright_python" / "axe.min.js"


def value(sql, *arguments):
    return database.execute(sql, arguments).fetchone()[0]


def expect(what, found, expected):
    if found != expected:
        print(f"{what}: found {found!r}, expected {expected!r}")


def eventually(what, holds):
    """Waits up to twenty seconds for a condition, since a busy machine draws slowly, and reports it if it never holds."""
    end = time.monotonic() + 20
    while not holds():
        if time.monotonic() > end:
            print(f"{what}: not within twenty seconds")
            return
        time.sleep(0.05)


# Returns the pixels of a canvas, one number each.
PIXELS = """const pixels = (canvas) => new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
"""


def browser():
    options = webdriver.ChromeOptions()
    # Takes two thirds of the time of full Chromium.
    options.binary_location = "/usr/bin/chromium-headless-shell"
    for flag in ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver", popen_kw={"start_new_session": True}), options=options)


class Page:
    """A window of one browser: starting another browser takes a second."""

    browser = browser()

    def __init__(self, width, height, dark=False, page=page_file):
        self.browser.switch_to.new_window("window")
        self.window = self.browser.current_window_handle
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        # Without animations, which a machine without a graphics card draws slowly.
        motion = {"name": "prefers-reduced-motion", "value": "reduce"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme, motion]})
        self.driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
        self.open(page)
        metrics = self.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        # CPU time, since other tests run at the same time.
        self.seconds = next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")

    @property
    def driver(self):
        """The browser, with this page's window in front."""
        if self.browser.current_window_handle != self.window:
            self.browser.switch_to.window(self.window)
        return self.browser

    def open(self, page):
        self.driver.get(f"file://{page}")

    def saved(self, text):
        """The file saved by the card's button with this label."""
        return self.run(
            """let saved = null;
            const save = Take.prototype.save;
            Take.prototype.save = (ending, type, content) => { saved = content; };
            [...document.querySelectorAll(".detail .take button")].find((button) => button.textContent === arguments[0]).click();
            Take.prototype.save = save;
            return saved""", text)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.one(selector).text.replace("\u202f", "")

    def rows(self):
        """The texts of the listed rows, read at once: the list replaces its rows when others come into view."""
        return self.run(
            """return [...document.querySelectorAll(".list tbody tr[data-row]")].map((row) =>
              [...row.querySelectorAll("td")].map((cell) => cell.textContent.trim().replaceAll("\\u00a0", " ")))""")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def pixels(self):
        """The number of painted pixels of the map in all its tiles: 0 if nothing is drawn."""
        return self.run(
            PIXELS + """let sum = 0;
            for (const canvas of document.querySelectorAll(".leaflet-results-pane canvas")) {
              for (const pixel of pixels(canvas)) if (pixel >>> 24) sum++;
            }
            return sum"""
        )

    def picture(self):
        """A number for the painted content, independent of the order of tiles."""
        return self.run(
            PIXELS + """let sum = 0;
            for (const canvas of document.querySelectorAll(".leaflet-results-pane canvas")) {
              let tile = 7;
              for (const pixel of pixels(canvas)) tile = (Math.imul(tile, 31) + pixel) | 0;
              sum += tile;
            }
            return sum"""
        )

    def colors(self, names):
        """The number of pixels of the lowest layer of results in each of the style's colours, and in others. The layer has
        nothing behind it that would blend with the colours."""
        return self.run(
            PIXELS + """const count = new Map(arguments[0].map((name) => [name, 0]));
            const probe = document.createElement("canvas");
            [probe.width, probe.height] = [1, 1];
            const context = probe.getContext("2d", { willReadFrequently: true });
            const known = new Map(arguments[0].map((name) => {
              context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
              context.fillRect(0, 0, 1, 1);
              return [pixels(probe)[0], name];
            }));
            count.set("other", 0);
            for (const canvas of document.querySelector(".leaflet-results-pane .leaflet-layer").querySelectorAll("canvas")) {
              for (const pixel of pixels(canvas)) {
                if (!(pixel >>> 24)) continue;
                const name = known.get(pixel) ?? "other";
                count.set(name, count.get(name) + 1);
              }
            }
            return Object.fromEntries(count)""", names)

    def accessibility(self, view):
        if not tools.exists():
            return
        self.run(tools.read_text())
        report = self.driver.execute_async_script(
            """const done = arguments[arguments.length - 1];
            axe.run(document).then(done)"""
        )
        for problem in report["violations"]:
            for node in problem["nodes"][:3]:
                print(f"{view}: {problem['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:200]!r}")

    def end(self):
        for entry in self.driver.get_log("browser"):
            if entry["level"] == "SEVERE":
                print(f"browser message: {entry['message']}")
        self.driver.close()
        self.browser.switch_to.window(self.browser.window_handles[-1])

    @classmethod
    def quit(cls):
        group = cls.browser.service.process.pid
        cls.browser.quit()
        # The driver leaves the browser running.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)


def routes(page):
    count = value("SELECT count(*) FROM route WHERE alternative = 0")
    expect("rows of the list", page.one(".list").get_attribute("aria-rowcount"), str(min(count, 20000) + 1))
    missing(page)
    # The worst come first, and a click on a header reverses the order.
    worst = value("SELECT pair_id FROM route WHERE alternative = 0 ORDER BY expected_travel_time DESC, fid LIMIT 1")
    first = ".list tbody tr[data-row] td"
    expect("the first of the list", page.text(first), str(worst))
    page.one(".list th[aria-sort] button").click()
    best = value("SELECT min(expected_travel_time) FROM route WHERE alternative = 0")
    if count <= 20000:
        brush(page, "(SELECT * FROM route WHERE alternative = 0 AND status = 'ok')", 1)
    expect("order", page.one(".list th[aria-sort]").get_attribute("aria-sort"), "ascending")
    # Hebrew names leave the origin to the left of the destination.
    for (first_x, second_x) in page.run(
        """return [...document.querySelectorAll(".list .ends")].map((ends) => [...ends.children].map((name) => name.getBoundingClientRect().left))"""):
        expect("the origin is left of the destination", first_x < second_x, True)
    shown = value("SELECT expected_travel_time FROM route WHERE alternative = 0 AND CAST(pair_id AS TEXT) = ?", page.text(first))
    expect("the fastest of the list", shown, best)
    # A pair with a route: by its id, with its steps.
    pair, leg, distance = database.execute(
        "SELECT pair_id, leg, distance FROM route WHERE status = 'ok' AND alternative = 0 ORDER BY distance DESC LIMIT 1"
    ).fetchone()
    page.one(".find input").send_keys(str(pair))
    found = [index for index, row in enumerate(page.rows()) if row[0] == str(pair)]
    expect("pairs found by id", bool(found), True)
    page.all(".list tbody tr[data-row]")[found[0]].click()
    expect("the shown pair", f"pair {pair}" in page.text(".detail h2"), True)
    told = f"{distance:.0f} m" if distance < 999.5 else f"{distance / 1000:.{1 if distance < 9950 and round(distance / 100) % 10 else 0}f} km"
    expect("its distance", told in page.text(".detail"), True)
    if kind == "routes":
        steps = database.execute(
            "SELECT instructions FROM step WHERE pair_id = ? AND leg = ? AND alternative = 0 ORDER BY step", (pair, leg)
        ).fetchall()
        found = [button.text for button in page.all(".steps button")]
        expect("steps", found, [step for (step,) in steps])
        before = page.run("return scrollY")
        page.all(".steps button")[-1].click()
        expect("the step that is shown", page.run("return document.querySelector('.stage [role=status]').textContent"), found[-1])
        expect("a click leaves the page where it is", page.run("return scrollY"), before)
        routeCard(page, pair, leg)
    expect("services that open the trip", len(page.all(".detail a[href^='https://']")), 3)
    back(page)
    page.one(".find input").send_keys(Keys.CONTROL, "a", Keys.BACKSPACE)
    first, second = [row[0] for row in page.rows()[:2]]
    page.all(".list tbody tr[data-row]")[0].click()
    page.one(".detail [aria-label='next']").click()
    expect("the next pair", f"pair {second}" in page.text(".detail h2"), True)
    page.one(".detail [aria-label='previous']").send_keys(Keys.ENTER)
    expect("the previous pair", f"pair {first}" in page.text(".detail h2"), True)
    isUnder = page.run("return document.querySelector('.leaflet-names-pane').compareDocumentPosition(document.querySelector('.leaflet-results-pane'))")
    expect("names of the map are under the lines", isUnder, 4)
    expect("the legend names the picked pair", page.text(".title"), f"Pair {first}")
    page.run("document.activeElement.blur()")
    ActionChains(page.driver).send_keys(Keys.ESCAPE).perform()
    expect("the escape key leads back, wherever the focus is", page.one(".picklist").is_displayed(), True)
    page.one(".find input").send_keys("no such pair at all")
    expect("pairs of a search for nothing", page.rows(), [])


def missing(page):
    """Pairs without an answer are marked below all other results."""
    boxes = [box for box in page.all(".toggle") if box.text == "pairs without an answer"]
    expect("a box for pairs without an answer", len(boxes), int(value("SELECT EXISTS (SELECT 1 FROM route WHERE status <> 'ok')")))
    order = "return [...document.querySelectorAll('.leaflet-results-pane > .leaflet-layer')].map((layer) => Number(layer.style.zIndex))"
    for box in boxes:
        # Many are hidden at first.
        shown = box.find_element(By.TAG_NAME, "input").is_selected()
        if not shown:
            box.click()
        layers = page.run(order)
        box.click()
        expect("the layers above them", sorted(page.run(order)), sorted(layers)[1:])
        if shown:
            box.click()


def brush(page, table, places):
    """A range of a histogram filters the list, the map and the headline; a double click clears it."""
    figures = [figure for measure in ["expected_travel_time", "distance"] for figure in page.all(f"figure[data-brush^='{measure} ']")]
    expect("histograms that filter", bool(figures), True)
    for figure in figures:
        measure, *numbers = figure.get_attribute("data-brush").split(" ")
        low, high, step, left, right = map(float, numbers)
        picture = figure.find_element(By.TAG_NAME, "svg")
        page.run("arguments[0].scrollIntoView({ block: 'center' })", picture)
        bars, middle = round((high - low) / step), picture.rect["width"] / 2
        # Over the first half of the bars.
        end = max(1, bars // 2)
        at = lambda bar: (left + bar / bars * (right - left)) / 360 * picture.rect["width"] - middle
        headline, plain = page.text(".headline"), page.picture()
        count = page.text(".find [role=status]")
        ActionChains(page.driver).move_to_element_with_offset(picture, round(at(0)), 0).click_and_hold().move_to_element_with_offset(
            picture, round(at(end)), 0).release().perform()
        column = f"round({measure}, {places})"
        upper = f"AND {column} < {low + end * step}" if end < bars else ""
        found = value(f"SELECT count(*) FROM {table} WHERE {column} >= {low} {upper}")
        expect(f"listed rows with {measure} in the first half", page.text(".find [role=status]").split(" of ")[0], str(found))
        expect("the headline counts them", page.text(".headline").startswith(f"{found} of {count}. "), True)
        expect("the map shows only them", page.picture() != plain, str(found) != count)
        ActionChains(page.driver).double_click(picture).perform()
        expect("all rows again", (page.text(".find [role=status]"), page.text(".headline")), (count, headline))
        page.run("arguments[0].focus({ preventScroll: true })", picture)
        ActionChains(page.driver).send_keys(Keys.ARROW_RIGHT).perform()
        upper = f"AND {column} < {low + step}" if bars > 1 else ""
        found = value(f"SELECT count(*) FROM {table} WHERE {column} >= {low} {upper}")
        expect("an arrow key marks the first bar", page.text(".find [role=status]").split(" of ")[0], str(found))
        ActionChains(page.driver).send_keys(Keys.ESCAPE).perform()
        expect("the escape key lists all rows", page.text(".headline"), headline)
    page.run("scrollTo(0, 0)")


def routeCard(page, pair, leg):
    """Signs, the highlighted section of a step on the map, and exported files."""
    steps = page.all(".steps li")
    expect("a sign in front of each step", len(page.all(".steps li > .sign, .steps li > .line")), len(steps))
    plain = page.picture()
    ActionChains(page.driver).move_to_element(steps[0]).perform()
    eventually("a step's section is highlighted", lambda: page.picture() != plain)
    ActionChains(page.driver).move_to_element(page.one(".headline")).perform()
    eventually("the section is no longer highlighted", lambda: page.picture() == plain)
    line = database.execute(
        "SELECT distance, expected_travel_time FROM route WHERE pair_id = ? AND leg = ? AND alternative = 0", (pair, leg)).fetchone()
    feature = json.loads(page.saved("GeoJSON"))
    expect("the saved route", tuple(round(feature["properties"][name]) for name in ("distance", "expected_travel_time")), tuple(map(round, line)))
    gpx = ElementTree.fromstring(page.saved("GPX"))
    space = "{http://www.topografix.com/GPX/1/1}"
    points = [(float(point.get("lon")), float(point.get("lat"))) for point in gpx.iter(f"{space}trkpt")]
    expect("the points of the GPX", points, [tuple(point) for point in feature["geometry"]["coordinates"]])
    expect("the steps of the GPX", len(list(gpx.iter(f"{space}rtept"))), len(steps))


def tabs(page):
    """On a phone, one part is shown under the map at a time; a selection replaces the list."""
    parts = {"List": ".panel", "Charts": "main > section", "About": "main > details"}
    bar = {button.text: button for button in page.all(".tabs button")}
    expect("tabs", list(bar), list(parts))
    for name, button in bar.items():
        button.click()
        expect(f"the content of tab {name}", [other for other in parts if page.one(parts[other]).is_displayed()], [name])
        tabsEnd, top = [page.run("return document.querySelector(arguments[0]).getBoundingClientRect()", part)[edge]
                        for part, edge in [(".tabs", "bottom"), (parts[name], "top")]]
        expect(f"the content of tab {name} is below the tabs", tabsEnd - 1 <= top < 800, True)
        expect(f"tab {name} is pressed", button.get_attribute("aria-pressed"), "true")
    bar["List"].click()
    # However far the page is scrolled, the map stays above the list, and never covers it.
    for far in [0, 10_000]:
        page.run("scrollTo(0, arguments[0])", far)
        frame, row = [page.run("return (({ top, bottom }) => [top, bottom])(document.querySelector(arguments[0]).getBoundingClientRect())", part)
                      for part in [".frame", ".tabs"]]
        expect(f"the map is above the tabs, scrolled by {far}", frame[1] <= row[0] + 1, True)
    page.run("scrollTo(0, 0)")
    page.all(".list tbody tr[data-row]")[0].click()
    expect("the selection is under the map", page.one(".detail").is_displayed(), True)
    tabsEnd, head = page.run(
        """document.querySelector(".detail .back").click();
        scrollTo(0, 10_000);
        document.querySelector(".list tbody tr[data-row]").click();
        return [document.querySelector(".tabs").getBoundingClientRect().bottom, document.querySelector(".detail h2").getBoundingClientRect().top]""")
    expect("the head of the selection is visible", head >= tabsEnd, True)
    bar["Charts"].click()
    page.run("document.querySelector('.detail .back').click(); document.querySelector('.list tbody tr[data-row]').click()")
    expect("a selection activates the list's tab", bar["List"].get_attribute("aria-pressed"), "true")
    for link in page.all(".missing a"):
        link.click()
        expect("missing results are in the last tab", page.one("#missing").is_displayed(), True)


def embedded(page):
    """Only the map, its headline and its legend: by the address, and as a separate file."""
    for file in [f"{page_file}?embed"] + [f"{folder / name}" for name in ["embed.html"] if (folder / name).exists()]:
        page.open(file)
        if not page.all(".frame"):
            continue
        eventually("an embedded map is drawn", lambda: page.pixels() > 0)
        for part in [".headline", ".frame", ".legend"]:
            expect(f"{part} of an embedded map", page.one(part).is_displayed(), True)
        shown = [part for part in page.all(".panel, .take, .tabs, footer, main > section, main > details, h1") if part.is_displayed()]
        expect("other parts of an embedded map", [part.tag_name for part in shown], [])
        expect("an embedded map does not scroll", page.run("return document.documentElement.scrollHeight <= innerHeight + 1"), True)


def card(page):
    """A picture of 1200 x 630: its texts are inside it, and do not overlap."""
    if not (folder / "card.svg").exists():
        return
    page.open(folder / "card.svg")
    size, texts = page.run(
        """const box = ({ left, top, right, bottom }) => [left, top, right, bottom];
        const own = [...document.querySelectorAll(":root > text, :root > g > g > text")];
        return [box(document.documentElement.getBoundingClientRect()), own.map((text) => [text.textContent, box(text.getBoundingClientRect())])]""")
    expect("the size of the card", size[2:], [1200, 630])
    headline = value("SELECT value FROM job WHERE key = 'headline'")
    expect("the card contains the headline", " ".join(text for text, _ in texts[1:3]).split()[:3], headline.split()[:3])
    if isHourly and kind not in ("routes", "etas"):
        hour = value("SELECT weekday || ' ' || time FROM departure ORDER BY departure LIMIT 1")
        expect("the hour of the card", [text for text, _ in texts if text.endswith(f", {hour}")] != [], True)
    for index, (text, (left, top, right, bottom)) in enumerate(texts):
        expect(f"'{text}' is within the card", left >= 0 and top >= 0 and right <= 1200 and bottom <= 630, True)
        for other, (x, y, farX, farY) in texts[:index]:
            expect(f"'{text}' is not over '{other}'", left < farX and x < right and top + 4 < farY and y + 4 < bottom, False)


def back(page):
    """Goes back from a selection to the list that it replaces."""
    expect("the selection is next to the map", page.one(".detail").rect["x"] > page.one(".frame").rect["x"] + page.one(".frame").rect["width"], True)
    expect("the list is hidden", page.one(".picklist").is_displayed(), False)
    page.one(".detail .back").click()
    expect("the list is shown again", page.one(".picklist").is_displayed(), True)


def area(kilometres):
    """An area as formatted by the page."""
    if kilometres * 1e6 < 9500:
        return f"{kilometres * 1e6:.0f} m²"
    return f"{kilometres:.{3 if kilometres < 0.0995 else 2 if kilometres < 0.995 else 1 if kilometres < 9.95 else 0}f} km²"


def minutes(text):
    """Minutes of "< 1 min" (none), "45 s", "12 min", "1 h", "1 h 05 min"."""
    words = text.replace("< 1", "0").split()
    units = {"s": 1 / 60, "min": 1, "h": 60}
    return sum(float(number) * units[unit] for number, unit in zip(words[::2], words[1::2]))


def hours(page, check):
    """Moves the slider with keys and with the mouse, and checks the hours."""
    names = [name for (name,) in database.execute("SELECT weekday || ' ' || time FROM departure ORDER BY departure")]
    slider = page.one(".hours input")
    check(page, 1)
    slider.send_keys(Keys.ARROW_RIGHT)
    expect("the hour after an arrow", page.text(".hours output"), names[1])
    check(page, 2)
    slider.send_keys(Keys.HOME)
    expect("the first hour", page.text(".hours output"), names[0])
    check(page, 1)
    ActionChains(page.driver).move_to_element_with_offset(slider, slider.size["width"] // 2 - 3, 0).click().perform()
    expect("the hour under the mouse", page.text(".hours output"), names[-1])
    check(page, len(names))


def routesAt(page, hour):
    """One row per pair, with its time at the hour; the exported SQL selects the same."""
    shown = {id: time for id, *_, time, _ in page.rows()}
    rows = dict(database.execute("SELECT pair_id, expected_travel_time FROM route WHERE alternative = 0 AND departure = ?", (hour,)))
    expect(f"pairs at hour {hour}", sorted(shown), sorted(rows))
    for name, seconds in rows.items():
        right = abs(minutes(shown[name]) * 60 - seconds) <= (30 if seconds >= 600 else 3) if seconds is not None else shown[name] == "no answer"
        expect(f"{name} at hour {hour}", right, True)
    page.run("Take.prototype.copy = (text) => { window.copied = text; }; document.querySelector('.take [title*=SQL]').click()")
    expect(f"rows of the SQL at hour {hour}", len(database.execute(page.run("return copied")).fetchall()), len(rows))


def listed(page):
    """The content of the list, by name."""
    return {name: others for name, *others in page.rows()}


def matrixAt(page, hour):
    """The mean and the nearest of each origin, excluding itself."""
    places = lambda role: database.execute(
        "SELECT place_id, latitude, longitude FROM place WHERE role = ? ORDER BY fid", (role,)).fetchall()
    destinations = places("destination") or places("origin")
    rows = database.execute(
        "SELECT name, travel_times, place_id, latitude, longitude FROM matrix_row "
        "JOIN place ON role = 'origin' AND place_id = origin_id WHERE departure = ?", (hour,))
    shown = listed(page)
    for name, times, *own in rows:
        cells = [seconds / 60 for seconds, place in zip(json.loads(times), destinations)
                 if seconds is not None and place != tuple(own)]
        for found, right in zip(shown[name], [sum(cells) / len(cells), min(cells)] if cells else []):
            expect(f"{name} at hour {hour}", abs(minutes(found) - right) < (0.51 if right >= 9.95 else 0.06), True)


def accessAt(page, hour):
    shown = listed(page)
    for name, seconds in database.execute(
        "SELECT name, expected_travel_time FROM access_row JOIN place ON place.fid = origin_fid WHERE rank = 1 AND departure = ?", (hour,)):
        expect(f"{name} at hour {hour}", abs(minutes(shown[name][0]) * 60 - seconds) <= (30 if seconds >= 60 else 1), True)


def isochronesAt(page, hour):
    shown = listed(page)
    for name, size in database.execute(
        "SELECT name, area / 1e6 FROM isochrone JOIN place USING (place_id) WHERE role = 'origin' AND departure = ? "
        "AND threshold = (SELECT max(threshold) FROM isochrone)", (hour,)):
        expect(f"{name} at hour {hour}", shown[name][0], area(size))


def traces(page):
    shown = listed(page)
    times = dict(database.execute("SELECT CAST(trace_id AS TEXT), moving_time FROM trace"))
    expect("the listed traces", set(shown), set(times))
    for name, (moving, ratio) in shown.items():
        if moving != "–":
            expect(f"moving time of {name}", abs(minutes(moving) * 60 - times[name]) <= (30 if times[name] >= 60 else 0.5), True)
    if page.all("figure[data-brush]:has(.brushed)"):
        brush(page, "trace", 0)
    before = page.picture()
    page.all(".list tbody tr[data-row] td")[0].click()
    name = page.text(".detail h2")
    expect("the selected trace", name.removeprefix("Trace ") in times, True)
    eventually("a picked trace is drawn", lambda: page.picture() != before)
    fixes, matched = database.execute(
        "SELECT fix_count, matched_count FROM trace WHERE CAST(trace_id AS TEXT) = ?", (name.removeprefix("Trace "),)).fetchone()
    text = page.text(".detail")
    kept, dropped = re.search(fr"\b{matched} of (\d+) fixes are on streets(?:, (\d+) more are dropped)?", text).groups()
    expect("its fixes", int(kept) + int(dropped or 0), fixes)
    still = page.picture()
    play = next(button for button in page.all(".detail p .plain") if "Play" in button.text)
    play.click()
    eventually("a mark moves along the trace", lambda: page.picture() != still)
    if "Stop" in play.text:
        play.click()
    eventually("the mark disappears when it stops", lambda: page.picture() == still)
    stops = database.execute(
        "SELECT seconds FROM stop WHERE CAST(trace_id AS TEXT) = ? ORDER BY seconds DESC LIMIT 20", (name.removeprefix("Trace "),)).fetchall()
    tables = [table for table in page.all(".detail table") if "stood" in table.find_element(By.TAG_NAME, "caption").text]
    found = [minutes(cell.text) * 60 for table in tables for cell in table.find_elements(By.CSS_SELECTOR, "td.n")]
    expect("its stops", len(found) == len(stops) and all(abs(a - b) <= 30 for a, (b,) in zip(found, stops)), True)
    page.one(".controls select").find_elements(By.TAG_NAME, "option")[1].click()
    expect("streets have hours", page.one(".hours").is_displayed(), True)
    page.one(".hours input").send_keys(Keys.ARROW_RIGHT)
    expect("the hour", page.text(".hours output"), "0 to 1 h")


def compare(page):
    count = value("SELECT count(*) FROM change")
    expect("rows of the list", page.one(".list").get_attribute("aria-rowcount"), str(count + 1))
    isArea = value("SELECT value FROM job WHERE key = 'kind'") == "isochrones"
    if not isArea:
        swipe(page)
    # The greatest difference comes first; for areas, the greatest loss.
    worst = value(f"SELECT {'min' if isArea else 'max'}(difference) FROM change")
    cells = page.rows()[0]
    item, change, why, difference = database.execute("SELECT item, change, reason, difference FROM change WHERE item = ?", (cells[0],)).fetchone()
    expect("the first of the list", abs(difference - worst) < 0.01, True)
    page.all(".list tbody tr[data-row] td")[0].click()
    detail = page.text(".detail")
    expect("its description", item in detail and change.replace("_", " ") in detail and f"Why: {why}" in detail, True)
    if not isArea and difference < 60:
        expect("its difference", f"+{difference:.0f} s" in detail, True)
    # Sorted by the row's name, and searched.
    back(page)
    page.all(".list th button")[0].click()
    names = [row[0] for row in page.rows()]
    expect("rows by name", sorted(names), sorted(name for (name,) in database.execute("SELECT item FROM change")))
    page.one(".find input").send_keys("no such row at all")
    expect("rows of a search for nothing", page.rows(), [])


def swipe(page):
    """Both runs, to the left and to the right of a line."""
    sides = ["before", "now"]
    shown = lambda: [page.run(
        """const [, right, , left] = document.querySelector(`.leaflet-${arguments[0]}-pane`).style.clip.match(/-?[\\d.]+/g).map(Number);
        return Math.round(right - left)""", side) for side in sides]
    choice = next(choice for choice in page.all(".controls select") if "before" in choice.text)
    choice.find_elements(By.TAG_NAME, "option")[1].click()
    expect("the legend of both runs", page.text(".title"), "Mean time of changes by origin")
    width = page.run("return document.querySelector('.frame').clientWidth")
    for part, expected in [(50, [width // 2] * 2), (0, [0, width]), (100, [width, 0])]:
        page.run("const slider = document.querySelector('.swipe'); slider.value = arguments[0]; slider.dispatchEvent(new Event('input'))", part)
        expect(f"widths with the line at {part} %", all(abs(a - b) <= 18 for a, b in zip(shown(), expected)), True)
    eventually("both sides are painted", lambda: all(page.run(
        """return [...document.querySelectorAll(`.leaflet-${arguments[0]}-pane canvas`)].some((canvas) =>
          canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((byte) => byte))""", side) for side in sides))
    page.accessibility("before and now")
    choice.find_elements(By.TAG_NAME, "option")[0].click()


def matrix(page):
    count = value("SELECT count(*) FROM place WHERE role = 'origin'")
    expect("rows of the list", page.one(".list").get_attribute("aria-rowcount"), str(count + 1))
    unreached = value(
        "SELECT count(*) FROM place WHERE role = 'origin' AND place_id NOT IN (SELECT origin_id FROM origin_summary WHERE mean_travel_time IS NOT NULL)")
    expect("the legend has origins that reach nothing", "reaches nothing" in page.text(".legend"), unreached > 0)
    expect("columns of dashes", [column for column in zip(*page.rows()) if set(column) == {"–"}], [])
    worst = value("SELECT mean_travel_time FROM origin_summary ORDER BY mean_travel_time DESC LIMIT 1")
    eventually("something is drawn", lambda: page.pixels() > 0)
    shades = page.colors([f"--c{shade}" for shade in range(6)])
    expect("colours of the scale on the map", sum(shades[f"--c{shade}"] > 20 for shade in range(6)) > 1, True)
    name, mean = page.rows()[0][:2]
    expect("the longest mean", abs(minutes(mean) - worst / 60) <= 0.51, True)
    # A row of cells, as in the database.
    page.all(".list tbody tr[data-row] td")[0].click()
    expect("the selected origin", page.text(".detail h2"), f"From {name}")
    shown = page.run("return document.querySelector('.controls select').selectedOptions[0].label")
    expect("the choice says what the colours mean", shown, "time from the picked origin")
    row, own = database.execute(
        "SELECT travel_times, place_id FROM matrix_row JOIN place ON role = 'origin' AND place_id = origin_id WHERE name = ?", (name,)
    ).fetchone()
    destinations = [id for (id,) in database.execute("SELECT place_id FROM place WHERE role = 'destination' ORDER BY fid")]
    expected = sorted(round(seconds / 60) for seconds, id in zip(json.loads(row), destinations) if seconds is not None and id != own)[:20]
    found = [minutes(cell.text) for cell in page.all(".nearest tbody td.n")]
    expect("times", all(abs(a - b) <= 1 for a, b in zip(found, expected)) and len(found) == len(expected), True)
    before = page.pixels()
    # A destination in the card opens the trip to it, and from there all trips to it.
    button = page.all(".nearest tbody button")[0]
    destination, told = button.text, page.all(".nearest tbody td.n")[0].text
    button.click()
    expect("the selected cell", page.text(".detail h2"), f"{name} → {destination}")
    expect("its time", page.text(".detail .large"), told)
    page.all(".detail .plain")[-1].click()
    expect("all trips to its destination", page.text(".detail h2"), f"To {destination}")
    back(page)
    choice = page.one(".controls select")
    choice.find_elements(By.TAG_NAME, "option")[2].click()
    expect("the legend shows shares", "%" in page.text(".legend"), True)
    expect("something was drawn", before > 0, True)
    eventually("something is drawn", lambda: page.pixels() > 0)


def access(page):
    # At each threshold, the slider shows the share of people in table access_share.
    for threshold, share in database.execute("SELECT threshold, share FROM access_share WHERE measure = 'population'"):
        page.run("const s = document.querySelector('.minutes input'); s.value = arguments[0]; s.dispatchEvent(new Event('input'))", threshold // 60)
        found = page.one(".minutes output").text.split(": ")[1].split(" ")[0]
        expect(f"the share within {threshold} s", abs(float(found) - share * 100) <= 0.51, True)
    page.run("const s = document.querySelector('.minutes input'); s.value = s.max; s.dispatchEvent(new Event('input'))")
    missing = value("SELECT count(*) FROM access_row WHERE rank = 0")
    rows = page.rows()
    expect("the listed origins", len(rows), value("SELECT count(*) FROM place WHERE role = 'origin'"))
    expect("origins without a station come last", [row[-1] for row in rows[len(rows) - missing:] if row[-1].endswith((" min", " s", " h"))], [])
    page.one(".find input").send_keys("<b>d")
    expect("origins found by name", [row[0].split(" & ")[0] for row in page.rows()], ["<b>d"])
    page.all(".list tbody tr[data-row]")[0].click()
    expect("the selected origin", page.text(".detail h2").split(" & ")[0], "<b>d")
    seconds, station, name = database.execute(
        "SELECT expected_travel_time, place.place_id, place.name FROM access_row JOIN place AS origin ON origin.fid = origin_fid "
        "JOIN place ON place.fid = station_fid WHERE rank = 1 AND origin.name LIKE '<b>d%'").fetchone()
    expect("its time", abs(minutes(page.text(".detail .large")) * 60 - seconds) <= (30 if seconds >= 600 else 3), True)
    # Its station: the origins that reach it, and those for which it is the nearest; the map shows only them.
    drawn = page.picture()
    page.run("[...document.querySelectorAll('.detail p')].find((line) => line.textContent.startsWith('Nearest: ')).querySelector('.plain').click()")
    expect("the selected station", page.text(".detail h2"), name)
    eventually("its origins are highlighted", lambda: page.picture() != drawn)
    served = database.execute(
        "SELECT value, nearest_value FROM station_service WHERE station_id = ? AND measure = 'population' ORDER BY threshold", (station,)).fetchall()
    found = [tuple(float(cell.text.replace("\u202f", "")) for cell in row.find_elements(By.CSS_SELECTOR, "td.n")) for row in page.all(".detail tbody tr")]
    expect("the weights it serves", found, served)
    back(page)
    page.one(".find input").clear()
    drawn = page.pixels()
    page.one(".controls select").find_elements(By.TAG_NAME, "option")[0].click()
    eventually("hexagons are drawn", lambda: page.pixels() > drawn)


def isochrones(page):
    last = value("SELECT max(threshold) FROM isochrone")
    sizes = dict(database.execute(
        "SELECT name, area / 1e6 FROM isochrone JOIN place USING (place_id) WHERE threshold = ? AND role = 'origin'", (last,)))
    expect("areas", dict(page.rows()), {name: area(size) for name, size in sizes.items()})
    # Areas of other times come from grids, which the browser must first decode.
    eventually("a slider of minutes", lambda: bool(page.all(".minutes input")))
    slide = "const s = document.querySelector('.minutes input'); s.value = arguments[0] ?? s.max; s.dispatchEvent(new Event('input'))"
    page.run(slide, last // 60)
    expect("the typical area", page.one(".minutes output").text, f"{last // 60} min: typically about {area(median(sizes.values()))}")
    page.run(slide, None)
    page.all(".list tbody tr[data-row] td")[0].click()
    expect("the selected place", page.text(".detail h2") in sizes, True)
    # Where areas overlap there is no third colour; edges are blurred.
    thresholds = value("SELECT count(DISTINCT threshold) FROM isochrone")
    found = page.colors([f"--c{shade}" for shade in range(6)])
    expect("thresholds on the map", sum(found[f"--c{shade}"] > 20 for shade in range(6)), thresholds)
    expect("pixels of no threshold's colour are few", found["other"] < 0.3 * sum(found.values()), True)
    drawn = page.picture()
    page.run(slide, 1)
    expect("the slider's minute", page.one(".minutes output").text.startswith("1 min: about "), True)
    eventually("another area is drawn", lambda: page.picture() != drawn)
    page.run(slide, None)
    eventually("the thresholds are drawn again", lambda: page.picture() == drawn)
    drawn = page.picture()
    page.all(".toggle input")[-1].send_keys(Keys.SPACE)
    eventually("a threshold is hidden", lambda: page.picture() != drawn)


def move(page):
    """Zooms, moves and switches layers."""
    if not page.all(".frame"):
        return
    eventually("something is drawn", lambda: page.pixels() > 0)
    zoom = "return [...document.querySelectorAll('.leaflet-control-scale-line')].map((line) => line.textContent).join()"
    still = "return !document.querySelector('.leaflet-zoom-anim')"

    def zooms(how, act):
        before = page.run(zoom)
        act()
        eventually(f"the map zooms {how}", lambda: page.run(zoom) != before and page.run(still))

    zooms("in by its button", page.one(".leaflet-control-zoom-in").click)
    zooms("out by its button", page.one(".leaflet-control-zoom-out").click)
    pane = "return getComputedStyle(document.querySelector('.leaflet-map-pane')).transform"
    place = page.run(pane)
    hand = ActionChains(page.driver, duration=50).click_and_hold(page.one(".frame"))
    hand.move_by_offset(20, 10).move_by_offset(30, 20).move_by_offset(10, 10).release().perform()
    eventually("the map moves", lambda: page.run(pane) != place)
    zooms("in by its key", lambda: page.one(".frame").send_keys("+"))
    zooms("out by its key", lambda: page.one(".frame").send_keys("-"))
    wheel = ActionChains(page.driver).scroll_from_origin(ScrollOrigin.from_element(page.one(".frame")), 0, -300)
    zooms("by the wheel", wheel.perform)
    for box in page.all(".toggle input:enabled"):
        eventually("the map stands still", lambda: page.picture() == page.picture())
        shown = page.picture()
        box.send_keys(Keys.SPACE)
        eventually("a layer is hidden", lambda: page.picture() != shown)
        box.send_keys(Keys.SPACE)
        eventually("a layer is shown again", lambda: page.picture() == shown)
    # The wheel may have moved the results out of view: they are next to the legend, not in the middle of the map.
    page.open(page_file)


def take(page):
    """Exports contain the listed rows, and the page's address restores its view."""
    if not page.all(".take"):
        return
    saved = page.run(
        """const saved = {};
        Take.prototype.save = (ending, type, content) => { saved[ending] = content; };
        Take.prototype.copy = (text) => { saved.copied = text; };
        for (const button of [...document.querySelectorAll(".take button")].slice(0, 3)) button.click();
        return saved""")
    count = int(page.one(".list").get_attribute("aria-rowcount")) - 1
    rows = list(csv.DictReader(saved["csv"].splitlines()))
    if kind == "isochrones":
        count *= value("SELECT count(DISTINCT threshold) FROM isochrone")
    expect("rows of the CSV", len(rows), count)
    features = json.loads(saved["geojson"])["features"]
    expect("features of the GeoJSON", len(features), count)
    if kind in ("routes", "etas"):
        expect("features that are routes", sum(feature["properties"]["geometry_is"] == "route" for feature in features),
               value(f"SELECT count(*) FROM route WHERE geom NOT NULL AND alternative = 0 {firstHour}") if kind == "routes" else 0)
    if kind == "isochrones":
        properties = [feature["properties"] for feature in features]
        areas = dict(database.execute(
            f"SELECT place_id || ' ' || threshold, area FROM isochrone {'WHERE departure = 1' if 'hour' in rows[0] else ''}"))
        expect("exported areas", {f"{row['place_id']} {row['threshold']}": row["area"] for row in properties}, areas)
        expect("polygons of areas", {feature["geometry"]["type"] for feature in features if feature["properties"]["area"]}, {"MultiPolygon"})
    found = {row[0] for row in database.execute(saved["copied"].replace("*", list(rows[0])[0], 1))}
    expect("the results of its SQL", sorted(map(str, found)), sorted({row[list(row)[0]] for row in rows}))
    expect("ids of the GeoJSON", {list(feature["properties"].values())[0] for feature in features}, found)
    if kind == "matrix":
        columns = [name for name, *_ in database.execute(saved["copied"]).description]
        expect("the SQL of a matrix selects times", any(name.endswith("travel_time") for name in columns), True)
    if kind in ("routes", "etas"):
        statuses = database.execute(f"SELECT status, reason FROM route WHERE alternative = 0 {firstHour}")
        expect("statuses and reasons", sorted((row["status"], row["reason"]) for row in rows), sorted((status, reason or "") for status, reason in statuses))
    drawn = page.run(
        """const { fillText } = CanvasRenderingContext2D.prototype;
        const drawn = [];
        CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
          drawn.push([text, this.textAlign === "right" ? x : x + this.measureText(text).width, y]);
        };
        [...document.querySelectorAll(".take button")].find((button) => button.textContent === "PNG").click();
        Object.assign(CanvasRenderingContext2D.prototype, { fillText });
        return drawn""")
    width = page.one(".frame").rect["width"]
    headline = page.one(".headline").get_property("textContent")
    title = page.one(".key .title").get_property("textContent")
    sliders = page.all(".hours:not(.minutes) input")
    hour = f", {sliders[0].get_attribute('aria-valuetext')}" if sliders and sliders[0].is_displayed() and not title.endswith("on each street") else ""
    legend = [title + hour] + [item.get_property("textContent") for item in page.all(".key li")]
    texts = [text for text, _, _ in drawn]
    names = [part.get_property("textContent") for part in page.all(".names > span, .leaflet-control-scale-line, h1")]
    expect("the names, the scale and the title of the picture", sorted(texts[:len(names)]), sorted(names))
    expect("the headline of the picture", " ".join(texts[len(names):-len(legend) - 1]), headline)
    expect("texts below the picture", texts[-len(legend) - 1:-1], legend)
    expect("texts beyond its edge", [text for text, right, _ in drawn if right > width], [])
    slide = """const slider = document.querySelector(".hours:not(.minutes) input");
        if (slider) { slider.value = slider[arguments[0]]; slider.dispatchEvent(new Event("input")); }"""
    page.run(slide, "max")
    scrolled = page.run("return scrollY")
    page.all(".list tbody tr[data-row] td")[0].click()
    name = page.text(".detail h2")
    expect("a click leaves the page where it is", page.run("return scrollY"), scrolled)
    address = page.run("return location.hash")
    other = Page(1300, 1000, page=f"{page_file}{address}")
    expect("the content of the address", other.text(".detail h2"), name)
    # The map snaps to whole pixels, so its zoom is restored exactly but its centre only approximately.
    def shown(text):
        return [text.split("/")[0]] + text.split("&")[1:]
    eventually(f"the address {address} is restored", lambda: shown(other.run("return location.hash")) == shown(address))
    other.end()
    page.one(".detail .back").click()
    page.run(slide, "min")
    shared(page)


def shared(page):
    """An address restores the search, the marked range, the selected option and the visible layers."""
    page.one(".find input").send_keys("<b")
    page.run(
        """const choice = document.querySelector(".controls select");
        if (choice) { choice.selectedIndex = choice.options.length - 1; choice.dispatchEvent(new Event("change", { bubbles: true })); }
        document.querySelector(".toggle input:enabled")?.click();
        document.querySelector(".brushed")?.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }))""")
    seen = lambda page: [page.text(part) for part in (".headline", ".key .title", ".find")] + [
        field.get_property("value") for field in page.all(".find input, .controls select")] + [
        box.is_selected() for box in page.all(".toggle input")]
    address = page.run("return location.hash")
    other = Page(1300, 1000, page=f"{page_file}{address}")
    expect(f"what {address} restores", seen(other), seen(page))
    expect("it has the search", "find=%3Cb" in address, True)
    expect("its range is rounded", re.search(r"range=.*\.\d{5}", address), None)
    other.end()
    page.open(page_file)
    if page.all(".brushed"):
        page.run("""document.querySelector(".brushed").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }))""")
        shown = lambda page: [box.is_selected() for box in page.all(".toggle input")]
        other = Page(1300, 1000, page=f"{page_file}#{page.run('return location.hash.match(/range=[^&]*/)[0]')}")
        expect("layers shown by an address with a range only", shown(other), shown(page))
        other.end()
        page.open(page_file)


def undrawn():
    """An area omitted by the page cannot be shown or hidden."""
    text = page_file.read_text()
    least = value("SELECT min(threshold) FROM isochrone")
    head, data = text.split('"areas":[', 1)
    areas, tail = data.split("]", 1) if data.startswith("]") else data.split('],"sizes"', 1)
    kept = [area for area in areas.split(",\n") if json.loads(area)[1] != least]
    (folder / "undrawn.html").write_text(f'{head}"areas":[{",".join(kept)}],"sizes"{tail}')
    other = Page(1300, 1000, page=folder / "undrawn.html")
    boxes = [(label.find_element(By.TAG_NAME, "input").is_enabled(), "not drawn" in label.text)
             for label in other.all(".toggle") if "within" in label.text]
    expect("checkboxes of areas that are not drawn", boxes, [(False, True)] + [(True, False)] * (len(boxes) - 1))
    other.end()


def single():
    """A page's only route is entirely visible, next to the card and the legend."""
    head, rest = page_file.read_text().split('id="data">\n', 1)
    text, tail = rest.split("\n</script>", 1)
    data = json.loads(text)
    data.pop("flows", None)
    data["pairs"].update({name: column[:1] for name, column in data["pairs"].items() if isinstance(column, list) and name not in ("reasons", "statuses", "hours")})
    data["routes"] = [entry for entry in data["routes"] if entry["row"] == 0]
    (folder / "single.html").write_text(f'{head}id="data">\n{json.dumps(data)}\n</script>{tail}')
    # So narrow that the card takes a large part of the width.
    other = Page(1000, 1000, page=folder / "single.html")
    eventually("a single route is drawn", lambda: other.pixels() > 0)
    expect("pixels of a single route that are not visible", other.run(
        PIXELS + """const box = (part) => document.querySelector(part).getBoundingClientRect();
        const isIn = ({ left, right, top, bottom }, x, y) => x > left && x < right && y > top && y < bottom;
        const [frame, key] = [box(".frame"), box(".key")];
        let count = 0;
        for (const canvas of document.querySelectorAll(".leaflet-results-pane canvas")) {
          const { left, top, width } = canvas.getBoundingClientRect();
          pixels(canvas).forEach((pixel, index) => {
            const [x, y] = [index % canvas.width, Math.floor(index / canvas.width)].map((at, axis) => [left, top][axis] + at * width / canvas.width);
            if (pixel >>> 24 && (!isIn(frame, x, y) || isIn(key, x, y))) count++;
          });
        }
        return count"""), 0)
    other.end()


kinds = {"routes": routes, "etas": routes, "matrix": matrix, "access": access, "isochrones": isochrones, "traces": traces, "compare": compare}
hourly = {"routes": routesAt, "etas": routesAt, "matrix": matrixAt, "access": accessAt, "isochrones": isochronesAt}
isHourly = value("SELECT count(*) FROM sqlite_master WHERE name = 'departure'") and kind in hourly
firstHour = "AND departure = 1" if isHourly else ""
light = Page(1300, 1000)
expect("opens within two seconds", light.seconds < 2, True)
cut = "return [...document.querySelectorAll('.list th')].filter((head) => head.scrollWidth > head.clientWidth).map((head) => head.textContent)"
expect("truncated headings of the list", light.run(cut), [])
move(light)
take(light)
if isHourly:
    hours(light, hourly[kind])
else:
    kinds[kind](light)
light.accessibility("light")
embedded(light)
card(light)
light.end()
if kind == "isochrones":
    undrawn()
if kind == "routes":
    single()
screen = Page(1280, 900)
if screen.all(".frame"):
    # Controls that are added later move the map down, until its height follows in the next frame.
    eventually("the map ends above the lower edge", lambda: screen.run("return document.querySelector('.frame').getBoundingClientRect().bottom <= innerHeight"))
screen.end()
phone = Page(390, 844, dark=True)
if phone.all(".frame"):
    expect("the phone's page is as wide as the phone", phone.run("return document.documentElement.scrollWidth <= innerWidth"), True)
    # Leaflet would set another position.
    expect("the position of the map on a phone", phone.run("return getComputedStyle(document.querySelector('.frame')).position"), "sticky")
    tabs(phone)
phone.accessibility("dark")
phone.end()
Page.quit()
