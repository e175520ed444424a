# OpenFOAM of openfoam.com, v1912 or later: its libraries, and the sources that belong to them, as
# its headers lie there. Source its etc/bashrc before, or set OPENFOAM_SOURCE_DIR (the folder src)
# and OPENFOAM_LIBRARY_DIR. Debian packages the libraries only; `apt-get source openfoam` gets the
# rest.
#
# Makes the target OpenFOAM::radiationModels, and OPENFOAM_API (1912).
find_path(OPENFOAM_SOURCE_DIR OpenFOAM/fields/Fields/Field/Field.H
  HINTS ENV FOAM_SRC PATHS /usr/share/openfoam/src /usr/src/openfoam/src
  DOC "Folder src of OpenFOAM")
find_path(OPENFOAM_LIBRARY_DIR libradiationModels.so HINTS ENV FOAM_LIBBIN PATHS /usr/lib
  PATH_SUFFIXES openfoam DOC "Folder of OpenFOAM's libraries")
find_library(OPENFOAM_PSTREAM_LIBRARY Pstream HINTS ${OPENFOAM_LIBRARY_DIR}
  PATH_SUFFIXES $ENV{FOAM_MPI} openmpi-system NO_DEFAULT_PATH DOC "OpenFOAM's way to MPI")
if(OPENFOAM_SOURCE_DIR AND EXISTS ${OPENFOAM_SOURCE_DIR}/../META-INFO/api-info)
  file(STRINGS ${OPENFOAM_SOURCE_DIR}/../META-INFO/api-info OPENFOAM_API REGEX "^api=")
  string(REPLACE "api=" "" OPENFOAM_API "${OPENFOAM_API}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenFOAM
  REQUIRED_VARS OPENFOAM_LIBRARY_DIR OPENFOAM_PSTREAM_LIBRARY OPENFOAM_SOURCE_DIR OPENFOAM_API
  VERSION_VAR OPENFOAM_API)
if(NOT OpenFOAM_FOUND OR TARGET OpenFOAM::radiationModels)
  return()
endif()

add_library(OpenFOAM::radiationModels INTERFACE IMPORTED)
foreach(part OpenFOAM OSspecific/POSIX finiteVolume meshTools transportModels/compressible
    thermophysicalModels/basic thermophysicalModels/specie thermophysicalModels/reactionThermo
    thermophysicalModels/radiation)
  set(headers ${OPENFOAM_SOURCE_DIR}/${part}/lnInclude)
  if(NOT EXISTS ${headers})
    # Sources that nobody has compiled: each library's files side by side, as its build makes them.
    set(headers ${CMAKE_BINARY_DIR}/openfoam_headers/${part})
    if(NOT EXISTS ${headers})
      file(MAKE_DIRECTORY ${headers})
      file(GLOB_RECURSE files ${OPENFOAM_SOURCE_DIR}/${part}/*.[CHh])
      foreach(file ${files})
        get_filename_component(name ${file} NAME)
        file(CREATE_LINK ${file} ${headers}/${name} SYMBOLIC)
      endforeach()
    endif()
  endif()
  # As system headers: their warnings are not ours.
  target_include_directories(OpenFOAM::radiationModels SYSTEM INTERFACE ${headers})
endforeach()
set(label_bits 32)
if(DEFINED ENV{WM_LABEL_SIZE})
  set(label_bits $ENV{WM_LABEL_SIZE})
endif()
set(precision DP)
if(DEFINED ENV{WM_PRECISION_OPTION})
  set(precision $ENV{WM_PRECISION_OPTION})
endif()
target_compile_definitions(OpenFOAM::radiationModels INTERFACE
  OPENFOAM=${OPENFOAM_API} WM_${precision} WM_LABEL_SIZE=${label_bits} NoRepository)
foreach(library OpenFOAM finiteVolume meshTools fluidThermophysicalModels reactionThermophysicalModels
    radiationModels)
  target_link_libraries(OpenFOAM::radiationModels INTERFACE
    ${OPENFOAM_LIBRARY_DIR}/lib${library}.so)
endforeach()
target_link_libraries(OpenFOAM::radiationModels INTERFACE ${OPENFOAM_PSTREAM_LIBRARY})
