# Writes a source that holds the files of a folder, as they are and compressed (site/page_files.h).
#   cmake -DFOLDER=web/dist -DOUT=page_files.cc -P embed_page.cmake

file(GLOB_RECURSE files RELATIVE ${FOLDER} ${FOLDER}/*)
find_program(GZIP gzip REQUIRED)
set(data "")
set(names "")
set(rows "")
set(number 0)
foreach(file IN LISTS files)
  set(packed ${OUT}.${number}.gz)
  # -n: equal files stay equal.
  execute_process(COMMAND ${GZIP} -9 -n -c ${FOLDER}/${file}
    OUTPUT_FILE ${packed} COMMAND_ERROR_IS_FATAL ANY)
  set(name page_${number})
  string(APPEND data
    "${name}: .incbin \"${FOLDER}/${file}\"\n${name}_gzip: .incbin \"${packed}\"\n${name}_end:\n")
  string(APPEND names "extern const char ${name}[], ${name}_gzip[], ${name}_end[];\n")
  string(APPEND rows "      {\"/${file}\", {${name}, ${name}_gzip}, {${name}_gzip, ${name}_end}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUT} "#include \"site/page_files.h\"

#include <vector>

__asm__(R\"asm(.pushsection .rodata
${data}.popsection
)asm\");
extern \"C\" {
${names}}

namespace triarch::site {

std::span<const PageFile> PageFiles() {
  static const std::vector<PageFile> kFiles = {
${rows}  };
  return kFiles;
}

}  // namespace triarch::site
")
