# SPDX-License-Identifier: Apache-2.0
# libFuzzer targets. The whole folder is built with coverage; a target's test is a short run over
# its corpus (tests/fuzz/corpus/NAME, if there is one) and what comes to its mind from there.
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "SWEEPBACK_FUZZ needs clang++ (the preset `fuzz` asks for it).")
endif()
set(SWEEPBACK_FUZZ_SECONDS 10 CACHE STRING "How long the test of a fuzz target runs")
add_compile_options(-fsanitize=fuzzer-no-link)

function(sweepback_add_fuzz_target source)
  cmake_path(GET source STEM name)
  add_executable(${name} ${source})
  sweepback_compile_options(${name})
  target_link_libraries(${name} PRIVATE
    sweepback_sweepback $<TARGET_NAME_IF_EXISTS:sweepback_json> sweepback_cli_sizes)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  set(found "${PROJECT_BINARY_DIR}/corpus/${name}")
  file(MAKE_DIRECTORY "${found}")
  string(REGEX REPLACE "^fuzz_" "" short "${name}")
  set(corpus "${found}")
  foreach(folder IN ITEMS "${name}" "${short}")
    if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${folder}")
      list(APPEND corpus "${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${folder}")
    endif()
  endforeach()
  add_test(NAME fuzz.${short}
    COMMAND ${name} -max_total_time=${SWEEPBACK_FUZZ_SECONDS} -timeout=10 -rss_limit_mb=2048
      -print_final_stats=1 "-dict=${PROJECT_SOURCE_DIR}/tests/fuzz/words.dict"
      "-artifact_prefix=${found}-" ${corpus})
  set_tests_properties(fuzz.${short} PROPERTIES LABELS fuzz TIMEOUT 300)
endfunction()
