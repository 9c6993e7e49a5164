// SPDX-License-Identifier: Apache-2.0
#include "trainer.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "char_model.hpp"
#include "losses.hpp"
#include "marks.hpp"
#include "new_model.hpp"
#include "store_all.hpp"
#include "sweepback/budget_signal.hpp"
#include "sweepback/file_tier.hpp"
#include "sweepback/torch/state_codec.hpp"
#include "threads.hpp"
#include "watch.hpp"
#include "window_plan.hpp"

namespace sweepback::train {

namespace {

constexpr Count compared = 5;  // iterations that store-everything runs as well

// What libtorch takes outside tensors to remember a step, at most: with 1.13, 16 to 27 kB for one
// layer and 18 kB for each above it. For a small network that is more than its tensors take.
constexpr Count graph_bytes(Count layers) { return 10'240 + 20'480 * layers; }

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

class Trainer {
 public:
  Trainer(const Options& options, Progress& progress, const FreeMemory& free_memory)
      : options_(options),
        progress_(progress),
        free_memory_(free_memory),
        text_(read_text(options.text)),
        saved_(model_for(options, text_, free_memory_())),
        windows_(saved_.alphabet.encode(text_), options.batch, options.length),
        parameters_(saved_.model->parameters()),
        net_(step_of(saved_.model, options.length), parameters_),
        fused_(block_of(saved_.model, options.length), parameters_),
        adam_(parameters_, ::torch::optim::AdamOptions(options.learning_rate)) {
    outcome_.characters = static_cast<Count>(text_.size());
    outcome_.symbols = saved_.alphabet.size();
    const CharModelImpl::Shape& shape = saved_.model->shape();
    outcome_.cell = shape.cell;
    outcome_.layers = shape.layers;
    outcome_.hidden = shape.hidden;
    if (!options_.durable.empty()) marks_.emplace(options_, text_, shape);
    if (!options_.budget_file.empty()) signal_.emplace();
  }

  Outcome run() {
    try {
      train();
    } catch (Interrupted& interrupted) {
      if (standing_) mark();
      if (marks_) interrupted.kept = marks_->kept();
      throw;
    }
    return std::move(outcome_);
  }

 private:
  void train() {
    if (marks_) standing_ = marks_->resume(*saved_.model, adam_);
    if (standing_) outcome_.resumed_at = standing_->iteration;
    prepare();
    if (marks_) {
      if (!standing_) standing_ = standing(0);
      go_on_from(*standing_);
      marks_->begin(outcome_.block);
      mark();
    }
    for (Count i = outcome_.resumed_at.value_or(0); i < options_.iterations; ++i) {
      next_window();
      if (signal_ && signal_->came()) change_budget();
      iterate(i);
      if (!marks_ || i + 1 == options_.iterations) continue;
      standing_ = standing(i + 1);
      if (marks_->due()) mark();
    }
    standing_.reset();
    finish();
  }

  /// Measures, plans, and compares what it can only compare now; then stands where it stood.
  void prepare() {
    next_window();
    measured_ = net_.measure(inputs_, state_, std::min<Count>(options_.length, 16));
    outcome_.store_all_bytes = measured_.store_all_bytes(options_.length);
    const Count block = marks_ ? marks_->block().value_or(options_.block) : options_.block;
    plan_windows(block, options_.budget);
    outcome_.store_all_graph_bytes = narrow(
        static_cast<Wide>(graph_bytes(outcome_.layers)) * options_.length, "libtorch's memory");
    if (const Count fitting = steps_that_fit(); options_.length <= fitting)
      outcome_.compared_length = options_.length;
    else
      compare_shorter(fitting / 4);
    windows_.go_to(0);
  }

  void plan_windows(Count block, const cli::BudgetText& budget) {
    WindowPlan found = plan_window(options_, block, bytes_of(budget), measured_, fused_, block_inputs_, state_);
    outcome_.plan = std::move(found.plan);
    outcome_.block = found.block;
    verify_ = found.verify;
  }

