"""Secrets that only their surroundings tell: names and their values, URLs, headers, command lines, running text."""

import base64
import binascii
import re
from collections.abc import Callable, Iterator

from handoffsite.records.credentials import Span
from handoffsite.records.plausibility import is_chosen, is_default, is_hex, is_passphrase, is_password, is_stand_in, is_token, is_uuid, wordiness

_LONGEST_NAME = 40
_LONGEST_VALUE = 2_000
_SHORTEST_HEX = 32  # shorter hexadecimal values are colours, counts and commits

# ---- a name and its value ---------------------------------------------------------------------------------------------

_JOINT = re.compile(r"[=:>|\s\"'`：＝是为為は]")  # between a name and its value stands at least one of these
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
)
_PASSWORD = re.compile(
    r"pass(?:word|wd|wort|phrase|code|e)?s?\d?$|pwd?\d?$|kennwort$|contrase\w*$|senha$|парол\w*$|密码$|密碼$|パスワード$"
)
_SECRET = re.compile(r"secrets?\w{0,12}$|credentials?$|creds?$")
_TOKEN = re.compile(r"token(?:s|value|string)?\d?$|auth$|authkey$")
_GOOD_KEY = re.compile(
    r"(?:api|access|secret|private|encrypt(?:ion)?|decrypt(?:ion)?|sign(?:ing)?|account|auth|master|fernet|shared|storage|service|license|"
    r"app|application|client|hmac|aes|cipher|crypto?|jwt|consumer|subscription|integration|ingest(?:ion)?|write|admin|root|vault|webhook|"
    r"function|security|tls|ssl|data|db|database|backup|symmetric|kms|wallet|server|sas|rest|ws)key\w{0,8}$"
)
_KEY = re.compile(r"key(?:s|base|data|value|material|b64|base64|hex)?\d?$")
_NOT_SECRET = re.compile(
    r"(?:max|min|num|number|total|input|output|prompt|completion|cached?|context|next|prev|previous|page|continuation|sync|cancell?ation|"
    r"cancel|abort|stop|bos|eos|pad|unk|mask|special|design|syntax|first|last|change|resume|cursor|public|primary|foreign|partition|sort|"
    r"object|idempotency|dedup\w*|routing|cache|lookup|row|hash|index|group|translation|locale|react|query|shortcut|config|message|unique|"
    r"field|column|registry|ssh|host|gpg|meta|bypass|compass|monkey|turkey|jockey|hockey|author|trespass|pub)(?:token|key|pass)s?$"
)
_NOT_SECRET_END = re.compile(
    r"(?:names?|ids?|paths?|files?|filenames?|dirs?|urls?|uris?|endpoints?|types?|counts?|counter|limits?|budgets?|lengths?|len|size|policy|"
    r"fields?|labels?|prompt|hash(?:es|ed)?|digest|expir\w*|ttl|arns?|refs?|versions?|format|status|usage|used|manager|stores?|providers?|"
    r"class|kind|param(?:eter)?s?|inputs?|required|valid\w*|strength|header|prefix|suffix|pattern|regex|range|algorithm|alg|scheme|"
    r"method|mode|created|updated|at|since|fingerprint|checksum|index|order)$"
)


