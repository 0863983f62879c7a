// Idea: a plan can lose a byte between calls only if one method touches bytes in which another one,
// or itself, keeps state. So few short sequences are worth a try before any random one:
//
//   m m m   m keeps state
//   b a b   a touches bytes of b's state: b stores, a overwrites, b reads
//   a b     a alone, before b has stored anything
//   w c r   w and r have state in common, and c touches it in between
//
// A method without state that touches nobody's, and whose instructions touch the same bytes in
// every call, is called until one call was compared. Methods that return constants are of that
// kind.
//
// Invariant: a method that is not of that kind is always called again. The trials are in an order
// that the seed decides, so that runs with other seeds try others first if there are too many.
// Cost: O(n log n) in values, and of pairs of methods in ranges of bytes; at most kMostTrials.
#include "properties/oracles/call_schedule.h"

#include <algorithm>
#include <map>
#include <span>

#include "meaning/opaque_calls.h"
#include "properties/oracles/common_banks.h"
#include "runtime/execute/written_constants.h"

namespace pteproof {
namespace {

constexpr size_t kMostTrials = 10'000;

struct BankBytes {
  uint64_t first = 0;
  uint64_t end = 0;
};
using RangesByBank = std::map<uint32_t, std::vector<BankBytes>>;  // sorted, apart

void SortAndJoin(RangesByBank& by_bank) {
  for (auto& [bank, ranges] : by_bank) {
    std::ranges::sort(ranges, {}, &BankBytes::first);
    std::vector<BankBytes> joined;
    for (const BankBytes& range : ranges) {
      if (joined.empty() || range.first > joined.back().end) {
        joined.push_back(range);
      } else {
        joined.back().end = std::max(joined.back().end, range.end);
      }
    }
    ranges = std::move(joined);
  }
}

bool HaveCommonBytes(std::span<const BankBytes> a, std::span<const BankBytes> b) {
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].first < b[j].end && b[j].first < a[i].end) return true;
    a[i].end < b[j].end ? ++i : ++j;
  }
  return false;
}

bool HaveCommonBytes(const RangesByBank& a, const RangesByBank& b) {
  return std::ranges::any_of(a, [&](const auto& entry) {
    const auto other = b.find(entry.first);
    return other != b.end() && HaveCommonBytes(entry.second, other->second);
  });
}

// Of banks that methods have in common.
struct MethodBytes {
  bool has_state = false;  // in any bank
  RangesByBank state;
  RangesByBank touched;
};

MethodBytes SharedBytesOf(const meaning::MethodMeaning& meant, Policy policy) {
  const Method& method = *meant.method;
  MethodBytes bytes;
  for (size_t v = 0; v < method.values.size(); ++v) {
    const Tensor* t = method.TensorOf(static_cast<int32_t>(v));
    const bool is_state = meant.roles.state_of[v] >= 0;
    bytes.has_state |= is_state;
    if (t == nullptr || !t->planned || t->nbytes == 0 || !IsInCommon(policy, t->bank)) continue;
    bytes.touched[t->bank].push_back({t->offset, t->offset + t->nbytes});
    if (is_state) bytes.state[t->bank].push_back({t->offset, t->offset + t->nbytes});
  }
  SortAndJoin(bytes.state);
  SortAndJoin(bytes.touched);
  return bytes;
}

// Whether every call touches the same bytes.
bool IsStraight(const Method& method) {
  return std::ranges::all_of(
             method.tensors,
             [](const Tensor& tensor) { return tensor.dynamism == Dynamism::kStatic; }) &&
         std::ranges::none_of(method.instructions, [](const Instruction& instruction) {
           return instruction.kind == InstructionKind::kJumpFalse;
         });
}

void Shuffle(std::vector<std::vector<int32_t>>& trials, Random& random) {
  for (size_t i = trials.size(); i > 1; --i) std::swap(trials[i - 1], trials[Below(random, i)]);
}

}  // namespace

