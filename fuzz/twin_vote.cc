#include "fuzz/twin_vote.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/rule_names.h"
#include "checker/twin/twin.h"
#include "properties/certificate/certificate.h"

namespace pteproof::fuzz {
namespace {

bool IsLoaded(const Tensor& tensor) {
  return tensor.data_index > 0 || tensor.external;
}

bool AreOnePlace(const Tensor& a, const Tensor& b) {
  return a.planned == b.planned && a.bank == b.bank && a.offset == b.offset && a.nbytes == b.nbytes;
}

// In a method at two places, or anywhere of two sizes.
bool HasTwoValuesOfOneName(const Program& program) {
  std::map<std::string_view, uint64_t> sizes;
  return std::ranges::any_of(program.methods, [&](const Method& method) {
    std::map<std::string_view, const Tensor*> first;
    return std::ranges::any_of(method.tensors, [&](const Tensor& tensor) {
      const std::string_view name = method.Text(tensor.name);
      if (name.empty()) return false;
      const bool resized = sizes.try_emplace(name, tensor.nbytes).first->second != tensor.nbytes;
      return resized || !AreOnePlace(*first.try_emplace(name, &tensor).first->second, tensor);
    });
  });
}

// Two values of any methods that are loaded into bytes that they share, with other data or for
// other buffers.
bool HasLoadsThatMeet(const Program& program) {
  struct Load {
    const Tensor* tensor = nullptr;
    std::string_view name = {};
  };
  std::vector<Load> loads;
  for (const Method& method : program.methods) {
    for (const Tensor& tensor : method.tensors) {
      if (tensor.planned && IsLoaded(tensor)) loads.push_back({&tensor, method.Text(tensor.name)});
    }
  }
  return std::ranges::any_of(loads, [&](const Load& one) {
    return std::ranges::any_of(loads, [&](const Load& two) {
      const Tensor& a = *one.tensor;
      const Tensor& b = *two.tensor;
      const bool other =
          one.name != two.name || a.external != b.external || a.data_index != b.data_index;
      return other && a.bank == b.bank && a.offset < b.offset + b.nbytes &&
             b.offset < a.offset + a.nbytes;
    });
  });
}

// An output in memory of the caller, of a method that jumps.
bool WritesForCaller(const Program& program) {
  return std::ranges::any_of(program.methods, [](const Method& method) {
    const bool jumps = std::ranges::any_of(method.instructions, [](const Instruction& at) {
      return at.kind == InstructionKind::kJumpFalse;
    });
    return jumps && std::ranges::any_of(method.outputs, [&](int32_t v) {
             const Tensor* tensor = method.TensorOf(v);
             return tensor != nullptr && !tensor->planned && !IsLoaded(*tensor);
           });
  });
}

// Both the program and the refusal have to be of the class.
const KnownDifference* KnownOf(const Program& program, const Report& report, std::string_view why) {
  const auto says = [&](std::string_view words) {
    return why.find(words) != std::string_view::npos;
  };
  const bool of_names =
      says("stores to another place of it") || says("a buffer's name is not its own");
  const bool of_stores = of_names || says(" over buffer ");
  if (of_stores && HasTwoValuesOfOneName(program)) return &kKnownDifferences[0];
  const auto warns = [&](std::string_view rule) {
    return std::ranges::any_of(report.findings,
                               [&](const Finding& finding) { return finding.rule == rule; });
  };
  if (of_stores && warns(rule::kSelfCopy)) return &kKnownDifferences[1];
  if (says("loading '") && HasLoadsThatMeet(program)) return &kKnownDifferences[2];
  if (says("which the call before has moved") || says(" back to ")) return &kKnownDifferences[3];
  if (says("the caller does not find") && says("nothing has made it") && WritesForCaller(program))
    return &kKnownDifferences[4];
  const bool of_refused_call = std::ranges::any_of(report.findings, [&](const Finding& finding) {
    return finding.rule == rule::kCallRefused && says("'" + finding.method + "'");
  });
  if (of_refused_call) return &kKnownDifferences[5];
  return nullptr;
}

}  // namespace

TwinAnswer AskTwin(const Program& program, Bytes file, const Report& report, Policy policy) {
  if (report.verdicts[static_cast<size_t>(policy)] != Verdict::kSafe) return {};
  const std::string certificate = certificate::CertificateOf(
      {.program = program, .file = file, .policy = policy, .report = report});
  const auto answer = pteproof_twin::Judge(file, certificate, pteproof_twin::ReviewedOperators());
  if (answer.exit == pteproof_twin::Exit::kConfirmed) return {.vote = TwinVote::kConfirmed};
  if (answer.exit == pteproof_twin::Exit::kInPart) {
    if (!answer.why.empty()) return {.vote = TwinVote::kTooMuchWork, .why = answer.why};
    return {.vote = TwinVote::kRefuses, .why = "it confirms a part alone"};
  }
  const KnownDifference* const known = KnownOf(program, report, answer.why);
  return {.vote = known != nullptr ? TwinVote::kKnown : TwinVote::kRefuses,
          .known = known,
          .why = answer.why};
}

TwinTally::~TwinTally() {
  if (std::getenv("PTEPROOF_FUZZ_VOTES") != nullptr) fmt::print(stderr, "{}\n", Line());
}

bool TwinTally::IsStrict() {
  const char* const asked = std::getenv("PTEPROOF_FUZZ_VOTES");
  return asked != nullptr && std::string_view(asked) == "strict";
}

void TwinTally::Add(const TwinAnswer& answer) {
  ++votes_[static_cast<size_t>(answer.vote)];
  if (answer.known != nullptr) {
    ++known_[static_cast<size_t>(answer.known - kKnownDifferences.data())];
  }
}

std::string TwinTally::Line() const {
  std::string line = fmt::format(
      "the certificate's checker: {} confirmed, {} too much work, {} refused, {} not asked",
      votes_[static_cast<size_t>(TwinVote::kConfirmed)],
      votes_[static_cast<size_t>(TwinVote::kTooMuchWork)],
      votes_[static_cast<size_t>(TwinVote::kRefuses)],
      votes_[static_cast<size_t>(TwinVote::kNotAsked)]);
  for (size_t k = 0; k < known_.size(); ++k) {
    line += fmt::format(", {} {}", known_[k], kKnownDifferences[k].name);
  }
  return line;
}

}  // namespace pteproof::fuzz
