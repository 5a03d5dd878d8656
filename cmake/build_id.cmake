# cmake -DROOT=… -DOUT=… -P build_id.cmake: writes kBuildId, a hash over the sources that decide how
# a game is played, and kCommit.
file(GLOB_RECURSE sources RELATIVE ${ROOT}
  ${ROOT}/core/*.h ${ROOT}/core/*.cc ${ROOT}/bots/*.h ${ROOT}/bots/*.cc ${ROOT}/bots/*.net
  ${ROOT}/worker/match/*.h
  ${ROOT}/worker/match/*.cc ${ROOT}/worker/host/*.h ${ROOT}/worker/host/*.cc
  ${ROOT}/worker/sandbox/*.h ${ROOT}/worker/sandbox/*.cc)
list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
list(SORT sources)
set(all "")
foreach(source IN LISTS sources)
  file(SHA256 ${ROOT}/${source} digest)
  string(APPEND all "${source} ${digest}\n")
endforeach()
string(SHA256 id "${all}")
string(SUBSTRING ${id} 0 12 id)
execute_process(COMMAND git -C ${ROOT} describe --always --abbrev=12 --exclude=* --dirty=\ with\ changes
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit "unknown")
endif()
set(text "#include \"cli/build_id.h\"\n\nnamespace triarch {\nconst std::string_view kBuildId = \"${id}\";\nconst std::string_view kCommit = \"${commit}\";\n}\n")
set(old "")
if(EXISTS ${OUT})
  file(READ ${OUT} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${OUT} "${text}")
endif()
