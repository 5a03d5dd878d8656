#!/usr/bin/env bash
# Builds the Debian 12 packages: deploy/package.sh [amd64 | arm64]. Prints their paths.
# The packages of program and library for amd64 hold two builds each, of which the one that fits the
# processor runs. Those for arm64 are cross-compiled on amd64.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
architecture=${1:-amd64}

# Prints the packages of the libraries that a file for arm64 needs. dpkg-shlibdeps cannot find
# out, but they are called the same on this machine.
depends() {
  local library
  readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | while read -r library; do
    dpkg-query -S "*/x86_64-linux-gnu/$library" | cut -d: -f1 | head -n 1
  done | sort -u | paste -sd, | sed 's/,/, /g'
}

deploy/web.sh --wasm
mkdir -p build/package
case $architecture in
  amd64)
    projects=
    for level in x86-64-v2 x86-64-v3; do
      deploy/build.sh "$level" triarch triarch_launcher triarch_shared triarch_static
      projects+="$PWD/build/$level;triarch;ALL;/;"
    done
    cpack --config build/x86-64-v3/CPackConfig.cmake -B build/package \
      -D CPACK_INSTALL_CMAKE_PROJECTS="${projects%;}" >build/package/cpack.log
    ;;
  arm64)
    deploy/packages.sh arm64
    # Not installed, because not all of them can be installed beside those of this machine.
    if [[ ! -d build/arm64-root ]]; then
      rm -rf build/arm64-root.tmp
      libraries=$(deploy/packages.sh libraries)
      mmdebstrap --quiet --variant=extract --architectures=arm64 --include="${libraries// /,}" \
        bookworm build/arm64-root.tmp
      mv build/arm64-root.tmp build/arm64-root
    fi
    deploy/build.sh arm64 triarch triarch_shared triarch_static
    cpack --config build/arm64/CPackConfig.cmake -B build/package \
      -D CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS="$(depends build/arm64/triarch)" \
      -D CPACK_DEBIAN_LIB_PACKAGE_DEPENDS="$(depends build/arm64/capi/libtriarch.so)" \
      >build/package/cpack.log
    ;;
  *)
    echo "error: unknown architecture $architecture; known: amd64, arm64" >&2
    exit 2
    ;;
esac
ls build/package/{triarch,libtriarch2,libtriarch-dev}_*_"$architecture".deb \
  build/package/{python3-triarch,triarch-bot-sdk}_*_all.deb
