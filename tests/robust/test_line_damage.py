"""Lines that are no JSON, or hardly: the entries before and behind each are read, and the damage is counted and located."""

import io
import json
from typing import Any

import pytest

from handoffsite.records.transcript import Transcript
from handoffsite.sources import reader_of
from tests.robust.talks import DIALECTS, HEADERS, Turn

# What no reader of JSON may take.
REFUSED: dict[str, bytes] = {
    "bare word": b"nothing", "capital": b"True", "nan-like": b"-NaN", "plus": b"[+1]", "leading zero": b"[012]", "point first": b"[.5]",
    "point last": b"[1.]", "minus alone": b"[-]", "exponent without digits": b"[1e]", "hexadecimal": b"[0x1F]", "two points": b"[1.2.3]",
    "comma last": b'{"a":1,}', "comma first": b'{,"a":1}', "two commas": b'{"a":1,,"b":2}', "comma last in list": b"[1,]",
    "list of commas": b"[,,]", "no comma": b'{"a":1 "b":2}', "no colon": b'{"a" 1}', "two colons": b'{"a"::1}', "no value": b'{"a":}',
    "no key": b"{:1}", "number key": b'{1:"a"}', "bare key": b"{a:1}", "single quotes": b"{'a':1}", "open object": b'{"a":1',
    "open list": b"[1,2", "open string": b'{"a":"b', "open key": b'{"a', "closed twice": b'{"a":1}}', "wrong bracket": b'{"a":1]',
    "wrong brace": b"[1}", "close alone": b"}", "brackets crossed": b'{"a":[1}]', "comment": b'{"a":1 /* b */}', "line comment": b'{"a":1} // b',
    "hash": b'# {"a":1}', "bad escape": b'{"a":"\\x41"}', "cut escape": b'{"a":"\\u00"}', "escape at the end": b'{"a":"\\"}',
    "no hexadecimal": b'{"a":"\\uZZZZ"}', "control": b'{"a":"\x01"}', "tab in string": b'{"a":"\t"}', "nul in string": b'{"a":"\x00"}',
    "nuls": b"\0" * 300, "nul between": b'{"a":\x001}', "escape": b"\x1b[31m{}",
    "utf-16": '{"a":1}'.encode("utf-16"), "utf-16 no bom": '{"a":1}'.encode("utf-16-be"), "bom in the middle": b'{"a":\xef\xbb\xbf1}',
    "merge mark": b"<<<<<<< HEAD", "merge middle": b"=======", "html": b"<html></html>", "yaml": b"a: 1", "python": b"{'a': None}",
    "depth bomb": b"[" * 100_000, "object bomb": b'{"a":' * 100_000, "mixed bomb": b'[{"a":' * 50_000, "closed bomb": b"[" * 100_000 + b"]" * 100_000,
    "long number": b'{"a":' + b"9" * 5_000 + b"}", "invalid bytes": b"\xff\xfe\xfd", "cut character": b'{"a":"\xe2\x82',
    "star": b"[*]", "ampersand": b'{"a":&}', "backtick": b"{`a`:1}", "equals": b'{"a"=1}', "semicolon": b'{"a":1;"b":2}', "undefined": b'{"a":undefined}',
    "two values": b"1 2", "value and rest": b"[] x", "comma alone": b",", "colon alone": b":", "quote alone": b'"', "escape outside": b"\\u007b",
}  # fmt: skip
# Valid, but no entry of a log.
ODD: dict[str, bytes] = {
    "null": b"null", "true": b"true", "number": b"42", "negative zero": b"-0", "huge exponent": b"1e9999", "tiny": b"1e-9999", "text": b'"text"',
    "list": b"[1,2,3]", "empty list": b"[]", "list of lists": b"[[[]]]", "lone surrogate": b'"\\ud83d"', "float": b"3.14", "infinity": b"Infinity",
    "form feed": b"\x0c[]",
}  # fmt: skip
# Objects, and so entries, that hold what nobody expects.
TAKEN: dict[str, bytes] = {
    "empty object": b"{}", "empty key": b'{"":0}', "key twice": b'{"a":1,"a":2}', "surrogate": b'{"a":"\\ud83d"}', "reversed pair": b'{"a":"\\udc00\\ud800"}',
    "nul escape": b'{"a":"\\u0000"}', "ansi": b'{"a":"\\u001b[31m"}', "nan": b'{"a":NaN}', "infinite": b'{"a":-Infinity}', "big": b'{"a":1e400}',
    "invalid utf-8 in text": b'{"a":"\xff"}', "overlong": b'{"a":"\xc0\xaf"}', "surrogate bytes": b'{"a":"\xed\xa0\x80"}', "spaces": b'  {"a":1}  ',
    "type is a number": b'{"type":7}', "type is a list": b'{"type":["user"]}', "type is null": b'{"type":null,"message":null}',
    "depth 900": b'{"a":' + b"[" * 900 + b"]" * 900 + b"}", "line separator": b'{"a":"\xe2\x80\xa8"}', "bom": b'\xef\xbb\xbf{"a":1}',
    "slash": b'{"a":"\\/"}', "long key": b'{"' + b"k" * 5_000 + b'":1}', "carriage return": b'{"a":1}\r', "no-break space": b'\xc2\xa0{"a":1}',
}  # fmt: skip


