// SPDX-License-Identifier: Apache-2.0
#include "training_mark.hpp"

#include <algorithm>
#include <utility>

namespace sweepback::cli {

namespace {

constexpr const char* schema = "sweepback.training/1";

WholeMark read(const RunDirectory& directory, const std::string& name) {
  WholeMark whole{{}, directory.read(name)};
  const auto* begin = reinterpret_cast<const char*>(whole.content.data());
  const auto* end = begin + whole.content.size();
  whole.head = static_cast<std::size_t>(std::find(begin, end, '\n') - begin);
  const std::string file = (directory.path() / ("sweepback." + name)).string();
  const json::Document document = json::parse(std::string_view(begin, whole.head), file);
  whole.head = std::min(whole.head + 1, whole.content.size());
  const BadFile none(file + " is no mark of a training", "give another directory");
  try {
    if (document.at("schema") != schema) throw BadFile(file + " is of another version", "go on with what began it");
    document.at("options").get_to(whole.mark.options);
    document.at("block").get_to(whole.mark.block);
    document.at("iteration").get_to(whole.mark.iteration);
    document.at("iterations").get_to(whole.mark.iterations);
    document.at("generation").get_to(whole.mark.generation);
  } catch (const json::Document::exception&) {
    throw none;
  }
  const TrainingMark& mark = whole.mark;
  if (mark.iteration < 0 || mark.iteration > mark.iterations || mark.generation < 1 || mark.block < 1) throw none;
  return whole;
}

}  // namespace

json::Json to_json(const TrainingMark& mark) {
  return {{"schema", schema},           {"options", mark.options},       {"block", mark.block},
          {"iteration", mark.iteration}, {"iterations", mark.iterations}, {"generation", mark.generation}};
}

std::string head_of(const TrainingMark& mark) { return to_json(mark).dump() + '\n'; }

bool has_training(const RunDirectory& directory) { return directory.has("training.0") || directory.has("training.1"); }

std::optional<WholeMark> newest_training(const RunDirectory& directory) {
  return newest_generation(
      directory, "training", [&](const std::string& name) { return read(directory, name); },
      [](const WholeMark& found) { return found.mark.generation; });
}

}  // namespace sweepback::cli
