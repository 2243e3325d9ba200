"""What the agent says, at the end of its turn, that it has done."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from handoffsite.extract.cued import Cued
from handoffsite.extract.prose import HEADING, keywords, lines, plain, sentences
from handoffsite.records.pattern import lazy

MOST = 400  # claims of one message: none that is kept whole holds more
BRIEF = 3  # key words of a claim of which the fields that follow tell more

# A past participle at the start tells of work, unless it tells of looking, of failing or of how things are.
_PAST = (
    r"(?!(?:analy[sz]|ask|attempt|based|bed|belong|check|confirm|consider|decid|depend|detect|discover|discuss|embed|"
    r"encounter|examin|expect|explain|explor|fail|feed|follow|happen|identifi|indeed|inspect|"
    r"investigat|learn|limit|list|look|measur|need|notic|observ|occurr|plann|provid|re-?check|re-?test|re-?verif|reali[sz]|"
    r"receiv|recommend|red|relat|report|requir|research|review|scann|search|seed|seem|shar|speed|suggest|"
    r"suppos|test|trac|tri|unchang|understand|unus|validat|verifi|view|visit|want|wonder)(?:ed)?\b)"
    r"(?:[a-z-]{2,20}ed|built|rebuilt|wrote|written|rewrote|rewritten|made|put|set|hid|hidden|cut|split|caught|shrank|shrunk|"
    r"swept|taken|took|brought|gave|given|sped)\b(?!-)"
)
_SIMPLE = {"written": "wrote", "rewritten": "rewrote", "taken": "took", "given": "gave", "hidden": "hid", "shrunk": "shrank"}
_OPENING = r"(?:(?:perfect|great|excellent|done|ok(?:ay)?|yes|sure|alright|all set|all done|complete[d]?|success|fixed|good|nice|now|finally|also|both|here)\b[!.,:—–-]*\s*|[✅✓✔☑🎉✨]\s*)*"
_FIRST = lazy(
    rf"^{_OPENING}(?:(?:I|we)(?:['’]ve| have)?(?: just| also| now| successfully| then| already| first|"
    rf" additionally)*\s+)?(?:successfully\s+)?({_PAST})(.*)$",
    re.IGNORECASE | re.DOTALL,
)
_PASSIVE = Cued(
    ("been",),
    rf"^{_OPENING}(.{{3,160}}?)\s+(?:has|have)\s+(?:now |all |both |also )?been\s+(?:successfully |fully |"
    rf"completely )?({_PAST})(.*)$",
    re.IGNORECASE | re.DOTALL,
)
_IS_NOW = Cued(
    (" now",),
    rf"^{_OPENING}(?:the |your |all )?(.{{3,120}}?)\s+(?:is|are)\s+now\s+(?!running|in progress|time|ready|clear|"
    r"the following)(.+)$",
    re.IGNORECASE | re.DOTALL,
)
_NOT_DONE = lazy(
    r"\?\s*$|\b(?:will|would|should|could|may|might|can(?:not|['’]t)?|must|not yet|unless|once you|if you|when you|you can|you['’]ll|"
    r"next step|remaining|did(?:n['’]t| not)|has(?:n['’]t| not)|have(?:n['’]t| not)|was(?:n['’]t| not)|"
    r"were(?:n['’]t| not)|unable|couldn['’]t|failed to|still (?:valid|need|fail|missing|pending|open|requires?)|to be done|"
    r"attempted|tried to|let me|going to|planned to|(?:i|we) plan to|need(?:s|ed)? to)\b"
)
_ASIDE = lazy(
    r"\b(?:next steps?|usage|how to|to (?:test|use|run|try|verify|start|deploy|install)|try it|notes?|remaining|recommend|"
    r"suggest|options?|questions?|what['’]?s next|follow[- ]?ups?|todo|limitations?|known issues?|"
    r"commands?|prerequisites?|why|root cause|the (?:problem|issue|bug)|background|context|analysis|findings?|observations?|"
    r"before|current (?:state|behaviou?r)|alternatives?|risks?|key features|features|benefits|"
    r"verif\w+|test(?:s|ing)? ?(?:results?|status)?|results?|how it works|example|output|not (?:done|included|changed)|"
    r"out of scope|caveats?|future|architecture|tech stack)\b",
    re.IGNORECASE,
)
_CHECKING = lazy(
    r"^(?:verified|tested|checked|confirmed|validated|ran|reran|re-ran)\b|"
    r"^(?:all |both |the |unit |integration |full |code )*(?:tests?|lint\w*|builds?|type ?checks?|ci|suite|"
    r"checks)\b.*\b(?:pass(?:es|ed|ing)?|clean|green|succeed(?:s|ed)?|successful(?:ly)?|ok|no (?:issues|errors)|0 (?:issues|"
    r"errors))\b",
    re.IGNORECASE,
)
_HEADING = lazy(r"^\s{0,3}(?:#{1,6}\s+(.+?)\s*#*|\*\*([^*]{1,160})\*\*:?|__([^_]{1,160})__:?|([A-Z][^.!?`*]{2,80}):)\s*$")
_BULLET = lazy(r"^(\s*)(?:[-*+•]|\d{1,3}[.)])\s+(.*)$")
_LABELLED = lazy(
    r"^(?:\*\*)?\[?`?([\w./@~-]{2,200})(?::[\d,: -]{1,40})?`?\]?(?:\([^()]{0,400}\))?(?:\*\*)?\s*(?:\([^()]{1,80}\)\s*)?[-—–:→]+\s+(?:\*\*)?\s*(.+)$"
)
_FILE = lazy(
    r"(?<![\w/])((?:[\w@~.-]+/)*[\w@-][\w@.-]*\.[A-Za-z]\w{0,7}|[\w@-]+(?:/[\w@.-]+)+|\.[a-z][\w.-]{2,}|(?:Make|Docker|Gem|"
    r"Rake|Proc)file)(?![\w/])"
)
_BRAND = lazy(r"[A-Z][A-Za-z0-9]*\.(?:js|io|NET|ai)|(?:and|read|input|client|yes|TCP|CI|I|A)/\w+")
_FIELD = lazy(r"[A-Z][\w/ -]{2,30}: +[`\w/#]")
_TITLED = lazy(r"^\*\*([^*]{2,80}?):?\*\*:?\s*[-—–:→]*\s*(\S.+)$")
_CODE = lazy(r"`([^`\n]{2,80})`")
_FOLLOWING = lazy(
    r",?\s+(?:(?:with|including|has|have|via|through|in) (?:the )?following\b|as follows\b).*$", re.IGNORECASE | re.DOTALL
)
_NAME = lazy(r"\b(?:[a-z]+[A-Z]\w+|[A-Z][a-z0-9]+[A-Z]\w+|\w+_\w+|\w+\(\))")

# What says that something was done, but not what.
_EMPTY = keywords(
    "all changes change work implemented implementation completed complete done verified tested fixed task tasks requested "
    "successfully everything plan steps following made updated added here summary places files both two three"
)


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing said to be done. *files* and *names* are what can be looked up in the deeds; *leads* marks the message's "
    "opening claim."""

    text: str
    files: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    leads: bool = False
    nests: bool = False  # an entry that its sub-entries complete
    parts: int = 0
    words: frozenset[str] = field(default_factory=frozenset)

    def with_part(self, part: str) -> "Claim":
        """This claim, and a further *part* of it."""
        if len(self.text) > HEADING:
            return self
        part = part.rstrip(" .:;")
        text = f"{self.text}; {part}" if self.parts else f"{self.text.rstrip('.!')}: {part}"
        names = tuple(dict.fromkeys((*self.names, *_names(part))))
        return replace(self, text=text, names=names, words=self.words | keywords(part), parts=self.parts + 1)


