"""The playground asks the service of a model's maker, and its figures stand in the card."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import served
from tests.browser.lab import expect_text, paste_over
from tests.conftest import ROOT
from tests.services.server import KEY, serving
from toon.tokenizers import get

pytestmark = pytest.mark.rest

PAYLOAD = '[{"id": 1, "name": "Ada"}, {"id": 2, "name": "Bob"}]'


def choose_model(page: Page, name: str) -> None:
    box = page.get_by_role("combobox", name="Model")
    box.fill(name)
    page.get_by_role("option").filter(has_text=name).first.click()


def test_a_model_that_only_its_service_counts_has_its_figures_and_another_says_whether_they_agree(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving("xai", len) as xai, serving("openai", get("o200k_base").count) as openai:
        monkeypatch.setenv("XAI_BASE_URL", xai.base)
        monkeypatch.setenv("OPENAI_BASE_URL", openai.base)
        with served(ROOT / "app.py") as lab:
            page.goto(lab.url)
            answer = page.get_by_role("region", name="The answer")
            paste_over(page.get_by_label("JSON editor"), PAYLOAD)
            expect_text(page.get_by_label("TOON editor"), "[2]{id,name}:\n  1,Ada\n  2,Bob")
            choose_model(page, "Grok 4.7")
            expect(answer.locator(".aged")).to_contain_text("Only its service counts for this")

            # Nothing is sent before the press; a failure is a sentence, and no figure.
            answer.get_by_role("button", name="Ask xAI").click()
            dialog = page.get_by_role("dialog")
            expect(dialog).to_contain_text("Sends 3 texts of ")
            dialog.get_by_role("button", name="Send to xAI").click()
            expect(dialog).to_contain_text("xAI needs a key: set XAI_API_KEY.")
            assert xai.calls == []
            expect(answer.locator(".bars > li")).to_have_count(0)

            dialog.get_by_role("textbox", name="Your key for xAI").fill(KEY)
            dialog.get_by_role("button", name="Send to xAI").click()
            expect(dialog).to_have_count(0)
            expect(answer.locator(".aged")).to_have_text("Tokens counted by xAI for grok-4.7")
            expect(answer.locator(".tokens")).to_have_text(list(map(str, map(len, xai.texts[1:]))))
            assert xai.texts[1] == PAYLOAD

            # The figures are of that text alone.
            page.get_by_label("JSON editor").press("End")
            page.keyboard.type(" ")
            expect(answer.get_by_role("button", name="Ask xAI")).to_be_visible()
            page.keyboard.press("Backspace")
            expect(answer.locator(".aged")).to_have_text("Tokens counted by xAI for grok-4.7")

            # Where it is counted here too, one line says whether both are the same.
            choose_model(page, "GPT-4o mini")
            expect(answer.locator(".asked")).to_have_text("")
            page.get_by_role("button", name="Ask OpenAI").click()
            dialog.get_by_role("textbox", name="Your key for OpenAI").fill(KEY)
            dialog.get_by_role("button", name="Send to OpenAI").click()
            expect(answer.locator(".asked")).to_have_text("OpenAI counts the same")
