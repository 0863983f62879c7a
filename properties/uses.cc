#include "properties/uses.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace pteproof {
namespace {

// One that no method's name ends with.
std::string UnusedSuffix(const Program& program) {
  std::string suffix = " (loaded again)";
  while (std::ranges::any_of(program.methods,
                             [&](const Method& m) { return m.name.ends_with(suffix); })) {
    suffix += '*';
  }
  return suffix;
}

// Findings of one key tell the same of two loads.
auto KeyOf(const Finding& f) {
  const ByteRange bytes = f.bytes.value_or(ByteRange{});
  const auto held = [&](Policy policy) { return f.policies.Has(policy); };
  return std::tuple(f.rule, f.severity, f.undecided, f.method, f.other_method, f.instruction,
                    f.values, f.bank, bytes.lo, bytes.hi, held(Policy::kPrivate),
                    held(Policy::kShare12), held(Policy::kShareAll));
}

}  // namespace

UnderUse::UnderUse(const Program& program, const CheckOptions& options)
    : given_(program), options_(options), doubled_(options.use == Use::kReload) {
  if (!doubled_) return;
  suffix_ = UnusedSuffix(program);
  twice_ = program;
  for (const Method& method : program.methods) {
    twice_.methods.push_back(method);
    twice_.methods.back().name += suffix_;
  }
  if (options.manifest == nullptr) return;
  manifest_ = *options.manifest;
  manifest_.calls.reset();
  for (const auto& [name, stated] : options.manifest->methods) {
    manifest_.methods.emplace(name + suffix_, stated);
  }
  if (manifest_.buffers) {
    for (auto& [_, buffer] : *manifest_.buffers) {
      const auto names = buffer.names;
      for (const auto& [method, its] : names) buffer.names.emplace(method + suffix_, its);
    }
  }
  options_.manifest = &manifest_;
}

bool UnderUse::IsSecond(const std::string& method) const {
  return method.ends_with(suffix_);
}

Report UnderUse::Restored(Report report) const {
  if (options_.use == Use::kConcurrent) {
    report.assumptions.emplace_back(
        "calls of different methods run at the same time, after all of them are loaded");
  }
  if (!doubled_) return report;
  report.assumptions.emplace_back(
      "each method is loaded twice from one program object, and both are called in any order");
  const auto own = [&](std::string& name) {
    if (IsSecond(name)) name.resize(name.size() - suffix_.size());
  };
  std::set<decltype(KeyOf({}))> told;
  std::vector<Finding> kept;
  for (Finding& finding : report.findings) {
    own(finding.method);
    own(finding.other_method);
    if (told.insert(KeyOf(finding)).second) kept.push_back(std::move(finding));
  }
  report.findings = std::move(kept);
  std::erase_if(report.banks, [&](const BankUse& use) { return IsSecond(use.method); });
  std::erase_if(report.overlays, [&](const IoOverlay& each) { return IsSecond(each.method); });
  return report;
}

}  // namespace pteproof
