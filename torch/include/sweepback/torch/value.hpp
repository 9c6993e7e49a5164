// SPDX-License-Identifier: Apache-2.0
// Nested values: what a step takes and returns.
//
// A value is a tensor, or a tuple (named or not), list or dictionary of values, and may hold whole
// numbers, floats, booleans, strings and None beside the tensors. Order of the tensors: depth first.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <functional>

namespace sweepback::torch {

using Value = c10::IValue;

/// Calls `visit` for every defined tensor in `value`. Throws Unsupported for what a value cannot
/// hold: objects, futures, devices' streams (their contents could change behind the sweep's back).
void each_tensor(const Value& value, const std::function<void(const at::Tensor&)>& visit);

/// The same value, of the same types, with `f(t)` in the place of every defined tensor t. A tensor
/// that stands in several places is given to `f` once, and its image stands in all of them.
Value map_tensors(const Value& value, const std::function<at::Tensor(const at::Tensor&)>& f);

/// A gradient can flow through it: its elements are real or complex floating point numbers.
bool differentiable(const at::Tensor& tensor);

}  // namespace sweepback::torch