  /// To what the budget's file says, with as many steps in a call as before: others would round otherwise.
  void change_budget() {
    const torch::Position random = torch::Position::now();
    try {
      plan_windows(outcome_.block, cli::read_budget(options_.budget_file));
    } catch (const Error& refused) {
      progress_.clear();
      fmt::print(stderr, "sweepback train: {}; the budget stays at {}\n", refused.message(),
                 cli::print_bytes(outcome_.plan.budget.amount));
      return;
    }
    random.restore();
    ++outcome_.budget_changes;
    outcome_.measured = {};
    times_ = {};
    seconds_.clear();
    store_all_seconds_.clear();
  }

  Standing standing(Count iteration) const {
    const torch::Position now = standing_ ? torch::Position::now(standing_->generator) : torch::Position::now();
    return {iteration, windows_.at(), state_, now, losses_};
  }

  void go_on_from(const Standing& at) {
    windows_.go_to(at.window);
    state_ = at.state;
    at.generator.restore();
    losses_ = at.losses;
  }

  void mark() { marks_->write(*standing_, *saved_.model, adam_); }

  FarTiers<torch::State> further() const {
    FarTiers<torch::State> further;
    const auto base = options_.spill_directory.empty() ? SpillDirectory::default_base() : std::filesystem::path(options_.spill_directory);
    for (std::size_t n = 0; n < options_.tiers.size(); ++n)
      further.push_back(std::make_unique<FileTier<torch::State, torch::StateCodec>>(base));
    return further;
  }

  Count bytes_of(const cli::BudgetText& text) const {
    if (text.kind == cli::BudgetText::Kind::bytes) return text.bytes;
    if (text.kind == cli::BudgetText::Kind::automatic) return free_memory_() / 2;
    return narrow(static_cast<Wide>(outcome_.store_all_bytes) * text.billionths / 1'000'000'000,
                  "the budget");
  }

  // How many steps store-everything has room for, with some left for what else the machine does.
  Count steps_that_fit() const {
    const Count free = free_memory_() - trained_bytes(saved_.model->shape(), false);
    return std::max<Count>(0, free) / 5 * 4 /
           (measured_.next_tape_bytes + graph_bytes(outcome_.layers));
  }

  void next_window() {
    const auto window = windows_.next();
    const at::Tensor characters =
        at::tensor(window.characters, at::kLong).view({options_.length + 1, options_.batch});
    inputs_ = inputs_of(characters);
    block_inputs_ = block_inputs_of(characters);
    if (window.begins) state_ = torch::Value(saved_.model->zero_state(options_.batch));
  }

  StoreAll store_everything(Count steps) {
    return store_all(step_of(saved_.model, options_.length), inputs_, state_, parameters_, steps,
                     [] { stop_if_interrupted(); });
  }

  bool blocks() const { return outcome_.plan.chain.blocks; }

  /// The gradient of the same blocks with everything stored.
  std::vector<at::Tensor> gradient_of_blocks(Count steps) {
    const Count block = outcome_.block;
    const auto end = [=](Count q) { return std::min((q + 1) * block, steps); };
    const auto whole = block_of(saved_.model, options_.length);
    return store_all([&](Count q, const torch::Value& input,
                         const torch::Value& state) { return whole(q * block, end(q), input, state); },
                     [&](Count q) { return block_inputs_(q * block, end(q)); }, state_, parameters_,
                     (steps + block - 1) / block, [] { stop_if_interrupted(); })
        .gradients;
  }

  // Spread over the run, so that both see the machine at the same times.
  bool is_compared(Count i) const {
    if (outcome_.compared_length < options_.length) return false;
    const Count n = std::min(compared, options_.iterations);
    return i * n / options_.iterations != (i + 1) * n / options_.iterations;
  }

