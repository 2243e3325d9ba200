"""Whether a command that ended had failed, by what it printed: for logs that keep no exit status."""

import re

_TAIL = 4_000

# What these print is a file's text or a list: an error in it is somebody else's.
_READS = re.compile(
    r"(?:cd \S{1,400} && )?(?:cat|head|tail|less|nl|grep|egrep|rg|ag|find|ls|tree|wc|sed -n|awk|diff|file|stat|"
    r"git (?:log|show|diff|status|blame|grep|branch))\b"
)
_FAILED = re.compile(
    r"^(?:Traceback \(most recent call last\):|npm (?:ERR!|error)|fatal: |ERROR: |Error: |error: |error\[|panic: |"
    r"[^\s:(]{1,300}(?:\(\d+,\d+\)|:\d+:\d+): error\b|"
    r"FAILED \(|FAIL\b|BUILD FAILED|Build failed|make(?:\[\d+\])?: \*\*\*|(?:/bin/)?(?:ba|z)?sh: .{1,400}(?:not found|No such file)|"
    r"bash: |[\w.]{1,80}(?:Error|Exception): |Segmentation fault|Killed$|Command failed|error Command failed|ERR_\w+|"
    r".{0,200}: command not found$|.{0,200}is not recognized as )"
    r"|\b[1-9]\d{0,6} (?:failed|failing|failures?|errors?)\b|\b[Ee]xit(?:ed with)? (?:code|status):? [1-9]",
    re.MULTILINE,
)


def has_failed(command: str, output: str) -> bool:
    """Whether *output* shows that *command* failed."""
    if _READS.match(command):
        return output.startswith(("bash: ", "sh: ", "fatal: ", "Traceback "))
    head, tail = output[:_TAIL], output[_TAIL:][-_TAIL:]
    return _FAILED.search(head) is not None or (bool(tail) and _FAILED.search(tail) is not None)
