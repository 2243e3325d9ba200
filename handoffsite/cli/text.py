"""What people read on the terminal: plain words, no more than fits."""

import json
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from handoffsite.records.visible import visible

WIDTH = 100
_ONE = {"decisions": "decision", "constraints": "constraint", "dependencies": "dependency", "threads": "thread"}
_LEFT = {"unfinished": "still under way", "silent": "with nothing to record"}
LISTS = {
    "completed": "completed",
    "decisions": "decision",
    "constraints": "constraint",
    "dependencies": "dependency",
    "threads": "thread",
}


def made(found: Mapping[str, Any]) -> str:
    """What `init` did."""
    if not found["created"]:
        return f"{found['name']}: there is a {found['kind']} already, and it is left as it is: {found['path']}"
    if found["kind"] == "workspace":
        tries = [
            "handoffsite init content/NAME        a project of its own",
            "handoffsite import transcripts DIR   projects from agents' logs",
        ]
    else:
        tries = [
            "handoffsite end --note FILE            record a session from the agent's note",
            "handoffsite end                        record the newest session from its log",
            'handoffsite add decision "…"           record one decision',
        ]
    return "\n".join([f"{found['name']}: made a {found['kind']} in {found['path']}", "Next:", *(f"  {line}" for line in tries)])


def ended(found: Mapping[str, Any], *, dry: bool) -> str:
    """What `end` recorded, item by item."""
    account = found["account"]
    if dry:
        head = "Nothing was written. A record would hold:"
    elif found["created"]:
        head = f"{found['session']}: recorded in {account['project']}"
    else:
        head = f"{found['session']}: nothing new; what stands:"
    lines = [head, *(f"Focus: {focus}" for focus in (found["focus"],) if focus)]
    for name, kind in LISTS.items():
        lines += [_item(kind, item) for item in found[name]]
    if account["lines"]:
        skipped = f", {len(account['skipped'])} not readable" if account["skipped"] else ""
        lines.append(f"Read {account['lines']} lines of {account['format']}{skipped}.")
    if account["transitive"]:
        lines.append(f"With them {account['transitive']} transitive packages changed.")
    if account["redacted"]:
        lines.append("Redacted: " + ", ".join(f"{count} {kind}" for kind, count in sorted(account["redacted"].items())))
    return "\n".join(lines)


def added(found: Mapping[str, Any]) -> str:
    """What `add` recorded."""
    note = "" if found["created"] else " (known already; nothing was recorded)"
    return f"{_item(found['kind'], found)}{note}"


def said(found: Mapping[str, Any], word: str) -> str:
    """What a word made of each item."""
    lines = [f"{item['id']} {item['status']}: {_short(item['title'])}" for item in found["items"]]
    if not found["created"]:
        lines.append(f"{word}: nothing to change")
    return "\n".join(lines)


def proposed(found: Sequence[Mapping[str, Any]]) -> str:
    """What waits for review."""
    if not found:
        return "Nothing is proposed."
    lines = [f"{len(found)} proposed, oldest first:"]
    for item in found:
        lines.append(f"{item['id']}  {item['kind']}: {_short(item.get('title') or item.get('tried', ''))}")
        detail = item.get("rationale") or item.get("because") or item.get("outcome") or ""
        lines += [f"    {_short(detail)}"] if detail else []
        lines += [f"    from {item['session']}, {', '.join(item['evidence'])}"] if item.get("evidence") else []
        says = ", ".join(item["suspicious"])
        lines += [f"    warning: it reads like an order to an agent: it {says}"] if says else []
    return "\n".join([*lines, "", "handoffsite accept ID…    handoffsite reject ID… --reason TEXT"])


def shown(found: Mapping[str, Any]) -> str:
    """One item, field by field, and its history."""
    title = found.get("title") or found.get("text") or found.get("tried") or found.get("name") or ""
    lines = [f"{found['id']} {found['kind']}{', ' + found['status'] if 'status' in found else ''}", *_wrapped(str(title), ""), ""]
    hidden = {
        "updates",
        "id",
        "kind",
        "status",
        "title",
        "text",
        "tried",
        "history",
        "items",
        "quotes",
        "messages",
        "narrative",
        "schema",
        "aliases",
    }
    for key, content in found.items():
        if key in hidden | LISTS.keys() or content in ("", None, [], {}):
            continue
        lines += _wrapped(_plain(content), f"{key}: ")
    for item in found.get("items", ()):
        lines.append(f"  {item['id']} {item['status']}: {_short(item['title'])}")
    for update in found.get("updates", ()):
        changes = ", ".join(f"{key} {_plain(content)}" for key, content in update["changes"].items()) or "further evidence"
        lines.append(f"  {update['id']} {changes}" + (f": {update['reason']}" if update["reason"] else ""))
    for step in found.get("history", ()):
        changes = ", ".join(f"{key} {_plain(content)}" for key, content in step["changes"].items()) or "further evidence"
        lines.append(f"then {step['at']} {changes} ({step['session']})" + (f": {step['reason']}" if step["reason"] else ""))
    for address, quote in list(found.get("quotes", {}).items())[:20]:
        lines.append(f"  {address}: {_short(quote)}")
    if found.get("narrative"):
        lines += ["", str(found["narrative"])]
    return "\n".join(lines)


