// SPDX-License-Identifier: Apache-2.0
// How many threads a tensor operation takes.
#pragma once

#include <ATen/Parallel.h>
#include <dlfcn.h>

namespace sweepback::train {

/// Sets torch's threads, and those of OpenBLAS where torch was built on it (Debian's is): it has a
/// number of its own, which torch does not set, and without this takes every core.
inline void use_threads(int count) {
  at::set_num_threads(count);
  if (void* set = dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))
    reinterpret_cast<void (*)(int)>(set)(count);
}

}  // namespace sweepback::train
