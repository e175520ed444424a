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
set(CPACK_COMPONENT_TOOL_DESCRIPTION "${PROJECT_DESCRIPTION}
 The command-line tool, with the spectra of H2O, CO2, CO and CH4 inside, and examples.")
set(CPACK_DEBIAN_TOOL_PACKAGE_NAME ermine)
set(CPACK_DEBIAN_TOOL_PACKAGE_SUGGESTS
  "openmpi-bin, python3-h5py, python3-matplotlib, ermine-channel, libermine-dev, python3-ermine")

# A static library, headers, CMake and pkg-config files: with it go those of what it is made of.
set(CPACK_COMPONENT_DEVEL_DESCRIPTION "${PROJECT_DESCRIPTION}
 The library for programs in C++, C and Fortran (module files of gfortran).")
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
set(CPACK_DEBIAN_DEVEL_PACKAGE_SUGGESTS "cmake, pkg-config, gfortran")

if(ERMINE_CHANNEL)
  list(APPEND CPACK_COMPONENTS_ALL channel)
  set(CPACK_COMPONENT_CHANNEL_DESCRIPTION "Turbulent channel flow with radiation inside
 Direct numerical simulation, the program behind `ermine channel`. Linked with FFTW and so, as a
 whole, under the GNU General Public License, version 3 or later; its own source is Apache-2.0.")
  set(CPACK_DEBIAN_CHANNEL_PACKAGE_NAME ermine-channel)
  set(CPACK_DEBIAN_CHANNEL_PACKAGE_DEPENDS "ermine ${ermine_same_version}")
endif()
if(ERMINE_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
  math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "${PROJECT_DESCRIPTION}
 The module ermine of Python.")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-ermine)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3-numpy, python3 (>= 3.${Python_VERSION_MINOR}~), \
python3 (<< 3.${next_minor}~)")
endif()
include(CPack)
