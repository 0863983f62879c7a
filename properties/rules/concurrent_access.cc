// Idea: instructions of two methods come in any order, so that times tell nothing: a write of one
// and a use of the other must not have a byte of a shared bank in common. All accesses of all
// methods are sorted by their first byte. An access meets one that began before if the latter has
// not ended yet:
//
//   bank 1    put:  write v2 [0,32)           get:  read v5 [16,48)      they meet in [16,32)
//
// Of the writes before, and of the uses before, it is enough to know the two that end last, of two
// methods: if any of them reaches into an access of another method, one of these does.
//
// A use is a read, a store to a buffer (its value is wanted afterwards), memory that a call works
// in, and an output, which the caller reads. A value that nothing reads is written and not used.
//
// Cost: O(n log n) in accesses.
#include "properties/rules/concurrent_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <tuple>
#include <utility>

#include "base/rule_names.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {
namespace {

struct TimedAccess {
  Place place;
  int32_t method = 0;
  int32_t instruction = -1;  // -1: the caller
  int32_t value = 0;
  int32_t key = -1;  // the buffer that it touches; -1: none
  bool writes = false;
  bool uses = false;
};

// The accesses of a method to planned bytes.
class AccessList {
 public:
  AccessList(const ProgramFacts& facts, size_t m, std::vector<TimedAccess>& all)
      : facts_(facts), m_(m), meant_(facts.methods[m]), flow_(meant_.flow()), all_(all) {}

  void Collect() {
    for (const int32_t v : meant_.method->inputs) Add(v, -1, true, false);
    const int32_t count = flow_.instruction_count();
    for (int32_t i = 0; i < count; ++i) {
      for (const Read& r : flow_.effects.ReadsOf(static_cast<size_t>(i)))
        Add(r.value, i, false, true);
      for (const Write& w : flow_.effects.WritesOf(static_cast<size_t>(i))) {
        Add(w.value, i, true, w.is_scratch || flow_.StoredState(w) >= 0);
      }
    }
    for (const int32_t v : meant_.method->outputs) Add(v, count, false, true);
  }

 private:
  void Add(int32_t v, int32_t i, bool writes, bool uses) {
    if (meant_.method->TensorOf(v) == nullptr) return;
    AddAt(flow_.PlaceOf(v), v, i, writes, uses);
    if (meant_.moved.empty()) return;
    const auto moved = std::ranges::equal_range(
        meant_.moved, std::pair(i, v), {},
        [](const MovedPlace& at) { return std::pair(at.instruction, at.value); });
    for (const MovedPlace& at : moved) AddAt(flow_.PlaceOf(at.holder), v, i, writes, uses);
  }

  void AddAt(const Place& place, int32_t v, int32_t i, bool writes, bool uses) {
    if (place.empty()) return;
    all_.push_back({place, static_cast<int32_t>(m_), i, v, KeyOf(v), writes, uses});
  }

  // The buffer that the value is, or is a name of.
  [[nodiscard]] int32_t KeyOf(int32_t v) const {
    int32_t state = meant_.roles.StateInBank(v);
    if (state < 0) state = meant_.roles.StateInBank(flow_.aliases.root[static_cast<size_t>(v)]);
    return state < 0 ? -1 : facts_.states.key_of[m_][static_cast<size_t>(state)];
  }

  const ProgramFacts& facts_;
  size_t m_;
  const MethodMeaning& meant_;
  const MethodFlow flow_;
  std::vector<TimedAccess>& all_;
};

// Of the accesses so far the two that end last, of two methods.
class LastEnds {
 public:
  void Note(const TimedAccess& access) {
    for (const TimedAccess*& last : last_) {
      if (last != nullptr && last->method == access.method) {
        if (last->place.hi < access.place.hi) last = &access;
        return;
      }
    }
    const TimedAccess*& least = EndsBefore(last_[0], last_[1]) ? last_[0] : last_[1];
    if (EndsBefore(least, &access)) least = &access;
  }

