# Installed package: headers, library, tool, CMake config and pkg-config file. What names no component
# belongs to the tool; ErminePackages.cmake makes a package of each.
include(CMakePackageConfigHelpers)

set(ermine_libraries ermine ermine_spectra ermine_c)
if(ERMINE_FORTRAN)
  list(APPEND ermine_libraries ermine_fortran)
  install(FILES ${PROJECT_BINARY_DIR}/bindings/fortran/modules/ermine.mod
    ${PROJECT_BINARY_DIR}/bindings/fortran/modules/ermine_c_interface.mod
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/ermine/modules COMPONENT devel)
endif()
install(TARGETS ${ermine_libraries} EXPORT ermineTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT devel
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT devel)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ermine DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT devel)
install(FILES ${PROJECT_BINARY_DIR}/include/ermine/version.hpp
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ermine COMPONENT devel)
# Module files are of one compiler only: with any other, programs compile these.
install(FILES ${PROJECT_SOURCE_DIR}/bindings/fortran/ermine_c_interface.f90
  ${PROJECT_SOURCE_DIR}/bindings/fortran/ermine.f90
  ${PROJECT_SOURCE_DIR}/bindings/fortran/ermine_problem.f90
  ${PROJECT_SOURCE_DIR}/bindings/fortran/ermine_steps.f90
  DESTINATION ${CMAKE_INSTALL_DATADIR}/ermine/fortran COMPONENT devel)
# Header only; compiled with the AMReX of whoever includes it.
install(FILES ${PROJECT_SOURCE_DIR}/bindings/amrex/ermine_amrex.hpp
  DESTINATION ${CMAKE_INSTALL_DATADIR}/ermine/amrex COMPONENT devel)
install(EXPORT ermineTargets NAMESPACE ermine::
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ermine COMPONENT devel)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/ermineConfig.cmake.in
  ${PROJECT_BINARY_DIR}/ermineConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ermine
  PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ermineConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ermineConfig.cmake ${PROJECT_BINARY_DIR}/ermineConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ermine COMPONENT devel)
# Relative, so that `cmake --install --prefix` works and the installation can be moved.
file(RELATIVE_PATH ermine_pc_to_prefix
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
set(ermine_pc_hdf5 hdf5)
if(ERMINE_PARALLEL_HDF5)
  # Where both kinds are installed, the plain name may mean either.
  foreach(name hdf5-openmpi hdf5-mpich hdf5-mpi)
    execute_process(COMMAND pkg-config --exists ${name} RESULT_VARIABLE missing)
    if(NOT missing)
      set(ermine_pc_hdf5 ${name})
      break()
    endif()
  endforeach()
endif()
set(ermine_pc_mpi "")
if(ERMINE_MPI)
  string(REPLACE ";" " " ermine_pc_mpi " ${MPI_C_LIBRARIES}")
endif()
set(ermine_pc_cuda "")
if(ERMINE_CUDA)
  set(ermine_pc_cuda " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -ldl -lrt -lpthread")
endif()
# Linkers of C and Fortran do not know the library of C++ by themselves.
set(ermine_pc_cxx "")
foreach(library ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
  if(library MATCHES "^(stdc[+][+]|c[+][+])$")
    string(APPEND ermine_pc_cxx " -l${library}")
  endif()
endforeach()
set(ermine_packages ermine ermine-c)
if(ERMINE_FORTRAN)
  list(APPEND ermine_packages ermine-fortran)
endif()
foreach(package ${ermine_packages})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${package}.pc.in ${PROJECT_BINARY_DIR}/${package}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT devel)
endforeach()
if(ERMINE_BUILD_APPS)
  install(TARGETS ermine_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES ${PROJECT_BINARY_DIR}/words/ermine OPTIONAL
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${PROJECT_BINARY_DIR}/words/_ermine OPTIONAL
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${PROJECT_BINARY_DIR}/words/ermine.1 OPTIONAL DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
    ${PROJECT_SOURCE_DIR}/CITATION.cff ${PROJECT_SOURCE_DIR}/LICENSE
    DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR}
    PATTERN __pycache__ EXCLUDE)
  # Not below the documentation, which containers leave out.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/ermine
    USE_SOURCE_PERMISSIONS PATTERN .gitignore EXCLUDE PATTERN __pycache__ EXCLUDE)
endif()
# By itself, since FFTW's licence goes with it (docs/howto/channel.md).
if(ERMINE_CHANNEL)
  install(TARGETS ermine_channel_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT channel)
endif()