CallSchedule::CallSchedule(const Program& program, const meaning::ProgramMeaning& meaning,
                           Policy policy, int longest, Random& random)
    : random_(random), longest_(static_cast<size_t>(std::max(longest, 1))) {
  const auto count = static_cast<int32_t>(program.methods.size());
  std::vector<MethodBytes> bytes;
  for (const auto& meant : meaning.methods) bytes.push_back(SharedBytesOf(meant, policy));
  std::vector<std::vector<int32_t>> disturbers(bytes.size());  // of a method's state
  std::vector<std::vector<int32_t>> partners(bytes.size());    // with state in common
  std::vector<bool> disturbs(bytes.size());
  for (int32_t b = 0; b < count; ++b) {
    const auto at_b = static_cast<size_t>(b);
    for (int32_t a = 0; a < count && pairs_.size() < kMostTrials; ++a) {
      const auto at_a = static_cast<size_t>(a);
      if (a == b || !HaveCommonBytes(bytes[at_a].touched, bytes[at_b].state)) continue;
      disturbs[at_a] = true;
      disturbers[at_b].push_back(a);
      pairs_.insert(std::minmax({a, b}));
      if (HaveCommonBytes(bytes[at_a].state, bytes[at_b].state)) partners[at_b].push_back(a);
    }
  }
  // Constants that are written to, against their declaration, are state of all their readers.
  const std::vector<uint64_t> written =
      WrittenConstantBytes(program, meaning::OpaqueCallsOf(meaning));
  const bool constants_change = std::ranges::any_of(written, [](uint64_t n) { return n > 0; });
  for (int32_t m = 0; m < count; ++m) {
    const auto at = static_cast<size_t>(m);
    has_state_.push_back(bytes[at].has_state || constants_change);
    const bool alone = !has_state_.back() && !disturbs[at];
    (alone && IsStraight(program.methods[at]) ? once_ : often_).push_back(m);
  }
  AddTrials(disturbers, partners);
  for (const int32_t m : once_) trials_.push_back({m});
}

void CallSchedule::AddTrials(const std::vector<std::vector<int32_t>>& disturbers,
                             const std::vector<std::vector<int32_t>>& partners) {
  std::vector<std::vector<int32_t>> triples;
  for (const int32_t b : often_) {
    const auto at = static_cast<size_t>(b);
    trials_.push_back(has_state_[at] ? std::vector<int32_t>{b, b, b} : std::vector<int32_t>{b});
    for (const int32_t a : disturbers[at]) {
      trials_.push_back({b, a, b});
      if (!has_state_[static_cast<size_t>(a)]) trials_.push_back({a, b});
      for (const int32_t w : partners[at]) {
        if (w != a && triples.size() < kMostTrials) triples.push_back({w, a, b});
      }
    }
  }
  Shuffle(trials_, random_);
  Shuffle(triples, random_);
  trials_.insert(trials_.begin(), triples.begin(), triples.end());  // taken from the back
}

std::vector<int32_t> CallSchedule::Next() {
  std::vector<int32_t> calls;
  while (!trials_.empty() && HasRoom(calls.size(), trials_.back())) {
    const std::vector<int32_t>& trial = trials_.back();
    const size_t room = std::min(trial.size(), longest_ - calls.size());
    calls.insert(calls.end(), trial.begin(), trial.begin() + static_cast<std::ptrdiff_t>(room));
    trials_.pop_back();
  }
  const size_t count = often_.size() + once_.size();
  if (!calls.empty() || count == 0) return calls;
  calls.resize(1 + Below(random_, std::min(longest_, 2 * count + 1)));
  for (int32_t& call : calls) {
    const size_t drawn = Below(random_, count);
    call = drawn < often_.size() ? often_[drawn] : once_[drawn - often_.size()];
  }
  return calls;
}

// A trial that is longer than any sequence loses its end.
bool CallSchedule::HasRoom(size_t used, const std::vector<int32_t>& trial) const {
  return used == 0 || used + trial.size() <= longest_;
}

void CallSchedule::Note(std::span<const int32_t> before, int32_t method) {
  std::erase(once_, method);
  for (const int32_t earlier : before) {
    if (pairs_.contains(std::minmax({earlier, method}))) orders_.emplace(earlier, method);
  }
}

size_t CallSchedule::pairs_tried() const {
  return static_cast<size_t>(std::ranges::count_if(pairs_, [&](const auto& pair) {
    return orders_.contains(pair) && orders_.contains({pair.second, pair.first});
  }));
}

}  // namespace pteproof
