# Packages for Debian: `make deb`, or `cpack -G DEB` in a build folder. One for each component, so that
# the tool needs no compiler, and ermine-channel, which FFTW's licence makes GPL, can be left out.
set(CPACK_PACKAGE_NAME ermine)
set(CPACK_PACKAGE_VENDOR "The ermine developers")
set(CPACK_PACKAGE_CONTACT "The ermine developers")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_OUTPUT_FILE_PREFIX ${PROJECT_SOURCE_DIR}/build)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(ermine_same_version "(= ${PROJECT_VERSION})")

set(CPACK_COMPONENTS_ALL tool devel)
set(CPACK_COMPONENT_TOOL_DESCRIPTION
  "The command-line tool, with the spectra of H2O, CO2, CO and CH4 inside, and examples.")
set(CPACK_DEBIAN_TOOL_PACKAGE_NAME ermine)
set(CPACK_DEBIAN_TOOL_PACKAGE_SUGGESTS
  "openmpi-bin, python3-h5py, python3-matplotlib, ermine-channel, libermine-dev, python3-ermine")

# A static library, headers, CMake and pkg-config files: with it go those of what it is made of.
set(CPACK_COMPONENT_DEVEL_DESCRIPTION
  "The library for programs in C++, C and Fortran (module files of gfortran).")
set(CPACK_DEBIAN_DEVEL_PACKAGE_NAME libermine-dev)
set(CPACK_DEBIAN_DEVEL_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVEL_PACKAGE_DEPENDS
  "g++, libfmt-dev, libtomlplusplus-dev, libmuparser-dev, libcerf-dev")
if(ERMINE_PARALLEL_HDF5)
  string(APPEND CPACK_DEBIAN_DEVEL_PACKAGE_DEPENDS ", libhdf5-openmpi-dev")
else()
  string(APPEND CPACK_DEBIAN_DEVEL_PACKAGE_DEPENDS ", libhdf5-dev")
endif()
if(ERMINE_MPI)
  string(APPEND CPACK_DEBIAN_DEVEL_PACKAGE_DEPENDS ", libopenmpi-dev")
endif()
set(CPACK_DEBIAN_DEVEL_PACKAGE_SUGGESTS "cmake, pkg-config, gfortran, ermine")

if(ERMINE_CHANNEL)
  list(APPEND CPACK_COMPONENTS_ALL channel)
  string(CONCAT ermine_channel_licence "It is linked with FFTW and so, as a whole, under the GNU "
    "General Public License, version 3 or later; its own source is under the Apache License 2.0.")
  set(CPACK_COMPONENT_CHANNEL_DESCRIPTION "Direct numerical simulation of turbulent channel flow with radiation inside: the program behind
`ermine channel`. ${ermine_channel_licence}")
  set(CPACK_DEBIAN_CHANNEL_PACKAGE_NAME ermine-channel)
  set(CPACK_DEBIAN_CHANNEL_PACKAGE_DEPENDS "ermine ${ermine_same_version}")
endif()
if(ERMINE_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
  find_package(Python REQUIRED COMPONENTS Interpreter)
  math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "The module ermine of Python.")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-ermine)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3-numpy, python3 (>= 3.${Python_VERSION_MINOR}~), \
python3 (<< 3.${next_minor}~)")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/deb/prerm)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_STRICT_PERMISSION ON)
endif()

# Each package has its licence where Debian looks for it.
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  foreach(component ${CPACK_COMPONENTS_ALL})
    string(TOUPPER ${component} name)
    set(package ${CPACK_DEBIAN_${name}_PACKAGE_NAME})
    file(READ ${PROJECT_SOURCE_DIR}/LICENSE licence)
    if(component STREQUAL "channel")
      string(PREPEND licence "${ermine_channel_licence}\nSee /usr/share/common-licenses/GPL-3.\n\n")
    endif()
    file(WRITE ${PROJECT_BINARY_DIR}/licences/${package} "${licence}")
    install(FILES ${PROJECT_BINARY_DIR}/licences/${package} RENAME copyright
      DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
  endforeach()
endif()
include(CPack)
