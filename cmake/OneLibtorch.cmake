# SPDX-License-Identifier: Apache-2.0
# The test torch.one_libtorch: what the trainer loads and what it was compiled from is the libtorch
# that the configuring named, and no part of another (cmake/FindLibtorch.cmake tells the story).
#
# Run as a script (cmake -P), this file is the test itself.
if(CMAKE_SCRIPT_MODE_FILE)
  execute_process(COMMAND ldd "${PROGRAM}" OUTPUT_VARIABLE loaded COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "lib(c10|torch)[a-z_]*\\.so[^\n]* => [^ \n]+" lines "${loaded}")
  list(LENGTH lines count)
  foreach(line IN LISTS lines)
    string(REGEX REPLACE ".* => " "" file "${line}")
    file(REAL_PATH "${file}" file)
    cmake_path(IS_PREFIX PREFIX "${file}" ours)
    if(NOT ours)
      message(FATAL_ERROR "${file} is loaded, and is not below ${PREFIX}")
    endif()
  endforeach()
  if(count LESS 2)
    message(FATAL_ERROR "no libtorch is loaded:\n${loaded}")
  endif()

  # Headers, as ninja noted them while compiling.
  execute_process(COMMAND "${NINJA}" -C "${BUILD}" -t deps
    OUTPUT_VARIABLE deps ERROR_QUIET RESULT_VARIABLE status)
  if(status EQUAL 0)
    string(REGEX MATCHALL "[^ \n]+/(torch|ATen|c10|caffe2)/[^ \n]+\\.h\n" headers "${deps}")
    list(REMOVE_DUPLICATES headers)
    foreach(header IN LISTS headers)
      cmake_path(IS_PREFIX PREFIX "${header}" ours)
      if(NOT ours AND NOT header MATCHES "/sweepback/torch/")
        message(FATAL_ERROR "${header} was included, and is not below ${PREFIX}")
      endif()
    endforeach()
    list(LENGTH headers count)
    message("${count} headers and ${lines} below ${PREFIX}")
  endif()
  return()
endif()

if(TARGET sweepback_train AND CMAKE_GENERATOR STREQUAL "Ninja")
  add_test(NAME torch.one_libtorch
    COMMAND ${CMAKE_COMMAND}
      -D "PROGRAM=$<TARGET_FILE:sweepback_train>"
      -D "PREFIX=${Libtorch_PREFIX}"
      -D "NINJA=${CMAKE_MAKE_PROGRAM}"
      -D "BUILD=${PROJECT_BINARY_DIR}"
      -P "${CMAKE_CURRENT_LIST_FILE}")
  set_tests_properties(torch.one_libtorch PROPERTIES LABELS torch)
endif()
