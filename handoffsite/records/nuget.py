"""What a project file of .NET asks for, whole or in part."""

import re
from collections.abc import Iterable, Iterator, Mapping

from handoffsite.records.elements import Element, tree
from handoffsite.records.pattern import lazy
from handoffsite.records.requirement import RUNTIME, Requirement

_REFERENCES = ("PackageReference", "PackageVersion", "GlobalPackageReference", "PackageDownload", "DotNetCliToolReference")
_FRAMEWORKS = ("TargetFramework", "TargetFrameworks", "TargetFrameworkVersion")
_PROPERTY = lazy(r"\$\(\s*([\w.-]+)\s*\)")
_LONGEST = 400  # characters of a version
_ROUNDS = 8


def msbuild(lines: Iterable[str]) -> Iterator[Requirement]:
    """What a .csproj, .fsproj, .vbproj, Directory.Packages.props or packages.config asks for; properties of the same file filled in."""
    found = list(tree("\n".join(lines)).walk())
    properties = {element.name.lower(): element.text.strip() for path, element in found if path[-1:] == ("PropertyGroup",)}
    conditions = _conditions(found)
    for path, element in found:
        if element.name in _REFERENCES:
            names = element.attributes.get("Include") or element.attributes.get("Update") or ""
            condition = element.attributes.get("Condition") or conditions.get(id(element), "")
            slot = f"{element.name}; {' '.join(condition.split())}" if condition else element.name
            for name in filter(None, (name.strip() for name in names.split(";"))):
                yield Requirement("nuget", _filled(name, properties), _filled(_version(element), properties), slot)
        elif element.name == "package" and "id" in element.attributes:
            yield Requirement("nuget", element.attributes["id"], element.attributes.get("version", ""), "packages")
        elif element.name == "Sdk" and element.attributes.get("Version"):
            yield Requirement("nuget", element.attributes.get("Name", ""), _filled(_version(element), properties), "Sdk")
        elif element.name == "Project" and not path and "/" in (sdk := element.attributes.get("Sdk", "")):
            yield Requirement("nuget", sdk.partition("/")[0], sdk.partition("/")[2], "Sdk")
        elif element.name in _FRAMEWORKS and (framework := _filled(element.text.strip(), properties)):
            yield Requirement("nuget", "dotnet", framework, RUNTIME)


def _conditions(found: Iterable[tuple[tuple[str, ...], Element]]) -> dict[int, str]:
    """The condition of the group that holds an element, by the element."""
    return {
        id(child): group.attributes["Condition"]
        for _, group in found
        if group.name == "ItemGroup" and "Condition" in group.attributes
        for child in group.children
    }


def _version(element: Element) -> str:
    given = element.attributes
    return (
        given.get("VersionOverride")
        or given.get("Version")
        or element.value("VersionOverride")
        or element.value("Version")
        or given.get("version", "")
    )


def _filled(text: str, properties: Mapping[str, str]) -> str:
    """*text* with the properties that are known in their places, and the others as they are written."""

    def known(found: re.Match[str]) -> str:
        return properties.get(found[1].lower(), found[0])[:_LONGEST]

    for _ in range(_ROUNDS):
        if "$(" not in text or len(text) > _LONGEST:
            break
        filled = _PROPERTY.sub(known, text)
        if filled == text:
            break
        text = filled
    return text[:_LONGEST].strip()
