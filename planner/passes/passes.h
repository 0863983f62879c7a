// The passes, each a switch of its own. The first two change the code; the others only say which
// values may share bytes, after which steps that have nothing left to do are not emitted.
#ifndef PTEPROOF_PLANNER_PASSES_PASSES_H_
#define PTEPROOF_PLANNER_PASSES_PASSES_H_

#include <optional>

#include "planner/code/code.h"
#include "planner/passes/sharing.h"

namespace pteproof::planner {

struct PassSwitches {
  bool drop_dead = true;      // calls whose results have no use
  bool early_stores = true;   // stores at the earliest safe point, not at the end
  bool elide_views = true;    // reshapes are other names of their operand's bytes
  bool elide_copies = true;   // what is stored or handed over is made where it goes
  bool in_place = true;       // results take the bytes of an operand that dies
  bool elide_concats = true;  // parts are made where the whole lies
  bool elide_slices =
      false;  // runs of an operand's bytes are other names of them; ExecuTorch's planner has none
};

// Calls of known functional operators, and copies, whose results no step and no exit wants.
void DropDead(Code& code);

// Moves each store to the point where its value is complete and the old value has no reader left,
// outside of branches and loops. The order among stores that read each other's targets stays.
void StoreEarly(Code& code);

// A stored value takes the bytes that it overwrites. Always right: the copies are in order. Before
// all other sharing.
void ShareStored(const Code& code, Sharing& sharing);

void ElideViews(const Code& code, Sharing& sharing);
void ElideCopies(const Code& code, Sharing& sharing);
// Wishes of the graph first, then every operator that can.
void MakeInPlace(const Code& code, Sharing& sharing);
// The operand over which a step makes its result in memory of a buffer or a caller, so that the
// file has one value for both. Nothing: the step does not.
[[nodiscard]] std::optional<ValueId> BuiltOver(const Code& code, const Sharing& sharing,
                                               const Step& step);
// Of static sizes, along the outermost dimension that is not 1; those of `but_not` stay (by
// ValueId).
void ElideConcats(const Code& code, const std::vector<bool>& but_not, Sharing& sharing);

// Contiguous slices and selections of static sizes.
void ElideSlices(const Code& code, Sharing& sharing);

// Whether a step takes a part of its operand along one dimension.
[[nodiscard]] bool IsSlice(const Step& step);
// Of such a step, the operand and where in it the result's bytes begin; nothing if they are not one
// run, or vary.
[[nodiscard]] std::optional<Member> SliceIn(const Code& code, const Step& step);
// Whether a step lays its operands side by side.
[[nodiscard]] bool IsConcat(const Step& step);
// Whether a step only gives its operand's bytes sizes that vary: an et_view.
[[nodiscard]] bool IsRenamed(const Code& code, const Sharing& sharing, const Step& step);
// Whether a step has nothing to do, its result being where its operands are.
[[nodiscard]] bool IsElided(const Code& code, const Sharing& sharing, const Step& step);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_PASSES_PASSES_H_
