"""Secrets that show themselves: tokens in their vendor's shape, web tokens, private keys."""

import re
from collections.abc import Iterator
from functools import cache

from handoffsite.records.pattern import lazy
from handoffsite.records.plausibility import is_hex, is_random, is_stand_in, is_token

Span = tuple[int, int, str]

# What a token begins with, and how many characters follow when it is whole. A cut token is still a secret.
_PREFIXES = {
    "adafruit": "aio_ 28",
    "age": "AGE-SECRET-KEY-1 58",
    "aiven": "AVNS_ 19",
    "anthropic": "sk-ant- 104",
    "artifactory": "cmVmdGtuO 55",
    "axiom": "xaat- 36 xapt- 36",
    "atlassian": "ATCTT3 186",
    "buildkite": "bkua_ 40 bkct_ 40",
    "cerebras": "csk- 48",
    "circleci": "CCIPAT_ 63 CCIPRJ_ 63",
    "clojars": "CLOJARS_ 60",
    "cloudflare": "cfut_ 40 cfat_ 40 v1.0- 171",
    "contentful": "CFPAT- 43",
    "cursor": "crsr_ 64",
    "dbt": "dbtc_ 44 dbtu_ 44",
    "deno": "ddp_ 36 ddo_ 36",
    "digitalocean": "dop_v1_ 64 doo_v1_ 64 dor_v1_ 64",
    "docker": "dckr_pat_ 27 dckr_oat_ 32",
    "doppler": "dp.pt. 43 dp.st. 43 dp.ct. 43 dp.sa. 43 dp.scim. 43 dp.audit. 43",
    "duffel": "duffel_live_ 43 duffel_test_ 43",
    "dynatrace": "dt0c01. 89 dt0s01. 89 dt0s16. 89",
    "e2b": "e2b_ 40",
    "figma": "figd_ 40 figo_ 40",
    "firecrawl": "fc- 32",
    "fireworks": "fw_ 24",
    "flutterwave": "FLWSECK_TEST- 32 FLWSECK- 32",
    "fly": "fm1r_ 90 fm1a_ 90 fm2_ 90 fo1_ 43",
    "frameio": "fio-u- 64",
    "github": "ghp_ 36 gho_ 36 ghu_ 36 ghs_ 36 ghr_ 36 github_pat_ 82",
    "gitlab": "glpat- 20 gloas- 64 gldt- 20 glrt- 20 glrtr- 20 glptt- 40 glcbt- 20 glimt- 25 glft- 20 glagent- 50 glsoat- 20 glffct- 20",
    "google": "AIza 35 GOCSPX- 28 ya29. 120 AQ.Ab8 47",
    "grafana": "glsa_ 41 glc_ 60",
    "groq": "gsk_ 52",
    "heroku": "HRKU- 58",
    "honeycomb": "hcaik_ 58 hcxik_ 58 hcamk_ 58",
    "hubspot": "pat-na1- 36 pat-na2- 36 pat-eu1- 36 pat-ap1- 36",
    "huggingface": "hf_ 34 api_org_ 34",
    "infracost": "ico- 32",
    "inngest": "signkey-prod- 64 signkey-test- 64 signkey-branch- 64",
    "jina": "jina_ 60",
    "langfuse": "sk-lf- 36",
    "langsmith": "lsv2_pt_ 43 lsv2_sk_ 43",
    "linear": "lin_api_ 40 lin_oauth_ 64",
    "mailersend": "mlsn. 64",
    "mandrill": "md- 22",
    "neon": "napi_ 64",
    "netlify": "nfp_ 36 nfc_ 36",
    "newrelic": "NRAK- 27 NRJS- 19 NRRA- 42 NRAL- 35",
    "notion": "ntn_ 46",
    "npm": "npm_ 36",
    "nvidia": "nvapi- 64",
    "openai": "sk-proj- 156 sk-svcacct- 156 sk-admin- 156",
    "openrouter": "sk-or-v1- 64",
    "openshift": "sha256~ 43",
    "ory": "ory_st_ 32 ory_pat_ 32 ory_at_ 87 ory_rt_ 87 ory_apikey_ 32",
    "paddle": "pdl_live_apikey_ 53 pdl_sdbx_apikey_ 53 pdl_ntfset_ 53",
    "perplexity": "pplx- 48",
    "pinecone": "pcsk_ 69",
    "planetscale": "pscale_tkn_ 43 pscale_pw_ 43 pscale_oauth_ 43",
    "polar": "polar_oat_ 43 polar_pat_ 43 polar_whs_ 43",
    "posthog": "phx_ 43 phs_ 43",
    "postman": "PMAK- 59",
    "prefect": "pnu_ 36 pnb_ 36",
    "pulumi": "pul- 40",
    "pypi": "pypi-AgE 150",
    "readme": "rdme_ 70",
    "replicate": "r8_ 37",
    "render": "rnd_ 28",
    "rubygems": "rubygems_ 48",
    "runpod": "rpa_ 40",
    "sendgrid": "SG. 66",
    "sendinblue": "xkeysib- 81 xsmtpsib- 81",
    "sentry": "sntrys_ 150 sntryu_ 64 sntrya_ 64",
    "shippo": "shippo_live_ 40 shippo_test_ 40",
    "shopify": "shpat_ 32 shpss_ 32 shpca_ 32 shppa_ 32 shptka_ 32",
    "slack": "xoxb- 50 xoxp- 70 xoxa- 50 xoxr- 50 xoxs- 50 xoxo- 50 xoxe- 140 xoxe.xoxp- 160 xoxe.xoxb- 160 xapp- 90 xoxc- 60 xoxd- 100",
    "sonar": "squ_ 40 sqp_ 40 sqa_ 40",
    "square": "sq0atp- 22 sq0csp- 43",
    "sourcegraph": "sgp_ 57 slk_ 64 sgd_ 64",
    "stripe": "sk_live_ 24 sk_test_ 24 sk_prod_ 24 rk_live_ 24 rk_test_ 24 rk_prod_ 24 whsec_ 32",
    "stytch": "secret-live- 36 secret-test- 36",
    "supabase": "sbp_ 40 sb_secret_ 31",
    "tailscale": "tskey- 36",
    "tavily": "tvly- 32",
    "together": "tgp_v1_ 43",
    "trello": "ATTA 72 ATTO 72",
    "trigger": "tr_dev_ 20 tr_prod_ 20 tr_stg_ 20 tr_pat_ 40",
    "typeform": "tfp_ 59",
    "unkey": "unkey_ 22",
    "vault": "hvs. 90 hvb. 138 hvr. 90",
    "vercel": "vcp_ 24 vck_ 56 vercel_blob_rw_ 40",
    "xai": "xai- 80",
    "xata": "xau_ 40",
    "private-key": "LS0tLS1CRUdJTiBSU0Eg 900 LS0tLS1CRUdJTiBQUklWQVRF 200 LS0tLS1CRUdJTiBFQyBQ 200 LS0tLS1CRUdJTiBPUEVOU1NI 400",
}

