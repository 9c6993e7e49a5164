// SPDX-License-Identifier: Apache-2.0
// After its line of JSON a mark is a torch archive: "model" and "adam", "state", "generator", and the losses.
#include "marks.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <span>
#include <utility>

#include "sweepback/fingerprint.hpp"
#include "usage.hpp"

namespace sweepback::train {

namespace {

std::string content_of(const std::string& text) {
  return fmt::format("of {} bytes (fingerprint {})", text.size(), to_string(fingerprint(std::as_bytes(std::span(text)))));
}

// Those that change what is learnt. Not among them: the budget and what is kept, tiers, how many iterations.
std::map<std::string, std::string> options_that_count(const Options& options, const std::string& text,
                                                      const CharModelImpl::Shape& shape) {
  return {{"--text", content_of(text)},
          {"--load", options.load.empty() ? "not given" : content_of(read_text(options.load))},
          {"--cell", name(shape.cell)},
          {"--layers", fmt::to_string(shape.layers)},
          {"--hidden", fmt::to_string(shape.hidden)},
          {"--batch", fmt::to_string(options.batch)},
          {"--length", fmt::to_string(options.length)},
          {"--block", options.block == 0 ? "auto" : fmt::to_string(options.block)},
          {"--seed", fmt::to_string(options.seed)},
          {"--lr", fmt::to_string(options.learning_rate)},
          {"--clip", fmt::to_string(options.clip)},
          {"--threads", fmt::to_string(options.threads)}};
}

at::Tensor tensor_of(const std::vector<double>& numbers) { return at::tensor(numbers, at::kDouble); }

std::vector<double> numbers_of(const at::Tensor& tensor) {
  const double* begin = tensor.data_ptr<double>();
  return {begin, begin + tensor.numel()};
}

}  // namespace

Marks::Marks(const Options& options, const std::string& text, const CharModelImpl::Shape& shape)
    : options_(options), directory_(options.durable), clock_(options.interval.value_or(-1)) {
  if (!options.resume && cli::has_training(directory_))
    throw cli::usage("a training lies in " + options.durable + " already",
                     "go on with it by --resume " + options.durable + ", or remove sweepback.* there to begin anew");
  ours_.options = options_that_count(options, text, shape);
  ours_.iterations = options.iterations;
  if (!options.resume) return;
  found_ = cli::newest_training(directory_);
  if (!found_)
    throw cli::usage("no training lies in " + options.durable, "begin one by --durable " + options.durable);
  const auto refuse = [&](const std::string& option, const std::string& its, const std::string& mine) {
    throw Error("mismatch", fmt::format("the training in {} is with {} {}, and this one with {} {}", options.durable, option, its, option, mine),
                "give the options that began it, or remove sweepback.* there to begin anew");
  };
  const cli::TrainingMark& its = found_->mark;
  for (const auto& [option, mine] : ours_.options) {
    const auto there = its.options.find(option);
    if (there == its.options.end() || there->second != mine)
      refuse(option, there == its.options.end() ? "not known" : there->second, mine);
  }
  if (its.iteration >= options.iterations)
    throw cli::usage(fmt::format("the training in {} has done {} iterations, and --iterations is {}", options.durable, its.iteration, options.iterations),
                     fmt::format("give --iterations {} or more", its.iteration + 1), {{"done", its.iteration}, {"asked", options.iterations}});
  ours_.block = its.block;
  ours_.iteration = its.iteration;
  ours_.generation = its.generation;
}

std::optional<Count> Marks::block() const {
  if (!found_ || options_.block != 0) return {};
  return found_->mark.block;
}

std::optional<Standing> Marks::resume(CharModelImpl& model, ::torch::optim::Adam& adam) {
  if (!found_) return {};
  Standing at;
  at.iteration = found_->mark.iteration;
  try {
    ::torch::serialize::InputArchive archive, parameters, averages;
    const auto tensors = found_->tensors();
    archive.load_from(reinterpret_cast<const char*>(tensors.data()), tensors.size());
    archive.read("model", parameters);
    archive.read("adam", averages);
    model.load(parameters);
    adam.load(averages);
    at::Tensor generator, early, late;
    c10::IValue window, count;
    archive.read("state", at.state);
    archive.read("window", window);
    archive.read("generator", generator);
    archive.read("losses", count);
    archive.read("early", early);
    archive.read("late", late);
    at.window = window.toInt();
    at.generator = torch::Position::of(generator);
    at.losses = {count.toInt(), numbers_of(early), numbers_of(late)};
  } catch (const std::exception&) {
    throw Io((directory_.path() / ("sweepback." + found_->mark.file())).string() + " is whole, but this libtorch cannot read it",
             "go on with the libtorch that began it");
  }
  found_->content = {};
  return at;
}

void Marks::write(const Standing& at, const CharModelImpl& model, const ::torch::optim::Adam& adam) {
  seconds_ += clock_.time([&] {
    ::torch::serialize::OutputArchive archive, parameters, averages;
    model.save(parameters);
    adam.save(averages);
    archive.write("model", parameters);
    archive.write("adam", averages);
    archive.write("state", at.state);
    archive.write("window", c10::IValue(at.window));
    archive.write("generator", at.generator.as_tensor());
    archive.write("losses", c10::IValue(at.losses.count));
    archive.write("early", tensor_of(at.losses.early));
    archive.write("late", tensor_of(at.losses.late));

    ours_.iteration = at.iteration;
    ++ours_.generation;
    std::string content = cli::head_of(ours_);
    content.reserve(content.size() + static_cast<std::size_t>(13 * model.shape().parameters()) + (1 << 16));  // else it would grow to twice that
    archive.save_to([&](const void* part, std::size_t size) {
      content.append(static_cast<const char*>(part), size);
      return size;
    });
    directory_.write(ours_.file(), std::as_bytes(std::span(content)));
  });
  ++written_;
}

std::optional<Kept> Marks::kept() const {
  if (ours_.generation == 0) return {};
  return Kept{options_.durable, ours_.iteration};
}

void Marks::remove() {
  for (const char* name : {"training.0", "training.1"}) directory_.remove(name);
}

}  // namespace sweepback::train
