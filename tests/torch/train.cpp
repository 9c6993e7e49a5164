// SPDX-License-Identifier: Apache-2.0
// The trainer, end to end on a small text; its document, its errors, its files.
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "sweepback/json.hpp"
#include "sweepback/verify.hpp"
#include "train/char_model.hpp"
#include "train/losses.hpp"
#include "train/trainer.hpp"
#include "train/watch.hpp"

namespace sweepback::train {
namespace {

// Gone when the test is.
struct Folder {
  std::filesystem::path path;
  Folder() : path(std::filesystem::temp_directory_path() / ("sweepback-train-" + std::to_string(getpid()))) {
    std::filesystem::create_directory(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string text(int lines = 400) const {
    std::ofstream file(path / "text");
    for (int i = 0; i < lines; ++i) file << "The " << i << " light bends as it passes the prism.\n";
    return path / "text";
  }
};

Options options(std::vector<std::string> words) {
  std::vector<const char*> argv = {"sweepback-train"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  return parse(static_cast<int>(argv.size()), argv.data());
}

Outcome run(const Options& options) {
  Progress progress(options.iterations, true);
  return train(options, progress);
}

// A disk beside memory, asked for by name and by a file; nothing is left there.
TEST(Train, KeepsStatesInFiles) {
  const Folder folder;
  const std::filesystem::path spill = folder.path / "spill";
  std::filesystem::create_directory(spill);
  for (const char* tier : {"disk:unbounded:store=2GB/s,restore=3GB/s", "disk:1GiB:store=2GB/s,restore=3GB/s,overlap"}) {
    const Options given = options({"--text", folder.text(), "--hidden", "32", "--batch", "4", "--length", "200", "--budget", "10%", "--keep", "states",
                                   "--iterations", "3", "--tier", tier, "--spill-dir", spill});
    const Outcome outcome = run(given);
    EXPECT_EQ(outcome.gradient_equal, true);
    EXPECT_GT(outcome.plan.bill.tiers[1].stores, 0) << tier;
    EXPECT_LE(*outcome.measured.peak_bytes, *outcome.plan.bill.peak_bytes);
    EXPECT_LE(*outcome.measured.peak_bytes, outcome.plan.budget.amount);
    EXPECT_NE(to_table(outcome, given).find("in disk"), std::string::npos);
    EXPECT_TRUE(std::filesystem::is_empty(spill));
  }
  EXPECT_THROW(options({"--text", "x", "--tier", "disk:unbounded", "--block", "8"}), Error);
  EXPECT_THROW(options({"--text", "x", "--tier", "disk"}), Error);
}

TEST(Train, ReportsWhatItDid) {
  const Folder folder;
  for (const char* cell : {"rnn", "gru", "lstm"}) {
    const Options given =
        options({"--text", folder.text(), "--cell", cell, "--hidden", "32", "--batch", "4",
                 "--length", "200", "--budget", "20%", "--iterations", "12", "--json"});
    const Outcome outcome = run(given);
    EXPECT_EQ(outcome.gradient_equal, true);
    EXPECT_LT(outcome.last_loss, outcome.first_loss);
    EXPECT_EQ(outcome.measured.forward_steps, outcome.plan.bill.forward_steps);
    EXPECT_EQ(outcome.measured.record_steps, 200);
    EXPECT_LE(*outcome.measured.peak_bytes, *outcome.plan.bill.peak_bytes);
    EXPECT_LE(*outcome.measured.peak_bytes, outcome.plan.budget.amount);
    EXPECT_LE(*outcome.measured.held_bytes * 5, *outcome.store_all.held_bytes);

    const auto document = json::parse(to_json(outcome, given));
    EXPECT_EQ(document.at("schema"), "sweepback.train/1");
    EXPECT_EQ(document.at("plan").at("schema"), "sweepback.plan/1");
    for (const char* side : {"measured", "store_all"})
      for (const char* field :
           {"forward_steps", "record_steps", "peak_bytes", "held_bytes", "seconds_per_iteration"})
        EXPECT_TRUE(document.at(side).at(field).is_number()) << side << " " << field;
    for (const char* field : {"time", "predicted_time", "memory"})
      EXPECT_TRUE(document.at("ratio").at(field).is_number()) << field;
    for (const char* field : {"forward", "record", "reverse"})
      EXPECT_GT(document.at("step_seconds").at(field).get<double>(), 0.0) << field;
    EXPECT_EQ(document.at("gradient_equal"), true);
    EXPECT_GT(document.at("loss").at("first").get<double>(), 0.0);
    EXPECT_GT(document.at("loss").at("last").get<double>(), 0.0);
    EXPECT_NE(to_table(outcome, given).find("bit for bit"), std::string::npos);
  }
}

TEST(Train, KeepsWhatItIsTold) {
  const Folder folder;
  for (const char* keep : {"states", "tapes"}) {
    const Outcome outcome =
        run(options({"--text", folder.text(), "--hidden", "16", "--batch", "2", "--length", "50",
                     "--budget", "1MiB", "--iterations", "2", "--keep", keep}));
    EXPECT_STREQ(name(outcome.plan.keep), keep);
    EXPECT_EQ(outcome.gradient_equal, true);
    EXPECT_EQ(outcome.plan.budget, Budget::bytes(1 << 20));
  }
}

TEST(Train, IsTheSameAgainWithTheSameSeed) {
  const Folder folder;
  const auto loss = [&](const char* seed) {
    return run(options({"--text", folder.text(), "--hidden", "16", "--batch", "2", "--length", "40",
                        "--budget", "auto", "--iterations", "3", "--seed", seed}))
        .last_loss;
  };
  EXPECT_EQ(loss("3"), loss("3"));
  EXPECT_NE(loss("3"), loss("4"));
}

TEST(Train, SavesLoadsAndWrites) {
  const Folder folder;
  const std::string model = folder.path / "model.pt";
  const std::vector<std::string> common = {"--text", folder.text(), "--hidden", "32", "--batch",
                                           "4", "--length", "100", "--budget", "50%"};
  auto first = common, second = common;
  first.insert(first.end(), {"--iterations", "30", "--save", model, "--sample", "50"});
  second.insert(second.end(), {"--iterations", "1", "--load", model});
  const Outcome trained = run(options(first));
  EXPECT_EQ(trained.sample.size(), 50u);
  EXPECT_FALSE(std::filesystem::exists(model + ".part"));
  EXPECT_NEAR(run(options(second)).first_loss, trained.last_loss, 1.0);
  EXPECT_LT(run(options(second)).first_loss, trained.first_loss - 0.2);
  std::ofstream(folder.path / "no_model") << "nothing";
  EXPECT_THROW(SavedModel::load(folder.path / "no_model"), BadFile);
}

TEST(Train, ALoadedModelKeepsItsShape) {
  const Folder folder;
  const std::string model = folder.path / "model.pt";
  const std::vector<std::string> common = {"--text", folder.text(), "--batch", "2", "--length",
                                           "40", "--budget", "50%", "--iterations", "1"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), common.begin(), common.end());
    return options(more);
  };
  run(with({"--cell", "gru", "--hidden", "16", "--layers", "2", "--save", model}));
  const Options again = with({"--load", model});
  const Outcome outcome = run(again);
  EXPECT_EQ(outcome.cell, Cell::gru);
  EXPECT_NE(to_table(outcome, again).find("GRU of 2 layers of 16"), std::string::npos);
  EXPECT_EQ(json::parse(to_json(outcome, again)).at("hidden"), 16);
  EXPECT_EQ(run(with({"--load", model, "--hidden", "16"})).layers, 2);
  for (const auto& [option, value] : {std::pair{"--cell", "lstm"}, {"--layers", "1"},
                                      {"--hidden", "32"}}) {
    try {
      run(with({"--load", model, option, value}));
      FAIL() << option;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "usage");
      EXPECT_TRUE(error.message().starts_with(option)) << error.message();
    }
  }
}

// A free_memory() of 1 MiB: 50 steps with what libtorch notes of them take more.
TEST(Train, ComparesFewerStepsWhereStoringAllDoesNotFit) {
  const Folder folder;
  const Options given = options({"--text", folder.text(), "--hidden", "16", "--batch", "2",
                                 "--length", "50", "--budget", "30%", "--iterations", "3"});
  const Outcome whole = run(given);
  EXPECT_EQ(whole.compared_length, 50);
  for (const Count free : {1 << 20, 150'000}) {
    Progress progress(3, true);
    const Outcome outcome = train(given, progress, [free] { return free; });
    EXPECT_EQ(outcome.gradient_equal, true);
    EXPECT_GE(outcome.compared_length, 1);
    EXPECT_LT(outcome.compared_length, 20);
    EXPECT_EQ(outcome.last_loss, whole.last_loss);  // training is the same
    EXPECT_EQ(outcome.measured.forward_steps, outcome.plan.bill.forward_steps);
    EXPECT_LE(*outcome.measured.peak_bytes, outcome.plan.budget.amount);
    EXPECT_FALSE(outcome.time_ratio);
    EXPECT_TRUE(outcome.predicted_time_ratio);

    const auto document = json::parse(to_json(outcome, given));
    EXPECT_EQ(document.at("compared_length"), outcome.compared_length);
    EXPECT_TRUE(document.at("store_all").at("peak_bytes").is_null());
    EXPECT_GT(document.at("store_all").at("predicted_held_bytes"), 0);
    EXPECT_TRUE(document.at("ratio").at("time").is_null());
    const std::string table = to_table(outcome, given);
    EXPECT_NE(table.find("Store-everything does not fit"), std::string::npos);
    EXPECT_NE(table.find("not measured"), std::string::npos);
  }
}

TEST(Train, ANetworkThatDoesNotFitIsRefused) {
  const Folder folder;
  Progress progress(1, true);
  const auto train_in = [&](const char* hidden, Count free) {
    return train(options({"--text", folder.text(), "--hidden", hidden, "--batch", "2", "--length",
                          "20", "--budget", "1MiB", "--iterations", "1"}),
                 progress, [free] { return free; });
  };
  try {
    train_in("16384", 1 << 20);
    FAIL();
  } catch (const OutOfRange& error) {
    const auto& [name, hidden] = error.numbers().back();
    EXPECT_EQ(name, "hidden");
    EXPECT_EQ(train_in(std::to_string(hidden).c_str(), 1 << 20).gradient_equal, true);
    EXPECT_THROW(train_in(std::to_string(hidden + 1).c_str(), 1 << 20), OutOfRange);
  }
  for (const Cell cell : {Cell::rnn, Cell::gru, Cell::lstm}) {
    const CharModelImpl::Shape shape{cell, 3, 8, 30};
    Count numbers = 0;
    for (const at::Tensor& parameter : CharModelImpl(shape).parameters())
      numbers += parameter.numel();
    EXPECT_EQ(shape.parameters(), numbers);
  }
}

TEST(Train, WhatIsNoNumberIsNotSaved) {
  const Folder folder;
  const std::string model = folder.path / "model.pt";
  try {
    run(options({"--text", folder.text(), "--hidden", "16", "--batch", "2", "--length", "20",
                 "--budget", "1MiB", "--iterations", "9", "--lr", "3e37", "--save", model}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "failure");
    EXPECT_NE(error.remedy().find("--lr"), std::string::npos);
  }
  EXPECT_FALSE(std::filesystem::exists(model));
}

TEST(Train, ABudgetTooSmallNamesTheSmallest) {
  const Folder folder;
  const std::vector<std::string> common = {"--text",   folder.text(), "--hidden",     "16",
                                           "--batch",  "2",           "--length",     "50",
                                           "--budget", "100B",        "--iterations", "1"};
  try {
    run(options(common));
    FAIL();
  } catch (const BudgetTooSmall& error) {
    EXPECT_GT(error.smallest, 100);
    EXPECT_GT(error.cost_there, 0);
    auto enough = common;
    enough[9] = std::to_string(error.smallest + error.smallest / 10) + "B";
    EXPECT_EQ(run(options(enough)).gradient_equal, true);
  }
}

TEST(Train, WindowsFollowOneAnother) {
  Windows windows({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 2, 2);
  auto window = windows.next();
  EXPECT_TRUE(window.begins);
  EXPECT_EQ(window.characters, (std::vector<std::int64_t>{0, 6, 1, 7, 2, 8}));
  window = windows.next();
  EXPECT_FALSE(window.begins);
  EXPECT_EQ(window.characters, (std::vector<std::int64_t>{2, 8, 3, 9, 4, 10}));
  EXPECT_TRUE(windows.next().begins);
  EXPECT_THROW(Windows({0, 1, 2, 3}, 2, 2), OutOfRange);
}

TEST(Train, WrongOptionsAreNamed) {
  const auto message = [&](std::vector<std::string> words) -> std::string {
    words.insert(words.begin(), {"--text", "x"});
    try {
      options(words);
    } catch (const Error& error) {
      return error.code() + ": " + error.message();
    }
    return "";
  };
  EXPECT_EQ(message({}), "");
  EXPECT_EQ(message({"--cell", "LSTM"}), "usage: --cell LSTM is unknown");
  EXPECT_EQ(message({"--keep", "all"}), "usage: --keep all is unknown");
  EXPECT_TRUE(message({"--budget", "5 apples"}).starts_with("usage: "));
  EXPECT_TRUE(message({"--length", "0"}).starts_with("out_of_range: --length is 0"));
  EXPECT_NE(message({"--length", "-3"}), "");
  EXPECT_TRUE(message({"--hidden", "many"}).starts_with("usage: "));
  EXPECT_TRUE(message({"--lr", "0"}).starts_with("usage: --lr 0 is no positive number"));
  EXPECT_TRUE(message({"--durable", "a", "--resume", "a"}).starts_with("usage: both --durable and --resume"));
  EXPECT_TRUE(message({"--durable-interval", "5"}).starts_with("usage: --durable-interval is given"));
  EXPECT_TRUE(message({"--durable", "a", "--durable-interval", "-5"}).starts_with("usage: --durable-interval -5"));
  EXPECT_TRUE(message({"--lenght", "5"}).starts_with("usage: "));
  EXPECT_TRUE(message({"--iterations", "99999999999999999999"}).starts_with("overflow: "));
  EXPECT_THROW(options({}), Error);
  EXPECT_THROW(options({"--help"}), Help);
  EXPECT_THROW(run(options({"--text", "/no/such/file"})), BadFile);
}

TEST(Train, LossesAreMeansOfTenOrOfHalf) {
  Losses losses;
  losses.add(7);
  EXPECT_EQ(losses.first(), 7);
  EXPECT_EQ(losses.last(), 7);
  for (int i = 1; i < 12; ++i) losses.add(7 + i);
  EXPECT_EQ(losses.first(), 7 + 2.5);
  EXPECT_EQ(losses.last(), 7 + 8.5);
  for (int i = 12; i < 1000; ++i) losses.add(7 + i);
  EXPECT_EQ(losses.first(), 7 + 4.5);
  EXPECT_EQ(losses.last(), 7 + 994.5);
}

TEST(Train, VerifiesInsideItsBudget) {
  const Folder folder;
  const auto verified = [&](const std::string& budget) {
    return run(options({"--text", folder.text(), "--hidden", "16", "--batch", "2", "--length", "200", "--budget", budget,
                        "--iterations", "2", "--keep", "states", "--verify"}));
  };
  const Outcome all = verified("1MiB");  // 16 bytes a state are less than a twentieth
  EXPECT_EQ(all.verified_every, 1);
  EXPECT_EQ(all.plan.budget, Budget::bytes((1 << 20) - 16 * 201 - 32));
  EXPECT_GE(*all.verified, all.measured.forward_steps);
  try {
    verified("1000B");
    FAIL();
  } catch (const BudgetTooSmall& error) {
    EXPECT_EQ(error.given, 1000);
    const Outcome some = verified(std::to_string(error.smallest + error.smallest / 10));
    EXPECT_GT(some.verified_every, 1);
    EXPECT_LE(some.verified_every, 40);
    EXPECT_GT(*some.verified, 0);
    EXPECT_GT(some.plan.budget.amount, error.smallest);
    EXPECT_EQ(some.gradient_equal, true);
  }
}

// A machine that does not compute alike twice: the c of every cell that runs is moved by another hair. (The
// loss of its step is taken from h, and does not tell.)
void move_by_a_hair(const at::RecordFunction& f, at::ObserverContext*) {
  static int calls = 0;
  if (std::string_view(f.name()) == "aten::lstm_cell")
    f.outputs().at(1).toTensor().data_ptr<float>()[0] += 1e-6f * static_cast<float>(++calls);
}

TEST(Train, VerifyNamesTheStepThatIsAnotherAgain) {
  const Folder folder;
  const auto nothing = [](const at::RecordFunction&) -> std::unique_ptr<at::ObserverContext> { return nullptr; };
  const auto handle = at::addGlobalCallback(at::RecordFunctionCallback(nothing, move_by_a_hair).needsOutputs(true));
  try {
    run(options({"--text", folder.text(), "--hidden", "16", "--batch", "2", "--length", "50", "--budget", "30%", "--iterations", "1", "--verify"}));
    ADD_FAILURE();
  } catch (const Differs& error) {
    EXPECT_EQ(error.code(), "mismatch");
    EXPECT_NE(error.message().find("step " + std::to_string(error.state - 1) + " gave another"), std::string::npos) << error.message();
  }
  at::removeCallback(handle);
}

TEST(Train, StopsBetweenSteps) {
  const Folder folder;
  interrupted_by = SIGINT;
  EXPECT_THROW(run(options({"--text", folder.text(), "--hidden", "16", "--length", "40",
                            "--budget", "50%"})),
               Interrupted);
  interrupted_by = 0;
}

}  // namespace
}  // namespace sweepback::train
