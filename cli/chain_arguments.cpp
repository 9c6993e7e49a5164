// SPDX-License-Identifier: Apache-2.0
// All values are taken as text and read by sizes.hpp, so that every error names its option and says
// what would do.
#include "chain_arguments.hpp"

#include <CLI/CLI.hpp>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>

#include "sizes.hpp"
#include "sweepback/error.hpp"
#include "sweepback/json.hpp"
#include "words.hpp"

namespace sweepback::cli {

namespace {

Chain read_file(const std::string& path, const json::Json& input, bool final_state) {
  std::ifstream file;
  if (path != "-") {
    file.open(path);
    if (!file)
      throw BadFile("--chain " + path + ": " + std::strerror(errno),
                    "give a file that can be read");
  }
  const std::string name = path == "-" ? "the chain" : path;
  std::istream& in = path == "-" ? std::cin : file;
  json::Document document;
  if (path.ends_with(".csv") || path.ends_with(".CSV")) {
    std::ostringstream text;
    text << in.rdbuf();
    document = json::parse_csv(text.str(), name);
  } else {
    document = json::parse(in, name);
  }
  if (input != json::Json::object() && document.is_object()) document["input"] = input;
  try {
    return json::chain_from(document, final_state);
  } catch (const BadFile& e) {
    throw BadFile(name + ": " + e.message(), e.remedy(), e.numbers());
  } catch (const OutOfRange& e) {
    throw OutOfRange(name + ": " + e.message(), e.remedy(), e.numbers());
  } catch (const Overflow& e) {
    throw Overflow(name + ": " + e.message(), e.remedy());
  }
}

}  // namespace

void ChainArguments::add_to(CLI::App& app) {
  const char* group = "The computation (--steps or --chain)";
  const auto option = [&](const char* name, Text& text, const char* value, const char* meaning) {
    app.add_option(name, text, meaning)->type_name(value)->group(group);
  };
  option("--steps", steps_, "N", "number of equal steps");
  option("--chain", file_, "FILE", "sweepback.chain/1 (JSON; - for standard input), or the same as a table (.csv)");
  option("--input-bytes", input_bytes_, "SIZE", "of x_0 [as the file says; as the first step's output]");
  option("--input-adjoint-bytes", input_adjoint_, "SIZE", "of its adjoint [the same]");
  for (Option& of : of_steps_) option(of.name, of.text, of.value, of.meaning);
  option("--in-place", in_place_, "yes|no",
         "a step overwrites its state; else storing one keeps a reference [no]");
  app.add_flag("--final-state", final_state_,
               "without tapes: make the last state as well, as to seed the adjoint [no]")
      ->group(group);
}

const ChainArguments::Text& ChainArguments::of(const char* name) const {
  for (const Option& option : of_steps_)
    if (std::strcmp(option.name, name) == 0) return option.text;
  return of_steps_->text;
}

Chain ChainArguments::chain() const {
  if (steps_.has_value() == file_.has_value())
    throw usage(steps_ ? "--steps and --chain exclude each other" : "no computation is given",
                "give --steps N or --chain FILE");
  Chain chain;
  if (file_) {
    for (const Option& option : of_steps_)
      if (option.text)
        throw usage(std::string(option.name) + " and --chain exclude each other",
                    "say it of each step in the file");
    json::Json input = json::Json::object();
    if (input_bytes_) input["state"] = parse_bytes(*input_bytes_, "--input-bytes");
    if (input_adjoint_) input["adjoint"] = parse_bytes(*input_adjoint_, "--input-adjoint-bytes");
    chain = read_file(*file_, input, false);
    chain.final_state = chain.final_state || final_state_;
  } else {
    Step step;
    const auto read = [&](const char* name, auto& value, auto parse) {
      if (const Text& text = of(name)) value = parse(*text, name);
    };
    read("--forward-cost", step.forward, parse_cost);
    read("--record-cost", step.record, parse_cost);
    read("--reverse-cost", step.reverse, parse_cost);
    read("--forward-call", step.forward_call, parse_cost);
    read("--record-call", step.record_call, parse_cost);
    read("--reverse-call", step.reverse_call, parse_cost);
    read("--state-bytes", step.state_bytes, parse_bytes);
    read("--tape-bytes", step.tape_bytes, parse_bytes);
    read("--block-tape-bytes", step.block_tape, parse_bytes);
    read("--tape-has-output", step.tape_has_output, yes);
    read("--adjoint-bytes", step.adjoint, parse_bytes);
    read("--forward-workspace", step.forward_workspace, parse_bytes);
    read("--reverse-workspace", step.reverse_workspace, parse_bytes);
    if (input_bytes_ || input_adjoint_)
      throw usage("--input-bytes and --steps: x_0 is as the other states of equal steps", "leave it out");
    chain = Chain::uniform(parse_count(*steps_, "--steps"), step);
    chain.final_state = final_state_;
    chain.blocks = step.block_tape || step.forward_call || step.record_call || step.reverse_call;
  }
  if (in_place_) chain.in_place = yes(*in_place_, "--in-place");
  return chain;
}

}  // namespace sweepback::cli
