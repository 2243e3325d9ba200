"""Commands that make a project from a template."""

import pytest

from handoffsite.extract.scaffolds import Scaffold, scaffold


@pytest.mark.parametrize(
    ("command", "output", "folder"),
    [
        ("npx create-next-app@latest shop --typescript", "", "shop"),
        ("yes '' | npx --yes create-vite ./web/", "", "./web"),
        ("cd a && npm create vite@latest . -- --template react", "", "."),
        ("npx create-next-app", "Creating a new Next.js app in /srv/shop.\n", "/srv/shop"),
        ("cargo new api", "Created binary (application) `api` package", "api"),
        ("npx create-next-app", "", None),
        ("git checkout -b create-users", "", None),
        ("npm init -y", "", None),
        ("cat create-tables.sql", "", None),
        ("python create-app.py shop", "", None),
    ],
)
def test_folders(command: str, output: str, folder: str | None) -> None:
    """The folder is named by the command or by its output; other commands make nothing."""
    made = scaffold(command, output)

    assert folder == (made.folder if made else None)


def test_packages() -> None:
    """What the output lists as installed, with versions where it gives them."""
    output = "Installing dependencies:\n- react\n- next\n\nInstalling devDependencies:\n- @types/node\n\n+ next 15.5.2\n"

    assert Scaffold("shop", {"react": "", "next": "15.5.2", "@types/node": ""}) == scaffold("npx create-next-app shop", output)