def logged(found: Sequence[Mapping[str, Any]]) -> str:
    """The records, newest first."""
    lines = []
    for record in found:
        counts = ", ".join(f"{count} {_ONE.get(name, name) if count == 1 else name}" for name, count in record["counts"].items())
        changes = [
            f"{len(record[name])} {word}" for name, word in (("updates", "updated"), ("retired", "retired")) if record[name]
        ]
        mail = f"for the {record['mail']['to']}, {record['mail']['status']}" if "mail" in record else ""
        handed = f"{record['artefact']['kind']}, {record['artefact']['path']}" if "artefact" in record else ""
        moved = f"{record['handoff']['event']}: {record['handoff']['state']}" if "handoff" in record else ""
        about = mail or handed or moved or ", ".join(filter(None, (counts, *changes))) or "no items"
        lines.append(f"{record['recorded']}  {record['id']:<12} {_short(record['title'], 60)}  ({about})")
    return "\n".join(lines) or "No record yet."


def hits(found: Mapping[str, Any]) -> str:
    """What was found, best first."""
    if not found["hits"]:
        meant = f" Did you mean {' or '.join(map(_short, found['suggestions']))}?" if found["suggestions"] else ""
        return f"Nothing in {found['project']} about {_short(found['query'], 60)!r}.{meant}"
    lines = []
    for hit in found["hits"]:
        lines.append(
            f"{hit['id']}  {hit['kind']}, {hit['status']}, {hit['date'][:10]}: {_short(hit['title'])}"
            if hit["status"]
            else f"{hit['id']}  {hit['kind']}, {hit['date'][:10]}: {_short(hit['title'])}"
        )
        lines += [f"    {_short(hit['snippet'])}"] if hit["snippet"] and hit["snippet"] != hit["title"] else []
    more = found["total"] - len(found["hits"])
    if more > 0:
        lines.append(f"{more} more: --limit {found['total']}; of all, {_facets(found['facets'])}")
    if found["suggestions"]:
        lines.append(f"Not all words were found. Did you mean {' or '.join(map(_short, found['suggestions']))}?")
    return "\n".join(lines)


def _facets(found: Mapping[str, Mapping[str, int]]) -> str:
    return "; ".join(
        ", ".join(f"{count} {_plain(name)}" for name, count in list(counts.items())[:4]) for counts in found.values()
    )


def built(found: Mapping[str, Any]) -> str:
    """What `build` did, project by project."""
    lines = []
    for one in found["projects"]:
        done = [f"{counted(len(one['recorded']), 'session')} extracted"] if one["recorded"] else []
        done += [f"{one['written']} of {one['pages']} pages written"] if one["pages"] else []
        done += [f"{counted(one['indexed'], 'document')} indexed"] if one["indexed"] else []
        done += ["STATE.md folded"] if one["state_changed"] and not done else []
        lines.append(f"{one['name']}: {', '.join(done) or 'nothing to do'}")
    for one in found["problems"]:
        lines.append(f"problem: {_where(one['file'], one['line'])}{one['message']}")
        lines += [f"    {one['fix']}"] if one["fix"] else []
    return "\n".join([*lines, f"Site: {found['site']}/index.html"])


def behind(found: Sequence[Mapping[str, str]]) -> str:
    """What a build would change."""
    return "\n".join(f"{one['project']}: {one['what']}: {one['message']}" for one in found) or "Everything is current."


def problems(found: Mapping[str, Any]) -> str:
    """What `check` found."""
    lines = []
    for one in found["problems"]:
        lines.append(f"{one['severity']}: {_where(one['file'], one['line'])}{one['message']} [{one['code']}]")
        lines += [f"    {one['fix']}"] if one["fix"] else []
    return "\n".join(lines) or "No problem found."


def mended(found: Mapping[str, Any]) -> str:
    """What `check --fix` mended, where the backup is, and what is left."""
    lines = [f"mended: {one['file']}: {one['message']} [{one['code']}]" for one in found["mended"]]
    lines += [f"not mended: {one['file']}: {one['message']}" for one in found["failed"]]
    lines += [f"What was changed is kept as it was in {folder}/" for folder in found["backups"]]
    left = problems(found)
    return "\n".join([*(lines or ["Nothing was mended."]), *(["Left:", left] if found["problems"] else [left])])


