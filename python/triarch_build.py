"""Builds the wheel (PEP 517). It needs no other package, so that `pip install ./python` works
without a network.

A wheel contains the library if it has been built: $TRIARCH_LIBRARY, or the builds for x86-64-v2 and
x86-64-v3 (of which the package picks one when it is imported), or that of build/release. Otherwise
the package uses the library of the system.
"""

import base64
import hashlib
import os
import pathlib
import platform
import re
import subprocess
import tarfile
import zipfile

_ROOT = pathlib.Path(__file__).resolve().parent
_BUILD = _ROOT.parent / "build"
_SONAME = "libtriarch.so.2"


def _project(key):
    """Returns a text of pyproject.toml's [project]. Python 3.9 has no TOML reader."""
    text = (_ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return re.search(rf'^{key} = "(.*)"$', text, re.MULTILINE)[1]


def _libraries():
    """Returns the libraries as (name in the wheel, path)."""
    given = os.environ.get("TRIARCH_LIBRARY")
    if given:
        if not pathlib.Path(given).is_file():
            raise SystemExit(f"error: TRIARCH_LIBRARY={given}: no such file")
        return [(f"triarch/lib/{_SONAME}", pathlib.Path(given))]
    found = [(f"triarch/lib/{level}/{_SONAME}", _BUILD / level / "capi" / _SONAME)
             for level in ("x86-64-v2", "x86-64-v3")]
    if not all(path.exists() for _, path in found):
        found = [(f"triarch/lib/{_SONAME}", _BUILD / "release" / "capi" / _SONAME)]
    return [(name, path) for name, path in found if path.exists()]


def _dependencies(libraries):
    """Returns the parts of Abseil that the libraries need, which other systems lack."""
    found = {}
    for _, path in libraries:
        listed = subprocess.run(["ldd", path], capture_output=True, text=True, check=True).stdout
        for name, where in re.findall(r"(libabsl_\S+) => (\S+)", listed):
            found[f"triarch/lib/needed/{name}"] = pathlib.Path(where)
    return sorted(found.items())


def _sources():
    """Returns the files of the package as (name in the wheel, path)."""
    paths = sorted(path for pattern in ("*.py", "py.typed")
                   for path in (_ROOT / "triarch").rglob(pattern))
    return [(path.relative_to(_ROOT).as_posix(), path) for path in paths]


def _metadata():
    readme = (_ROOT / "README.md").read_text(encoding="utf-8")
    return (f"Metadata-Version: 2.1\nName: triarch\nVersion: {_project('version')}\n"
            f"Summary: {_project('description')}\nRequires-Python: {_project('requires-python')}\n"
            "Provides-Extra: arrays\nRequires-Dist: numpy; extra == 'arrays'\n"
            f"Description-Content-Type: text/markdown\n\n{readme}")


def _write_wheel(folder, files, tag):
    version = _project("version")
    info = f"triarch-{version}.dist-info"
    contents = dict(files)
    contents[f"{info}/METADATA"] = _metadata().encode()
    contents[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: triarch_build\n"
                                 f"Root-Is-Purelib: {str(tag.endswith('any')).lower()}\n"
                                 f"Tag: {tag}\n").encode()
    record = ""
    for name, content in contents.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    contents[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    path = pathlib.Path(folder) / f"triarch-{version}-{tag}.whl"
    unfinished = path.with_suffix(".tmp")
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, content in contents.items():
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))  # the same bytes each time
            entry.external_attr = (0o755 if name.startswith("triarch/lib/") else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)
    unfinished.rename(path)
    return path.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    libraries = _libraries()
    tag = "py3-none-any"
    if libraries:
        tag = f"py3-none-linux_{platform.machine()}"
    files = [(name, path.read_bytes()) for name, path in _sources() + libraries + _dependencies(libraries)]
    return _write_wheel(wheel_directory, files, tag)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return _write_wheel(wheel_directory, [("triarch.pth", f"{_ROOT}\n".encode())], "py3-none-any")


def build_sdist(sdist_directory, config_settings=None):
    name = f"triarch-{_project('version')}"
    path = pathlib.Path(sdist_directory) / f"{name}.tar.gz"
    files = _sources() + [(file, _ROOT / file)
                          for file in ("pyproject.toml", "triarch_build.py", "README.md")]
    with tarfile.open(path, "w:gz", dereference=True) as archive:
        for inside, source in files:
            archive.add(source, f"{name}/{inside}")
    return path.name
