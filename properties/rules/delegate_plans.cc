// Idea: nodes run one after the other. A value inside lives from the first node that writes it to
// the last that reads it; an input from the start, an output to the end, and what is computed once
// at loading for ever. Values of one memory object are looked at in the order of their first
// writes: one that begins before an earlier one has ended takes its bytes.
//
//   object 3:   value 4  ├────────┤        written by node 2, read by node 5
//               value 7        ├──────┤    written by node 4: plan-overlap
//
// Invariant: a node that reads one value and writes another of the same object is left alone: the
// operator may work in place. Cost: O(n log n) in operands.
#include "properties/rules/delegate_plans.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include "base/rule_names.h"
#include "properties/rules/wording.h"

namespace pteproof::checks {
namespace {

using delegates::BlobSlot;
using delegates::BlobValue;
using delegates::OpenedBlob;

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

struct InnerLife {
  int32_t value = 0;
  int64_t first = kNever;  // node that first writes it; -1: it is there at the start
  int64_t last = -1;       // last node that uses it; the number of nodes: the end
  bool forever = false;    // made once at loading, read by every call
};

std::vector<InnerLife> LivesOf(const OpenedBlob& opened) {
  std::vector<InnerLife> lives(opened.values.size());
  for (size_t v = 0; v < lives.size(); ++v) lives[v].value = static_cast<int32_t>(v);
  const auto end = static_cast<int64_t>(opened.nodes.size());
  for (int64_t n = 0; n < end; ++n) {
    const delegates::BlobNode& node = opened.nodes[static_cast<size_t>(n)];
    for (const int32_t r : node.reads) {
      InnerLife& life = lives[static_cast<size_t>(r)];
      life.last = std::max(life.last, n);
    }
    for (const int32_t w : node.writes) {
      InnerLife& life = lives[static_cast<size_t>(w)];
      life.first = std::min(life.first, n);
      life.last = std::max(life.last, n);
      life.forever |= node.once;
    }
  }
  for (const BlobSlot& slot : opened.inputs) {
    if (slot.value >= 0) lives[static_cast<size_t>(slot.value)].first = -1;
  }
  for (const BlobSlot& slot : opened.outputs) {
    if (slot.value >= 0) lives[static_cast<size_t>(slot.value)].last = end;
  }
  return lives;
}

Finding Overlap(const Method& method, int32_t at, const OpenedBlob& opened, const InnerLife& before,
                const InnerLife& after) {
  const auto value = [&](const InnerLife& life) -> const BlobValue& {
    return opened.values[static_cast<size_t>(life.value)];
  };
  const auto node = [&](int64_t n) {
    if (n < 0) return std::string("the start of the call");
    if (n >= static_cast<int64_t>(opened.nodes.size())) return std::string("the caller");
    return fmt::format("node {} ({})", n, opened.nodes[static_cast<size_t>(n)].op);
  };
  Finding finding =
      FindingAt(rule::kPlanOverlap, Severity::kWarning, method, at, {}, meaning::Place{});
  finding.explanation = fmt::format(
      "Inside the {} blob of {}, {} and {} share memory object {}.\n"
      "{} writes {} there while {} is still live.\n"
      "{} reads {} afterwards{}.",
      opened.backend, InstructionWords(method, at), value(before).name, value(after).name,
      value(before).object, Capital(node(after.first)), value(after).name, value(before).name,
      Capital(node(before.last)), value(before).name,
      before.forever ? ", in the next call, too" : "");
  finding.fix =
      "Export without memory planning inside the delegate (`skip_memory_planning`), and report the "
      "blob to the backend.";
  return finding;
}

}  // namespace

std::vector<Finding> CheckInnerPlan(const Method& method, int32_t at, const OpenedBlob& opened) {
  if (!opened.IsFollowed()) return {};
  std::map<int64_t, std::vector<InnerLife>> objects;
  for (const InnerLife& life : LivesOf(opened)) {
    const BlobValue& value = opened.values[static_cast<size_t>(life.value)];
    if (value.object >= 0 && life.first != kNever) objects[value.object].push_back(life);
  }
  std::vector<Finding> findings;
  for (auto& [object, lives] : objects) {
    std::ranges::sort(lives, {}, [](const InnerLife& l) { return std::pair(l.first, l.value); });
    const InnerLife* longest = nullptr;  // of those so far, the one that lives longest
    for (const InnerLife& life : lives) {
      if (longest != nullptr && (life.first < longest->last || longest->forever)) {
        findings.push_back(Overlap(method, at, opened, *longest, life));
        break;
      }
      if (longest == nullptr || life.last > longest->last) longest = &life;
    }
  }
  return findings;
}

}  // namespace pteproof::checks
