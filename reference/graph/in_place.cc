// Idea. For each node with `in_place`, three questions in turn, each answered by the first counter-
// example: do the bytes belong to the operand alone (C0: foreign_bytes.cc, other operands, views),
// does another reader want the old contents (C1), has the result the layout of the operand (C2)?
//
//   %2 = relu(%1) in_place(0)       C1 fails if %3 = f(%1) comes later
//   %v = view(%1); %3 = f(%v)       C0 fails if %3 is not bound to run before %2
//
// A reader runs before the node if the node depends on its result or comes `after` it, directly or
// through such dependencies. The ancestors of a node are found by a walk against the order of the
// listing, which stops at the reader in question and continues from there for the next one.
//
// Invariant: before_[n] is the node under examination for all of its ancestors that were reached,
// and `unexplored_` holds the reached ones whose own operands were not visited yet. Cost: O(nodes +
// operands), and for a node with other readers the listing since the first of them.
#include "reference/graph/in_place.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "base/rule_names.h"
#include "reference/graph/foreign_bytes.h"
#include "reference/graph/method_uses.h"
#include "reference/graph/names.h"
#include "reference/graph/type_text.h"
#include "reference/op_schema.h"

namespace pteproof::graph {
namespace {

using UseKind = ValueUse::Kind;
using MakerKind = ValueMaker::Kind;

bool HasInPlace(const Region& region) {
  return std::ranges::any_of(region.nodes, [](const Node& node) {
    return node.in_place || std::ranges::any_of(node.regions, HasInPlace);
  });
}

class MethodInPlace {
 public:
  MethodInPlace(const Module& module, const Method& method, InPlaceUse use,
                std::vector<InPlaceFinding>& findings)
      : module_(module),
        method_(method),
        use_(use),
        findings_(findings),
        uses_(UsesOf(method)),
        texts_{ValueNames(method)},
        before_(uses_.nodes.size(), -1) {}

  void Go() {
    for (size_t n = 0; n < uses_.nodes.size(); ++n) {
      const Node& node = *uses_.nodes[n];
      const auto operand = AliasedOperand(node);
      if (!node.in_place || !operand || node.view || Mutates(node)) continue;
      node_ = static_cast<int32_t>(n);
      operand_ = *operand;
      Check(node);
    }
  }

 private:
  void Check(const Node& node) {
    if (auto foreign = ForeignBytes(module_, method_, uses_, texts_, operand_, Result())) {
      Report(rule::kInPlaceAlias, *foreign);
    } else if (auto twice = ReadsTwice(node)) {
      Report(rule::kInPlaceAlias, *twice);
    } else if (auto alias = LiveAlias()) {
      Report(rule::kInPlaceAlias, *alias);
    }
    if (auto reader = OtherReader()) Report(rule::kInPlaceSingleUse, *reader);
    const ValueType& from = method_.values[Index(operand_)];
    const ValueType& to = method_.values[Index(Result())];
    if (from != to) {
      Report(rule::kInPlacePassThrough,
             {{},
              "The result has the type " + TypeText(to, method_.dims) + " and the operand has " +
                  TypeText(from, method_.dims) + ".",
              "The result would not have the layout of the operand."});
    }
  }

  void Report(std::string_view rule, const InPlaceReader& reader) {
    findings_.push_back({rule, method_.name, Result(), operand_, reader.value,
                         Title(node_) + " is computed in the bytes of " + Name(operand_) + ".\n" +
                             reader.what + "\n" + reader.outcome});
  }

  // --- C0: other names.

  std::optional<InPlaceReader> ReadsTwice(const Node& node) const {
    const auto at = static_cast<size_t>(*node.in_place);
    for (size_t o = 0; o < node.operands.size(); ++o) {
      bool same = false;
      if (o != at) {
        ForEachValue(std::span(node.operands).subspan(o, 1),
                     [&](ValueId v) { same = same || v == operand_; });
      }
      if (same && !(IsElementwise(node, at) && IsElementwise(node, o))) {
        return SelfReader(operand_);
      }
    }
    return std::nullopt;
  }

  static bool IsElementwise(const Node& node, size_t operand) {
    const ArgSchema* arg = node.schema == nullptr ? nullptr : OperandSchema(*node.schema, operand);
    return arg != nullptr && arg->elementwise;
  }

  InPlaceReader SelfReader(ValueId by) const {
    return {Result(), "The operator reads these bytes again, as operand " + Name(by) + ".",
            "It may read an element that it has already overwritten."};
  }

  // Names that come from the operand, other than by this node.
  std::optional<InPlaceReader> LiveAlias() {
    std::vector<ValueId> names;
    AddNames(operand_, names);
    while (!names.empty()) {
      const ValueId name = names.back();
      names.pop_back();
      if (auto reader = LiveReader(name)) return reader;
      AddNames(name, names);
    }
    return std::nullopt;
  }

  void AddNames(ValueId value, std::vector<ValueId>& names) const {
    for (const ValueUse use : uses_.uses[Index(value)]) {
      if (use.kind != UseKind::kNode || use.index == node_) continue;
      const Node& node = *uses_.nodes[Index(use.index)];
      if (AliasedOperand(node) != value) continue;
      // Who else writes the operand itself is a matter of C1.
      if (value == operand_ && !node.view) continue;
      names.push_back(node.results.front());
    }
  }