  // One of another method that reaches into the access; null: none.
  [[nodiscard]] const TimedAccess* MeetingOf(const TimedAccess& access) const {
    for (const TimedAccess* last : last_) {
      if (last != nullptr && last->method != access.method && last->place.Meets(access.place))
        return last;
    }
    return nullptr;
  }

  void Clear() { last_ = {}; }

 private:
  static bool EndsBefore(const TimedAccess* a, const TimedAccess* b) {
    return a == nullptr || (b != nullptr && a->place.hi < b->place.hi);
  }

  std::array<const TimedAccess*, 2> last_ = {};
};

[[gnu::cold]] Finding TellMeeting(const ProgramFacts& facts, const TimedAccess& writer,
                                  const TimedAccess& user) {
  const Method& writes = facts.MethodAt(writer.method);
  const Method& uses = facts.MethodAt(user.method);
  const Place bytes = Common(writer.place, user.place);
  const bool is_race = writer.key >= 0 && writer.key == user.key;
  Finding finding = FindingAt(rule::kConcurrentAccess, Severity::kError, writes, writer.instruction,
                              {writer.value, user.value}, bytes);
  finding.policies = PoliciesSharing(bytes.bank);
  finding.other_method = uses.name;
  finding.other_bank = bytes.bank;
  const std::string first =
      fmt::format("{} of '{}' writes {}.", Capital(InstructionWords(writes, writer.instruction)),
                  writes.name, ValueWords(writes, writer.value));
  const std::string second =
      fmt::format("{} of '{}' {} {}", Capital(InstructionWords(uses, user.instruction)), uses.name,
                  user.writes ? "stores" : "reads", ValueWords(uses, user.value));
  if (is_race) {
    finding.explanation = fmt::format(
        "{}\n{}, the same buffer.\nIf both calls run at the same time, which of them comes first "
        "decides what the buffer holds, and a read may see a part of the store.",
        first, second);
    finding.fix = "Let one call at a time touch the buffer.";
  } else {
    finding.explanation = fmt::format(
        "{}\n{} in these bytes.\nIf both calls run at the same time, '{}' computes with bytes of "
        "'{}'.",
        first, second, uses.name, writes.name);
    finding.fix =
        "Call the methods one after the other, or load them with a loader that gives each banks of "
        "its own.";
  }
  return finding;
}

}  // namespace

std::vector<Finding> CheckConcurrentAccess(const ProgramFacts& facts) {
  std::vector<Finding> findings;
  if (facts.options.use != Use::kConcurrent) return findings;
  std::vector<TimedAccess> all;
  for (size_t m = 0; m < facts.methods.size(); ++m) AccessList(facts, m, all).Collect();
  std::ranges::stable_sort(
      all, {}, [](const TimedAccess& a) { return std::pair(a.place.bank, a.place.lo); });
  LastEnds writes;
  LastEnds uses;
  uint32_t bank = 0;
  std::set<std::tuple<int32_t, int32_t, uint32_t, bool>> told;
  const auto tell = [&](const TimedAccess* writer, const TimedAccess* user) {
    if (writer == nullptr || user == nullptr) return;
    const auto [a, b] = std::minmax(writer->method, user->method);
    const bool is_race = writer->key >= 0 && writer->key == user->key;
    if (told.emplace(a, b, bank, is_race).second) {
      findings.push_back(TellMeeting(facts, *writer, *user));
    }
  };
  for (const TimedAccess& access : all) {
    if (access.place.bank != bank) {
      bank = access.place.bank;
      writes.Clear();
      uses.Clear();
    }
    if (access.uses) tell(writes.MeetingOf(access), &access);
    if (access.writes) tell(&access, uses.MeetingOf(access));
    if (access.writes) writes.Note(access);
    if (access.uses) uses.Note(access);
  }
  return findings;
}

}  // namespace pteproof::checks
