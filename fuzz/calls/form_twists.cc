#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "fuzz/calls/twist_parts.h"
#include "fuzz/calls/twists.h"

namespace pteproof::fuzz {
namespace {

DraftTensor* DrawDraftTensor(Draft& draft, Choices& choices) {
  const auto all = ValuesOf(draft, ValueKind::kTensor);
  return all.empty() ? nullptr : &draft.At(choices.Of(all)).tensor;
}

bool BoundedOrNot(Draft& draft, Choices& choices) {
  DraftTensor* tensor = DrawDraftTensor(draft, choices);
  if (tensor == nullptr) return false;
  tensor->bounded = !tensor->bounded && !tensor->stored();
  return true;
}

// Bounds above what is used.
bool LargerBounds(Draft& draft, Choices& choices) {
  DraftTensor* tensor = DrawDraftTensor(draft, choices);
  if (tensor == nullptr || tensor->stored()) return false;
  tensor->bounded = true;
  for (int32_t& size : tensor->sizes) Grow(size, choices.Below(4));
  return true;
}

bool OtherSize(Draft& draft, Choices& choices) {
  DraftTensor* tensor = DrawDraftTensor(draft, choices);
  if (tensor == nullptr || tensor->sizes.empty()) return false;
  int32_t& size = choices.Of(tensor->sizes);
  int32_t larger = size;
  Grow(larger, 1);
  const std::array<int32_t, 8> sizes = {
      0, 1, larger, std::max(size - 1, 0), std::min(size, INT16_MAX) * 2, 17, INT32_MAX, 7};
  size = choices.Of(sizes);
  return true;
}

// One size of a call is another in all its tensors, so that they still fit; perhaps one more is 0.
bool SizeOfCall(Draft& draft, Choices& choices) {
  constexpr std::array<int32_t, 8> kSizes = {0, 0, 1, 2, 17, 1 << 20, INT32_MAX, 64};
  const auto calls = CallsOf(draft);
  if (calls.empty()) return false;
  const DraftStep& call = draft.steps[choices.Of(calls)];
  auto tensors = OperandTensors(draft, call);
  const auto results = WrittenTensors(draft, call);
  tensors.insert(tensors.end(), results.begin(), results.end());
  std::vector<int32_t> sizes;
  for (const int32_t v : tensors) {
    const auto& of_tensor = draft.At(v).tensor.sizes;
    sizes.insert(sizes.end(), of_tensor.begin(), of_tensor.end());
  }
  if (sizes.empty()) return false;
  const int32_t old_size = choices.Of(sizes);
  const int32_t new_size = choices.Of(kSizes);
  const int32_t empty = choices.Below(2) == 0 ? choices.Of(sizes) : -1;
  for (const int32_t v : tensors) {
    auto& of_tensor = draft.At(v).tensor.sizes;
    std::ranges::replace(of_tensor, old_size, new_size);
    std::ranges::replace(of_tensor, empty, 0);
  }
  return true;
}

bool OtherRank(Draft& draft, Choices& choices) {
  DraftTensor* tensor = DrawDraftTensor(draft, choices);
  if (tensor == nullptr) return false;
  constexpr std::array<size_t, 8> kRanks = {0, 1, 2, 3, 4, 5, 8, 16};
  tensor->sizes.resize(choices.Of(kRanks), 1);
  tensor->dim_order.clear();
  return true;
}

// Rank 16, without other elements.
bool MostDimensions(Draft& draft, Choices& choices) {
  DraftTensor* tensor = DrawDraftTensor(draft, choices);
  if (tensor == nullptr || tensor->sizes.size() > 16) return false;
  tensor->sizes.insert(tensor->sizes.begin(), 16 - tensor->sizes.size(), 1);
  tensor->dim_order.clear();
  return true;
}

bool OtherType(Draft& draft, Choices& choices) {
  DraftTensor* tensor = DrawDraftTensor(draft, choices);
  if (tensor == nullptr) return false;
  tensor->dtype = static_cast<ScalarType>(choices.Below(30));
  return true;
}

bool OtherOrder(Draft& draft, Choices& choices) {
  DraftTensor* tensor = DrawDraftTensor(draft, choices);
  if (tensor == nullptr || tensor->sizes.size() < 2) return false;
  auto& order = tensor->dim_order;
  order.resize(tensor->sizes.size());
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[choices.Below(i)]);
  return true;
}

// A result as large as its kernel makes it, whatever that is.
bool EveryResultVaries(Draft& draft, Choices& choices) {
  const auto calls = CallsOf(draft);
  if (calls.empty()) return false;
  for (const int32_t v : WrittenTensors(draft, draft.steps[choices.Of(calls)])) {
    DraftTensor& tensor = draft.At(v).tensor;
    tensor.bounded = !tensor.stored();
    for (int32_t& size : tensor.sizes) Grow(size, choices.Below(3));
  }
  return true;
}

constexpr std::array kFormTwists = {
    TwistRow{"size of call", SizeOfCall},        TwistRow{"size of call", SizeOfCall},
    TwistRow{"bounded or not", BoundedOrNot},    TwistRow{"larger bounds", LargerBounds},
    TwistRow{"other size", OtherSize},           TwistRow{"other rank", OtherRank},
    TwistRow{"most dimensions", MostDimensions}, TwistRow{"other type", OtherType},
    TwistRow{"other order", OtherOrder},         TwistRow{"every result varies", EveryResultVaries},
};

}  // namespace

std::span<const TwistRow> FormTwists() {
  return kFormTwists;
}

}  // namespace pteproof::fuzz
