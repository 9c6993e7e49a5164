// SPDX-License-Identifier: Apache-2.0
// calibrate --compress: a file of states becomes a tier.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <ostream>
#include <vector>

#include "command.hpp"
#include "sizes.hpp"
#include "sweepback/measure_compression.hpp"
#include "usage.hpp"

namespace sweepback::cli {

namespace {

constexpr Count states_at_most = 16, bytes_at_most = Count{1} << 30;  // measured of a file
constexpr double least_that_pays = 1.05;

struct Sample {
  std::vector<std::byte> bytes;
  Count states = 0, of = 0, state_bytes = 0;
};

/// Some states of the file, from its first to its last.
Sample read_sample(const std::string& name, Count state_bytes) {
  const auto failed = [&] { return io_failed("cannot read " + name + ": " + std::strerror(errno), "name a file of states"); };
  std::ifstream file(name, std::ios::binary | std::ios::ate);
  if (!file) throw failed();
  const Count size = static_cast<Count>(file.tellg());
  if (state_bytes == 0) state_bytes = size;
  if (size < 1) throw OutOfRange(name + " is empty", "give a file of states");
  if (state_bytes < 1 || size % state_bytes != 0)
    throw OutOfRange(name + " has " + std::to_string(std::max<Count>(size, 0)) + " bytes, which is no whole number of states of " + std::to_string(state_bytes),
                     "give a file of one state or several, and the bytes of one as --state-bytes", {{"file", size}, {"state", state_bytes}});
  Sample sample{{}, 0, size / state_bytes, state_bytes};
  sample.states = std::min(sample.of, std::clamp<Count>(bytes_at_most / state_bytes, 1, states_at_most));
  sample.bytes.resize(static_cast<std::size_t>(sample.states * state_bytes));
  for (Count n = 0; n < sample.states; ++n) {
    const Count which = sample.states == 1 ? 0 : n * (sample.of - 1) / (sample.states - 1);
    file.seekg(static_cast<std::streamoff>(which * state_bytes));
    file.read(reinterpret_cast<char*>(sample.bytes.data()) + n * state_bytes, static_cast<std::streamsize>(state_bytes));
    if (!file) throw failed();
  }
  return sample;
}

}  // namespace

int run_calibrate_compression(const CalibrateRequest& request, const Output& output) {
  const Sample sample = read_sample(request.compress, request.state_bytes);
  const TierModel tier = request.lossy ? measure_compression(sample.bytes, sample.state_bytes, request.elements, *request.lossy)
                                       : measure_compression(sample.bytes, sample.state_bytes, request.elements);
  if (write_tier(tier, request, output)) return 0;
  output.out << fmt::format("{}: {} of {} {} of {}{}\n", request.compress, print_count(sample.states), print_count(sample.of),
                            sample.of == 1 ? "state" : "states", print_bytes(sample.state_bytes), request.lossy ? fmt::format(", each number within {:g}", request.lossy->bound) : "");
  output.out << fmt::format("  ratio    {:.2f}: {}\n", tier.ratio,
                            tier.ratio < least_that_pays ? "compression buys nothing here, plan without it" : "that of the worst of them, less 2 %");
  print_transfers(tier, sample.state_bytes, output);
  return 0;
}

}  // namespace sweepback::cli
