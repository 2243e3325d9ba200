"""Secrets are taken out, and nothing else is."""

import base64
import json
import random
import string
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handoffsite.errors import Malformed
from handoffsite.records.completed import Completed
from handoffsite.records.decision import Decision
from handoffsite.records.redaction import Redactor, clean_record
from handoffsite.records.session import SessionRecord, TranscriptFile, Update

SAMPLES = Path(__file__).parents[1] / "samples" / "redaction"
ORDINARY = (SAMPLES / "ordinary.txt").read_text(encoding="utf-8").splitlines()
CONTEXTS = [line.split("\t") for line in (SAMPLES / "contexts.tsv").read_text(encoding="utf-8").splitlines()]
ALNUM = string.ascii_letters + string.digits
SHORTEST_LEAK = 12

# No fake stands here whole: each is drawn when a test runs.
SEED = random.Random(20261130)  # noqa: S311 -- fakes need no entropy


@pytest.fixture(autouse=True)
def seeded() -> None:
    """Each test draws the same, whatever ran before it."""
    SEED.seed(20_261_201)


def drawn(length: int, alphabet: str = ALNUM) -> str:
    """A text of *length* that nobody ever issued."""
    return "".join(SEED.choice(alphabet) for _ in range(length))


FAKES: dict[str, Callable[[], str]] = {
    "password": lambda: f"kL{drawn(5)}7{SEED.choice('!#%*')}{drawn(4)}",
    "token": lambda: f"{drawn(16)}7{drawn(16)}",
    "hex64": lambda: drawn(64, "0123456789abcdef"),
    "hex32": lambda: drawn(32, "0123456789abcdef"),
    "base64": lambda: base64.b64encode(SEED.randbytes(32)).decode(),
    "pair": lambda: base64.b64encode(f"svc:{drawn(16)}".encode()).decode(),
}
VENDORS = [
    ("aws", "AK" + "IA", 16, string.ascii_uppercase + "234567"),
    ("github", "gh" + "p_", 36, ALNUM),
    ("github", "github" + "_pat_", 82, ALNUM + "_"),
    ("gitlab", "glp" + "at-", 20, ALNUM + "-_"),
    ("slack", "xo" + "xb-", 50, ALNUM + "-"),
    ("stripe", "sk" + "_live_", 24, ALNUM),
    ("openai", "sk" + "-proj-", 156, ALNUM + "_-"),
    ("anthropic", "sk" + "-ant-api03-", 95, ALNUM + "_-"),
    ("google", "AI" + "za", 35, ALNUM + "_-"),
    ("npm", "np" + "m_", 36, ALNUM),
    ("pypi", "pypi" + "-AgE", 150, ALNUM + "_-"),
    ("twilio", "S" + "K", 32, "0123456789abcdef"),
    ("digitalocean", "do" + "p_v1_", 64, "0123456789abcdef"),
    ("huggingface", "h" + "f_", 34, string.ascii_letters),
    ("vault", "hv" + "s.", 90, ALNUM + "_-"),
    ("shopify", "shp" + "at_", 32, "0123456789abcdef"),
]


def pem(kind: str = "RSA ", lines: int = 20) -> str:
    """A private key of *lines* lines."""
    body = "\n".join(drawn(64, ALNUM + "+/") for _ in range(lines))
    dashes = "-" * 5
    return f"{dashes}BEGIN {kind}PRIVATE KEY{dashes}\n{body}\n{dashes}END {kind}PRIVATE KEY{dashes}"


def web_token() -> str:
    """A JSON web token."""
    head, body = (
        base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")
        for part in ({"alg": "HS256"}, {"sub": "user-4711"})
    )
    return f"{head}.{body}.{drawn(43, ALNUM + '_-')}"


def leaks(secret: str, text: str, around: str = "") -> list[str]:
    """The parts of *secret* that *text* still holds, and that *around*, the text without it, does not."""
    size = min(len(secret), SHORTEST_LEAK)
    parts = {secret[at : at + size] for at in range(len(secret) - size + 1)}
    return sorted(part for part in parts if part in text and part not in around)


@pytest.mark.parametrize(("fake", "kind", "text"), CONTEXTS, ids=[text for _, _, text in CONTEXTS])
def test_surroundings_tell(fake: str, kind: str, text: str) -> None:
    """A secret that only its name, its place or the sentence tells is replaced, and its surroundings stay."""
    secret = FAKES[fake]()
    before, after = text.replace("\\n", "\n").split("{}")
    redactor = Redactor(key=b"atlas")

    clean = redactor.clean(f"{before}{secret}{after}")

    assert (before, after) == (clean[: len(before)], clean[len(clean) - len(after) :])
    assert {kind: 1} == redactor.counts
    assert len(clean) == len(before) + len(after) + len(f"[redacted:{kind}:0000]")


