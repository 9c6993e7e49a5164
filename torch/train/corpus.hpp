// SPDX-License-Identifier: Apache-2.0
// A text as training data: characters as whole numbers, in windows that follow one another.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sweepback/count.hpp"

namespace sweepback::train {

/// The bytes that occur in a text, in order; character i stands for `symbols[i]`.
struct Alphabet {
  std::string symbols;

  explicit Alphabet(const std::string& text);

  Count size() const { return static_cast<Count>(symbols.size()); }

  /// The characters of `text`. Throws BadFile, naming the byte, for one that is not of the alphabet.
  std::vector<std::int64_t> encode(const std::string& text) const;

 private:
  std::array<std::int64_t, 256> index_{};
};

/// The whole file. Throws BadFile where it cannot be read or is empty.
std::string read_text(const std::string& path);

/// A text read by `batch` readers at once, each in a part of its own, `length` characters at a time.
/// Where the parts end, all begin again.
///
/// Throws OutOfRange for a text too short to fill one window, naming the longest that works.
class Windows {
 public:
  Windows(std::vector<std::int64_t> text, Count batch, Count length);

  /// Row t of `characters`, `length + 1` rows of `batch`, is what the readers see at time t; row
  /// t + 1 is what they are to foretell.
  struct Window {
    std::vector<std::int64_t> characters;
    bool begins = false;  ///< the readers stand at the beginning: there is no state to carry on
  };
  Window next();

  /// Where the readers stand in their parts, and where they shall stand.
  Count at() const { return at_; }
  void go_to(Count at) { at_ = at; }

  Count batch() const { return batch_; }
  Count length() const { return length_; }

 private:
  std::vector<std::int64_t> text_;
  Count batch_, length_, part_;
  Count at_ = 0;
};

}  // namespace sweepback::train
