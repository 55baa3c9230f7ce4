"""The live editor in a real browser: large texts, colours, copying, keyboard and width."""

import re
from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.browser.lab import (
    FIRST,
    WIDE,
    Lab,
    caret,
    expect_text,
    paste,
    put_caret,
    text_of,
    wait_until,
)
from tests.browser.pages import wear

pytestmark = pytest.mark.rest

THREE_MEGABYTES = "'[\"abc\", 12345]\\n'.repeat(200_000)"
TWELVE_MEGABYTES = THREE_MEGABYTES.replace("200_000", "800_000")


def test_three_megabytes_are_live_and_undone_and_twelve_are_measured_when_asked(lab: Lab) -> None:
    lab.open(text="small")
    lab.paste("json", THREE_MEGABYTES)

    expect(lab.pane("json").locator(".figures")).to_contain_text("750,000 tokens")
    expect_text(lab.area("toon"), '["ABC", 12345]\n' * 200_000)
    expect(lab.page.locator(".bar:visible")).to_have_count(0)
    expect(lab.page.get_by_role("button", name="Measure")).to_have_count(0)
    lab.area("json").press("ControlOrMeta+Home")
    lab.page.keyboard.insert_text("abc")
    expect_text(lab.area("toon"), re.compile(r'^ABC\["ABC", 12345\]'))
    lab.page.keyboard.press("ControlOrMeta+z")
    lab.page.keyboard.press("ControlOrMeta+z")
    expect_text(lab.area("json"), "small")
    expect_text(lab.area("toon"), "SMALL")

    # A larger text can be measured after one that is still being measured.
    lab.control(hold=1)
    lab.paste("json", TWELVE_MEGABYTES)
    bar = lab.pane("json").locator(".bar")
    bar.get_by_role("button", name="Measure").click()
    expect(bar).to_contain_text("Measuring 12.0 MB")
    lab.page.get_by_role("button", name="Large document").click()

    lab.control(hold=0)
    expect(bar).to_contain_text("Large payload (11.2 MB)")
    bar.get_by_role("button", name="Measure").click()
    expect(lab.page.locator(".change")).to_have_text("−11200000 %")
    expect(lab.page.locator(".bar:visible")).to_have_text(
        "Your text before is not lost.Bring it back"
    )


def test_what_is_too_large_to_follow_or_to_hold_says_what_still_works(lab: Lab) -> None:
    lab.open(text="small")
    bar = lab.pane("json").locator(".bar")
    lab.paste("json", "'0123456789abcdef'.repeat(4_100_000)")
    expect(bar).to_contain_text("too large: 65.6 MB; the limit is 64.0 MB. Nothing was changed.")
    expect_text(lab.area("json"), "small")
    bar.get_by_role("button", name="Dismiss").click()
    expect(bar).to_be_hidden()

    before = lab.control()["convert"]
    surface = lab.pane("json").locator(".surface").bounding_box()
    lab.paste("json", TWELVE_MEGABYTES)
    expect(bar).to_contain_text(
        "Large payload (12.0 MB): up to 10.0 MB is followed by itself. "
        "Editing, Find, folding, Copy and Download work."
    )
    surfaces = [lab.pane(side).locator(".surface").bounding_box() for side in ("json", "toon")]
    tops, heights = zip(*[(box["y"], box["height"]) for box in surfaces if box], strict=True)
    assert surface
    assert (tops[0], heights[0]) == (tops[1], heights[1])
    assert heights[0] == pytest.approx(surface["height"], abs=2)  # its borders
    expect(lab.pane("toon").locator(".badge.stale")).to_be_visible()
    expect(lab.area("json")).to_contain_text('"abc", 12345')
    lab.page.wait_for_timeout(800)
    assert lab.control()["convert"] == before
    expect(lab.pane("json").locator(".figures")).to_have_text("12,000,000 chars")

    lab.pane("json").get_by_role("button", name="Measure").click()

    expect(lab.pane("json").locator(".figures")).to_have_text("3,000,000 tokens")
    expect(lab.area("toon")).to_contain_text('"ABC", 12345')
    expect(lab.pane("toon").locator(".badge.stale")).to_be_hidden()
    expect(lab.page.locator(".bar:visible")).to_have_count(0)

    lab.pane("json").get_by_role("button", name="Clear").click()
    lab.area("json").press_sequentially("again")
    expect_text(lab.area("toon"), "AGAIN")
    lab.paste("json", TWELVE_MEGABYTES)
    expect(bar).to_be_visible()
    lab.paste("json", "'over it'")
    expect_text(lab.area("json"), "over it")
    expect_text(lab.area("toon"), "OVER IT")


