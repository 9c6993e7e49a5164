# SPDX-License-Identifier: Apache-2.0
# cmake -D PROGRAM=… -D EXPECTED=… -P RunExample.cmake: the program must exit with 0 and, where the
# file EXPECTED exists, print exactly its text.
execute_process(COMMAND "${PROGRAM}" OUTPUT_VARIABLE printed RESULT_VARIABLE status)
message("${printed}")
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} ended with ${status}")
endif()
if(EXISTS "${EXPECTED}")
  file(READ "${EXPECTED}" wanted)
  if(NOT printed STREQUAL wanted)
    message(FATAL_ERROR "the output differs from ${EXPECTED}, which says:\n${wanted}")
  endif()
endif()
