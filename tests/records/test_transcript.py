"""What a transcript and its account learn while a log is read."""

from handoffsite.records.transcript import KEPT_DIRECTORIES, KEPT_UNKNOWN, Account, Skipped, Transcript


def transcript() -> Transcript:
    return Transcript(format="x", read=lambda _: iter(()))


def test_what_is_not_understood_is_named_once() -> None:
    """The like is counted, each sub-agent's apart; only so many kinds are named, in the order of the lines."""
    account = Account()
    account.skip(9, "no JSON")
    for line in (7, 5, 8):
        account.note_unknown(line, "entry type 'a'")
    account.note_unknown(3, "entry type 'a'", "helper")
    account.close()
    account.close()

    assert [
        Skipped(3, "sub-agent helper: unknown entry type 'a'"),
        Skipped(7, "unknown entry type 'a', 3 times from here on"),
        Skipped(9, "no JSON"),
    ] == account.skipped


def test_only_so_many_kinds_are_remembered() -> None:
    """A hostile log may have a new kind on every line."""
    account = Account()
    for line in range(10 * KEPT_UNKNOWN):
        account.note_unknown(line, f"kind {line}")
    account.close()

    assert KEPT_UNKNOWN == len(account.skipped)


def test_a_sub_agents_account_is_added() -> None:
    """Its counts and its faults are the session's; the file's own size and digest are not."""
    account = Account(calls=1, bytes=10, sha256="a")
    account.add(Account(calls=2, errors=1, bytes=5, sha256="b", skipped=[Skipped(4, "cut")]), "helper")

    assert Account(calls=3, errors=1, bytes=10, sha256="a", skipped=[Skipped(4, "sub-agent helper: cut")]) == account


def test_the_first_directory_is_the_sessions_own() -> None:
    """Each stands once, an empty one not at all, and there is an end to them."""
    found = transcript()
    for directory in ("", "/a", "/b", "/a", *(f"/{number}" for number in range(2 * KEPT_DIRECTORIES))):
        found.note_directory(directory)

    assert ("/a", ["/a", "/b", "/0"], KEPT_DIRECTORIES) == (found.cwd, found.directories[:3], len(found.directories))


def test_a_session_holds_all_of_its_times() -> None:
    """In whatever order they come; what is no time changes nothing."""
    found = transcript()
    given = [found.note_time(time) for time in ("2026-01-02", "", "2026-01-01", "2026-01-03")]

    assert (["2026-01-02", "", "2026-01-01", "2026-01-03"], "2026-01-01", "2026-01-03") == (given, found.started, found.ended)


def test_a_session_without_an_id_gets_one() -> None:
    """Its file's name, or else the file's digest; one of its own stays."""
    closed = []
    for session, name in (("own", "file"), ("", "file"), ("", "")):
        one = transcript()
        one.session, one.account.sha256 = session, "0123456789abcdef0123"
        one.close(name)
        closed.append(one.session)

    assert ["own", "file", "sha256-0123456789abcdef"] == closed
