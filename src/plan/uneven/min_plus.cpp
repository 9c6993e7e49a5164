// SPDX-License-Identifier: Apache-2.0
// One text, compiled for three widths of vector registers; the widest that the machine has is taken.
#include "min_plus.hpp"

#include <cstring>

namespace sweepback::detail::uneven {

namespace {

template <int width>
struct Vector {
  typedef Cell type __attribute__((vector_size(width * 4)));
};

template <int width, int rows>
[[gnu::always_inline]] inline void scan(const Cell* const* left, const Cell* const* right,
                                        std::ptrdiff_t stride, int count, Cell (*best)[lanes]) {
  using V = typename Vector<width>::type;
  constexpr int pieces = lanes / width, together = pieces < 2 ? pieces : 2;
  for (int from = 0; from < pieces; from += together) {
    V least[rows][together];
    for (int r = 0; r < rows; ++r)
      for (int p = 0; p < together; ++p) std::memcpy(&least[r][p], best[r] + (from + p) * width, sizeof(V));
    for (int n = 0; n < count; ++n)
      for (int p = 0; p < together; ++p) {
        const std::ptrdiff_t at = (from + p) * width;
        V below;
        std::memcpy(&below, left[n] + at, sizeof below);
        for (int r = 0; r < rows; ++r) {
          V sum;
          std::memcpy(&sum, right[n] + r * stride + at, sizeof sum);
          sum += below;
          least[r][p] = sum < least[r][p] ? sum : least[r][p];
        }
      }
    for (int r = 0; r < rows; ++r)
      for (int p = 0; p < together; ++p) std::memcpy(best[r] + (from + p) * width, &least[r][p], sizeof(V));
  }
}

using Four = void (*)(const Cell* const*, const Cell* const*, std::ptrdiff_t, int, Cell (*)[lanes]);
using One = void (*)(const Cell* const*, const Cell* const*, int, Cell*);

template <int width>
[[gnu::always_inline]] inline void one(const Cell* const* left, const Cell* const* right, int count, Cell* best) {
  scan<width, 1>(left, right, 0, count, reinterpret_cast<Cell(*)[lanes]>(best));
}

#if defined(__x86_64__)
[[gnu::target("avx512f")]] void four_avx512(const Cell* const* l, const Cell* const* r, std::ptrdiff_t s,
                                            int n, Cell (*b)[lanes]) {
  scan<16, columns>(l, r, s, n, b);
}
[[gnu::target("avx512f")]] void one_avx512(const Cell* const* l, const Cell* const* r, int n, Cell* b) {
  one<16>(l, r, n, b);
}
[[gnu::target("avx2")]] void four_avx2(const Cell* const* l, const Cell* const* r, std::ptrdiff_t s, int n,
                                       Cell (*b)[lanes]) {
  scan<8, columns>(l, r, s, n, b);
}
[[gnu::target("avx2")]] void one_avx2(const Cell* const* l, const Cell* const* r, int n, Cell* b) {
  one<8>(l, r, n, b);
}
#endif
void four_any(const Cell* const* l, const Cell* const* r, std::ptrdiff_t s, int n, Cell (*b)[lanes]) {
  scan<4, columns>(l, r, s, n, b);
}
void one_any(const Cell* const* l, const Cell* const* r, int n, Cell* b) { one<4>(l, r, n, b); }

struct Widest {
  Four four = four_any;
  One one = one_any;
  Widest() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) {
      four = four_avx512;
      one = one_avx512;
    } else if (__builtin_cpu_supports("avx2")) {
      four = four_avx2;
      one = one_avx2;
    }
#endif
  }
};

const Widest& widest() {
  static const Widest functions;
  return functions;
}

}  // namespace

void min_plus_four(const Cell* const* left, const Cell* const* right, std::ptrdiff_t stride, int count,
                   Cell (*best)[lanes]) {
  widest().four(left, right, stride, count, best);
}

void min_plus_one(const Cell* const* left, const Cell* const* right, int count, Cell* best) {
  widest().one(left, right, count, best);
}

}  // namespace sweepback::detail::uneven
