"""Names with a spelling of their own."""

from handoffsite.extract.spelling import in_command, in_text


def test_programs_and_packages_are_names() -> None:
    """What a command says with ordinary words, or quotes, or prints, is none."""
    command = "pip install 'passlib[bcrypt]' redis==5 && git commit -m 'noise here' && echo hello; python tools/load.py"

    assert {"pip", "passlib", "redis", "python"} == set(in_command(command))


def test_inline_code_is_a_name() -> None:
    """Code in running text keeps its case, unless it is an ordinary word."""
    assert ["noeviction"] == list(in_text("Set `noeviction`, then `run` it, see `Session`"))
