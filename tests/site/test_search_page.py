"""The search page in a real browser, from disk: it finds what the command line finds, in the same order."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from handoffsite.errors import UsageError
from handoffsite.records.completed import Completed
from handoffsite.records.constraint import Constraint
from handoffsite.records.decision import Decision
from handoffsite.records.kinds import KINDS
from handoffsite.records.session import SessionRecord
from handoffsite.records.snapshot import Snapshot
from handoffsite.records.visible import visible
from handoffsite.search import syntax, tokens
from handoffsite.search.documents import documents
from handoffsite.search.query import Index
from handoffsite.site.build import build

pytestmark = pytest.mark.gate

IDENTIFIERS = ["my_func_name7", "camelCaseIdent7", "D-12", "src/mod_7.py", "1.2.3"]
QUERIES = [
    *IDENTIFIERS,
    "getUserById7",
    *(
        "my_func_name",
        "func name",
        "camelCase",
        "ident7",
        "mod_7",
        "mod_7.py",
        "src",
        "v1.2.3",
        "1.2",
        "D-12-k3f",
        "d-12",
        "S-3",
        "C-1",
    ),
    *(
        "session",
        "sessions",
        "sessions redis",
        "redis",
        "postgres under load",
        '"under load"',
        '"signed cookies"',
        "cookies signed",
    ),
    *("kind:decision sessions", "status:superseded", "kind:constraint", "topic:session-store", "since:2026-10 sessions"),
    *('topic:"session-store" kind:decision postgres', "kind:session,decision log", "zurich", "Zürich", "straße", "strasse"),
    *(
        "東京",
        "東京都",
        "登录",
        "مراجعة",
        "--no-verify",
        "no-verify",
        "C++",
        "C#",
        "9f8e7d6",
        "deadbee1",
        "EVAL",
        "part 7 of the state",
    ),
    *("the state store option", "lock writer cach", "argon2 0.41.1", "nothing-like-this-anywhere", "nothing sessions"),
    "claude-code:0b1c2d3e-0003",
]

# What hides in it, what only seems to, and what would be markup elsewhere.
HOSTILE = (
    "hostile-1 <img src=x onerror=alert(1)><script>alert(2)</script> \u202egnp.exe",
    "hostile-2 zero\u200bwidth\ufeff a\u00adb \u2066x\u2069 \x07bell \u3164filler \U000e0041tag",
    "hostile-3 👩‍💻 ❤️ 1️⃣ 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f می\u200cخواهم क\u200d葛\U000e0100",
    "hostile-4 a\u200db \ufe0f 🏴\U000e0067\U000e0062 x\u180b ᄀ\u1160 \u115fᅡ \u061cx a\U000e0100",
    'hostile-5 "><svg/onload=alert(3)> javascript:alert(4) {{7*7}} ${7*7} &lt;b&gt;',
)

ASK = """(queries) => {
  const index = new handoffsiteSearch.Index(handoffsiteIndex);
  return queries.map((query) => {
    const { question, hits } = index.search(query);
    return [hits.length, ...hits.slice(0, 10).map((hit) => {
      const { signs, marks } = index.snippet(question, hit.document);
      return [hit.document.id, hit.score, signs.join(""), marks];
    })];
  });
}"""


def told(make: Callable[..., SessionRecord]) -> SessionRecord:
    """A session that speaks of what only whole identifiers tell apart."""
    texts = (
        "`my_func_name7` calls my_func_name8 and my.func.name7",
        "camelCaseIdent7 replaces camel_case_ident7 and camelCaseIdent77",
        "Edited src/mod_7.py, src/mod_77.py and lib/src/mod_7.pyi",
        "Raised the floor to 1.2.3; 1.2.30 and 11.2.3 fail",
        "Der Zug nach Zürich fährt durch die Straße; 東京都に行く; C++ and C# with --no-verify",
    )
    near = ("my_func of name7", "camel case ident 7", "the mod_7 of src", "1.2 and 3", "D-1 and 2")
    return make(
        8,
        "k3f",
        "2026-10-22",
        title="Names of things",
        completed=tuple(Completed(id=f"S-8-k3f.c{n}", text=text) for n, text in enumerate((*near, *texts, *HOSTILE), 1)),
        decisions=(Decision(id="D-12-k3f", title="Name things whole", rationale="See D-120 and D-1-2."),),
        constraints=(
            Constraint(id="C-9-k3f", tried="Renaming D-12 things", outcome="x" * 300 + " 🧑‍💻 getUserById7 " + "y " * 200),
        ),
    )


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the site of this module lies."""
    return tmp_path_factory.mktemp("site")


@pytest.fixture
def whole(
    records: list[SessionRecord],
    many: Callable[[int], Snapshot],
    make: Callable[..., SessionRecord],
    fold: Callable[..., Snapshot],
) -> Snapshot:
    """The story, the names, and forty ordinary sessions."""
    ordinary = [one for one in many(48).records if int(one.id.split("-")[1]) > 8]
    return fold([*records, told(make), *ordinary])


@pytest.fixture
def page(browser: Any, whole: Snapshot, made: Path) -> Iterator[Any]:
    """The search page from disk; whatever a browser complains of fails the test."""
    if not (made / "atlas").is_dir():
        build(whole, made / "atlas", documents=documents(whole))
    opened, said = browser.new_page(), []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.on("request", lambda request: said.append(request.url) if not request.url.startswith("file:") else None)
    opened.goto((made / "atlas/search.html").as_uri())
    yield opened
    opened.close()

    assert [] == said


