// Idea: each name of the expression is a place, and a history is a walk from place to place
// (Glushkov's automaton). Place 0 is the start.
//
//   a (b | c)*     places  0 start, 1 a, 2 b, 3 c
//                  follow  0: 1    1: 2 3    2: 2 3    3: 2 3
//
// Invariant: from each place some walk goes on to the end of a word, as every part of an expression
// has a word. So each walk from the start is a history.
//
// Cost: O(names^2) to make, and for each step of a question one search forward.
#include "meaning/call_order.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace pteproof::meaning {

CallOrder::CallOrder(const CallPattern& pattern, const Program& program) {
  method_of_ = {-1};
  follow_.resize(1);
  const Ends all = Add(pattern, program);
  Join({0}, all.first);
}

void CallOrder::Join(const Places& last, const Places& first) {
  for (const size_t from : last) {
    Places& next = follow_[from];
    next.insert(next.end(), first.begin(), first.end());
    std::ranges::sort(next);
    next.erase(std::ranges::unique(next).begin(), next.end());
  }
}

CallOrder::Ends CallOrder::Add(const CallPattern& pattern, const Program& program) {
  using Kind = CallPattern::Kind;
  Ends ends;
  switch (pattern.kind) {
    case Kind::kCall: {
      const auto method = std::ranges::find(program.methods, pattern.method, &Method::name);
      method_of_.push_back(method == program.methods.end()
                               ? -1
                               : static_cast<int32_t>(method - program.methods.begin()));
      follow_.emplace_back();
      ends.first = ends.last = {follow_.size() - 1};
      return ends;
    }
    case Kind::kSequence:
      return AddSequence(pattern, program);
    case Kind::kChoice:
      for (const CallPattern& part : pattern.parts) {
        Ends other = Add(part, program);
        ends.empty = ends.empty || other.empty;
        std::ranges::move(other.first, std::back_inserter(ends.first));
        std::ranges::move(other.last, std::back_inserter(ends.last));
      }
      return ends;
    case Kind::kStar:
    case Kind::kPlus:
    case Kind::kOptional:
      ends = Add(pattern.parts.front(), program);
      if (pattern.kind != Kind::kOptional) Join(ends.last, ends.first);
      ends.empty = ends.empty || pattern.kind != Kind::kPlus;
      return ends;
  }
  return ends;
}

CallOrder::Ends CallOrder::AddSequence(const CallPattern& pattern, const Program& program) {
  Ends ends = {.empty = true, .first = {}, .last = {}};
  for (const CallPattern& part : pattern.parts) {
    Ends next = Add(part, program);
    Join(ends.last, next.first);
    if (ends.empty) std::ranges::copy(next.first, std::back_inserter(ends.first));
    if (!next.empty) ends.last.clear();
    std::ranges::move(next.last, std::back_inserter(ends.last));
    ends.empty = ends.empty && next.empty;
  }
  return ends;
}

bool CallOrder::IsCalled(int32_t method) const {
  return IsAny() || std::ranges::find(method_of_, method) != method_of_.end();
}

bool CallOrder::Has(std::initializer_list<CallStep> steps) const {
  if (IsAny()) return true;
  Places at = {0};
  for (const CallStep& step : steps) {
    std::vector<bool> seen(follow_.size(), false);
    Places found;
    Places open = std::move(at);
    while (!open.empty()) {
      const size_t from = open.back();
      open.pop_back();
      for (const size_t next : follow_[from]) {
        if (seen[next]) continue;
        seen[next] = true;
        if (method_of_[next] == step.method) found.push_back(next);
        const bool barred = std::ranges::find(step.without, method_of_[next]) != step.without.end();
        if (!barred) open.push_back(next);
      }
    }
    at = std::move(found);
  }
  return !at.empty();
}

CallOrder CallOrderOf(const Program& program, const Manifest* manifest) {
  if (manifest == nullptr || !manifest->calls.has_value()) return {};
  return {manifest->calls->pattern, program};
}

}  // namespace pteproof::meaning
