// The in-place conditions against a brute force: random Modules are run in every order that data
// and `after` allow, with bytes in storages, and each read is compared with what the Module means.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "reference/graph/lint.h"
#include "tests/reference/graph/in_place_found.h"
#include "tests/support/counts.h"

namespace pteproof::graph {
namespace {

// A node of the drawn Modules. Values are numbered: 0 and 1 are inputs, 2 is a buffer's entry
// value, node n makes value 3 + n. Elements are not followed: each value is one term.
struct DrawnNode {
  enum class Kind : uint8_t { kUnary, kBinary, kView, kMutate };
  Kind kind = Kind::kUnary;
  int a = 0;
  int b = 0;                    // kBinary
  std::optional<int> in_place;  // position of an operand
  std::optional<int> after;     // a node
};

struct DrawnModule {
  std::vector<DrawnNode> nodes;
  bool input_in_place = false;  // of input 0
  std::vector<int> outputs;
  std::optional<int> stored;  // to the buffer

  [[nodiscard]] std::string Text() const;
};

std::string ValueText(int value) {
  static const std::vector<std::string> kFirst = {"%x", "%y", "%e"};
  return value < 3 ? kFirst[static_cast<size_t>(value)] : "%n" + std::to_string(value - 3);
}

std::string DrawnModule::Text() const {
  std::string text = "buffer @b: float32[2]\nmethod f(%x: float32[2]";
  text += std::string(input_in_place ? " in_place" : "") + ", %y: float32[2]) {\n  %e = entry @b\n";
  for (size_t n = 0; n < nodes.size(); ++n) {
    const DrawnNode& node = nodes[n];
    const std::string a = ValueText(node.a);
    text += "  " + ValueText(static_cast<int>(n) + 3) + ": float32[2] = ";
    switch (node.kind) {
      case DrawnNode::Kind::kUnary:
        text += "aten::neg.out(" + a + ")";
        break;
      case DrawnNode::Kind::kBinary:
        text += "aten::add.out(" + a + ", " + ValueText(node.b) + ", 1)";
        break;
      case DrawnNode::Kind::kView:
        text += "view aten::alias_copy.out(" + a + ")";
        break;
      case DrawnNode::Kind::kMutate:
        text += "aten::neg_(" + a + ")";
        break;
    }
    if (node.in_place) text += " in_place(" + std::to_string(*node.in_place) + ")";
    if (node.after) text += " after(" + ValueText(*node.after + 3) + ")";
    text += "\n";
  }
  text += "  return";
  for (size_t o = 0; o < outputs.size(); ++o) text += (o == 0 ? " " : ", ") + ValueText(outputs[o]);
  text += "\n";
  if (stored) text += "  store @b = " + ValueText(*stored) + "\n";
  return text + "}\n";
}

// Terms are numbers: equal terms, equal contents.
class Terms {
 public:
  int Of(const std::vector<int>& key) {
    return numbers_.try_emplace(key, numbers_.size()).first->second;
  }

 private:
  std::map<std::vector<int>, int> numbers_;
};

// What a run of the nodes in an order has seen: per node the terms of its operands, and the terms
// of outputs and stores at the end.
struct Seen {
  std::vector<std::vector<int>> reads;
  std::vector<int> end;
  bool twice = false;  // a node read bytes that it writes by another name
  std::vector<int> bytes;
  std::vector<int> storage;
  bool operator==(const Seen& other) const { return reads == other.reads && end == other.end; }
};

class Machine {
 public:
  Machine(const DrawnModule& module, Terms& terms) : module_(module), terms_(terms) {}

  Seen Run(const std::vector<int>& order, bool in_place) {
    Seen seen;
    seen.reads.resize(module_.nodes.size());
    seen.storage.assign(module_.nodes.size() + 3, -1);
    for (int v = 0; v < 3; ++v) {
      seen.storage[static_cast<size_t>(v)] = v;
      seen.bytes.push_back(terms_.Of({-1, v}));
    }
    for (const int n : order) Step(n, in_place, seen);
    for (const int v : module_.outputs) seen.end.push_back(Content(seen, v));
    if (module_.stored) seen.end.push_back(Content(seen, *module_.stored));
    return seen;
  }