def test_fifty_queries_find_the_same(page: Any, whole: Snapshot, tmp_path: Path) -> None:
    """The best ten of each, with score, snippet and marks: the browser and the command line's own index agree."""
    index = Index(tmp_path / "index")
    index.update(whole)
    found = [index.search(query, limit=10) for query in QUERIES]
    ours = [
        [one.total, *([hit.id, hit.score, hit.snippet, [list(mark) for mark in hit.marks]] for hit in one.hits)] for one in found
    ]

    assert len(QUERIES) >= 50
    assert ours == page.evaluate(ASK, QUERIES)


def test_what_cannot_be_asked_is_refused_alike(page: Any) -> None:
    """A wrong filter, a wrong date, nothing, too much: an error there is an error here."""
    wrong = [
        "kind:nothing",
        "status:perhaps x",
        "since:2026-13",
        "since:0000",
        "",
        " ",
        "x" * 1001,
        " ".join(f"w{n}" for n in range(129)),
    ]
    refused = page.evaluate(
        """(queries) => queries.map((query) => {
          try { new handoffsiteSearch.Index(handoffsiteIndex).search(query); return ""; } catch (error) { return error.constructor.name; }
        })""",
        wrong,
    )
    for query in wrong:
        with pytest.raises(UsageError):
            syntax.parse(query)

    assert ["QueryError"] * len(wrong) == refused


def test_filters_are_known_by_the_same_names(page: Any) -> None:
    """Kinds and statuses are those of the command line."""
    assert [list(KINDS), list(syntax.STATUSES)] == page.evaluate("[handoffsiteSearch.KINDS, handoffsiteSearch.STATUSES]")


def test_texts_are_cut_alike(page: Any) -> None:
    """Three thousand generated texts of every script give the same terms at the same places."""
    chance = random.Random(7)  # noqa: S311 -- texts, not secrets
    pieces = [
        *IDENTIFIERS,
        "S-42-k3f.c1",
        "HTTPServer",
        "APIs",
        "E2E",
        "café",
        "Straße",
        "日本語",
        "한국어",
        "ŁÓDŹ",
        "İx",
        "ﬁne",
        "e\u0301",
        "\u200bx",
        "\u02d8y",
        "😀z",
    ]
    signs = [*" ./-_:+#@&~$%^\\,'\"\u2010\u00a8\x1c\x85\u3000"]
    texts = ["".join(chance.choice(pieces) + chance.choice(signs) for _ in range(chance.randint(1, 6))) for _ in range(3000)]
    ours = [[[[list(term) for term in terms], width] for _, _, (terms, width) in tokens.runs(text)] for text in texts]

    assert ours == page.evaluate(
        "(texts) => texts.map((text) => handoffsiteTokens.runs(text).map((run) => [run.terms, run.width]))", texts
    )


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("my_func_name7", "S-8-k3f.c6"),
        ("camelCaseIdent7", "S-8-k3f.c7"),
        ("D-12", "D-12-k3f"),
        ("src/mod_7.py", "S-8-k3f.c8"),
        ("1.2.3", "S-8-k3f.c9"),
    ],
)
def test_the_exact_page_is_first(page: Any, query: str, first: str) -> None:
    """What is typed as it is written somewhere is found there first, and marked."""
    page.fill("#q", query)
    found = page.locator("#found li .id").all_inner_texts()

    assert first == found[0]
    assert page.locator("#found li").count() > 1
    assert page.locator("#found mark").count() > 0


def test_the_keyboard_is_enough(page: Any) -> None:
    """A slash goes to the box, arrows walk, Escape goes back, Enter opens the best."""
    page.keyboard.press("/")
    page.keyboard.type("redis sessions")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    second = page.evaluate("[...document.querySelectorAll('#found a')].indexOf(document.activeElement)")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    back = page.evaluate("document.activeElement.id")
    page.keyboard.press("Enter")
    page.wait_for_url("**/decisions/D-4-k3f.html")

    assert (1, "q") == (second, back)


def test_a_question_in_the_address_is_answered(page: Any) -> None:
    """The box of any page leads here, and so does going back."""
    page.goto(page.url.replace("search.html", "decisions/index.html"))
    page.fill("#q", "redis")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=redis")
    page.wait_for_selector("#found li")

    assert "redis" == page.input_value("#q")
    assert page.locator("#everything").is_hidden()


def test_markup_in_a_text_stays_text(page: Any) -> None:
    """Nothing that is typed or found becomes an element; what hides is written out."""
    page.fill("#q", "<img src=x onerror=alert(1)> \u202e kind:<b>")

    assert 0 == page.locator("#found img, #found-status b").count()
    assert "<b>" in page.inner_text("#found-status")


def test_what_hides_is_shown_as_everywhere(page: Any) -> None:
    """Titles stand there letter by letter as the command line prints them, and nothing in them is an element."""
    shown = []
    for number in range(1, len(HOSTILE) + 1):
        page.fill("#q", f"hostile-{number} kind:completed")
        shown.append(page.locator("#found a").first.evaluate("(link) => link.textContent"))
        assert 0 == page.locator("#found img, #found script, #found svg, #found b").count()

    assert [visible(text) for text in HOSTILE] == shown


def test_without_javascript_the_page_says_what_to_do(browser: Any, page: Any) -> None:
    """The list stays, and a sentence names the command that finds the same."""
    context = browser.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto(page.url)
    text = plain.inner_text("main")
    context.close()

    assert "handoffsite search" in text
    assert "Keep sessions in Redis" in text


def test_filters_may_stand_in_the_address_alone(page: Any, made: Path) -> None:
    """As a link or a form writes them; quotes in them are no syntax."""
    search = (made / "atlas/search.html").as_uri()
    page.goto(f"{search}?kind=decision&status=superseded&topic=session-store&q=redis")

    assert "redis kind:decision status:superseded topic:session-store" == page.locator("#q").input_value()
    page.goto(f"{search}?topic=%22a+b%22")
    assert 'topic:"a b"' == page.locator("#q").input_value()