_NAME_BEFORE = re.compile(r"[A-Za-z0-9_.\-]*\Z")
_WORDS_BEFORE = re.compile(r"(?:[A-Za-z]{2,12}[ \-]){0,2}\Z")
_AFTER_NAME = re.compile(
    r"([\w.\-]{0,40})(?:\[\d{0,3}\])?(?:\\*[\"'`*_\])]){0,6}[ \t]{0,40}"
    # What may stand between: the second of a pair of attributes, or a type.
    r"(?:,?(?:[\s>+\-\d|→]|\\n){0,40}\\*[\"']?[Vv]alue\\*[\"']?[ \t]{0,8}(?=[:=])|(?::[ \t]{0,4})?[A-Za-z][\w.\[\]?|]{0,40}[ \t]{1,8}(?==(?![=>])))?"
    r"(:=|=>|={1,3}|::?|->|→|⇒|：|＝|\\?\|(?:\\?\|)?|\?\?|,|>|)"
)
_NEEDS_QUOTES = frozenset({"||", "\\|\\|", "??", ","})
_LOOSE = _NEEDS_QUOTES | {"|", "\\|", ">", ""}
_OPENING = re.compile(
    r"[*_]{0,3}[ \t]{0,40}(?:[|>][+\-]?[ \t]{0,4}(?=\n))?(\\?\r?\n[ \t>]{0,40}|(?:\\r)?\\n[ \t]{0,40})?"
    r"(?:[fbruFBRU]{1,2}(?=[\"'`]))?(\\*[\"'`])?"
)
_BARE = re.compile(r"(?:[^\s\"'`<>\\\uffff]|\\(?![nrt\"'\\]))+")
_NEXT_PAIR = re.compile(r"[;&,](?=[\w.\-]+=|$)")
_SPACED = re.compile(
    r"(?:^|[\s'\"`+>])(?:ENV|ARG|setenv|requirepass|masterauth|set|machine|login)\s[^\n]{0,80}\Z|(?:machine|login)\s[^\n]{0,80}\n[ \t>+\-\d|→]*\Z"
)

_SAID = re.compile(
    r"[A-Za-z0-9_\-]{0,12}((?:[ \t]+[A-Za-z0-9_@.'\-]{1,30}){0,4}?)"
    r"(?:[ \t]+(?:is|was|be|to|as|ist|lautet|est|es|holds|reads)\b|[ ]?[是为為は]):?\s{1,3}[\"'`*“‘「]{0,3}([^\s\"'`<>\\\uffff“”’」]{6,200})"
)
_NOT_SAID = re.compile(r"hash|digest|sha|checksum|fingerprint|commit|\bids?\b|uuid|path|file|name|length|public|version|cert|limit|count|\bnot?\b", re.IGNORECASE)
_NAMED_KEY = re.compile(r"[A-Za-z0-9+/_\-]{32,}={0,2}")
_AS_FAR_AS = 80

# ---- URLs, headers, command lines -------------------------------------------------------------------------------------

_URL_USER = re.compile(r"://([^\s/?#@:\"'`<>\\|\uffff]{0,200})(?::([^\s/\"'`<>\\\uffff]{1,300}))?@(?=[\w\[$.{<%\-])")
_PORT = re.compile(r"\d{1,5}(?:[?#&].*)?")
_QUERY = re.compile(r"(?<=[?&;])(?:sig|signature|code|auth|sid|x-(?:amz|goog)-signature)=([^&\s\"'`<>\\\uffff]{16,})", re.IGNORECASE)
_BEARER = re.compile(r"bearer[\"']?[ \t:=]{1,4}[\"']?([A-Za-z0-9\-._~+/]{12,}={0,2})", re.IGNORECASE)
_BASIC = re.compile(r"basic[ \t]+([A-Za-z0-9+/]{8,}={0,2})", re.IGNORECASE)
_HEADER = re.compile(r"authorization\\*[\"']?[ \t]*[:=,][ \t]*\\*[\"'`]?([^\n\"'`\\\uffff]{8,300})", re.IGNORECASE)
_HEADER_WORD = re.compile(r"[A-Za-z0-9\-._~+/]{16,}={0,2}")
_COOKIES = re.compile(r"cookie\\*[\"']?[ \t]*[:=][ \t]*\\*[\"'`]?([^\n\"'`\\\uffff]{8,4000})", re.IGNORECASE)
_COOKIE = re.compile(r"[\w.\-]{1,60}=([^\s;,]{16,})")
_USER_OPTION = re.compile(r"(?:-u|--user|--proxy-user|-U)[ =]?\\*[\"']?([^\s:%\"'\\]{1,60})[:%,]([^\s\"'\\`\uffff]{4,200})")
_FETCHES = re.compile(r"curl|wget|http|smbclient|jenkins|rpcclient")
_OPTION = re.compile(r"\s-(?:p|a|w|P)[ =]?\\*([\"']?)([^\s\"'\\`\uffff]{4,200})")
_ATTACHED = re.compile(r"\s-p\\*([\"']?)([^\s\"'\\`\uffff]{4,200})")
_MYSQL = re.compile(r"(?:mysql\w*|mariadb[\w\-]*)\s")
_TAKES_PASSWORD = re.compile(r"sshpass|(?:docker|podman|helm registry|az|oras|skopeo|crane) login|twine|redis-cli|mongo|ldap|htpasswd|keytool|smbclient|mosquitto|ipmitool")
_CALL = re.compile(r"login\(\s?\\*[\"']([^\s\"'\\`\uffff]{20,200})")
_SQL = re.compile(r"identified by (?:password )?\\*[\"']?([^\s\"'\\`;\uffff]{4,200})", re.IGNORECASE)
_PIPED = re.compile(r"echo\s+(?:-n\s+)?\\*[\"']?(?:[\w.\-]+:)?([^\s\"'\\`|\uffff]{4,200})\\*[\"']?\s*\\?\|\s*(?:sudo\s+-S|(?:sudo\s+)?chpasswd|passwd|docker login|gh auth)")
_SECURE_STRING = re.compile(r"securestring\s+(?:-string\s+)?\\*[\"']([^\"'\\\n\uffff]{4,200})", re.IGNORECASE)
_LOGIN = re.compile(r"(?:credentials?|creds?|login)[ \w()]{0,20}[:=]\s{0,4}[\"'`]?[\w.@+\-]{1,60}[\"'`]?\s{0,3}[/:,|]\s{0,3}[\"'`]?([^\s\"'`<>\\\uffff]{6,200})", re.IGNORECASE)
_MNEMONIC = re.compile(r"(?:mnemonic|phrase)\b[^\n]{0,30}?(?:[:=]|is|\n)\s{0,4}[\"'`]?((?:[a-z]{3,8} ){11,23}[a-z]{3,8})\b")


