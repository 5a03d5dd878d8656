#!/usr/bin/env bash
# Installs missing Debian packages: deploy/packages.sh build | test | arm64 | wasm | web
# `deploy/packages.sh libraries` prints those that the program is compiled with.
# With TRIARCH_TORCH=ON in the environment, includes those of the torch bot. Does not use the network
# if all are installed.
set -euo pipefail

libraries=(libabsl-dev libcli11-dev nlohmann-json3-dev libyaml-cpp-dev libsqlite3-dev libpqxx-dev
  libeigen3-dev libgrpc++-dev protobuf-compiler
  protobuf-compiler-grpc libprotobuf-dev prometheus-cpp-dev libcpp-httplib-dev
  libcurl4-openssl-dev libssl-dev libseccomp-dev libarchive-dev libzip-dev libdeflate-dev libexpat1-dev
  libev-dev libboost-dev libbenchmark-dev libgtest-dev libgmock-dev)
build=(g++ mold cmake ninja-build ccache pkg-config bubblewrap "${libraries[@]}")
test=(clang libclang-rt-14-dev sqlite3 procps postgresql prometheus openssl python3 python3-numpy
  iproute2 nftables haproxy nginx-light caddy stockfish shellcheck docker-compose systemd
  python3-venv emscripten node-typescript chromium)

# For the torch bot. OpenBLAS makes it several times as fast.
torch=(libtorch-dev python3-torch libopenblas0)

if [[ ${1:-} == libraries ]]; then
  echo "${libraries[@]}"
  exit 0
fi

packages=("${build[@]}")
[[ ${1:-} == web ]] && packages=()
[[ ${1:-build} == test ]] && packages+=("${test[@]}")
# For cross-compiling (deploy/package.sh).
[[ ${1:-build} == arm64 ]] && packages+=(g++-aarch64-linux-gnu qemu-user mmdebstrap)
[[ ${1:-build} == wasm ]] && packages+=(emscripten)
[[ ${TRIARCH_TORCH:-} == ON ]] && packages+=("${torch[@]}")
# Node.js may be installed from another source, with its own npm, which conflicts with Debian's
# package.
if [[ ${1:-build} =~ ^(test|web)$ ]] && ! command -v npm >/dev/null; then
  packages+=(nodejs npm)
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
done
[[ ${#missing[@]} -eq 0 ]] && exit 0

sudo=()
if [[ $EUID -ne 0 ]]; then
  if ! command -v sudo >/dev/null; then
    echo "error: these packages are missing and only root can install them: ${missing[*]}" >&2
    exit 1
  fi
  sudo=(sudo)
fi
# Prints how many packages apt-get has downloaded and set up, at most every 5 s.
progress() {
  local line total=0 got=0 done=0 due=0
  while IFS= read -r line; do
    case $line in
      *" newly installed, "*) [[ $line =~ ([0-9]+)\ upgraded,\ ([0-9]+)\ newly ]] &&
          total=$((BASH_REMATCH[1] + BASH_REMATCH[2])) ;;
      Get:*) got=$((got + 1)) ;;
      "Setting up "*) done=$((done + 1)) ;;
    esac
    if ((total > 0 && SECONDS >= due)); then
      echo "  downloaded $got, set up $done of $total"
      due=$((SECONDS + 5))
    fi
  done
}

echo "installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install() {
  "${sudo[@]}" apt-get update && "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "${missing[@]}"
}
if ! install 2>&1 | tee "$log" | progress; then
  tail -n 20 "$log" >&2
  echo "error: apt-get could not install the packages" >&2
  exit 1
fi
