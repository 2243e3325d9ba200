"""The tools of the agents whose talks SpecStory writes down: what a block says was called, and what came of it."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from handoffsite.records.transcript import Account
from handoffsite.sources import claude_tools, codex_tools
from handoffsite.sources.claude_prompts import INTERRUPTED, pairs, reason
from handoffsite.sources.emitter import Call, Emitter
from handoffsite.sources.specstory_block import Block
from handoffsite.sources.text import clean, word
from handoffsite.sources.todos import Todos

ROLES = {
    **codex_tools.ROLES,
    **claude_tools.ROLES,
    **dict.fromkeys(
        "command run_terminal_cmd run_terminal_command run_terminal_command_v2 run_shell_command run_command".split(), "shell"
    ),
    **dict.fromkeys(
        "code_edit edit_file edit_file_v2 search_replace edit_notebook reapply replace delete_file apply_diff".split(), "edit"
    ),
    **dict.fromkeys("copilot_applyPatch copilot_insertEdit copilot_replaceString".split(), "edit"),
    **dict.fromkeys("write write_file create_file write_to_file copilot_createFile".split(), "write"),
    **dict.fromkeys("read_file_v2 read_many_files view_file copilot_readFile".split(), "read"),
    **dict.fromkeys(
        "grep ripgrep glob codebase_search grep_search file_search search_file_content list_directory".split(), "search"
    ),
    **dict.fromkeys("web_fetch google_web_search fetch".split(), "fetch"),
    **dict.fromkeys("todo_write write_todos".split(), "todo"),
    **dict.fromkeys("ask_question ask_user".split(), "question"),
    **dict.fromkeys("exit_plan_mode".split(), "plan"),
    "task": "agent",
}
_KINDS = {"read": "read", "search": "search", "shell": "shell", "task": "todo"}
_TELLING = ("shell", "plan", "question")  # roles of which also an editor's export shows what came back
_SILENT = ("shell", "read", "search")  # roles that may have nothing to show for themselves
_WRITES = ("Write", "write", "write_file", "create_file", "write_to_file")

_NAMED = re.compile(r"Tool use: \*\*[^*\n]{1,200}\*\*")
_RUN = re.compile(r"Run command: (.+)\Z", re.DOTALL)
_FILE = re.compile(r"(?:Edit|Read|Create|Write|Delete|Edited|Created|Deleted|View)(?:d|ed)? file: ([^\n•<]{1,1000})")
_PATH = re.compile(r"(?:^|\bpath )[ \t]*`([^`\n]{1,1000})`", re.MULTILINE)
_TARGET = re.compile(r"\*\*(Add|Update|Modify|Delete): `([^`\n]{1,1000})`\*\*")
_INPUT = re.compile(r"^- ([\w.-]{1,80}): `(.*)`$", re.MULTILINE)
_TODO = re.compile(r"^\s*[-*] \[([^\]\n]{1,4})\]\s+(?:(?:🔥|🌡️|❄️)\s*)?(\S.*)$", re.MULTILINE)
_STATUSES = {" ": "pending", "x": "completed", "X": "completed", "✓": "completed", "✅": "completed"}
_QUESTION = re.compile(r"^\*\*(.+?)\*\*(?: _\(select multiple\)_)?$")
_OPTION = re.compile(r"^- \*\*(.+?)\*\*(?: - (.*))?$")
_ANSWER = re.compile(r"^\*\*Answer:\*\*[ \t]*(.*)", re.MULTILINE | re.DOTALL)
_TOLD = re.compile(
    r"^(?:The file (.{1,1000}?) has been (?:updated|created|written|overwritten)|(?:New )?[Ff]ile created successfully at: (.{1,1000}?)(?: \(|$)|"
    r"Successfully (?:modified|created|overwrote|wrote|created and wrote to new) (?:to )?(?:new )?file: (.{1,1000}?)(?: \(|\.?$)|[AMD] (\S.{0,999})$)",
    re.MULTILINE,
)
_EVERYWHERE = re.compile(r"All occurrences of '(.+)' were successfully replaced with '(.*)'\.?\s*\Z", re.DOTALL)
_REFUSED = re.compile(
    r"The user doesn't want to (?:proceed with this tool use|take this action right now)|[^\n]{0,80}\b(?:rejected|denied|declined) by (?:the )?user\b|"
    r"User decision: \*\*(?:rejected|denied)|Cancelled\s*\Z",
    re.IGNORECASE,
)
_FAILED = re.compile(
    r"(?:<tool_use_error>|(?:Error|Failed)\b(?! *s? *:? *0\b)|InputValidationError|String to replace not found|File has not been read yet|"
    r"File has been (?:unexpectedly )?modified since|File does not exist|Found \d+ matches of the string|No such tool|\[Request interrupted|"
    r"Command timed out|apply_patch verification failed|execution error|An unknown error occurred)"
)
_EXIT = re.compile(r"(?:Error: )?Exit code:? (-?\d{1,5})\b", re.IGNORECASE)
_EXITED = re.compile(r"^(?:Process exited with code|Exit [Cc]ode:) (-?\d{1,10})\b", re.MULTILINE)
_RUNS_ON = re.compile(r"^(?:Process running with session ID|Command running in background with ID:) ([\w-]{1,80})", re.MULTILINE)
_HEADER = ("Chunk ID:", "Wall time:", "Exit code:", "Process ")
_OUTPUT = "Output:\n"
_APPROVED = re.compile(r"User has approved (?:your|the) plan|Plan (?:approved|accepted)", re.IGNORECASE)
_APPROVED_PLAN = re.compile(r"^#+ Approved Plan[^\n]*:?\n(.+)", re.DOTALL | re.MULTILINE)
_PLANS = re.compile(r"[/\\]plans?[/\\]")
_ERROR_STATUS = re.compile(r"Status: \*\*(?:error|failed|cancelled)\*\*")


class Tools:
    """Turns blocks into calls and results."""

    def __init__(self, account: Account, emitter: Emitter) -> None:
        self.account = account
        self.emitter = emitter
        self.is_claude = False  # whose shell prints a status only where it is not 0
        self.is_editor = False  # whose export shows an edit if it was made, and no more of it
        self._todos: dict[bool, Todos] = {}
        self._silent: tuple[Call, int, str] | None = None  # a call of which no result is shown: it went well, or never ended
        self._last = ("", 0)
        self._plan = ""
        self._calls = 0

    def use(self, block: Block) -> None:
        """Add the call that *block* tells of, and its result if it shows one."""
        block.finish()
        words = block.words()
        if self._is_echo(block, words):
            self.account.repeated += 1
            return
        self.settle()
        call = self._call(block, words)
        self.account.calls += 1
        emitter = self.emitter
        emitter.line = block.line
        emitter.call(call, _summary(call, words, block.summary))
        if call.role == "todo" and (todos := _listed(words)):
            emitter.listed(todos)
        shown = block.result(content_first=call.role == "write")
        if shown is not None:
            self._result(call, *shown)
        elif call.role == "question" and (found := _ANSWER.search(words)):
            self._done(call, block.line, clean(found[1]).strip())
            self._answered(call, clean(found[1]).strip())
        elif _REFUSED.search(words[-400:]) or _ERROR_STATUS.search(words) or _FAILED.match(words.strip()):
            self._result(call, block.line, words.strip(), marked=True)
        elif call.role == "todo" or (self.is_editor and call.role not in _TELLING):
            self._done(call, block.line, "")
        else:
            self._silent = (call, block.line, emitter.time)

    def settle(self, *, stopped: bool = False) -> None:
        """Decide on a call that shows no result: the agent went on, so it had ended, unless it was *stopped*."""
        if self._silent is None:
            return
        (call, line, time), self._silent = self._silent, None
        if stopped or not (call.name == "apply_patch" or (self.is_claude and call.role in _SILENT)):
            self.account.unanswered += 1
            return
        now, self.emitter.time = self.emitter.time, time
        self._done(call, line, "", exit=0 if call.role == "shell" else None)  # a patch that did not fit would say so
        self.emitter.time = now

    def _done(self, call: Call, line: int, text: str, *, exit: int | None = None) -> None:
        self.account.results += 1
        self.emitter.line = line
        self.emitter.result(call, text, ok=True, exit=exit)

    def _is_echo(self, block: Block, words: str) -> bool:
        """Whether *block* is the empty twin that some exports put behind a block."""
        last, self._last = self._last, (block.name, len(words) + len(block.parts))
        return (
            not words.strip()
            and len(block.parts) == 1
            and "•" not in block.summary
            and bool(last[0])
            and last[0] == block.name
            and last[1] > 0
        )

    def _call(self, block: Block, words: str) -> Call:
        name = word(block.name) or "unknown"
        role = ROLES.get(name) or _KINDS.get(block.kind) or ("edit" if block.kind == "write" else "other")
        if role == "todo" and name == "task":
            role = "agent"
        given: dict[str, Any] = {key: clean(value) for key, value in _INPUT.findall(words)}
        data: dict[str, Any] = {"input": given}
        paths = _paths(block, words, given)
        if role == "shell":
            data["command"] = clean(_command(block, words, given))
            if told := words.partition("`")[0].strip():
                given["description"] = clean(told.partition("\n")[0])
        elif role in ("edit", "write"):
            content = block.content() if name in _WRITES else None
            patches = block.patches()
            if content is not None:
                role, data["content"] = "write", clean(f"{content}\n")
            elif patches:
                paths = _patched(patches, data, paths)
        elif role == "question":
            given["questions"] = _questions(words)
        if role in ("edit", "write") and (shown := block.result(content_first=role == "write")):
            paths = paths or _told(shown[1])
            if "new" not in data and (found := _EVERYWHERE.search(shown[1])):  # the one result that tells what was replaced
                data["old"], data["new"], given["replace_all"] = clean(found[1]), clean(found[2]), True
        self._calls += 1
        return Call(f"specstory-{self._calls}", name, role, paths, data)

    def _result(self, call: Call, line: int, text: str, marked: bool) -> None:
        self.account.results += 1
        self.emitter.line = line
        whole = text
        refused = _REFUSED.match(text) is not None or (marked and _REFUSED.search(text[-400:]) is not None)
        ok, exit, text = self._outcome(call, text)
        if refused:
            ok, exit = False, None
        elif marked:
            ok = False
        self.account.errors += ok is False
        data: dict[str, Any] = {}
        if refused:
            data["refused"] = True
        elif ok is None and (found := _RUNS_ON.search(text[:1_000])):
            data["background"] = found[1]
        shown = clean(text)
        self.emitter.stand(whole, shown)
        self.emitter.result(call, shown, ok=ok, exit=exit, data=data)
        if not self.emitter.aside:
            self._human(call, text, failed=ok is False, refused=refused)
        if call.role == "todo" and ok:
            self._tasks(call, text)

    def _outcome(self, call: Call, text: str) -> tuple[bool | None, int | None, str]:
        """Whether it worked, the exit status where there is one, and what was printed."""
        shell = call.role == "shell"
        head = text[:1_000]
        if text.startswith(_HEADER):
            header, colon, _ = head.partition(_OUTPUT)
            printed = text[len(header) + len(colon) :] if colon else text
            if found := _EXITED.search(header):
                return int(found[1]) == 0, int(found[1]), printed
            if _RUNS_ON.search(header):
                return None, None, text
        if shell and (found := _EXIT.match(text)):
            return int(found[1]) == 0, int(found[1]), text
        if _RUNS_ON.match(head):
            return None, None, text
        if _FAILED.match(text):
            return False, None, text
        if not shell:
            return True, None, text
        if found := _EXITED.search(text[-400:]):
            return int(found[1]) == 0, int(found[1]), text
        return (True, 0, text) if self.is_claude else (None, None, text)

    def _human(self, call: Call, text: str, *, failed: bool, refused: bool) -> None:
        """Add what the human answered to the call."""
        emitter = self.emitter
        if call.role == "plan" and (refused or _APPROVED.search(text)):
            found = _APPROVED_PLAN.search(text)
            plan = clean(found[1]).strip() if found else self._plan
            if plan:
                emitter.say("plan", plan)
            emitter.decided(plan, approved=not refused)
        elif call.role == "question" and not failed and (answer := _given(text)):
            self._answered(call, answer)
        if call.role == "write" and not failed and any(_PLANS.search(path) for path in call.paths):
            self._plan = str(call.data.get("content", "")).strip()
        if failed and text.startswith(INTERRUPTED):
            emitter.say("interrupt", clean(text), actor="human")
        if refused and (said := clean(reason(text))):
            emitter.prompt(said, refused=call.id)

    def _answered(self, call: Call, answer: str) -> None:
        asked = call.input.get("questions")
        if not self.emitter.aside:
            self.emitter.answered(_shared_out(asked if type(asked) is list else [], answer))

    def _tasks(self, call: Call, text: str) -> None:
        """Fold a single task's change into the list as a whole."""
        todos = self._todos.setdefault(self.emitter.aside, Todos())
        changed = False
        if call.name == "TaskCreate":
            changed = todos.created(call.input, {}, text)
        elif call.name == "TaskUpdate":
            changed = todos.updated(call.input, {})
        if changed:
            self.emitter.listed(todos.whole())


