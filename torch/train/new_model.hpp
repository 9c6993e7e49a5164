// SPDX-License-Identifier: Apache-2.0
// The model that is trained: a new one, or a saved one.
#pragma once

#include <string>

#include "char_model.hpp"

namespace sweepback::train {

/// Parameters, their gradients, and the two averages that Adam keeps of those; or, where it is more, what
/// is there when marks of a durable training are read: parameters, and two marks.
Count trained_bytes(const CharModelImpl::Shape& shape, bool durable);

/// As the options say, for `text`. Throws OutOfRange, naming the width that fits, for a new network that
/// takes more than `free` bytes: before it is made, as the system would end the process. Error "usage" where
/// options and a saved model differ.
SavedModel model_for(const Options& options, const std::string& text, Count free);

}  // namespace sweepback::train
