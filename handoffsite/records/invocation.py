"""Secrets in URLs, headers and command lines."""

import base64
import binascii
import re
from collections.abc import Callable, Iterator

from handoffsite.records.credentials import Span
from handoffsite.records.pattern import lazy
from handoffsite.records.plausibility import is_chosen, is_default, is_hex, is_password, is_stand_in, is_token, is_uuid, wordiness

# All of these run over lowered text, and each begins with its mark, so that the search for it is fast.
_VALUE = r"[^\s\"'`\\\uffff]"
_QUOTE = r"\\*[\"'`]?"
_URL = r"://([^\s/?#@:\"'`<>\\|\uffff]{0,200})(?::([^\s/\"'`<>\\\uffff]{1,200}))?@(?=[\w\[$.{<%\-])"
_BEARER = r"bearer[\"']?[ \t:=]{1,4}[\"']?([a-z0-9\-._~+/]{12,2000}={0,2})"
_BASIC = r"basic[ \t]+([a-z0-9+/]{8,400}={0,2})"
_AUTHORIZATION = rf"authorization\\*[\"']?[ \t]*[:=,][ \t]*{_QUOTE}([^\n\"'`\\\uffff]{{8,300}})"
_COOKIES = rf"cookie\\*[\"']?[ \t]*[:=][ \t]*{_QUOTE}([^\n\"'`\\\uffff]{{8,4000}})"
_USER = r"(?:[ =]|(?=\\*[\"'])|(?<= -u))\\*[\"']?([^\s:%\"'\\]{1,60})[:%,]([^\s\"'\\`\uffff]{4,200})"
_OPTION = rf"[ =]?\\*([\"']?)({_VALUE}{{4,200}})"
_LOGIN = rf"[ \w()]{{0,20}}?(?:[:=]| is | are )\s{{0,4}}{_QUOTE}[\w.@+\-]{{1,60}}{_QUOTE}\s{{0,3}}[/:,|]\s{{0,3}}{_QUOTE}([^\s\"'`<>\\\uffff]{{6,200}})"
_AUTH_OPTION = (
    r"(?:^|[\s;&|(`$])(?:https?|xhs?) (?:[^\n]{0,200}? )?(?:-a|--auth)[ =]\\*[\"']?[^\s:\"'\\]{1,60}:([^\s\"'\\`\uffff]{4,200})"
)
_SIGNED_IN = rf"(?:login|auth(?:[ ]?token|enticate)?|set-token)[ ]+{_QUOTE}([\w.\-]{{20,200}})(?![\w.\-])"
_NAMED_API = rf"-api\\*[\"']?[ \t]*[:=][ \t]*{_QUOTE}([\w+/=.\-]{{16,400}})"
_USER_KEY = r"\"username\\*\"\s*:\s*\\*\"[^\"\\]{1,80}\\*\"\s*,\s*\\*\"key\\*\"\s*:\s*\\*\"([\w\-]{16,200})"
_APP_SPECIFIC = r"app(?:lication)?[ \-]?(?:specific[ \-])?password[^\n\w]{0,8}(?:(?:is|to|=|:)[^\n\w]{1,4})?((?:[a-z]{4}[ \-]){3}[a-z]{4})(?![\w\-])"
_GO_DSN = r"[\"'`/ =][\w.\-]{1,60}:([^\s\"'`@\uffff]{4,200})@(?:tcp|unix|udp)\("
_SLASHED = r"(?<!\w)(?:sqlplus|impdp|expdp|rman|sqlldr|thin:)[ \t]*(?:-\w+[ \t]+)*[\"']?[\w$.]{1,40}/\"?([^\s@\"'/\uffff]{4,100})"
_COOKIE_OPTION = r"(?:-b|--cookie)[ =]\\*[\"']([^\n\"'\uffff]{8,4000})"
_JAR = r"(?:true|false)[\t ]/\S*[\t ](?:true|false)[\t ]\d+[\t ]\S{1,100}[\t ]([^\s\uffff]{16,2000})"
_HOOK = r"hooks?\d?(?:\.[\w.\-]{3,60})?/((?:[\w@.\-]{1,60}/){0,4}?)([\w\-]{16,100})(?=[\s\"'`<>)\]?#]|\Z)"
_URL_KEY = r"://[^\s\"'`<>?]{3,120}(?:/key/|/send\?key=)([\w\-]{16,100})(?![\w\-])"
_HTPASSWD = r"htpasswd[ \t]+(?:-\w+[ \t]+)*-(?:\w*(?:bn|nb)\w*|\w*b\w*[ \t]+[^\s\-]\S*)[ \t]+[\w@.\-]{1,60}[ \t]+\\*[\"']?([^\s\"'\uffff]{4,100})"
_NET = r"net (?:use|user)[ \t](?:[a-z]:[ \t]+|\*[ \t]+)?[\w\\.$\-]{1,100}[ \t]+([^\s/\"'\uffff]{6,100})[ \t]+/(?:user|add|domain|persistent|y)"
_VAULTED = r"(?:secret|secretsmanager|put-parameter|keyvault)[^\n]{0,160}[ ](?:--body|--value|--secret-string|--secret-value|-b)[ =]\\*[\"']?([^\s\"'\uffff{]{6,4000})"
_HTTP_BASIC = (
    r"(?:http-basic\.[\w.\-]{1,80}[ \t]+[\"']?[\w@.\-]{1,80}[\"']?|pypi-token\.[\w.\-]{1,80})[ \t]+[\"']?([^\s\"'\uffff]{4,200})"
)
_TWO_ARGUMENTS = r"\s?\\*[\"'][^\"'\n\\]{1,60}\\*[\"']\s?,\s?\\*[\"']([^\"'\n\\\uffff]{6,200})\\*[\"']\s?,?\s?[)\]]"
_ADDED_USER = r"add_user[ \t]+[\w@.\-]{1,40}[ \t]+\\*[\"']?([^\s\"'\uffff]{4,100})"
_UNLOCKED = r"(?:echo|printf)\s+(?:-n\s+)?\\*[\"']?([^\s\"'`|\uffff]{6,200})\\*[\"']?\s{0,4}\|\s{0,4}(?:sudo )?(?:cryptsetup|gpg|openssl|kinit|wrangler|vault|gh|npm|pass|age|security)\b"
_LOGGED_IN = (
    r"log(?:ged|ging)?[ -]?in (?:with|as|using) [\"'`*]{0,3}[\w@.+\-]{2,60}[\"'`*]{0,3}(?: ?[/:|,] ?|,? (?:and|with|using|plus) )"
    r"(?:the )?(?:password )?[\"'`*]{0,3}([^\s\"'`<>\\\uffff]{6,100})"
)
_SEED = r"[^\n]{0,60}?[ :=(\"'`*\n]([a-z2-7]{16,64}={0,6}|(?:[a-z2-7]{4}[ \-]){3,15}[a-z2-7]{4})(?![\w\-])"
_CODES = r"codes?\b([^\n]{0,60}[:\n])((?:[\s,;*•|\"'`\[\]\-]|\d{1,2}[.)] )*(?:[0-9a-z]{4,8}(?:[\- ][0-9a-z]{4,8}){0,3}(?:[\s,;*•|\"'`\[\]]|\\n|\d{1,2}[.)] |\Z){1,12}){2,20})"
_CONNECTED = r"connect\((?:\s?\\*[\"'][^\"'\n]{0,120}[\"']\s?,){2,3}\s?\\*[\"']([^\"'\n\\\uffff]{6,100})\\*[\"']"
_WITH_WORD = r"\b(?:with|using|and|use) (?:the |this )?(?:\w{1,12} )?password [\"'`*]{0,3}([^\s\"'`<>\\\uffff]{6,100})"
_CALL = rf"login\(\s?\\*[\"']({_VALUE}{{20,200}})"
_IDENTIFIED = rf"identified by (?:password )?\\*[\"']?({_VALUE}{{4,200}}?)(?=[;\s\"'`\\]|\Z)"
_SECURE_STRING = r"securestring\s+(?:-string\s+)?\\*[\"']([^\"'\\\n\uffff]{4,200})"
_PIPED = (
    rf"echo\s+(?:-n\s+)?{_QUOTE}(?:[\w.\-]{{1,40}}:)?([^\s\"'\\`|\uffff]{{4,200}}){_QUOTE}"
    r"\s{0,4}\\?\|\s{0,4}(?:sudo\s+-s|(?:sudo\s+)?chpasswd|passwd|docker login|gh auth)"
)
_PGPASS = r"pgpass[^\n]{0,80}\n[^\n]{0,80}?:\d{2,5}:[\w*.\-]{1,60}:[\w*.\-]{1,60}:([^\s\\\uffff]{4,200})"
_PGPASS_LINE = r":(?:5432|5433|6432|6543):[\w*.\-]{1,60}:[\w*.\-]{1,60}:([^\s\\:/@\"'\uffff]{4,200})(?=\s|\\n|\Z)"
_WORDS = r"\b[^\n]{0,30}?(?:[:=]|is|\n)\s{0,4}[\"'`]?((?:[a-z]{3,8} ){11,23}[a-z]{3,8})\b"