def between(format: str, damage: bytes) -> tuple[list[tuple[int, str, str]], Transcript]:
    """What is told of two prompts with *damage* on the line between them."""
    header, spell = HEADERS[format], DIALECTS[format]
    first, second = (spell(Turn(number, "ask", text))[0] for number, text in ((0, "Mend the loader."), (1, "And the parser.")))
    lines = [json.dumps(entry).encode() for entry in (header, first) if entry] + [damage, json.dumps(second).encode()]
    transcript = reader_of(format).read(io.BytesIO(b"\n".join(lines) + b"\n"))
    told = [(event.line, event.kind, event.text) for event in transcript if event.kind == "prompt"]
    return told, transcript


def expected(format: str) -> tuple[int, list[tuple[int, str, str]]]:
    """The line of the damage, and what is told of its neighbours."""
    at = 3 if HEADERS[format] else 2
    return at, [(at - 1, "prompt", "Mend the loader."), (at + 1, "prompt", "And the parser.")]


@pytest.mark.parametrize("format", DIALECTS)
def test_damage_costs_its_line_and_is_located(format: str) -> None:
    """Whatever stands there instead of an entry, its neighbours are told, and the line is named with a reason."""
    at, neighbours = expected(format)
    for name, damage in (REFUSED | ODD).items():
        told, transcript = between(format, damage)
        skipped = [one for one in transcript.account.skipped if one.line == at]

        assert neighbours == told, name
        assert skipped, name
        assert all(one.reason for one in skipped), name


@pytest.mark.parametrize("format", DIALECTS)
def test_damage_is_counted(format: str) -> None:
    """Each refused line counts once; what is valid, but no entry, is no damage."""
    counts: dict[str, Any] = {name: between(format, damage)[1].account.bad for name, damage in (REFUSED | ODD).items()}
    partly = {"closed twice", "line comment", "two values", "value and rest"}  # a value, and something behind it

    assert dict.fromkeys(REFUSED.keys() - partly, 1) == {name: counts[name] for name in REFUSED.keys() - partly}
    assert dict.fromkeys(ODD, 0) == {name: counts[name] for name in ODD}


@pytest.mark.parametrize("format", DIALECTS)
def test_odd_entries_cost_nothing_else(format: str) -> None:
    """An object of any content is taken or named, and its neighbours are told."""
    _, neighbours = expected(format)
    for name, damage in TAKEN.items():
        assert neighbours == between(format, damage)[0], name
