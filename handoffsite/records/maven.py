"""What a pom.xml asks for, whole or in part."""

import re
from collections.abc import Iterable, Iterator, Mapping

from handoffsite.records.elements import Element, tree
from handoffsite.records.pattern import lazy
from handoffsite.records.requirement import RUNTIME, Requirement

_LONGEST = 400  # characters of a value in which properties are filled in
_ROUNDS = 8
_PROPERTY = lazy(r"\$\{\s*([^${}]+?)\s*\}")
_PLUGINS = "org.apache.maven.plugins"
_JAVA = ("maven.compiler.release", "java.version", "maven.compiler.target", "maven.compiler.source")


def pom(lines: Iterable[str]) -> Iterator[Requirement]:
    """What a pom.xml asks for: dependencies, managed ones, plugins, extensions, the parent; properties of the same file filled in."""
    root = tree("\n".join(lines))
    found = list(root.walk())
    properties = _properties(root, found)
    managed = {
        _name(element, properties): _filled(element.value("version"), properties)
        for path, element in found
        if element.name == "dependency" and "dependencyManagement" in path
    }
    for path, element in found:
        slot = _slot(path, element)
        name = _name(element, properties) if slot else ""
        if name:
            version = _filled(element.value("version"), properties) or (managed.get(name, "") if slot == "dependencies" else "")
            sort = "".join(f" {element.value(key)}" for key in ("type", "classifier") if element.value(key))
            yield Requirement("maven", name, version, f"{slot}{sort}")
    if java := next((_filled(properties[key], properties) for key in _JAVA if key in properties), ""):
        yield Requirement("maven", "java", java, RUNTIME)


def _slot(path: tuple[str, ...], element: Element) -> str:
    """Where *element* asks for a package; empty where it does not."""
    if element.name == "dependency":
        where = next((name for name in ("dependencyManagement", "plugin") if name in path), "dependencies")
    elif element.name == "plugin":
        where = "pluginManagement" if "pluginManagement" in path else "plugins"
    elif element.name == "extension" or (element.name == "parent" and path in ((), ("project",))):
        where = element.name
    else:
        return ""
    return where


def _name(element: Element, properties: Mapping[str, str]) -> str:
    artifact = element.value("artifactId")
    group = element.value("groupId") or (_PLUGINS if element.name == "plugin" else "")
    return _filled(f"{group}:{artifact}", properties) if group and artifact else ""


def _properties(root: Element, found: Iterable[tuple[tuple[str, ...], Element]]) -> dict[str, str]:
    project = next((child for child in root.children if child.name == "project"), root)
    parent = next((child for child in project.children if child.name == "parent"), Element("parent"))
    properties: dict[str, str] = {}
    for key in ("groupId", "artifactId", "version"):
        inherited = parent.value(key)
        own = project.value(key) if project is not root else ""
        properties.update(
            {f"project.parent.{key}": inherited, f"project.{key}": own or inherited, f"pom.{key}": own or inherited}
        )
    # Those of a profile count where the project itself has none of that name.
    for path, element in found:
        if path[-1:] == ("properties",) and len(path) <= 4:
            if len(path) <= 2:
                properties[element.name] = element.text.strip()
            else:
                properties.setdefault(element.name, element.text.strip())
    return {name: value for name, value in properties.items() if value}


def _filled(text: str, properties: Mapping[str, str]) -> str:
    """*text* with the properties that are known in their places, and the others as they are written."""

    def known(found: re.Match[str]) -> str:
        return properties.get(found[1], found[0])[:_LONGEST]

    for _ in range(_ROUNDS):
        if "${" not in text or len(text) > _LONGEST:
            break
        filled = _PROPERTY.sub(known, text)
        if filled == text:
            break
        text = filled
    return " ".join(text[:_LONGEST].split())
