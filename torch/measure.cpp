// SPDX-License-Identifier: Apache-2.0
#include "sweepback/torch/measure.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "cpu_time.hpp"
#include "sweepback/error.hpp"
#include "sweepback/torch/memory.hpp"

namespace sweepback::torch {

namespace {

constexpr int warm_up = 2;
constexpr int rounds = 5;

Count median(std::vector<Count>& times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

void raise(Count& most, Count value) { most = std::max(most, value); }

// One piece of work: its time, and the memory it left and needed beyond.
struct Stretch {
  Count before = memory::live();
  Count begin;

  Stretch() {
    memory::reset_peak();
    begin = cpu_nanoseconds();
  }
  Count elapsed() const { return cpu_nanoseconds() - begin; }
  Count left() const { return memory::live() - before; }
  Count beyond() const { return memory::peak() - before; }
};

bool same_bits(const at::Tensor& a, const at::Tensor& b) {
  if (!a.sizes().equals(b.sizes()) || a.scalar_type() != b.scalar_type()) return false;
  const at::Tensor x = a.contiguous(), y = b.contiguous();
  return std::memcmp(x.data_ptr(), y.data_ptr(), x.nbytes()) == 0;
}

bool same_bits(const State& a, const State& b) {
  std::vector<at::Tensor> left, right;
  each_tensor(a.value, [&](const at::Tensor& tensor) { left.push_back(tensor.cpu()); });
  each_tensor(b.value, [&](const at::Tensor& tensor) { right.push_back(tensor.cpu()); });
  if (left.size() != right.size()) return false;
  for (std::size_t i = 0; i < left.size(); ++i)
    if (!same_bits(left[i], right[i])) return false;
  return true;
}

class Measurement {
 public:
  Measurement(Program& program, const BlockInputs& inputs, const Value& x0, Count block, Count calls)
      : program_(program), inputs_(inputs), x0_(x0), block_(block), calls_(calls) {
    measured_.steps = block;
  }

  Measured run() {
    program_.with_graph = false;
    program_.with_graph = !agrees();
    for (int i = 0; i < warm_up; ++i) round();
    for (std::vector<Count>* times : {&forward_, &record_, &reverse_}) times->clear();
    for (int i = 0; i < rounds; ++i) round();
    measured_.forward = median(forward_);
    measured_.record = median(record_);
    measured_.reverse = median(reverse_);
    // Where the generator stands after the first pass is kept all the way back.
    measured_.forward_workspace += Position::size();
    measured_.reverse_workspace += Position::size();
    return measured_;
  }

 private:
  // As a sweep does: forward, then recorded from the same states, then reversed. k counts calls.
  void round() {
    program_.begin(inputs_);
    const PositionGuard generator;
    std::vector<State> states;
    states.push_back(program_.start(x0_));
    raise(measured_.state_bytes, bytes_of(states.back()));
    for (Count k = 0; k < calls_; ++k) states.push_back(forward(k, states.back()));
    Adjoint adjoint;
    for (Count k = calls_; k-- > 0;) {
      states.resize(static_cast<std::size_t>(k + 1));
      // The state of the last is the tape's alone, as it is for a tape that stands alone.
      Tape tape = record(k, states.back());
      reverse(k, std::move(tape), adjoint);
    }
  }

  State forward(Count k, const State& x) {
    const Stretch stretch;
    State next = program_.forward(k * block_, (k + 1) * block_, x, Phase::first_pass);
    forward_.push_back(stretch.elapsed());
    raise(measured_.state_bytes, stretch.left());
    raise(measured_.forward_workspace, stretch.beyond() - stretch.left());
    return next;
  }

  Tape record(Count k, const State& x) {
    const Stretch stretch;
    Tape tape = program_.record(k * block_, (k + 1) * block_, x, Phase::recompute);
    record_.push_back(stretch.elapsed());
    raise(measured_.next_tape_bytes, stretch.left());
    raise(measured_.tape_bytes, stretch.left() + measured_.state_bytes);
    raise(measured_.forward_workspace, stretch.beyond() - stretch.left());
    return tape;
  }

  void reverse(Count k, Tape&& tape, Adjoint& adjoint) {
    if (adjoint.empty()) {  // as if steps followed
      const at::NoGradGuard no_grad;
      each_tensor(tape.output.value, [&](const at::Tensor& tensor) {
        adjoint.push_back(differentiable(tensor) ? at::zeros_like(tensor) : at::Tensor());
      });
    }
    Count bytes = 0;
    for (const at::Tensor& tensor : adjoint)
      if (tensor.defined()) bytes += static_cast<Count>(tensor.storage().nbytes());
    raise(measured_.adjoint_bytes, bytes);
    const Stretch stretch;
    program_.reverse(k * block_, (k + 1) * block_, std::move(tape), adjoint);
    reverse_.push_back(stretch.elapsed());
    raise(measured_.reverse_workspace, stretch.beyond());
  }

  // Whether steps compute the same with and without autograd.
  bool agrees() {
    program_.begin(inputs_);
    const PositionGuard generator;
    State x = program_.start(x0_);
    for (Count k = 0; k < calls_; ++k) {
      State next = program_.forward(k * block_, (k + 1) * block_, x, Phase::first_pass);
      try {
        if (!same_bits(next, program_.record(k * block_, (k + 1) * block_, x, Phase::recompute).output)) return false;
      } catch (const Error& error) {
        if (error.code() == "mismatch") return false;
        throw;
      }
      x = std::move(next);
    }
    return true;
  }

  Program& program_;
  const BlockInputs& inputs_;
  const Value& x0_;
  Count block_, calls_;
  Measured measured_;
  std::vector<Count> forward_, record_, reverse_;
};

}  // namespace

namespace {

Count share(Count all, Count steps) { return (all + steps - 1) / steps; }

}  // namespace

Chain Measured::chain(Count length) const {
  Step step;
  step.state_bytes = state_bytes;
  step.forward_workspace = forward_workspace;
  step.reverse_workspace = reverse_workspace;
  step.adjoint = adjoint_bytes;
  step.tape_bytes = share(tape_bytes, steps);
  if (steps == 1) {
    step.forward = forward;
    step.record = record;
    step.reverse = reverse;
    return Chain::uniform(length, std::move(step));
  }
  step.forward = 0;
  step.record = 0;
  step.reverse = 0;
  step.forward_call = forward;
  step.record_call = record;
  step.reverse_call = reverse;
  step.tape_bytes = tape_bytes;  // of a last block of one step, more than enough
  step.block_tape = share(tape_bytes, steps);
  Chain chain = Chain::uniform(length, std::move(step));
  chain.blocks = true;
  return chain;
}

Chain chain_of_blocks(const Measured& shorter, const Measured& longer, Count steps) {
  const Count apart = std::max<Count>(1, longer.steps - shorter.steps);
  const auto each = [&](Count few, Count many) { return std::max<Count>(0, many - few) / apart; };
  const auto call = [&](Count few, Count one) { return std::max<Count>(0, few - one * shorter.steps); };
  Step step = longer.chain(1).step();
  step.forward = each(shorter.forward, longer.forward);
  step.record = each(shorter.record, longer.record);
  step.reverse = each(shorter.reverse, longer.reverse);
  step.forward_call = call(shorter.forward, step.forward);
  step.record_call = call(shorter.record, *step.record);
  step.reverse_call = call(shorter.reverse, step.reverse);
  // Workspace grows with the block as its tape does, and is needed beside it.
  const Count workspace = std::max(longer.forward_workspace, longer.reverse_workspace);
  step.block_tape = share(longer.tape_bytes + workspace, longer.steps);
  step.tape_bytes = step.block_tape;
  step.forward_workspace = step.reverse_workspace = 0;
  Chain chain = Chain::uniform(steps, std::move(step));
  chain.blocks = true;
  return chain;
}

Count Measured::store_all_bytes(Count length) const {
  if (length == 0) return 0;
  return narrow(static_cast<Wide>(next_tape_bytes) * (length / steps) + (tape_bytes - next_tape_bytes),
                "what store-everything keeps");
}

Measured measure(Program& program, const Inputs& inputs, const Value& x0, Count steps) {
  return measure(program, [&](Count i, Count) { return inputs(i); }, x0, 1, steps);
}

Measured measure(Program& program, const BlockInputs& inputs, const Value& x0, Count block,
                 Count steps) {
  if (block < 1 || steps < block)
    throw OutOfRange("no step to measure", "measure at least one step, or one block of them");
  memory::count();
  Measured measured = Measurement(program, inputs, x0, block, steps / block).run();
  program.begin(no_inputs());
  return measured;
}

}  // namespace sweepback::torch
