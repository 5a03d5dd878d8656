# embed_networks(OUT): writes a source with the networks that come with the program, again whenever
# they change.
function(embed_networks out)
  set(networks ${PROJECT_SOURCE_DIR}/bots/nnue/networks)
  file(GLOB files CONFIGURE_DEPENDS ${networks}/*.net)
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed_networks.cmake)
  string(MD5 names "${files}")  # another command, which runs again, when a file is gone
  add_custom_command(OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${networks} -DOUT=${out} -DNAMES=${names} -P ${script}
    DEPENDS ${files} ${script}
    VERBATIM)
  set_source_files_properties(${out} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