def imported(found: Mapping[str, Any]) -> str:
    """What `import` filed."""
    counts = f"{counted(found['sessions'], 'session')}, {found['created']} recorded, {found['unchanged']} unchanged, {len(found['ignored'])} ignored"
    lines = [f"{counted(found['files'], 'file')}: {counts}"]
    lines += [f"  {name}: {count}" for name, count in sorted(found["projects"].items())]
    if found["files"] and not found["sessions"]:
        lines.append("No session was read: the reasons stand above.")
    return "\n".join([*lines, "Next: handoffsite build"] if found["created"] else lines)


def caught_up(found: Mapping[str, Any]) -> str:
    """What `catch-up` found and recorded."""
    counts = [f"{len(found['recorded'])} recorded", f"{found['unchanged']} known already"]
    counts += [f"{found[name]} {words}" for name, words in _LEFT.items() if found[name]]
    lines = [
        f"{counted(found['files'], 'log')} on this machine, {counted(found['sessions'], 'session')} of this project: {', '.join(counts)}"
    ]
    lines += [f"  {name}: {count}" for name, count in sorted(found["projects"].items()) if count]
    lines += [f"problem: {_where(one['file'], one['line'])}{one['message']}" for one in found["problems"]]
    if found["files"] and found["files"] == len(found["ignored"]):
        lines.append("No log could be read: the reasons stand above.")
    return "\n".join([*lines, "Next: handoffsite build"] if found["recorded"] else lines)


def purged(found: Mapping[str, Any]) -> str:
    """What `purge` changed."""
    return "\n".join(
        [f"{found['session']}: purged from {counted(len(found['changed']), 'file')}", *(f"  {name}" for name in found["changed"])]
    )


def findings(found: Mapping[str, Any]) -> str:
    """What `doctor` found."""
    lines = []
    for one in found["findings"]:
        lines.append(f"{one['state']:<10} {one['what']}: {one['message']}")
        lines += [f"           {one['fix']}"] if one["fix"] else []
    return "\n".join(lines)


def toured(found: Mapping[str, Any], command: str) -> str:
    """What the tour did, and what to try next; *command* is how this program was called."""
    projects = found["projects"]
    recorded = sum(len(one["recorded"]) for one in projects)
    sessions, items = (sum(one[name] for one in projects) for name in ("sessions", "items"))
    lines = [
        f"Copied {len(projects)} example projects to {found['folder']}",
        f"Extracted {counted(recorded, 'session')} from what was waiting; {sessions} sessions and {items} items stand now.",
        *(f"  {line}" for line in built(found).splitlines()[:-1]),
        "",
        "Look at it in a browser:",
        f"  {found['site']}/index.html",
        f"Then, in {found['folder']}/content/{found['example']}",
        *([f"with {command} as handoffsite:"] if command != "handoffsite" else []),
        "  handoffsite state                what the next session starts with",
        f"  handoffsite search {found['query']:<14}this project's index, and nothing else",
        f"  handoffsite show {found['item']:<16}one item with its whole history",
        "  handoffsite review               what was only proposed",
        "In a project of your own: handoffsite init",
    ]
    return "\n".join(lines)


def document(found: Any) -> str:
    """A JSON document."""
    return json.dumps(found, ensure_ascii=False, indent=1)


def _item(kind: str, found: Mapping[str, Any]) -> str:
    head = f"{found['id']} " if found.get("id") else ""
    status = f"{found['status']} " if "status" in found else ""
    headline = next((str(found[name]) for name in ("title", "text", "tried") if found.get(name)), "")
    if kind == "dependency":
        headline = " ".join(str(found[name]) for name in ("name", "change", "from", "to") if found.get(name))
    tail = next((f": {found[name]}" for name in ("rationale", "because", "outcome", "next") if found.get(name)), "")
    return f"  {head}{status}{kind}: {_short(headline + tail, 160)}"


def _where(file: str, line: int) -> str:
    return f"{file}:{line}: " if line else f"{file}: " if file else ""


def _short(text: str, width: int = WIDTH) -> str:
    text = " ".join(visible(str(text)).split())
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"


def _plain(content: Any) -> str:
    if isinstance(content, Mapping):
        return ", ".join(f"{key} {_plain(inner)}" for key, inner in content.items())
    if isinstance(content, list | tuple):
        return ", ".join(_plain(inner) for inner in content)
    return str(content)


def _wrapped(text: str, head: str) -> Iterable[str]:
    return textwrap.wrap(head + " ".join(visible(text).split()), WIDTH, subsequent_indent=" " * min(len(head), 8)) or [head]


def counted(count: int, noun: str) -> str:
    """*count* things of the name *noun*."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