_CODE = lazy(
    r"(?<![\w\-])(?=[A-Za-z\- ]*\d)[0-9A-Za-z]{4,8}(?:-[0-9A-Za-z]{4,8}){1,3}(?![\w\-])|(?<![\w\-.])(?=[A-Za-z]*\d)[0-9A-Za-z]{8,12}(?![\w\-])|(?<![\w\-.])\d{4} \d{4}(?! ?\d)"
)
_SECOND_FACTORS = ("2fa", "mfa", "otp", "authenticat", "setup key", "two-factor", "second factor")
_NOT_HOOKS = frozenset("blob tree commit commits raw src blame compare pull releases".split())
_COOKIE = lazy(r"[\w.\-]{1,60}=([^\s;,]{16,2000})")
_HEADER_WORD = lazy(r"[A-Za-z0-9\-._~+/]{16,}={0,2}")
_PORT = lazy(r"\d{1,5}(?:[?#&].*)?", re.DOTALL)
_IN_QUERY = lazy(r"[?&;](?:x-(?:amz|goog)-)?\Z")
_FETCHES = lazy(r"curl|wget|http|ftp|smbclient|jenkins|rpcclient")
_TAKES_PASSWORD = lazy(
    r"sshpass|(?:docker|podman|helm registry|az|oras|skopeo|crane) login|twine|redis-cli|mongo|ldap|htpasswd|keytool|smbclient|mosquitto|ipmitool|"
    r"\bunzip|\bzip\b|ssh-keygen|sqlcmd|\bbcp\b|cqlsh|psexec|pdftk|openssl enc|snmp|rpcclient|netexec|crackmapexec|winrm|mqtt|influx|rclone|"
    r"hydra|plink|pscp|sshuttle|mount\.cifs|dsconf|ktpass|certutil|signtool|openconnect|nmcli|wpa_passphrase|(?:helm|gcloud|oc|argocd|nomad) "
)
_ATTACHED = lazy(r"(?:mysql\w{0,20}|mariadb[\w\-]{0,20}|7z\w?|7za|unrar|rar)(?:\s|\Z)")
_LINE = 300
_SHORTEST_HEX = 32


