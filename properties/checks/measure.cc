#include <fmt/format.h>

#include <algorithm>

#include "base/rule_names.h"
#include "properties/checks/program_rules.h"
#include "properties/checks/wording.h"

namespace pteproof::checks {
namespace {

// A bank this much above its load is worth a note: what fragmentation of a sound plan rarely reaches.
constexpr double kNotableWaste = 1.25;
constexpr uint64_t kNotableBytes = 64;

// Bytes of a bank that values reserve and nothing uses, in ascending pieces.
class Phantoms {
 public:
  Phantoms(const MethodCheck& check, uint32_t bank) {
    for (size_t v = 0; v < check.roles.place.size(); ++v) {
      const Place& place = check.roles.place[v];
      if (place.empty() || place.bank != bank) continue;
      (IsUsed(check, v) ? used_ : unused_).push_back(place);
    }
    const auto by_lo = [](const Place& p) { return p.lo; };
    std::ranges::sort(used_, {}, by_lo);
    std::ranges::sort(unused_, {}, by_lo);
  }

  // unused minus used, by a merge of the two.
  std::vector<Place> Pieces() const {
    std::vector<Place> pieces;
    size_t u = 0;
    uint64_t done = 0;
    for (const Place& place : unused_) {
      uint64_t at = std::max(place.lo, done);
      for (size_t k = u; at < place.hi; ++k) {
        while (k < used_.size() && used_[k].hi <= at) k = u = k + 1;
        const uint64_t stop = k < used_.size() ? std::min(used_[k].lo, place.hi) : place.hi;
        if (stop > at) Push(pieces, {place.bank, at, stop});
        if (k >= used_.size() || used_[k].lo >= place.hi) break;
        at = std::max(at, used_[k].hi);
      }
      done = std::max(done, place.hi);
    }
    return pieces;
  }

 private:
  static void Push(std::vector<Place>& pieces, const Place& piece) {
    if (!pieces.empty() && pieces.back().hi == piece.lo) {
      pieces.back().hi = piece.hi;
    } else {
      pieces.push_back(piece);
    }
  }

  static bool IsUsed(const MethodCheck& check, size_t v) {
    const Usage& usage = check.roles.usage[v];
    const Role role = check.roles.of[v];
    return usage.touched() || usage.is_output || role == Role::kInput || role == Role::kState;
  }

  std::vector<Place> used_;
  std::vector<Place> unused_;
};

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

void TellPhantom(const MethodCheck& check, const BankUse& use, const std::vector<Place>& pieces, Report& report) {
  if (pieces.empty()) return;
  Finding finding = FindingAt(rule::kPhantomSlot, Severity::kWarning, *check.method, -1, {}, pieces.front());
  for (size_t v = 0; v < check.roles.place.size() && finding.values.size() < 8; ++v) {
    const bool inside = std::ranges::any_of(pieces, [&](const Place& p) { return p.Meets(check.roles.place[v]); });
    if (inside) finding.values.push_back(static_cast<int32_t>(v));
  }
  finding.story = fmt::format(
      "{} bytes of bank {} are reserved in '{}' and used by no instruction ({}{}).\n"
      "The device pays for them; a planner that counts an in-place result twice leaves such slots.",
      use.phantom, use.bank, use.method, Words(pieces.front()), pieces.size() > 1 ? " and others" : "");
  report.findings.push_back(std::move(finding));
}

void TellWaste(const MethodCheck& check, const BankUse& use, Report& report) {
  const bool notable = static_cast<double>(use.size) > kNotableWaste * static_cast<double>(use.load) &&
                       use.size >= use.load + kNotableBytes && check.walk.complete;
  if (!notable || use.phantom > 0) return;
  Finding finding =
      FindingAt(rule::kPlanWaste, Severity::kNote, *check.method, -1, {}, {use.bank, use.load, use.size});
  finding.story = fmt::format(
      "Bank {} of '{}' has {} bytes; at most {} are live at one time.\n"
      "A better plan may save up to {} bytes.",
      use.bank, use.method, use.size, use.load, use.size - use.load);
  report.findings.push_back(std::move(finding));
}

// An unplanned output may lie on an unplanned input that is dead before the output's first write.
void FindOverlays(const MethodCheck& check, Report& report) {
  for (const int32_t out : check.method->outputs) {
    if (check.roles.of[static_cast<size_t>(out)] != Role::kCaller || !check.graph.straight()) continue;
    const Usage& writes = check.roles.usage[static_cast<size_t>(out)];
    for (const int32_t in : check.method->inputs) {
      const Tensor* input = check.method->TensorOf(in);
      const Usage& reads = check.roles.usage[static_cast<size_t>(in)];
      if (input == nullptr || input->planned || reads.is_output || reads.last_write >= 0) continue;
      const bool dead = reads.last_read < writes.first_write;
      if (!dead || writes.first_write < 0 || input->nbytes < check.method->TensorOf(out)->nbytes) continue;
      report.overlays.push_back({check.method->name, out, in});
      break;
    }
  }
}

}  // namespace

void Measure(std::span<const MethodCheck> methods, Report& report) {
  for (const MethodCheck& check : methods) {
    for (uint32_t bank = 1; bank < check.method->bank_sizes.size(); ++bank) {
      BankUse use = UseOf(check, bank);
      if (use.size == 0 && use.peak == 0) continue;
      const std::vector<Place> pieces = Phantoms(check, bank).Pieces();
      for (const Place& piece : pieces) use.phantom += piece.hi - piece.lo;
      TellPhantom(check, use, pieces, report);
      TellWaste(check, use, report);
      report.banks.push_back(std::move(use));
    }
    FindOverlays(check, report);
  }
}

}  // namespace pteproof::checks