def units(text: str) -> int:
    """UTF-16 code units; a run may be half of a character."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def test_every_kind_and_token_is_painted_where_it_is_and_what_is_typed_is_plain(lab: Lab) -> None:
    lab.open(text=FIRST)
    lab.expect_painted("json", "kind-0")
    lab.control(hold=1)  # new colours come after the answer
    put_caret(lab.area("json"), 9)
    lab.page.keyboard.type("ZZ")
    assert text_of(lab.area("json")) == FIRST[:9] + "ZZ" + FIRST[9:]
    assert lab.painted("json")["kind-0"] == ['"name', '"', '"tags"', '"n"']

    lab.control(hold=0)
    paste(lab.area("json"), WIDE)
    lab.settle()
    names = r'"[^"\n]*"(?=\s*:)'
    wait_until(
        lab.page,
        lambda: lab.painted("json").get("kind-0"),
        lambda found: found == re.findall(names, WIDE),
    )
    painted = lab.painted("json")
    marks = re.findall(rf'{names}|([{{}}\[\],:"]+)', WIDE)
    assert "".join(painted["kind-1"]) == "".join(marks)
    assert all(part.strip() for parts in painted.values() for part in parts)
    lab.colour("Tokens").check()
    lab.expect_painted("json", "token-1")
    tokens = lab.painted("json")
    assert "kind-0" not in tokens
    # A run goes on in the next line; a line feed itself is not drawn.
    drawn = sum(units("".join(parts)) for parts in tokens.values())
    assert drawn == units(WIDE.replace("\n", ""))


CONTRAST = """root => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const pixel = (...colours) => {
        for (const colour of colours) {
            canvas.fillStyle = colour;
            canvas.fillRect(0, 0, 1, 1);
        }
        const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((value) => {
            const part = value / 255;
            return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const style = (node) => getComputedStyle(node);
    const surface = style(root.querySelector(".surface")).backgroundColor;
    const tokens = ["--token-0", "--token-1"].map((name) => {
        const span = document.createElement("span");
        span.style.background = `var(${name})`;
        span.textContent = name;
        root.append(span);
        return span;
    });
    return [...root.querySelectorAll(".legend span"), ...tokens].map((span) => {
        const text = pixel(style(span).color);
        const ground = pixel(surface, style(span).backgroundColor);
        const [dark, light] = [text, ground].sort((a, b) => a - b);
        return [span.textContent, (light + 0.05) / (dark + 0.05)];
    });
}"""


def test_tab_leaves_the_editor_the_right_pane_is_copied_and_colours_are_readable(lab: Lab) -> None:
    lab.open(text="x")
    lab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    paste(lab.area("json"), WIDE)
    expect_text(lab.area("toon"), WIDE.upper())
    lab.area("json").focus()
    lab.page.keyboard.press("Tab")
    assert not caret(lab.area("json"))[2]
    assert text_of(lab.area("json")) == WIDE

    lab.expect_copied(lambda: lab.press("Copy TOON"))

    assert lab.page.evaluate("navigator.clipboard.readText()") == WIDE.upper()

    # At least 4.5 to 1, for every kind and token colour on the ground of code.
    themes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for theme in themes:
        wear(lab.page, theme)
        contrasts = dict(lab.page.locator(".editor").evaluate(CONTRAST))

        assert len(contrasts) == 7
        assert min(contrasts.values()) >= 4.5, contrasts
