// SPDX-License-Identifier: Apache-2.0
// How much a state may lose when it is compressed.
#pragma once

#include <cstddef>
#include <vector>

namespace sweepback {

/// For states of float or double, all finite. What comes back differs by no more than `bound` from what
/// was stored, in every number. A state that is stored again after it was restored loses again.
struct Lossy {
  double bound = 0;                    ///< above zero
  std::vector<std::size_t> shape = {}; ///< of the field, up to three sides, the last runs fastest; none: a line
};

}  // namespace sweepback
