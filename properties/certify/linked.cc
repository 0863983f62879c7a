#include "properties/certify/linked.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/rule_names.h"
#include "base/work.h"
#include "properties/compare/random_calls.h"
#include "properties/oracles/decode_tensor.h"
#include "properties/oracles/replay.h"
#include "properties/oracles/replay_values.h"
#include "properties/proofs/prove.h"
#include "pteproof/check.h"
#include "runtime/execute/run_limits.h"

namespace pteproof::certify {
namespace {

using compare::Answer;
using compare::ComparedSide;

// The program with that method alone.
Program WithOne(const Program& program, const std::string& method) {
  Program one;
  one.constants = program.constants;
  one.initial_values = program.initial_values;
  one.named_data = program.named_data;
  one.signatures = program.signatures;
  const auto found = std::ranges::find(program.methods, method, &Method::name);
  if (found != program.methods.end()) one.methods.push_back(*found);
  return one;
}

Manifest InAnyOrder(const Manifest* manifest) {
  Manifest any;
  if (manifest != nullptr) any = *manifest;
  any.calls.reset();
  return any;
}

class LinkCertifier {
 public:
  LinkCertifier(std::span<const LinkedPart> parts, const ComparedSide& linked,
                const InitialState& initial, const CertifyOptions& options, PolicySet policies)
      : parts_(parts), linked_(linked), initial_(initial), options_(options), asked_(policies) {}

  LinkCertificate Go() {
    (void)(CheckFindsNoMore() && ProofIsNoWorse() && ComputesTheSame() && RunsAgree() &&
           InitialIsSet());  // `failure` tells
    return std::move(certificate_);
  }

 private:
  bool Fails(std::string why) {
    certificate_.failure = std::move(why);
    return false;
  }

  bool LeavesOpen(std::string why) {
    certificate_.open = true;
    return Fails(std::move(why));
  }

  static std::map<std::string, size_t> Warnings(const Report& report) {
    std::map<std::string, size_t> warnings;
    for (const Finding& finding : report.findings) {
      // Bytes between aligned buffers are reserved, and used by nothing.
      if (finding.rule == rule::kPhantomSlot) continue;
      if (finding.severity == Severity::kWarning) ++warnings[std::string(finding.rule)];
    }
    return warnings;
  }

  bool CheckFindsNoMore() {
    for (const Policy policy : kAllPolicies) {
      const bool right =
          asked_.Has(policy) && std::ranges::all_of(parts_, [&](const LinkedPart& part) {
            return part.right.Has(policy);
          });
      if (right) certificate_.policies.Add(policy);
    }
    if (certificate_.policies == PolicySet::None()) {
      return LeavesOpen("the programs are right under no policy that is asked for");
    }
    const Report report =
        Check(*linked_.program, {.manifest = linked_.manifest, .all_first = options_.all_first});
    certificate_.check = report.verdicts;
    for (const Policy policy : kAllPolicies) {
      const Verdict verdict = report.verdicts[static_cast<size_t>(policy)];
      if (!certificate_.policies.Has(policy) || verdict == Verdict::kSafe) continue;
      const auto why = std::ranges::find_if(report.findings, [&](const Finding& finding) {
        return finding.policies.Has(policy) &&
               (finding.severity == Severity::kError || finding.undecided);
      });
      return Fails(fmt::format("check says {} under {}{}", Name(verdict), Name(policy),
                               why == report.findings.end()
                                   ? std::string()
                                   : fmt::format(": {}: {}", why->rule, why->explanation)));
    }
    std::map<std::string, size_t> before;
    for (const LinkedPart& part : parts_) {
      for (const auto& [rule, count] : Warnings(*part.report)) before[rule] += count;
    }
    for (const auto& [rule, count] : Warnings(report)) {
      if (count <= before[rule]) continue;
      const auto why = std::ranges::find_if(report.findings, [&, &rule = rule](const Finding& f) {
        return f.rule == rule && f.severity == Severity::kWarning;
      });
      return Fails(fmt::format("check has a new warning, {}: {}", rule, why->explanation));
    }
    return true;
  }

