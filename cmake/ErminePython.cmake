# Whether the Python module is built, and for which interpreter: ERMINE_PYTHON says so to the rest.
# AUTO: for the first that has all it takes to build and test it.
set(ERMINE_PYTHON OFF)
if(ERMINE_BUILD_PYTHON STREQUAL "AUTO")
  find_package(Python3 QUIET COMPONENTS Interpreter)
  foreach(candidate ${Python_EXECUTABLE} ${Python3_EXECUTABLE} /usr/bin/python3)
    # pybind11 before 2.12 does not know arrays of numpy 2.
    execute_process(COMMAND ${candidate} -c "import numpy, pybind11, pytest
assert numpy.__version__ < '2' or pybind11.version_info >= (2, 12)"
      RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(NOT failed)
      set(Python_EXECUTABLE ${candidate} CACHE FILEPATH "Interpreter that the module is built for")
      find_package(Python QUIET COMPONENTS Interpreter Development.Module)
      set(ERMINE_PYTHON ${Python_FOUND})
      break()
    endif()
  endforeach()
  if(NOT ERMINE_PYTHON)
    message(STATUS "Python module: not built, no interpreter with headers, numpy, pybind11 and "
      "pytest (tools/install_dependencies.sh --python)")
  endif()
elseif(ERMINE_BUILD_PYTHON)
  set(ERMINE_PYTHON ON)
endif()
