# SPDX-License-Identifier: Apache-2.0
# cmake --install: libraries and headers, CMake and pkg-config files, programs.
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/sweepback")

# One export set a component, so that a consumer of core needs none of what json or torch need.
foreach(component IN ITEMS core sweepback json torch)
  if(TARGET sweepback_${component})
    install(TARGETS sweepback_${component} EXPORT sweepback-${component}
      ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
      LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
      FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
    install(EXPORT sweepback-${component} NAMESPACE sweepback:: DESTINATION "${package_dir}"
      FILE sweepback-${component}.cmake)
  endif()
endforeach()

configure_package_config_file(cmake/sweepback-config.cmake.in sweepback-config.cmake
  INSTALL_DESTINATION "${package_dir}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(sweepback-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/sweepback-config.cmake"
  "${PROJECT_BINARY_DIR}/sweepback-config-version.cmake"
  DESTINATION "${package_dir}")
if(SWEEPBACK_HAS_COMPRESSION)
  install(FILES cmake/FindLz4.cmake DESTINATION "${package_dir}")
endif()
if(SWEEPBACK_HAS_LOSSY_COMPRESSION)
  install(FILES cmake/FindZfp.cmake DESTINATION "${package_dir}")
endif()
if(SWEEPBACK_HAS_TORCH)
  install(FILES cmake/FindLibtorch.cmake DESTINATION "${package_dir}")
endif()

# pkg-config: the prefix is found from where the file lies, so an installed tree can be moved.
function(sweepback_install_pc name description requires libs)
  file(RELATIVE_PATH pc_prefix "/p/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/p")
  string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
  set(pc_name "${name}")
  set(pc_description "${description}")
  set(pc_requires "${requires}")
  set(pc_libs "${libs}")
  configure_file(cmake/sweepback.pc.in ${name}.pc @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endfunction()
set(sweep_lib "")
if(sweep_sources)
  set(sweep_lib " -lsweepback_sweepback")
endif()
if(SWEEPBACK_HAS_COMPRESSION)
  string(APPEND sweep_lib " -llz4")
endif()
if(SWEEPBACK_HAS_LOSSY_COMPRESSION)
  string(APPEND sweep_lib " -lzfp")
endif()
sweepback_install_pc(sweepback-core
  "Sweepback: plans, bills, certificates and the referee" "" "-lsweepback_core")
sweepback_install_pc(sweepback
  "${PROJECT_DESCRIPTION}" "sweepback-core = ${PROJECT_VERSION}" "${sweep_lib} -pthread")
if(SWEEPBACK_HAS_JSON)
  sweepback_install_pc(sweepback-json
    "Sweepback: plans and streams as JSON" "sweepback-core = ${PROJECT_VERSION}, nlohmann_json"
    "-lsweepback_json")
endif()

if(TARGET sweepback_cli)
  install(TARGETS sweepback_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
if(TARGET sweepback_train)
  install(TARGETS sweepback_train RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/sweepback")
endif()
install(FILES LICENSE NOTICE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