 private:
  static int Content(const Seen& seen, int value) {
    return seen.bytes[static_cast<size_t>(seen.storage[static_cast<size_t>(value)])];
  }

  void Step(int n, bool in_place, Seen& seen) {
    const DrawnNode& node = module_.nodes[static_cast<size_t>(n)];
    int& storage = seen.storage[static_cast<size_t>(n) + 3];
    const int of_a = seen.storage[static_cast<size_t>(node.a)];
    if (node.kind == DrawnNode::Kind::kView) {
      storage = of_a;
      return;
    }
    std::vector<int> read = {Content(seen, node.a)};
    const bool binary = node.kind == DrawnNode::Kind::kBinary;
    if (binary) read.push_back(Content(seen, node.b));
    std::vector<int> key = read;
    key.insert(key.begin(), binary ? 1 : 0);
    const int made = terms_.Of(key);
    seen.reads[static_cast<size_t>(n)] = std::move(read);
    const bool over_b = node.in_place == 1;
    if (node.kind == DrawnNode::Kind::kMutate || (in_place && node.in_place)) {
      storage = over_b ? seen.storage[static_cast<size_t>(node.b)] : of_a;
      const bool same_bytes = binary && of_a == seen.storage[static_cast<size_t>(node.b)];
      if (same_bytes && node.a != node.b) seen.twice = true;
    } else {
      storage = static_cast<int>(seen.bytes.size());
      seen.bytes.push_back(-1);
    }
    seen.bytes[static_cast<size_t>(storage)] = made;
  }

  const DrawnModule& module_;
  Terms& terms_;
};

std::vector<int> NeededBy(const DrawnNode& node) {
  std::vector<int> needed;
  for (const int v : {node.a, node.kind == DrawnNode::Kind::kBinary ? node.b : node.a}) {
    if (v >= 3) needed.push_back(v - 3);
  }
  if (node.after) needed.push_back(*node.after);
  return needed;
}

void ForEachOrder(const DrawnModule& module, std::vector<int>& order,
                  const std::function<void(const std::vector<int>&)>& visit) {
  if (order.size() == module.nodes.size()) return visit(order);
  const auto done = [&](int n) { return std::ranges::find(order, n) != order.end(); };
  for (int n = 0; n < static_cast<int>(module.nodes.size()); ++n) {
    if (done(n) || !std::ranges::all_of(NeededBy(module.nodes[static_cast<size_t>(n)]), done))
      continue;
    order.push_back(n);
    ForEachOrder(module, order, visit);
    order.pop_back();
  }
}

// At exit a buffer that something was made in the bytes of must hold what is stored to it, by that
// update. An input that is not given away must be as it was meant to be.
bool KeepsForeignBytes(const DrawnModule& module, const Seen& seen, const Seen& meant) {
  const bool input = module.input_in_place || seen.bytes[0] == meant.bytes[0];
  const bool updated = module.stored && seen.storage[static_cast<size_t>(*module.stored)] == 2;
  return input && seen.bytes[1] == meant.bytes[1] && (updated || seen.bytes[2] == meant.bytes[2]);
}

// Whether every order, or the listed one, gives what the Module means.
bool IsRightInRuns(const DrawnModule& module, bool any_order) {
  Terms terms;
  Machine machine(module, terms);
  std::vector<int> listed(module.nodes.size());
  for (size_t n = 0; n < listed.size(); ++n) listed[n] = static_cast<int>(n);
  const Seen meant = machine.Run(listed, false);
  bool right = true;
  const auto run = [&](const std::vector<int>& order) {
    if (!right) return;
    const Seen seen = machine.Run(order, true);
    right = seen == meant && !seen.twice && KeepsForeignBytes(module, seen, meant);
  };
  std::vector<int> order;
  if (any_order) {
    ForEachOrder(module, order, run);
  } else {
    run(listed);
  }
  return right;
}

// Whether each operand that is overwritten has one use.
bool HasSingleUses(const DrawnModule& module) {
  std::map<int, int> uses;
  const auto use = [&](const std::optional<int>& v) {
    if (v) ++uses[*v];
  };
  for (const DrawnNode& node : module.nodes) {
    use(node.a);
    if (node.kind == DrawnNode::Kind::kBinary && node.b != node.a) use(node.b);
  }
  for (const int v : module.outputs) use(v);
  use(module.stored);
  return std::ranges::all_of(module.nodes, [&](const DrawnNode& node) {
    return !node.in_place || uses[*node.in_place == 1 ? node.b : node.a] == 1;
  });
}

class Draw {
 public:
  explicit Draw(uint32_t seed) : random_(seed) {}

