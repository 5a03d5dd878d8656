#!/usr/bin/env bash
# Builds a Debian 12 package of the program: deploy/package.sh [amd64 | arm64]. Prints its path.
# The package for amd64 holds two builds and a launcher that picks the one that fits the processor.
# The package for arm64 is cross-compiled on amd64.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
architecture=${1:-amd64}

# Prints the packages of the libraries that the program for arm64 needs. dpkg-shlibdeps cannot find
# out, but they are called the same on this machine.
depends() {
  local library
  readelf -d build/arm64/triarch | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | while read -r library; do
    dpkg-query -S "*/x86_64-linux-gnu/$library" | cut -d: -f1 | head -n 1
  done | sort -u | paste -sd, | sed 's/,/, /g'
}

mkdir -p build/package
case $architecture in
  amd64)
    projects=
    for level in x86-64-v2 x86-64-v3; do
      deploy/build.sh "$level" triarch triarch_launcher
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
    deploy/build.sh arm64 triarch
    cpack --config build/arm64/CPackConfig.cmake -B build/package \
      -D CPACK_DEBIAN_PACKAGE_DEPENDS="$(depends)" \
      >build/package/cpack.log
    ;;
  *)
    echo "error: unknown architecture $architecture; known: amd64, arm64" >&2
    exit 2
    ;;
esac
ls build/package/triarch_*_"$architecture".deb
