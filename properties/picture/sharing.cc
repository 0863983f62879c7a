#include "properties/picture/sharing.h"

#include <algorithm>
#include <tuple>

#include "base/disjoint_sets.h"

namespace pteproof::picture {
namespace {

using checks::MethodFlow;
using checks::MethodMeaning;
using checks::MovedPlace;
using checks::Phase;
using checks::Place;
using checks::Read;
using checks::Transfer;
using checks::Write;

ValuePair Pair(int32_t a, int32_t b) {
  return std::minmax(a, b);
}

constexpr auto kByPlace = [](const Place& p) { return std::tuple(p.bank, p.lo, p.hi); };

class SharingFinder {
 public:
  SharingFinder(const MethodMeaning& meant, const std::set<ValuePair>& quarrels)
      : flow_(meant.flow()),
        moved_(meant.moved),
        quarrels_(quarrels),
        sets_(meant.method->values.size()),
        how_(meant.method->values.size(), How::kFirst) {}

  Sharing Run(const checks::ValueUses& uses) && {
    JoinTransfers();
    JoinRoots();
    for (int32_t i = 0; i < flow_.instruction_count(); ++i) JoinInPlace(i);
    for (const auto& [a, b] : uses.together) {
      if (flow_.PlaceOf(a) == flow_.PlaceOf(b)) Join(a, b, How::kBranch);
    }
    Sharing sharing;
    for (int32_t v = 0; v < flow_.value_count(); ++v) sharing.storage_of.push_back(sets_.Of(v));
    sharing.how = std::move(how_);
    return sharing;
  }

 private:
  void Join(int32_t older, int32_t newer, How how) {
    if (quarrels_.contains(Pair(older, newer))) return;
    sets_.Join(older, newer);
    How& known = how_[static_cast<size_t>(newer)];
    if (known == How::kFirst) known = how;
  }

  // Names that take over bytes stay with them, even if that is the error.
  void JoinTransfers() {
    for (const Transfer& t : flow_.aliases.transfers) {
      for (const int32_t source : flow_.aliases.SourcesOf(t)) {
        if (t.dynamic || !flow_.PlaceOf(t.to).Meets(flow_.PlaceOf(source))) continue;
        sets_.Join(source, t.to);
        how_[static_cast<size_t>(t.to)] = t.phase == Phase::kAfter ? How::kInPlace : How::kView;
      }
    }
  }

  void JoinRoots() {
    for (int32_t v = 0; v < flow_.value_count(); ++v) {
      const int32_t root = flow_.aliases.root[static_cast<size_t>(v)];
      if (root == v || !flow_.PlaceOf(v).Meets(flow_.PlaceOf(root))) continue;
      sets_.Join(root, v);
      How& known = how_[static_cast<size_t>(v)];
      if (known == How::kFirst) known = How::kView;
    }
  }

  // A result that takes the bytes of an operand.
  void JoinInPlace(int32_t i) {
    const auto writes = flow_.effects.WritesOf(static_cast<size_t>(i));
    if (std::ranges::none_of(writes, &Write::is_out)) return;
    NoteOperands(i);
    for (const Write& w : writes) {
      const Place& place = flow_.PlaceOf(w.value);
      if (!w.is_out || place.empty()) continue;
      const auto under = std::ranges::equal_range(operands_, kByPlace(place), {},
                                                  [](const auto& o) { return kByPlace(o.first); });
      for (const auto& [where, operand] : under) {
        if (operand != w.value) Join(operand, w.value, How::kInPlace);
      }
    }
  }

  // The values whose bytes instruction i reads, by place.
  void NoteOperands(int32_t i) {
    operands_.clear();
    for (const Read& r : flow_.effects.ReadsOf(static_cast<size_t>(i))) {
      const auto moved = std::ranges::equal_range(
          moved_, std::pair(i, r.value), {},
          [](const MovedPlace& m) { return std::pair(m.instruction, m.value); });
      for (const MovedPlace& m : moved) operands_.emplace_back(flow_.PlaceOf(m.holder), m.holder);
      if (moved.empty()) operands_.emplace_back(flow_.PlaceOf(r.value), r.value);
    }
    std::ranges::sort(operands_, {}, [](const auto& o) { return kByPlace(o.first); });
  }

  const MethodFlow flow_;
  std::span<const MovedPlace> moved_;
  const std::set<ValuePair>& quarrels_;
  DisjointSets sets_;
  std::vector<How> how_;
  std::vector<std::pair<Place, int32_t>> operands_;  // of one instruction
};

}  // namespace

std::set<ValuePair> QuarrelsIn(std::string_view method, std::span<const Finding> findings) {
  constexpr size_t kMostValues = 8;  // findings name few; those that name many list what is alike
  std::set<ValuePair> quarrels;
  for (const Finding& finding : findings) {
    if (finding.severity == Severity::kNote || finding.method != method) continue;
    const size_t count = std::min(finding.values.size(), kMostValues);
    for (size_t a = 0; a < count; ++a) {
      for (size_t b = a + 1; b < count; ++b) {
        quarrels.insert(Pair(finding.values[a], finding.values[b]));
      }
    }
  }
  return quarrels;
}

Sharing SharingOf(const MethodMeaning& meant, const checks::ValueUses& uses,
                  const std::set<ValuePair>& quarrels) {
  return SharingFinder(meant, quarrels).Run(uses);
}

}  // namespace pteproof::picture
