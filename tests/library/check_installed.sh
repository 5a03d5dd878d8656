#!/usr/bin/env bash
# Installs a build as a user would and builds a small program against each part of it:
# check_installed.sh BUILD
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
prefix=$dir/usr
cmake --install "$build" --prefix "$prefix" >"$dir/install.log"
libraries=$(dirname "$(find "$prefix" -name libtriarch.so)")
export PKG_CONFIG_PATH=$libraries/pkgconfig LD_LIBRARY_PATH=$libraries
strict=(-std=c99 -Wall -Wextra -Wpedantic -Werror)

# run NAME PROGRAM…: its output must be the same as the first one's.
run() {
  local name=$1
  shift
  "$@" >"$dir/$name.out"
  [[ -f $dir/expected ]] || cp "$dir/$name.out" "$dir/expected"
  diff "$dir/expected" "$dir/$name.out"
  echo "$name: $(tr '\n' ' ' <"$dir/$name.out")"
}

read -ra shared < <(pkg-config --cflags --libs triarch)
cc "${strict[@]}" -o "$dir/shared" "$here/consumer.c" "${shared[@]}"
run shared "$dir/shared"

read -ra needed < <(pkg-config --static --cflags --libs triarch)
needed=("${needed[@]/#-ltriarch/-l:libtriarch.a}")
cc "${strict[@]}" -o "$dir/static" "$here/consumer.c" "${needed[@]}" -lm
run static env LD_LIBRARY_PATH= "$dir/static"
if ldd "$dir/static" | grep libtriarch; then
  echo "error: the static program needs the shared library" >&2
  exit 1
fi

mkdir "$dir/project"
cp "$here/consumer.c" "$dir/project"
cat >"$dir/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES C)
find_package(triarch REQUIRED CONFIG)
add_executable(consumer consumer.c)
target_link_libraries(consumer PRIVATE triarch::triarch)
END
cmake -S "$dir/project" -B "$dir/project/build" -DCMAKE_PREFIX_PATH="$prefix" >"$dir/cmake.log"
cmake --build "$dir/project/build" >>"$dir/cmake.log"
run cmake "$dir/project/build/consumer"

# A plugin needs only the bot SDK; the program provides what it calls.
sdk=$prefix/share/triarch/sdk
cc -shared -fPIC -std=c11 -Wall -Wextra -Werror -I "$sdk/include" -o "$dir/plugin.so" \
  "$sdk/examples/random_bot.c"
c++ -shared -fPIC -std=c++20 -Wall -Wextra -Werror -I "$sdk/include" -o "$dir/search.so" \
  "$sdk/examples/search_bot.cc"
(cd "$dir" && "$prefix/bin/triarch" run --game three-way --games 3 --json \
  --bots "a=./plugin.so,b=./search.so,greedy" --db plugin.db 2>/dev/null) >"$dir/plugin.json"
grep -q '"recorded": 3' "$dir/plugin.json"
echo "sdk: 3 games"

package=$(dirname "$(find "$prefix" -path '*dist-packages/triarch/__init__.py')")
PYTHONPATH=$(dirname "$package") python3 -B -c '
import triarch
print("python:", len(triarch.State("tri-d").legal_moves()), "moves")'

# Only the functions of triarch.h are visible.
if nm -D --defined-only "$libraries/libtriarch.so" | grep -v ' T triarch_'; then
  echo "error: the library shows more than its functions" >&2
  exit 1
fi
