"""Which kinds of secrets are known, of many that people and tools write."""

import re
import time

import pytest

from handoffsite.records.redaction import Redactor
from tests.robust.fakes import HELD_OUT, KINDS, SERVICES, Fake, fakes

WINDOW = 12  # characters of a secret that are enough to have leaked
_UNSEEN = re.compile("\\s|\\\\n|[\u00ad\u200b\u200d\u2060\u2063]")


_FIXED_PART = re.compile(r"[\w%./:+\-]{0,7}\Z")  # of the secret, which the table has in the text


def is_left(one: Fake, text: str) -> bool:
    whole, bare = _UNSEEN.sub("", one.secret), _UNSEEN.sub("", text)
    size = min(WINDOW, len(whole))
    return any(whole[at : at + size] in bare for at in range(len(whole) - size + 1))


def left(kinds: tuple[tuple[str, str, object], ...], seed: int) -> list[str]:
    return [one.kind for one in fakes(seed, kinds) if is_left(one, Redactor(key=b"k").clean(one.text))]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kinds", "recall"), [(KINDS, 0.97), (HELD_OUT, 0.95), (SERVICES, 0.97)], ids=["kinds", "held out", "services"]
)
def test_secrets_of_many_kinds_are_removed(kinds: tuple[tuple[str, str, object], ...], recall: float) -> None:
    """Of nearly every kind, whatever was drawn."""
    for seed in (1, 2, 3):
        missed = left(kinds, seed)

        assert len(missed) <= (1 - recall) * len(kinds), missed


def test_the_surroundings_of_a_secret_stay() -> None:
    """What stands before and behind it on its line is still there."""
    lost = []
    for one in fakes():
        before, _, after = one.text.partition(one.secret)
        clean = Redactor().clean(one.text)
        if _FIXED_PART.sub("", before.split("\n")[-1]) not in clean or after.split("\n")[0] not in clean:
            lost.append((one.kind, clean))

    assert len(lost) <= len(KINDS) // 50, lost


@pytest.mark.parametrize(
    "hidden", ["\u200b", "\u2060", "\u00ad", "\ufeff", "\u202e", "\U000e0041", "\x00", "\x1b[31m", "[U+200B]", "[U+D83D]"]
)
def test_what_nobody_sees_hides_no_secret(hidden: str) -> None:
    """A token with an invisible character or a colour inside is a token."""
    secret = f"{'gh' + 'p_'}x7Kq2Lm9Rt4{hidden}Vb8Nc3Zd6Wf1Yg5Hj0Ps"
    redactor = Redactor(key=b"k")

    clean = redactor.clean(f"I pasted {secret} there")

    assert (f"I pasted {clean[9:-6]} there", {"github": 1}) == (clean, redactor.counts)
    assert "x7Kq2" not in clean
    assert "Hj0Ps" not in clean


ORDINARY = [
    "the first pass = 12 and the second pass: 14",
    "| key | value |\n| --- | --- |\n| timeout | 30 |\n| region | eu-west-1 |",
    "name,token_count,price\ngpt,128000,3.5",
    "| feature | password reset |\n| --- | --- |\n| state | done in v2.3 |",
    "mysql -p shop < dump.sql",
    "7z x -p backup.7z",
    "use f-strings as the password prompt",
    "log in with SSO / OIDC on staging",
    "see https://github.test/acme/webhooks/blob/0d199b4485fc875f26b0f1dd3cad9bc2aa11bb22/README.md",
    "docs/hooks/session-start-and-session-end-hooks.md",
    "backup codes are shown once: 3 of 8 left",
    "recovery codes: see chapter 12",
    "the OTP flow, ABCD WXYZ FOUR WORD style, is documented",
    "auth=('user', 'password')",
    "connect('localhost', 'root', 'root')",
    "salt = os.urandom(16)",
    "file_path=/srv/atlas/src/parse.py",
    "AUTH_SALT_ROUNDS=12",
    "npm run build --value production",
    '"d": "M12 4.5l3.3 2.1L18 9.9"',
    "the admin password (see the wiki) is not here",
    "Password - required, at least 12 characters",
    "passphrase for the key: ask the team",
    "run md-to-pdf-converter-and-viewer on it",
    "fc-cache -fv rebuilds the fonts, fw_update_all too",
    "the app password is what you chose then",
    "host:5432:shop:app:$PASSWORD",
    "flyctl auth login and then gcloud auth application-default print-access-token",
    "git login-with-the-new-button and npm login --registry=http://localhost:4873",
    "http --auth-type=bearer GET https://api.example.test",
    "login is: name / password",
    "sdk_pk_1234567_version and tr_prod_environment_variables_of_trigger",
    "https://docs.infura.io/v3/reference/how-to-authenticate",
]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_talk_of_secrets_stays(text: str) -> None:
    """What only speaks of passwords, keys, hooks and codes is kept."""
    assert text == Redactor().clean(text)


PARTS = [
    "token,token\n", "| password |\n", "recovery codes:\n", "backup codes aaaa-", "2fa secret: abcd ", 'auth("a","', "true /a", "hooks/", "://x/key/",
    "secret set --body ", "password as a key as the token ", "in with a / ", "\u200bpassword=x ", "connect('a','b',", "key </k><v>", "token {",
    "$6$a$", '"kty":"d":"', "net use z: ", "htpasswd -b -b ", " key (", "-b 'a=", "[U+200B]", "\x1b[", "@tcp(=a:", "echo  ",
]  # fmt: skip


def test_no_repeated_part_takes_long() -> None:
    """Twice the text takes about twice the time, and 30 kB never seconds."""
    for part in PARTS:
        text = part * (30_000 // len(part))
        start = time.process_time()
        Redactor().clean(text)

        assert time.process_time() - start < 2, part
