// When a functional operator may make its result in the bytes of an operand (`in_place`): the
// callee overwrites its argument and the call returns it, so nothing may read the old value any
// more. Whether the callee can work in place is not checked here.
//
//   C0  no alias      the bytes belong to the operand alone, and to this method
//   C1  single use    no other node reads the operand; relaxed: others only read it, before
//   C2  pass-through  the result has the operand's element type and sizes
#ifndef PTEPROOF_REFERENCE_GRAPH_IN_PLACE_H_
#define PTEPROOF_REFERENCE_GRAPH_IN_PLACE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/graph/module.h"

namespace pteproof::graph {

// The orders in which nodes may run.
enum class InPlaceOrder : uint8_t {
  kListed,  // as they are listed: C1 admits readers that are listed before
  kStrict,  // C1: the node is the operand's only reader
  kAny,     // every order that data and `after` allow: C1 admits readers that the node needs, or
            // comes `after`, directly or through such dependencies
};

struct InPlaceFinding {
  std::string_view rule;  // of base/rule_names.h
  std::string method;
  ValueId result = -1;
  ValueId operand = -1;
  std::optional<ValueId> reader =
      {};                        // first result of the node that would see the new value, if one
  std::string explanation = {};  // three lines
  std::string fix = {};          // a sentence
  bool is_note = false;          // what the strict rule refuses by its letter, and nobody can see
};

// All violations, at most one per node and rule, in order of the listing.
//
// C0. The operand is
//   * made by a node of this region that is not mutating, or is a view of such a value; results in
//     place may be overwritten in turn; results of branches and loops only where they cannot be an
//     operand or another result (a loop that runs zero times returns its operands);
//   * or an input with `in_place`;
//   * or a buffer's value at entry, and the buffer is stored with exactly the result (or with what
//     is made in place from it): then the update is of the state itself.
// A region's parameter is never: it is another name of the operand outside. What else names these
// bytes (the base of the operand and views of it) is read only by nodes that run before, as C1
// means it under the order, but for kStrict as under kAny; a view of a dead base is a note there.
// The node does not read the bytes by another operand; the same value twice is admitted where the
// signature marks both as elementwise (x + x).
//
// C1. Reads are operands, also of regions (never admitted), a delegate's buffers, outputs and
// stores. Making a view is a read for kStrict; otherwise the view's own readers count, by C0.
// Who reads the result may do so.
//
// The Module must be well-formed, but for the types of results in place. O(nodes + operands) per
// method, and for each node whose operand has other readers what is listed since the first of them.
[[nodiscard]] std::vector<InPlaceFinding> CheckInPlace(const Module& module, InPlaceOrder order);
// Those of one method of the Module.
[[nodiscard]] std::vector<InPlaceFinding> CheckInPlace(const Module& module, const Method& method,
                                                       InPlaceOrder order);

}  // namespace pteproof::graph

#endif  // PTEPROOF_REFERENCE_GRAPH_IN_PLACE_H_
