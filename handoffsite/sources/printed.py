"""What a text that a call gave back tells of how the call ended: for logs that do not say so themselves."""

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
_REFUSED = re.compile(
    r"\b(?:rejected|denied|declined|refused|aborted|skipped|cancell?ed) by (?:the )?user\b(?! approval)|"
    r"\buser (?:has )?(?:rejected|denied|declined|skipped|cancell?ed)\b|"
    r"the user doesn't want to (?:proceed with this tool use|take this action)",
    re.IGNORECASE,
)


def is_refusal(text: str) -> bool:
    """Whether *text*, the word of a client about a call that failed, says that the human did not let it happen."""
    return _REFUSED.search(text) is not None


def has_failed(command: str, output: str) -> bool:
    """Whether *output* shows that *command* failed."""
    if _READS.match(command):
        return output.startswith(("bash: ", "sh: ", "fatal: ", "Traceback "))
    head, tail = output[:_TAIL], output[_TAIL:][-_TAIL:]
    return _FAILED.search(head) is not None or (bool(tail) and _FAILED.search(tail) is not None)
