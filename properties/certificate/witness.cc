// Idea: each error of a rule on bytes names an instruction that loses something and one that reads
// it. A path through both shows the loss, after the instruction that made what is lost:
//
//   0: v3 made    2: v5 written over it    4: v3 read       ["read", 4, [method, jumps to 0, 2, 4]]
//
// If another call reads it, the first one goes on to its end, and there are two paths.
//
// Invariant: a witness is an offer. The checker follows it, and takes it only if the read fails.
//
// Cost: one walk of the check for each method, and O(instructions) for each path.
#include "properties/certificate/witness.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rule_names.h"
#include "properties/certificate/paths.h"
#include "properties/checks/clobbers.h"

namespace pteproof::certificate {
namespace {

using Json = nlohmann::ordered_json;
using checks::Clobber;
using meaning::MethodMeaning;
using meaning::StateInstance;
using meaning::StateKey;
using meaning::Transfer;
using meaning::Write;

class WitnessFinder {
 public:
  WitnessFinder(const meaning::ProgramMeaning& meant, const Report& report, Policy policy)
      : meant_(meant), report_(report), policy_(policy) {}

  Json Find() && {
    for (const Finding& finding : report_.findings) {
      if (finding.severity == Severity::kError && finding.policies.Has(policy_)) Of(finding);
    }
    for (const bool observed : {true, false}) {
      for (size_t m = 0; m < meant_.methods.size() && !IsFull(); ++m) OfMethod(m, observed);
    }
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool IsFull() const { return found_.size() >= kMostWitnesses; }
  [[nodiscard]] static int32_t CountOf(const MethodMeaning& method) {
    return static_cast<int32_t>(method.method->instructions.size());
  }

  [[nodiscard]] std::optional<size_t> MethodNamed(std::string_view name) const {
    const auto named = [&](const MethodMeaning& m) { return m.method->name == name; };
    const auto found = std::ranges::find_if(meant_.methods, named);
    if (found == meant_.methods.end()) return std::nullopt;
    return static_cast<size_t>(found - meant_.methods.begin());
  }

  [[nodiscard]] std::optional<Json> CallThrough(size_t m,
                                                const std::vector<int32_t>& through) const {
    const auto jumps = PathThrough(meant_.methods[m], through);
    if (!jumps) return std::nullopt;
    Json call = {m};
    for (const int32_t jump : *jumps) call.push_back(jump);
    return call;
  }

  void Offer(int32_t reader, const std::optional<Json>& call,
             const std::optional<Json>& before = Json()) {
    if (!call || !before || IsFull()) return;
    Json witness = {"read", reader, *call};
    if (!before->is_null()) witness.push_back(*before);
    if (std::ranges::find(found_, witness) == found_.end()) found_.push_back(std::move(witness));
  }

  void Of(const Finding& finding) {
    const std::string_view rule = finding.rule;
    const auto m = MethodNamed(finding.method);
    if (!m || IsFull()) return;
    if (rule == rule::kPlanBounds || rule == rule::kPlanAlignment) {
      found_.push_back({"place", *m, finding.values.front()});
    } else if (rule == rule::kInPlaceAlias && finding.instruction >= 0) {
      Offer(finding.instruction, CallThrough(*m, {finding.instruction}));
    } else if (rule == rule::kEntryValueLost && finding.instruction >= 0) {
      const int32_t end = CountOf(meant_.methods[*m]);
      Offer(end, CallThrough(*m, {finding.instruction, end}));
    } else if (rule == rule::kStateClobbered || rule == rule::kSharedLayout ||
               rule == rule::kStateSplit || rule == rule::kInitialisedTwice) {
      BetweenMethods(finding, *m);
    }
  }

  // The state that a finding between methods is about is a value of one of the two.
  void BetweenMethods(const Finding& finding, size_t m) {
    const auto other = MethodNamed(finding.other_method);
    if (!other) return;
    for (const StateKey& key : meant_.states.keys) {
      const bool is_it = std::ranges::any_of(key.instances, [&](const StateInstance& i) {
        const auto method = static_cast<size_t>(i.method);
        return (method == m || method == *other) &&
               std::ranges::find(finding.values, i.value) != finding.values.end();
      });
      if (!is_it) continue;
      const bool is_foreign = finding.rule == rule::kStateClobbered;
      for (const StateInstance& reader : key.instances) {
        if (reader.reads) ReadAfter(reader, is_foreign ? m : *other, finding, key);
      }
    }
  }

  void ReadAfter(const StateInstance& reader, size_t writer, const Finding& finding,
                 const StateKey& key) {
    const auto r = static_cast<size_t>(reader.method);
    const int32_t at = ReaderOf(reader);
    const MethodMeaning& writing = meant_.methods[writer];
    const bool writes_here = MethodNamed(finding.method) == writer && finding.instruction >= 0;
    std::vector<int32_t> through;
    if (writes_here) {
      through = {finding.instruction};
    } else if (const int32_t store = StoreOf(writer, key); store >= 0) {
      through = {store};
    }
    through.push_back(CountOf(writing));
    Offer(at, CallThrough(r, {at}), CallThrough(writer, through));
  }

  [[nodiscard]] int32_t ReaderOf(const StateInstance& state) const {
    const MethodMeaning& method = meant_.methods[static_cast<size_t>(state.method)];
    return method.state_uses[static_cast<size_t>(state.state)].reader;
  }

  // The last instruction of a method that stores to the buffer, or -1.
  [[nodiscard]] int32_t StoreOf(size_t m, const StateKey& key) const {
    const MethodMeaning& method = meant_.methods[m];
    const auto flow = method.flow();
    for (int32_t i = CountOf(method); i-- > 0;) {
      for (const Write& w : method.effects.WritesOf(static_cast<size_t>(i))) {
        const int32_t state = flow.StoredState(w);
        const bool is_it = std::ranges::any_of(key.instances, [&](const StateInstance& s) {
          return static_cast<size_t>(s.method) == m && s.state == state;
        });
        if (state >= 0 && is_it) return i;
      }
    }
    return -1;
  }

  // Of names whose next reader shows in an output, or of the others.
  void OfMethod(size_t m, bool observed) {
    const MethodMeaning& method = meant_.methods[m];
    const checks::Walk walk = checks::WalkBackwards(method.flow(), method.live);
    for (const Clobber& clobber : walk.clobbers) {
      if (IsFull()) return;
      const int32_t state = method.flow().EndOfState(clobber.victim);
      if (state >= 0) {
        StateLost(m, state, clobber);
      } else if (meaning::IsObserved(method, meant_.states, m, clobber.reader) == observed) {
        std::vector<int32_t> through = MakersBefore(method, clobber);
        const bool is_maker = !through.empty() && through.back() == clobber.instruction;
        if (clobber.instruction >= 0 && !is_maker) through.push_back(clobber.instruction);
        through.push_back(clobber.reader);
        Offer(clobber.reader, CallThrough(m, through));
      }
    }
  }

  // What the victim was made by before the clobber, as one instruction, or none: it is there at
  // entry, or only made further down, in a loop.
  static std::vector<int32_t> MakersBefore(const MethodMeaning& method, const Clobber& clobber) {
    std::vector<int32_t> makers;
    for (int32_t i = 0; i < CountOf(method); ++i) {
      const auto writes = method.effects.WritesOf(static_cast<size_t>(i));
      const auto births = method.aliases.BirthsBefore(i);
      if (std::ranges::find(writes, clobber.victim, &Write::value) != writes.end() ||
          std::ranges::find(births, clobber.victim, &Transfer::to) != births.end()) {
        makers.push_back(i);
      }
    }
    const auto behind = std::ranges::lower_bound(makers, clobber.instruction);
    if (makers.empty() || method.flow().IsThereAtEntry(clobber.victim)) return {};
    return {behind == makers.begin() ? *behind : *std::prev(behind)};
  }

  void StateLost(size_t m, int32_t state, const Clobber& clobber) {
    const auto key = static_cast<size_t>(meant_.states.key_of[m][static_cast<size_t>(state)]);
    std::vector<int32_t> through;
    if (clobber.instruction >= 0) through.push_back(clobber.instruction);
    through.push_back(CountOf(meant_.methods[m]));
    for (const StateInstance& reader : meant_.states.keys[key].instances) {
      const int32_t at = ReaderOf(reader);
      const auto r = static_cast<size_t>(reader.method);
      if (reader.reads) Offer(at, CallThrough(r, {at}), CallThrough(m, through));
    }
  }

  const meaning::ProgramMeaning& meant_;
  const Report& report_;
  Policy policy_;
  Json found_ = Json::array();
};

}  // namespace

Json WitnessesOf(const meaning::ProgramMeaning& meant, const Report& report, Policy policy) {
  return WitnessFinder(meant, report, policy).Find();
}

}  // namespace pteproof::certificate
