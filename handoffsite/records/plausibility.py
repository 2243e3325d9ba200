"""Whether a value is a secret, or a word, a name, a path or a placeholder that stands where a secret could."""

import re
from itertools import pairwise

from handoffsite.records.pattern import lazy

_COMMON_PAIRS = frozenset(
    "th he in er an re nd at on nt ha es st en ed to it ou ea hi is or ti as te et ng of al de se le sa si ar ve ra ld ur ro ri "
    "io ic ne me li ch ll be ma om ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc ut ss so rs un lo wa ge ie wh ee "
    "wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev ry mp fe bl ab gh ty op wo "
    "ay ex ke ui pt do ag oo ew ey qu up ap ue du sc rd ck sp cl cr ef gr oc au bu ft br ga ob av ov if mb da fa ub".split()
)
_RUN = lazy("[A-Z]?[a-z]{2,}|[A-Z]{3,}")
_SHORTEST_RUN = 3
_LONG = 100
_TELLING = 7

_UUID = lazy("[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_NUMERIC = lazy(r"[\d.,:;/+\-%_TZ]*")
_HEX = lazy("[0-9a-fA-F]+")
_STAND_IN = lazy(
    r"\$[A-Za-z_(]\w*\)?|[$%#@]?\{.*|\$\(.*|<.*|\[.*|%[A-Za-z_]\w*%?|.*\$\{.*|.*\{\{.*|\*+.*|.*(?:\.\.\.|…|\*{3}|•{2}|_{4}|-{4}|\uffff).*",
    re.DOTALL,
)
_SAMPLE = lazy(
    r"your|example|sample|dummy|fake|mock|change.?(?:me|this|it)|changed?.?in.?prod|placeholder|redacted|replace|insert|x{4}|(?<![a-z0-9])xxx(?![a-z0-9])|todo|"
    r"(?<![a-z0-9])(?:foo|bar|tests?)(?![a-z0-9])|foobar|qwerty|abcdef|12345|undefined",
    re.IGNORECASE,
)
_SELF_NAMED = lazy(
    r"(?:pass(?:word|wd|phrase)?|pwd|secret|token|keys?|creds?|credentials?|auth|login|default|admin|user(?:name)?|hash(?:ed)?)",
    re.IGNORECASE,
)
_TECHNICAL = lazy(
    r"(?:sha|md|base|utf|argon|oauth|http|ipv|x|rs|hs|es|ps|aes|ed|pbkdf|rfc|int|uint|float|s|ec|v|web|step|item|value|string|field|"
    r"input|line|page|part|phase|level|user|node|p|h|i|py|python|win|arg|param|col|row|bcrypt|scrypt|k)[-_]?\d{1,5}[a-z]?",
    re.IGNORECASE,
)
_CHOSEN = lazy(r"[A-Za-z]{4,16}\d{1,4}[!?]?|[\w!?.\-]+[$#%^&*+~=][\w!?.\-$#%^&*+~=@]+")
_MIXED = lazy(r"(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[!@#$%^&*+~=?])[^\s()\[\]{}<>/\\]{8,40}")
_WORDS = lazy("[a-z]{8,24}|(?=.*[a-z])[A-Za-z]{3,12}(?:[-.][A-Za-z]{3,12}){2,7}")
_CODE = lazy(r"[@!&*]?[\w.:\-]*(?:\(|\[|\)|\]|\?\.|=>|->).*", re.DOTALL)
_ATTRIBUTE = lazy(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_PATH = lazy(r"(?:\.{0,2}|~|[A-Za-z]:|[\w.\-]+)?[/\\](?:[\w.\-@+ ]+[/\\])*[\w.\-@+ ]*(?::\d+){0,2}")
_CONSTANT = lazy(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_FILE = lazy(
    r"[\w.\-]*\.(?:py|jsx?|tsx?|json|ya?ml|toml|md|txt|go|rs|rb|java|sh|env|pem|key|crt|cfg|ini|lock|html?|css|sql|log|png|svg)"
)
_DEFAULTS = frozenset(
    "password passwd postgres postgresql mysql mariadb root admin administrator secret guest user username login default minio minioadmin "
    "redis rabbitmq none null true false nil string str text bytes required optional hidden test pass pw pwd app localhost".split()
)


def wordiness(value: str) -> float:
    """How much of *value*, from 0 to 1, is made of letters that read as words."""
    letters = sum(map(str.isalnum, value))
    if not letters:
        return 0.0
    return sum(len(run) for run in _RUN.findall(value) if len(run) >= _SHORTEST_RUN and _reads(run.lower())) / letters


def is_random(value: str) -> bool:
    """Whether *value* looks drawn by chance: varied, not counting up, and not made of words."""
    if len(set(value)) < min(8, len(value)) or _counts_up(value):
        return False
    if _is_hex(value):
        return any(map(str.isdigit, value)) and not value.isdigit()
    return wordiness(value) < 0.55 and not value.isdigit()


def is_stand_in(value: str) -> bool:
    """Whether *value* only holds a place: `<token>`, `${TOKEN}`, `xxx`, `your_api_key`, `sk-...`."""
    return _STAND_IN.fullmatch(value) is not None or _has_sample_word(value) or len(set(value)) <= 3


def is_token(value: str, *, shortest: int = 16) -> bool:
    """Whether *value* can be a token or key that a machine made."""
    return (
        len(value) >= shortest
        and not _is_ordinary(value)
        and _UUID.fullmatch(value) is None
        and any(map(str.isalpha, value))
        and (any(map(str.isdigit, value)) or _mixes_cases(value))
        and is_random(value)
    )


def is_password(value: str, *, quoted: bool = False, strict: bool = False) -> bool:
    """Whether *value* can be a password; *strict* where only running text says that one follows."""
    if len(value) < 6 or len(value) > 200 or _is_ordinary(value) or value.lower() in _DEFAULTS:
        return False
    if not value.isprintable() or any(map(str.isspace, value)):
        return quoted and not strict and _is_phrase(value)
    if _SELF_NAMED.search(value) and (wordiness(value) > 0.6 or _names_itself(value)):
        return False
    digits = any(map(str.isdigit, value))
    symbols = any(not character.isalnum() and character not in "-_." for character in value.rstrip(".,:;!?)"))
    if not digits and not symbols:
        return not strict and quoted and _mixes_cases(value) and wordiness(value) < 0.5
    if _TECHNICAL.fullmatch(value.strip("-_")) or any(_TECHNICAL.fullmatch(part) for part in re.split("[-_/]", value)):
        return wordiness(value) < 0.3 and len(value) >= 10
    if not any(map(str.isalpha, value)):
        return quoted and digits and symbols
    return True


def is_chosen(value: str) -> bool:
    """Whether *value* is so much a password that a sentence is enough to believe it."""
    return is_password(value, strict=True) and (
        wordiness(value) < 0.6 or _CHOSEN.fullmatch(value) is not None or _MIXED.fullmatch(value) is not None
    )


def is_passphrase(value: str) -> bool:
    """Whether *value* is one plain word, or some joined ones, that nobody would write as a stand-in."""
    return _WORDS.fullmatch(value) is not None and not is_stand_in(value) and not is_default(value)


def is_phrase(value: str) -> bool:
    """Whether *value* is several words that make a passphrase: four or more plain ones, or passwords side by side."""
    return _is_phrase(value)


def is_uuid(value: str) -> bool:
    """Whether *value* is a UUID, which some services use as a key and most as a mere name."""
    return _UUID.fullmatch(value) is not None


def is_default(value: str) -> bool:
    """Whether *value* is a password that everybody knows, or a name for one: `postgres`, `my-password`."""
    return value.lower() in _DEFAULTS or (_SELF_NAMED.search(value) is not None and _names_itself(value))


def is_hex(value: str) -> bool:
    """Whether *value* is written in hexadecimal digits only, as digests and commits are."""
    return _is_hex(value)


def _has_sample_word(value: str) -> bool:
    """Whether *value* holds a word of examples. In a long key one of four letters turns up by chance."""
    found = _SAMPLE.search(value)
    if found is None:
        return False
    return len(value) <= _LONG or len(found.group()) >= _TELLING or wordiness(value) > 0.3


def _is_hex(value: str) -> bool:
    return _HEX.fullmatch(value) is not None


def _is_ordinary(value: str) -> bool:
    return (
        is_stand_in(value)
        or _NUMERIC.fullmatch(value) is not None
        or "://" in value
        or value.startswith(("//", "arn:"))
        or _CONSTANT.fullmatch(value) is not None
        or (_CODE.fullmatch(value) is not None and (len(value) < 20 or wordiness(value) > 0.3))
        or (_ATTRIBUTE.fullmatch(value) is not None and wordiness(value) > 0.5)
        or _FILE.fullmatch(value) is not None
        or _is_path(value)
    )


def _is_path(value: str) -> bool:
    if _PATH.fullmatch(value) is None:
        return False
    return wordiness(value) > (0.3 if value[0] in "/.~\\" else 0.5) or _UUID.search(value) is not None


def _names_itself(value: str) -> bool:
    rest = _SELF_NAMED.sub("", value)
    return sum(map(str.isalnum, rest)) <= 4 or wordiness(rest) > 0.5


def _is_phrase(value: str) -> bool:
    """A passphrase: four or more plain words and nothing else, or passwords side by side."""
    words = value.split(" ")
    plain = 4 <= len(words) <= 12 and all(word.isalpha() and word.islower() and len(word) >= 3 for word in words)
    return plain or (2 <= len(words) <= 4 and all(map(is_chosen, words)))


def _mixes_cases(value: str) -> bool:
    return any(map(str.islower, value)) and any(map(str.isupper, value))


def _counts_up(value: str) -> bool:
    """Whether most characters follow or repeat their neighbour, as in `abcdefgh` and `11112222`."""
    codes = [ord(character) for character in value.lower()]
    steps = sum(after - before in (0, 1) for before, after in pairwise(codes))
    return steps * 2 > len(codes)


def _reads(run: str) -> bool:
    pairs = len(run) - 1
    return sum(run[at : at + 2] in _COMMON_PAIRS for at in range(pairs)) * 2 >= pairs
