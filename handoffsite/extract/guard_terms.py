"""The words of a text as the guard compares them: stems, groups of what means the same, and how much a word tells."""

import functools
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from handoffsite.extract import (
    guard_actions,
    guard_choices,
    guard_designs,
    guard_methods,
    guard_speech,
    guard_things,
    guard_trades,
    guard_words,
)
from handoffsite.records.pattern import lazy

_TOKEN = lazy(r"`[^`\n]{1,200}`|[^\W_](?:[\w]|[-.+#=](?=\w)|'(?=[a-z]\b)|\+\+|#)*|/[\w./-]{3,80}|--?[a-z][\w-]{1,40}")
_PART = lazy(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_a-zA-Z]+")
_NUMBER = lazy(r"[0-9][\d.,]*(?:[a-z]{0,3}|%)")
NAME = 1.4  # what a product or identifier tells, of what another word does
_UNIT = frozenset("ms s sec second minute min hour h day week night".split())
_EVERY = frozenset("every each per".split())

# Words that build sentences and tell nothing of what is done.
STOP = frozenset(
    "a an and are as at be been being but by can could did do does for from had has have he her his how i if in into is it its itself just "
    "let may me might more most must my of off on onto or our out over own shall she should so some such than that the their them then "
    "there these they this those to too under up upon us very was we were what when where which while who whom why will with would you "
    "your yet also again already always because before after both during here else much many other another only same till until via "
    "about across along among around behind below beneath beside between beyond down near since through toward towards within about "
    "like one two three first second step steps next please forget hesitate ok e.g i.e etc s t".split()
)
# Words of action and measure that stand in any plan.
_WEAK = frozenset(
    "use using used make put get set add run keep take give go come bring do need want work new old way thing time case part "
    "create build write implement change handle support enable call start show now later every each whole all entire single "
    "several few able best better good simple simply easy easily fast quick quickly large big small high low first last same "
    "different various certain whatever whenever any side place point kind type user name value data code project app service "
    "minute second hour day week month year three four five six seven eight ten twenty hundred thousand gb mb kb tb byte percent system tool file line approach solution option version plan task try tried trying global plain own one".split()
)
_SUFFIXES = (
    ("izations", "iz"), ("ization", "iz"), ("isation", "iz"), ("ising", "iz"), ("ised", "iz"), ("ises", "iz"), ("ise", "iz"),
    ("izing", "iz"), ("ized", "iz"), ("izes", "iz"), ("ize", "iz"), ("izer", "iz"), ("iser", "iz"),
    ("ements", ""), ("ement", ""), ("ments", ""), ("ment", ""), ("ations", "at"), ("ation", "at"), ("ators", "at"), ("ator", "at"),
    ("ating", "at"), ("ated", "at"), ("ates", "at"), ("ate", "at"), ("ions", ""), ("ion", ""), ("ings", ""), ("ing", ""), ("iest", "i"), ("ied", "i"),
    ("ies", "i"), ("ers", ""), ("er", ""), ("ors", ""), ("ly", ""), ("ed", ""), ("es", ""), ("s", ""), ("e", ""), ("y", "i"),
)  # fmt: skip


_ENDINGS = {last: [pair for pair in _SUFFIXES if pair[0][-1] == last] for last in {suffix[-1] for suffix, _ in _SUFFIXES}}
_FIXED = guard_choices.NAMES | frozenset(
    "https alias status canvas analysis axios access address sms news series always os ios server folder header number order pointer letter "
    "paper worker master container counter cluster layer member customer computer browser router driver never".split()
)
# What a whole project is written in tells little of one approach.
_LANGUAGES = frozenset(
    "api url ui id http https os db ci sql html css python java javascript typescript rust golang ruby php kotlin swift scala elixir perl js ts".split()
)


@dataclass(frozen=True, slots=True)
class Term:
    """One word of a text: its *stem*, the *groups* that it may stand for, and the *weight* of what it tells."""

    stem: str
    groups: frozenset[int]
    weight: float
    word: str
    parts: tuple["Term", ...] = ()
    is_part: bool = False


@dataclass(slots=True)
class Thesaurus:
    """Groups by the words that stand for them: single stems, runs of stems, and pairs a few words apart."""

    single: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    runs: dict[str, list[tuple[tuple[str, ...], int]]] = field(default_factory=lambda: defaultdict(list))
    pairs: dict[str, list[tuple[str, int]]] = field(default_factory=lambda: defaultdict(list))
    instead: dict[int, frozenset[int]] = field(default_factory=dict)
    weak: set[int] = field(default_factory=set)


@functools.lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """*word* without its inflection, roughly."""
    if len(word) < 4 or not word.isalpha() or word in _FIXED:
        return word
    for suffix, rest in _ENDINGS.get(word[-1], ()):
        if word.endswith(suffix) and len(word) - len(suffix) >= (
            4 if suffix[0] in "eo" and suffix[-1] in "rs" and "r" in suffix else 3
        ):
            if suffix == "s" and word[-2] in "su":
                return word
            found = word[: len(word) - len(suffix)] + rest
            if (
                suffix in {"ing", "ings", "ed", "er", "ers"}
                and len(found) > 3
                and found[-1] == found[-2]
                and found[-1] not in "lsz"
            ):
                found = found[:-1]
            if rest == "" and found[-1] == "i" and suffix in {"es", "er", "ed"}:
                return found
            return found[:-1] + "i" if found[-1] == "y" and len(found) > 3 else found
    return word


