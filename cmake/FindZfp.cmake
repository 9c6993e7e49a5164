# SPDX-License-Identifier: Apache-2.0
# zfp 1.0 or later. Its own CMake files stop the configuring of a project without the language C, where they
# look for OpenMP. Sets Zfp_FOUND and makes the target Zfp::Zfp.
find_path(Zfp_INCLUDE_DIR zfp/version.h)  # earlier ones have it elsewhere
find_library(Zfp_LIBRARY zfp)
mark_as_advanced(Zfp_INCLUDE_DIR Zfp_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Zfp REQUIRED_VARS Zfp_LIBRARY Zfp_INCLUDE_DIR)
if(Zfp_FOUND AND NOT TARGET Zfp::Zfp)
  add_library(Zfp::Zfp UNKNOWN IMPORTED)
  set_target_properties(Zfp::Zfp PROPERTIES
    IMPORTED_LOCATION "${Zfp_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Zfp_INCLUDE_DIR}")
endif()