  bool ProofIsNoWorse() {
    const proofs::Proof proof = proofs::Prove(
        *linked_.program, {.manifest = linked_.manifest, .all_first = options_.all_first});
    certificate_.proof = proof.verdicts;
    for (size_t o = 0; o < proof.decisions.size(); ++o) {
      const uint8_t asked = proof.obligations.list[o].policies.bits & certificate_.policies.bits;
      if (asked == 0) continue;
      const bool proved = proof.decisions[o].answer == proofs::Answer::kProved;
      ++(proved ? certificate_.proved : certificate_.unproved);
    }
    for (const Policy policy : kAllPolicies) {
      const Verdict verdict = proof.verdicts[static_cast<size_t>(policy)];
      if (!certificate_.policies.Has(policy) || verdict == Verdict::kSafe) continue;
      return Fails(fmt::format("the proof says {} under {}", Name(verdict), Name(policy)));
    }
    return true;
  }

  // Both sides with one method alone: state of other methods is none of its own, and that it leaves
  // them alone is what `check` and `prove` show.
  struct OneMethod {
    OneMethod(const ComparedSide& old_side, const ComparedSide& new_side, const std::string& method)
        : old_program(WithOne(*old_side.program, method)),
          new_program(WithOne(*new_side.program, method)),
          old_manifest(InAnyOrder(old_side.manifest)),
          new_manifest(InAnyOrder(new_side.manifest)),
          olds{&old_program, old_side.data, old_side.manifest ? &old_manifest : nullptr},
          news{&new_program, new_side.data, new_side.manifest ? &new_manifest : nullptr} {}
    OneMethod(const OneMethod&) = delete;
    OneMethod& operator=(const OneMethod&) = delete;
    ~OneMethod() = default;

    Program old_program;
    Program new_program;
    Manifest old_manifest;
    Manifest new_manifest;
    ComparedSide olds;
    ComparedSide news;
  };

  [[nodiscard]] ComparedSide CounterpartOf(const LinkedPart& part) const {
    ComparedSide side = linked_;
    if (part.counterpart != nullptr) side.program = part.counterpart;
    return side;
  }

  // The methods of a part that the new program has, but for the one that sets buffers.
  [[nodiscard]] std::vector<std::string> MethodsOf(const LinkedPart& part) const {
    std::vector<std::string> names;
    for (const Method& method : part.side.program->methods) {
      const auto& news = linked_.program->methods;
      const bool common = std::ranges::find(news, method.name, &Method::name) != news.end();
      if (common && method.name != initial_.method) names.push_back(method.name);
    }
    return names;
  }

  // Banks of one method alone are the same under every policy.
  bool ComputesTheSame() {
    compare::ComputationOptions how;
    how.policies = {Policy::kPrivate};
    for (const LinkedPart& part : parts_) {
      for (const std::string& name : MethodsOf(part)) {
        const OneMethod one(part.side, CounterpartOf(part), name);
        for (auto& method : compare::CompareComputation(one.olds, one.news, how)) {
          if (method.answer == Answer::kDiffers) {
            return Fails(fmt::format("'{}' computes something else: {}", method.method,
                                     method.difference ? method.difference->where : method.reason));
          }
          if (method.answer == Answer::kOpen && !method.can_run) {
            return LeavesOpen(
                fmt::format("'{}' cannot be compared: {}", method.method, method.reason));
          }
          method.policies = certificate_.policies;
          certificate_.methods.push_back(std::move(method));
        }
      }
    }
    return true;
  }

  bool RunsAgree() {
    const RunLimits most = LimitsOf(*linked_.program, linked_.data, {}).ForMany();
    const WithinLimits limits(most.MakeMemoryCount(), most.work);  // of all calls together
    for (const LinkedPart& part : parts_) {
      for (const std::string& name : MethodsOf(part)) {
        const OneMethod one(part.side, linked_, name);
        const compare::RandomCallsResult runs = compare::CompareRandomCalls(
            one.olds, one.news,
            {.policy = Policy::kPrivate,
             .method = name,
             .seed = options_.seed,
             .calls = options_.calls.SharedBy(linked_.program->methods.size())});
        certificate_.runs.push_back({name, runs.compared, runs.not_made});
        if (!runs.difference.empty()) return Fails(runs.difference);
        if (runs.compared == 0 && IsOpen(name) && options_.calls.most > 0) {
          return LeavesOpen(fmt::format("'{}' is neither proved nor run: {}", name, runs.not_made));
        }
      }
    }
    return true;
  }

