"""Text of others is shown literally: markup in it is escaped on every page."""

import pytest

from pages.parts.markdown import escape_markdown

#: Kinds of elements whose text Streamlit reads as Markdown.
MARKDOWN = (
    "caption", "markdown", "header", "subheader", "info", "warning", "error", "success",
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("prose, as it is: 5 of 6 (or so)", "prose, as it is: 5 of 6 (or so)"),
        ("two\n\n# lines", "two \\# lines"),
        ("−16.5\u202f%  less\n", "−16.5\u202f% less"),
        ("**b** _i_ `c` $x$", "\\*\\*b\\*\\* \\_i\\_ \\`c\\` \\$x\\$"),
        ("<b>&amp;", "\\<b\\>\\&amp;"),
        (":material/home:", "&#58;material/home:"),
        (":smile:", "&#58;\u2060smile:"),
        ("https://a.example", "https\u2060&#58;//a.example"),
        ("www.a.example", "www\u2060.a.example"),
        ("a@b.example", "a\u2060@b.example"),
        ("a -> b", "a -\u2060\\> b"),
    ],
)
def test_markup_is_escaped_and_prose_is_left_alone(text: str, shown: str) -> None:
    assert escape_markdown(text) == shown
