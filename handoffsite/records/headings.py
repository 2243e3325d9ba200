"""What the headings that people write mean: the alias table, and how a heading is stripped to what it says."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from handoffsite.records.standing import DECISIONS, THREADS

# How the headings of each section are written, the section's own name first.
SECTIONS: Mapping[str, Sequence[str]] = {
    section: [" ".join(alias.split()) for alias in aliases.split("|")]
    for section, aliases in {
        "completed": """
        completed | done | completed work | completed items | completed tasks | completed today | completed this
        session | completed todos | completed validation | completed infrastructure | quick tasks completed | tasks
        completed | work completed | work done | what was completed | what was actually completed | what was
        accomplished | what was accomplished this session | what was done | what got done | what we did | what i did |
        what we've achieved | what has been done | what's done | what is done | what works | what shipped | what
        changed | accomplished | accomplishments | achievements | major achievements | recent changes | recent
        milestones | changes made | changes | shipped | delivered | deliverables completed | finished | finished work
        | implemented | resolved | fixed | successfully deployed | refactoring complete | proof of concept | verified
        results | results | done this session | done so far | progress made | already done | milestones reached |
        session accomplishments | what was implemented | what was fixed | what was built | features completed | closed
        | completed features | what was removed | what was added | removed | added | 最近更改 | 已完成 | 完成 | 完成的工作 |
        التغييرات الأخيرة | المكتمل | تم إنجازه | erledigt | fertig | abgeschlossen | terminé | fait | réalisé |
        accompli | completado | hecho | terminado | concluído | feito | completato | fatto | 完了 | 完了した作業 | 완료 | 완료된 작업
        | сделано | выполнено | завершено | готово
        """,
        "decisions": """
        decisions | decision | decisions made | key decisions | decisions taken | decisions and rationale | active
        decisions | active decisions and considerations | decided | decided / don't redo | already decided | already
        decided / don't redo | decisions already locked | decisions locked | locked decisions | key architectural
        decision | key architectural decisions | architectural decisions | architecture decisions | key design
        decisions | design decisions | key technical decisions | technical decisions | technical choices | design
        choices | choices | choices made | evolution of project decisions | decision outcome | decision log |
        decisions log | decisions this session | important decisions | what was decided | what we decided | settled |
        agreed | proposed decisions | proposals | proposed | rejected decisions | rejected proposals | 决策 | 决定 | 关键决策 | القرارات | القرارات النشطة | entscheidungen | décisions | decisiones | decisões |
        decisioni | 決定 | 決定事項 | 결정 | 결정 사항 | решения | принятые решения
        """,
        "constraints": """
        constraints | constraint | blockers | blockers/concerns | blockers and concerns | known issues | known issues
        / blockers | known limitations | current challenges | challenges | technical constraints | hard constraints |
        hard rules | technical debt and limitations | limitations | current limitations | api limitations | risks |
        risks / landmines | landmines | gotchas | pitfalls | caveats | non-goals | scope boundary | what not to use |
        what not to do | don't | do not | do nots | dos and don'ts | what was tried | what we tried | what i tried |
        tried and failed | what was tried and did not resolve it | what didn't work | what did not work | what failed
        | failed approaches | failed attempts | failed deployments | dead ends | flagged but not fixed | lessons &
        don'ts | lessons and don'ts | lessons | lessons learned | mistakes | mistakes i made that you don't have to |
        critical issue | critical issues | what's failing | what is failing | failing | failures | top gaps | problems
        | problem | issues | open issues | blocking | approaches that failed | things that don't work | tried |
        already tried | constraints and limitations | constraints found | limits | concerns | hard constraints /
        acceptance gates | core tension | 约束 | 限制 | 已知问题 | القيود | المشاكل المعروفة | einschränkungen | bekannte
        probleme | contraintes | limites | restricciones | limitaciones | restrições | vincoli | 制約 | 既知の問題 | 제약 | 제약
        사항 | 알려진 문제 | ограничения | известные проблемы
        """,
        "dependencies": """
        dependencies | dependency changes | dependencies changed | changed dependencies | dependency updates |
        dependency | packages | package changes | new dependencies | dependencies added | libraries added | deps |
        dependency change | 依赖 | 依赖变更 | 依赖项 | التبعيات | abhängigkeiten | dépendances | dependencias | dependências |
        dipendenze | 依存関係 | 의존성 | зависимости
        """,
        "threads": """
        threads | next | next steps | next step | in progress | work in progress | wip | todo | todos | to do | to-do
        | to-do list | todo list | what's next | what is next | whats next | next actions | next milestones | next up
        | next session | next tasks | next development cycle | for next session | for the next session | recommended
        next steps | suggested next steps | immediate next steps | remaining | remaining tasks | remaining work |
        remaining issues | remaining legacy code | total remaining | what remains | what's left | what is left | left
        to do | still to do | what's left to build | what needs to be done | outstanding | outstanding work |
        outstanding tasks | in progress / blocked | pending | pending todos | pending tasks | pending work | pending
        items | open | open items | open tasks | open threads | open work | active threads | active work | ongoing |
        ongoing work | current tasks | the work | follow-ups | follow ups | followups | action items | specific todos
        the next agent can pick up | suggested first moves | resume plan | to resume | verification still required |
        immediate | short-term goals | short-term | medium-term | long-term | high priority | major work remaining |
        not started | not done | unfinished | incomplete | still open | backlog | later | deferred | parked |
        postponed | paused | waiting | waiting for | blocked | blocked on | up next | upcoming | tasks | plan | open
        questions | questions | open decisions | open decision | pending decisions | decisions needed | decision
        needed | undecided | next phase | next session prompt | starting prompt |
        当前任务 | 下一步 | 下一步计划 | 待办 | 待办事项 | 进行中 | المهام الحالية | الخطوات التالية | قيد التنفيذ | nächste schritte |
        offen | offene punkte | in arbeit | prochaines étapes | à faire | en cours | próximos pasos | pendiente | en
        progreso | próximos passos | pendente | em andamento | prossimi passi | da fare | in corso | 次のステップ | 次の作業 |
        進行中 | 未完了 | 다음 단계 | 할 일 | 진행 중 | следующие шаги | в работе | осталось
        """,
        "retired": """
        retired | superseded | lifted | no longer valid | no longer applies | obsolete | withdrawn | reversed |
        revoked
        """,
        "focus": """
        focus | current focus | goal | goals | objective | current goal | current objective | session goal | mission |
        project focus | 当前焦点 | 目标 | التركيز الحالي | الهدف | fokus | ziel | objectif | objetivo | foco | obiettivo |
        目的 | 目標 | 목표 | цель | фокус
        """,
        "narrative": """
        narrative | notes | note | summary | session summary | overview | context | background | details | description
        | current status | status | current state | state | key files | files | files changed | files modified | files
        created | changed files | references | links | resources | architecture | environment | commands | metrics |
        test status | tests | testing | how to verify | how to run | quick start | appendix | log | history | session
        log | misc | other | additional notes | further notes | core dependencies | production dependencies |
        development dependencies | dependencies overview | technology stack | tech stack | technologies used | success
        criteria | handoff | handover | session | introduction | about | tl;dr | unfiled
        """,
    }.items()
}

# What a heading that is one of these says of the status of what stands beneath it.
_STATUS = {
    " ".join(alias.split()): status
    for status, aliases in {
        "blocked": """
        blocked | blocked on
        """,
        "waiting": """
        waiting | waiting for | open questions | questions | open decisions | open decision | pending decisions |
        decisions needed | decision needed | undecided
        """,
        "proposed": """
        proposed decisions | proposals | proposed
        """,
        "rejected": """
        rejected decisions | rejected proposals
        """,
        "paused": """
        deferred | parked | postponed | paused | later | backlog
        """,
    }.items()
    for alias in aliases.split("|")
}

# Written so often, or so plainly, that nobody needs to be told how they are read.
_PLAIN = frozenset(
    {"completed", "done", "decisions", "constraints", "dependencies", "dependency changes", "threads", "next", "next steps"}
    | {"in progress", "retired", "focus"}
)
LONGEST = 300  # characters; a longer heading is a sentence

_ALIASES = {alias: section for section, aliases in SECTIONS.items() for alias in aliases}
_NUMBER = re.compile(r"^(?:§\s*)?(?:\d{1,3}(?:\.\d{1,3})*[.):]?|[ivx]{1,5}[.)]|[a-h][.)])\s+", re.IGNORECASE)
_MARKUP = re.compile(r"[*_`~]+|\[(?=[^\]]*\]\()|\]\([^)]*\)")
_COUNT = re.compile(r"\s*[(\[]\s*\d+\s*(?:items?|total)?\s*[)\]]\s*$")
_ENDING = re.compile(
    r"(?:[:：—–|,(\[/]|\s-|\s+(?:for|of|from|in|on|this|so|already|to|and|made|by|with|that|as|during|until|since|the|today|pending|needed)\b)"
)


@dataclass(frozen=True, slots=True)
class Role:
    """What a heading opens: the *section*; *rest* is what the heading says beyond that, *status* that of threads beneath it.

    *plain* is whether it is written as we write it ourselves.
    """

    section: str
    rest: str = ""
    status: str = ""
    plain: bool = True


def role(heading: str, aliases: Mapping[str, str]) -> Role | None:
    """What *heading* opens, by a project's own *aliases* first and then by ours; None for one that nobody knows."""
    if len(heading) > LONGEST:
        return None
    simple = simplified(heading)
    known = {simplified(alias): section for alias, section in aliases.items()}
    if simple in known:
        return Role(known[simple])
    for candidate, rest in _candidates(simple):
        section = known.get(candidate) or _ALIASES.get(candidate)
        if section:
            return Role(section, rest, _STATUS.get(candidate, ""), plain=candidate in _PLAIN)
    return None