  void iterate(Count i) {
    stop_if_interrupted();
    std::optional<StoreAll> plain;
    std::vector<at::Tensor> expected;  // by what has nothing to recompute
    if (is_compared(i)) {
      plain = store_everything(options_.length);
      expected = blocks() ? gradient_of_blocks(options_.length) : plain->gradients;
    }

    Watch watch(plain || outcome_.compared_length < options_.length ? &times_ : nullptr);
    const auto begin = std::chrono::steady_clock::now();
    torch::Result result = options_.verify ? verified(watch) : backpropagated(watch);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;

    Side& side = outcome_.measured;
    side.forward_steps = result.report.bill.forward_steps;
    side.record_steps = result.report.bill.record_steps;
    side.held_bytes = std::max(side.held_bytes.value_or(0), watch.held_bytes());
    side.peak_bytes = std::max(side.peak_bytes.value_or(0), watch.peak_bytes());
    if (plain || outcome_.compared_length < options_.length) seconds_.push_back(seconds.count());
    if (plain) compare(*plain, expected);

    const double norm = ::torch::nn::utils::clip_grad_norm_(parameters_, options_.clip);
    require_numbers(i, result.loss, norm);
    losses_.add(result.loss / std::numbers::ln2);
    adam_.step();
    take_gradients(parameters_);
    state_ = std::move(result.state);
    show(i + 1, seconds.count());
  }

  template <class Observer>
  torch::Result backpropagated(Observer& observer) {
    return blocks() ? fused_.backpropagate(outcome_.plan, block_inputs_, state_, {}, observer)
                    : net_.backpropagate(outcome_.plan, inputs_, state_, {}, observer, further());
  }

  torch::Result verified(Watch& watch) {
    Verifier verify(verify_);
    Observers<torch::State, Watch, Verifier> both(watch, verify);
    torch::Result result = backpropagated(both);
    outcome_.verified = outcome_.verified.value_or(0) + verify.compared();
    outcome_.verified_every = verify.every();
    return result;
  }

  // A model that is no longer made of numbers is neither trained further nor saved.
  void require_numbers(Count i, double loss, double norm) const {
    if (std::isfinite(loss) && std::isfinite(norm)) return;
    throw Error("failure",
                fmt::format("the {} is no finite number in iteration {}; nothing was saved",
                            std::isfinite(loss) ? "gradient" : "loss", i + 1),
                "give a smaller --lr", {{"iteration", i + 1}});
  }

  void compare(const StoreAll& plain, const std::vector<at::Tensor>& expected) {
    std::vector<at::Tensor> gradients;
    for (const at::Tensor& parameter : parameters_) gradients.push_back(parameter.grad());
    outcome_.gradient_equal =
        outcome_.gradient_equal.value_or(true) && same_bits(gradients, expected);
    if (blocks())
      outcome_.from_single_steps = std::max(outcome_.from_single_steps.value_or(0),
                                            relative_difference(gradients, plain.gradients));
    Side& side = outcome_.store_all;
    side.held_bytes = std::max(side.held_bytes.value_or(0), plain.held_bytes);
    side.peak_bytes = std::max(side.peak_bytes.value_or(0), plain.peak_bytes);
    store_all_seconds_.push_back(plain.seconds);
  }

  // Where the whole window does not fit: gradients on a part of it.
  void compare_shorter(Count steps) {
    outcome_.compared_length = std::min(std::max<Count>(1, steps), options_.length - 1);
    if (outcome_.compared_length < 1) return;
    if (blocks()) {  // they are compared in the tests; here it would be another plan of theirs
      outcome_.compared_length = 0;
      return;
    }
    const StoreAll plain = store_everything(outcome_.compared_length);
    const Chain chain = measured_.chain(outcome_.compared_length);
    const Count share = narrow(static_cast<Wide>(outcome_.plan.budget.amount) *
                                   outcome_.compared_length / options_.length,
                               "a budget");
    const Count bytes = std::max(share, smallest_budget(chain, options_.keep));
    Watch watch(nullptr);
    net_.backpropagate(plan(chain, Budget::bytes(bytes), {.keep = options_.keep}), inputs_, state_, {}, watch);
    outcome_.gradient_equal = same_bits(take_gradients(parameters_), plain.gradients);
  }

