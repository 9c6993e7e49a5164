// SPDX-License-Identifier: Apache-2.0
#include "new_model.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <memory>
#include <utility>

#include "usage.hpp"

namespace sweepback::train {

namespace {

Count shown(Count count) { return count; }
const char* shown(Cell cell) { return name(cell); }

// A network that does not fit is refused before it is made: the system would end the process.
void require_room(const CharModelImpl::Shape& shape, bool durable, Count free) {
  if (trained_bytes(shape, durable) <= free) return;
  CharModelImpl::Shape fits = shape;
  while (fits.hidden > 1 && trained_bytes(fits, durable) > free) --fits.hidden;
  const Count bytes = trained_bytes(shape, durable);
  throw OutOfRange(
      fmt::format("the network's {} parameters, their gradients and Adam's averages{} take {}, and "
                  "{} are free",
                  cli::print_count(shape.parameters()), durable ? ", or two marks," : "", cli::print_bytes(bytes),
                  cli::print_bytes(free)),
      fmt::format("give --hidden {} or less, or fewer --layers", fits.hidden),
      {{"bytes", bytes}, {"free", free}, {"hidden", fits.hidden}});
}

SavedModel loaded(const Options& options) {
  SavedModel saved = SavedModel::load(options.load);
  const auto agree = [&](const std::string& option, const auto& asked, const auto& has) {
    if (asked.value_or(has) == has) return;
    throw cli::usage(fmt::format("{} is {}, but the model in \"{}\" has {}", option, shown(*asked),
                                 options.load, shown(has)),
                     "leave " + option + " out, or leave --load out to train a new model");
  };
  const CharModelImpl::Shape& shape = saved.model->shape();
  agree("--cell", options.cell, shape.cell);
  agree("--layers", options.layers, shape.layers);
  agree("--hidden", options.hidden, shape.hidden);
  return saved;
}

}  // namespace

Count trained_bytes(const CharModelImpl::Shape& shape, bool durable) {
  constexpr Count copies = 4, of_mark = 3, number = 4;
  return number * (durable ? 1 + 2 * of_mark : copies) * shape.parameters();
}

SavedModel model_for(const Options& options, const std::string& text, Count free) {
  if (!options.load.empty()) return loaded(options);
  Alphabet alphabet(text);
  const CharModelImpl::Shape shape{options.cell.value(), options.layers.value(),
                                   options.hidden.value(), alphabet.size()};
  require_room(shape, !options.durable.empty(), free);
  auto model = std::make_shared<CharModelImpl>(shape);
  model->expect(at::bincount(at::tensor(alphabet.encode(text), at::kLong)).to(at::kFloat));
  return {std::move(model), std::move(alphabet)};
}

}  // namespace sweepback::train
