"""Patches, file by file."""

from hypothesis import given
from hypothesis import strategies as st

from handoffsite.extract.patches import file_patches


def test_an_apply_patch_call() -> None:
    """Files are added, updated in hunks, moved and deleted."""
    text = """\
*** Begin Patch
*** Add File: a.txt
+one
+
*** Update File: b.txt
*** Move to: c.txt
@@ def f
 same
-old
+new
@@
-x
*** End of File
*** Delete File: d.txt
*** End Patch"""

    assert [
        ("a.txt", "add", [("", "one\n")]),
        ("b.txt", "update", [("same\nold", "same\nnew"), ("x", "")]),
        ("d.txt", "delete", []),
    ] == [(part.path, part.kind, part.pairs) for part in file_patches(text)]


def test_a_unified_diff() -> None:
    """A deleted file shows what it held, a line of dashes in it is no heading."""
    text = """\
diff --git a/x/a.toml b/x/a.toml
deleted file mode 100644
--- a/x/a.toml
+++ /dev/null
@@ -1,2 +0,0 @@
-a = 1
--- b
diff --git a/b b/b
--- /dev/null
+++ b/b
@@ -0,0 +1 @@
+new
--- c
+++ c
@@ -1 +1 @@
-1
+2"""

    assert [
        ("x/a.toml", "delete", [("a = 1\n-- b", "")]),
        ("b", "add", [("", "new")]),
        ("c", "update", [("1", "2")]),
    ] == [(part.path, part.kind, part.pairs) for part in file_patches(text)]


@given(st.text("*-+@ ab/\n", max_size=200))
def test_any_text(text: str) -> None:
    """What is no patch yields none, and is no error."""
    assert all(part.path for part in file_patches(text))