def _command(block: Block, words: str, given: Mapping[str, Any]) -> str:
    """The command that a shell was given, wherever the exporter put it."""
    if fenced := block.commands():
        return fenced
    if found := _RUN.search(block.summary):
        return found[1].strip()
    quoted = _quoted(_NAMED.sub("", block.summary, count=1).strip()) or _quoted(words.strip())
    return quoted or str(given.get("command") or given.get("cmd") or "")


def _quoted(text: str) -> str:
    """What stands in backticks at the end of *text*, from the first line on that begins with one."""
    if len(text) < 3 or not text.endswith("`"):
        return ""
    start = 0 if text.startswith("`") else text.find("\n`") + 1
    return text[start + 1 : -1] if start or text.startswith("`") else ""


def _paths(block: Block, words: str, given: Mapping[str, Any]) -> tuple[str, ...]:
    found = _FILE.search(block.summary) or _FILE.search(words)
    if found is None and block.kind != "shell":
        found = _PATH.search(words)
    path = (
        word(found[1].strip())
        if found
        else next((word(given[key]) for key in ("file_path", "path", "filePath") if given.get(key)), "")
    )
    return (path,) if path else ()


def _patched(patches: list[tuple[str, str]], data: dict[str, Any], paths: tuple[str, ...]) -> tuple[str, ...]:
    """Put what *patches* change into *data*; the files that they change."""
    targets = [found[-1] if (found := _TARGET.findall(before)) else ("", "") for before, _ in patches]
    if any(path for _, path in targets):
        sections = []
        for (verb, path), (_, patch) in zip(targets, patches, strict=True):
            sections.append(f"*** {'Update' if verb == 'Modify' else verb or 'Update'} File: {path}\n{patch}")
        data["patch"] = clean("\n".join(("*** Begin Patch", *sections, "*** End Patch")))
        return tuple(dict.fromkeys(word(path) for _, path in targets if path))
    lines = [line for _, patch in patches for line in patch.split("\n")]
    if paths and len(patches) == 1 and patches[0][1].startswith("--- "):
        data["patch"] = clean(patches[0][1])
    else:
        data["old"] = clean("\n".join(_side(lines, "-")))
        data["new"] = clean("\n".join(_side(lines, "+")))
    return paths