  [[nodiscard]] Policy OnePolicy() const {
    return *std::ranges::find_if(kAllPolicies,
                                 [&](Policy p) { return certificate_.policies.Has(p); });
  }

  // Whether terms leave the method open, so that only runs tell.
  [[nodiscard]] bool IsOpen(const std::string& name) const {
    return std::ranges::any_of(certificate_.methods, [&](const auto& method) {
      return method.method == name && method.answer != Answer::kSame;
    });
  }

  // In the reference, which knows no plan: that the plan leaves the values there is the proof's.
  bool InitialIsSet() {
    if (initial_.method.empty()) return true;
    const ReplayOptions how = {
        .policy = OnePolicy(), .data = linked_.data, .manifest = linked_.manifest};
    Replay replay(*linked_.program, how);
    const int32_t index = replay.MethodNamed(initial_.method);
    const auto made = replay.Call(index, {});
    if (!made.ok()) return Fails(initial_.method + ": " + made.error().explanation);
    const Method& method = linked_.program->methods[static_cast<size_t>(index)];
    for (const planner::SharedBuffer& buffer : initial_.buffers) {
      if (!IsSet(replay, how, method, buffer)) {
        return Fails(initial_.method + " does not set buffer '" + buffer.name + "'");
      }
      ++certificate_.initial_set;
    }
    return true;
  }

  static bool IsSet(const Replay& replay, const ReplayOptions& how, const Method& method,
                    const planner::SharedBuffer& buffer) {
    for (size_t v = 0; v < method.values.size(); ++v) {
      const auto value = static_cast<int32_t>(v);
      if (method.NameOf(value) != buffer.name) continue;
      const auto held = replay.state().find(StateKeyOf(method, value, how));
      if (held == replay.state().end() || held->second == nullptr) return false;
      const auto bytes = InMemory(*held->second, buffer.form.dim_order);
      if (bytes.size() != buffer.form.nbytes) return false;
      const Bytes initial = buffer.form.initial;
      return initial.empty() ? planner::AreZero(bytes) : std::ranges::equal(bytes, initial);
    }
    return false;
  }

  std::span<const LinkedPart> parts_;
  const ComparedSide& linked_;
  const InitialState& initial_;
  const CertifyOptions& options_;
  PolicySet asked_;
  LinkCertificate certificate_;
};

}  // namespace

PolicySet SharingPolicies() {
  PolicySet policies = PolicySet::Of(Policy::kShare12);
  policies.Add(Policy::kShareAll);
  return policies;
}

PolicySet RightUnder(const Program& program, const Manifest* manifest, const Report& report) {
  PolicySet right = PolicySet::None();
  for (const Policy policy : kAllPolicies) {
    if (report.verdicts[static_cast<size_t>(policy)] == Verdict::kSafe) right.Add(policy);
  }
  if (program.methods.size() < 2) return right;
  PolicySet alone = PolicySet::All();
  const Manifest any = InAnyOrder(manifest);
  for (const Method& method : program.methods) {
    const Program one = WithOne(program, method.name);
    const Verdicts verdicts = Check(one, {.manifest = manifest ? &any : nullptr}).verdicts;
    for (const Policy policy : kAllPolicies) {
      if (verdicts[static_cast<size_t>(policy)] == Verdict::kSafe) continue;
      alone.bits = static_cast<uint8_t>(alone.bits & ~PolicySet::Of(policy).bits);
    }
  }
  right.bits = static_cast<uint8_t>(right.bits | alone.bits);
  return right;
}

LinkCertificate CertifyLinked(std::span<const LinkedPart> parts, const ComparedSide& linked,
                              const InitialState& initial, const CertifyOptions& options,
                              PolicySet policies) {
  return LinkCertifier(parts, linked, initial, options, policies).Go();
}

}  // namespace pteproof::certify
