// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sweepback {

/// What a power cut leaves of a record. A process that is killed takes none in either case.
enum class Durability {
  none,    ///< what the system has written back by then, perhaps a name without its content
  synced,  ///< all of it: the file is synced before it gets its name, the directory after
};

}  // namespace sweepback
