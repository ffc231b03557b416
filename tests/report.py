"""The page of `ptx-compare report` in a real browser.

Opens a page without a network, clicks, sorts, filters, types, switches the theme and looks at what is there then. Any
message of the console that is an error, and any request, is a failure. Takes a picture of each view.

  tests/report.py PAGE PICTURES

PAGE is that of examples/ and tests/report/, as scripts/report-test makes it. Needs the Python package playwright, and a
Chromium, whose path PTX_CHROMIUM may hold. Exit status 1 if a check fails.
"""

import os
import re
import shutil
import sys

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

BROWSERS = ["chromium-headless-shell", "chromium", "google-chrome"]
TABS = ["ptx", "sass", "links", "ranges", "stages", "remarks"]
CHANGES = "[...document.querySelectorAll('#kernels tbody tr')].map((row) => row.querySelectorAll('td')[%d].innerText)"
# Whether every chart in an element has a drawing that is not empty.
DRAWN = """(where) => {
  const canvases = [...document.querySelectorAll(where + ' canvas')];
  return canvases.length > 0 && canvases.every((canvas) => {
    const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    return pixels.some((value, index) => index % 4 === 3 && value > 0);
  });
}"""


def show(page: Page, tab: str) -> None:
    """Chooses a tab of a kernel, and waits until it is there: the page follows its address a moment later."""
    page.click("#tab-" + tab)
    page.wait_for_selector("#tab-%s[aria-selected=true]" % tab)


