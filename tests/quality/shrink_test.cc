// Promises about shrinking: from any seed whose case fails a predicate, the smallest case that
// fails is reached. The sizes were counted by hand.
#include "properties/generators/shrink.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "properties/generators/build_module.h"
#include "properties/generators/draw.h"
#include "reference/graph/method_uses.h"
#include "tests/support/counts.h"

namespace pteproof::generators {
namespace {

using graph::Method;
using graph::Module;
using graph::Node;
using graph::NodeKind;
using graph::Region;

// Sanitizers find in a quarter of them what they find in all, and take ten times as long.
const uint64_t kSeeds = Cases(25, 100);
constexpr uint64_t kMostDraws = 100'000;

size_t NodesIn(const Region& region) {
  size_t nodes = region.nodes.size();
  for (const Node& node : region.nodes) {
    for (const Region& inner : node.regions) nodes += NodesIn(inner);
  }
  return nodes;
}

// Buffers, methods, inputs, entries, nodes, stores and outputs.
size_t SizeOf(const Module& module) {
  size_t size = module.buffers.size() + module.methods.size();
  for (const Method& method : module.methods) {
    size += method.inputs.size() + method.buffers.size() + NodesIn(method.body) +
            method.stores.size() + method.body.results.size();
  }
  return size;
}

using Predicate = std::function<bool(const Module&)>;

bool AnyMethod(const Module& module, const std::function<bool(const Method&)>& has) {
  return std::ranges::any_of(module.methods, has);
}

bool AnyNode(const Region& region, const std::function<bool(const Node&)>& is) {
  return std::ranges::any_of(region.nodes, [&](const Node& node) {
    return is(node) || std::ranges::any_of(node.regions,
                                           [&](const Region& inner) { return AnyNode(inner, is); });
  });
}

Predicate HasNode(std::function<bool(const Node&)> is) {
  return [is = std::move(is)](const Module& module) {
    return AnyMethod(module, [&](const Method& method) { return AnyNode(method.body, is); });
  };
}

void ExpectMinimum(size_t minimum, const Predicate& fails) {
  uint64_t found = 0;
  for (uint64_t seed = 0; found < kSeeds && seed < kMostDraws; ++seed) {
    const CaseDraft draft = DrawCase(seed);
    if (!fails(BuildModule(draft))) continue;
    ++found;
    const CaseDraft least =
        Shrunk(draft, [&](const CaseDraft& tried) { return fails(BuildModule(tried)); });
    EXPECT_EQ(SizeOf(BuildModule(least)), minimum) << "seed " << seed;
  }
  EXPECT_EQ(found, kSeeds) << "too few cases fail";
}

// One method and the input that a method without any value gets: 2. Then what the predicate needs.
constexpr size_t kLeast = 2;

TEST(Shrinking, ReachesAnElementwiseNode) {
  ExpectMinimum(kLeast + 1, HasNode([](const Node& n) { return n.op == "aten::add.out"; }));
}

TEST(Shrinking, ReachesACondWithItsPredicate) {
  ExpectMinimum(kLeast + 2, HasNode([](const Node& n) { return n.kind == NodeKind::kCond; }));
}

// Counter, loop, test and step.
TEST(Shrinking, ReachesALoop) {
  ExpectMinimum(kLeast + 4, HasNode([](const Node& n) { return n.kind == NodeKind::kWhile; }));
}

TEST(Shrinking, ReachesADelegate) {
  ExpectMinimum(kLeast + 1, HasNode([](const Node& n) { return n.kind == NodeKind::kDelegate; }));
}

TEST(Shrinking, ReachesANodeWithARegionOfTwo) {
  ExpectMinimum(kLeast + 3, HasNode([](const Node& n) {
                  return n.kind == NodeKind::kMap && n.regions[0].nodes.size() >= 2;
                }));
}

// A buffer, its entry, its store: of the entry value itself.
TEST(Shrinking, ReachesAStore) {
  ExpectMinimum(4, [](const Module& module) {
    return AnyMethod(module, [](const Method& m) { return !m.stores.empty(); });
  });
}

// Two methods with an entry each, and the buffer.
TEST(Shrinking, ReachesTwoUsersOfOneSharedBuffer) {
  ExpectMinimum(5, [](const Module& module) {
    for (size_t b = 0; b < module.buffers.size(); ++b) {
      const auto uses = [&](const Method& m) {
        return std::ranges::find(m.buffers, static_cast<int32_t>(b), &graph::BufferEntry::buffer) !=
               m.buffers.end();
      };
      if (module.buffers[b].shared && std::ranges::count_if(module.methods, uses) >= 2) return true;
    }
    return false;
  });
}

TEST(Shrinking, ReachesAnInputThatIsReturned) {
  ExpectMinimum(kLeast + 1, [](const Module& module) {
    return AnyMethod(module, [](const Method& m) {
      return std::ranges::any_of(m.inputs, [&](const graph::Input& input) {
        return std::ranges::find(m.body.results, input.value) != m.body.results.end();
      });
    });
  });
}

// Two buffers, an entry and a store of each.
TEST(Shrinking, ReachesASwapOfTwoBuffers) {
  ExpectMinimum(7, [](const Module& module) {
    return AnyMethod(module, [](const Method& m) {
      const auto stored_from = [&](int32_t buffer) {
        const auto store = std::ranges::find(m.stores, buffer, &graph::BufferStore::buffer);
        if (store == m.stores.end()) return -1;
        const auto entry = std::ranges::find(m.buffers, store->value, &graph::BufferEntry::value);
        return entry == m.buffers.end() ? -1 : entry->buffer;
      };
      return std::ranges::any_of(m.stores, [&](const graph::BufferStore& store) {
        const int32_t other = stored_from(store.buffer);
        return other >= 0 && other != store.buffer && stored_from(other) == store.buffer;
      });
    });
  });
}

TEST(Shrinking, ReachesAStoreThroughAView) {
  ExpectMinimum(kLeast + 2, [](const Module& module) {
    return AnyMethod(module, [](const Method& m) {
      std::vector<graph::ValueId> views;
      for (const Node& node : m.body.nodes) {
        if (node.view) views.push_back(node.results.front());
        if (!Mutates(node)) continue;
        const auto self = graph::ValueOfOperand(node.operands.front());
        if (std::ranges::find(views, self.value()) != views.end()) return true;
      }
      return false;
    });
  });
}

}  // namespace
}  // namespace pteproof::generators