def spans(text: str) -> Iterator[Span]:
    """Where *text* holds a secret that its surroundings tell: start, end, kind."""
    if _JOINT.search(text) is None:
        return
    # The one letter that grows when it is lowered would shift every place after it.
    lower = text.replace("\u0130", "I").lower()
    for stem in _STEMS:
        if stem in lower:
            for at in _places(lower, stem):
                yield from _named(text, at, at + len(stem))
    for mark, rule in _MARKS:
        if mark in lower:
            for at in _places(lower, mark):
                yield from rule(text, at)


def _places(text: str, part: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + len(part))


def _named(text: str, start: int, stop: int) -> Iterator[Span]:
    """The value that a name with a telling stem, from *start* to *stop*, is given."""
    found = _AFTER_NAME.match(text, stop)
    separator = found.group(2) if found else ""
    value = _value(text, found.end(), separator) if found else None
    if found and value:
        before = text[max(0, start - _LONGEST_NAME) : start]
        run = _NAME_BEFORE.search(before)
        lead = run.group() if run else ""
        name = lead + text[start:stop] + found.group(1)
        if not separator and not _may_stand_apart(before, lead, value[2]):
            value = None
        elif separator == ">" and not before[: len(before) - len(lead)].endswith("<"):
            value = None
        elif kind := _kind(_words_before(before, lead) + name, text[value[0] : value[1]], separator, quoted=value[2], strict=value[3]):
            yield value[0], value[1], kind
            return
    yield from _said(text, start, stop)


def _may_stand_apart(before: str, lead: str, quoted: bool) -> bool:
    """Whether a value may follow the name after a blank alone."""
    return quoted or lead.startswith("-") or _SPACED.search(before[: len(before) - len(lead)]) is not None


def _words_before(before: str, lead: str) -> str:
    """The words that make one name with what follows: `secret access ` before `key`."""
    found = None if lead else _WORDS_BEFORE.search(before)
    return found.group() if found else ""


