"""Every command but `hook`, from its words to its exit status: the only place that catches our errors."""

import contextlib
import json
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

from handoffsite.cli.answer import Answer
from handoffsite.errors import HandoffError, UsageError


def run(words: list[str]) -> int:
    """Run one command line; the exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    answer = _answered(words)
    try:
        _say(answer, as_json="--json" in words)
        sys.stdout.flush()
    except BrokenPipeError:  # nobody listens any more: `| head -1`
        _unplug()
    except OSError as error:
        _unplug()
        _say(_complaint(_reported(error, "standard output")), as_json=False)
        return 1
    return answer.status


def _answered(words: list[str]) -> Answer:
    """What the command answers; an error is an answer too."""
    try:
        return _run(words)
    except HandoffError as error:
        return _complaint(error)
    except BrokenPipeError:
        return Answer(None, "")
    except OSError as error:
        return _complaint(_reported(error, str(error.filename or "")))
    except KeyboardInterrupt:
        return Answer(None, "", status=130)
    except Exception as error:
        if os.environ.get("HANDOFFSITE_TRACEBACK"):
            raise
        hint = "this is a fault of handoffsite: HANDOFFSITE_TRACEBACK=1 shows where"
        return _complaint(HandoffError(f"{type(error).__name__}: {error}", hint=hint))


def _run(words: list[str]) -> Answer:
    from handoffsite.cli import parser  # noqa: PLC0415 -- as below

    if words in ([], ["--json"]):
        if not words and not _in_boundary():
            return Answer({}, parser.help_text())
        words = ["state", *words]
    given = parser.parse(words)
    if given.help:
        return Answer({"help": parser.help_text()}, parser.help_text())
    if not given.word:
        raise UsageError("no command", hint="`handoffsite --help` lists them")
    from handoffsite.cli import run  # noqa: PLC0415 -- the commands are heavy, and --help needs none of them

    answer: Answer = run.run(given)
    return answer


def _complaint(error: HandoffError) -> Answer:
    data = {"error": {"code": error.code, "message": str(error), "hint": error.hint}}
    said = f"{error}\n  {error.hint}" if error.hint else str(error)
    return Answer(data, "", notes=(said,), status=error.exit_status)


def _reported(error: OSError, where: str) -> HandoffError:
    return HandoffError(error.strerror or str(error), file=where, hint="mend the cause and run again")


def _say(answer: Answer, *, as_json: bool) -> None:
    from handoffsite.records.visible import visible  # noqa: PLC0415 -- as above

    with contextlib.suppress(OSError):  # who cannot hear a note still gets the answer
        for note in answer.notes:
            print(visible(f"handoffsite: {note}"), file=sys.stderr)
    if as_json and answer.data is not None:
        print(json.dumps(_shown(answer.data, visible), ensure_ascii=False, indent=1))
    elif answer.text:
        print(visible(answer.text.rstrip("\n")))


def _unplug() -> None:
    """Lead standard output nowhere: what is left in its buffer is no fault when the process ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _shown(data: Any, visible: Callable[[str], str]) -> Any:
    """*data* with what hides in its texts made visible; before it is JSON, which would hide it again behind an escape."""
    if isinstance(data, str):
        return visible(data)
    if isinstance(data, Mapping):
        return {key: _shown(content, visible) for key, content in data.items()}
    return [_shown(content, visible) for content in data] if isinstance(data, list | tuple) else data


def _in_boundary() -> bool:
    from handoffsite.cli import run  # noqa: PLC0415 -- as above

    return run.in_boundary()
