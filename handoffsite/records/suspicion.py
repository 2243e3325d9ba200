"""Texts that read like an order to an agent: what a planted sentence looks like. A warning for who reads them, never a verdict.

Several cues make one suspicion, since each of them alone stands in ordinary sentences too: decisions are written as imperatives, and
rules for a program that is called an agent are no rules for its reader.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from handoffsite.records import entry
from handoffsite.records.item import Item
from handoffsite.records.pattern import lazy
from handoffsite.records.visible import invisible

ENOUGH = 1.0
LONGEST = 4_000  # characters that are looked at
_WORDS = 12  # that may stand between two parts of one cue


class Cue(NamedTuple):
    """One sign: *weight* of `ENOUGH`, what it *says* of the text, words of which one must be there, the *pattern* itself, and *more*
    words of which one must be there: they are looked for before a pattern is compiled."""

    weight: float
    says: str
    words: tuple[str, ...]
    pattern: str
    more: tuple[str, ...] = ()


_GAP = rf"(?:\W{{1,4}}[\w'’]{{1,40}}){{0,{_WORDS}}}?\W{{1,4}}"
_NEAR = r"(?:\W{1,4}[\w'’]{1,40}){0,4}?\W{1,4}"
_PERSON = r"(?:the\s+|any\s+|your\s+)?(?:user|human|operator|reviewer|developer|owner|maintainer|team|anyone|anybody|people)s?\b"
_RULES = r"(?:instruction|rule|prompt|guideline|direction|order|polic(?:y|ie)|safeguard|guardrail|constraint|restriction|directive|limitation|message|decision|guidance)s?\b"
_AGENT = r"(?:(?:coding|ai|llm)\s+)?(?:agents?|assistants?|claude|codex|gemini|copilot|cursor|executors?|models?|llms?|ais?)"
_VALUABLES = (
    r"(?:(?<!to\s)\.env\b(?!\.)|id_rsa|id_ed25519|~?/?\.ssh\b|~?/?\.aws\b|\.npmrc|\.netrc|\.pypirc|kubeconfig|credentials?\b|secrets?\b|passwords?\b|"
    r"private\s+keys?\b|deploy\s+keys?\b|(?:the|this)\s+(?:whole\s+|full\s+|entire\s+)?(?:conversation|transcript|chat)\b|ssh\s+keys?\b|api[\s_-]?keys?\b|access\s+keys?\b|environment\s+variables?\b|env(?:ironment)?\s+vars?\b|"
    r"(?:all|any|every|session|auth|access|api|login|github|user|these|its|their|your|our)\s+(?:\w+\s+)?tokens?\b|keychain|cookies\b|"
    r"(?:whole|full|entire|private)\s+(?:\w+\s+)?(?:source|repository|codebase|conversation|transcript|history|database)|customer\s+data)"
)
_AWAY = (
    r"(?:https?://|ftp://|webhook|pastebin|\bgists?\b|\bngrok\b|[\w.+-]{1,40}@[\w-]{1,40}\.\w|\bexternal\b|\bremote\s+(?:server|host|endpoint|address)|"
    r"\bthird[\s-]party\b|\bpublic\s+(?:repo|bucket|gist|paste|channel|issue)|\b(?:[\w-]{1,40}\.){1,4}(?:com|net|org|io|dev|test|example|xyz|ru|cn|sh|app|site|info|me|co)\b)"
)
_SEND = (
    r"(?:\b(?:send|post|upload|forward|exfiltrate|e-?mail|mail|push|copy|transmit|leak|share|publish|paste|report|submit|deliver|ship|sync|mirror|"
    r"print|echo|dump|include|attach|append|curl|wget|encode|back\s+up)(?:ing|s|e?d)?\b|\bsent\b)"
)
_FETCH = r"\b(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod|fetch)\b"
_SHELL = r"(?:sudo\s+)?(?:(?:/usr)?/bin/)?(?:env\s+)?(?:(?:ba|z|da|k)?sh|python3?|node|perl|ruby|iex|powershell|pwsh)\b"

_AWAY_WORDS = (
    "://", "webhook", "pastebin", "gist", "ngrok", "@", "external", "remote", "third", "public", ".com", ".net", ".org", ".io", ".dev", ".test",
    ".example", ".xyz", ".ru", ".cn", ".sh", ".app", ".site", ".info", ".me", ".co",
)  # fmt: skip
_SEND_WORDS = (
    "send", "post", "upload", "forward", "filtrat", "mail", "push", "copy", "transmit", "leak", "share", "publish", "paste", "report", "submit",
    "deliver", "ship", "sync", "mirror", "print", "echo", "dump", "includ", "attach", "append", "curl", "wget", "encod", "back", "sent", "fetch",
)  # fmt: skip
_AGENTS = (
    "agent",
    "assistant",
    "claude",
    "codex",
    "gemini",
    "copilot",
    "cursor",
    "executor",
    "model",
    "llm",
    " ai ",
    "ai:",
    "ai,",
    "ais ",
)

_CUES = (
    Cue(1.0, "sets aside what was said before", ("ignor", "disregard", "forget", "overrid", "bypass", "supersed", "discard", "replac", "precedence"),
        rf"\b(?:ignor|disregard|forget|bypass)\w{{0,4}}{_NEAR}(?:{_NEAR})?(?:all|any|every|your|previous|prior|earlier|above|preceding|existing|other|former|system|safety)(?:{_NEAR}|\s){_RULES}"
        rf"|\b(?:overrid|supersed|discard|replac|take[s]?\s+precedence)\w{{0,5}}{_NEAR}(?:all|any|every|your|previous|prior|earlier|preceding|existing|other|former){_NEAR}(?:instruction|guideline|directive|order|direction)s?\b(?!\s+(?:in|of|on)\b)"
        r"|\b(?:ignore|disregard|forget|bypass)\s+the\s+(?:\w+\s+)?(?:instruction|guardrail|safeguard|directive|constraint|decision)s?\b"
        r"|\b(?:forget|ignore|disregard)\s+(?:everything|anything|whatever|all|what)\s+(?:(?:that\s+)?(?:you|was|were)\b|(?:the\s+)?(?:user|human|owner|planner|maintainer|anyone)s?\b)"),
    Cue(0.7, "sets aside what was said before", ("constraint", "instruction", "rule", "decision", "guideline"),
        r"\b(?:do\s+not|don['’]?t|never|no\s+need\s+to|stop|without)\s+(?:read|follow|consult|obey|apply|respect|heed|trust)(?:ing)?\s+(?:the\s+|any\s+|its\s+|your\s+)?(?:\w+\s+)?(?:constraint|instruction|rule|decision|guideline)s?\b"),
    Cue(0.6, "sets aside what was said before", ("no longer", "obsolete", "void", "suspended", "disregard", "revoked", "not apply", " off"),
        rf"\b(?:all|any|every|previous|prior|earlier|preceding|existing|other|former|older|the)\s+(?:\w+\s+)?{_RULES}{_GAP}(?:no\s+longer|obsolete|void|suspended|disregard\w*|revoked|off|(?:do|does)\s+not\s+apply)\b"),
    Cue(1.0, "sets aside what was said before", ("ignorier", "vergiss", "ignore", "oubli", "ignora", "olvida", "anweisung", "instruc"),
        r"\b(?:ignorier\w*|vergiss|missachte\w*)\W{1,4}(?:\w{1,40}\W{1,4}){0,3}(?:anweisung|regel|vorgabe|befehl)\w*|\b(?:ignore[zr]?|oublie[zr]?)\W{1,4}(?:\w{1,40}\W{1,4}){0,3}(?:instructions?|consignes?|règles?)\s+(?:pré|ant)"
        r"|\b(?:ignor[ae]|olvid[ae])\W{1,4}(?:\w{1,40}\W{1,4}){0,3}(?:instrucciones|reglas|instruções|regras|istruzioni)"),
    Cue(1.0, "sets aside what was said before", ("忽略", "无视", "無視", "忘记", "忘れ"), r"(?:忽略|无视|無視|忘记|忘れ).{0,12}(?:指示|指令|说明|規則|规则|命令|提示)|(?:指示|指令|命令|ルール).{0,6}(?:無視|忘れ)"),
    Cue(1.0, "keeps something from the user", ("tell", "mention", "inform", "notif", "alert", "reveal", "disclos", "let"),
        rf"\b(?:(?:do|and|to|must|should)\s+not|don['’]?t|never|without|avoid|no\s+need\s+to)\s+(?:ever\s+)?(?:tell|mention|inform|notify|alert|reveal|disclos|let)\w*{_GAP}?{_PERSON}"),
    Cue(1.0, "keeps something from the user", ("do not mention", "don't mention", "don’t mention", "never mention", "without mention", "do not reveal", "never reveal", "secret from", "hide this", "hide it", "keep this", "keep it", "keep quiet"),
        r"\b(?:do\s+not|don['’]?t|never|without)\s+(?:mention|reveal|report|disclos)\w*\s+(?:this|it|that|doing\s+so|the\s+(?:change|upload|request|call|step|rule|instruction))\b"
        r"|\b(?:hide|keep)\s+(?:this|it|that)\s+(?:\w+\s+)?(?:from|secret|hidden|quiet|to\s+yourself)\b"),
    Cue(0.6, "goes round the user's consent", ("without", "no confirmation", "no approval", "no permission", "not ask", "don't ask", "don’t ask", "not wait", "needs no", "never ask", "no review"),
        r"(?:^|[.;:!?,\n])(?:(?!\b(?:never|not|no|nothing|nobody|cannot)\b|n['’]t\b)[^.;:!?,\n]){0,120}?\bwithout\s+(?:\w+\s+)?(?:asking|confirm\w*|approval|permission|consent|review|prompting|checking\s+with|waiting\s+for)|\bno\s+(?:\w+\s+)?(?:confirmation|approval|permission|review)\s+(?:is\s+)?(?:needed|required|necessary)"
        r"|\b(?:do\s+not|don['’]?t|never|need\s+not)\s+(?:ask|wait)\b|\bneeds\s+no\s+(?:confirmation|approval|permission|review)"),
    Cue(0.5, "claims somebody's authority", ("approv", "authori", "consent", "granted", "agreed", "signed off", "permission", "polic", "mandat", "on behalf", "instructed", "admin"),
        r"\b(?:users?|owners?|admins?|administrators?|maintainers?|security(?:\s+team)?|management|anthropic|openai|google|compliance|ops|lead|company|human|operator)\b(?:\W{1,4}\w{1,40}){0,3}?\W{1,4}(?:approved|authori[sz]ed|agreed|consented|granted|permitted|mandated|signed\s+off|instructed|requires?|pre-?approved)\b"
        r"|\bpre-?(?:approved|authori[sz]ed)\b|\b(?:approved|authori[sz]ed|mandated|requested|ordered|required|demanded|agreed)\s+(?:by|with)\s+(?:the\s+|our\s+)?(?:user|owner|admin|administrator|maintainer|security|management|compliance|lead|company|operator)s?\b|\bas\s+(?:instructed|ordered|authori[sz]ed|mandated|approved)\s+by\b|\bon\s+behalf\s+of\b|\b(?:security|company|mandatory)\s+policy\b"),
    Cue(0.7, "speaks to an agent", _AGENTS,
        rf"\b(?:(?:future|next|every|all|any|each|other|new|whichever)\s+)(?:\w+\s+)?{_AGENT}\b(?:\s+(?:sessions?|that\s+\w+\s+this|reading\s+this|who\s+\w+\s+this))?\W{{1,4}}(?:\w{{1,40}}\W{{1,4}}){{0,3}}?(?:must|should|shall|has\s+to|have\s+to|needs?\s+to|is\s+to|are\s+to|will|may|can)\b"),
    Cue(1.0, "speaks to an agent", ("this",), rf"\b{_AGENT}\s+(?:(?:that|who|which)\s+)?(?:read|see|process|load|find|receiv)\w{{0,4}}\s+this\b"),
    Cue(0.5, "speaks to an agent", ("agents", "assistants", "models", "llms", "ais"), r"(?:^|[.:;,]\s+)(?:ai\s+|coding\s+)?(?:agents|assistants|models|llms|ais)\s+(?:must|should|shall|have\s+to|need\s+to|are\s+to|will|can|may)\b"),
    Cue(0.7, "speaks to an agent", _AGENTS,
        rf"(?:\b(?:note|message|instructions?|reminder|attention|notice|order|rule)s?\s+(?:to|for)\s+(?:the\s+|any\s+|all\s+|every\s+|future\s+|next\s+|whichever\s+)*{_AGENT}\b|\b(?:dear|hey|hi|hello|attention),?\s+{_AGENT}\b|^\W*{_AGENT}\s*[:,]\s|\b{_AGENT}\s*[,:]\s*(?:you|please|always|never|must|run|do|from)\b|\bas\s+an?\s+(?:ai|llm|{_AGENT})\b)"),
    Cue(0.7, "speaks to an agent", ("you", "your"),
        r"\b(?:when(?:ever)?|if|once|after|before|while)\s+you\s+(?:are\s+)?(?:read|see|load|start|begin|resume|process|open|finish|continue|work|reading|seeing|an?\s+(?:ai|agent|assistant))\w*|\b(?:want|tell|ask|expect|instruct|order|requir|need|allow|authori[sz]|permit)\w{0,3}\s+you\s+to\b|\byou\s+(?:obey|follow|comply|have\s+permission|are\s+(?:the|an?)\s+(?:\w+\s+)?(?:manager|admin\w*|operator|reviewer|maintainer|engineer|planner|executor|developer|root)|must|should|shall|have\s+to|need\s+to|will\s+now|are\s+(?:required|instructed|ordered|authori[sz]ed|allowed|to|an?\s+(?:ai|agent|assistant)))\b|\byour\s+(?:new|real|true|next|first|only|main)\s+(?:task|instruction|role|goal|job|objective|order|rule|mission)\w*"),
    Cue(1.0, "speaks to an agent", ("you are now", "you are no longer"), r"\byou\s+are\s+(?:now|no\s+longer)\s+(?:an?|in|the|my|bound|called|running|operating|acting|allowed|free|subject)\b"),
    Cue(0.5, "poses as the system", ("system", "instruction", "<", "prompt"),
        r"^\W*(?:system|developer|admin|instructions?|new\s+instructions?)\s*[\])>:]|[\[<](?:/?\|?)\s*(?:system|im_start|im_end|inst|assistant|user|instructions?|important)\b|\b(?:system|developer)\s+(?:prompt|message|override|notice|instruction)|\bnew\s+(?:standing\s+)?(?:instruction|order|directive)s?\b"),
    Cue(0.5, "sets a rule for all sessions", ("from now on", "from this point", "from here on", "henceforth", "going forward", "every session", "each session", "all sessions", "future session", "any session", "session start", "permanently", "standing", "from today", "ab sofort", "von jetzt an", "désormais", "dorénavant", "a partir de ahora", "a partir de agora", "从现在", "今后", "今後"),
        r"\bfrom\s+(?:now|this\s+point|here|today)\s+(?:on|onwards?|forward)\b|\bhenceforth\b|\bgoing\s+forward\b|\b(?:every|each|all|any|future|new|next)\s+(?:\w+\s+)?sessions?\b|\b(?:at|on|before|after)\s+(?:the\s+)?(?:start|beginning|end)?\s*(?:of\s+)?(?:a\s+|the\s+)?session\s*(?:start|end)?\b|\bpermanently\b|\bstanding\s+(?:order|rule|instruction)|\bab\s+sofort\b|\bvon\s+jetzt\s+an\b|\bdésormais\b|\bdorénavant\b|\ba\s+partir\s+de\s+(?:ahora|agora)\b|从现在|今后|今後"),
    Cue(0.4, "sets a rule for all sessions", ("always", "never", "every time", "whenever", "make sure", "be sure", "remember to", "first thing", "before any", "before every", "before each", "before anything", "immer", "toujours", "siempre"),
        r"\b(?:always|never|every\s+time|whenever|make\s+sure|be\s+sure|remember\s+to|first\s+thing|immer|toujours|siempre)\b|\bbefore\s+(?:any(?:thing)?|every|each|all)\b(?:\s+(?:other|task|command|commit|answer|response|work|change|else)\w*)?"),
    Cue(1.0, "sends secrets or data away", (".env", "id_", "ssh", "aws", "rc", "kubeconfig", "credential", "secret", "password", "key", "environment", "env", "token", "cookies", "source", "repository", "codebase", "conversation", "transcript", "history", "data"),
        rf"{_SEND}{_GAP}?{_VALUABLES}[^\n]{{0,100}}?\b(?:to|at|into|on|via|with|through)\b[^\n]{{0,60}}?{_AWAY}|{_SEND}[^\n]{{0,80}}?{_AWAY}[^\n]{{0,60}}?{_VALUABLES}|{_VALUABLES}[^\n]{{0,60}}?{_SEND}\W{{1,3}}(?:it|them|to|into|onto)\b[^\n]{{0,40}}?{_AWAY}", _AWAY_WORDS),
    Cue(0.5, "sends secrets or data away", (".env", "id_", "ssh", "aws", "rc", "kubeconfig", "credential", "secret", "password", "key", "environment", "env", "token", "cookies", "source", "repository", "codebase", "conversation", "transcript", "history", "data"),
        rf"(?:^|[.;:!,]\s*|\b(?:please|must|should|always|then|and|to)\s+){_SEND}{_NEAR}?{_VALUABLES}|{_FETCH}[^\n]{{0,120}}(?:\$\(|@[~./\w]|<\s*[~./]|\$[A-Z_]{{3,}})", _SEND_WORDS),
    Cue(1.0, "runs a remote script", ("curl", "wget", "iwr", "irm", "invoke-", "fetch"),
        rf"{_FETCH}[^\n|]{{0,160}}\|\s*{_SHELL}|{_SHELL}\s*(?:-c\s*)?[\"']?(?:<\(|\$\(|`)\s*{_FETCH}|\b(?:eval|source)\s+[\"']?(?:<\(|\$\(|`)\s*{_FETCH}"),
    Cue(0.5, "runs a remote script", ("http", "remote", "download", "url", "script", ".sh"),
        rf"\b(?:run|execute|install|source|eval|invoke|launch|start|apply|follow|load)\w*\b[^\n]{{0,80}}?(?:https?://|\bfrom\s+(?:the\s+)?(?:url|web|internet|remote)|\b(?:[\w-]{{1,40}}\.){{1,4}}(?:com|net|org|io|dev|test|example|xyz|sh)/\S*)|\b(?:download|fetch|pull|get|retrieve)\w*\b[^\n]{{0,100}}?\b(?:and|then)\s+(?:then\s+)?(?:run|execute|source|eval|install|pipe|apply|follow)\w*|{_FETCH}[^\n]{{0,150}}?(?:&&|;|\band\b|\bthen\b)\s*(?:\w+\s+){{0,3}}?{_SHELL}"),
    Cue(0.5, "weakens a safeguard", ("disabl", "skip", "turn off", "switch off", "bypass", "suppress", "remov", "ignor", "deactivat", "stop", "no longer", "avoid", "--no-verify", "dangerously", "yolo", "777", "rm -rf", "force", "without"),
        r"\b(?:disabl|skip|turn(?:ing)?\s+off|switch(?:ing)?\s+off|bypass|suppress|remov|ignor|deactivat|stop\s+(?:running|using)|circumvent|weaken)\w*(?:\W{1,4}[\w'’]{1,40}){0,5}?\W{1,4}(?:security|safety|verif\w+|signatures?|ssl|tls|certificates?|sandbox\w*|permissions?|confirmation|approvals?|guard\w*|hooks?|checks?|tests?|2fa|mfa|auth\w*|firewall|code\s+review|reviews?|redact\w+|audit\w*|scan\w*|warnings?|lint\w*)\b"
        r"|--no-verify\b|--dangerously[\w-]+|--yolo\b|\bchmod\s+(?:-R\s+)?777\b|\brm\s+-rf\s+[~/]|--force\b"),
    Cue(0.6, "asks to be kept", ("memory", ".md", "state", "rule", "constraint", "decision", "notes", "copy", "repeat"),
        r"\b(?:add|copy|write|record|save|store|keep|promote|repeat|carry|put|insert|preserve|paste)\b(?:\W{1,4}\w{1,40}){0,3}?\W{0,4}\b(?:this|these|the\s+following|it)\b(?:\W{1,4}[\w'’]{1,40}){0,6}?\W{1,4}(?:memory|claude\.md|agents\.md|state\.md|(?:all|every|each|future)\s+(?:\w+\s+)?(?:notes?|sessions?|summar\w+|hand-?offs?|records?)|(?:as|to)\s+(?:an?\s+|the\s+|your\s+)?(?:accepted|permanent|active|standing)?\s*(?:constraint|decision|rule|memory|instruction)s?)\b"),
    Cue(0.4, "is an imperative", ("copy", "save", "add", "append", "run", "execute", "send", "upload", "delete", "install", "fetch", "download", "post", "push", "disable", "grant", "give", "open", "curl", "merge", "approve", "accept", "must", "comply", "obey", "paste", "print", "commit", "skip"),
        r"(?:^|[.!?:;]\s+|\b(?:please|must|always|then|never|first,?|and|to)\s+)(?:please\s+)?(?:copy|save|add|append|run|execute|send|upload|delete|install|fetch|download|post|push|disable|grant|give|curl|merge|approve|accept|comply|obey|paste|print|skip)\b|\bmust\s+be\s+(?:run|executed|sent|uploaded|deleted|installed|merged|approved|skipped|followed|obeyed)\b"),
)  # fmt: skip
_PATTERNS = tuple(lazy(cue.pattern) for cue in _CUES)
# What says that something was only tried, or is told of as a danger.
_TOLD = lazy(
    r"\b(?:was|were|is|are|got|gets)\s+(?:\w+\s+)?(?:blocked|refused|rejected|forbidden|denied|not\s+allowed|banned)\b|\b(?:refused|rejected|forbidden|banned|denied)\b|\b(?:fail(?:s|ed)|breaks|broke|refuses|forbids|rejects|blocks)\b"
    r"|\b(?:do\s+not|don['’]?t|never|must\s+not|should\s+not|no)\s+(?:ever\s+)?(?:run|execute|pipe|send|upload|post|log|print|commit|paste|store|share|leak|push|skip|disable|bypass|install|copy|echo|publish|include|disabl\w+|skipp\w+)\b"
)
_ENDS = ("\n", ". ", "! ", "? ", "; ")
_DANGERS = frozenset({"sends secrets or data away", "runs a remote script", "weakens a safeguard", "is an imperative"})


def suspicions(texts: Iterable[str]) -> tuple[str, ...]:
    """What makes *texts*, which belong together, read like a planted order, each once; nothing where they read like ordinary ones."""
    whole = "\n".join(text for text in texts if text)[:LONGEST]
    hidden = _hidden_words(whole)
    text = _plain(whole)
    found: dict[str, float] = {"hides its words": 0.7} if hidden else {}
    for cue, pattern in zip(_CUES, _PATTERNS, strict=True):
        if found.get(cue.says, 0) < cue.weight and _has(text, cue.words) and _has(text, cue.more):
            places = pattern.finditer(text) if cue.says in _DANGERS else iter(filter(None, (pattern.search(text),)))
            if any(cue.says not in _DANGERS or not _is_told(text, *place.span()) for place in places):
                found[cue.says] = cue.weight
    return tuple(found) if _sum(found) >= ENOUGH else ()


def words_of(item: Item) -> list[str]:
    """The texts of *item* in which somebody could plant something."""
    return [*entry.texts(replace(item.value, id="", status="", evidence=()))]


def _has(text: str, words: Sequence[str]) -> bool:
    return not words or any(map(text.__contains__, words))


def _sum(found: Mapping[str, float]) -> float:
    """The weight of all cues together; a rule and an imperative are how decisions are written, so they alone are no suspicion."""
    ordinary = {"sets a rule for all sessions", "is an imperative"}
    return 0.0 if found.keys() <= ordinary else round(sum(found.values()), 3)


def _is_told(text: str, start: int, end: int) -> bool:
    """Whether the sentence around *start* and *end* says that this failed, or is not to be done."""
    before = max((at + len(mark) for mark in _ENDS if (at := text.rfind(mark, 0, start)) >= 0), default=0)
    after = min((at for mark in _ENDS if (at := text.find(mark, end)) >= 0), default=len(text))
    return _TOLD.search(text, before, after) is not None


def _plain(text: str) -> str:
    """*text* as its words are compared: without what no reader sees, in one width, in small letters."""
    if text.isascii():
        return text.lower()
    shown = "".join(character for character in unicodedata.normalize("NFKC", text) if unicodedata.category(character) != "Cf")
    return shown.lower()


def _hidden_words(text: str) -> bool:
    """Whether characters that no reader sees stand in *text*."""
    return bool(invisible(text))
