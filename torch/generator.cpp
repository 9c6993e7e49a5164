// SPDX-License-Identifier: Apache-2.0
#include "sweepback/torch/generator.hpp"

#include <torch/torch.h>
#include <ATen/CPUGeneratorImpl.h>

#include <cstring>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>

#include "sweepback/error.hpp"

namespace sweepback::torch {

namespace {

// The engine, and the second number of a normal pair where one is waiting.
struct Record {
  at::mt19937_data_pod engine;
  float next_float;
  double next_double;
  bool has_float, has_double;
};
static_assert(std::is_trivially_copyable_v<Record>);

at::CPUGeneratorImpl& generator() {
  const at::Generator& shared = at::detail::getDefaultCPUGenerator();
  return *shared.get<at::CPUGeneratorImpl>();
}

void read(Record& record) {
  std::memset(static_cast<void*>(&record), 0, sizeof record);  // padding is compared too
  at::CPUGeneratorImpl& from = generator();
  const std::lock_guard lock(from.mutex_);
  record.engine = from.engine().data();
  if (const auto next = from.next_float_normal_sample()) {
    record.next_float = *next;
    record.has_float = true;
  }
  if (const auto next = from.next_double_normal_sample()) {
    record.next_double = *next;
    record.has_double = true;
  }
}

at::Tensor keep(const Record& record) {
  const at::NoGradGuard no_grad;
  at::Tensor bytes = at::empty({static_cast<int64_t>(sizeof record)}, at::kByte);
  std::memcpy(bytes.data_ptr(), &record, sizeof record);
  return bytes;
}

}  // namespace

Position Position::now() {
  Record record;
  read(record);
  Position position;
  position.bytes_ = keep(record);
  return position;
}

Position Position::now(const Position& last) {
  Record record;
  read(record);
  if (last.bytes_.defined() && std::memcmp(last.bytes_.data_ptr(), &record, sizeof record) == 0)
    return last;
  Position position;
  position.bytes_ = keep(record);
  return position;
}

Count Position::size() { return static_cast<Count>(sizeof(Record)); }

at::Tensor Position::as_tensor() const { return bytes_.defined() ? bytes_ : at::empty({0}, at::kByte); }

Position Position::of(const at::Tensor& bytes) {
  Position position;
  if (bytes.numel() == 0) return position;
  if (bytes.scalar_type() != at::kByte || bytes.numel() != size() || !bytes.is_contiguous())
    throw OutOfRange("a position of the generator in " + std::to_string(bytes.numel()) + " numbers", "give what as_tensor gave",
                     {{"bytes", size()}});
  position.bytes_ = bytes;
  return position;
}

void Position::restore() const {
  if (!bytes_.defined()) return;
  Record record;
  std::memcpy(static_cast<void*>(&record), bytes_.data_ptr(), sizeof record);
  at::CPUGeneratorImpl& to = generator();
  const std::lock_guard lock(to.mutex_);
  at::mt19937 engine;
  engine.set_data(record.engine);
  to.set_engine(engine);
  using Float = decltype(to.next_float_normal_sample());
  using Double = decltype(to.next_double_normal_sample());
  to.set_next_float_normal_sample(record.has_float ? Float(record.next_float) : Float());
  to.set_next_double_normal_sample(record.has_double ? Double(record.next_double) : Double());
}

}  // namespace sweepback::torch