def _side(lines: list[str], sign: str) -> Iterator[str]:
    """One side of a diff, as some exporters print it: with a space behind the sign."""
    spaced = all(line[1:2] in ("", " ") for line in lines if line[:1] in "+-" and not line.startswith(("+++", "---")))
    for line in lines:
        if line[:1] == sign or line[:1] == " ":
            yield line[2 if spaced else 1 :]


def _summary(call: Call, words: str, summary: str) -> str:
    """What a reader would call the call."""
    if "command" in call.data:
        return str(call.data["command"])
    if call.role == "question" and type(asked := call.input.get("questions")) is list:
        return "\n".join(str(one["question"]) for one in asked)
    if call.role == "todo" or call.paths:
        return ", ".join(call.paths)
    told = words.strip().partition("\n")[0].strip()
    return word(summary if told.startswith("|") else told)


def _told(text: str) -> tuple[str, ...]:
    """The files that a result says were changed."""
    found = (next(group for group in groups if group) for groups in _TOLD.findall(text[:2_000]))
    return tuple(dict.fromkeys(word(path.strip()) for path in found))[:20]


def _listed(words: str) -> list[dict[str, str]]:
    """The to-do list that is shown as boxes."""
    return [
        {"id": "", "text": clean(text).strip(), "status": _STATUSES.get(mark, "in_progress")}
        for mark, text in _TODO.findall(words)[:200]
    ]


