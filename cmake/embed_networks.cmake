# Writes a source that holds network files (bots/nnue/bundled.h).
#   cmake -DFOLDER=bots/nnue/networks -DOUT=bundled.cc -P embed_networks.cmake

file(GLOB files ${FOLDER}/*.net)
set(data "")
set(rows "")
set(number 0)
foreach(path IN LISTS files)
  file(READ ${path} hex HEX)
  string(REGEX REPLACE "(..)" "\\\\x\\1" text "${hex}")
  file(SIZE ${path} size)
  string(APPEND data "constexpr char kNetwork${number}[] = \"${text}\";\n")
  string(APPEND rows "std::string_view(kNetwork${number}, ${size}), ")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUT} "#include \"bots/nnue/bundled.h\"

#include <vector>

namespace triarch::nnue {
namespace {

${data}
}  // namespace

std::span<const std::string_view> BundledBytes() {
  static const std::vector<std::string_view> kAll = {${rows}};
  return kAll;
}

}  // namespace triarch::nnue
")
