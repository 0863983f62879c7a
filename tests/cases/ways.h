// The ways of judging a case beside the check, each of which has to agree with it.
#ifndef PTEPROOF_TESTS_CASES_WAYS_H_
#define PTEPROOF_TESTS_CASES_WAYS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/check.h"
#include "pteproof/manifest.h"
#include "pteproof/report.h"
#include "runtime/pteasm/parse.h"
#include "tests/cases/case_file.h"

namespace pteproof::cases {

struct Subject {
  pteasm::ProgramText text;
  std::optional<Manifest> manifest;
  bool all_first = false;
  Use use = Use::kInTurn;
  Report check;

  [[nodiscard]] const Program& program() const { return text.program; }
  [[nodiscard]] const Manifest* stated() const { return manifest ? &*manifest : nullptr; }
};

// "safe", or "safe unsafe unsafe".
[[nodiscard]] std::string ShortRow(const Verdicts& verdicts);

// Those that do not agree with `subject.check`, or that agree although the case excepts them.
[[nodiscard]] std::vector<std::string> DisagreementsOf(const Subject& subject, const Case& given);

}  // namespace pteproof::cases

#endif  // PTEPROOF_TESTS_CASES_WAYS_H_
