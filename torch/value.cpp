// SPDX-License-Identifier: Apache-2.0
#include "sweepback/torch/value.hpp"

#include <torch/torch.h>

#include <utility>
#include <vector>

#include "sweepback/error.hpp"

namespace sweepback::torch {

namespace {

using Images = std::vector<std::pair<at::Tensor, at::Tensor>>;
using Map = std::function<at::Tensor(const at::Tensor&)>;

[[noreturn]] void refuse(const Value& value) {
  throw Unsupported("a state or input holds a " + value.tagKind(),
                    "use tensors, numbers, strings and None in tuples, lists and dictionaries");
}

bool plain(const Value& value) {
  return value.isNone() || value.isInt() || value.isDouble() || value.isBool() ||
         value.isString() || value.isComplexDouble() || value.isDevice();
}

at::Tensor image(const at::Tensor& tensor, const Map& f, Images& images) {
  if (!tensor.defined()) return tensor;
  for (const auto& [from, to] : images)
    if (from.is_same(tensor)) return to;
  return images.emplace_back(tensor, f(tensor)).second;
}

Value map(const Value& value, const Map& f, Images& images) {
  if (value.isTensor()) return image(value.toTensor(), f, images);
  if (value.isTuple()) {
    const auto tuple = value.toTuple();
    std::vector<Value> elements;
    for (const Value& element : tuple->elements()) elements.push_back(map(element, f, images));
    const auto type = tuple->type();
    return type->schema() ? c10::ivalue::Tuple::createNamed(std::move(elements), type)
                          : c10::ivalue::Tuple::create(std::move(elements));
  }
  if (value.isList()) {
    const auto list = value.toList();
    c10::impl::GenericList mapped(list.elementType());
    mapped.reserve(list.size());
    for (const Value& element : value.toListRef()) mapped.push_back(map(element, f, images));
    return mapped;
  }
  if (value.isGenericDict()) {
    const auto dict = value.toGenericDict();
    c10::impl::GenericDict mapped(dict.keyType(), dict.valueType());
    for (const auto& entry : dict) mapped.insert(entry.key(), map(entry.value(), f, images));
    return mapped;
  }
  if (!plain(value)) refuse(value);
  return value;
}

}  // namespace

void each_tensor(const Value& value, const std::function<void(const at::Tensor&)>& visit) {
  if (value.isTensor()) {
    if (value.toTensor().defined()) visit(value.toTensor());
  } else if (value.isTuple()) {
    for (const Value& element : value.toTupleRef().elements()) each_tensor(element, visit);
  } else if (value.isList()) {
    for (const Value& element : value.toListRef()) each_tensor(element, visit);
  } else if (value.isGenericDict()) {
    for (const auto& entry : value.toGenericDict()) each_tensor(entry.value(), visit);
  } else if (!plain(value)) {
    refuse(value);
  }
}

Value map_tensors(const Value& value, const Map& f) {
  Images images;
  return map(value, f, images);
}

bool differentiable(const at::Tensor& tensor) {
  return at::isFloatingType(tensor.scalar_type()) || at::isComplexType(tensor.scalar_type());
}

}  // namespace sweepback::torch
