"""A deed: what it is about."""

from handoffsite.extract.deed import Deed, base_name


def test_a_deed_is_about_its_files_and_words() -> None:
    """Paths, purpose, description and what was written."""
    deed = Deed(kind="edit", turn=1, paths=("src/rates.py",), purpose="cache", text="banks", body="def refresh()")

    assert {"rat", "cach", "bank", "refresh"} <= deed.about


def test_the_base_name_of_a_path() -> None:
    """Either slash parts, and a slash at the end is none."""
    assert ["a.py", "a.py", "src"] == [base_name(path) for path in ("src/a.py", "C:\\src\\a.py", "src/")]
