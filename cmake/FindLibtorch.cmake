# SPDX-License-Identifier: Apache-2.0
#
# Finds one libtorch and takes all of it from one place.
#
# Why not find_package(Torch). The CMake files that come with libtorch look for their own parts with
# find_library(C10_LIBRARY c10 PATHS "${TORCH_INSTALL_PREFIX}/lib"). PATHS is the last place that
# CMake looks in: where Debian's libtorch-dev is installed too, a PyTorch wheel's files find
# /usr/lib/…/libc10.so of another release before their own. All links well, and the program then
# loads two libc10, each with its own tables, and aborts before main():
#
#     INTERNAL ASSERT FAILED at "…/c10/core/DispatchKeySet.h"
#
# CMake remembers the find in its cache, so a second configuring with another CMAKE_PREFIX_PATH
# mixes them as well. Debian's own files have a lesser trap: they stop the configuring where gflags,
# glog or protobuf have no development files, although only the headers of glog are used.
#
# What this does instead. It looks for the file TorchConfig.cmake only to learn where libtorch is,
# never runs it, and takes headers and libraries from that one place (NO_DEFAULT_PATH throughout,
# nothing kept in the cache but the place). Looked through in this order: Torch_DIR, CMAKE_PREFIX_PATH
# (variable, then environment; both `…/site-packages/torch` and what
# `torch.utils.cmake_prefix_path` says will do), Libtorch_HINTS, the system. The headers are
# -isystem, so they come before /usr/include and raise no warnings here.
#
# Sets
#   Libtorch_FOUND
#   Libtorch_VERSION      e.g. 1.13.1, 2.13.0
#   Libtorch_PREFIX       /usr, or the folder of the wheel
#   Libtorch_DESCRIPTION  "Debian 1.13.1 (/usr)", "wheel 2.13.0 (/…/site-packages/torch)"
# and the target Libtorch::Libtorch.

# Where is it?
set(libtorch_config "")
set(libtorch_places "${Torch_DIR}" ${CMAKE_PREFIX_PATH})
string(REPLACE ":" ";" libtorch_environment "$ENV{CMAKE_PREFIX_PATH}")
list(APPEND libtorch_places ${libtorch_environment} ${Libtorch_HINTS} ${CMAKE_SYSTEM_PREFIX_PATH})
foreach(place IN LISTS libtorch_places)
  foreach(suffix IN ITEMS "" /Torch /share/cmake/Torch /lib/cmake/Torch
      "/lib/${CMAKE_LIBRARY_ARCHITECTURE}/cmake/Torch")
    if(NOT libtorch_config AND place AND EXISTS "${place}${suffix}/TorchConfig.cmake")
      file(REAL_PATH "${place}${suffix}/TorchConfig.cmake" libtorch_config)
    endif()
  endforeach()
endforeach()

set(Libtorch_PREFIX "")
set(Libtorch_VERSION "")
set(libtorch_reason "")
if(libtorch_config)
  # PREFIX/share/cmake/Torch/…, or on Debian PREFIX/lib/ARCH/cmake/Torch/…
  string(REGEX REPLACE "/(share|lib|lib/[^/]+)/cmake/Torch/TorchConfig\\.cmake$" ""
    Libtorch_PREFIX "${libtorch_config}")

  # The headers and libraries of that place, and of no other.
  unset(libtorch_header)
  find_path(libtorch_header torch/csrc/api/include/torch/version.h
    PATHS "${Libtorch_PREFIX}/include" NO_DEFAULT_PATH NO_CACHE)
  set(libtorch_files "")
  foreach(part IN ITEMS torch_cpu torch_cuda c10_cuda c10 torch)
    unset(libtorch_file)
    find_library(libtorch_file ${part}
      PATHS "${Libtorch_PREFIX}/lib" "${Libtorch_PREFIX}/lib/${CMAKE_LIBRARY_ARCHITECTURE}"
      NO_DEFAULT_PATH NO_CACHE)
    if(libtorch_file)
      list(APPEND libtorch_files "${libtorch_file}")
    elseif(NOT part MATCHES "cuda")
      string(APPEND libtorch_reason "lib${part} is missing below ${Libtorch_PREFIX}. ")
    endif()
  endforeach()

  # Which release? A wheel says it in version.py. Debian's package is asked: the header of its
  # 1.13.1 says 1.13.0.
  set(libtorch_kind "package")
  if(EXISTS "${Libtorch_PREFIX}/version.py")
    set(libtorch_kind "wheel")
    file(STRINGS "${Libtorch_PREFIX}/version.py" libtorch_line REGEX "^__version__")
  elseif(libtorch_header)
    file(STRINGS "${libtorch_header}/torch/csrc/api/include/torch/version.h" libtorch_line
      REGEX "\"[0-9.]+\"")
  endif()
  if(libtorch_line MATCHES "([0-9]+\\.[0-9]+\\.[0-9]+)")
    set(Libtorch_VERSION "${CMAKE_MATCH_1}")
  endif()
  if(Libtorch_PREFIX STREQUAL "/usr" AND EXISTS /var/lib/dpkg/info)
    set(libtorch_kind "Debian")
    execute_process(COMMAND dpkg-query -W -f "\${Version}" libtorch-dev
      OUTPUT_VARIABLE libtorch_line ERROR_QUIET RESULT_VARIABLE libtorch_status)
    if(libtorch_status EQUAL 0 AND libtorch_line MATCHES "^([0-9]+\\.[0-9]+\\.[0-9]+)")
      set(Libtorch_VERSION "${CMAKE_MATCH_1}")
    endif()
  endif()

  # Wheels before 2.7 were built for the old layout of std::string: nothing else here links to them.
  file(STRINGS "${libtorch_config}" libtorch_line REGEX "_GLIBCXX_USE_CXX11_ABI=0")
  if(libtorch_line)
    string(APPEND libtorch_reason "${Libtorch_PREFIX} is built with _GLIBCXX_USE_CXX11_ABI=0. ")
  endif()
  if(libtorch_reason)
    set(libtorch_files "")
  endif()
  set(Libtorch_DESCRIPTION "${libtorch_kind} ${Libtorch_VERSION} (${Libtorch_PREFIX})")
endif()

include(FindPackageHandleStandardArgs)
set(FPHSA_NAME_MISMATCHED ON)
find_package_handle_standard_args(Libtorch
  REQUIRED_VARS Libtorch_PREFIX libtorch_header libtorch_files
  VERSION_VAR Libtorch_VERSION
  REASON_FAILURE_MESSAGE "${libtorch_reason}")
unset(FPHSA_NAME_MISMATCHED)

if(Libtorch_FOUND AND NOT TARGET Libtorch::Libtorch)
  find_package(Threads REQUIRED)
  # libtorch registers its operators while it is loaded: it stays linked although no symbol of ours
  # may ask for a part of it (libtorch_cuda).
  add_library(Libtorch::Libtorch INTERFACE IMPORTED GLOBAL)
  set_target_properties(Libtorch::Libtorch PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES
      "${Libtorch_PREFIX}/include;${Libtorch_PREFIX}/include/torch/csrc/api/include"
    INTERFACE_LINK_OPTIONS "LINKER:--no-as-needed"
    INTERFACE_LINK_LIBRARIES "${libtorch_files};Threads::Threads")
endif()
