// The answer of one solver to one query: data only.
#ifndef PTEPROOF_PROPERTIES_PROOFS_SOLVER_OUTCOME_H_
#define PTEPROOF_PROPERTIES_PROOFS_SOLVER_OUTCOME_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pteproof::proofs {

struct Outcome {
  enum class Kind : uint8_t { kUnsat, kSat, kUnknown };
  Kind kind = Kind::kUnknown;
  std::string reason;        // of kUnknown
  std::vector<size_t> core;  // of kUnsat: the facts that sufficed, as indices in FactsOf
  // Of kSat: a value per symbol of Query::mentioned; nothing where 64 bits do not hold it.
  std::vector<std::optional<int64_t>> values;
};

// Limits of one query.
struct Limits {
  uint32_t milliseconds = 10'000;
  uint32_t megabytes = 1'024;
};

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_SOLVER_OUTCOME_H_
