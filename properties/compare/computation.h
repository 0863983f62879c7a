// Do two programs compute the same? Method by method and policy by policy, on terms.
#ifndef PTEPROOF_PROPERTIES_COMPARE_COMPUTATION_H_
#define PTEPROOF_PROPERTIES_COMPARE_COMPUTATION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "properties/compare/run/meant_values.h"
#include "properties/compare/run/planned_call.h"
#include "properties/compare/run/walk_back.h"
#include "pteproof/finding.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"
#include "runtime/read_data.h"

namespace pteproof::compare {

enum class Answer : uint8_t {
  kSame,    // proved, for all inputs and all sequences of calls
  kAgrees,  // not proved; runs, or sizes that were chosen, show no difference
  kOpen,    // cannot be compared
  kDiffers,
};

// "same", "agrees", "cannot be compared", "differs".
[[nodiscard]] std::string_view Name(Answer answer);
// Of several parts the worse, which is the later one above.
[[nodiscard]] Answer Worse(Answer a, Answer b);

enum class ReadAs : uint8_t {
  kPlanned,  // bytes in banks: what a plan loses is lost
  kMeant,    // a storage for every value, whatever the plan does (run/meant_values.h)
};

struct ComparedSide {
  const Program* program = nullptr;
  const DataFile* data = nullptr;      // may be null
  const Manifest* manifest = nullptr;  // may be null
  ReadAs read = ReadAs::kPlanned;
};

struct MethodComparison {
  std::string method;
  PolicySet policies;  // that come to this answer
  Answer answer = Answer::kOpen;
  std::string reason;                    // kOpen, kAgrees: why it is not proved
  std::optional<Difference> difference;  // kDiffers
  std::string
      run_difference;  // kDiffers: as a run of both shows it; empty: none was made, or none does
  std::set<std::string> assumed;  // kSame, kAgrees: what the files do not say, and it rests on
  int64_t runs = 0;               // random calls that were compared
  int64_t paths = 0;              // ways through the branches
  int64_t refused_paths = 0;      // of them: calls that neither program makes
  int64_t loops = 0;              // proved by induction
  int64_t sizes = 0;           // choices of sizes of inputs; 0: terms are equal whatever they are
  int64_t refused_by_one = 0;  // of the choices: calls that one program only makes
  bool can_run = false;        // kOpen: runs may tell
  bool sizes_vary = false;
  int64_t instructions = 0;  // of the new program, that were followed
};

struct ComputationOptions {
  std::vector<Policy> policies = {Policy::kPrivate, Policy::kShare12, Policy::kShareAll};
  std::string method = {};  // empty: all
  int64_t most_paths = 256;
  int64_t most_sizes = 64;
};

// Of each method that both have, without a run: kAgrees is not among the answers. Answers that are
// equal under several policies are one entry.
[[nodiscard]] std::vector<MethodComparison> CompareComputation(const ComparedSide& old_side,
                                                               const ComparedSide& new_side,
                                                               const ComputationOptions& options);

// What is known of a side ahead of its methods.
struct KnownSide {
  GivenOpaqueCalls opaque;
  std::vector<uint64_t> written;   // per constant (PlannedMethod)
  std::optional<Meaning> meaning;  // nothing: it is read as planned
};
[[nodiscard]] KnownSide KnownOf(const ComparedSide& side);
// Why the file does not say what it means under that policy; nothing: it does, or is read as
// planned.
[[nodiscard]] std::optional<std::string> UnsureMeaning(const ComparedSide& side, Policy policy,
                                                       const KnownSide& known);
// A method of a side, as it is followed. Points into all of them.
[[nodiscard]] PlannedMethod PlannedOf(const ComparedSide& side, const KnownSide& known,
                                      size_t method, std::span<const StatePlace> states,
                                      OpaqueSplits& splits);

// Adds an answer, or its policies to one that is alike.
void AddAnswer(MethodComparison answer, std::vector<MethodComparison>& all);

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_COMPUTATION_H_
