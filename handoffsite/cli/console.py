"""Every command but `hook`, from its words to its exit status: the only place that catches our errors."""

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
    as_json = "--json" in words
    try:
        status = _run(words)
        sys.stdout.flush()
    except HandoffError as error:
        status = _complain(error, as_json=as_json)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    except OSError as error:
        found = HandoffError(error.strerror or str(error), file=str(error.filename or ""), hint="mend the cause and run again")
        status = _complain(found, as_json=as_json)
    except KeyboardInterrupt:
        status = 130
    except Exception as error:
        if os.environ.get("HANDOFFSITE_TRACEBACK"):
            raise
        hint = "this is a fault of handoffsite: HANDOFFSITE_TRACEBACK=1 shows where"
        status = _complain(HandoffError(f"{type(error).__name__}: {error}", hint=hint), as_json=as_json)
    return status


def _run(words: list[str]) -> int:
    from handoffsite.cli import parser  # noqa: PLC0415 -- as below

    if words in ([], ["--json"], ["-h"], ["--help"]):
        if words in (["-h"], ["--help"]) or not _in_boundary():
            print(parser.help_text())
            return 0
        words = ["state", *words]
    given = parser.parser(words).parse_args(words)
    if given.help or not given.word:
        if given.help:
            print(parser.help_text())
            return 0
        raise UsageError("no command", hint="`handoffsite --help` lists them")
    from handoffsite.cli import run  # noqa: PLC0415 -- the commands are heavy, and --help needs none of them

    answer: Answer = run.run(given)
    return _say(answer, as_json=bool(given.json))


def _say(answer: Answer, *, as_json: bool) -> int:
    from handoffsite.records.visible import visible  # noqa: PLC0415 -- as above

    for note in answer.notes:
        print(visible(f"handoffsite: {note}"), file=sys.stderr)
    if as_json:
        print(json.dumps(_shown(answer.data, visible), ensure_ascii=False, indent=1))
    elif answer.text:
        print(visible(answer.text.rstrip("\n")))
    return answer.status


def _shown(data: Any, visible: Callable[[str], str]) -> Any:
    """*data* with what hides in its texts made visible; before it is JSON, which would hide it again behind an escape."""
    if isinstance(data, str):
        return visible(data)
    if isinstance(data, Mapping):
        return {key: _shown(content, visible) for key, content in data.items()}
    return [_shown(content, visible) for content in data] if isinstance(data, list | tuple) else data


def _complain(error: HandoffError, *, as_json: bool) -> int:
    from handoffsite.records.visible import visible  # noqa: PLC0415 -- as above

    print(visible(f"handoffsite: {error}" + (f"\n  {error.hint}" if error.hint else "")), file=sys.stderr)
    if as_json:
        document = {"error": {"code": error.code, "message": str(error), "hint": error.hint}}
        print(visible(json.dumps(document, ensure_ascii=False)))
    return error.exit_status


def _in_boundary() -> bool:
    from handoffsite.cli import run  # noqa: PLC0415 -- as above

    return run.in_boundary()
