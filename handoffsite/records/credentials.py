"""Secrets that show themselves: tokens in their vendor's shape, web tokens, private keys."""

import re
from collections.abc import Iterator
from functools import cache

from handoffsite.records.plausibility import is_random, is_stand_in

Span = tuple[int, int, str]

# What a token begins with, and how many characters follow when it is whole. A cut token is still a secret.
_PREFIXES = {
    "adafruit": "aio_ 28",
    "age": "AGE-SECRET-KEY-1 58",
    "anthropic": "sk-ant- 104",
    "artifactory": "cmVmdGtuO 55",
    "atlassian": "ATATT3 186 ATCTT3 186",
    "buildkite": "bkua_ 40 bkct_ 40",
    "circleci": "CCIPAT_ 63 CCIPRJ_ 63",
    "clojars": "CLOJARS_ 60",
    "cloudflare": "cfut_ 40 cfat_ 40 v1.0- 171",
    "contentful": "CFPAT- 43",
    "digitalocean": "dop_v1_ 64 doo_v1_ 64 dor_v1_ 64",
    "docker": "dckr_pat_ 27 dckr_oat_ 32",
    "doppler": "dp.pt. 43 dp.st. 43 dp.ct. 43 dp.sa. 43 dp.scim. 43 dp.audit. 43",
    "duffel": "duffel_live_ 43 duffel_test_ 43",
    "dynatrace": "dt0c01. 89 dt0s01. 89 dt0s16. 89",
    "figma": "figd_ 40 figo_ 40",
    "flutterwave": "FLWSECK_TEST- 32 FLWSECK- 32",
    "fly": "fm1r_ 90 fm1a_ 90 fm2_ 90 fo1_ 43",
    "frameio": "fio-u- 64",
    "github": "ghp_ 36 gho_ 36 ghu_ 36 ghs_ 36 ghr_ 36 github_pat_ 82",
    "gitlab": "glpat- 20 gloas- 64 gldt- 20 glrt- 20 glrtr- 20 glptt- 40 glcbt- 20 glimt- 25 glft- 20 glagent- 50 glsoat- 20 glffct- 20",
    "google": "AIza 35 GOCSPX- 28 ya29. 120",
    "grafana": "glsa_ 41 glc_ 60",
    "groq": "gsk_ 52",
    "heroku": "HRKU- 58",
    "huggingface": "hf_ 34 api_org_ 34",
    "langsmith": "lsv2_pt_ 43 lsv2_sk_ 43",
    "linear": "lin_api_ 40 lin_oauth_ 64",
    "netlify": "nfp_ 36 nfc_ 36",
    "newrelic": "NRAK- 27 NRJS- 19 NRRA- 42 NRAL- 35",
    "notion": "ntn_ 46",
    "npm": "npm_ 36",
    "nvidia": "nvapi- 64",
    "openai": "sk-proj- 156 sk-svcacct- 156 sk-admin- 156",
    "openrouter": "sk-or-v1- 64",
    "openshift": "sha256~ 43",
    "perplexity": "pplx- 48",
    "pinecone": "pcsk_ 69",
    "planetscale": "pscale_tkn_ 43 pscale_pw_ 43 pscale_oauth_ 43",
    "posthog": "phx_ 43 phs_ 43",
    "postman": "PMAK- 59",
    "prefect": "pnu_ 36 pnb_ 36",
    "pulumi": "pul- 40",
    "pypi": "pypi-AgE 150",
    "readme": "rdme_ 70",
    "replicate": "r8_ 37",
    "rubygems": "rubygems_ 48",
    "sendgrid": "SG. 66",
    "sendinblue": "xkeysib- 81 xsmtpsib- 81",
    "sentry": "sntrys_ 150 sntryu_ 64 sntrya_ 64",
    "shippo": "shippo_live_ 40 shippo_test_ 40",
    "shopify": "shpat_ 32 shpss_ 32 shpca_ 32 shppa_ 32 shptka_ 32",
    "slack": "xoxb- 50 xoxp- 70 xoxa- 50 xoxr- 50 xoxs- 50 xoxo- 50 xoxe- 140 xoxe.xoxp- 160 xoxe.xoxb- 160 xapp- 90 xoxc- 60 xoxd- 100",
    "sonar": "squ_ 40 sqp_ 40 sqa_ 40",
    "square": "sq0atp- 22 sq0csp- 43",
    "stripe": "sk_live_ 24 sk_test_ 24 sk_prod_ 24 rk_live_ 24 rk_test_ 24 rk_prod_ 24 whsec_ 32",
    "supabase": "sbp_ 40 sb_secret_ 31",
    "tailscale": "tskey- 36",
    "tavily": "tvly- 32",
    "typeform": "tfp_ 59",
    "vault": "hvs. 90 hvb. 138 hvr. 90",
    "vercel": "vcp_ 24 vck_ 56 vercel_blob_rw_ 40",
    "xai": "xai- 80",
    "private-key": "LS0tLS1CRUdJTiBSU0Eg 900 LS0tLS1CRUdJTiBQUklWQVRF 200 LS0tLS1CRUdJTiBFQyBQ 200 LS0tLS1CRUdJTiBPUEVOU1NI 400",
}

