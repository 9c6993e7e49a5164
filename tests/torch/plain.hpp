// SPDX-License-Identifier: Apache-2.0
// The rival: torch's own backward() through the graph of the whole unrolled computation.
#pragma once

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cstring>
#include <string>
#include <vector>

#include "sweepback/torch/recurrence.hpp"
#include "train/threads.hpp"

namespace sweepback::torch {

/// A computation: its step, its parameters, its inputs, where it starts and how it ends.
struct Case {
  StepFunction step;
  std::vector<at::Tensor> parameters;
  Inputs inputs = no_inputs();
  Value x0;
  FinalLoss last;
  Count steps = 0;
};

inline double plain(const Case& c) {
  Value state = c.x0;
  StepFunction step = c.step;
  at::Tensor loss;
  const auto add = [&](const at::Tensor& part) {
    if (part.defined()) loss = loss.defined() ? loss + part : part;
  };
  for (Count k = 0; k < c.steps; ++k) {
    Stepped stepped = step(k, c.inputs(k), state);
    state = std::move(stepped.state);
    add(stepped.loss);
  }
  if (c.last) add(c.last(state));
  loss.backward();
  return loss.item<double>();
}

/// The `.grad` of the tensors, moved out.
inline std::vector<at::Tensor> take(const std::vector<at::Tensor>& tensors) {
  std::vector<at::Tensor> gradients;
  for (const at::Tensor& tensor : tensors) {
    gradients.push_back(tensor.grad().defined() ? tensor.grad().clone() : at::Tensor());
    tensor.mutable_grad().reset();
  }
  return gradients;
}

inline void expect_same_bits(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b,
                             const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].defined(), b[i].defined()) << what << ", tensor " << i;
    if (!a[i].defined()) continue;
    const at::Tensor x = a[i].contiguous(), y = b[i].contiguous();
    ASSERT_EQ(x.nbytes(), y.nbytes()) << what << ", tensor " << i;
    EXPECT_EQ(std::memcmp(x.data_ptr(), y.data_ptr(), x.nbytes()), 0)
        << what << ", tensor " << i << " differs by "
        << (x - y).abs().max().item<double>();
  }
}

/// Plans in slots (of the kind `keep`) for `c`, any number of steps.
inline Plan slots(const Case& c, Count capacity, Keep keep) {
  return plan(Chain::uniform(c.steps).with_tapes(), Budget::slots(capacity), {.keep = keep});
}

/// The sweep's gradients of `of` equal plain's, bit for bit, whatever is kept.
inline void expect_plain_gradients(const Case& c, const std::vector<at::Tensor>& of,
                                   const std::vector<Count>& capacities = {1, 2, 3, 7, 1000}) {
  train::use_threads(1);
  const double loss = plain(c);
  const auto expected = take(of);
  Recurrence net(c.step, c.parameters);
  for (const Keep keep : {Keep::states, Keep::tapes}) {
    for (const Count capacity : capacities) {
      const std::string what = std::string(name(keep)) + " in " + std::to_string(capacity);
      const Plan p = slots(c, capacity, keep);
      const Result result = net.backpropagate(p, c.inputs, c.x0, c.last);
      EXPECT_NEAR(result.loss, loss, 1e-5 * (1 + std::abs(loss))) << what;
      EXPECT_EQ(result.report.bill, p.bill) << what;
      expect_same_bits(take(of), expected, what);
    }
  }
}

}  // namespace sweepback::torch
