// SPDX-License-Identifier: Apache-2.0
#include <sweepback/version.hpp>

int main() { return sweepback::version.empty() ? 1 : 0; }