@pytest.mark.parametrize(
    ("kind", "start", "length", "alphabet"), VENDORS, ids=[f"{kind}-{start}" for kind, start, _, _ in VENDORS]
)
def test_vendors_tokens_tell_themselves(kind: str, start: str, length: int, alphabet: str) -> None:
    """A vendor's token is known wherever it stands."""
    secret = start + drawn(length, alphabet)
    redactor = Redactor()

    clean = redactor.clean(f"I pasted {secret} there,\nand «{secret}» again; 令牌是{secret}。")

    assert [] == leaks(secret, clean)
    assert {kind: 3} == redactor.counts


@pytest.mark.parametrize(
    "form",
    [
        lambda text: text,
        lambda text: json.dumps({"content": text}),
        lambda text: json.dumps(json.dumps({"content": text})),
        lambda text: f"| a | b |\n| --- | --- |\n| x | {text.replace(chr(10), '<br>')} |",
        lambda text: f"```sh\n{text}\n```",
        lambda text: "\n".join(f"> {line}" for line in text.split("\n")),
        lambda text: "\n".join(f"+{line}" for line in text.split("\n")),
        lambda text: "\n".join(f"{place:6}\t{line}" for place, line in enumerate(text.split("\n"), 1)),
    ],
    ids=["plain", "json", "json in json", "table", "fence", "quote", "diff", "numbered"],
)
def test_whatever_holds_the_secret(form: Callable[[str], str]) -> None:
    """Secrets are found in JSON strings, tables, fences, quotes, diffs and numbered output."""
    for secret, text in [
        (key := pem(), f"cat deploy.key\n{key}\nthen"),
        (jwt := web_token(), f"the session cookie holds {jwt} today"),
        (password := FAKES["password"](), f"export DB_PASSWORD='{password}'"),
        (token := FAKES["token"](), f'curl -H "Authorization: Bearer {token}" https://api.example.test'),
        (vendor := "gh" + "p_" + drawn(36), f"GITHUB_TOKEN={vendor}\nnext line"),
    ]:
        clean = Redactor().clean(form(text))

        assert [] == leaks(secret, clean, form(text.replace(secret, "")))


def test_cut_private_keys() -> None:
    """A private key that lost its end, or its beginning, is still taken out."""
    key = pem(lines=12)
    head, tail = key[:400], key[400:]

    clean = Redactor().clean(f"first\n{head}")
    rest = Redactor().clean(f"{tail}\nlast")

    assert (("first\n", []), ("\nlast", [])) == ((clean[:6], leaks(head, clean)), (rest[-5:], leaks(tail[65:], rest)))


def test_tokens_that_a_terminal_broke() -> None:
    """A token that goes on in the next line is taken out whole."""
    secret = "gh" + "p_" + drawn(36)
    clean = Redactor().clean(f"token: {secret[:30]}\n{secret[30:]}\nnext words here")

    assert clean.endswith("]\nnext words here")
    assert [] == leaks(secret[:30], clean)
    assert secret[30:] not in clean


@pytest.mark.parametrize("line", ORDINARY)
def test_ordinary_lines_stay(line: str) -> None:
    """Names, paths, digests, placeholders and sentences about secrets are none."""
    assert line == Redactor().clean(line)


def test_ordinary_text_stays() -> None:
    """All ordinary lines in one text stay too."""
    text = "\n".join(ORDINARY)

    assert text == Redactor().clean(text)


def test_a_documented_example_stays() -> None:
    """What a vendor prints as the example of a key is no secret."""
    text = "AK" + "IAIOSFODNN7EXAMPLE is the documented example"

    assert text == Redactor().clean(text)


def test_one_secret_one_placeholder() -> None:
    """The same secret always gets the same four digits within a project, and others in the next."""
    secret = FAKES["token"]()
    one, again, other = (Redactor(key=key).clean(f"API_TOKEN={secret}") for key in (b"a", b"a", b"b"))

    assert (True, False) == (one == again, one == other)
    assert one.startswith("API_TOKEN=[redacted:token:")


