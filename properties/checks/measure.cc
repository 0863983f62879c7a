#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <tuple>

#include "base/rule_names.h"
#include "properties/bank_waste.h"
#include "properties/checks/check_plan.h"
#include "properties/rules/overlays.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {
namespace {

// A bank this much above its peak live bytes is worth a note: fragmentation of a sound plan rarely
// reaches that.
constexpr double kNotableWaste = 1.25;
constexpr uint64_t kNotableBytes = 64;

// Exporters leave as many bytes at the end of a bank for delegates, whose kernels read beyond the
// ends of their operands.
constexpr uint64_t kLargestGuard = 64;

// The extent of the placements of one bank.
struct Extent {
  uint64_t end = 0;      // the highest byte that one reaches
  uint64_t offsets = 0;  // all offsets, or-ed
};

// Per memory id.
std::vector<Extent> ExtentsOf(const MethodMeaning& meant) {
  std::vector<Extent> extents(meant.method->bank_sizes.size());
  for (const Place& place : meant.roles.place) {
    if (place.bank == 0) continue;
    Extent& extent = extents[place.bank];
    extent.offsets |= place.lo;
    if (!place.empty()) extent.end = std::max(extent.end, place.hi);
  }
  return extents;
}

// The largest power of two, up to a page, that the bank's placements are multiples of.
uint64_t GapAlignment(const Extent& extent) {
  const uint64_t bits = extent.offsets | 4096;
  return extent.offsets == 0 ? 16 : bits & (~bits + 1);
}

// Bytes below `end` rounded up to a power of two, but not beyond a bank of that size.
uint64_t RoundedUp(uint64_t end, uint64_t alignment, uint64_t size) {
  const uint64_t missing = (alignment - (end & (alignment - 1))) & (alignment - 1);
  return end + std::min(missing, size - end);
}

// The order of all lists of places here.
constexpr auto kByBank = [](const Place& p) { return std::tuple(p.bank, p.lo, p.hi); };

std::span<const Place> InBank(const std::vector<Place>& places, uint32_t bank) {
  const auto found = std::ranges::equal_range(places, bank, {}, &Place::bank);
  return {found.begin(), found.end()};
}

// Where any method keeps state, each place once: a bank for all methods is as large as all of it.
std::vector<Place> StatePlaces(std::span<const MethodMeaning> methods) {
  std::vector<Place> places;
  for (const MethodMeaning& meant : methods) {
    for (const StateSlot& slot : meant.roles.states) {
      if (!slot.place.empty()) places.push_back(slot.place);
    }
  }
  std::ranges::sort(places, {}, kByBank);
  places.erase(std::ranges::unique(places).begin(), places.end());
  return places;
}

// Bytes that something in the method uses, or that are some method's state.
std::vector<Place> UsedPlaces(const std::vector<Place>& state, const MethodMeaning& meant) {
  std::vector<Place> own;
  own.reserve(meant.roles.place.size());
  for (size_t v = 0; v < meant.roles.place.size(); ++v) {
    const Usage& usage = meant.roles.usage[v];
    const Role role = meant.roles.of[v];
    if (meant.roles.place[v].empty()) continue;
    const bool is_used =
        usage.touched() || usage.is_output || role == Role::kInput || role == Role::kState;
    if (is_used) own.push_back(meant.roles.place[v]);
  }
  std::ranges::sort(own, {}, kByBank);
  if (state.empty()) return own;
  std::vector<Place> used;
  used.reserve(own.size() + state.size());
  std::ranges::merge(own, state, std::back_inserter(used), {}, kByBank, kByBank);
  return used;
}

// Bytes of a bank that no value uses, in ascending pieces. Another method's bank may be larger than
// this one; bytes outside of this one are not waste here. Neither are the bytes between an end and
// the next aligned offset, or a margin at the end of the bank that exporters leave for delegates.
std::vector<Place> PhantomsOf(std::span<const Place> used, const BankUse& use, uint64_t alignment) {
  std::vector<Place> pieces;
  uint64_t at = 0;
  for (const Place& place : used) {
    if (place.lo >= use.size) break;
    if (place.lo > at) pieces.push_back({use.bank, at, place.lo});
    at = std::max(at, RoundedUp(std::min(place.hi, use.size), alignment, use.size));
  }
  if (use.size - at > kLargestGuard) pieces.push_back({use.bank, at, use.size});
  return pieces;
}

bool CallsADelegate(const Method& method) {
  return std::ranges::any_of(method.instructions, [](const Instruction& instruction) {
    return instruction.kind == InstructionKind::kDelegateCall;
  });
}

// Both measures count storages as planners reserve them, rounded up. So in a bank that holds its
// placements: peak live bytes (`load`) <= highest byte used (`peak`) <= size.
BankUse UseOf(const MethodMeaning& meant, const Walk& walk, uint32_t bank, uint64_t end,
              uint64_t alignment, bool has_delegate) {
  BankUse use;
  use.method = meant.method->name;
  use.bank = bank;
  use.size = meant.method->bank_sizes[bank];
  use.peak = end > use.size ? end : RoundedUp(end, alignment, use.size);
  use.load = std::min(walk.load[bank], use.peak);
  use.early_stores = use.load - std::min(walk.load_of_wanted[bank], use.load);
  const uint64_t behind = use.size - std::min(use.peak, use.size);
  if (has_delegate && behind <= kLargestGuard) use.guard = behind;
  return use;
}

// An in-place update whose result, had it a slot of its own, would have left this piece of it: the
// smallest that is large enough. -1: none.
int32_t UpdateBehind(const MethodMeaning& meant, const Place& piece, uint64_t alignment) {
  int32_t behind = -1;
  uint64_t least = 0;
  for (int32_t i = 0; i < static_cast<int32_t>(meant.method->instructions.size()); ++i) {
    const int32_t v = UpdatedInPlace(*meant.method, meant.effects, i);
    if (v < 0) continue;
    const uint64_t bytes = meant.method->TensorOf(v)->nbytes;
    const uint64_t slot = RoundedUp(bytes, alignment, std::max(bytes, piece.hi));
    const bool may_be = slot >= piece.hi - piece.lo && slot <= piece.hi;
    if (!may_be || (behind >= 0 && slot >= least)) continue;
    behind = i;
    least = slot;
  }
  return behind;
}

void TellPhantom(const MethodMeaning& meant, const BankUse& use, const std::vector<Place>& pieces,
                 uint64_t alignment, Report& report) {
  if (pieces.empty()) return;
  Finding finding =
      FindingAt(rule::kPhantomSlot, Severity::kWarning, *meant.method, -1, {}, pieces.front());
  const std::string where = fmt::format(
      "{} bytes of bank {} are reserved in '{}' and used by no instruction ({}{})", use.phantom,
      use.bank, use.method, Words(pieces.front()), pieces.size() > 1 ? " and others" : "");
  const int32_t update = UpdateBehind(meant, pieces.front(), alignment);
  if (update < 0) {
    finding.explanation = fmt::format(
        "{}.\nThe file does not show what the exporter reserved them for.\n"
        "Results are right, but the device reserves memory that it never uses.",
        where);
    finding.fix = "Make the plan smaller (`pteproof replan`).";
  } else {
    const int32_t updated = UpdatedInPlace(*meant.method, meant.effects, update);
    finding.explanation = fmt::format(
        "{}.\n{} updates {} in place: an exporter that reserves its result as well leaves such a "
        "slot.\nResults are right, but the device reserves memory that it never uses.",
        where, Capital(InstructionWords(*meant.method, update)),
        ValueWords(*meant.method, updated));
    finding.fix = "Export without the in-place rewrite.";
  }
  report.findings.push_back(std::move(finding));
}

// Bytes of a bank that other methods keep state in and this one does not touch: the bank is as
// large as all methods need.
uint64_t BytesOfOthers(std::span<const Place> state, std::span<const Place> own, uint64_t size) {
  uint64_t bytes = 0;
  uint64_t at = 0;
  auto mine = own.begin();
  for (const Place& place : state) {
    while (mine != own.end() && kByBank(*mine) < kByBank(place)) ++mine;
    if (mine != own.end() && *mine == place) continue;
    const uint64_t lo = std::max(place.lo, at);
    const uint64_t hi = std::min(place.hi, size);
    if (lo >= hi) continue;
    bytes += hi - lo;
    at = hi;
  }
  return bytes;
}

// What no other plan of the same instructions saves.
std::string EarlyStores(const BankUse& use) {
  if (use.early_stores == 0) return "";
  return fmt::format(", and stores that come earlier up to {} bytes besides", use.early_stores);
}

void TellWaste(const MethodMeaning& meant, const Walk& walk, const BankUse& use, uint64_t others,
               Report& report) {
  if (WasteOf(use) < others + kNotableBytes || use.phantom > 0 || !walk.complete) return;
  const uint64_t needed = use.load + use.guard + others;
  if (static_cast<double>(use.size) <= kNotableWaste * static_cast<double>(needed)) return;
  Finding finding = FindingAt(rule::kPlanWaste, Severity::kNote, *meant.method, -1, {},
                              {use.bank, use.load, use.size});
  finding.explanation = fmt::format(
      "Bank {} of '{}' has {} bytes, and its peak live bytes are {}.\n"
      "A better plan may save up to {} bytes{}.\n"
      "Results are right, but the device reserves more memory than it needs.",
      use.bank, use.method, use.size, use.load, use.size - needed, EarlyStores(use));
  finding.fix = "Plan again with another algorithm.";
  report.findings.push_back(std::move(finding));
}

void MeasureMethod(const MethodMeaning& meant, const Walk& walk, const std::vector<Place>& state,
                   Report& report) {
  const std::vector<Extent> extents = ExtentsOf(meant);
  const std::vector<Place> used = UsedPlaces(state, meant);
  const std::vector<Place> own = StatePlaces({&meant, 1});
  const uint64_t alignment = PlanAlignment(*meant.method);
  const bool has_delegate = CallsADelegate(*meant.method);
  for (uint32_t bank = 1; bank < extents.size(); ++bank) {
    const Extent& extent = extents[bank];
    BankUse use = UseOf(meant, walk, bank, extent.end, alignment, has_delegate);
    if (use.size == 0 && use.peak == 0) continue;
    const std::vector<Place> pieces = PhantomsOf(InBank(used, bank), use, GapAlignment(extent));
    for (const Place& piece : pieces) {
      use.phantom += piece.hi - piece.lo;
      use.phantoms.push_back({piece.lo, piece.hi});
    }
    TellPhantom(meant, use, pieces, alignment, report);
    TellWaste(meant, walk, use, BytesOfOthers(InBank(state, bank), InBank(own, bank), use.size),
              report);
    report.banks.push_back(std::move(use));
  }
}

}  // namespace

void Measure(std::span<const MethodMeaning> methods, std::span<const Walk> walks, Report& report) {
  const std::vector<Place> state = StatePlaces(methods);
  for (size_t m = 0; m < methods.size(); ++m) {
    MeasureMethod(methods[m], walks[m], state, report);
    std::ranges::move(OverlaysOf(methods[m]), std::back_inserter(report.overlays));
  }
}

}  // namespace pteproof::checks
