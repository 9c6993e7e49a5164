// SPDX-License-Identifier: Apache-2.0
// A program whose states, tapes, adjoint and workspace are as large as the chain says, all on the
// counting allocator. Its "gradient" is a digest of every state and step in the order of reversal.
#pragma once

#include "bytes.hpp"
#include "plans.hpp"

namespace toy {

/// The adjoint: `room` is there for its size.
struct Digest {
  bytes::Block room;
  std::uint64_t value = 14695981039346656037u;

  void take(std::uint64_t x) { value = (value ^ x) * 1099511628211u; }
};

template <Form form, Taping taping_>
struct Sized {
  static constexpr bool in_place = form == Form::in_place;
  static constexpr Taping taping = taping_;

  using State = bytes::Block;
  struct Tape {
    std::uint64_t seen;
    bytes::Block out, rest;
  };

  sweepback::Step sizes;  ///< of the chain

  // A step changes a few bytes: large states cost their copies only.
  static void advance(Count k, State& x) {
    for (std::size_t i = 0; i < std::min<std::size_t>(x.size(), 4); ++i)
      x[i] = static_cast<std::uint8_t>(31 * x[i] + 7 * k + static_cast<Count>(i) + 1);
  }
  static std::uint64_t seen(const State& x) {
    std::uint64_t value = x.size();
    for (std::size_t i = 0; i < std::min<std::size_t>(x.size(), 4); ++i) value = 257 * value + x[i];
    return value;
  }
  bytes::Block forward_workspace() const { return bytes::block(sizes.forward_workspace); }

  void forward(Count k, State& x)
    requires in_place
  {
    const auto workspace = forward_workspace();
    advance(k, x);
  }
  State forward(Count k, const State& x)
    requires(!in_place)
  {
    const auto workspace = forward_workspace();
    State next(x);
    advance(k, next);
    return next;
  }

  Tape record(Count k, State& x)
    requires(in_place && taping != Taping::none)
  {
    const auto workspace = forward_workspace();
    const std::uint64_t before = seen(x);
    advance(k, x);
    return tape(before, x);
  }
  Tape record(Count k, const State& x)
    requires(!in_place && taping == Taping::output)
  {
    const auto workspace = forward_workspace();
    Tape made = tape(seen(x), x);
    advance(k, made.out);
    return made;
  }
  std::pair<State, Tape> record(Count k, const State& x)
    requires(!in_place && taping == Taping::bare)
  {
    const auto workspace = forward_workspace();
    State next(x);
    advance(k, next);
    return {std::move(next), tape(seen(x), x)};
  }
  const State& output(Count, const Tape& tape)
    requires(taping == Taping::output)
  {
    return tape.out;
  }

  void reverse(Count k, const State& x, Digest& a) { take(k, seen(x), a); }
  void reverse(Count k, Tape&& tape, Digest& a)
    requires(taping != Taping::none)
  {
    take(k, tape.seen, a);
  }

 private:
  Tape tape(std::uint64_t before, const State& x) const {
    const Count size = *sizes.tape_bytes;
    if constexpr (taping == Taping::output)
      return {before, x, bytes::block(size - static_cast<Count>(x.size()))};
    else
      return {before, {}, bytes::block(size)};
  }
  void take(Count k, std::uint64_t x, Digest& a) const {
    const auto workspace = bytes::block(sizes.reverse_workspace);
    a.take(static_cast<std::uint64_t>(k));
    a.take(x);
  }
};

/// The digest of the same chain with every state kept.
inline std::uint64_t digest_of_everything(Count l, const bytes::Block& x0) {
  using Any = Sized<Form::in_place, Taping::none>;
  std::vector<std::uint64_t> seen;
  bytes::Block x = x0;
  for (Count k = 0; k < l; ++k) {
    seen.push_back(Any::seen(x));
    Any::advance(k, x);
  }
  Digest digest;
  for (Count k = l; k-- > 0;) {
    digest.take(static_cast<std::uint64_t>(k));
    digest.take(seen[static_cast<std::size_t>(k)]);
  }
  return digest.value;
}

struct Measured {
  sweepback::Bill bill;
  std::int64_t peak = 0;  ///< by the allocator
  std::int64_t left = 0;  ///< alive afterwards
  std::uint64_t digest = 0;
};

/// There and back by `plan`. What `forward` hands out is dropped at once.
template <class Program>
Measured measure(const Plan& plan, sweepback::FarTiers<typename Program::State> further = {}) {
  const std::int64_t before = bytes::alive;
  bytes::reset();
  Measured measured;
  {
    Program program{plan.chain.step()};
    sweepback::Sweep sweep(program, plan, std::move(further));
    Digest adjoint{bytes::block(program.sizes.adjoint)};
    sweep.advance(bytes::block(program.sizes.state_bytes.value_or(0), 1));
    measured.bill = sweep.backward(adjoint).bill;
    measured.digest = adjoint.value;
  }
  measured.peak = bytes::peak - before;
  measured.left = bytes::alive - before;
  return measured;
}

}  // namespace toy
