"""What a failing program prints: the line that tells why, and what kind of trouble that is."""

from functools import lru_cache

from handoffsite.records.pattern import lazy

LINE = 1_000  # characters of a line of output that are looked at
SAID = 400  # characters of a line that tells something; what is longer is a dump
EXAMINED = 8_000  # characters at the end of an output

# Patterns are written in lower case and looked for in lowered text: that is several times faster than to ignore case.
_TOOL_SAYS_NO = (
    r"command not found|not recognized as|could not determine executable|executable file not found|"
    r"no such (?:command|option|subcommand)|unknown (?:command|option|flag|argument|shorthand)|"
    r"unrecogni[sz]ed (?:command|option|argument|flag)|(?:illegal|invalid) (?:option|flag|argument|subcommand)|"
    r"unexpected (?:argument|option)"
)
# The environment, a tool or a service says no: trying the same again is futile.
_LIMIT = lazy(
    rf"{_TOOL_SAYS_NO}|no module named|cannot find module|module not found|not installed|doesn['’]t support|does not support|"
    r"do not support|not supported|unsupported|not implemented|permission denied|eacces|eperm|operation not permitted|"
    r"read-only file ?system|externally-managed|unauthori[sz]ed|forbidden|eneedauth|authentication (?:required|failed)|"
    r"not logged in|must be (?:run|called|set|used)|cannot be (?:used|run|combined|called|loaded|imported)|not allowed|"
    r"(?:is|are) disabled|refus(?:ed|ing) to|not available|unavailable|not a (?:tty|terminal)|without a tty|"
    r"open(?:ing)? (?:a |the )?(?:new )?tty|rate limit|quota|eresolve|peer dep|resolutionimpossible|conflicting dependencies|requirements? conflict|no matching (?:distribution|version)|unable to resolve dependency|incompatible|version mismatch|econnrefused|"
    r"enotfound|could not resolve host|no space left|out of memory|enomem|no longer (?:supported|maintained)|remote mismatch|"
    r"eaddrinuse|no permissions? to|noperm\b|nopermission|crossslot|too many requests|limit exceeded|access denied|(?:address|port) (?:is )?already in use"
)
# A service says no to what a program asked of it: the program has to be written in another way.
_DENIAL = lazy(
    r"no permissions? to|noperm\b|nopermission|crossslot|command not allowed|is not supported|not allowed|quota|rate limit|"
    r"too many requests|limit exceeded|access denied|accessdenied|insufficient (?:privilege|permission)"
)
_NO_TOOL = lazy(_TOOL_SAYS_NO)
# A wrong path, a missing file, bad syntax in a throw-away script. Nobody needs to be told.
_SLIP = lazy(
    r"no such file or directory|file does(?: not|n['’]t) exist|cannot access|does not exist|is a directory|not a directory|"
    r"syntaxerror|unexpected token|unterminated|unmatched|parse error|nothing to commit|pathspec|did not match any|"
    r"no matches found|not a git repository|unknown revision|ambiguous argument|already exists|no match for|file exists|"
    r"would be overwritten|merge conflict|could not apply|indentationerror|nameerror|jq: error|unexpected eof"
)
_ERROR = lazy(
    r"error|fail|fatal|denied|not found|cannot|can['’]t|could not|unable|unknown|illegal|invalid|unsupported|refus|impossible|"
    r"not (?:a|installed|available|allowed|supported)|requires|must|timed? ?out|❌"
)
_CODE = lazy(r"\bE[A-Z]{3,}\b")
_SPECIFIC = lazy(r"(?:[A-Z]\w*(?:Error|Exception)|\berror(?:\[\w+\])?): ?\S")
_NOISE = lazy(
    r"npm (?:warn|notice)|\(pass\)|✓|✔|ok \d|npm error command failed|warning|deprecat|exit code|\[?info|note:|hint:|at |\^|command failed|process exited|traceback|"
    r"={3,}|_{3,}|-{3,}|file \"|npm error a complete log|<tool_use_error>$"
)
_PYTEST = lazy(r"^E\s{1,8}(?=\S)")
_START = lazy(r"(?:[\w./-]{2,40}: |error\b|fatal\b|failed\b|failure\b|npm error\b|npm err!|❌|✗)")
_MASKED = lazy(r"\|\s*(?:head|tail|cat|tee)\b|\|\|\s*(?:true|echo)\b|;\s*echo\b")


def telling(text: str) -> str:
    """The line of a failing program's output that tells why it failed."""
    told = [line.strip().lstrip("^ ")[:LINE] for line in text[-EXAMINED:].splitlines()[-200:]]
    told = [line for line in told if line and not _NOISE.match(line.lower())]
    errors = [line for line in told if _ERROR.search(line.lower()) or _CODE.search(line)]
    limiting = next((line for line in errors if len(line) <= SAID and is_limit(line)), "")
    specific = limiting or next((line for line in errors if len(line) <= SAID and _SPECIFIC.search(line)), "")
    asserted = next((line for line in told if line.startswith("E ")), "")
    brief = next((line for line in errors if len(line) <= SAID), "")
    line = specific or asserted or brief or next(iter(errors), "") or (told[-1] if told else "")
    return _PYTEST.sub("", line).replace("<tool_use_error>", "").replace("</tool_use_error>", "")


@lru_cache(maxsize=64)
def is_limit(error: str) -> bool:
    """Whether *error* says that it will never work, not only that it did not work now."""
    return _LIMIT.search(error.lower()) is not None


def is_denial(error: str) -> bool:
    """Whether in *error* a service denies what was asked of it."""
    return _DENIAL.search(error.lower()) is not None


def is_slip(error: str) -> bool:
    """Whether *error* is only a slip of whoever typed the command."""
    return _SLIP.search(error.lower()) is not None


def lacks_tool(error: str) -> bool:
    """Whether *error* says that the tool, or the option of it, does not exist here."""
    return _NO_TOOL.search(error.lower()) is not None


def is_hidden(command: str, text: str) -> bool:
    """Whether *command* only seems to have worked: what follows a pipe or a semicolon has the last word on the exit status."""
    if not _MASKED.search(command):
        return False
    return any(_START.match(line.strip().lower()) and is_limit(line) for line in text[-EXAMINED // 4 :].splitlines())
