// A new plan of a program that is shown right: planned, written, read back and certified, with less
// changed until a certificate holds.
#ifndef PTEPROOF_PROPERTIES_CERTIFY_SHOWN_REPLAN_H_
#define PTEPROOF_PROPERTIES_CERTIFY_SHOWN_REPLAN_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "planner/replan/change_bank.h"
#include "planner/replan/move_places.h"
#include "properties/certify/certify.h"
#include "properties/compare/computation.h"

namespace pteproof::certify {

struct ShownReplanOptions {
  planner::ReplanOptions plan;
  bool move_state = false;  // buffers may move, if no bank becomes larger by that
  bool reorder = false;     // instructions may come in another order, if that takes fewer bytes
  std::optional<planner::BankChange> bank = {};  // to which values go that may
  CertifyOptions certify;                        // what the plan changes is filled in
};

struct ShownReplan {
  planner::Replanned replanned;
  std::vector<std::byte> bytes;  // the new program, as read back
  Certificate certificate;       // if it does not hold, nothing of this may be used
  std::string unwritable;        // why there is no file of the new program; empty: there is one
  // The old program's, with the numbers that values have now; none: they have the old ones.
  std::optional<Manifest> manifest = {};
};

// The smallest plan that can be shown right, of those with what is asked for and with parts of it:
// no option makes a plan larger. A bank of which the new plan would bring a finding keeps its plan,
// and stores stay where they were if no plan with early ones can be shown right. `source` is the
// old program with what lies beside it.
[[nodiscard]] ShownReplan ReplanShown(const compare::ComparedSide& source,
                                      const ShownReplanOptions& options);

}  // namespace pteproof::certify

#endif  // PTEPROOF_PROPERTIES_CERTIFY_SHOWN_REPLAN_H_
