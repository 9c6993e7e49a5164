# SPDX-License-Identifier: Apache-2.0
# One test of tests/consumers: WHAT is `install`, `pkg_config` or the name of a project folder here.
set(ENV{PKG_CONFIG_PATH} "${PREFIX}/${LIBDIR}/pkgconfig")
set(ENV{CMAKE_PREFIX_PATH} "")
set(ENV{LD_LIBRARY_PATH} "")

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

if(WHAT STREQUAL "install")
  file(REMOVE_RECURSE "${WORK}")
  run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/first" --config "${CONFIG}")
  file(RENAME "${WORK}/first" "${PREFIX}")
  if(EXISTS "${PREFIX}/bin/sweepback")
    run("${PREFIX}/bin/sweepback" version)
  endif()

elseif(WHAT STREQUAL "pkg_config")
  foreach(package IN ITEMS sweepback-core sweepback)
    foreach(option IN ITEMS --cflags --libs)
      execute_process(COMMAND pkg-config ${option} ${package}
        OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
      separate_arguments(${option} UNIX_COMMAND "${flags}")
    endforeach()
    run("${COMPILER}" -std=c++20 ${--cflags} "${SOURCE}/${package}.cpp" ${--libs}
      -o "${WORK}/${package}")
    run("${CMAKE_COMMAND}" -E env "LD_LIBRARY_PATH=${PREFIX}/${LIBDIR}" "${WORK}/${package}")
  endforeach()

else()
  set(places "${PREFIX}")
  if(WHAT STREQUAL "find_torch" AND NOT LIBTORCH STREQUAL "/usr")
    list(APPEND places "${LIBTORCH}")
  endif()
  run("${CMAKE_COMMAND}" -S "${SOURCE}/${WHAT}" -B "${WORK}/${WHAT}" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_BUILD_TYPE=${CONFIG}"
    "-DCMAKE_PREFIX_PATH=${places}"
    "-DSWEEPBACK_SOURCE=${SWEEPBACK_SOURCE}")
  run("${CMAKE_COMMAND}" --build "${WORK}/${WHAT}" --config "${CONFIG}")
  file(GLOB programs "${WORK}/${WHAT}/use_*")
  foreach(program IN LISTS programs)
    if(NOT IS_DIRECTORY "${program}")
      run("${program}")
    endif()
  endforeach()
endif()
