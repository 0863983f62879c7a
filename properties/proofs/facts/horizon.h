// Whether a tensor that no instruction has brought up yet is older than a call that lists it: a
// buffer, or a view of something. Only a delegate call leaves that open, which lists what it reads
// and what it makes without a mark between them.
//
// A tensor is older than the call at instruction i if
//   * its number is below the inputs' (the exporter numbers buffers first),
//   * it has the place and type of a known tensor, or of one that was there from the start, which
//     some way from its making has brought here,
//     and its number was passed before the call, or
//     the bytes of that tensor may still be read after the call: then it is a view. A buffer's
//     bytes may be read by the next call.
#ifndef PTEPROOF_PROPERTIES_PROOFS_FACTS_HORIZON_H_
#define PTEPROOF_PROPERTIES_PROOFS_FACTS_HORIZON_H_

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "properties/proofs/facts/place.h"
#include "pteproof/program.h"

namespace pteproof::proofs {

class Horizon {
 public:
  // Points into `method`. `by_number`: numbers say when values were made. `brought`: per value,
  // whether it is an input or a manifest names it. O(n log n).
  Horizon(const Method& method, bool by_number, const std::vector<bool>& brought);

  // The instruction at i makes `v` and reads nothing of it.
  void Overwrite(int32_t i, int32_t v);

  // `known`: per value, whether something before instruction i made it. O(values at its place); of
  // a method that jumps, up to kMostForks jumps for each of them.
  [[nodiscard]] bool IsOlderThan(int32_t i, int32_t v, const std::vector<bool>& known) const;

  // Whether its number alone shows that. Otherwise only bytes that are read later do.
  [[nodiscard]] bool IsSurelyOlder(int32_t i, int32_t v) const;
  // By an instruction below the call at i, or as an output.
  [[nodiscard]] bool IsUsedAfter(int32_t i, int32_t v) const { return LastUse(v) > i; }

  // Whether a result of the call at i may as well be an operand. If numbers do not tell: an
  // operator updates it later, or nobody uses it. Else: nobody uses it, and a known tensor has its
  // place and type.
  [[nodiscard]] bool IsOpen(int32_t i, int32_t v, const std::vector<bool>& known) const;

 private:
  // A search for a read gives up after so many jumps and takes the next touch in the listing.
  static constexpr int kMostForks = 1000;

  struct Touch {
    int32_t at = 0;           // instruction, or their count for an output
    bool overwrites = false;  // and reads nothing
  };

  // Tensors with the place and type of `v` that are known, or there from the start.
  [[nodiscard]] std::vector<int32_t> BasesOf(int32_t v, const std::vector<bool>& known) const;
  [[nodiscard]] bool IsKeptAt(int32_t i, int32_t v) const;
  // Whether what makes `v` comes before i on some way. What is there from the start, or is made by
  // nothing, is there always.
  [[nodiscard]] bool ComesTo(int32_t i, int32_t v) const;
  // The instructions that a jump leads to.
  [[nodiscard]] std::vector<int32_t> EndsOf(int32_t jump) const;
  [[nodiscard]] int32_t LastUse(int32_t v) const { return last_use_[static_cast<size_t>(v)]; }

  const Method& method_;
  bool by_number_;
  int32_t lowest_input_;           // -1: no inputs
  std::vector<int32_t> last_use_;  // per value: an instruction, or their count for an output; -1
  std::vector<std::vector<Touch>> touches_;
  std::vector<int32_t> forks_;       // instructions that jump, ascending
  std::vector<bool> from_start_;     // per value: the method begins with it
  std::vector<bool> changes_;        // per value: the caller or an instruction may set it
  std::vector<int32_t> updated_at_;  // per value: the first instruction that updates it; -1
  std::vector<int32_t> passed_;  // per instruction: the highest number that it or one before used
  std::map<std::pair<Extent, ScalarType>, std::vector<int32_t>> at_place_;
};

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_FACTS_HORIZON_H_
