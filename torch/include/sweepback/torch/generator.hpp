// SPDX-License-Identifier: Apache-2.0
// Where torch's random numbers stand. A step that draws (dropout, noise) must draw the same numbers
// when it is run again, so every state knows the position its step starts from.
//
// This is about torch's default generator of the CPU. Other generators belong to the state.
#pragma once

#include <ATen/core/Tensor.h>

#include "sweepback/count.hpp"

namespace sweepback::torch {

/// A position of the generator: 2.5 kB in a tensor, so that it is counted like all that is kept.
/// Copies share it, and so do all states between which nothing was drawn.
class Position {
 public:
  Position() = default;

  /// Where the generator stands now.
  static Position now();

  /// The same, sharing `last` where nothing was drawn since.
  static Position now(const Position& last);

  /// Puts the generator there. Nothing happens for an empty position.
  void restore() const;

  /// Both are the same object (not merely equal).
  bool is(const Position& other) const { return bytes_.is_same(other.bytes_); }

  /// What one takes.
  static Count size();

  /// As a tensor of bytes, empty for an empty position; and back. Throws OutOfRange for another size.
  at::Tensor as_tensor() const;
  static Position of(const at::Tensor& bytes);

 private:
  at::Tensor bytes_;
};

/// Puts the generator back where it stood, however the scope is left.
class PositionGuard {
 public:
  PositionGuard() : position_(Position::now()) {}
  /// Where it stands is `last` if nothing was drawn since.
  explicit PositionGuard(const Position& last) : position_(Position::now(last)) {}
  ~PositionGuard() { position_.restore(); }
  PositionGuard(const PositionGuard&) = delete;
  PositionGuard& operator=(const PositionGuard&) = delete;

 private:
  Position position_;
};

}  // namespace sweepback::torch
