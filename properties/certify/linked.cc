#include "properties/certify/linked.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "properties/compare/random_calls.h"
#include "properties/oracles/decode_tensor.h"
#include "properties/oracles/replay.h"
#include "properties/oracles/replay_values.h"
#include "properties/proofs/prove.h"
#include "pteproof/check.h"

namespace pteproof::certify {
namespace {

using compare::Answer;
using compare::ComparedSide;

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
      if (finding.severity == Severity::kWarning) ++warnings[std::string(finding.rule)];
    }
    return warnings;
  }

  bool CheckFindsNoMore() {
    for (const Policy policy : kAllPolicies) {
      const bool safe =
          asked_.Has(policy) && std::ranges::all_of(parts_, [&](const LinkedPart& part) {
            return part.report->verdicts[static_cast<size_t>(policy)] == Verdict::kSafe;
          });
      if (safe) certificate_.policies.Add(policy);
    }
    if (certificate_.policies == PolicySet::None()) {
      return LeavesOpen("the programs are safe under no policy that is asked for");
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

  // Both sides with the methods that both have: state of other methods is none of theirs, and that
  // they leave it alone is what `check` and `prove` show.
  struct CommonMethods {
    CommonMethods(const ComparedSide& old_side, const ComparedSide& new_side)
        : old_program(Common(*old_side.program, *new_side.program)),
          new_program(Common(*new_side.program, *old_side.program)),
          old_manifest(AnyOrder(old_side)),
          new_manifest(AnyOrder(new_side)),
          olds{&old_program, old_side.data, old_side.manifest ? &old_manifest : nullptr},
          news{&new_program, new_side.data, new_side.manifest ? &new_manifest : nullptr} {}
    CommonMethods(const CommonMethods&) = delete;
    CommonMethods& operator=(const CommonMethods&) = delete;
    ~CommonMethods() = default;

    static Program Common(const Program& program, const Program& other) {
      Program common = program;
      std::erase_if(common.methods, [&](const Method& method) {
        return std::ranges::find(other.methods, method.name, &Method::name) == other.methods.end();
      });
      return common;
    }
    static Manifest AnyOrder(const ComparedSide& side) {
      Manifest manifest;
      if (side.manifest != nullptr) manifest = *side.manifest;
      manifest.calls.reset();
      return manifest;
    }

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

  bool ComputesTheSame() {
    compare::ComputationOptions how;
    how.policies.clear();
    for (const Policy policy : kAllPolicies) {
      if (certificate_.policies.Has(policy)) how.policies.push_back(policy);
    }
    for (const LinkedPart& part : parts_) {
      const CommonMethods common(part.side, CounterpartOf(part));
      for (auto& method : compare::CompareComputation(common.olds, common.news, how)) {
        if (method.answer == Answer::kDiffers) {
          return Fails(fmt::format("'{}' computes something else: {}", method.method,
                                   method.difference ? method.difference->where : method.reason));
        }
        if (method.answer == Answer::kOpen && !method.can_run) {
          return LeavesOpen(
              fmt::format("'{}' cannot be compared: {}", method.method, method.reason));
        }
        certificate_.methods.push_back(std::move(method));
      }
    }
    return true;
  }

  [[nodiscard]] Policy OnePolicy() const {
    return *std::ranges::find_if(kAllPolicies,
                                 [&](Policy p) { return certificate_.policies.Has(p); });
  }

  bool RunsAgree() {
    for (const LinkedPart& part : parts_) {
      const CommonMethods common(part.side, CounterpartOf(part));
      for (const Method& method : common.old_program.methods) {
        const compare::RandomCallsResult runs =
            compare::CompareRandomCalls(common.olds, common.news,
                                        {.policy = OnePolicy(),
                                         .method = method.name,
                                         .seed = options_.seed,
                                         .calls = options_.calls});
        certificate_.runs.push_back({method.name, runs.compared, runs.not_made});
        if (!runs.difference.empty()) return Fails(runs.difference);
        if (runs.compared == 0 && IsOpen(method.name) && options_.calls > 0) {
          return LeavesOpen(
              fmt::format("'{}' is neither proved nor run: {}", method.name, runs.not_made));
        }
      }
    }
    return true;
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

LinkCertificate CertifyLinked(std::span<const LinkedPart> parts, const ComparedSide& linked,
                              const InitialState& initial, const CertifyOptions& options,
                              PolicySet policies) {
  return LinkCertifier(parts, linked, initial, options, policies).Go();
}

}  // namespace pteproof::certify