_PREFIX_OF = [
    (kind, start, int(size))
    for kind, row in _PREFIXES.items()
    for start, size in zip(row.split()[::2], row.split()[1::2], strict=True)
]
_SHORTEST = 16

# Kinds that a prefix alone does not tell: what every one of them contains, what follows that, and what precedes it.
# A group holds the secret where the shape is more than the secret. The literal comes first so that the search for it is fast.
_SHAPES = (
    ("airtable", "pat", r"[A-Za-z0-9]{14}\.[0-9a-f]{64}", ""),
    ("alibaba", "LTAI", r"[A-Za-z0-9]{17,21}(?!\w)", ""),
    ("artifactory", "AKCp", r"[A-Za-z0-9]{60,}", ""),
    ("alchemy", ".alchemy.com/v2/", r"([\w\-]{32})(?![\w\-])", ""),
    ("atlassian", "ATATT3", r"[\w\-=]{100,}", ""),
    ("asana", "/1", r"\d{14,16}(?:/\d{15,17})?:([0-9a-f]{32})(?!\w)", r"(?<!\w)[12]"),
    ("aws", "AKIA", r"[A-Z2-7]{16}(?![A-Za-z0-9])", ""),
    ("aws", "ASIA", r"[A-Z2-7]{16}(?![A-Za-z0-9])", ""),
    ("baidu", "bce-v3/ALTAK-", r"[A-Za-z0-9]{21}/[0-9a-f]{40}", ""),
    ("bitbucket", "ATBB", r"[A-Za-z0-9]{32}(?![A-Za-z0-9])", ""),
    ("aws", "ABSK", r"[A-Za-z0-9+/]{100,270}={0,2}", ""),
    ("azure", "Q~", r"[\w.~\-]{31,34}", r"(?<![\w.~\-])[\w.~\-]{3}[78]"),
    ("azure", "+ASt", r"[A-Za-z0-9+/]{6}==", r"[A-Za-z0-9+/]{76}"),
    ("azure", "JQQJ99", r"[A-Za-z0-9]{20,32}", r"[A-Za-z0-9]{52}"),
    ("bitcoin", "prv", r"[1-9A-HJ-NP-Za-km-z]{100,112}", "[xyzt]"),
    ("braintree", "access_token$", r"(?:production|sandbox)\$\w{16}\$[0-9a-f]{32}", ""),
    ("clickup", "pk_", r"\d{5,10}_[A-Z0-9]{32}(?!\w)", ""),
    ("cloudflare", "eyJhIjoi", r"[A-Za-z0-9+/]{80,}={0,2}(?![\w.+/=\-])", ""),
    ("crates", "cio", r"[A-Za-z0-9]{32}(?!\w)", ""),
    ("databricks", "dapi", r"[0-9a-f]{32}(?:-\d)?", ""),
    ("discord", "/api/webhooks/", r"\d+/([\w\-]{40,100})", ""),
    ("dropbox", "sl.", r"(?:u\.)?[\w\-]{100,}", ""),
    ("easypost", "EZAK", r"[A-Za-z0-9]{54}", ""),
    ("easypost", "EZTK", r"[A-Za-z0-9]{54}", ""),
    ("elevenlabs", "sk_", r"[0-9a-f]{48}(?!\w)", ""),
    ("facebook", "EAA", r"[A-Za-z0-9]{90,}", ""),
    ("google", ":APA91b", r"[\w\-]{100,}", r"(?<![\w\-])[\w\-]{7,20}"),
    ("google", "/private-", r"([0-9a-f]{32})(?![0-9a-f])", ""),
    ("google", "1//0", r"[\w\-]{40,}", ""),
    ("grafana", "eyJrIjoi", r"[A-Za-z0-9]{60,}={0,2}", ""),
    ("infura", ".infura.io/v3/", r"([0-9a-f]{32})(?!\w)", ""),
    ("jetbrains", "perm:", r"[\w+/=]{6,}\.[\w+/=]{4,}\.[\w+/=]{20,}", ""),
    ("jwt", "eyJ", r"[\w\-]{10,}={0,2}\.[\w\-]{10,}={0,2}(?:\.[\w\-]*={0,2}){0,3}", ""),
    ("launchdarkly", "sdk-", r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", ""),
    ("mailchimp", "-us", r"\d{1,2}(?!\w)", r"(?<!\w)[0-9a-f]{32}"),
    ("mailgun", "key-", r"[0-9a-z]{32}(?!\w)", ""),
    ("mapbox", "sk.eyJ", r"[\w\-]{60,}\.[\w\-]{20,}", ""),
    ("notion", "secret_", r"[A-Za-z0-9]{43}(?!\w)", ""),
    ("nuget", "oy2", r"[a-z0-9]{43}(?!\w)", ""),
    ("onepassword", "ops_eyJ", r"[A-Za-z0-9+/]{100,}={0,2}", ""),
    ("openai", "sk-", r"[A-Za-z0-9]{20,64}(?![\w\-])", ""),
    ("plaid", "access-", r"(?:sandbox|development|production)-[0-9a-f\-]{36}", ""),
    ("quicknode", ".quiknode.pro/", r"([0-9a-f]{40})(?!\w)", ""),
    ("rapidapi", "msh", r"[0-9a-f]{15}p1[0-9a-f]{6}jsn[0-9a-f]{12}(?!\w)", r"(?<!\w)[0-9a-f]{10}"),
    ("resend", "re_", r"[A-Za-z0-9]{6,10}_[A-Za-z0-9]{20,26}(?!\w)", ""),
    ("slack", "hooks.slack.com/", r"(?:services|workflows|triggers)/([A-Za-z0-9_]{8,}/[A-Za-z0-9_/]{16,})", ""),
    ("square", "EAAA", r"[El][\w\-]{55,65}", ""),
    ("teams", "webhook.office.com/webhookb2/", r"([^\s\"'<>\\]{40,})", ""),
    ("telegram", "AA", r"[\w\-]{32,34}(?![\w\-])", r"(?<!\d)\d{8,10}:"),
    ("terraform", ".atlasv1.", r"[\w\-]{60,}", r"[A-Za-z0-9]{14}"),
    ("tencent", "AKID", r"[A-Za-z0-9]{32}(?![A-Za-z0-9])", ""),
    ("twilio", "SK", r"[0-9a-f]{32}(?!\w)", ""),
    ("twitter", "AAAAAAAAAAAAAAAAAA", r"A{0,6}[\w%]{60,}", ""),
    ("vk", "vk1.a.", r"[\w\-]{60,}", ""),
    ("yandex", "AQVN", r"[\w\-]{35,38}", ""),
    ("yandex", "t1.", r"[\w\-]{8,}\.[\w\-]{80,}={0,2}", ""),
    ("zoho", "1000.", r"[0-9a-f]{32}\.[0-9a-f]{32}(?![\w.])", ""),
    ("zapier", "hooks.zapier.com/hooks/catch/", r"(\d+/\w+)", ""),
)
_LONGEST_START = 90
_RUNS = lazy(r"[A-Za-z0-9_.~\-]{18,}")
_STARTS = tuple({start for _, start, _ in _PREFIX_OF} | {literal for _, literal, _, before in _SHAPES if not before})
_IN_RUN = lazy(r"[A-Za-z0-9_.~\-]+")
_DISCORD = r"[MNO][\w\-]{22,27}\.[\w\-]{6}\.[\w\-]{27,40}"
_HASH = lazy(
    r"(?<![A-Za-z0-9])\$(?:[156]|y|7|apr1|2[abxy]|argon2(?:id?|d)|pbkdf2[\w\-]{0,12}|scrypt)\$(?:[\w=,.\-]{1,40}\$){0,3}[A-Za-z0-9./+]{20,90}(?![A-Za-z0-9./+$])"
)
_WALLET = lazy(r"(?<![A-Za-z0-9])(?:5[HJK][1-9A-HJ-NP-Za-km-z]{49}|[KL][1-9A-HJ-NP-Za-km-z]{51})(?![A-Za-z0-9])")
_WALLET_SIZES = (51, 52)
_JWK = lazy(r"\"(?:d|dp|dq|p|q|qi|k)\\*\"\s*:\s*\\*\"([\w\-]{20,1400})")

# A letter may precede a token only where it ends an escape: `\nghp_…`. ASCII alone: tokens stand next to any script.
_EDGE = r"(?:(?<![A-Za-z0-9_]{0})|(?<=\\[nrt]{0}))"
_BODY = r"[A-Za-z0-9_\-]{%d,}(?:\.[A-Za-z0-9_\-]{8,})*={0,2}"
_WRAPPED = lazy(r"(?:\r?\n|\\n)[ \t>]{0,12}([A-Za-z0-9_\-]{4,})(?![\w\-])")

_SECRET_KEY = lazy(r"(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])")
_NEAR = 300

_BEGIN = lazy(r"-{2,5} ?BEGIN (?:(?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V\d) ?-{2,5}")
_END = lazy(r"-{2,5} ?END (?:(?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V\d) ?-{2,5}")
_LONGEST_KEY = 20_000
_RUN = lazy("[A-Za-z0-9+/]{24,}")
_GAP = r"(?:\\+[nrt]|<br ?/?>|[\s\"'+,;|>*`:→=&\\\-#]|\d{1,5}(?:→|\t|\|))"
_KEY_LINE = r"(?:(?:Proc-Type|DEK-Info|Comment|Version|Hash): ?[^\n\\]{0,80}|[A-Za-z0-9+/]{12,}={0,2})"
_CUT_BODY = lazy(rf"(?:{_GAP}{{0,24}}{_KEY_LINE})+(?:{_GAP}{{1,12}}[A-Za-z0-9+/]{{1,63}}={{1,2}})?")
_PUTTY = lazy(rf"Private-Lines: \d{{1,3}}((?:{_GAP}{{1,24}}[A-Za-z0-9+/]{{20,64}}={{0,2}}){{1,100}})")
_LINE_END = lazy(r"\n|\\+n")
_TAIL_LINE = lazy(r"[A-Za-z0-9+/]{16,}={0,2}|[A-Za-z0-9+/]{2,76}={1,2}|=[A-Za-z0-9+/]{4}")


def spans(text: str) -> Iterator[Span]:
    """Where *text* holds a secret that shows itself: start, end, kind."""
    # Every token is, or stands in, a long run of its characters, and runs are a small part of any text.
    runs = _RUNS.findall(text)
    if not runs:
        return
    begun = [run for run in runs if run.startswith(_STARTS) or (run[0] in "nrt-." and run[1:].startswith(_STARTS))]
    joined = "\n".join(begun)
    for kind, start, size in _PREFIX_OF if begun else ():
        if start in joined:
            yield from _prefixed(text, kind, start, size)
    inside = "\n".join(runs)
    for kind, literal, after, before in _SHAPES:
        if literal in (inside if before else joined) or (literal in text and not _IN_RUN.fullmatch(literal)):
            yield from _shaped(text, kind, _pattern(literal, after, edge=not before and literal[0].isalnum()), before)
    yield from _shaped(text, "discord", _compiled(_DISCORD), "")
    if any(len(run) in _WALLET_SIZES for run in runs):
        yield from ((*found.span(), "bitcoin") for found in _WALLET.finditer(text) if is_token(found.group()))
    if "$" in text:
        yield from ((*found.span(), "password-hash") for found in _HASH.finditer(text) if not is_stand_in(found.group()))
    if '"kty' in text:
        yield from ((*found.span(1), "private-key") for found in _JWK.finditer(text) if is_random(found.group(1)))
    if "PRIVATE KEY" in text or "Static key" in text:
        yield from _private_keys(text)
        yield from _key_tails(text)
    if "Private-Lines:" in text:
        yield from ((found.start(1), found.end(1), "private-key") for found in _PUTTY.finditer(text))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)