def test_a_secret_once_told_is_known_everywhere() -> None:
    """Once its surroundings gave a secret away, it is taken out where it stands alone."""
    secret = FAKES["token"]()
    redactor = Redactor()
    redactor.clean(f"API_TOKEN={secret}")

    clean = redactor.clean(f"it answered with {secret} and went on")

    assert [] == leaks(secret, clean)


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from([*ORDINARY, *(text.replace("{}", "aB3$dE6fG7hJ9kL2") for _, _, text in CONTEXTS), "\\", '"', "\n", "x"])
    )
)
def test_cleaning_twice_changes_nothing(parts: Sequence[str]) -> None:
    """What is clean stays as it is, placeholders included."""
    clean = Redactor(key=b"k").clean(" ".join(parts))

    assert clean == Redactor(key=b"k").clean(clean)


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_cleaned(text: str) -> None:
    """No text makes the redactor fail."""
    assert isinstance(Redactor().clean(text), str)


def test_users_patterns() -> None:
    """A user's pattern takes out its group, or all of what it matches."""
    redactor = Redactor(["ACME-[0-9]{6}", r"badge (\w+)"])

    clean = redactor.clean("ACME-123456 has badge blue7")

    assert clean.startswith("[redacted:custom:")
    assert " has badge [redacted:custom:" in clean
    assert {"custom": 2} == redactor.counts


@pytest.mark.parametrize("pattern", ["(", "[a-", "*", "a*", "", "(?P<x>a)(?P<x>b)"])
def test_a_pattern_that_cannot_run_is_an_error(pattern: str) -> None:
    """A wrong pattern never switches redaction off: it is refused, with what to do."""
    with pytest.raises(Malformed, match=r"redaction pattern|regular expression") as caught:
        Redactor(["good", pattern])

    assert "project.toml" in caught.value.hint


def test_records_are_cleaned_whole() -> None:
    """Every text of a record is cleaned, and what identifies, dates and links it is not."""
    secret = "gh" + "p_" + drawn(36)
    sha = drawn(40, "0123456789abcdef")
    record = SessionRecord(
        source=f"note:{sha}",
        project="atlas",
        recorded="2026-11-30T19:40:06Z",
        head=sha,
        title=f"Use {secret}",
        transcript=TranscriptFile(file="log.jsonl", lines=9, sha256=sha),
        quotes={"transcript:4": f"export TOKEN={secret}"},
        messages={"transcript:4": sha},
        completed=(Completed(text=f"Pasted {secret}", evidence=("transcript:4", f"commit:{sha}")),),
        decisions=(Decision(title="Rotate", alternatives=(f"keep {secret}",), supersedes=("D-9-x2m",)),),
        updates=(Update(id="C-3-q7d", changes={"status": "lifted", "because": f"{secret} leaked"}, reason=secret),),
        narrative=f"All about {secret}",
    )

    clean = clean_record(record, Redactor())

    assert [] == leaks(secret, repr(clean))
    assert (
        replace(
            record,
            title=clean.title,
            quotes=clean.quotes,
            completed=clean.completed,
            decisions=clean.decisions,
            updates=clean.updates,
            narrative=clean.narrative,
        )
        == clean
    )
    assert (record.completed[0].evidence, "lifted", ("D-9-x2m",)) == (
        clean.completed[0].evidence,
        clean.updates[0].changes["status"],
        clean.decisions[0].supersedes,
    )


def test_a_later_field_gives_an_earlier_one_away() -> None:
    """A secret that only the narrative tells is taken out of the title as well."""
    secret = FAKES["token"]()
    record = SessionRecord(
        source="x:1", project="atlas", recorded="2026-11-30T19:40:06Z", title=f"About {secret}", narrative=f"API_TOKEN={secret}"
    )

    assert [] == leaks(secret, repr(clean_record(record, Redactor())))


BOMBS = ["a", "-", "=", "eyJ", "key", "password=", "password is ", "token '", "://a:", "AKIA", '\\"', "[redacted:", "-----BEGIN PRIVATE KEY-----",
         "-----END PRIVATE KEY-----\nAAAAAAAAAAAAAAAAAAAAAAAA\n", "cookie: a=b; ", "Authorization: Bearer ", "?sig=", "密码是", "<br>", "secret: a-"]  # fmt: skip


@pytest.mark.gate
def test_time_grows_with_the_text() -> None:
    """No text of 50 kB takes more than seconds, however it is made."""
    for bomb in BOMBS:
        text = bomb * (50_000 // len(bomb))
        start = time.process_time()
        Redactor().clean(text)

        assert time.process_time() - start < 3, bomb
