#!/usr/bin/env python3
"""Checks that links in the documentation, and mentions of docs/ in the sources, name what exists."""

import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md"),
         *(ROOT / "tests").glob("*/README.md"), *(ROOT / "tests/data").glob("*/README.md")]


SOURCES = {".h", ".cc", ".c", ".proto", ".py", ".js", ".ts", ".sh", ".sql", ".yaml", ".yml", ".txt"}
SKIPPED = {"build", "node_modules", ".git"}


def anchors(page):
    """Returns the anchors that GitHub generates for the page's headings."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
    found = set()
    for heading in re.findall(r"^#+ (.*)$", text, re.M):
        name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        copies = 0
        while (anchor := name if copies == 0 else f"{name}-{copies}") in found:
            copies += 1
        found.add(anchor)
    return found


def faults(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists():
            yield f"{page.relative_to(ROOT)}: {link}: there is no such file"
        elif anchor and anchor not in anchors(target):
            yield f"{page.relative_to(ROOT)}: {link}: there is no such heading"


def mentions():
    """Yields each mention of a missing page in the sources."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(set(folders) - SKIPPED)
        for path in (pathlib.Path(folder, name) for name in sorted(names)):
            if path.suffix in SOURCES:
                text = path.read_text(encoding="utf-8", errors="replace")
                for page in re.findall(r"docs/[\w/-]+\.md", text):
                    if not (ROOT / page).exists():
                        yield f"{path.relative_to(ROOT)}: {page}: there is no such file"


found = [fault for page in sorted(PAGES) for fault in faults(page)] + list(mentions())
print("\n".join(found) or "every link resolves")
sys.exit(1 if found else 0)
