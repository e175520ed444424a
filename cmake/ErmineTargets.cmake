# Compile options shared by all targets of the project.
add_library(ermine_options INTERFACE)
target_compile_options(ermine_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wshadow;-Wconversion;-Wno-sign-conversion>
  # No code here reads errno or floating-point traps; without them rays march without branches.
  $<$<COMPILE_LANGUAGE:CXX>:-fno-math-errno;-fno-trapping-math>
  $<$<AND:$<BOOL:${ERMINE_NATIVE}>,$<COMPILE_LANGUAGE:CXX>>:-march=native>
  $<$<AND:$<BOOL:${ERMINE_WERROR}>,$<COMPILE_LANGUAGE:CXX>>:-Werror>)

# ermine_embed(TARGET NAME FILE): makes the text of FILE available as ermine::embedded::NAME.
function(ermine_embed target name file)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}.cpp)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT
    "#include \"embedded.hpp\"\n\nconst std::string ermine::embedded::@name@ = R\"~embedded~(@text@)~embedded~\";\n")
  target_sources(${target} PRIVATE ${output})
endfunction()

# ermine_add_test(NAME LABEL SOURCES...): one GoogleTest program, one ctest entry per test.
function(ermine_add_test name label)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE ermine ermine_reference ermine_options GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  # One thread each: ctest runs several at a time. Only tests labelled gpu take the GPU.
  string(REGEX REPLACE "[^a-z].*" "" prefix "${label}")
  if(label STREQUAL "gpu")
    set(only_one RESOURCE_LOCK gpu)
  else()
    set(only_one)
  endif()
  gtest_discover_tests(${name} TEST_PREFIX "${prefix}/" NO_PRETTY_VALUES DISCOVERY_TIMEOUT 600
    PROPERTIES LABELS ${label} TIMEOUT 1800 ${only_one}
    ENVIRONMENT "OMP_NUM_THREADS=1;$<$<NOT:$<STREQUAL:${label},gpu>>:CUDA_VISIBLE_DEVICES=>")
endfunction()
