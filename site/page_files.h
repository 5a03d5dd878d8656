// Lists the files of the web page that were there when the program was built.

#ifndef TRIARCH_SITE_PAGE_FILES_H_
#define TRIARCH_SITE_PAGE_FILES_H_

#include <span>
#include <string_view>

namespace triarch::site {

struct PageFile {
  std::string_view path;     // "/assets/index-1a2b.js"
  std::string_view content;  // as it is, and compressed by gzip
  std::string_view gzip;
};

// Returns the files of web/dist, in no order; none if the page was not built.
std::span<const PageFile> PageFiles();

}  // namespace triarch::site

#endif  // TRIARCH_SITE_PAGE_FILES_H_