def _value(text: str, at: int, separator: str) -> tuple[int, int, bool, bool] | None:
    """Where the value at *at* starts and ends, whether it is quoted, and whether it must prove itself."""
    opening = _OPENING.match(text, at)
    if opening is None:
        return None
    start = opening.end()
    quote = opening.group(2)
    strict = separator in _LOOSE or opening.group(1) is not None
    if quote:
        end = text.find(quote, start, start + _LONGEST_VALUE)
        while end > start and text[end - 1] == "\\" and quote[0] != "\\":
            end = text.find(quote, end + 1, start + _LONGEST_VALUE)
        if end > start and "\n" not in text[start:end]:
            return start, end, True, strict
    if separator in _NEEDS_QUOTES or (strict and separator and opening.group(1) and separator in _LOOSE):
        return None
    bare = _BARE.match(text, start, start + _LONGEST_VALUE)
    return (start, start + len(_trimmed(bare.group())), False, strict) if bare else None


def _trimmed(value: str) -> str:
    """*value* without what the sentence, the list or the code around it added."""
    cut = _NEXT_PAIR.search(value)
    value = (value[: cut.start()] if cut else value).rstrip(".,;:*|")
    while value.endswith((")", "]", "}")) and value.count(value[-1]) > value.count("([{"[")]}".index(value[-1])]):
        value = value[:-1].rstrip(".,;:*|")
    return value


def _kind(name: str, value: str, separator: str, *, quoted: bool, strict: bool) -> str:
    """The kind of secret that *value* is under *name*; empty where it is none."""
    if len(value) < 6:
        return ""
    simple = "".join(filter(str.isalnum, name)).lower()
    if _NOT_SECRET.search(simple) or (_NOT_SECRET_END.search(simple) and not simple.endswith(("secretid", "passphrase"))):
        return ""
    if simple == "pass" and not quoted and separator != "=":
        return ""  # the word of every test report
    if _PASSWORD.search(simple):
        given = separator == "=" and name.isupper() or name.startswith("-")
        return "password" if is_password(value, quoted=quoted, strict=strict) or (given and is_passphrase(value)) else ""
    if _GOOD_KEY.search(simple):
        return "key" if is_token(value) or is_uuid(value) else ""
    if _SECRET.search(simple):
        return "secret" if is_token(value) or is_uuid(value) or (is_password(value, strict=True) and wordiness(value) < 0.5) else ""
    if _TOKEN.search(simple):
        return "token" if is_token(value) and (not is_hex(value) or len(value) >= _SHORTEST_HEX) else ""
    if _KEY.search(simple):
        good = is_token(value, shortest=20) and (not is_hex(value) or (name.isupper() and len(value) >= _SHORTEST_HEX))
        return "key" if good else ""
    return ""


def _said(text: str, start: int, stop: int) -> Iterator[Span]:
    """The secret that a sentence tells: `the staging password is …`, `here is the encryption key …`."""
    before = text[max(0, start - _LONGEST_NAME) : start]
    run = _NAME_BEFORE.search(before)
    lead = run.group() if run else ""
    found = _SAID.match(text, stop)
    if found and not _NOT_SAID.search(found.group(1)):
        value = _trimmed(found.group(2))
        kind = _kind(_words_before(before, lead) + lead + text[start:stop] + text[stop : found.start(1)], value, "is", quoted=False, strict=True)
        if kind and (kind != "password" or is_chosen(value)):
            yield found.start(2), found.start(2) + len(value), kind
            return
    if _GOOD_KEY.search("".join(filter(str.isalnum, _words_before(before, lead) + lead + text[start:stop])).lower()):
        key = _NAMED_KEY.search(text, stop, stop + _AS_FAR_AS)
        if key and not _NOT_SAID.search(text, stop, key.start()):
            whole = _NAMED_KEY.match(text, key.start())
            if whole and is_token(whole.group(), shortest=32) and ". " not in text[stop : key.start()]:
                yield whole.start(), whole.end(), "key"


def _url(text: str, at: int) -> Iterator[Span]:
    found = _URL_USER.match(text, at)
    if found is None:
        return
    user, password = found.groups()
    if password is None:
        if is_token(user, shortest=20):
            yield *found.span(1), "url-password"
    elif _is_url_password(user, password):
        yield *found.span(2), "url-password"