def _questions(words: str) -> list[dict[str, Any]]:
    questions: list[dict[str, Any]] = []
    for line in words.split("\n")[:1_000]:
        if option := _OPTION.match(line):
            if questions:
                questions[-1]["options"].append({"label": clean(option[1]), "description": clean(option[2] or "")})
        elif not line.startswith("**Answer:**") and (found := _QUESTION.match(line.strip())):
            questions.append({"question": clean(found[1]), "options": []})
    return questions


def _given(text: str) -> str:
    """The answers in the client's own sentence about them."""
    return ", ".join(pairs(text[:8_000]).values())


def _shared_out(questions: list[Any], answer: str) -> dict[str, str]:
    """Which part of *answer* answers which question: the exporter strings them together with commas."""
    asked = [str(one.get("question")) for one in questions if type(one) is dict]
    if len(asked) < 2:
        return {asked[0] if asked else "": answer} if answer else {}
    pieces = answer.split(", ")
    if len(pieces) == len(asked):
        return dict(zip(asked, pieces, strict=True))
    answers: dict[str, str] = {}
    for index, one in enumerate(questions):
        labels = sorted((str(option["label"]) for option in one["options"]), key=len, reverse=True)
        chosen = next((label for label in labels if answer == label or answer.startswith(f"{label}, ")), "")
        if not chosen:  # in the human's own words, which may hold commas: up to where the next question's answer begins
            following = [str(option["label"]) for later in questions[index + 1 :][:1] for option in later["options"]]
            cuts = [at for label in following if (at := answer.find(f", {label}")) > 0]
            chosen = answer[: min(cuts)] if cuts else answer
        if chosen:
            answers[asked[index]] = chosen
        answer = answer[len(chosen) :].removeprefix(", ")
    return answers
