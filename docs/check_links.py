#!/usr/bin/env python3
"""Checks that every relative link in the documentation names a file and a heading that exist."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md"),
         *(ROOT / "tests").glob("*/README.md"), *(ROOT / "tests/data").glob("*/README.md")]


def anchors(page):
    """The anchors that GitHub makes of the page's headings."""
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


found = [fault for page in sorted(PAGES) for fault in faults(page)]
print("\n".join(found) or "every link resolves")
sys.exit(1 if found else 0)
