# SPDX-License-Identifier: Apache-2.0
# Thread sanitizer needs its own part of the address space. Kernels that randomise 30 bits and more
# put libraries there, and g++ 12's run time stops with "unexpected memory mapping". Where a trivial
# program does so, tests are started by `setarch -R`, which turns the randomising off for them.
if(NOT DEFINED SWEEPBACK_TSAN_LAUNCHER)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/tsan_probe.cpp")
  set(probe "${CMAKE_CURRENT_BINARY_DIR}/tsan_probe")
  file(WRITE "${source}" "int main() {}\n")
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -fsanitize=thread "${source}" -o "${probe}"
    RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  set(launcher "")
  if(status EQUAL 0)
    foreach(try RANGE 1 20)  # the address is drawn anew each time
      execute_process(COMMAND "${probe}" RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
      if(NOT status EQUAL 0)
        set(launcher setarch -R)
      endif()
    endforeach()
  endif()
  set(SWEEPBACK_TSAN_LAUNCHER "${launcher}" CACHE INTERNAL "How tests under tsan are started")
endif()
set(CMAKE_CROSSCOMPILING_EMULATOR "${SWEEPBACK_TSAN_LAUNCHER}")