_HALF = 2
_SHORTEST = 16

# Kinds that a prefix alone does not tell: what every one of them contains, and its whole shape; a group holds the secret
# where the shape is more than the secret.
_SHAPES = (
    ("airtable", "pat", r"(?<!\w)pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    ("alibaba", "LTAI", r"(?<!\w)LTAI[A-Za-z0-9]{17,21}(?!\w)"),
    ("asana", "1/1", r"(?<![\w/])[12]/\d{15,17}(?:/\d{15,17})?:[0-9a-f]{32}"),
    ("aws", "AKIA", r"(?<![A-Z0-9])AKIA[A-Z2-7]{16}(?![A-Z0-9])"),
    ("aws", "ASIA", r"(?<![A-Z0-9])ASIA[A-Z2-7]{16}(?![A-Z0-9])"),
    ("aws", "ABSK", r"(?<!\w)ABSK[A-Za-z0-9+/]{100,270}={0,2}"),
    ("azure", "Q~", r"(?<![\w.~\-])[\w.~\-]{3}[78]Q~[\w.~\-]{31,34}"),
    ("azure", "+ASt", r"[A-Za-z0-9+/]{76}\+ASt[A-Za-z0-9+/]{6}=="),
    ("azure", "JQQJ99", r"(?<!\w)[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{20,32}"),
    ("bitcoin", "prv", r"(?<!\w)[xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,112}"),
    ("braintree", "access_token$", r"access_token\$(?:production|sandbox)\$\w{16}\$[0-9a-f]{32}"),
    ("crates", "cio", r"(?<!\w)cio[A-Za-z0-9]{32}(?!\w)"),
    ("databricks", "dapi", r"(?<!\w)dapi[0-9a-f]{32}(?:-\d)?"),
    ("discord", ".", r"(?<![\w.\-])[MNO][\w\-]{22,27}\.[\w\-]{6}\.[\w\-]{27,40}(?![\w\-])"),
    ("discord", "/api/webhooks/", r"/api/webhooks/\d+/([\w\-]{40,100})"),
    ("dropbox", "sl.", r"(?<!\w)sl\.(?:u\.)?[\w\-]{100,}"),
    ("easypost", "EZ", r"(?<!\w)EZ[AT]K[A-Za-z0-9]{54}"),
    ("elevenlabs", "sk_", r"(?<!\w)sk_[0-9a-f]{48}(?!\w)"),
    ("facebook", "EAA", r"(?<!\w)EAA[A-Za-z0-9]{90,}"),
    ("google", "1//0", r"(?<!\w)1//0[\w\-]{40,}"),
    ("grafana", "eyJrIjoi", r"(?<!\w)eyJrIjoi[A-Za-z0-9]{60,}={0,2}"),
    ("jwt", "eyJ", r"eyJ[\w\-]{10,}={0,2}\.[\w\-]{10,}={0,2}(?:\.[\w\-]*={0,2}){0,3}"),
    ("launchdarkly", "-", r"(?<![\w\-])(?:sdk|mob)-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"),
    ("mailchimp", "-us", r"(?<!\w)[0-9a-f]{32}-us\d{1,2}(?!\w)"),
    ("mailgun", "key-", r"(?<![\w\-])key-[0-9a-z]{32}(?!\w)"),
    ("mapbox", "sk.eyJ", r"(?<!\w)sk\.eyJ[\w\-]{60,}\.[\w\-]{20,}"),
    ("nuget", "oy2", r"(?<!\w)oy2[a-z0-9]{43}(?!\w)"),
    ("artifactory", "AKCp", r"(?<!\w)AKCp[A-Za-z0-9]{60,}"),
    ("onepassword", "ops_eyJ", r"ops_eyJ[A-Za-z0-9+/]{100,}={0,2}"),
    ("openai", "sk-", r"(?<![\w\-])sk-[A-Za-z0-9]{20,64}(?![\w\-])"),
    ("plaid", "access-", r"(?<!\w)access-(?:sandbox|development|production)-[0-9a-f\-]{36}"),
    ("resend", "re_", r"(?<!\w)re_[A-Za-z0-9]{6,10}_[A-Za-z0-9]{20,26}(?!\w)"),
    ("sentry", "ingest", r"://([0-9a-f]{32})(?::[0-9a-f]{32})?@[\w.\-]*ingest"),
    ("slack", "hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9_]{8,}/[A-Za-z0-9_/]{16,})"),
    ("square", "EAAA", r"(?<!\w)EAAA[El][\w\-]{55,65}"),
    ("teams", "webhook.office.com", r"webhook\.office\.com/webhookb2/([^\s\"'<>\\]{40,})"),
    ("telegram", ":AA", r"(?<!\d)\d{8,10}:AA[\w\-]{32,34}(?![\w\-])"),
    ("terraform", ".atlasv1.", r"(?<!\w)[A-Za-z0-9]{14}\.atlasv1\.[\w\-]{60,}"),
    ("twilio", "SK", r"(?<!\w)SK[0-9a-f]{32}(?!\w)"),
    ("twitter", "AAAAAAAAAAAA", r"(?<!\w)A{18,24}[\w%]{60,}"),
    ("yandex", "AQVN", r"(?<!\w)AQVN[\w\-]{35,38}"),
    ("yandex", "t1.", r"(?<!\w)t1\.[\w\-]{8,}\.[\w\-]{80,}={0,2}"),
    ("zapier", "hooks.zapier.com", r"hooks\.zapier\.com/hooks/catch/(\d+/\w+)"),
)

# A letter may precede a token only as the second half of an escape: `\nghp_…`.
_EDGE = r"(?:(?<![A-Za-z0-9_])|(?<=\\[nrt]))"
_BODY = r"[A-Za-z0-9_\-]{%d,}(?:[.+/][A-Za-z0-9_\-]{8,})*={0,2}"
_WRAPPED = re.compile(r"(?:\r?\n|\\n)[ \t>]{0,12}([A-Za-z0-9_\-]{4,})(?![\w\-])")

_SECRET_KEY = re.compile(r"(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])")
_NEAR = 300

_BEGIN = re.compile(r"-{2,5} ?BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{2,5}")
_END = re.compile(r"-{2,5} ?END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{2,5}")
_LONGEST_KEY = 20_000
_GAP = r"(?:\\+[nrt]|<br ?/?>|[\s\"'+,;|>*`:→=&\\\-#]|\d{1,5}(?:→|\t|\|))"
_KEY_LINE = r"(?:(?:Proc-Type|DEK-Info|Comment|Version|Hash)(?::|%3A)[^\n\\]{0,80}|[A-Za-z0-9+/%]{12,}={0,2})"
_CUT_BODY = re.compile(rf"(?:{_GAP}{{0,24}}{_KEY_LINE})+(?:{_GAP}{{1,12}}[A-Za-z0-9+/]{{1,63}}={{1,2}})?")
_TAIL_LINE = re.compile(r"[A-Za-z0-9+/]{16,}={0,2}|[A-Za-z0-9+/]{2,76}={1,2}|=[A-Za-z0-9+/]{4}")


def spans(text: str) -> Iterator[Span]:
    """Where *text* holds a secret that shows itself: start, end, kind."""
    for kind, start, size in _PREFIX_OF:
        if start in text:
            yield from _prefixed(text, kind, start, size)
    for kind, part, shape in _SHAPES:
        if part in text:
            yield from _shaped(text, kind, shape)
    if "PRIVATE KEY" in text:
        yield from _private_keys(text)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _prefixed(text: str, kind: str, start: str, size: int) -> Iterator[Span]:
    least = max(min(size, _SHORTEST), size // 8)
    for found in _compiled(_EDGE + re.escape(start) + _BODY % least).finditer(text):
        body = found.group()[len(start) :]
        if is_random(body) and not is_stand_in(body):
            yield found.start(), _unwrapped(text, found.end(), size - len(body)), kind


def _unwrapped(text: str, end: int, missing: int) -> int:
    """Where a token really ends that a terminal broke at *end* when *missing* characters were still to come."""
    found = _WRAPPED.match(text, end) if missing > 0 else None
    if found is None or len(found.group(1)) > missing + _SHORTEST:
        return end
    rest = found.group(1)
    return found.end() if len(rest) == missing or is_random(rest) and any(map(str.isdigit, rest)) else end


def _shaped(text: str, kind: str, shape: str) -> Iterator[Span]:
    pattern = _compiled(shape)
    for found in pattern.finditer(text):
        secret = found.group(pattern.groups)
        if is_stand_in(secret) or len(set(secret)) < 8:
            continue
        yield *found.span(pattern.groups), kind
        if kind == "aws":
            yield from _secret_key_near(text, found.end())


def _secret_key_near(text: str, at: int) -> Iterator[Span]:
    """The unmarked secret half of a key pair whose public half ends at *at*."""
    for found in _SECRET_KEY.finditer(text, at, at + _NEAR):
        if is_random(found.group()) and not is_stand_in(found.group()) and not found.group().isalpha():
            yield *found.span(), "aws"


def _private_keys(text: str) -> Iterator[Span]:
    at = 0
    for begin in _BEGIN.finditer(text):
        if begin.start() < at:
            continue
        end = _END.search(text, begin.end(), begin.end() + _LONGEST_KEY)
        again = _BEGIN.search(text, begin.end(), end.start()) if end else None
        if end and again is None and _holds_key(text[begin.end() : end.start()]):
            at = end.end()
            yield begin.start(), at, "private-key"
        elif cut := _CUT_BODY.match(text, begin.end()):
            at = cut.end()
            yield begin.start(), at, "private-key"
    yield from _key_tails(text)


def _holds_key(body: str) -> bool:
    return _compiled("[A-Za-z0-9+/]{24}").search(body) is not None


def _key_tails(text: str) -> Iterator[Span]:
    """Ends of private keys, with the lines of the key that lead there."""
    for end in _END.finditer(text):
        start = end.start()
        for line in reversed(re.split(r"\n|\\n", text[max(0, start - _LONGEST_KEY) : start])):
            body = line.strip(" \t\r>|\"'+,\\")
            if body and _TAIL_LINE.fullmatch(body) is None:
                break
            start -= len(line)
        if start < end.start():
            yield start, end.end(), "private-key"