def status(heading: str, section: str) -> str:
    """The status that the *heading* of a group within *section* gives to all beneath it: `Blocked` under Threads."""
    simple = simplified(heading)
    if section == "threads":
        return THREADS.get(simple, "") or _STATUS.get(simple, "")
    if section != "decisions":
        return ""
    found = DECISIONS.get(simple, "") or _STATUS.get(simple, "")
    return "waiting" if found == "open" else found


def nearest(heading: str) -> str:
    """The section that *heading* is most like by its name, or nothing where it is like none."""
    names = [alias for section, aliases in SECTIONS.items() if section != "narrative" for alias in aliases[:8]]
    close = get_close_matches(simplified(heading[:80]), names, n=1, cutoff=0.6)
    return _ALIASES[close[0]] if close else ""


def simplified(heading: str) -> str:
    """*heading* without markup, pictures, numbering and counts, in lower case."""
    text = _MARKUP.sub("", heading.replace("’", "'").replace("‘", "'"))
    text = "".join(" " if _is_decoration(character) else character for character in text)
    text = _COUNT.sub("", _NUMBER.sub("", " ".join(text.split())))
    return " ".join(text.split()).strip(" :：.-–—").casefold()


def unnumbered(heading: str) -> str:
    """*heading* without a number in front and pictures around it."""
    text = _NUMBER.sub("", heading.strip())
    while text and (_is_decoration(text[-1]) or text[-1] == " "):
        text = text[:-1]
    return text


def _candidates(simple: str) -> Iterator[tuple[str, str]]:
    """What *simple* may be called, the longest name first, each with what is left over."""
    yield simple, ""
    if simple.endswith((" complete", " completed", " done")):
        yield simple.rpartition(" ")[0], ""
    for found in reversed(list(_ENDING.finditer(simple))):
        candidate = simple[: found.start()].strip()
        if candidate:
            yield candidate, simple[found.start() :].strip()


def _is_decoration(character: str) -> bool:
    return character > "\x7f" and (
        unicodedata.category(character) in {"So", "Sk", "Cf", "Cn"} or "\ufe00" <= character <= "\ufe0f"
    )
