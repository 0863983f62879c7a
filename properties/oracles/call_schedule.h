// Which methods a differential run calls, and in which order: calls are spent where state is.
#ifndef PTEPROOF_PROPERTIES_ORACLES_CALL_SCHEDULE_H_
#define PTEPROOF_PROPERTIES_ORACLES_CALL_SCHEDULE_H_

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "properties/oracles/random_inputs.h"
#include "pteproof/finding.h"
#include "pteproof/program.h"
#include "runtime/execute/opaque_call.h"

namespace pteproof {

class CallSchedule {
 public:
  // `longest`: calls of a sequence, at most. `opaque`: what runs of the program are given; not
  // null. The program and `random` must outlive it.
  CallSchedule(const Program& program, const GivenOpaqueCalls& opaque, Policy policy, int longest,
               Random& random);

  // The methods that the next sequence, of a freshly loaded program, calls. Empty: no further call
  // can tell more than those that were made.
  [[nodiscard]] std::vector<int32_t> Next();

  // A call was made, and compared. `before`: the calls of its sequence before it.
  void Note(std::span<const int32_t> before, int32_t method);

  // Pairs of methods of which one touches bytes of the other's state, and those of them that were
  // called in both orders.
  [[nodiscard]] size_t pairs() const { return pairs_.size(); }
  [[nodiscard]] size_t pairs_tried() const;

 private:
  void AddTrials(const std::vector<std::vector<int32_t>>& disturbers,
                 const std::vector<std::vector<int32_t>>& partners);
  [[nodiscard]] bool HasRoom(size_t used, const std::vector<int32_t>& trial) const;

  Random& random_;
  size_t longest_;
  std::vector<bool> has_state_;                   // per method
  std::vector<int32_t> once_;                     // one call tells all, and it was not compared yet
  std::vector<int32_t> often_;                    // all others
  std::vector<std::vector<int32_t>> trials_;      // sequences worth a try; the next one is the last
  std::set<std::pair<int32_t, int32_t>> pairs_;   // the lower number first
  std::set<std::pair<int32_t, int32_t>> orders_;  // calls that were made, of such pairs
};

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_CALL_SCHEDULE_H_
