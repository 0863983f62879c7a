// What is shown of a program that was put together from others, before anything is written: no
// checker finds more in it than in the parts, each method computes what it computed, and the
// method that sets shared buffers sets them.
#ifndef PTEPROOF_PROPERTIES_CERTIFY_LINKED_H_
#define PTEPROOF_PROPERTIES_CERTIFY_LINKED_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "planner/link/link.h"
#include "properties/certify/certify.h"

namespace pteproof::certify {

// A program some of whose methods are in the new one.
struct LinkedPart {
  compare::ComparedSide side;      // with the new names
  const Report* report = nullptr;  // of the file as it was
  PolicySet right;                 // as RightUnder gives them
  // The new program with state where it has constants, to compare terms with; null: as it is. Runs
  // are those of the new program.
  const Program* counterpart = nullptr;
};

// The values that a method gives to buffers.
struct InitialState {
  std::string method;  // empty: there is none
  std::span<const planner::SharedBuffer> buffers;
};

struct LinkCertificate {
  std::string failure;  // the first step that shows nothing, in one sentence; empty: all is shown
  bool open = false;    // `failure`: neither proof nor run tells
  PolicySet policies = PolicySet::None();  // under which all parts are right
  Verdicts check{};
  std::array<Verdict, kPolicyCount> proof{};
  size_t proved = 0;  // obligations under these policies
  size_t unproved = 0;
  std::vector<compare::MethodComparison> methods;
  std::vector<MethodRuns> runs;
  size_t initial_set = 0;  // buffers of which a run shows that the method sets them

  [[nodiscard]] bool holds() const { return failure.empty(); }
};

// The policies under which a program is safe, or each of its methods by itself is: state that
// methods share, or do not share, by mistake is laid anew. `report` is the program's.
[[nodiscard]] PolicySet RightUnder(const Program& program, const Manifest* manifest,
                                   const Report& report);

// share-1-2 and share-all.
[[nodiscard]] PolicySet SharingPolicies();

// The steps: `check` is safe under share-1-2 and share-all if all parts are, and has no warning
// more than they have; `prove` comes to the same; the computation of each part's methods is
// compared with the new program's, and so are random calls; the initial method is run. Ends at the
// first step that fails.
[[nodiscard]] LinkCertificate CertifyLinked(std::span<const LinkedPart> parts,
                                            const compare::ComparedSide& linked,
                                            const InitialState& initial,
                                            const CertifyOptions& options,
                                            PolicySet policies = SharingPolicies());

}  // namespace pteproof::certify

#endif  // PTEPROOF_PROPERTIES_CERTIFY_LINKED_H_
