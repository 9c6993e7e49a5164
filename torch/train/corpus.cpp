// SPDX-License-Identifier: Apache-2.0
#include "corpus.hpp"

#include <fstream>
#include <iterator>
#include <utility>

#include "sweepback/error.hpp"

namespace sweepback::train {

namespace {

std::string shown(char c) {
  const std::string byte = "byte " + std::to_string(static_cast<unsigned char>(c));
  return c > ' ' && c <= '~' ? std::string("\"") + c + "\" (" + byte + ")" : byte;
}

}  // namespace

Alphabet::Alphabet(const std::string& text) {
  std::array<bool, 256> seen{};
  for (const char c : text) seen[static_cast<unsigned char>(c)] = true;
  index_.fill(-1);
  for (std::size_t byte = 0; byte < seen.size(); ++byte) {
    if (!seen[byte]) continue;
    index_[byte] = size();
    symbols.push_back(static_cast<char>(byte));
  }
}

std::vector<std::int64_t> Alphabet::encode(const std::string& text) const {
  std::vector<std::int64_t> characters;
  characters.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (index_[byte] < 0)
      throw BadFile("the text holds " + shown(c) + ", which the model never saw",
                    "train a new model on it (leave --load out)", {{"byte", byte}});
    characters.push_back(index_[byte]);
  }
  return characters;
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file.good() && !file.eof()) text.clear();
  if (text.empty())
    throw BadFile("\"" + path + "\" cannot be read or is empty",
                  "name a file of plain text: --text FILE");
  return text;
}

Windows::Windows(std::vector<std::int64_t> text, Count batch, Count length)
    : text_(std::move(text)),
      batch_(batch),
      length_(length),
      part_(static_cast<Count>(text_.size()) / batch) {
  if (part_ > length) return;
  const auto all = static_cast<Count>(text_.size());
  throw OutOfRange("the text has " + std::to_string(all) + " characters: too few for --batch " +
                       std::to_string(batch) + " readers of --length " + std::to_string(length),
                   part_ > 1 ? "give a longer text, or --length " + std::to_string(part_ - 1) +
                                   " or less, or a smaller --batch"
                             : "give a longer text, or a smaller --batch",
                   {{"characters", all}, {"batch", batch}, {"length", length}});
}

Windows::Window Windows::next() {
  if (at_ + length_ >= part_) at_ = 0;
  Window window;
  window.begins = at_ == 0;
  window.characters.reserve(static_cast<std::size_t>((length_ + 1) * batch_));
  for (Count t = 0; t <= length_; ++t)
    for (Count reader = 0; reader < batch_; ++reader)
      window.characters.push_back(text_[static_cast<std::size_t>(reader * part_ + at_ + t)]);
  at_ += length_;
  return window;
}

}  // namespace sweepback::train
