// Idea. For each node with `in_place`, three questions in turn, each answered by the first counter-
// example: do the bytes belong to the operand alone (C0: foreign_bytes.cc, other operands, views),
// does another reader want the old contents (C1), has the result the layout of the operand (C2)?
//
//   %2 = relu(%1) in_place(0)       C1 fails if %3 = f(%1) comes later
//   %v = view(%1); %3 = f(%v)       C0 fails if %3 is not bound to run before %2
//
// A reader runs before the node if the node depends on its result or comes `after` it, directly or
// through such dependencies (node_order.h); as the listing runs, if it is listed before.
//
// Invariant: all names of the bytes are the views of `base_`, directly or through each other, and
// what is made in place of one of them. Cost: O(nodes + operands), and for a node with other
// readers the listing since the first of them.
#include "reference/graph/in_place.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "base/rule_names.h"
#include "reference/graph/foreign_bytes.h"
#include "reference/graph/method_uses.h"
#include "reference/graph/names.h"
#include "reference/graph/node_order.h"
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
  MethodInPlace(const Module& module, const Method& method, InPlaceOrder order,
                std::vector<InPlaceFinding>& findings)
      : module_(module),
        method_(method),
        order_(order),
        findings_(findings),
        uses_(UsesOf(method)),
        texts_{ValueNames(method)},
        needs_(uses_) {}

  void Go() {
    for (size_t n = 0; n < uses_.nodes.size(); ++n) {
      const Node& node = *uses_.nodes[n];
      const auto operand = AliasedOperand(node);
      if (!node.in_place || !operand || node.view || Mutates(node)) continue;
      node_ = static_cast<int32_t>(n);
      operand_ = *operand;
      base_ = BaseOf(operand_);
      Check(node);
    }
  }

 private:
  void Check(const Node& node) {
    if (auto foreign = ForeignBytes(module_, method_, uses_, texts_, base_, Result())) {
      Report(rule::kInPlaceAlias, *foreign);
    } else if (auto twice = ReadsTwice(node)) {
      Report(rule::kInPlaceAlias, *twice);
    } else if (auto alias = LiveAlias()) {
      Report(rule::kInPlaceAlias, *alias);
    } else if (base_ != operand_ && order_ == InPlaceOrder::kStrict) {
      NoteView();
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
    const std::string without = "Leave out in_place(" + std::to_string(InPlaceAt()) + ")";
    findings_.push_back({rule, method_.name, Result(), operand_, reader.value,
                         Title(node_) + " is computed in the bytes of " + Name(operand_) + ".\n" +
                             reader.what + "\n" + reader.outcome,
                         without + (reader.remedy.empty() ? "." : ", or " + reader.remedy)});
  }

  void NoteView() {
    Report(rule::kInPlaceAlias,
           {{},
            Name(operand_) + " is a view of " + Name(base_) + ", which nothing reads any more.",
            "The strict rule asks for a value that is not a view. The bytes are the same."});
    findings_.back().is_note = true;
  }

  int32_t InPlaceAt() const { return *uses_.nodes[Index(node_)]->in_place; }

  // The value that the operand is a view of, directly or through other views; or the operand.
  ValueId BaseOf(ValueId value) const {
    for (;;) {
      const ValueMaker maker = uses_.makers[Index(value)];
      if (maker.kind != MakerKind::kNode) return value;
      const Node& node = *uses_.nodes[Index(maker.index)];
      const auto of = AliasedOperand(node);
      if (!of || !node.view || node.results.front() != value) return value;
      value = *of;
    }
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

  // Other names of the bytes: the base, and what comes from it other than by this node.
  std::optional<InPlaceReader> LiveAlias() {
    std::vector<ValueId> names = {base_};
    while (!names.empty()) {
      const ValueId name = names.back();
      names.pop_back();
      if (name != operand_) {
        if (auto reader = LiveReader(name)) return reader;
      }
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
        if (order_ != InPlaceOrder::kStrict && OnlyReadsBefore(use.index)) continue;
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
      found.remedy = "give " + sees + " a copy of " + Name(value) + ".";
    } else if (RunsBefore(reader)) {
      found.what =
          title + " reads " + Name(value) + " too, and the data flow orders this read before.";
      found.outcome = "The strict rule allows no other reader: in another order it would see " +
                      Name(Result()) + ".";
    } else if (reader < node_) {
      found.what = title + " reads " + Name(value) +
                   " too. It is listed before, but no data flow orders it before.";
      if (found.value) found.remedy = "add after(" + sees + ").";
    } else {
      found.what = title + " reads " + Name(value) + " afterwards.";
      found.remedy = "list " + sees + " before.";
    }
    return found;
  }

  bool RunsBefore(int32_t other) {
    if (order_ == InPlaceOrder::kListed) return other < node_;
    return other < node_ && needs_.Needs(node_, other);
  }

  // --- Texts.

  static size_t Index(int32_t index) { return static_cast<size_t>(index); }
  ValueId Result() const { return uses_.nodes[Index(node_)]->results.front(); }

  std::string Name(ValueId value) const { return texts_.Name(value); }
  std::string Title(int32_t node) const { return texts_.Title(*uses_.nodes[Index(node)]); }

  const Module& module_;
  const Method& method_;
  InPlaceOrder order_;
  std::vector<InPlaceFinding>& findings_;
  MethodUses uses_;
  NodeTexts texts_;
  NodeOrder needs_;
  // The node under examination, the operand that it overwrites, and whose bytes these are.
  int32_t node_ = -1;
  ValueId operand_ = -1;
  ValueId base_ = -1;
};

}  // namespace

std::vector<InPlaceFinding> CheckInPlace(const Module& module, const Method& method,
                                         InPlaceOrder order) {
  std::vector<InPlaceFinding> findings;
  if (HasInPlace(method.body)) MethodInPlace(module, method, order, findings).Go();
  return findings;
}

std::vector<InPlaceFinding> CheckInPlace(const Module& module, InPlaceOrder order) {
  std::vector<InPlaceFinding> findings;
  for (const Method& method : module.methods) {
    std::ranges::move(CheckInPlace(module, method, order), std::back_inserter(findings));
  }
  return findings;
}

}  // namespace pteproof::graph
