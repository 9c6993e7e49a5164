# SPDX-License-Identifier: Apache-2.0
# sweepback_add_compile_fail_test(SOURCE) adds one test: SOURCE must compile with -DSWEEPBACK_FIXED
# and must not compile without it, so that it fails for the one reason that the macro takes away.
# Where SOURCE holds a line `// error: REGEX`, the compiler's message must match it.
#
# Run as a script (cmake -P), this file is the test itself.
if(CMAKE_SCRIPT_MODE_FILE)
  set(ENV{LC_ALL} C)  # plain quotation marks, English
  set(command "${COMPILER}" -std=c++20 -fsyntax-only -Wall -Wextra)
  foreach(directory IN LISTS INCLUDES)
    if(directory)
      list(APPEND command "-I${directory}")
    endif()
  endforeach()

  execute_process(COMMAND ${command} -DSWEEPBACK_FIXED "${SOURCE}"
    RESULT_VARIABLE status ERROR_VARIABLE message)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "must compile with -DSWEEPBACK_FIXED and does not:\n${message}")
  endif()

  execute_process(COMMAND ${command} "${SOURCE}" RESULT_VARIABLE status ERROR_VARIABLE message)
  if(status EQUAL 0)
    message(FATAL_ERROR "compiles, and must not")
  endif()
  file(STRINGS "${SOURCE}" wanted REGEX "^// error: ")
  foreach(line IN LISTS wanted)
    string(REGEX REPLACE "^// error: " "" regex "${line}")
    if(NOT message MATCHES "${regex}")
      message(FATAL_ERROR "is refused, but not for the reason \"${regex}\":\n${message}")
    endif()
  endforeach()
  return()
endif()

set(sweepback_compile_fail_script "${CMAKE_CURRENT_LIST_FILE}")
function(sweepback_add_compile_fail_test source)
  cmake_path(GET source STEM name)
  add_test(NAME compile_fail.${name}
    COMMAND ${CMAKE_COMMAND}
      -D "COMPILER=${CMAKE_CXX_COMPILER}"
      -D "SOURCE=${source}"
      -D "INCLUDES=${PROJECT_SOURCE_DIR}/include;${PROJECT_BINARY_DIR}/generated/include"
      -P "${sweepback_compile_fail_script}")
  set_tests_properties(compile_fail.${name} PROPERTIES LABELS "core;compile_fail" TIMEOUT 120)
endfunction()
