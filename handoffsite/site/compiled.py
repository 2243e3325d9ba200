"""Compiled templates, kept in a private folder between builds; what is not whole is compiled again."""

import contextlib
from pathlib import Path
from typing import Any

from handoffsite import durable
from handoffsite.errors import Unwritten

_DIGEST = 64


def kept_in(folder: Path) -> Any:
    """A `jinja2.BytecodeCache` in *folder*, which is the user's own: what lies there is run.

    Not Jinja's own, which takes a file that was cut short for a fault of the template, and a full disk for a fault of the build.
    """
    import jinja2  # noqa: PLC0415 -- costly to import, and a build of nothing new needs none

    class Kept(jinja2.BytecodeCache):
        def load_bytecode(self, bucket: Any) -> None:
            with contextlib.suppress(OSError):
                data = (folder / f"{bucket.key}.template").read_bytes()
                if data[:_DIGEST] == durable.digest(data[_DIGEST:]).encode():
                    bucket.bytecode_from_string(data[_DIGEST:])

        def dump_bytecode(self, bucket: Any) -> None:
            data = bucket.bytecode_to_string()
            with contextlib.suppress(Unwritten):
                sealed = durable.digest(data).encode() + data
                durable.write(folder / f"{bucket.key}.template", sealed, sync=False, mode=durable.PRIVATE_FILE)

    with contextlib.suppress(OSError):
        durable.make_folder(folder, mode=durable.PRIVATE_FOLDER, sync=False)
    return Kept()
