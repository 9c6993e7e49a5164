// SPDX-License-Identifier: Apache-2.0
#include "mixed_scan.hpp"

#include <cstring>

namespace sweepback::detail {

namespace {

template <int doubles>
struct Vector {
  typedef double type __attribute__((vector_size(doubles * 8)));
};

// Copies instead of casts: they compile to plain loads and stores.
template <int doubles>
[[gnu::always_inline]] inline void scan(const Lanes* left, const Lanes* right, Count row,
                                        Count first, Count last, Lanes* best) {
  using V = typename Vector<doubles>::type;
  constexpr int pieces = static_cast<int>(Lanes::width) / doubles;
  constexpr int together = pieces < 2 ? pieces : 2;  // with four rows, eight registers of results
  for (int from = 0; from < pieces; from += together) {
    const auto load = [from](V& value, const Lanes& lanes, int piece) __attribute__((always_inline)) {
      std::memcpy(&value, lanes.at + (from + piece) * doubles, sizeof value);
    };
    V least[rows_at_once][together];
    for (int r = 0; r < rows_at_once; ++r)
      for (int p = 0; p < together; ++p) load(least[r][p], best[r], p);
    for (Count j = first; j < last; ++j)
      for (int p = 0; p < together; ++p) {
        V below;
        load(below, left[j], p);
        for (int r = 0; r < rows_at_once; ++r) {
          V sum;
          load(sum, right[row + r - j], p);
          sum += below;
          least[r][p] = sum < least[r][p] ? sum : least[r][p];
        }
      }
    for (int r = 0; r < rows_at_once; ++r)
      for (int p = 0; p < together; ++p)
        std::memcpy(best[r].at + (from + p) * doubles, &least[r][p], sizeof(V));
  }
}

#if defined(__x86_64__)
[[gnu::target("avx512f")]] void scan_avx512(const Lanes* left, const Lanes* right, Count row,
                                            Count first, Count last, Lanes* best) {
  scan<8>(left, right, row, first, last, best);
}
[[gnu::target("avx2")]] void scan_avx2(const Lanes* left, const Lanes* right, Count row,
                                       Count first, Count last, Lanes* best) {
  scan<4>(left, right, row, first, last, best);
}
#endif

void scan_any(const Lanes* left, const Lanes* right, Count row, Count first, Count last,
              Lanes* best) {
  scan<2>(left, right, row, first, last, best);
}

auto widest() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return scan_avx512;
  if (__builtin_cpu_supports("avx2")) return scan_avx2;
#endif
  return scan_any;
}

}  // namespace

void scan_four(const Lanes* left, const Lanes* right, Count row, Count first, Count last,
               Lanes* best) {
  static const auto scan = widest();
  scan(left, right, row, first, last, best);
}

}  // namespace sweepback::detail
