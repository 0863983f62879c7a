#include "properties/picture/marks.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "properties/group_findings.h"
#include "properties/verdict.h"

namespace pteproof::picture {
namespace {

bool HasValueOf(const Storage& storage, const Finding& finding) {
  return std::ranges::any_of(storage.parts, [&](const Part& part) {
    return std::ranges::find(finding.values, part.value) != finding.values.end();
  });
}

bool Covers(const Storage& storage, uint64_t lo, uint64_t hi) {
  return storage.lo < hi && lo < storage.hi && storage.kind != Kind::kReserved;
}

PointSpan HullOf(const Storage& storage) {
  return {storage.live.front().lower, storage.live.back().upper};
}

// The first stretch from `from` on in which both are in use; nothing where there is none.
std::optional<PointSpan> Meeting(const Storage& a, const Storage& b, int64_t from) {
  for (const PointSpan& x : a.live) {
    for (const PointSpan& y : b.live) {
      const PointSpan both = {std::max({x.lower, y.lower, from}), std::min(x.upper, y.upper)};
      if (both.lower < both.upper) return both;
    }
  }
  return std::nullopt;
}

// When it happens: while two meet; else the instruction of the finding; else all the while.
void SetTime(const Panel& panel, const Finding& finding, int64_t end, Mark& mark) {
  const int64_t point = finding.instruction < 0 ? PointSpan::kEntry : 2 * finding.instruction + 1;
  if (mark.storages.size() >= 2) {
    const auto both = Meeting(panel.storages[mark.storages[0]], panel.storages[mark.storages[1]],
                              finding.instruction < 0 ? PointSpan::kEntry : point - 1);
    mark.is_event = both.has_value();
    if (both) mark.at = *both;
  }
  if (mark.is_event) return;
  mark.is_event = finding.instruction >= 0;
  if (mark.is_event) {
    mark.at = {point, point + 1};
  } else if (mark.storages.empty()) {
    mark.at = {PointSpan::kEntry, end};
  } else {
    mark.at = HullOf(panel.storages[mark.storages[0]]);
  }
}

// In the finding's own method: the storages of the values that it names.
Mark MarkHere(const Panel& panel, size_t index, const Finding& finding, int64_t end) {
  Mark mark;
  mark.finding = index;
  if (finding.bytes) {
    mark.lo = finding.bytes->lo;
    mark.hi = finding.bytes->hi;
  }
  for (size_t s = 0; s < panel.storages.size(); ++s) {
    const Storage& storage = panel.storages[s];
    if (!HasValueOf(storage, finding)) continue;
    if (finding.bytes && !Covers(storage, mark.lo, mark.hi)) continue;
    if (!finding.bytes) {
      mark.lo = mark.storages.empty() ? storage.lo : std::min(mark.lo, storage.lo);
      mark.hi = std::max(mark.hi, storage.hi);
    }
    mark.storages.push_back(s);
  }
  SetTime(panel, finding, end, mark);
  return mark;
}

// The names of the state that the finding's values are, in its own method.
std::vector<std::string_view> StateNames(const Panel& panel, const Finding& finding) {
  std::vector<std::string_view> names;
  for (const Storage& storage : panel.storages) {
    if (storage.kind != Kind::kState || !HasValueOf(storage, finding)) continue;
    for (const Part& part : storage.parts) {
      if (!part.name.empty()) names.emplace_back(part.name);
    }
  }
  return names;
}

bool IsNamed(const Storage& storage, std::span<const std::string_view> names) {
  return std::ranges::any_of(storage.parts, [&](const Part& part) {
    return std::ranges::find(names, part.name) != names.end();
  });
}

// In another method: state of the same name, or in the bytes that the finding is about.
void MarkElsewhere(Panel& panel, size_t index, const Finding& finding,
                   std::span<const std::string_view> names) {
  for (size_t s = 0; s < panel.storages.size(); ++s) {
    const Storage& storage = panel.storages[s];
    if (storage.kind != Kind::kState) continue;
    const bool same_bytes = finding.bytes && Covers(storage, finding.bytes->lo, finding.bytes->hi);
    if (!same_bytes && !IsNamed(storage, names)) continue;
    const auto is_told = [&](const Mark& mark) {  // another instance of the finding
      return mark.finding == index && mark.elsewhere && mark.storages.front() == s;
    };
    if (std::ranges::any_of(panel.marks, is_told)) continue;
    panel.marks.push_back({index, true, storage.lo, storage.hi, HullOf(storage), false, {s}});
  }
}

void MarkFinding(size_t index, const Finding& finding, Picture& picture) {
  const auto method = std::ranges::find(picture.methods, finding.method, &MethodAxis::name);
  if (method == picture.methods.end()) return;
  const auto bank = std::ranges::find(picture.banks, finding.bank, &Bank::id);
  if (bank == picture.banks.end()) return;
  const auto m = static_cast<size_t>(method - picture.methods.begin());
  bank->panels[m].marks.push_back(MarkHere(bank->panels[m], index, finding, method->end()));
  if (finding.policies == PolicySet::All()) return;
  const std::vector<std::string_view> names = StateNames(bank->panels[m], finding);
  for (Panel& panel : bank->panels) {
    if (panel.method != m) MarkElsewhere(panel, index, finding, names);
  }
}

}  // namespace

bool IsMarked(const Finding& finding, const Picture& picture) {
  return IsGrave(finding) && finding.policies.Has(picture.policy);
}

void MarkFindings(const Report& report, Picture& picture) {
  size_t marked = 0;
  for (size_t f = 0; f < report.findings.size() && marked < kMostMarked; ++f) {
    if (!IsMarked(report.findings[f], picture)) continue;
    for (const Finding& one : UngroupFindings({report.findings[f]})) MarkFinding(f, one, picture);
    ++marked;
  }
}

}  // namespace pteproof::picture