  std::optional<InPlaceReader> LiveReader(ValueId name) {
    for (const ValueUse use : uses_.uses[Index(name)]) {
      if (use.kind == UseKind::kNode) {
        if (use.index == node_) return SelfReader(name);
        const Node& node = *uses_.nodes[Index(use.index)];
        if (node.view || (node.regions.empty() && RunsBefore(use.index))) continue;
      }
      InPlaceReader reader = ReaderOf(use, name);
      reader.what = Name(name) + " is another name of these bytes. " + reader.what;
      return reader;
    }
    return std::nullopt;
  }

  // --- C1.

  std::optional<InPlaceReader> OtherReader() {
    for (const ValueUse use : uses_.uses[Index(operand_)]) {
      if (use.kind == UseKind::kNode) {
        if (use.index == node_) continue;
        if (use_ == InPlaceUse::kRelaxed && OnlyReadsBefore(use.index)) continue;
      }
      return ReaderOf(use, operand_);
    }
    return std::nullopt;
  }

  bool OnlyReadsBefore(int32_t reader) {
    const Node& node = *uses_.nodes[Index(reader)];
    if (node.view) return true;
    const bool writes = (Mutates(node) || node.in_place) && AliasedOperand(node) == operand_;
    return !writes && node.regions.empty() && RunsBefore(reader);
  }

  InPlaceReader ReaderOf(ValueUse use, ValueId value) {
    if (use.kind == UseKind::kNode) return NodeReader(use.index, value);
    return {{}, Name(value) + EndText(use), "It would be " + Name(Result()) + " there."};
  }

  std::string EndText(ValueUse use) const {
    if (use.kind == UseKind::kResult) {
      return " is returned, as result " + std::to_string(use.index) + ".";
    }
    if (use.kind == UseKind::kStore) {
      const int32_t buffer = method_.stores[Index(use.index)].buffer;
      return " is stored to @" + module_.buffers[Index(buffer)].name + ".";
    }
    const int32_t input = method_.input_stores[Index(use.index)].input;
    return " is stored to %" + method_.inputs[Index(input)].name + ".";
  }

  InPlaceReader NodeReader(int32_t reader, ValueId value) {
    const Node& node = *uses_.nodes[Index(reader)];
    const std::string title = Title(reader);
    InPlaceReader found;
    if (!node.results.empty()) found.value = node.results.front();
    const std::string sees = found.value ? Name(*found.value) : "That node";
    found.outcome = sees + " would see " + Name(Result()) + ".";
    if (!node.view && AliasedOperand(node) == value) {
      found.what = title + " writes " + Name(value) + " too.";
    } else if (!node.regions.empty()) {
      found.what = title + " takes " + Name(value) + " into a region.";
    } else if (RunsBefore(reader)) {
      found.what =
          title + " reads " + Name(value) + " too, and the data flow orders this read before.";
      found.outcome = "The strict rule allows no other reader: in another order it would see " +
                      Name(Result()) + ".";
    } else if (reader < node_) {
      found.what = title + " reads " + Name(value) +
                   " too. It is listed before, but no data flow orders it before.";
    } else {
      found.what = title + " reads " + Name(value) + " afterwards.";
    }
    return found;
  }

  // Whether the node needs what `other` makes, or comes `after` it, at any remove.
  bool RunsBefore(int32_t other) {
    if (ancestors_of_ != node_) {
      ancestors_of_ = node_;
      unexplored_ = {node_};
    }
    // Nodes need only what is listed before them, so that none up to `other` must be explored.
    std::vector<int32_t> open = std::exchange(unexplored_, {});
    while (!open.empty()) {
      const int32_t node = open.back();
      open.pop_back();
      if (node > other) {
        AddAncestors(node, open);
      } else {
        unexplored_.push_back(node);
      }
    }
    return before_[Index(other)] == node_;
  }

  void AddAncestors(int32_t of, std::vector<int32_t>& open) {
    const auto add = [&](ValueId value) {
      const ValueMaker maker = uses_.makers[Index(value)];
      if (maker.kind != MakerKind::kNode || before_[Index(maker.index)] == node_) return;
      before_[Index(maker.index)] = node_;
      open.push_back(maker.index);
    };
    const Node& node = *uses_.nodes[Index(of)];
    ForEachValue(node.operands, add);
    for (const ValueId v : node.after) add(v);
  }

  // --- Texts.

  static size_t Index(int32_t index) { return static_cast<size_t>(index); }
  ValueId Result() const { return uses_.nodes[Index(node_)]->results.front(); }

  std::string Name(ValueId value) const { return texts_.Name(value); }
  std::string Title(int32_t node) const { return texts_.Title(*uses_.nodes[Index(node)]); }

  const Module& module_;
  const Method& method_;
  InPlaceUse use_;
  std::vector<InPlaceFinding>& findings_;
  MethodUses uses_;
  NodeTexts texts_;
  std::vector<int32_t> before_;  // by node: the last one that was found to run after it
  int32_t ancestors_of_ = -1;
  std::vector<int32_t> unexplored_;  // those of them whose own are not marked yet
  // The node under examination and the operand that it overwrites.
  int32_t node_ = -1;
  ValueId operand_ = -1;
};

}  // namespace

std::vector<InPlaceFinding> CheckInPlace(const Module& module, const Method& method,
                                         InPlaceUse use) {
  std::vector<InPlaceFinding> findings;
  if (HasInPlace(method.body)) MethodInPlace(module, method, use, findings).Go();
  return findings;
}

std::vector<InPlaceFinding> CheckInPlace(const Module& module, InPlaceUse use) {
  std::vector<InPlaceFinding> findings;
  for (const Method& method : module.methods) {
    std::ranges::move(CheckInPlace(module, method, use), std::back_inserter(findings));
  }
  return findings;
}

}  // namespace pteproof::graph
