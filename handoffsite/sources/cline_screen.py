"""What Cline's and Roo's panel showed, as far as it tells of a session whose messages are lost."""

from collections.abc import Mapping
from typing import Any

from handoffsite.sources.cline_tools import Tools
from handoffsite.sources.emitter import Emitter
from handoffsite.sources.lines import parsed
from handoffsite.sources.text import clean

# The panel's own names of what a tool does.
_TOOLS = {
    "editedExistingFile": "replace_in_file",
    "appliedDiff": "apply_diff",
    "insertContent": "insert_content",
    "searchAndReplace": "search_and_replace",
    "newFileCreated": "write_to_file",
    "readFile": "read_file",
    "listFilesTopLevel": "list_files",
    "listFilesRecursive": "list_files",
    "searchFiles": "search_files",
    "codebaseSearch": "codebase_search",
    "webFetch": "web_fetch",
    "newTask": "new_task",
    "switchMode": "switch_mode",
}
_QUIET = frozenset(
    "api_req_started api_req_finished api_req_retried api_req_deleted api_req_retry_delayed api_req_failed checkpoint_created "
    "checkpoint_saved resume_task resume_completed_task load_mcp_documentation info mcp_server_request_started deleted_api_reqs "
    "browser_action browser_action_result browser_action_launch mcp_server_response use_mcp_server shell_integration_warning "
    "command_permission_denied hook_status hook_output_stream user_feedback_diff tool_error image generate_explanation".split()
)


class Screen:
    """Tells of what was shown, line by line; a command's exit status and most results were not."""

    def __init__(self, emitter: Emitter, tools: Tools) -> None:
        self.emitter = emitter
        self.tools = tools
        self._number = 0
        self._asked: dict[str, str] = {}  # the IDs of the command and the question that wait
        self._started: tuple[str, str, str] | None = None  # what ran without asking: name, ID, what it gave
        self._output: list[str] = []

    def show(self, shown: Mapping[str, Any]) -> str:
        """Add what *shown* says; its kind where that is not known."""
        kind = shown.get(str(shown.get("type")))
        text = shown.get("text")
        text = text if type(text) is str else ""
        if type(kind) is not str or shown.get("partial") is True or kind in _QUIET:
            return "" if type(kind) is str else "entry that says nothing"
        if kind == "command_output":
            self._output.append(text)
            return ""
        if kind in ("error", "diff_error", "clineignore_error", "rooignore_error"):
            self._failed(text)
            return ""
        self._ended()
        if kind in ("text", "completion_result", "reasoning"):
            self._said(kind, text)
        elif kind in ("task", "user_feedback"):
            self._human(text)
        elif kind == "command":
            self._asked["command"] = self._call("execute_command", {"command": text})
        elif kind in ("tool", "followup", "plan_mode_respond"):
            self._structured(kind, text, has_run=shown.get("type") == "say")
        elif kind == "task_progress":
            self.tools.todo(text)
        elif kind in ("condense_context", "condense"):
            self.emitter.say("compact", clean(text), actor="system")
        else:
            return f"entry {kind!r}"
        return ""

    def finish(self) -> None:
        """Add what the last command printed."""
        self._ended()

    def _said(self, kind: str, text: str) -> None:
        if text := clean(text).strip():
            self.tools.account.assistant += kind != "reasoning"
            self.emitter.say("thinking" if kind == "reasoning" else "text", text)

    def _human(self, text: str) -> None:
        if id := self._asked.pop("question", ""):
            self.tools.result(text, id=id, name="ask_followup_question")
        else:
            self.tools.human(text)

    def _structured(self, kind: str, text: str, *, has_run: bool) -> None:
        """Add a call; whether the human let a tool run for which it had to be asked was not shown."""
        loaded = parsed(text)
        given = loaded if type(loaded) is dict else {}
        if kind == "tool":
            shown = str(given.get("tool", ""))
            name = _TOOLS.get(shown, shown)
            id = self._call(name, {key: value for key, value in given.items() if key != "tool"})
            if has_run:
                self._started = (name, id, clean(given.get("content")) if name == "read_file" else "")
        elif kind == "followup":
            self._asked["question"] = self._call("ask_followup_question", given or {"question": text})
        else:
            self._call("plan_mode_respond", given or {"response": text})

    def _call(self, name: str, given: Mapping[str, Any]) -> str:
        self._number += 1
        id = f"{name}-{self._number}"
        self.tools.begin()
        self.tools.call(name, given, id)
        return id

    def _failed(self, text: str) -> None:
        if self._started:
            name, id, _ = self._started
            self._started = None
            self.tools.result(text, id=id, name=name, failed=True)

    def _ended(self) -> None:
        """What ran has ended when something else is shown; how a command ended was not."""
        if self._started:
            name, id, text = self._started
            self._started = None
            self.tools.result(text, id=id, name=name)
        output, self._output = self._output, []
        if output and (id := self._asked.pop("command", "")):
            self.tools.result("\n".join(output), id=id, name="execute_command")