def spans(text: str, lower: str) -> Iterator[Span]:
    """Where *text*, given also in lower case, holds a secret of a URL, a header or a command: start, end, kind."""
    for mark, pattern, judge in _RULES:
        if mark in lower:
            for found in pattern.finditer(lower):
                yield from judge(text, found)


def _url(text: str, found: re.Match[str]) -> Iterator[Span]:
    user, password = (text[slice(*found.span(group))] for group in (1, 2))
    if found.group(2) is None:
        if is_token(user, shortest=20):
            yield *found.span(1), "url-password"
    elif _is_url_password(user, password):
        yield *found.span(2), "url-password"


def _is_url_password(user: str, password: str) -> bool:
    return not (
        len(password) < 4
        or password == user
        or is_stand_in(password)
        or is_default(password)
        or _PORT.fullmatch(password) is not None
    )


def _query(text: str, found: re.Match[str]) -> Iterator[Span]:
    start, end = found.span(1)
    if _IN_QUERY.search(text[max(0, found.start() - 8) : found.start()].lower()) and is_token(text[start:end], shortest=20):
        yield start, end, "url-signature"


def _basic(text: str, found: re.Match[str]) -> Iterator[Span]:
    start, end = found.span(1)
    if _is_pair(text[start:end]):
        yield start, end, "basic-auth"


def _is_pair(value: str) -> bool:
    """Whether *value* is `user:password` in base64."""
    try:
        pair = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return False
    return ":" in pair and pair.isprintable()


