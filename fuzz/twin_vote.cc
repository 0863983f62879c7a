#include "fuzz/twin_vote.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

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

bool HasTwoValuesOfOneName(const Program& program) {
  return std::ranges::any_of(program.methods, [](const Method& method) {
    std::map<std::string_view, const Tensor*> first;
    return std::ranges::any_of(method.tensors, [&](const Tensor& tensor) {
      const std::string_view name = method.Text(tensor.name);
      if (name.empty()) return false;
      return !AreOnePlace(*first.try_emplace(name, &tensor).first->second, tensor);
    });
  });
}

// Two values of any methods that are loaded with other data, into bytes that they share.
bool HasLoadsThatMeet(const Program& program) {
  std::vector<const Tensor*> loads;
  for (const Method& method : program.methods) {
    for (const Tensor& tensor : method.tensors) {
      if (tensor.planned && IsLoaded(tensor)) loads.push_back(&tensor);
    }
  }
  return std::ranges::any_of(loads, [&](const Tensor* a) {
    return std::ranges::any_of(loads, [&](const Tensor* b) {
      const bool other = a->external != b->external || a->data_index != b->data_index;
      return other && a->bank == b->bank && a->offset < b->offset + b->nbytes &&
             b->offset < a->offset + a->nbytes;
    });
  });
}

bool Moves(const Program& program) {
  return std::ranges::any_of(program.methods, [](const Method& method) {
    return std::ranges::any_of(method.instructions, [](const Instruction& at) {
      return at.kind == InstructionKind::kMove;
    });
  });
}

// Both the program and the refusal have to be of the class.
const KnownDifference* KnownOf(const Program& program, std::string_view why) {
  const auto says = [&](std::string_view words) {
    return why.find(words) != std::string_view::npos;
  };
  const bool of_names =
      says("stores to another place of it") || says("a buffer's name is not its own");
  if (of_names && HasTwoValuesOfOneName(program)) return &kKnownDifferences[0];
  if (says("loading '") && HasLoadsThatMeet(program)) return &kKnownDifferences[1];
  if (says("which the call before has moved") && Moves(program)) return &kKnownDifferences[2];
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
  const KnownDifference* const known = KnownOf(program, answer.why);
  return {.vote = known != nullptr ? TwinVote::kKnown : TwinVote::kRefuses,
          .known = known,
          .why = answer.why};
}

TwinTally::~TwinTally() {
  if (std::getenv("PTEPROOF_FUZZ_VOTES") != nullptr) fmt::print(stderr, "{}\n", Line());
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
