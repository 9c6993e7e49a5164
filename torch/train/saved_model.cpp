// SPDX-License-Identifier: Apache-2.0
// A model file is a torch archive: "cell", "layers", "hidden", the alphabet's bytes as "symbols", and
// the parameters under "model".
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>

#include "char_model.hpp"
#include "sweepback/error.hpp"
#include "usage.hpp"

namespace sweepback::train {

namespace {

Cell cell_of(const std::string& word) {
  for (const Cell cell : {Cell::rnn, Cell::gru, Cell::lstm})
    if (word == name(cell)) return cell;
  throw std::invalid_argument("unknown cell");
}

namespace fs = std::filesystem;

// The file itself, where `path` is a link to it.
fs::path file_of(const std::string& path) {
  std::error_code failed;
  const fs::path file = fs::weakly_canonical(path, failed);
  return failed ? fs::path(path) : file;
}

fs::path unfinished(const std::string& path) { return file_of(path) += ".part"; }

[[noreturn]] void fail(const std::string& path) {
  std::error_code ignored;
  fs::remove(unfinished(path), ignored);
  throw cli::io_failed("the model could not be written to \"" + path + "\"",
                       "give --save a file in a folder that exists and has room");
}

}  // namespace

void SavedModel::save(const std::string& path) const {
  try {
    ::torch::serialize::OutputArchive archive, parameters;
    const auto& shape = model->shape();
    archive.write("cell", c10::IValue(std::string(name(shape.cell))));
    archive.write("layers", c10::IValue(shape.layers));
    archive.write("hidden", c10::IValue(shape.hidden));
    archive.write("symbols", c10::IValue(alphabet.symbols));
    model->save(parameters);
    archive.write("model", parameters);
    archive.save_to(unfinished(path));
    fs::rename(unfinished(path), file_of(path));
  } catch (const std::exception&) {
    fail(path);
  }
}

void SavedModel::require_place(const std::string& path) {
  std::error_code ignored;
  const fs::file_status there = fs::status(path, ignored);
  if (fs::exists(there) && !fs::is_regular_file(there))  // /dev/null would be replaced
    throw cli::io_failed("\"" + path + "\" is there and is no file",
                         "give --save the name of a file, or leave it out");
  if (!std::ofstream(unfinished(path))) fail(path);
  fs::remove(unfinished(path));
}

SavedModel SavedModel::load(const std::string& path) {
  if (!fs::is_regular_file(path) || !std::ifstream(path))
    throw BadFile("\"" + path + "\" cannot be read", "give --load a file written by --save");
  try {
    ::torch::serialize::InputArchive archive, parameters;
    archive.load_from(path);
    c10::IValue cell, layers, hidden, symbols;
    archive.read("cell", cell);
    archive.read("layers", layers);
    archive.read("hidden", hidden);
    archive.read("symbols", symbols);
    archive.read("model", parameters);
    Alphabet alphabet(symbols.toStringRef());
    auto model = std::make_shared<CharModelImpl>(CharModelImpl::Shape{
        cell_of(cell.toStringRef()), layers.toInt(), hidden.toInt(), alphabet.size()});
    model->load(parameters);
    return {std::move(model), std::move(alphabet)};
  } catch (const std::exception&) {
    throw BadFile("\"" + path + "\" is no model of sweepback train",
                  "name a file written by --save");
  }
}

}  // namespace sweepback::train