  void finish() {
    progress_.clear();
    outcome_.store_all.record_steps = options_.length;
    outcome_.forward = outcome_.measured.forward_steps > 0 ? times_.forward.median()
                                           : static_cast<double>(measured_.forward) * 1e-9;
    outcome_.record = times_.record.median();
    outcome_.reverse = times_.reverse.median();
    outcome_.measured.seconds_per_iteration = median(seconds_);
    if (!store_all_seconds_.empty()) {
      outcome_.store_all.seconds_per_iteration = median(store_all_seconds_);
      outcome_.time_ratio = *outcome_.measured.seconds_per_iteration /
                            *outcome_.store_all.seconds_per_iteration;
    }
    outcome_.predicted_time_ratio = predicted_ratio();
    outcome_.memory_ratio =
        static_cast<double>(*outcome_.measured.held_bytes) /
        static_cast<double>(outcome_.store_all.held_bytes.value_or(outcome_.store_all_bytes));
    outcome_.first_loss = losses_.first();
    outcome_.last_loss = losses_.last();
    const bool save = !options_.save.empty();
    if (save) saved_.save(options_.save);
    if (save && marks_) marks_->remove();
    outcome_.sample = sample(saved_.model, saved_.alphabet, options_.sample,
                             [save] { stop_if_interrupted(save); });
    if (!marks_) return;
    marks_->remove();
    outcome_.marks = marks_->written();
    outcome_.mark_seconds = marks_->seconds() / static_cast<double>(marks_->written());
  }

  /// From the median times of this run's calls; and, as blocks run no single steps, from the time of
  /// plain backpropagation beside them.
  double predicted_ratio() const {
    double records = 0, seconds = 0;
    for (const Action& action : outcome_.plan.schedule) {
      const double calls = blocks() ? 1 : static_cast<double>(action.last - action.first);
      if (action.kind == Action::Kind::forward) seconds += calls * outcome_.forward;
      if (action.kind == Action::Kind::record) records += calls;
    }
    seconds += records * (outcome_.record + outcome_.reverse);
    if (!blocks()) return seconds / (records * (outcome_.record + outcome_.reverse));
    const double step = 1e-9 * static_cast<double>(measured_.record + measured_.reverse);
    return seconds / (store_all_seconds_.empty() ? step * static_cast<double>(options_.length)
                                                 : median(store_all_seconds_));
  }

  void show(Count done, double seconds) {
    char words[80];
    std::snprintf(words, sizeof words, "%.3f bits per character, %.2f s an iteration",
                  losses_.late.back(), seconds);
    progress_.show(done, words);
  }

  const Options& options_;
  Progress& progress_;
  const FreeMemory& free_memory_;
  std::string text_;
  SavedModel saved_;
  Windows windows_;
  std::vector<at::Tensor> parameters_;
  torch::Recurrence net_, fused_;
  ::torch::optim::Adam adam_;

  VerifyOptions verify_;
  torch::Measured measured_;
  torch::Inputs inputs_;
  torch::BlockInputs block_inputs_;
  torch::Value state_;
  StepTimes times_;
  std::vector<double> seconds_, store_all_seconds_;
  Losses losses_;
  std::optional<Marks> marks_;
  std::optional<BudgetSignal> signal_;
  std::optional<Standing> standing_;  // that a mark would tell of, once there is something to tell
  Outcome outcome_;
};

}  // namespace

Outcome train(const Options& options, Progress& progress, const FreeMemory& free_memory) {
  use_threads(static_cast<int>(options.threads));
  ::torch::manual_seed(static_cast<uint64_t>(options.seed));
  torch::memory::count();
  if (!options.save.empty()) SavedModel::require_place(options.save);
  return Trainer(options, progress, free_memory).run();
}

}  // namespace sweepback::train