def _header(text: str, found: re.Match[str]) -> Iterator[Span]:
    for word in _HEADER_WORD.finditer(text, *found.span(1)):
        told = is_token(word.group()) and (not is_hex(word.group()) or len(word.group()) >= _SHORTEST_HEX)
        if told or is_uuid(word.group()):
            yield *word.span(), "bearer"


def _signed_in(text: str, found: re.Match[str]) -> Iterator[Span]:
    """The token with which a command is told who calls: a UUID only behind `auth`, since a log-in has one as well."""
    start, end = found.span(1)
    value = text[start:end]
    if is_token(value, shortest=20) or (is_uuid(value) and found.group().startswith("auth")):
        yield start, end, "token"


def _cookies(text: str, found: re.Match[str]) -> Iterator[Span]:
    for cookie in _COOKIE.finditer(text, *found.span(1)):
        if is_token(cookie.group(1)):
            yield *cookie.span(1), "cookie"


def _user(text: str, found: re.Match[str]) -> Iterator[Span]:
    start, end = found.span(2)
    password = text[start:end]
    fetches = _FETCHES.search(_line_before(text, found.start())) is not None
    if (is_password(password) and (fetches or wordiness(password) < 0.6)) or (
        fetches and _is_url_password(found.group(1), password)
    ):
        yield start, end, "password"


def _option(text: str, found: re.Match[str]) -> Iterator[Span]:
    """The password that a command takes with a short option."""
    line = _line_before(text, found.start())
    start, end = found.span(2)
    value = text[start:end]
    # `mysql -p name` asks for a password and opens a database: only what is attached is one.
    takes = (
        text[found.start() : start].endswith(("-p", "-p'", '-p"', "-hp"))
        if _ATTACHED.search(line)
        else _TAKES_PASSWORD.search(line)
    )
    if takes and (is_password(value, quoted=bool(found.group(1))) or is_token(value)):
        yield start, end, "password"


def _cookie_option(text: str, found: re.Match[str]) -> Iterator[Span]:
    if found.group().startswith("--") or _FETCHES.search(_line_before(text, found.start())):
        yield from _cookies(text, found)


def _hook(text: str, found: re.Match[str]) -> Iterator[Span]:
    """What makes the address of a web hook a secret: its last part."""
    before = text[max(0, found.start() - _LINE) : found.start()]
    host = before.rfind("://")
    parts = frozenset(found.group(1).split("/"))
    if host < 0 or any(map(str.isspace, before[host:])) or parts & _NOT_HOOKS:
        return
    start, end = found.span(2)
    if is_token(text[start:end], shortest=18) or is_uuid(text[start:end]):
        yield start, end, "webhook"


def _url_key(text: str, found: re.Match[str]) -> Iterator[Span]:
    start, end = found.span(1)
    if is_token(text[start:end]) or is_uuid(text[start:end]):
        yield start, end, "webhook"


def _seed(text: str, found: re.Match[str]) -> Iterator[Span]:
    """The key from which a second factor is made: base 32, in one case, often in groups of four."""
    start, end = found.span(1)
    seed = "".join(character for character in text[start:end] if character.isalnum())
    grouped = len(seed) < end - start
    if (
        (seed.isupper() or (grouped and seed.islower()))
        and any(map(str.isdigit, seed))
        and len(set(seed)) >= 8
        and not is_stand_in(seed)
    ):
        yield start, end, "otp-seed"


def _codes(text: str, found: re.Match[str]) -> Iterator[Span]:
    codes = [code.span() for code in _CODE.finditer(text, *found.span(2))]
    if len(codes) > 1:
        yield from ((start, end, "recovery-code") for start, end in codes)


def _line_before(text: str, at: int) -> str:
    return text[max(text.rfind("\n", max(0, at - _LINE), at) + 1, at - _LINE) : at]


def _captured(accepts: Callable[[str], bool], kind: str) -> Callable[[str, re.Match[str]], Iterator[Span]]:
    """A judge that takes what is captured for one of *kind* if it is a secret to *accepts*."""

    def judge(text: str, found: re.Match[str]) -> Iterator[Span]:
        start, end = found.span(1)
        if accepts(text[start:end]):
            yield start, end, kind

    return judge


