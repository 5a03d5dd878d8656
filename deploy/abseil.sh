#!/usr/bin/env bash
# Unpacks the source of Debian's package of Abseil in build/abseil, for targets that Debian has no
# build for. apt-get checks its signature.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[[ -d build/abseil ]] && exit 0
work=$PWD/build/abseil.tmp
rm -rf "$work"
mkdir -p "$work/lists/partial" "$work/cache" "$work/source"
cat >"$work/sources.list" <<'END'
deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main
END
apt=(apt-get -q -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=-
  -o "Dir::State::lists=$work/lists" -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root)
"${apt[@]}" update
(cd "$work/source" && "${apt[@]}" source --download-only abseil)
mkdir "$work/abseil"
tar -xzf "$work"/source/abseil_*.orig.tar.gz -C "$work/abseil" --strip-components=1
mv "$work/abseil" build/abseil
rm -rf "$work"
