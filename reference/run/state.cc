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
  for (const graph::Buffer& buffer : module.buffers) {
    shared_.push_back(buffer.shared);
    held_.push_back(InitialOf(buffer));
  }
}

const Contents& State::Get(size_t method, size_t buffer) const {
  if (shared_[buffer]) return held_[buffer];
  const auto own = own_.find({method, buffer});
  return own == own_.end() ? held_[buffer] : own->second;
}

void State::Set(size_t method, size_t buffer, Contents contents) {
  (shared_[buffer] ? held_[buffer] : own_[{method, buffer}]) = std::move(contents);
}

bool State::operator==(const State& other) const {
  const auto same = [](const Contents& a, const Contents& b) { return a == b || *a == *b; };
  if (shared_ != other.shared_ || !std::ranges::equal(held_, other.held_, same)) return false;
  const auto holds = [&](const State& state, const auto& own) {
    const auto& [at, contents] = own;
    return same(state.Get(at.first, at.second), contents);
  };
  return std::ranges::all_of(own_, [&](const auto& own) { return holds(other, own); }) &&
         std::ranges::all_of(other.own_, [&](const auto& own) { return holds(*this, own); });
}

}  // namespace pteproof
