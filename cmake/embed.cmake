# embed_files(SCRIPT FOLDER OUT): writes a source with the files of a folder by a script of this
# folder (embed_page.cmake), again whenever they change.
function(embed_files script folder out)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${folder}/*)
  set(script ${PROJECT_SOURCE_DIR}/cmake/${script})
  string(MD5 names "${files}")  # another command, which runs again, when a file is gone
  add_custom_command(OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -DOUT=${out} -DNAMES=${names} -P ${script}
    DEPENDS ${files} ${script}
    VERBATIM)
  set_source_files_properties(${out} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