def claims(message: str) -> Iterator[Claim]:
    """The claims of a closing *message*, in its order; plans, advice, questions and feature lists are none."""
    state = _Reading()
    count = 0
    for line in lines(message):
        for claim in state.read(line):
            yield claim
            count += 1
            if count >= MOST:
                return
    yield from state.rest()


class _Reading:
    """Where in a message the reader is: under which heading, after which opening."""

    def __init__(self) -> None:
        self.context: tuple[str, ...] = ()
        self.aside = False
        self.lead: Claim | None = None  # ends with a colon: what follows belongs to it
        self.brief = False  # the lead says so little that the fields behind it belong to it, too
        self.found = 0

    def read(self, line: str) -> Iterator[Claim]:
        bullet = _BULLET.match(line)
        if bullet:
            if len(bullet[1].expandtabs(4)) < 2:
                yield from self._entry(bullet[2].strip())
            elif self.lead is not None and self.lead.nests:
                self.lead = self.lead.with_part(plain(bullet[2]))
            return
        heading = _HEADING.match(line)
        if heading and not (self.found == 0 and line.rstrip().endswith(":") and any(map(self._said, sentences(plain(line))))):
            yield from self.rest()
            title = next(filter(None, heading.groups()), "")
            self.context = _files(title)
            self.aside = bool(_ASIDE.search(title)) and not self.context
            return
        if self.aside:
            return
        if line.startswith(("**", "`", "[")) and _LABELLED.match(line):
            yield from self._entry(line.strip())
            return
        for sentence in sentences(line):
            yield from self._sentence(plain(sentence))

    def rest(self) -> Iterator[Claim]:
        """The opening that was kept back for what follows it."""
        if self.lead is not None:
            yield self.lead
            self.lead, self.brief = None, False

    def _sentence(self, sentence: str) -> Iterator[Claim]:
        claim = self._said(sentence)
        if claim is None:
            if self.brief and self.lead is not None and _FIELD.match(sentence):
                self.lead = self.lead.with_part(sentence)
            return
        yield from self.rest()
        self.found += 1
        self.brief = not sentence.endswith(":") and len(claim.words) <= BRIEF and not claim.files
        if self.brief or sentence.endswith(":"):
            self.lead = claim
        else:
            yield claim

    def _entry(self, text: str) -> Iterator[Claim]:
        """A bullet, or a paragraph that begins with the name of what it tells of."""
        if self.aside or _NOT_DONE.search(text.lower()):
            return
        said = self._said(plain(text)) or self._labelled(text)
        if said is not None:
            yield from self.rest()
            self.found += 1
            done = _claim(said.text, (*said.context, *self.context))
            if text.endswith(":"):
                self.lead = replace(done, nests=True)
            else:
                yield done

    def _labelled(self, text: str) -> Claim | None:
        """`file`: what was done to it. Under an opening that says what was done, a mere file belongs to that opening."""
        titled, labelled = _TITLED.match(text), _LABELLED.match(text)
        if titled and self._said(plain(titled[2])):
            return _claim(plain(text))
        if not labelled or not _files(labelled[1]):
            return None
        label, rest = labelled[1], plain(labelled[2])
        if self.lead is not None and not self.lead.nests and not self.brief and not self._said(rest):
            self.lead = _claim(self.lead.text, (*self.lead.context, *_files(label)), leads=self.lead.leads)
            return None
        words = keywords(rest) - keywords(" ".join(_files(rest)))
        return _claim(plain(text), (label,)) if len(words) > 1 and not _CHECKING.match(rest) else None

    def _said(self, sentence: str) -> Claim | None:
        """The claim that *sentence* makes, if it tells of something done."""
        if len(sentence) > 700 or _NOT_DONE.search(sentence.lower()):
            return None
        bare = sentence.strip().rstrip(":").strip()
        first, lowered = _FIRST.match(bare), bare.lower()
        if first:
            text = f"{_SIMPLE.get(first[1].lower(), first[1])}{first[2]}"
        elif passive := _PASSIVE.find(bare, lowered):
            text = bare[passive.start(1) :]
        elif _IS_NOW.find(bare, lowered):
            text = bare
        else:
            return None
        claim = _claim(text, self.context, leads=self.found == 0)
        least = 2 if sentence.endswith(":") and self.found else 3
        tells = len(claim.words) >= least and (len(claim.words - _EMPTY) > 1 or claim.files or claim.names)
        return claim if tells and not _CHECKING.match(text) else None


def _claim(text: str, context: tuple[str, ...] = (), *, leads: bool = False) -> Claim:
    return Claim(
        text=_FOLLOWING.sub("", text.strip().rstrip(":").rstrip()),
        files=_files(text),
        names=_names(text),
        context=tuple(dict.fromkeys(context)),
        leads=leads,
        words=keywords(text),
    )


def _names(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*_CODE.findall(text), *_NAME.findall(text))))


def _files(text: str) -> tuple[str, ...]:
    """What in *text* looks like a file or a folder."""
    return tuple(
        dict.fromkeys(
            name.rstrip(".") for name in _FILE.findall(text) if not (name.replace(".", "").isdigit() or _BRAND.fullmatch(name))
        )
    )
