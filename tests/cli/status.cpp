// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "common.hpp"
#include "sweepback/durable_sweep.hpp"
#include "training_mark.hpp"

namespace {

using namespace sweepback::testing;

struct Countdown {
  using State = double;
  void forward(sweepback::Count, double& x) { x *= 0.5; }
  void reverse(sweepback::Count k, const double&, double&) {
    if (k == 6) throw std::runtime_error("stop");
  }
};

TEST(Status, SaysHowFarARunIs) {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "cli_status";
  std::filesystem::remove_all(path);
  std::filesystem::create_directories(path);
  EXPECT_EQ(call({"status", path}).code, 1);
  Countdown program;
  sweepback::Chain chain = sweepback::Chain::uniform(10);
  chain.in_place = true;
  {
    sweepback::DurableSweep<Countdown, double> sweep(program, plan(chain, sweepback::Budget::slots(2)), {.directory = path, .program = "countdown", .interval = 0});
    double adjoint = 1;
    sweep.forward(1);
    EXPECT_NE(call({"status", path}).out.find("first pass"), std::string::npos);
    EXPECT_THROW(sweep.backward(adjoint), std::runtime_error);
    EXPECT_EQ(call({"status", path, "--json"}).json()["running"], true);
  }
  const auto answer = call({"status", path, "--json"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.json()["running"], false);
  EXPECT_EQ(answer.json()["manifest"]["end"], 7);
  EXPECT_EQ(answer.json()["manifest"]["program"], "countdown");
  EXPECT_NE(call({"status", path}).out.find("3 of 10 steps are reversed; 7 are left"), std::string::npos) << call({"status", path}).out;
  for (const char* name : {"sweepback.manifest.0", "sweepback.manifest.1"}) std::ofstream(path / name) << "no manifest";
  EXPECT_EQ(call({"status", path}).code, 5);
  std::filesystem::remove_all(path);
  EXPECT_EQ(call({"status", path}).code, 5);
  EXPECT_EQ(call({"status"}).code, 2);
}

TEST(Status, SaysHowFarATrainingIs) {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "cli_status_training";
  std::filesystem::remove_all(path);
  std::filesystem::create_directories(path);
  const auto write = [&](sweepback::Count iteration, sweepback::Count generation) {
    const sweepback::cli::TrainingMark mark{{{"--lr", "0.01"}}, 1, iteration, 50, generation};
    const std::string content = head_of(mark) + "tensors\n";
    sweepback::RunDirectory(path).write(mark.file(), std::as_bytes(std::span(content)));
    const auto whole = sweepback::cli::newest_training(sweepback::RunDirectory(path, sweepback::RunDirectory::Access::look));
    EXPECT_EQ(whole->mark, mark);
    EXPECT_EQ(whole->tensors().size(), 8u);
  };
  write(10, 3);
  write(12, 4);
  const auto answer = call({"status", path, "--json"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_TRUE(answer.json()["manifest"].is_null());
  EXPECT_EQ(answer.json()["training"]["iteration"], 12);
  EXPECT_EQ(answer.json()["training"]["options"]["--lr"], "0.01");
  EXPECT_NE(call({"status", path}).out.find("12 of 50 iterations are done; 38 are left"), std::string::npos) << call({"status", path}).out;
  std::filesystem::resize_file(path / "sweepback.training.0", 50);
  EXPECT_EQ(call({"status", path, "--json"}).json()["training"]["iteration"], 10);
  for (const char* content : {"no mark", "{}", R"({"schema":"sweepback.training/2"})", R"({"schema":"sweepback.training/1","iteration":"x"})",
                              R"({"schema":"sweepback.training/1","options":{},"block":1,"iteration":51,"iterations":50,"generation":9})", ""}) {
    sweepback::RunDirectory(path).write("training.1", std::as_bytes(std::span(std::string_view(content))));
    EXPECT_EQ(call({"status", path}).code, 2) << content;
  }
  std::filesystem::resize_file(path / "sweepback.training.1", 20);
  EXPECT_EQ(call({"status", path}).code, 5);
  std::filesystem::remove_all(path);
}

}  // namespace
