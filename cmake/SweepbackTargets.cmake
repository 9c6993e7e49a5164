# SPDX-License-Identifier: Apache-2.0
# How every target of this project is made: libraries, programs, and the parts that are left out
# where a package is missing.

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# ccache where it is there; the two looks aside that precompiled headers need.
if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(SWEEPBACK_CCACHE ccache)
  mark_as_advanced(SWEEPBACK_CCACHE)
  if(SWEEPBACK_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${SWEEPBACK_CCACHE}")
  endif()
endif()

# Sanitizers change the code of every object, so they are set for the whole folder.
if(SWEEPBACK_SANITIZE)
  add_compile_options(-fsanitize=${SWEEPBACK_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${SWEEPBACK_SANITIZE})
endif()

# Warnings are ours, never a consumer's.
function(sweepback_compile_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wnon-virtual-dtor)
  if(SWEEPBACK_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
    if(SWEEPBACK_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # g++ sees uninitialised reads in the code that sanitizers insert
      target_compile_options(${target} PRIVATE -Wno-error=maybe-uninitialized)
    endif()
  endif()
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
endfunction()

# sweepback_add_library(NAME SOURCES … HEADERS … [BASE dir] [LINK …])
# makes the target sweepback_NAME, known as sweepback::NAME here and once installed. Without
# sources it is an interface library. HEADERS are the public ones, below include/ (or BASE).
function(sweepback_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "BASE" "SOURCES;HEADERS;LINK")
  set(target sweepback_${name})
  if(NOT arg_BASE)
    set(arg_BASE "${PROJECT_SOURCE_DIR}/include")
  endif()
  if(arg_SOURCES)
    set(scope PUBLIC)
    add_library(${target} ${arg_SOURCES})
    sweepback_compile_options(${target})
    set_target_properties(${target} PROPERTIES
      POSITION_INDEPENDENT_CODE ON
      VERSION ${PROJECT_VERSION}
      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src")
  else()
    set(scope INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  add_library(sweepback::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_link_libraries(${target} ${scope} ${arg_LINK})
  if(arg_HEADERS)
    target_sources(${target} ${scope} FILE_SET HEADERS
      BASE_DIRS "${arg_BASE}" "${PROJECT_BINARY_DIR}/generated/include"
      FILES ${arg_HEADERS})
  endif()
  set_property(GLOBAL APPEND PROPERTY SWEEPBACK_LIBRARIES ${target})
endfunction()

# sweepback_add_program(TARGET NAME SOURCES … LINK …): a program at the root of the build folder.
function(sweepback_add_program target name)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "SOURCES;LINK")
  add_executable(${target} ${arg_SOURCES})
  sweepback_compile_options(${target})
  target_link_libraries(${target} PRIVATE ${arg_LINK})
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${name}
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}"
    INSTALL_RPATH_USE_LINK_PATH ON)
endfunction()

# sweepback_part(NAME WANTED <bool> NEEDS <package>…) sets SWEEPBACK_HAS_NAME: the part is wanted
# and each package was found. What is left out is said in the summary, or stops the configuring
# where SWEEPBACK_REQUIRE_ALL is on.
macro(sweepback_part name)
  cmake_parse_arguments(part "" "WANTED" "NEEDS" ${ARGN})
  set(SWEEPBACK_HAS_${name} ${part_WANTED})
  set(part_state "no")
  if(${part_WANTED})
    set(part_state "yes")
    foreach(package IN LISTS part_NEEDS)
      if(NOT ${package}_FOUND)
        set(SWEEPBACK_HAS_${name} OFF)
        set(part_state "left out, ${package} was not found")
        if(SWEEPBACK_REQUIRE_ALL)
          message(FATAL_ERROR "${name} needs ${package}, which was not found (scripts/setup).")
        endif()
      endif()
    endforeach()
  endif()
  set_property(GLOBAL APPEND PROPERTY SWEEPBACK_PARTS "${name}: ${part_state}")
endmacro()

function(sweepback_summary)
  get_property(parts GLOBAL PROPERTY SWEEPBACK_PARTS)
  message(STATUS "sweepback ${PROJECT_VERSION}")
  foreach(part IN LISTS parts)
    message(STATUS "  ${part}")
  endforeach()
endfunction()
