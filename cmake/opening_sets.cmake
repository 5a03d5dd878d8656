# Generates OUTPUT, the definition of BalancedOpenings (spec/opening_sets.h), from FOLDER/GAME.tpgn.
function(triarch_opening_sets FOLDER OUTPUT)
  file(GLOB sets CONFIGURE_DEPENDS ${FOLDER}/*.tpgn)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sets})
  set(cases "")
  foreach(set IN LISTS sets)
    get_filename_component(game ${set} NAME_WE)
    file(READ ${set} text)
    string(APPEND cases "  if (game == \"${game}\") return R\"tpgn(${text})tpgn\";\n")
  endforeach()
  file(GENERATE OUTPUT ${OUTPUT} CONTENT "#include \"spec/opening_sets.h\"

namespace triarch {

std::string_view BalancedOpenings(std::string_view game) {
${cases}  return \"\";
}

}  // namespace triarch
")
endfunction()
