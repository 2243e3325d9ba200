"""Secrets under a telling name: `DB_PASSWORD=…`, `"api_key": "…"`, `the staging password is …`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from handoffsite.records.credentials import Span
from handoffsite.records.pattern import lazy
from handoffsite.records.plausibility import (
    is_chosen,
    is_hex,
    is_passphrase,
    is_password,
    is_phrase,
    is_token,
    is_uuid,
    wordiness,
)

_JOINT = lazy(r"[=:>|\s\"'`：＝是为為は]")  # between a name and its value stands at least one of these
_STEMS = (
    "pass",
    "pw",
    "secret",
    "token",
    "key",
    "cred",
    "auth",
    "kennwort",
    "contrase",
    "senha",
    "парол",
    "密码",
    "密碼",
    "パスワード",
    "wachtwoord",
    "lösenord",
    "hasło",
    "heslo",
    "parola",
    "şifre",
    "mật khẩu",
    "비밀번호",
    "암호",
    "口令",
    "psk",
    "_pat",
    "salt",
)
_PASSWORD = lazy(
    r"pass(?:word|wd|wort|phrase|code|e)?s?\d?$|pwd?\d?$|kennwort$|contrase\w*$|senha$|парол\w*$|密码$|密碼$|パスワード$|"
    r"wachtwoord$|lösenord$|hasło$|heslo$|parola$|şifre\w*$|mậtkhẩu$|비밀번호\w*$|암호\w*$|口令$|psk$"
)
_SECRET = lazy(r"secrets?\w{0,12}$|credentials?$|creds?$")
_TOKEN = lazy(
    r"token(?:s|value|string)?\d?$|auth$|authkey$|pat$|(?:auth|nonce|login|loggedin|secure\w*|session|cookie|jwt|app)salt$"
)
_GOOD_TOKEN = lazy(r"(?:access|auth|api|bearer|secret|service|consul|vault|nomad|personal|bot|deploy|admin)token$|^x\w*token$")
_GOOD_KEY = lazy(
    r"(?:api|access|secret|private|encrypt(?:ion)?|decrypt(?:ion)?|sign(?:ing)?|account|auth|master|fernet|shared|storage|service|license|"
    r"app|application|client|hmac|aes|cipher|crypto?|jwt|consumer|subscription|integration|ingest(?:ion)?|write|admin|root|vault|webhook|"
    r"function|security|tls|ssl|data|db|database|backup|symmetric|kms|wallet|server|sas|rest|ws)key\w{0,8}$"
)
_KEY = lazy(r"key(?:s|base|data|value|material|b64|base64|hex)?\d?$")
_NOT_SECRET = lazy(
    r"(?:max|min|num|number|total|input|output|prompt|completion|cached?|context|(?:next|prev(?:ious)?|start(?:ing)?|page|sync|resume)(?:page|forward|backward|sync)?|continuation|cancell?ation|"
    r"cancel|abort|stop|bos|eos|pad|unk|mask|special|design|syntax|first|last|change|cursor|public\w*|primary|foreign|partition|sort|"
    r"object|idempotency|dedup\w*|routing|cache|lookup|row|hash|index|group|translation|locale|react|query|shortcut|config|message|unique|"
    r"field|column|registry|ssh|host|gpg|meta|monkey|turkey|jockey|hockey|author|pub)(?:token|key)s?$"
    r"|(?:by|com|tres|sur|over|under|first|second|third|last|next|one|two|single|multi|max|min|num|number|total|render\w*|cache)pass(?:es)?$"
)
_NOT_SECRET_END = lazy(
    r"(?:names?|ids?|paths?|files?|filenames?|dirs?|urls?|uris?|endpoints?|types?|counts?|counter|limits?|budgets?|lengths?|len|size|policy|"
    r"fields?|labels?|prompt|hash(?:es|ed)?|digest|expir\w*|ttl|arns?|refs?|versions?|format|status|usage|used|manager|stores?|providers?|"
    r"class|kind|param(?:eter)?s?|inputs?|required|valid\w*|strength|header|prefix|suffix|pattern|regex|range|algorithm|alg|scheme|"
    r"method|mode|created|updated|at|since|fingerprint|checksum|index|order)$"
)

_LONGEST_NAME = 40
_LONGEST_VALUE = 512
_SHORTEST_HEX = 32  # shorter hexadecimal values are colours, counts and commits

_IN_ADDRESS = lazy(r"\barn:[\w:/\-]{0,90}\Z")
_NAME_BEFORE = lazy(r"[A-Za-z0-9_.\-]*\Z")
_WORDS_BEFORE = lazy(r"(?:[A-Za-z]{2,12}[ \-]){0,2}\Z")
_AFTER_NAME = lazy(
    r"([\w.\-]{0,40})(?:\[\d{0,3}\])?(?:\\*[\"'`*_\])]){0,6}[ \t]{0,40}"
    # What may stand between: the second of a pair of attributes, or a type.
    r"(?:,?(?:[\s>+\-\d|→]|\\n){0,40}\\*[\"']?[Vv]alue\\*[\"']?[ \t]{0,8}(?=[:=])"
    r"|</[\w.:\-]{1,30}>\s{0,40}<[\w.:\-]{1,30}(?=>)"
    r"|(?::[ \t]{0,4})?&?(?:'?static )?[A-Za-z][\w.\[\]?|<>]{0,40}[ \t]{1,8}(?==(?![=>]))|[ \t]{0,4}\{[ \t]{0,4}get;[^{}\n=]{0,40}\}[ \t]{0,8}(?==)|\{[^{}=]{0,80}(?:type[ \t]*=[^{}=]{0,80})?default[ \t]{0,8}(?==))?"
    r"(:=|=>|={1,3}|::?|->|→|⇒|：|＝|\\?\|(?:\\?\|)?|\?\?|,|>|)"
)
_QUOTED_ONLY = frozenset({"||", r"\|\|", "??", ","})
_TAG_STARTS = (("<",), ("<", ">"))  # of an element that is called so, and of one that holds the name of the next
_ON_ONE_LINE = _QUOTED_ONLY | {"|", r"\|", ">", ""}
_OPENING = lazy(
    r"[*_]{0,3}[ \t]{0,40}(?:[|>][+\-]?[ \t]{0,4}(?=\n))?(\\?\r?\n[ \t>]{0,40}|(?:\\r)?\\n[ \t]{0,40})?"
    r"(?:[fbruFBRU]{1,2}(?=[\"'`]))?(\\*[\"'`])?"
)
_QUOTE = lazy(r"\\*[\"'`]")
_BARE = lazy(r"[^\s\"'`<>\\\uffff]{0,512}(?:\\(?![nrt\"'\\])[^\s\"'`<>\\\uffff]{0,512}){0,8}")
_REST = lazy(r"[\w+/=.\-]{0,16000}")  # of a key that is longer than what is looked at
_NEXT_PAIR = lazy(r"[;&,](?=[\w.\-]{1,60}=|$)")
_SPACED = lazy(
    r"(?:^|[\s'\"`+>])(?:ENV|ARG|setenv|setx|requirepass|masterauth|set|config|configure|connect|machine|login)\s[^\n]{0,80}\Z"
    r"|(?:machine|login)\s[^\n]{0,80}\n[ \t>+\-\d|→]*\Z"
)

_SAID = lazy(
    r"\w{0,12}((?:[ \t]+[\w@.'\-]{1,30}){0,4}?)(?:[ \t]+(?:is|was|be|to|as|ist|lautet|est|es|é|è|är|er|este|to|holds|reads)\b|[ ]?[是为為は는은]|[ \t]+[-–—]|(?<=[^\W\d_]{2})(?=:)|[ \t]+(?=\([^\s()]{6,200}\)))"
    r":?(?:\s{1,3}|\()(?:[\"'`“‘「*]{0,2}[\"'`“‘「]([^\"'`<>\\\uffff\n”’」]{6,200})[\"'`”’」]|[*]{0,3}([^\s\"'`<>\\\uffff“”’」]{6,200}))"
)
# What is said before the name: `use … as the password`.
_SAID_BEFORE = lazy(r"[\s\"'`]([^\s\"'`<>\\\uffff]{6,200})[\"'`*]{0,3}[ \t]+as[ \t]+(?:[A-Za-z]{1,12}[ \t]+){0,3}\Z")
_NOT_SAID = lazy(
    r"hash|digest|sha|checksum|fingerprint|commit|\bids?\b|uuid|path|file|name|length|public|version|cert|limit|count|\bnot?\b|\. ",
    re.IGNORECASE,
)
_TAIL = lazy(r"[\w\-]{0,12}")
_RUN = lazy(r"(?<![A-Za-z0-9+/_\-])[A-Za-z0-9+/_\-]{32,512}={0,2}")
_WITHIN_REACH = 60
_CUT = 20


@dataclass(frozen=True, slots=True)
class _Name:
    """What a value is called: the *lead* of the name before its telling stem, and the *words* before that."""

    start: int
    lead: str
    words: str


@dataclass(frozen=True, slots=True)
class _Value:
    """Where a value stands; a *strict* one must prove itself, as its place alone is no sign."""

    start: int
    end: int
    quoted: bool
    strict: bool


def spans(text: str, lower: str) -> Iterator[Span]:
    """Where *text*, given also in lower case, holds a secret under a telling name: start, end, kind."""
    if _JOINT.search(text) is None:
        return
    for stem in _STEMS:
        at = lower.find(stem)
        while at >= 0:
            stop = at + len(stem)
            yield from _assigned(text, at, stop) or _said(text, at, stop)
            at = lower.find(stem, stop)


def _assigned(text: str, start: int, stop: int) -> list[Span]:
    """The value that the name with its stem from *start* to *stop* is given by a sign."""
    found = _AFTER_NAME.match(text, stop)
    if found is None or (not found.group(2) and not _may_stand_apart(text, start, found.end())):
        return []
    value = _value(text, found.end(), found.group(2))
    if value is None or value.end - value.start < 6:
        return []
    name = _name(text, start)
    if (
        found.group(2) == ">" and text[name.start - 1 : name.start] not in _TAG_STARTS["</" in found.group()]
    ) or _IN_ADDRESS.search(text, max(0, name.start - 100), name.start):
        return []
    called = name.words + name.lead + text[start:stop] + found.group(1)
    kind = _kind(called, text[value.start : value.end], found.group(2), quoted=value.quoted, strict=value.strict)
    end = value.end
    if kind and end - value.start >= _LONGEST_VALUE and (rest := _REST.match(text, end)):
        end = rest.end()
    return [(value.start, end, kind)] if kind else []


def _name(text: str, start: int) -> _Name:
    before = text[max(0, start - _LONGEST_NAME) : start]
    run = _NAME_BEFORE.search(before)
    lead = run.group() if run else ""
    # `secret access ` before `key` makes one name with it.
    words = None if lead else _WORDS_BEFORE.search(before)
    return _Name(start - len(lead), lead, words.group() if words else "")


def _may_stand_apart(text: str, start: int, stop: int) -> bool:
    """Whether a value may follow the name after a blank alone: when quoted, to an option, in a file of such pairs."""
    if _QUOTE.match(text, stop):
        return True
    name = _name(text, start)
    return name.lead.startswith("-") or _SPACED.search(text[max(0, name.start - _LONGEST_NAME * 3) : name.start]) is not None


def _value(text: str, at: int, sign: str) -> _Value | None:
    """The value that begins at *at*, after *sign*."""
    opening = _OPENING.match(text, at)
    if opening is None:
        return None
    newline, quote = opening.groups()
    strict = sign in _ON_ONE_LINE or newline is not None
    if newline and sign in _ON_ONE_LINE:
        return None
    if quote and (end := _closing(text, opening.end(), quote)):
        return _Value(opening.end(), end, True, strict)
    if sign in _QUOTED_ONLY:
        return None
    bare = _BARE.match(text, opening.end())
    return _Value(opening.end(), opening.end() + len(_trimmed(bare.group())), False, strict) if bare else None


def _closing(text: str, start: int, quote: str) -> int:
    """Where the string that began at *start* ends; 0 where it does not end on its line."""
    limit = start + _LONGEST_VALUE
    end = text.find(quote, start, limit)
    while end > start and text[end - 1] == "\\" and quote[0] != "\\":
        end = text.find(quote, end + 1, limit)
    return end if end > start and "\n" not in text[start:end] else 0


def _trimmed(value: str) -> str:
    """*value* without what the sentence, the list or the code around it added."""
    cut = _NEXT_PAIR.search(value)
    value = (value[: cut.start()] if cut else value).rstrip(".,;:*|")
    if value.endswith("…") and len(value) > _CUT:  # one that was cut to fit is a secret still
        value = value.rstrip("….")
    while value.endswith((")", "]", "}")) and value.count(value[-1]) > value.count("([{"[")]}".index(value[-1])]):
        value = value[:-1].rstrip(".,;:*|")
    return value


def _simple(name: str) -> str:
    return "".join(filter(str.isalnum, name)).lower()


def kind_of(name: str, value: str) -> str:
    """The kind of secret that *value* is, of which only a distant *name* tells; empty where it is none."""
    return _kind(name, value, "=", quoted=False, strict=True) if value else ""


def _kind(name: str, value: str, sign: str, *, quoted: bool, strict: bool) -> str:
    """The kind of secret that *value* is under *name*; empty where it is none."""
    simple = _simple(name)
    if _NOT_SECRET.search(simple) or (_NOT_SECRET_END.search(simple) and not simple.endswith(("secretid", "passphrase"))):
        return ""
    if simple == "pass" and sign not in {"=", "is"} and not (quoted and sign == ":"):
        return ""  # the word of every test report
    if _PASSWORD.search(simple):
        plain = (sign == "=" and name.isupper()) or name.startswith("-")
        phrase = quoted and sign == "is" and is_phrase(value)
        return (
            "password" if is_password(value, quoted=quoted, strict=strict) or (plain and is_passphrase(value)) or phrase else ""
        )
    if is_hex(value) and len(value) < _SHORTEST_HEX:
        return ""
    if _GOOD_KEY.search(simple):
        return "key" if is_token(value) or is_uuid(value) else ""
    if _SECRET.search(simple):
        return (
            "secret" if is_token(value) or is_uuid(value) or (is_password(value, strict=True) and wordiness(value) < 0.5) else ""
        )
    if _TOKEN.search(simple):
        return "token" if is_token(value) or (is_uuid(value) and (name.isupper() or _GOOD_TOKEN.search(simple))) else ""
    # Any other key may be the key of a map, a cache or a bucket.
    said = sign == "is" and not is_hex(value)
    if _KEY.search(simple) and (name.isupper() or said or (quoted and not is_hex(value) and value.isalnum())):
        return "key" if is_token(value, shortest=20) and wordiness(value) < 0.3 else ""
    return ""


def _said_before(text: str, start: int, stop: int) -> Iterator[Span]:
    """The secret before its name, as in `use … as the password`."""
    if " as " not in text[max(0, start - _WITHIN_REACH) : start]:
        return
    found = _SAID_BEFORE.search(text[max(0, start - 300) : start])
    if found is None:
        return
    shift, value, name = max(0, start - 300), found.group(1), _name(text, start)
    tail = _TAIL.match(text, stop)
    called = name.words + name.lead + text[start : tail.end() if tail else stop]
    kind = _kind(called, value, "is", quoted=False, strict=True)
    if kind and (kind != "password" or is_chosen(value)):
        yield shift + found.start(1), shift + found.end(1), kind


def _said(text: str, start: int, stop: int) -> Iterator[Span]:
    """The secret that a sentence tells: `the staging password is …`, `here is the encryption key …`."""
    found = _SAID.match(text, stop)
    if found and not _NOT_SAID.search(found.group(1)):
        name = _name(text, start)
        group = 2 if found.group(2) else 3
        value = found.group(2) or _trimmed(found.group(3))
        kind = _kind(name.words + name.lead + text[start : found.start(1)], value, "is", quoted=group == 2, strict=group == 3)
        if kind and (kind != "password" or is_chosen(value) or (group == 2 and (is_phrase(value) or wordiness(value) < 0.8))):
            yield found.start(group), found.start(group) + len(value), kind
            return
    yield from _said_before(text, start, stop)
    if text[start:stop].lower() == "key" and (run := _RUN.search(text, stop, stop + _WITHIN_REACH + _SHORTEST_HEX)):
        name = _name(text, start)
        run = _RUN.match(text, run.start())
        close = _GOOD_KEY.search(_simple(name.words + name.lead + "key")) and not _NOT_SAID.search(
            text, stop, run.start() if run else stop
        )
        if run and close and is_token(run.group(), shortest=_SHORTEST_HEX):
            yield *run.span(), "key"