def _is_url_password(user: str, password: str) -> bool:
    if len(password) < 4 or password == user or is_stand_in(password) or _PORT.fullmatch(password):
        return False
    return not is_default(password)


def _query(text: str, at: int) -> Iterator[Span]:
    found = _QUERY.search(text, max(0, at - 16), at + _LONGEST_VALUE)
    if found and found.start() <= at and is_token(found.group(1), shortest=20):
        yield *found.span(1), "url-signature"


def _bearer(text: str, at: int) -> Iterator[Span]:
    found = _BEARER.match(text, at)
    if found and is_token(found.group(1)):
        yield *found.span(1), "bearer"


def _basic(text: str, at: int) -> Iterator[Span]:
    found = _BASIC.match(text, at)
    if found and _is_pair(found.group(1)):
        yield *found.span(1), "basic-auth"


def _is_pair(value: str) -> bool:
    """Whether *value* is `user:password` in base64."""
    try:
        pair = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return False
    return ":" in pair and pair.isprintable()


def _header(text: str, at: int) -> Iterator[Span]:
    found = _HEADER.match(text, at)
    for word in _HEADER_WORD.finditer(text, *found.span(1)) if found else ():
        if is_token(word.group()):
            yield *word.span(), "bearer"


def _cookies(text: str, at: int) -> Iterator[Span]:
    found = _COOKIES.match(text, at)
    for cookie in _COOKIE.finditer(text, *found.span(1)) if found else ():
        if is_token(cookie.group(1)):
            yield *cookie.span(1), "cookie"


def _user_option(text: str, at: int) -> Iterator[Span]:
    found = _USER_OPTION.match(text, at)
    if found is None:
        return
    password = found.group(2)
    fetches = _FETCHES.search(text, max(0, at - 200), at) is not None
    if (is_password(password) and (fetches or wordiness(password) < 0.6)) or (fetches and _is_url_password(found.group(1), password)):
        yield *found.span(2), "password"


def _command(text: str, at: int) -> Iterator[Span]:
    """The password that a command takes with a short option."""
    line = text[max(0, text.rfind("\n", 0, at) + 1, at - 300) : at]
    attached = _MYSQL.search(line) is not None
    found = (_ATTACHED if attached else _OPTION).match(text, at) if attached or _TAKES_PASSWORD.search(line) else None
    if found and (is_password(found.group(2), quoted=bool(found.group(1))) or is_token(found.group(2))):
        yield *found.span(2), "password"


def _captured(pattern: re.Pattern[str], accepts: Callable[[str], bool], kind: str) -> Callable[[str, int], Iterator[Span]]:
    """A rule: what *pattern* captures, if it is a secret to *accepts*, is one of *kind*."""

    def rule(text: str, at: int) -> Iterator[Span]:
        found = pattern.match(text, at)
        if found and accepts(found.group(1)):
            yield *found.span(1), kind

    return rule


def _any(value: str) -> bool:
    return not is_stand_in(value)


_MARKS: tuple[tuple[str, Callable[[str, int], Iterator[Span]]], ...] = (
    ("://", _url),
    ("sig=", _query),
    ("signature=", _query),
    ("code=", _query),
    ("auth=", _query),
    ("sid=", _query),
    ("bearer", _bearer),
    ("basic ", _basic),
    ("authorization", _header),
    ("cookie", _cookies),
    ("-u", _user_option),
    ("--user", _user_option),
    ("--proxy-user", _user_option),
    *((option, _command) for option in (" -p", " -a", " -w")),
    ("login(", _captured(_CALL, is_token, "token")),
    ("securestring", _captured(_SECURE_STRING, is_password, "password")),
    *((word, _captured(_LOGIN, is_chosen, "password")) for word in ("cred", "login")),
    ("identified by", _captured(_SQL, is_password, "password")),
    ("echo ", _captured(_PIPED, is_password, "password")),
    ("mnemonic", _captured(_MNEMONIC, _any, "mnemonic")),
    ("phrase", _captured(_MNEMONIC, _any, "mnemonic")),
)
