// Idea: a state is the set of what may remain of a word, each a list of parts (Antimirov's partial
// derivatives). A call takes its name from the front of those that begin with it.
//
//   a (b | c)*        a        (b | c)*        b        (b | c)*
//
// Invariant: no list is empty in front, so a call that Next names leads to a state. There are at
// most as many lists as names in the expression, plus one.
#include "properties/oracles/call_walk.h"

#include <string>
#include <string_view>

namespace pteproof {

CallWalk::CallWalk(const Program& program, const Manifest* manifest)
    : program_(program), manifest_(manifest) {
  if (manifest_ == nullptr || !manifest_->calls.has_value()) {
    manifest_ = nullptr;
  } else {
    rests_.insert({{&manifest_->calls->pattern, false}});
  }
}

// Each call that may come next, with what remains behind it.
template <class Use>
void CallWalk::Expand(const Use& use) const {
  using Kind = CallPattern::Kind;
  std::vector<Rest> open(rests_.begin(), rests_.end());
  std::set<Rest> seen = rests_;
  const auto add = [&](Rest rest) {
    if (seen.insert(rest).second) open.push_back(std::move(rest));
  };
  while (!open.empty()) {
    Rest rest = std::move(open.back());
    open.pop_back();
    if (rest.empty()) continue;
    const auto [pattern, begun] = rest.back();
    rest.pop_back();
    const bool repeats = pattern->kind == Kind::kStar || pattern->kind == Kind::kPlus;
    if (pattern->kind == Kind::kCall) {
      use(pattern->method, rest);
    } else if (pattern->kind == Kind::kSequence) {
      for (auto part = pattern->parts.rbegin(); part != pattern->parts.rend(); ++part) {
        rest.emplace_back(&*part, false);
      }
      add(std::move(rest));
    } else {
      const bool may_end =
          begun || pattern->kind == Kind::kStar || pattern->kind == Kind::kOptional;
      if (may_end) add(rest);
      if (repeats) rest.emplace_back(pattern, true);
      for (const CallPattern& part : pattern->parts) {
        Rest with_part = rest;
        with_part.emplace_back(&part, false);
        add(std::move(with_part));
      }
    }
  }
}

std::vector<int32_t> CallWalk::Next() const {
  std::set<std::string_view> names;
  if (manifest_ != nullptr) {
    Expand([&](const std::string& method, const Rest&) { names.insert(method); });
  }
  std::vector<int32_t> next;
  for (size_t m = 0; m < program_.methods.size(); ++m) {
    if (manifest_ == nullptr || names.contains(program_.methods[m].name)) {
      next.push_back(static_cast<int32_t>(m));
    }
  }
  return next;
}

void CallWalk::Call(int32_t method) {
  if (manifest_ == nullptr) return;
  const std::string& name = program_.methods[static_cast<size_t>(method)].name;
  std::set<Rest> rests;
  Expand([&](const std::string& called, const Rest& rest) {
    if (called == name) rests.insert(rest);
  });
  rests_ = std::move(rests);
}

}  // namespace pteproof
