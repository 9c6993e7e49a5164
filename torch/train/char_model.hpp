// SPDX-License-Identifier: Apache-2.0
// A recurrent network that foretells the next character.
#pragma once

#include <torch/torch.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "corpus.hpp"
#include "options.hpp"
#include "sweepback/torch/step.hpp"

namespace sweepback::train {

/// Embedding, `layers` cells one above the other, linear read-out to one number per symbol. The
/// state is a list of tensors [batch, hidden]: h of each layer, and c after it for an LSTM.
class CharModelImpl : public ::torch::nn::Module {
 public:
  struct Shape {
    Cell cell;
    Count layers, hidden, symbols;

    Count parameters() const;  ///< numbers to train
  };

  explicit CharModelImpl(const Shape& shape);

  /// Lets the read-out start from how often each symbol occurs, [symbols], instead of from nothing.
  void expect(const at::Tensor& occurrences);

  std::vector<at::Tensor> zero_state(Count batch) const;

  struct Result {
    at::Tensor logits;  ///< [batch, symbols]
    std::vector<at::Tensor> state;
  };
  Result forward(const at::Tensor& characters, const std::vector<at::Tensor>& state);

  /// Many steps by the fused kernel: characters [steps, batch] -> logits [steps, batch, symbols], and
  /// the state after them. The same numbers to rounding.
  Result forward_block(const at::Tensor& characters, const std::vector<at::Tensor>& state);

  const Shape& shape() const { return shape_; }

 private:
  struct Layer {
    at::Tensor weight_ih, weight_hh, bias_ih, bias_hh;
  };

  Shape shape_;
  at::Tensor embedding_, read_out_, read_out_bias_;
  std::vector<Layer> layers_;
};
using CharModel = std::shared_ptr<CharModelImpl>;

/// One time step: the input is the pair (characters, next characters), each [batch]; the loss is the
/// mean cross-entropy in nats over the batch, divided by `length`.
torch::StepFunction step_of(const CharModel& model, Count length);

/// Many time steps in one call: the inputs are characters and next characters, each [steps, batch].
torch::BlockFunction block_of(const CharModel& model, Count length);

/// Pairs of slices of `window`, [length + 1, batch].
torch::BlockInputs block_inputs_of(const at::Tensor& window);

/// Pairs of rows of `window`, [length + 1, batch].
torch::Inputs inputs_of(const at::Tensor& window);

/// `count` characters that the model writes, drawn with torch's generator. `tick` is called before
/// each (and may throw).
std::string sample(const CharModel& model, const Alphabet& alphabet, Count count,
                   const std::function<void()>& tick);

/// A model and its alphabet in one file. Writing replaces the file (the one that a link leads to)
/// when all is written. Throws Error "io" where it cannot be written, BadFile where it cannot be
/// read.
struct SavedModel {
  CharModel model;
  Alphabet alphabet;

  void save(const std::string& path) const;
  static SavedModel load(const std::string& path);

  /// Throws as save() would for a place that cannot be written to: before the work, not after it.
  static void require_place(const std::string& path);
};

}  // namespace sweepback::train