def _not_known(value: str) -> bool:
    return not (is_stand_in(value) or is_default(value))


def _is_stored(value: str) -> bool:
    return is_password(value) or is_token(value)


def _not_stand_in(value: str) -> bool:
    return not is_stand_in(value)


_RULES = tuple(
    (mark, lazy(pattern), judge)
    for mark, pattern, judge in (
        ("://", _URL, _url),
        *(
            (f"{name}=", rf"{name}=([^&\s\"'`<>\\\uffff]{{16,500}})", _query)
            for name in ("sig", "signature", "code", "auth", "sid")
        ),
        ("bearer", _BEARER, _captured(is_token, "bearer")),
        ("basic", _BASIC, _basic),
        ("authorization", _AUTHORIZATION, _header),
        ("cookie", _COOKIES, _cookies),
        ("-u", "-u" + _USER, _user),
        ("-user", "-user" + _USER, _user),
        *((f" -{letter}", rf" -{letter}" + _OPTION, _option) for letter in "pawn"),
        ("-b", _COOKIE_OPTION, _cookie_option),
        ("--cookie", _COOKIE_OPTION, _cookie_option),
        *((mark, _JAR, _captured(is_token, "cookie")) for mark in ("true\t/", "true /", "false\t/", "false /")),
        ("login(", _CALL, _captured(is_token, "token")),
        ("auth", r"auth\w*\s?[=(:]?\s?[(\[]" + _TWO_ARGUMENTS, _captured(is_password, "password")),
        ("login(", r"login\(" + _TWO_ARGUMENTS, _captured(is_password, "password")),
        *((mark, _GO_DSN, _captured(_not_known, "url-password")) for mark in ("@tcp(", "@unix(")),
        *(
            (mark, _SLASHED, _captured(_not_known, "password"))
            for mark in ("sqlplus", "impdp", "expdp", "rman", "sqlldr", "thin:")
        ),
        ("hook", _HOOK, _hook),
        ("/key/", _URL_KEY, _url_key),
        ("/send?key=", _URL_KEY, _url_key),
        ("htpasswd", _HTPASSWD, _captured(is_password, "password")),
        *((mark, _NET, _captured(is_password, "password")) for mark in ("net use",)),
        *((mark, _VAULTED, _captured(_is_stored, "secret")) for mark in ("--body", "--value", "--secret-string", "secret set")),
        *((mark, _HTTP_BASIC, _captured(_not_known, "password")) for mark in ("http-basic.", "pypi-token.")),
        ("connect(", _CONNECTED, _captured(is_chosen, "password")),
        ("password ", _WITH_WORD, _captured(is_chosen, "password")),
        *((mark, _UNLOCKED, _captured(is_password, "password")) for mark in ("echo", "printf")),
        ("add_user", _ADDED_USER, _captured(is_password, "password")),
        *((mark, _LOGGED_IN, _captured(is_chosen, "password")) for mark in ("in with", "in as", "in using")),
        *((mark, mark + _SEED, _seed) for mark in _SECOND_FACTORS),
        *((mark, mark + " " + _CODES, _codes) for mark in ("recovery", "backup", "scratch", "rescue")),
        ("securestring", _SECURE_STRING, _captured(is_password, "password")),
        *((word, word + _LOGIN, _captured(is_chosen, "password")) for word in ("creds", "credential", "login")),
        ("identified by", _IDENTIFIED, _captured(is_password, "password")),
        *((mark, _PGPASS_LINE, _captured(is_password, "password")) for mark in (":5432:", ":5433:", ":6432:", ":6543:")),
        *((mark, _SIGNED_IN, _signed_in) for mark in ("login ", "auth ", "authtoken ", "authenticate ", "set-token ")),
        ("-api", _NAMED_API, _captured(is_token, "key")),
        ('"username', _USER_KEY, _captured(is_token, "key")),
        ("password", _APP_SPECIFIC, _captured(_not_stand_in, "password")),
        ("http", _AUTH_OPTION, _captured(is_password, "password")),
        ("pgpass", _PGPASS, _captured(_not_stand_in, "password")),
        ("echo", _PIPED, _captured(is_password, "password")),
        *((word, word + _WORDS, _captured(_not_stand_in, "mnemonic")) for word in ("mnemonic", "phrase")),
    )
)
