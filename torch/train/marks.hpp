// SPDX-License-Identifier: Apache-2.0
// Marks of a training in a directory: one that is killed goes on from the last, and its weights are in the end
// those of an undisturbed one, bit for bit. Marks are made between iterations; a pass that was under way is
// begun again.
#pragma once

#include <optional>
#include <string>

#include "char_model.hpp"
#include "losses.hpp"
#include "options.hpp"
#include "sweepback/mark_clock.hpp"
#include "sweepback/run_directory.hpp"
#include "sweepback/torch/generator.hpp"
#include "sweepback/torch/value.hpp"
#include "training_mark.hpp"
#include "watch.hpp"

namespace sweepback::train {

/// Where a training stands between two iterations, beside its model and optimizer.
struct Standing {
  Count iteration = 0;  ///< that comes next
  Count window = 0;     ///< of the text
  torch::Value state;   ///< of the network
  torch::Position generator;
  Losses losses;
};

class Marks {
 public:
  /// Takes the directory. Throws Error "usage" where --durable finds a training and where --resume finds
  /// none, "mismatch" for one with other options that change the weights; Io where its marks are damaged.
  Marks(const Options& options, const std::string& text, const CharModelImpl::Shape& shape);

  /// With --block auto: what was chosen by the training that is gone on with.
  std::optional<Count> block() const;

  /// Puts model and optimizer where the training stood. Empty where it begins.
  std::optional<Standing> resume(CharModelImpl& model, ::torch::optim::Adam& adam);

  /// Says how many steps a call has, before the first mark.
  void begin(Count block) { ours_.block = block; }

  bool due() const { return clock_.due(); }
  void write(const Standing& at, const CharModelImpl& model, const ::torch::optim::Adam& adam);

  /// The training is done: none of its files is left.
  void remove();

  Count written() const { return written_; }
  double seconds() const { return seconds_; }  ///< that they took

  /// How many iterations are done at the last mark, and where it lies; nothing where there is none.
  std::optional<Kept> kept() const;

 private:
  const Options& options_;
  RunDirectory directory_;
  MarkClock clock_;
  cli::TrainingMark ours_;
  std::optional<cli::WholeMark> found_;
  Count written_ = 0;
  double seconds_ = 0;
};

}  // namespace sweepback::train
