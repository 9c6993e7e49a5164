// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <CLI/CLI.hpp>

#include <charconv>
#include <cmath>
#include <utility>

#include "tier_arguments.hpp"
#include "usage.hpp"

namespace sweepback::train {

namespace {

Count count_from(const std::string& text, const std::string& option, Count least, Count most) {
  const Count value = cli::parse_count(text, option);
  if (value < least || value > most)
    throw OutOfRange(option + " is " + text,
                     "give " + option + " from " + std::to_string(least) + " to " +
                         std::to_string(most),
                     {{"value", value}, {"least", least}, {"most", most}});
  return value;
}

double number_from(const std::string& text, const std::string& option) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || at != end || !std::isfinite(value) || value <= 0)
    throw cli::usage(option + " " + text + " is no positive number",
                     "give one like " + std::string(option == "--lr" ? "0.01" : option == "--clip" ? "1.0" : "60"));
  return value;
}

template <class Choice>
Choice choose(const std::string& text, const std::string& option,
              std::initializer_list<std::pair<const char*, Choice>> choices) {
  std::string all;
  for (const auto& [word, choice] : choices) {
    if (text == word) return choice;
    all += std::string(all.empty() ? "" : ", ") + word;
  }
  throw cli::usage(option + " " + text + " is unknown", "give one of " + all);
}

struct Texts {
  std::string cell = "lstm", layers = "1", hidden = "256", batch = "16", length = "1000",
              budget = "5%", keep = "auto", block = "1", iterations = "50", seed = "1", rate = "0.01",
              clip = "1.0", threads = "1", sample = "0";
  std::vector<std::string> tiers;
  std::string tier_file, resume, interval;
};

void declare(CLI::App& app, Options& options, Texts& texts) {
  app.add_option("--text", options.text, "Train on this file")->type_name("FILE")->required();
  const auto add = [&](const char* option, std::string& text, const char* what, const char* kind) {
    app.add_option(option, text, what)->type_name(kind)->capture_default_str();
  };
  add("--cell", texts.cell, "The recurrent cell", "rnn|gru|lstm");
  add("--layers", texts.layers, "Cells one above the other", "N");
  add("--hidden", texts.hidden, "Width of a layer", "H");
  add("--batch", texts.batch, "Readers of the text, each in a part of its own", "B");
  add("--length", texts.length, "Time steps to go back through", "T");
  add("--budget", texts.budget,
      "Memory to keep states and tapes in: a share of what plain backpropagation keeps, a size, or "
      "auto (half of what is free)",
      "5%|64MiB|auto");
  app.add_option("--budget-file", options.budget_file,
                 "Read when SIGUSR1 comes: another budget, in which the next window and those after it are trained; one that "
                 "cannot be is refused, and the one before stays")
      ->type_name("FILE");
  app.add_option("--tier", texts.tiers,
                 "A disk beside memory: states go there where that is cheaper; capacity 64GiB or unbounded, costs as "
                 "rates or times")
      ->type_name("NAME:CAPACITY[:store=COST,restore=COST,overlap]")
      ->allow_extra_args(false);
  app.add_option("--tiers", texts.tier_file, "More of them, as sweepback calibrate writes them")->type_name("FILE");
  app.add_option("--spill-dir", options.spill_directory, "Where their files go [SWEEPBACK_SPILL_DIR, TMPDIR or /tmp]")->type_name("DIR");
  add("--keep", texts.keep, "What to keep", "states|tapes|mixed|auto");
  add("--block", texts.block,
      "Time steps that one fused call runs, records and reverses; auto: what is predicted fastest",
      "1|auto|K");
  add("--iterations", texts.iterations, "Windows of the text to train on", "N");
  add("--seed", texts.seed, "Where random numbers start", "N");
  add("--lr", texts.rate, "Adam's learning rate", "X");
  add("--clip", texts.clip, "Longest gradient", "X");
  add("--threads", texts.threads, "Threads of a tensor operation", "N");
  app.add_option("--load", options.load, "Go on with a saved model (cell, layers, width are its)")
      ->type_name("FILE");
  app.add_option("--save", options.save, "Write the trained model here")->type_name("FILE");
  app.add_option("--durable", options.durable,
                 "Keep the training in this directory: killed at any moment it loses the work since its last mark. A mark is made "
                 "between iterations; a pass that was under way is begun again")
      ->type_name("DIR");
  app.add_option("--resume", texts.resume,
                 "Go on with the training that --durable left there, with the same options; the weights will be those of an "
                 "undisturbed one, bit for bit. Budget, --keep, --tier, --iterations and --save may differ")
      ->type_name("DIR");
  app.add_option("--durable-interval", texts.interval,
                 "Between marks; 0: one after every iteration [sqrt(2 C M), where a mark takes C and failures are M = 24 h apart]")
      ->type_name("SECONDS");
  app.add_flag("--verify", options.verify,
               "Compare every state that is run to again with that of the first pass, bit for bit. Marks of 16 bytes a state are part "
               "of the budget, of fewer states where they would take more than a twentieth");
  add("--sample", texts.sample, "Characters to print of what the model writes", "N");
  app.add_flag("--json", options.json, "One document on stdout (sweepback.train/1)");
  app.add_flag("--quiet", options.quiet, "No progress");
}

}  // namespace

