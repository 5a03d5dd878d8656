# Installs the program and the library, and describes their Debian packages, which deploy/package.sh
# makes.
include(GNUInstallDirs)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME triarch)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The Triarch developers")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program lib dev python sdk)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
if(CMAKE_CROSSCOMPILING)
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)  # deploy/package.sh adds what they depend on
else()
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_LIB_PACKAGE_SHLIBDEPS ON)
endif()

# triarch_package(COMPONENT NAME SECTION SUMMARY [DEPENDS a, b])
function(triarch_package component name section summary)
  cmake_parse_arguments(ARG "" "DEPENDS" "" ${ARGN})
  string(TOUPPER ${component} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_COMPONENT_${key}_DESCRIPTION "${summary}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_DESCRIPTION "${summary}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_DEPENDS "${ARG_DEPENDS}" PARENT_SCOPE)
endfunction()
set(exact "(= ${PROJECT_VERSION})")
triarch_package(program triarch games "plays bots against each other at chess games for two and three")
triarch_package(lib libtriarch2 libs "rules and searchers of chess games for two and three")
triarch_package(dev libtriarch-dev libdevel "headers and static library of libtriarch"
  DEPENDS "libtriarch2 ${exact}, libabsl-dev")
triarch_package(python python3-triarch python "rules and searchers of Triarch for Python"
  DEPENDS "libtriarch2 ${exact}, python3")
triarch_package(sdk triarch-bot-sdk devel "headers, helpers and examples for bots of Triarch")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "bubblewrap, ca-certificates")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_SDK_PACKAGE_ARCHITECTURE all)

# The last -march counts, so the launcher runs on any x86.
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  add_executable(triarch_launcher deploy/launcher.cc)
  target_compile_options(triarch_launcher PRIVATE -march=x86-64)
endif()
if(TRIARCH_MARCH MATCHES "^x86-64-v[23]$")
  install(PROGRAMS $<TARGET_FILE:triarch> DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/triarch
    RENAME triarch-${TRIARCH_MARCH} COMPONENT program)
  install(PROGRAMS $<TARGET_FILE:triarch_launcher> DESTINATION ${CMAKE_INSTALL_BINDIR}
    RENAME triarch COMPONENT program)
else()
  install(TARGETS triarch COMPONENT program)
endif()

# The dynamic linker picks the library for the processor; one of the builds brings the headers.
if(TRIARCH_MARCH STREQUAL "x86-64-v3")
  install(TARGETS triarch_shared COMPONENT lib
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/glibc-hwcaps/x86-64-v3 NAMELINK_SKIP)
else()
  install(TARGETS triarch_shared EXPORT triarchTargets LIBRARY
    COMPONENT lib NAMELINK_COMPONENT dev)
  install(FILES capi/triarch.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
  install(FILES ${PROJECT_BINARY_DIR}/capi/libtriarch.a DESTINATION ${CMAKE_INSTALL_LIBDIR}
    COMPONENT dev)
  install(FILES ${PROJECT_BINARY_DIR}/capi/triarch.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
  install(EXPORT triarchTargets NAMESPACE triarch:: FILE triarchConfig.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/triarch COMPONENT dev)
endif()

install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/triarch COMPONENT program)
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(DIRECTORY python/triarch DESTINATION lib/python3/dist-packages COMPONENT python
  FILES_MATCHING PATTERN "*.py" PATTERN py.typed
  PATTERN __pycache__ EXCLUDE PATTERN triarch_bot.py EXCLUDE)
# A link in the sources.
install(FILES bots/sdk/python/triarch_bot.py DESTINATION lib/python3/dist-packages/triarch
  COMPONENT python)
install(FILES capi/triarch.h bots/sdk/triarch_bot.h
  DESTINATION ${CMAKE_INSTALL_DATADIR}/triarch/sdk/include COMPONENT sdk)
install(DIRECTORY bots/sdk/python bots/sdk/javascript bots/sdk/examples
  DESTINATION ${CMAKE_INSTALL_DATADIR}/triarch/sdk COMPONENT sdk
  PATTERN __pycache__ EXCLUDE)
include(CPack)
