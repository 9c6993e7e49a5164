# SPDX-License-Identifier: Apache-2.0
# LZ4 1.9 or later, which brings no CMake files of its own everywhere. Sets Lz4_FOUND and makes the target Lz4::Lz4.
find_path(Lz4_INCLUDE_DIR lz4.h)
find_library(Lz4_LIBRARY lz4)
mark_as_advanced(Lz4_INCLUDE_DIR Lz4_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Lz4 REQUIRED_VARS Lz4_LIBRARY Lz4_INCLUDE_DIR)
if(Lz4_FOUND AND NOT TARGET Lz4::Lz4)
  add_library(Lz4::Lz4 UNKNOWN IMPORTED)
  set_target_properties(Lz4::Lz4 PROPERTIES
    IMPORTED_LOCATION "${Lz4_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Lz4_INCLUDE_DIR}")
endif()
