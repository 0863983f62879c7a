#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "base/rule_names.h"
#include "properties/checks/program_rules.h"
#include "properties/checks/wording.h"

namespace pteproof::checks {
namespace {

// A bank this much above its load is worth a note: what fragmentation of a sound plan rarely
// reaches.
constexpr double kNotableWaste = 1.25;
constexpr uint64_t kNotableBytes = 64;

// The largest power of two, up to a page, that the bank's placements are multiples of.
uint64_t GapAlignment(const MethodCheck& check, uint32_t bank) {
  uint64_t bits = 4096;
  bool several = false;
  for (const Place& place : check.roles.place) {
    if (place.bank != bank) continue;
    several = several || place.lo != 0;
    bits |= place.lo;
  }
  return several ? bits & (~bits + 1) : 16;
}

// Bytes of a bank that nothing in the method uses, in ascending pieces. What lies between an end
// and the next aligned offset, and a margin at the bank's end that exporters leave for delegates,
// is no waste of a slot.
std::vector<Place> PhantomsOf(const std::vector<Place>& state, const MethodCheck& check,
                              uint32_t bank) {
  constexpr uint64_t kMargin = 64;
  const uint64_t size = check.method->bank_sizes[bank];
  std::vector<Place> used;
  used.reserve(state.size() + check.roles.place.size());
  std::ranges::copy_if(state, std::back_inserter(used),
                       [&](const Place& p) { return p.bank == bank; });
  for (size_t v = 0; v < check.roles.place.size(); ++v) {
    const Usage& usage = check.roles.usage[v];
    const Role role = check.roles.of[v];
    if (check.roles.place[v].bank != bank || check.roles.place[v].empty()) continue;
    const bool is_used =
        usage.touched() || usage.is_output || role == Role::kInput || role == Role::kState;
    if (is_used) used.push_back(check.roles.place[v]);
  }
  std::ranges::sort(used, {}, [](const Place& p) { return p.lo; });
  const uint64_t alignment = GapAlignment(check, bank);
  std::vector<Place> pieces;
  uint64_t at = 0;
  for (const Place& place : used) {
    if (place.lo > at) pieces.push_back({bank, at, place.lo});
    at = std::max(at, (place.hi + alignment - 1) & ~(alignment - 1));
  }
  if (size > at && size - at > kMargin) pieces.push_back({bank, at, size});
  return pieces;
}

// Where any method keeps state, each place once: a bank for all methods is as large as all of it.
std::vector<Place> StatePlaces(std::span<const MethodCheck> methods) {
  std::vector<Place> places;
  for (const MethodCheck& check : methods) {
    for (const StateSlot& slot : check.roles.states) {
      if (!slot.place.empty()) places.push_back(slot.place);
    }
  }
  const auto key = [](const Place& p) { return std::tuple(p.bank, p.lo, p.hi); };
  std::ranges::sort(places, {}, key);
  places.erase(std::ranges::unique(places).begin(), places.end());
  return places;
}

BankUse UseOf(const MethodCheck& check, uint32_t bank) {
  BankUse use;
  use.method = check.method->name;
  use.bank = bank;
  use.size = check.method->bank_sizes[bank];
  for (const Place& place : check.roles.place) {
    if (place.bank == bank && !place.empty()) use.peak = std::max(use.peak, place.hi);
  }
  use.load = std::min(check.walk.load[bank], std::max(use.size, use.peak));
  return use;
}

void TellPhantom(const MethodCheck& check, const BankUse& use, const std::vector<Place>& pieces,
                 Report& report) {
  if (pieces.empty()) return;
  Finding finding =
      FindingAt(rule::kPhantomSlot, Severity::kWarning, *check.method, -1, {}, pieces.front());
  finding.story = fmt::format(
      "{} bytes of bank {} are reserved in '{}' and used by no instruction ({}{}).\n"
      "The device pays for them; a planner that counts an in-place result twice leaves such slots.",
      use.phantom, use.bank, use.method, Words(pieces.front()),
      pieces.size() > 1 ? " and others" : "");
  report.findings.push_back(std::move(finding));
}

// Bytes of a bank that other methods keep state in and this one does not touch: the bank is as
// large as all methods need.
uint64_t BytesOfOthers(const std::vector<Place>& state, const MethodCheck& check, uint32_t bank) {
  std::vector<Place> own;
  for (const StateSlot& slot : check.roles.states) own.push_back(slot.place);
  uint64_t bytes = 0;
  for (const Place& place : state) {
    if (place.bank == bank && std::ranges::find(own, place) == own.end())
      bytes += place.hi - place.lo;
  }
  return bytes;
}

void TellWaste(const MethodCheck& check, const BankUse& use, uint64_t others, Report& report) {
  const uint64_t needed = use.load + others;
  const bool notable =
      static_cast<double>(use.size) > kNotableWaste * static_cast<double>(needed) &&
      use.size >= needed + kNotableBytes && check.walk.complete;
  if (!notable || use.phantom > 0) return;
  Finding finding = FindingAt(rule::kPlanWaste, Severity::kNote, *check.method, -1, {},
                              {use.bank, use.load, use.size});
  finding.story = fmt::format(
      "Bank {} of '{}' has {} bytes; at most {} are live at one time.\n"
      "A better plan may save up to {} bytes.",
      use.bank, use.method, use.size, use.load, use.size - use.load);
  report.findings.push_back(std::move(finding));
}

// An unplanned output may lie on an unplanned input that is dead before the output's first write.
void FindOverlays(const MethodCheck& check, Report& report) {
  for (const int32_t out : check.method->outputs) {
    if (check.roles.of[static_cast<size_t>(out)] != Role::kCaller || !check.graph.straight())
      continue;
    const Usage& writes = check.roles.usage[static_cast<size_t>(out)];
    for (const int32_t in : check.method->inputs) {
      const Tensor* input = check.method->TensorOf(in);
      const Usage& reads = check.roles.usage[static_cast<size_t>(in)];
      if (input == nullptr || input->planned || reads.is_output || reads.last_write >= 0) continue;
      const bool dead = reads.last_read < writes.first_write;
      if (!dead || writes.first_write < 0 || input->nbytes < check.method->TensorOf(out)->nbytes)
        continue;
      report.overlays.push_back({check.method->name, out, in});
      break;
    }
  }
}

}  // namespace

void Measure(std::span<const MethodCheck> methods, Report& report) {
  const std::vector<Place> state = StatePlaces(methods);
  for (const MethodCheck& check : methods) {
    for (uint32_t bank = 1; bank < check.method->bank_sizes.size(); ++bank) {
      BankUse use = UseOf(check, bank);
      if (use.size == 0 && use.peak == 0) continue;
      const std::vector<Place> pieces = PhantomsOf(state, check, bank);
      for (const Place& piece : pieces) use.phantom += piece.hi - piece.lo;
      TellPhantom(check, use, pieces, report);
      TellWaste(check, use, BytesOfOthers(state, check, bank), report);
      report.banks.push_back(std::move(use));
    }
    FindOverlays(check, report);
  }
}

}  // namespace pteproof::checks
