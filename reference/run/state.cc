#include "reference/run/state.h"

#include <algorithm>

namespace pteproof {
namespace {

Contents InitialOf(const graph::Buffer& buffer) {
  if (buffer.initial) return std::make_shared<const TensorValue>(*buffer.initial);
  Sizes sizes;
  for (const SizeExpr& size : buffer.type.sizes) sizes.push_back(size.Constant().value_or(0));
  return std::make_shared<const TensorValue>(Zeros(buffer.type.dtype, std::move(sizes)));
}

}  // namespace

State::State(const graph::Module& module) {
  const size_t count = module.buffers.size();
  held_.resize((module.methods.size() + 1) * count);
  shared_.reserve(count);
  for (size_t b = 0; b < count; ++b) {
    shared_.push_back(module.buffers[b].shared);
    const Contents initial = InitialOf(module.buffers[b]);
    for (size_t at = b; at < held_.size(); at += count) held_[at] = initial;
  }
}

bool State::operator==(const State& other) const {
  return shared_ == other.shared_ &&
         std::ranges::equal(held_, other.held_, [](const Contents& a, const Contents& b) {
           return a == b || *a == *b;
         });
}

}  // namespace pteproof
