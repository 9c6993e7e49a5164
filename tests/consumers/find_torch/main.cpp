// SPDX-License-Identifier: Apache-2.0
#include <torch/torch.h>

#include <sweepback/version.hpp>

int main() { return torch::ones({2, 3}).sum().item<float>() == 6.0f ? 0 : 1; }
