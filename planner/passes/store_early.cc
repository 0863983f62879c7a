// Idea. A store at the end of a method keeps its value alive until then. Each store moves to the
// earliest place at which its value is complete and the old contents of its target have been read
// for the last time.
//
//   before                          after
//   0: y = f(s)                     0: y = f(s)
//   1: n = g(x)                     1: n = g(x)
//   2: z = h(n)                     store s = n      n is known after 1, s is last read by 0
//   3: store s = n                  2: z = h(n)
//
// Stores stay in their order if one reads the target of another: a moved store counts as a read of
// its source at its new place. A place inside of a branch or a loop would run not at all or too
// often, so the store goes behind it.
//
// Invariant: each store runs exactly once, after all writes of its source and after all reads of
// what it overwrites. Cost: O(accesses x log + stores x steps).
#include <algorithm>
#include <map>
#include <utility>

#include "planner/code/edit.h"
#include "planner/code/parallel_copy.h"
#include "planner/passes/passes.h"
#include "planner/planted.h"
#include "reference/graph/method_uses.h"

namespace pteproof::planner {
namespace {

// The steps after which something may be stored: by value, or by the oldest value of its bytes.
using After = std::map<ValueId, size_t>;

void Raise(After& after, ValueId value, size_t step) {
  size_t& at = after[value];
  at = std::max(at, step);
}

bool IsStore(const Code& code, const Step& step) {
  return step.kind == StepKind::kCopy &&
         code.values[static_cast<size_t>(step.results.front())].origin != Origin::kStep;
}

// What a store overwrites: the buffer's, or input's, value at entry.
ValueId Overwritten(const Code& code, const Step& store) {
  const CodeValue& to = code.values[static_cast<size_t>(store.results.front())];
  return to.origin == Origin::kInput ? code.inputs[static_cast<size_t>(to.index)]
                                     : code.entry[static_cast<size_t>(to.index)];
}

std::vector<Step> TakeStores(Code& code) {
  std::vector<Step> stores;
  std::vector<bool> marked(code.steps.size());
  for (size_t s = 0; s < code.steps.size(); ++s) {
    if (!IsStore(code, code.steps[s])) continue;
    stores.push_back(code.steps[s]);
    marked[s] = true;
  }
  RemoveSteps(code, marked);
  return stores;
}

}  // namespace

void StoreEarly(Code& code) {
  std::vector<Step> stores = TakeStores(code);
  After written;  // by value: the place behind its last write
  After read;     // by the oldest value of the same bytes: behind the last read
  for (size_t s = 0; s < code.steps.size(); ++s) {
    const Step& step = code.steps[s];
    for (const ValueId v : step.results) Raise(written, v, s + 1);
    graph::ForEachValue(step.operands, [&](ValueId v) { Raise(read, RootOf(code, v), s + 1); });
    for (size_t o = 0; o < step.operands.size(); ++o) {
      const auto value = graph::ValueOfOperand(step.operands[o]);
      const bool updates = Updates(step, o) && !Planted(Defect::kStoreBeforeRows);
      if (value && updates) Raise(written, *value, s + 1);
    }
  }
  const std::vector<bool> straight = IsStraight(code);
  std::vector<Insertion> insertions;
  for (Step& store : stores) {
    const ValueId from = *graph::ValueOfOperand(store.operands.front());
    size_t at = written[from];
    if (!Planted(Defect::kStoreBeforeLastRead)) at = std::max(at, read[Overwritten(code, store)]);
    while (!straight[at] && !Planted(Defect::kStoreInBranch)) ++at;
    if (!Planted(Defect::kStoresOvertake)) Raise(read, RootOf(code, from), at);
    insertions.push_back({at, std::move(store)});
  }
  InsertSteps(code, std::move(insertions));
}

}  // namespace pteproof::planner