  DrawnModule Module(bool mutations) {
    DrawnModule module;
    const int count = Below(6) + 1;
    for (int n = 0; n < count; ++n) module.nodes.push_back(Node(n, mutations));
    module.input_in_place = Below(2) == 0;
    for (int o = Below(3); o > 0; --o) module.outputs.push_back(Value(count));
    if (Below(2) == 0) module.stored = Value(count);
    return module;
  }

 private:
  int Below(int n) { return static_cast<int>(random_() % static_cast<uint32_t>(n)); }

  // Young ones more often.
  int Value(int nodes) {
    return Below(3) == 0 || nodes == 0 ? Below(nodes + 3)
                                       : 3 + nodes - 1 - Below(std::min(nodes, 2));
  }

  DrawnNode Node(int n, bool mutations) {
    DrawnNode node;
    const int kind = Below(mutations ? 10 : 8);
    node.kind = kind < 4   ? DrawnNode::Kind::kUnary
                : kind < 6 ? DrawnNode::Kind::kBinary
                : kind < 8 ? DrawnNode::Kind::kView
                           : DrawnNode::Kind::kMutate;
    node.a = Value(n);
    node.b = Value(n);
    if (node.kind == DrawnNode::Kind::kMutate) node.a = n == 0 ? 2 : std::max(2, Value(n));
    const bool computes =
        node.kind == DrawnNode::Kind::kUnary || node.kind == DrawnNode::Kind::kBinary;
    if (computes && Below(2) == 0) {
      node.in_place = node.kind == DrawnNode::Kind::kBinary ? Below(2) : 0;
    }
    if (n > 0 && Below(4) == 0) node.after = Below(n);
    return node;
  }

  std::mt19937 random_;
};

bool IsRight(const std::string& text, InPlaceOrder order) {
  const auto findings = Lint(InPlaceModule(text), order);
  return std::ranges::all_of(findings, &InPlaceFinding::is_note);
}

TEST(InPlaceOrders, ConditionsAgreeWithRunsInEveryOrder) {
  std::map<std::string, int> right;
  for (uint32_t seed = 0; seed < Cases(1000, 3000); ++seed) {
    const DrawnModule module = Draw(seed).Module(false);
    const std::string text = module.Text();
    const bool any = IsRightInRuns(module, true);
    EXPECT_EQ(IsRight(text, kListed), IsRightInRuns(module, false))
        << "listed, seed " << seed << "\n"
        << text;
    EXPECT_EQ(IsRight(text, kAny), any) << "any, seed " << seed << "\n" << text;
    EXPECT_EQ(IsRight(text, kStrict), any && HasSingleUses(module))
        << "strict, seed " << seed << "\n"
        << text;
    if (testing::Test::HasFailure()) return;
    right["any"] += any ? 1 : 0;
    right["wishes"] +=
        std::ranges::any_of(module.nodes, [](const DrawnNode& n) { return n.in_place.has_value(); })
            ? 1
            : 0;
  }
  EXPECT_GT(right["wishes"], right["any"] / 2);
}

// A node that writes its operand is refused under any order as soon as a reader is free to move:
// more than runs show, never less.
TEST(InPlaceOrders, NoMutationIsAcceptedThatSomeOrderShows) {
  int accepted = 0;
  for (uint32_t seed = 0; seed < Cases(1000, 3000); ++seed) {
    const DrawnModule module = Draw(seed).Module(true);
    const std::string text = module.Text();
    if (!Parse(text).ok() || !IsRight(text, kAny)) continue;
    ++accepted;
    EXPECT_TRUE(IsRightInRuns(module, true)) << "seed " << seed << "\n" << text;
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(accepted, 100);
}

}  // namespace
}  // namespace pteproof::graph
