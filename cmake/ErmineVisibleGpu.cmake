# The NVIDIA GPUs of this machine: ermine_gpu_visible, and ermine_gpu_architectures as CMake names them
# (90;86), which may be empty where the driver does not tell. Also runs as a script: cmake -P.
set(ERMINE_GPU_DEVICE_FILE /dev/nvidia0 CACHE INTERNAL "Is there where the driver has a GPU")

set(ermine_gpu_visible OFF)
set(ermine_gpu_architectures "")
execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
  OUTPUT_VARIABLE capabilities ERROR_QUIET RESULT_VARIABLE failed)
if("${failed}" STREQUAL "0")
  string(REGEX MATCHALL "[0-9]+[.][0-9]" capabilities "${capabilities}")
  list(REMOVE_DUPLICATES capabilities)
  string(REPLACE "." "" ermine_gpu_architectures "${capabilities}")
endif()
if(ermine_gpu_architectures OR EXISTS ${ERMINE_GPU_DEVICE_FILE})
  set(ermine_gpu_visible ON)
endif()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  message(STATUS "visible ${ermine_gpu_visible}, architectures '${ermine_gpu_architectures}'")
endif()
