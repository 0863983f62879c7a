// The obligations of a program, one statement each: data only. Made from the program by facts/ and
// rules/, decided by solver/.
#ifndef PTEPROOF_PROPERTIES_PROOFS_TERMS_OBLIGATION_H_
#define PTEPROOF_PROPERTIES_PROOFS_TERMS_OBLIGATION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "properties/proofs/terms/question.h"
#include "properties/readings.h"
#include "pteproof/finding.h"

namespace pteproof::proofs {

// A write over a value that is wanted then: the facts behind an obligation to keep them apart,
// besides the bytes. Values are indices. Times are points of the listing: 2i, when instruction i
// reads, and 2i + 1, when it writes.
struct Loss {
  int32_t method = 0;
  int32_t written = 0;
  int32_t written_in = 0;  // the value in whose bytes `written` lies: itself, moves apart
  int32_t wanted = 0;
  int32_t wanted_in = 0;
  int32_t from = 0;  // since when it is wanted; -1: the caller sets it; less: it is there at entry
  int32_t until = 0;
  int32_t reader = 0;  // who wants it: an instruction; their count: an output; more: the next call
};

struct Obligation {
  std::string_view kind;  // a rule's name (base/rule_names.h): what is broken if it does not hold
  // The consequence if it does not hold: kError, or kNote if that leaves two readings of the file
  // (undecided).
  Severity severity = Severity::kError;
  PolicySet policies = PolicySet::All();  // the loaders under which it must hold
  std::string method;                     // empty: the whole program
  int32_t instruction = -1;               // at which it must hold; -1: throughout
  std::vector<int32_t> values;            // value indices, the one that matters most first
  bool any_order = false;  // asks for other orders than the file's, which the check does not judge
  Clause goal;
  std::string refuted;  // one or two sentences: what goes wrong where the goal does not hold
  std::optional<Loss> loss = std::nullopt;  // where that is what the goal excludes
  // A rule in which nothing is computed does not hold: a solver is not asked. Only those that do
  // not hold are listed.
  bool checked = false;
};

struct Obligations {
  Symbols symbols = {};
  std::vector<Obligation> list = {};
  size_t held = 0;  // more of them, not listed: numbers alone show that they hold
  std::vector<std::string> assumptions = {};  // what the file leaves open, and is taken for granted
  std::vector<Doubt> doubts = {};             // what it leaves open, and has two readings
  // Pairs of a write and a name that is wanted then, each with the value in which it lies: the
  // number of pairs in the list, and the number that a plain sweep over all instructions counts.
  // Nothing: too many for a sweep.
  size_t pairs = 0;
  std::optional<size_t> swept = 0;

  [[nodiscard]] bool IsComplete() const { return !swept.has_value() || *swept == pairs; }
};

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_TERMS_OBLIGATION_H_
