# Whether the plug-in for OpenFOAM is built: ERMINE_OPENFOAM says so to the rest.
set(ERMINE_OPENFOAM OFF)
if(ERMINE_BUILD_OPENFOAM)
  find_package(OpenFOAM 1912 QUIET)
  if(OpenFOAM_FOUND)
    set(ERMINE_OPENFOAM ON)
  elseif(NOT ERMINE_BUILD_OPENFOAM STREQUAL "AUTO")
    message(FATAL_ERROR "OpenFOAM v1912 or later, of openfoam.com, was not found with its sources: "
      "source its etc/bashrc, or set OPENFOAM_SOURCE_DIR and OPENFOAM_LIBRARY_DIR, see "
      "docs/howto/openfoam.md")
  endif()
endif()