@functools.cache
def thesaurus() -> Thesaurus:
    """The groups of the three parts of the thesaurus, by stems."""
    found = Thesaurus()
    names: dict[str, set[int]] = defaultdict(set)
    count = 0
    for line in (
        *_lines(guard_words.SAME),
        *_lines(guard_speech.SAME),
        *_lines(guard_methods.SAME),
        *_lines(guard_trades.SAME),
        *_lines(guard_actions.SAME),
        *_lines(guard_things.SAME),
        *_lines(guard_designs.SAME),
    ):
        if line.startswith("~"):
            found.weak.add(count)
        for place, word in enumerate(one.strip() for one in line.removeprefix("~").split(";")):
            _enter(found, word, count)
            if place == 0:
                names[word].add(count)
        count += 1
    excluded: dict[int, set[int]] = defaultdict(set)
    for line in _lines(guard_choices.INSTEAD):
        members = []
        for word in (one.strip() for one in line.split("|")):
            if word not in names:
                _enter(found, word, count)
                names[word].add(count)
                count += 1
            members.append(names[word])
        for place, one in enumerate(members):
            others = set().union(*(other for index, other in enumerate(members) if index != place))
            for group in one:
                excluded[group] |= others - one
    found.instead = {group: frozenset(others) for group, others in excluded.items()}
    return found


def _lines(table: str) -> list[str]:
    return table.strip().splitlines()


def stems(text: str) -> set[str]:
    """The stems of the words of *text*."""
    return {stem(token.strip("`").lower()) for token in _TOKEN.findall(text)}


def terms(text: str) -> list[Term]:
    """What *text* tells, word by word."""
    found: list[Term] = []
    for token in _TOKEN.findall(text):
        is_code = token[0] == "`"
        plain = token.strip("`")
        if is_code and any(not (character.isalnum() or character in "_-./") for character in plain):
            found += [term for inner in _TOKEN.findall(plain.replace("`", "")) for term in _of_token(inner, code=True)]
        else:
            found += _of_token(plain, code=is_code)
    return _grouped(found)


def _of_token(token: str, *, code: bool) -> list[Term]:
    lower = token.lower()
    if lower in STOP and not code and not (token.isupper() and len(token) > 2):
        return [Term(lower, frozenset(), 0.0, token)]
    if _NUMBER.fullmatch(lower):
        return [Term(lower, frozenset(), 0.3, token)]
    named = _is_name(token, code=code)
    named = named or lower in guard_choices.NAMES
    whole = Term(stem(lower), frozenset(), _weight(lower, named=named), token)
    parts = [(part.lower(), part) for part in _PART.findall(token)]
    if len(parts) < 2:
        return [whole]
    # A compound is told by its parts as well, each of which may stand alone elsewhere.
    inner = [
        Term(stem(one), frozenset(), _weight(one, named=one in guard_choices.NAMES), part, is_part=True) for one, part in parts
    ]
    inner = [term for term in inner if term.weight]
    return [whole, *inner]


def _is_name(token: str, *, code: bool) -> bool:
    inner = token[1:]
    return code or any(c.isdigit() or c.isupper() or c in "_./=#+" for c in inner) or token[0] in "-/"


def _weight(word: str, *, named: bool) -> float:
    if word in STOP:
        return NAME if named else 0.0  # LIKE is a word of SQL
    return 0.35 if stem(word) in _weak() else 0.6 if word in _LANGUAGES else NAME if named else 1.0


@functools.cache
def _weak() -> frozenset[str]:
    return frozenset(stem(word) for word in _WEAK)


def _grouped(found: Sequence[Term]) -> list[Term]:
    """*found* with the groups of each, phrases looked at; how often something is done is one more term."""
    known = thesaurus()
    stems = [term.stem for term in found]
    groups: list[set[int]] = [set(known.single.get(one, ())) for one in stems]
    content = [place for place, term in enumerate(found) if term.weight or term.stem in _EVERY or term.stem in STOP]
    for at, place in enumerate(content):
        one = stems[place]
        for run, group in known.runs.get(one, ()):
            here = content[at : at + len(run)]
            if tuple(stems[index] for index in here) == run:
                for index in here:
                    groups[index].add(group)
        for second, group in known.pairs.get(one, ()):
            for index in content[at + 1 : at + 13]:
                if stems[index] == second:
                    groups[place].add(group)
                    groups[index].add(group)
                    break
    given = [
        Term(term.stem, frozenset(own), term.weight, term.word, is_part=term.is_part) if own else term
        for term, own in zip(found, groups, strict=True)
    ]
    for place, term in enumerate(given):
        parts = _parts_of(given, place)
        if parts:
            given[place] = replace(term, parts=parts)
    return given


def _parts_of(found: Sequence[Term], place: int) -> tuple[Term, ...]:
    """The terms after a compound that are parts of it."""
    after = place + 1
    while after < len(found) and found[after].is_part and not found[place].is_part:
        after += 1
    return tuple(found[place + 1 : after])


def _enter(found: Thesaurus, word: str, group: int) -> None:
    if ".." in word and not word.startswith("."):
        first, _, second = word.partition("..")
        found.pairs[stem(first.split()[-1].lower())].append((stem(second.split()[0].lower()), group))
        return
    run = tuple(stem(one) for one in word.lower().split())
    if len(run) == 1:
        found.single[run[0]].add(group)
        parts = [] if word.isalpha() else [part.lower() for part in _PART.findall(word)]
        if len(parts) > 1:
            found.runs[stem(parts[0])].append((tuple(stem(part) for part in parts), group))
    else:
        found.runs[run[0]].append((run, group))


def excluded(term: Term) -> Mapping[int, frozenset[int]]:
    """What each group of *term* excludes."""
    known = thesaurus().instead
    return {group: known[group] for group in term.groups if group in known}
