# Installs the program and describes its Debian package, which deploy/package.sh makes.
include(GNUInstallDirs)

# The last -march counts, so the launcher runs on any x86.
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  add_executable(triarch_launcher deploy/launcher.cc)
  target_compile_options(triarch_launcher PRIVATE -march=x86-64)
endif()
if(TRIARCH_MARCH MATCHES "^x86-64-v[23]$")
  # A package contains one such build for each level, and the launcher picks one.
  install(PROGRAMS $<TARGET_FILE:triarch> DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/triarch
    RENAME triarch-${TRIARCH_MARCH})
  install(PROGRAMS $<TARGET_FILE:triarch_launcher> DESTINATION ${CMAKE_INSTALL_BINDIR}
    RENAME triarch)
else()
  install(TARGETS triarch)
endif()
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/triarch)
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME triarch)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The Triarch developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "plays bots against each other at chess games for two and three")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION games)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "bubblewrap, ca-certificates")
if(CMAKE_CROSSCOMPILING)
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)  # deploy/package.sh adds what it depends on
else()
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
include(CPack)