@cache
def _pattern(literal: str, after: str, *, edge: bool) -> re.Pattern[str]:
    start = re.escape(literal)
    return _compiled(start + (_EDGE.format(start) if edge else "") + after)


def _prefixed(text: str, kind: str, start: str, size: int) -> Iterator[Span]:
    least = max(min(size, _SHORTEST), size // 8)
    for found in _pattern(start, _BODY % least, edge=True).finditer(text):
        body = found.group()[len(start) :]
        if is_random(body) and not is_stand_in(body):
            yield found.start(), _unwrapped(text, found.end(), size - len(body)), kind


def _unwrapped(text: str, end: int, missing: int) -> int:
    """Where a token really ends that a terminal broke at *end* when *missing* characters were still to come."""
    found = _WRAPPED.match(text, end) if missing > 0 else None
    if found is None or len(found.group(1)) > missing + _SHORTEST:
        return end
    rest = found.group(1)
    return found.end() if len(rest) == missing or (is_random(rest) and any(map(str.isdigit, rest))) else end


def _shaped(text: str, kind: str, shape: re.Pattern[str], before: str) -> Iterator[Span]:
    for found in shape.finditer(text):
        start, end = found.span(shape.groups)
        if before:
            lead = _compiled(before + r"\Z").search(text, max(0, found.start() - _LONGEST_START), found.start())
            if lead is None:
                continue
            start = start if shape.groups else lead.start()
        if is_stand_in(text[start:end]) or len(set(text[start:end])) < 8:
            continue
        yield start, end, kind
        if kind == "aws":
            yield from _secret_key_near(text, end)


def _secret_key_near(text: str, at: int) -> Iterator[Span]:
    """The unmarked secret half of a key pair whose public half ends at *at*."""
    for found in _SECRET_KEY.finditer(text, at, at + _NEAR):
        key = found.group()
        if is_random(key) and not is_stand_in(key) and not is_hex(key) and not key.isalpha():
            yield *found.span(), "aws"


def _private_keys(text: str) -> Iterator[Span]:
    """Private keys from their first line to their last, or to where they are cut."""
    begins = list(_BEGIN.finditer(text))
    for begin, after in zip(begins, [found.start() for found in begins[1:]] + [len(text)], strict=False):
        limit = min(after, begin.end() + _LONGEST_KEY)
        end = _END.search(text, begin.end(), limit)
        if end and _RUN.search(text, begin.end(), end.start()):
            yield begin.start(), end.end(), "private-key"
        elif (cut := _CUT_BODY.match(text, begin.end(), limit)) and any(map(is_random, _RUN.findall(cut.group()))):
            yield begin.start(), cut.end(), "private-key"


def _key_tails(text: str) -> Iterator[Span]:
    """Ends of private keys, with the lines of the key that lead there."""
    floor = 0
    for end in _END.finditer(text):
        floor = max(floor, end.start() - _LONGEST_KEY)
        breaks = [(floor, floor), *(found.span() for found in _LINE_END.finditer(text, floor, end.start()))]
        start = stop = end.start()
        for before, after in reversed(breaks):
            body = text[after:stop].strip(" \t\r>|\"'+,\\")
            if body and _TAIL_LINE.fullmatch(body) is None:
                break
            start, stop = after if body else start, before
        if start < end.start():
            yield start, end.end(), "private-key"
        floor = end.end()
