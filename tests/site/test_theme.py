"""Templates are found, overridden and watched; the sheet can be read by everyone."""

import re
from pathlib import Path

import pytest

from handoffsite.errors import Malformed
from handoffsite.records.snapshot import Snapshot
from handoffsite.site import theme
from handoffsite.site.build import build


def test_templates_are_where_the_package_says() -> None:
    """The frame and the assets exist, in a checkout as in a wheel."""
    folder = theme.default_templates()

    assert {"page.html", "overview.html", "workspace.html"} <= {path.name for path in folder.iterdir()}
    assert (folder / "assets" / "site.css").is_file()


def test_every_template_compiles() -> None:
    """None has a syntax error, used or not."""
    environment = theme.environment()

    for name in environment.list_templates(extensions=["html"]):
        environment.get_template(name)


def test_an_override_wins(tmp_path: Path) -> None:
    """The first folder that has a template or an asset is the one."""
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "site.css").write_text("b{}")
    (tmp_path / "alias.html").write_text("mine {{ alias }}")
    ours, theirs = theme.load(), theme.load([tmp_path])

    assert "mine D-1" == theirs.render("alias.html", {"alias": "D-1"})
    assert b"b{}" == theirs.contents[theirs.assets["site.css"]]
    assert ours.assets["site.css"] != theirs.assets["site.css"]
    assert ours.assets["site.js"] == theirs.assets["site.js"]


def test_a_change_of_any_template_changes_the_digest(tmp_path: Path) -> None:
    """So that a site built with the old one is not taken for current."""
    (tmp_path / "alias.html").write_text("one")
    before = theme.digest([tmp_path])
    (tmp_path / "alias.html").write_text("two")

    assert theme.digest() != before
    assert theme.digest([tmp_path]) != before


def test_everything_printed_is_escaped_and_shown(tmp_path: Path) -> None:
    """Whatever the template's name or ending: no markup, nothing hidden."""
    (tmp_path / "x.txt.jinja").write_text("{{ value }}")

    assert "&lt;b&gt; [U+202E]" == theme.load([tmp_path]).render("x.txt.jinja", {"value": "<b> \u202e"})


@pytest.mark.parametrize(("text", "line"), [("{{ misspelt }}", 0), ("a\n{% if %}", 2), ("{{ 1 / none }}", 0)])
def test_a_template_that_does_not_fit_is_named(tmp_path: Path, text: str, line: int) -> None:
    """A misspelt name is an error, not an empty string."""
    (tmp_path / "alias.html").write_text(text)

    with pytest.raises(Malformed) as caught:
        theme.load([tmp_path]).render("alias.html", {})

    assert ("alias.html", line) == (Path(caught.value.file).name, caught.value.line)


def test_compiled_templates_are_kept_in_a_private_folder(tmp_path: Path) -> None:
    """The cache is the user's own, and filled."""
    folder = tmp_path / "cache"
    theme.environment(cache=folder).get_template("alias.html")

    assert 0o700 == folder.stat().st_mode & 0o777
    assert [] != list(folder.iterdir())


def test_no_template_holds_script_or_style() -> None:
    """The content security policy forbids both, and so do we."""
    for path in theme.default_templates().glob("*.html"):
        text = path.read_text(encoding="utf-8")

        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|\|\s*safe", text), path.name


def luminance(colour: str) -> float:
    """The relative luminance of *colour*, as WCAG defines it."""
    full = "".join(digit * 2 for digit in colour[1:]) if len(colour) == 4 else colour[1:]
    parts = [int(full[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast of two colours."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("place", [0, 1], ids=["light", "dark"])
def test_text_can_be_read(place: int) -> None:
    """Every colour of text has the contrast of WCAG AA on every ground that it stands on, light and dark."""
    css = (theme.default_templates() / "assets" / "site.css").read_text(encoding="utf-8")
    tokens = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6});", re.findall(r":root \{(.*?)\}", css, re.DOTALL)[place]))
    pairs = [(ink, ground) for ink in ("ink", "soft", "accent", "live", "wait", "stop", "gone") for ground in ("paper", "sheet")]
    pairs += [
        ("ink", "wash"),
        ("ink", "stop-wash"),
        ("accent", "stop-wash"),
        ("accent", "wash"),
        ("soft", "stop-wash"),
        ("stop", "stop-wash"),
    ]
    low = {pair: round(contrast(tokens[pair[0]], tokens[pair[1]]), 2) for pair in pairs}

    assert {} == {pair: ratio for pair, ratio in low.items() if ratio < 4.5}


def test_the_example_of_the_readme_works(snapshot: Snapshot, tmp_path: Path) -> None:
    """Colours of one's own are loaded after ours, and a template extends the one that is shipped."""
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    folder = tmp_path / "templates"
    (folder / "assets").mkdir(parents=True)
    for name, target in (("theme.css", "assets/theme.css"), ("overview.html", "overview.html")):
        found = re.search(rf"<!-- {re.escape(name)} -->\n```\w+\n(.*?)```", readme, re.DOTALL)
        assert found
        (folder / target).write_text(found[1], encoding="utf-8")
    build(snapshot, tmp_path / "atlas", overrides=[folder])
    page = (tmp_path / "atlas" / "index.html").read_text()

    assert "Questions go to the planner of Atlas." in page
    assert '<h2 id="focus">Focus</h2>' in page
    assert re.search(r'assets/site-\w+\.css">\s*<link rel="stylesheet" href="assets/theme-\w+\.css"', page)
    assert [*(tmp_path / "atlas" / "assets").glob("theme-*.css")]
