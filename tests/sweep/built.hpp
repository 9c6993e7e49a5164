// SPDX-License-Identifier: Apache-2.0
// Tests of what a build may lack. Include it in a program whose tests all need the same.
#pragma once

#include <gtest/gtest.h>

#include "sweepback/error.hpp"

namespace built {

/// Leaves out all tests of the program where `make` throws Unsupported, which must name a package.
template <class Make>
class Needs : public testing::Environment {
 public:
  explicit Needs(Make make) : make_(std::move(make)) {}
  void SetUp() override {
    try {
      make_();
    } catch (const sweepback::Unsupported& e) {
      EXPECT_NE(e.remedy().find("-dev"), std::string::npos) << e.what();
      GTEST_SKIP() << e.what();
    }
  }

 private:
  Make make_;
};

template <class Make>
testing::Environment* needs(Make make) {
  return testing::AddGlobalTestEnvironment(new Needs<Make>(std::move(make)));
}

}  // namespace built
