#include "meaning/name_events.h"

#include <algorithm>

#include "reference/op_schema.h"

namespace pteproof::meaning {
namespace {

MakeKind KindOf(Access access) {
  return access == Access::kWrite ? MakeKind::kMade : MakeKind::kUpdated;
}

// Calls each(name, make) in listing order. A full store to a state's place makes the name of its
// end too.
template <class Each>
void ForEachMake(const MethodFlow& flow, Each each) {
  size_t next = 0;
  const auto& transfers = flow.aliases.transfers;
  const auto take = [&](int32_t instruction, Phase last) {
    for (; next < transfers.size() && transfers[next].instruction == instruction &&
           transfers[next].phase <= last;
         ++next) {
      each(transfers[next].to,
           Make{PointOf(transfers[next]), MakeKind::kTaken, static_cast<int32_t>(next)});
    }
  };
  for (int32_t i = 0; i < flow.instruction_count(); ++i) {
    take(i, Phase::kAt);
    for (const Write& w : flow.effects.WritesOf(static_cast<size_t>(i))) {
      if (w.access == Access::kFill) continue;
      each(w.value, Make{{i, Step::kWrite}, KindOf(w.access), -1});
      const int32_t state = flow.StoredState(w);
      if (state >= 0 && w.access == Access::kWrite &&
          flow.PlaceOf(w.value).Holds(flow.PlaceOf(flow.value_count() + state))) {
        each(flow.value_count() + state, Make{{i, Step::kWrite}, MakeKind::kMade, -1});
      }
    }
    take(i, Phase::kAfter);
  }
}

}  // namespace

Point PointOf(const Transfer& transfer) {
  switch (transfer.phase) {
    case Phase::kBefore:
      return {transfer.instruction, Step::kBefore};
    case Phase::kAt:
      return {transfer.instruction, Step::kRename};
    case Phase::kAfter:
      return {transfer.instruction, Step::kAfter};
  }
  return {transfer.instruction, Step::kAfter};
}

NameEvents::NameEvents(const MethodFlow& flow) {
  first_.assign(flow.method.values.size() + flow.roles.states.size() + 1, 0);
  ForEachMake(flow, [&](int32_t name, const Make&) { ++first_[static_cast<size_t>(name) + 1]; });
  for (size_t n = 1; n < first_.size(); ++n) first_[n] += first_[n - 1];
  makes_.resize(first_.back());
  std::vector<uint32_t> next(first_.begin(), first_.end() - 1);
  ForEachMake(flow, [&](int32_t name, const Make& make) {
    makes_[next[static_cast<size_t>(name)]++] = make;
  });
  for (int32_t i = 0; i < flow.instruction_count(); ++i) {
    for (const Write& w : flow.effects.WritesOf(static_cast<size_t>(i))) {
      if (w.access == Access::kFill) fills_.push_back({w.value, i});
    }
  }
}

std::span<const Make> NameEvents::Of(int32_t name) const {
  const auto n = static_cast<size_t>(name);
  return std::span(makes_).subspan(first_[n], first_[n + 1] - first_[n]);
}

const Make* NameEvents::LastBefore(int32_t name, Point at, int32_t from, int32_t transfer) const {
  const auto makes = Of(name);
  const auto comes_before = [&](const Make& make) {
    return make.at < at || (make.at == at && make.transfer >= 0 && make.transfer < transfer);
  };
  auto it = std::ranges::partition_point(makes, comes_before);
  if (it == makes.begin()) return nullptr;
  --it;
  return it->at.instruction >= from ? &*it : nullptr;
}

}  // namespace pteproof::meaning
