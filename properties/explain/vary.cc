// Idea: a part of a failing case is inessential if the failure stays when the part is replaced by
// something else that fits. A node may become another operator of its signature, its numbers and
// the contents of tensors may become other ones:
//
//   %3 = neg(%1)   ->   %3 = abs(%1)     fits: same signature, same result type
//
// Invariant: the changed case is well-formed, each result keeps its type, and the case breaks no
// more conditions of in-place operators than before. Otherwise the change is undone.
//
// Cost: at most kMostAttempts attempts, each with a validation of the Module.
#include "properties/explain/vary.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "reference/graph/in_place.h"
#include "reference/graph/validate.h"
#include "reference/op_meaning.h"
#include "reference/op_schema.h"

namespace pteproof::explain {
namespace {

using generators::RandomCase;
using graph::Node;
using graph::Operand;
using Generator = std::mt19937_64;

constexpr int kMostAttempts = 24;

// Below `count`, which is not 0.
uint64_t DrawBelow(Generator& random, uint64_t count) {
  return random() % count;
}

bool TakeTheSame(const ArgSchema& a, const ArgSchema& b) {
  return a.kind == b.kind && a.optional == b.optional && a.access == b.access &&
         a.returned == b.returned && a.out == b.out;
}

bool HaveOneSignature(const OpSchema& a, const OpSchema& b) {
  return a.returns == b.returns && a.is_view == b.is_view && a.in_place == b.in_place &&
         std::ranges::equal(a.args, b.args, TakeTheSame);
}

// Those with a meaning, itself included.
std::vector<const OpSchema*> OperatorsLike(const OpSchema& schema) {
  std::vector<const OpSchema*> alike;
  for (const OpSchema& each : AllOperators()) {
    if (FindMeaning(each) != nullptr && HaveOneSignature(each, schema)) alike.push_back(&each);
  }
  return alike;
}

// Replaces a number that is not a value, in three of four cases.
void VaryNumber(Operand& operand, Generator& random) {
  constexpr uint64_t kCount = 9;
  if (auto* list = std::get_if<graph::OperandList>(&operand.held)) {
    for (Operand& each : *list) VaryNumber(each, random);
    return;
  }
  const bool kept = DrawBelow(random, 4) == 0;
  const auto number = static_cast<int64_t>(DrawBelow(random, kCount)) - 2;
  if (kept) return;
  if (auto* size = std::get_if<SizeExpr>(&operand.held); size != nullptr && size->Constant()) {
    *size = SizeExpr(number);
  } else if (auto* real = std::get_if<double>(&operand.held)) {
    *real = static_cast<double>(number) * 0.5;
  } else if (auto* flag = std::get_if<bool>(&operand.held)) {
    *flag = number % 2 == 0;
  }
}

bool FitsIn(const RandomCase& c, const graph::Method& method, size_t in_place_findings) {
  return graph::Validate(c.module).empty() &&
         graph::CheckInPlace(c.module, method, graph::InPlaceOrder::kAny).size() <=
             in_place_findings;
}

Change VaryNode(RandomCase& c, const Part& part, Generator& random) {
  graph::Method& method = c.module.methods[part.of];
  Node& node = *NodesOf(method)[part.at];
  if (node.kind != graph::NodeKind::kCall || node.schema == nullptr) return Change::kNone;
  const auto alike = OperatorsLike(*node.schema);
  const Node before = node;
  const size_t findings = graph::CheckInPlace(c.module, method, graph::InPlaceOrder::kAny).size();
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    const OpSchema& other = *alike[DrawBelow(random, alike.size())];
    node.schema = &other;
    node.op = other.name;
    // The first attempts leave the numbers alone: with others less fits.
    if (attempt % 2 == 1) {
      for (Operand& operand : node.operands) VaryNumber(operand, random);
    }
    if (!(node == before) && FitsIn(c, method, findings)) {
      return node.schema == before.schema ? Change::kNumbers : Change::kOperator;
    }
    node = before;
  }
  return Change::kNone;
}

void VaryElement(TensorValue& tensor, int64_t element, Generator& random) {
  constexpr uint64_t kCount = 33;
  const auto number = static_cast<int64_t>(DrawBelow(random, kCount)) - 16;
  if (IsFloat(tensor.dtype)) {
    SetReal(tensor, element, static_cast<double>(number) * 0.25);
  } else {
    // Small, as indices are.
    SetInt(tensor, element, number & 7);
  }
}

void SetContents(RandomCase& c, const Part& part, TensorValue contents) {
  if (part.kind == PartKind::kBuffer) {
    c.module.buffers[part.at].initial = std::move(contents);
    c.module.buffers[part.at].data.reset();
  } else {
    c.calls[part.of].inputs[part.at] = std::move(contents);
  }
}

// False: there is but one such content.
bool VaryContents(TensorValue& tensor, int64_t element, Generator& random) {
  const TensorValue before = tensor;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    const int64_t count = ElementCount(tensor);
    for (int64_t i = 0; i < count; ++i) {
      if (element < 0 || element == i) VaryElement(tensor, i, random);
    }
    if (!(tensor == before)) return true;
  }
  return false;
}

}  // namespace

Change Vary(RandomCase& c, const Part& part, Generator& random) {
  if (part.kind == PartKind::kNode) return VaryNode(c, part, random);
  auto contents = ContentsOf(c, part);
  if (!contents || !VaryContents(*contents, part.element, random)) return Change::kNone;
  SetContents(c, part, std::move(*contents));
  return Change::kContents;
}

void Transplant(const RandomCase& from, const Part& part, RandomCase& to) {
  if (part.kind == PartKind::kNode) {
    const Node& source = *NodesOf(from.module.methods[part.of])[part.at];
    Node& target = *NodesOf(to.module.methods[part.of])[part.at];
    target.op = source.op;
    target.schema = source.schema;
    target.operands = source.operands;
    return;
  }
  auto source = ContentsOf(from, part);
  if (!source) return;
  if (part.element < 0) {
    SetContents(to, part, std::move(*source));
    return;
  }
  auto target = *ContentsOf(to, part);
  CopyElement(*source, part.element, target, part.element);
  SetContents(to, part, std::move(target));
}

}  // namespace pteproof::explain