const char* name(Cell cell) noexcept {
  return cell == Cell::rnn ? "rnn" : cell == Cell::gru ? "gru" : "lstm";
}

Options parse(int argc, const char* const* argv) {
  CLI::App app("Trains a character model by backpropagation through time, inside a memory budget.",
               "sweepback train");
  Options options;
  Texts texts;
  declare(app, options, texts);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    throw Help{app.help()};
  } catch (const CLI::ParseError& error) {
    throw cli::usage(error.what(), "sweepback train --help lists the options");
  }
  const auto wanted = [&](const char* option) {
    return options.load.empty() || app.count(option) > 0;
  };
  if (wanted("--cell"))
    options.cell = choose<Cell>(texts.cell, "--cell",
                                {{"rnn", Cell::rnn}, {"gru", Cell::gru}, {"lstm", Cell::lstm}});
  options.keep = choose<Keep>(
      texts.keep, "--keep",
      {{"states", Keep::states},
       {"tapes", Keep::tapes},
       {"mixed", Keep::mixed},
       {"auto", Keep::automatic}});
  options.budget = cli::parse_budget(texts.budget);
  if (wanted("--layers")) options.layers = count_from(texts.layers, "--layers", 1, 64);
  if (wanted("--hidden")) options.hidden = count_from(texts.hidden, "--hidden", 1, 16384);
  options.batch = count_from(texts.batch, "--batch", 1, 65536);
  options.length = count_from(texts.length, "--length", 1, 1'000'000'000);
  options.iterations = count_from(texts.iterations, "--iterations", 1, 1'000'000'000);
  options.block = texts.block == "auto" ? 0 : count_from(texts.block, "--block", 1, 1'000'000'000);
  if (options.block != 1 && options.keep == Keep::mixed)
    throw cli::usage("blocks keep states or tapes, not both", "leave --keep or --block out");
  if (!texts.tiers.empty() || !texts.tier_file.empty()) options.tiers = cli::list_tiers(texts.tiers, texts.tier_file);
  if (!options.tiers.empty() && options.block != 1) throw cli::usage("blocks are planned for memory alone", "leave --tier or --block out");
  options.seed = count_from(texts.seed, "--seed", 0, max_count);
  options.threads = count_from(texts.threads, "--threads", 1, 1024);
  options.sample = count_from(texts.sample, "--sample", 0, 1'000'000'000);
  if (!options.durable.empty() && !texts.resume.empty())
    throw cli::usage("both --durable and --resume are given", "give --durable to begin a training, --resume to go on with one");
  options.resume = !texts.resume.empty();
  if (options.resume) options.durable = texts.resume;
  if (!texts.interval.empty()) {
    if (options.durable.empty()) throw cli::usage("--durable-interval is given, and no marks are made", "give --durable DIR as well");
    options.interval = texts.interval == "0" ? 0 : number_from(texts.interval, "--durable-interval");
  }
  options.learning_rate = number_from(texts.rate, "--lr");
  options.clip = number_from(texts.clip, "--clip");
  return options;
}

}  // namespace sweepback::train
