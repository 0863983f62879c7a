#include "properties/oracles/diff_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "properties/oracles/call_walk.h"
#include "properties/oracles/planned_run.h"
#include "properties/oracles/random_inputs.h"
#include "properties/oracles/tags/tagged_run.h"

namespace pteproof {
namespace {

std::string SizesText(const TensorValue& tensor) {
  return fmt::format("{}[{}]", Name(tensor.dtype), fmt::join(tensor.sizes, ", "));
}

std::string TensorDifference(const TensorValue& wanted, const TensorValue& got) {
  if (wanted.dtype != got.dtype || wanted.sizes != got.sizes) {
    return fmt::format("is {} instead of {}", SizesText(got), SizesText(wanted));
  }
  const auto [at, other] = std::ranges::mismatch(wanted.bytes, got.bytes);
  if (at == wanted.bytes.end()) return "";
  const auto byte = static_cast<size_t>(at - wanted.bytes.begin());
  const size_t size = ElementSize(wanted.dtype);
  size_t wrong = 0;
  for (size_t b = 0; b < wanted.bytes.size(); b += size) {
    wrong += std::memcmp(&wanted.bytes[b], &got.bytes[b], size) != 0 ? 1 : 0;
  }
  return fmt::format("({}) differs from element {} on, in {} of {} elements", SizesText(wanted),
                     byte / size, wrong, ElementCount(wanted));
}

// Empty: they are equal.
std::string DifferenceOf(std::span<const Datum> wanted, std::span<const Datum> got) {
  for (size_t o = 0; o < wanted.size(); ++o) {
    if (SameData(wanted.subspan(o, 1), got.subspan(o, 1))) continue;
    const auto* a = std::get_if<TensorValue>(&wanted[o]);
    const auto* b = std::get_if<TensorValue>(&got[o]);
    const std::string how =
        a != nullptr && b != nullptr ? TensorDifference(*a, *b) : "is a different number";
    if (!how.empty()) return fmt::format("output {} {}", o, how);
  }
  return "";
}

class Differ {
 public:
  Differ(const Program& program, const DiffOptions& options)
      : program_(program), options_(options), random_(options.seed) {}

  DiffReport Go() {
    for (int s = 0; s < options_.sequences && !report_.disagreement; ++s) Sequence();
    for (const auto& [method, compared] : compared_) {
      if (!compared) report_.never_compared.insert(method);
    }
    return std::move(report_);
  }

 private:
  void Sequence() {
    const auto length =
        1 + static_cast<int>(Below(random_, static_cast<uint64_t>(options_.longest)));
    auto planned = PlannedRun::Load(program_, {.policy = options_.policy,
                                               .semantics = Semantics::kHash,
                                               .writable_constants = true,
                                               .devices_on_host = true,
                                               .data = options_.data,
                                               .fuel = options_.fuel});
    if (!planned.ok()) {
      report_.not_compared[Reason(planned.error())] += length;
      return;
    }
    TaggedRun tagged(program_, {.policy = options_.policy,
                                .semantics = Semantics::kHash,
                                .data = options_.data,
                                .manifest = options_.manifest,
                                .fuel = options_.fuel});
    std::vector<std::string> called;
    CallWalk walk(program_, options_.manifest);
    for (int c = 0; c < length; ++c) {
      const std::vector<int32_t> next = walk.Next();
      if (next.empty()) return;
      const int32_t m = next[Below(random_, next.size())];
      walk.Call(m);
      called.push_back(program_.methods[static_cast<size_t>(m)].name);
      const int64_t before = report_.compared;
      const bool goes_on = Compare(m, planned.value(), tagged, called);
      compared_[called.back()] |= report_.compared > before;
      if (goes_on) continue;
      if (!report_.disagreement) report_.not_compared[reason_] += length - c;
      return;
    }
  }

  [[nodiscard]] const ManifestMethod* StatedOf(int32_t m) const {
    if (options_.manifest == nullptr) return nullptr;
    const auto& methods = options_.manifest->methods;
    const auto found = methods.find(program_.methods[static_cast<size_t>(m)].name);
    return found == methods.end() ? nullptr : &found->second;
  }

  // Makes a call in both; whether the sequence goes on.
  bool Compare(int32_t m, PlannedRun& planned, TaggedRun& tagged,
               const std::vector<std::string>& called) {
    const auto inputs =
        RandomInputs(program_.methods[static_cast<size_t>(m)], random_, StatedOf(m));
    const auto wanted = tagged.Call(m, inputs);
    const auto got = planned.Call(m, inputs);
    if ((!wanted.ok() || !got.ok()) && !tagged.finding()) {
      const bool unplaced = !got.ok() && got.error().kind == RunFault::Kind::kUnplaced;
      report_.unplaced |= unplaced;
      reason_ = wanted.ok() || unplaced ? Reason(got.error()) : wanted.error().explanation;
      return false;
    }
    ++report_.compared;
    std::string what;
    if (wanted.ok() && got.ok()) what = DifferenceOf(wanted.value(), got.value());
    if (what.empty() && !tagged.finding()) return true;
    report_.disagreement = {called, std::move(what), tagged.finding()};
    return false;
  }

  static std::string Reason(const RunFault& fault) {
    if (fault.instruction < 0) return fmt::format("'{}': {}", fault.method, fault.explanation);
    return fmt::format("'{}' instruction {}: {}", fault.method, fault.instruction,
                       fault.explanation);
  }

  const Program& program_;
  const DiffOptions& options_;
  Random random_;
  DiffReport report_;
  std::string reason_;
  std::map<std::string, bool> compared_;  // whether some call of a method was
};

}  // namespace

DiffReport DiffProgram(const Program& program, const DiffOptions& options) {
  if (program.methods.empty()) return {};
  return Differ(program, options).Go();
}

}  // namespace pteproof