class Report:
    def __init__(self, browser: Browser, page: str, pictures: str):
        self.browser, self.url, self.pictures = browser, "file://" + os.path.abspath(page), pictures
        self.passed, self.failed = 0, 0
        self.trouble: list[str] = []

    def check(self, holds: bool, what: str) -> None:
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            print("FAILED: " + what)

    def open(self, fragment: str = "", width: int = 1400, scheme: str = "light", height: int = 900) -> tuple[BrowserContext, Page]:
        context = self.browser.new_context(viewport={"width": width, "height": height},
                                           color_scheme="dark" if scheme == "dark" else "light", offline=True)
        page = context.new_page()
        page.on("console", lambda message: self.trouble.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.trouble.append(str(error)))
        page.on("request", lambda request: None if request.url.startswith(self.url) 
                else self.trouble.append("request of " + request.url[:100]))
        page.goto(self.url + fragment)
        page.wait_for_selector("#kernels tbody tr", state="attached")
        return context, page

    def picture(self, page: Page, name: str) -> None:
        page.screenshot(path=os.path.join(self.pictures, name + ".png"))

    def summary(self) -> None:
        context, page = self.open()
        self.check(page.locator(".tile").count() == 5, "five figures stand at the top")
        self.check("Predicted time" in page.locator(".tile").first.inner_text(), "predicted time stands first")
        heads = page.locator("#kernels thead th").all_inner_texts()
        self.check("Predicted time" in heads[2] and "Registers" in heads[3], "and before the registers in the table: %s" % heads)
        rows = page.locator("#kernels tbody tr")
        self.check(rows.count() == 7, "all kernels are in the table: %d" % rows.count())
        self.check(bool(page.evaluate(DRAWN, "#charts")), "the charts are drawn")
        self.check(page.locator("#trouble").is_hidden(), "no trouble is told")
        facts = page.locator(".facts").inner_text()
        self.check("Processor" in facts and "sm_80" in facts and "ptxpasses 0." in facts, "processor and plugin stand in the head: " + facts)
        self.check("geometric mean" in page.locator(".tiles").inner_text(), "the ratios are said to be geometric means")
        self.check(page.locator("#failures").count() == 0, "no file has failed")
        self.picture(page, "summary")
        context.close()

    def sorting(self) -> None:
        context, page = self.open()

        def changes() -> list[float]:
            cells = page.evaluate("[...document.querySelectorAll('#kernels tbody tr')].map((row) => row.querySelectorAll('td')[5]"
                                  ".querySelector('.change').innerText)")
            return [float(cell.replace("\u2212", "-").rstrip("%") or 0) for cell in cells]

        def head() -> str | None:
            return page.locator("#kernels th:has([data-sort=sass])").get_attribute("aria-sort")

        page.click("[data-sort=sass]")
        up = changes()
        self.check(up == sorted(up) and up[0] < up[-1] and head() == "ascending", "SASS sorted upwards: %s" % up)
        page.click("[data-sort=sass]")
        down = changes()
        self.check(down == up[::-1] and head() == "descending", "SASS sorted downwards: %s" % down)
        page.click("[data-sort=name]")
        names = page.locator("#kernels tbody th a").all_inner_texts()
        self.check(names == sorted(names), "sorted by name: %s" % names)
        page.select_option("#sort-by", "stock")
        page.click("[data-sort=registers]")
        registers = [int(cell.split()[0]) for cell in page.evaluate(CHANGES % 2)]
        self.check(registers == sorted(registers), "sorted by stock's registers: %s" % registers)
        context.close()

    def filtering(self) -> None:
        context, page = self.open()
        names = page.locator("#kernels tbody th a")
        page.keyboard.press("/")
        page.keyboard.type("saxpy.ll horner")
        self.check(names.all_inner_texts() == ["horner"], "filtered by kernel and file: %s" % names.all_inner_texts())
        self.check(page.locator("#shown").inner_text() == "1 of 7", "the count says so")
        page.fill("#filter", "")
        page.click("[data-verdict=better]")
        kinds = page.locator("#kernels tbody .badge").all_inner_texts()
        self.check(0 < len(kinds) < 7 and "better" not in kinds, "without those that are better: %s" % kinds)
        page.fill("#filter", "no such kernel")
        self.check(names.count() == 0, "a filter that nothing meets")
        context.close()

    def listings(self) -> None:
        context, page = self.open()
        page.click("#kernels tbody a:text-is('saxpy')")
        page.wait_for_selector("#panel .row")
        for tab, word in (("ptx", "ld.param"), ("sass", "EXIT")):
            show(page, tab)
            page.wait_for_selector(".row code:has-text('%s')" % word)
            for side in ("stock", "ours"):
                text = "\n".join(page.locator(".listing .%s code" % side).all_inner_texts())
                self.check(word in text, "%s of %s is there" % (tab, side))
                self.check(page.locator(".listing .%s .live:not(:empty)" % side).count() > 5, "live registers beside %s" % tab)
            self.check(page.locator(".row.changed, .row.removed, .row.added").count() > 2, "lines of %s are marked" % tab)
            self.check(bool(page.evaluate(DRAWN, "#panel")), "the register pressure of %s is drawn" % tab)
            kinds = page.evaluate("Object.fromEntries([...document.querySelectorAll('.listing .ours code b')].map((word) => [word.className, word.innerText]))")
            self.check(set(kinds) >= {"opcode", "memory", "flow", "register", "number", "label"}, "words of %s have colors: %s" % (tab, kinds))
            loop = page.locator(".listing .loop[title='in 1 loop']").count()
            self.check(0 < loop < page.locator(".listing .loop").count(), "lines of %s are marked that are in a loop: %d" % (tab, loop))
            self.picture(page, tab)
        show(page, "ptx")
        page.wait_for_selector(".row code:has-text('ld.param')")
        whole = page.locator(".row").count()
        page.click("#changes")
        page.wait_for_selector(".fold")
        self.check(page.locator(".row").count() < whole, "only differences")
        page.locator(".fold").first.click()
        page.click("#changes")
        page.click("#one")
        page.wait_for_selector(".listing.one")
        self.check(page.locator(".listing.one .row.named .stock").count() == 0, "equal lines stand once in one column")
        self.check(page.locator(".listing.one .stock.differs").count() > 0, "stock's lines are marked in one column")
        context.close()
        # For docs/report.md.
        context, page = self.open(width=1240, height=1180)
        page.click("#kernels tbody a:text-is('saxpy')")
        page.wait_for_selector(".row code:has-text('ld.param')")
        page.evaluate("window.scrollTo(0, document.querySelector('#kernel h2').offsetTop - 8)")
        page.wait_for_timeout(600)
        self.picture(page, "report")
        context.close()

    def times(self) -> None:
        """The predicted time of a kernel: its reason, bars, causes, loops and instructions."""
        context, page = self.open()
        self.check("by launches that are made up" in page.locator(".facts").inner_text(), "it is said that launches are made up")
        link = page.locator("#kernels tbody th a", has_text="reduce").first
        page.goto(self.url + str(link.get_attribute("href")))
        page.wait_for_selector("#time")
        text = page.locator("#time summary").inner_text()
        ratio = re.search(r"Predicted time (\d\.\d{3}) of stock's: ", text)
        self.check(ratio is not None, "the reason is told: " + text)
        figure = page.locator(".numbers div").first.inner_text()
        self.check(ratio is not None and "~" + ratio[1] in figure, "its figure stands before the registers: " + figure)
        self.check("made-up launches" in page.locator("#time p").inner_text(), "and that its launches are made up")
        widths = page.evaluate("[...document.querySelectorAll('#time .cycles')].map((bar) => [...bar.children].map((part) => part.getBoundingClientRect().width))")
        full = page.evaluate("document.querySelector('#time .cycles').getBoundingClientRect().width")
        self.check(len(widths) == 2 and all(0.5 * full < sum(bar) <= 1.01 * full for bar in widths), "both bars are drawn: %s of %d" % (widths, full))
        colors = page.evaluate("new Set([...document.querySelectorAll('#time .cycles')][0].children.length ? [...document.querySelectorAll('#time .cycles')[0].children].map((part) => getComputedStyle(part).backgroundColor) : []).size")
        self.check(colors == len(widths[0]), "each cause has a color of its own: %s" % colors)
        heads = page.locator("#time thead").all_inner_texts()
        self.check("Cause" in heads[0] and "Loop" in heads[1] and len(heads) == 4, "causes, loops and instructions of both sides: %s" % heads)
        self.picture(page, "time")
        page.locator("#time code").last.scroll_into_view_if_needed()
        page.locator("#time td a").last.click()
        page.wait_for_selector(".pane .row.chosen, .pane .row.lit")
        self.check("/links/1:1:" in page.url, "an instruction leads to its PTX: " + page.url)
        context.close()

    def views(self) -> None:
        context, page = self.open()
        page.click("#kernels tbody a:text-is('reduce')")
        page.wait_for_selector("#panel .row")
        show(page, "ranges")
        page.wait_for_selector("#panel canvas")
        self.check(page.locator("#panel canvas").count() == 3 and bool(page.evaluate(DRAWN, "#panel")), "live ranges of both, and those before coalescing")
        self.check("reduce: live ranges before coalescing; at most" in page.locator("#panel").inner_text(), "the plugin's live ranges have a head")
        self.picture(page, "ranges")
        show(page, "stages")
        stages = page.locator("#panel tbody th").all_inner_texts()
        self.check("emitter" in stages and "nvptx-coalescer" in stages and "remat" in stages, "stages: %s" % stages)
        self.picture(page, "stages")
        page.click("#panel [data-stage]:text-is('phi-elim')")
        code = page.locator("#panel .listing")
        self.check("PHI" in "\n".join(code.locator(".removed").all_inner_texts()), "the code after a stage has its changes: PHI elimination removes PHIs")
        folded = code.locator(".row").count()
        for _ in range(code.locator(".fold").count()):
            code.locator(".fold").first.click()
        kept = code.locator(".row:not(.removed) code").all_inner_texts()
        self.check(len(kept) > 20 and folded < code.locator(".row").count() and kept[0].startswith("bb.0"), "all of the code is there: %s" % kept[:3])
        page.locator("#panel .listing .added, #panel .listing .removed").first.scroll_into_view_if_needed()
        self.picture(page, "stage-code")
        page.click("#panel [data-stage]:text-is('phi-elim')")
        self.check(code.count() == 0, "it closes again")
        show(page, "remarks")
        self.check("32-bit registers live" in page.locator("#panel").inner_text(), "remarks")
        show(page, "ptx")
        remark = page.locator(".listing .remark").first.text_content() or ""
        self.check("32-bit registers live" in remark, "remarks stand in the PTX: " + remark)
        self.check(page.locator("#tab-source").count() == 0, "no source without debug information")
        context.close()

    def links(self) -> None:
        context, page = self.open()
        page.click("#kernels tbody a:text-is('saxpy')")
        page.wait_for_selector("#panel .row")
        show(page, "sass")
        page.wait_for_selector(".mix table")
        heads = page.locator(".mix thead th").all_inner_texts()
        loop = page.locator(".mix tbody tr").nth(1)
        self.check(loop.locator("th").inner_text().endswith("depth 1"), "a loop has a mix: " + loop.inner_text())
        fma = loop.locator("td").nth(heads.index("FMA") - 1).inner_text()
        self.check(re.fullmatch(r"[1-9]\d*( → [1-9]\d*)?", fma) is not None, "the loop of saxpy has instructions of FMA: " + fma)
        mixes = [[int(cell.split()[-1]) if cell else 0 for cell in row.locator("td").all_inner_texts()] for row in page.locator(".mix tbody tr").all()]
        self.check(all(row[0] == sum(row[1:]) for row in mixes), "pipes sum up to all: %s" % mixes)
        self.check(mixes[0][0] == page.evaluate("Number(document.querySelector('#kernel .numbers').innerText.match(/SASS instructions\\s+(?:\\d+ → )?(\\d+)/)[1])"), "the mix is of all instructions")
        text = page.locator("#registers").text_content() or ""
        self.check(re.search(r"In the PTX at most \d+ registers.*In the SASS.* at most \d+ are.*ptxas gives \d+", text) is not None, "why registers differ: " + text)
        show(page, "links")
        for side in ("stock", "ours"):
            page.click("#panel [data-side=%s]" % side)
            page.wait_for_selector("#panel [data-side=%s][aria-pressed=true]" % side)
            page.locator(".pane[data-kind='1'] .row:has-text('FFMA')").first.hover()
            lit = page.locator(".pane[data-kind='0'] .row.lit code").all_inner_texts()
            self.check(len(lit) == 1 and "fma.rn.f32" in lit[0], "FFMA comes from the fma of %s's PTX: %s" % (side, lit))
        page.locator(".pane[data-kind='0'] .row:has-text('st.global')").first.click()
        chosen = page.locator(".pane[data-kind='1'] .row.chosen code").all_inner_texts()
        self.check(len(chosen) > 0 and any("STG" in line for line in chosen), "a store of PTX leads to its SASS: %s" % chosen)
        self.picture(page, "links")
        show(page, "ptx")
        page.locator(".row .ours:has(code:has-text('st.global')) a.no").first.click()
        page.wait_for_selector(".pane[data-kind='1'] .row.chosen")
        chosen = page.locator(".pane .row.chosen code").all_inner_texts()
        self.check("st.global" in chosen[0] and any("STG" in line for line in chosen), "a line's number leads there: %s" % chosen)
        context.close()

    def source(self) -> None:
        context, page = self.open()
        page.click("#kernels tbody a:text-is('rows')")
        page.wait_for_selector("#panel .row")
        link = page.locator(".listing .ours .at").first
        self.check(link.inner_text().startswith("lines.cu:"), "PTX names its line: " + link.inner_text())
        self.check(".loc" not in page.locator(".listing").inner_text(), "debug information is not in the text")
        link.click()
        page.wait_for_selector(".source tr.lit")
        self.check("float sum" in page.locator(".source").inner_text(), "the text of the source is there")
        self.picture(page, "source")
        line = page.locator(".source tr:has-text('sum +=')")
        self.check(line.locator("td").nth(2).inner_text() != "", "SASS is counted by line")
        line.locator("a").click()
        page.wait_for_selector(".listing .row.lit")
        lit = " ".join(page.locator(".listing .row.lit .ours code").all_inner_texts())
        self.check("fma.rn.f32" in lit, "a line of the source leads to its PTX: " + lit)
        context.close()

    def keyboard(self) -> None:
        context, page = self.open()
        page.keyboard.press("j")
        first = page.evaluate("document.activeElement.innerText")
        page.keyboard.press("j")
        second = page.evaluate("document.activeElement.innerText")
        self.check(first != second, "j goes down: %s, %s" % (first, second))
        page.keyboard.press("Enter")
        page.wait_for_selector("#panel .row")
        self.check(page.locator("#kernel h2").first.inner_text() == second, "Enter opens the kernel")
        page.keyboard.press("2")
        page.wait_for_selector("#tab-sass[aria-selected=true]")
        page.focus("#tab-sass")
        page.keyboard.press("ArrowRight")
        page.wait_for_selector("#tab-links[aria-selected=true]")
        page.keyboard.press("Escape")
        page.wait_for_selector("#home:visible")
        self.check(page.evaluate("document.activeElement.innerText") == second, "Escape goes back to the kernel's line")
        page.keyboard.press("?")
        self.check(page.locator("#help").is_visible(), "? shows the keys")
        page.keyboard.press("Escape")
        self.check(page.locator("#help").is_hidden(), "Escape closes them")
        context.close()

    def differences(self) -> None:
        """The keys n and p, on a computer that is slower than the reader's fingers."""
        context, page = self.open()
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 20})
        said = page.locator("#said")

        def press(*keys: str) -> None:
            # In one task of the page: no key waits for what the one before it does.
            page.evaluate("(keys) => keys.forEach((key) => document.dispatchEvent(new KeyboardEvent('keydown', { key })))", keys)

        address = str(page.locator("#kernels tbody a:text-is('saxpy')").get_attribute("href"))
        page.evaluate("(address) => { location.hash = address; }", address.replace("/ptx", "/links"))
        page.wait_for_selector("#tab-links[aria-selected=true]")
        press("n")
        page.wait_for_selector("#said:has-text('Differences')")
        self.check("press 1 for PTX" in said.inner_text(), "n says where differences are: " + said.inner_text())
        press("1", "n")
        page.wait_for_selector("#tab-ptx[aria-selected=true]")
        page.wait_for_selector(".listing .row[aria-current]")
        number = re.fullmatch(r"Difference 1 of (\d+)", said.inner_text())
        self.check(number is not None, "n right after 1 shows the first difference: " + said.inner_text())
        press("n")
        page.wait_for_selector("#said:has-text('Difference 2 of')")
        self.check(page.locator(".listing .row[aria-current]").count() == 1, "one line is marked as where the reader is")
        press("p", "p")
        last = number[1] if number else ""
        page.wait_for_selector("#said:has-text('Difference %s of %s')" % (last, last))
        self.picture(page, "difference")
        press("Escape")
        self.check(said.is_hidden(), "nothing is said in the table")
        page.evaluate("(address) => { location.hash = address; }", str(page.locator("#kernels tbody a:text-is('same')").get_attribute("href")))
        press("n")
        page.wait_for_selector("#said:has-text('No differences: the PTX of both sides is the same')")
        page.click("#later")
        self.check(said.inner_text().startswith("No differences"), "so does the button: " + said.inner_text())
        context.close()

    def themes(self) -> None:
        ground = "getComputedStyle(document.body).backgroundColor"
        context, page = self.open()
        light = page.evaluate(ground)
        page.keyboard.press("t")  # light
        page.click("#theme")  # dark
        dark = page.evaluate(ground)
        self.check(light == "rgb(255, 255, 255)" and dark != light, "the switch: %s, %s" % (light, dark))
        page.reload()
        page.wait_for_selector("#kernels tbody tr")
        self.check(page.evaluate(ground) == dark, "the choice is kept")
        context.close()
        context, page = self.open(scheme="dark")
        self.check(page.evaluate(ground) == dark, "dark where the system is dark")
        self.picture(page, "summary-dark")
        page.goto(self.url + "#/2/ptx")
        page.wait_for_selector("#panel .row")
        self.picture(page, "ptx-dark")
        for tab, what in (("links", ".pane .row"), ("sass", ".mix table")):
            page.goto(self.url + "#/2/" + tab)
            page.wait_for_selector(what)
            self.picture(page, tab + "-dark")
        page.locator("#time").scroll_into_view_if_needed()
        self.picture(page, "time-dark")
        context.close()

    def phone(self) -> None:
        context, page = self.open(width=390)
        self.check(page.evaluate("document.documentElement.scrollWidth") <= 390, "the summary fits on a phone")
        self.picture(page, "phone")
        for tab in TABS:
            page.goto(self.url + "#/2/" + tab)
            page.wait_for_selector("#tab-%s[aria-selected=true]" % tab)
            width = page.evaluate("document.documentElement.scrollWidth")
            self.check(width <= 390, "%s fits on a phone: %d" % (tab, width))
            if tab == "links":
                page.wait_for_selector(".pane .row")
                self.picture(page, "phone-links")
            if tab == "ptx":
                page.wait_for_selector("#panel .listing.one .row")
                page.locator(".listing").scroll_into_view_if_needed()
                page.evaluate("window.scrollTo(0, document.querySelector('.listing').offsetTop - 60)")
                self.picture(page, "phone-ptx")
        context.close()


def main() -> int:
    page, pictures = sys.argv[1:]
    os.makedirs(pictures, exist_ok=True)
    path = os.environ.get("PTX_CHROMIUM") or next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if path is None:
        print("there is none of %s" % ", ".join(BROWSERS))
        return 1
    with sync_playwright() as playwright:
        # Chromium's own sandbox needs what a container does not have; it sees this page alone.
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        report = Report(browser, page, pictures)
        for part in (report.summary, report.sorting, report.filtering, report.listings, report.times, report.links, report.views, report.source,
                     report.keyboard, report.differences, report.themes, report.phone):
            part()
        browser.close()
    report.check(not report.trouble, "errors or requests: %s" % report.trouble)
    print("%d passed, %d failed" % (report.passed, report.failed))
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
