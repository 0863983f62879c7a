#include "properties/proofs/rules/obliger.h"

#include <fmt/format.h>

namespace pteproof::proofs {

int32_t Obliger::AddSymbol(Symbol symbol) {
  made_.symbols.push_back(std::move(symbol));
  return static_cast<int32_t>(made_.symbols.size()) - 1;
}

std::optional<SizeExpr> Obliger::SizeOverDims(int32_t method, int32_t v) const {
  if (sizes_ == nullptr) return std::nullopt;
  return sizes_->bytes[static_cast<size_t>(method)][static_cast<size_t>(v)];
}

PlacedBytes Obliger::BytesOf(int32_t method, int32_t v) {
  const Tensor& tensor = *facts_.MethodAt(method).TensorOf(v);
  PlacedBytes span = {tensor.planned ? tensor.bank : 0, ByteCount(tensor.offset),
                      ByteCount(tensor.nbytes)};
  if (tensor.dynamism == Dynamism::kStatic) return span;
  const auto [known, fresh] = symbol_of_.try_emplace({method, v}, 0);
  if (fresh) {
    known->second = AddSymbol({.name = BytesSymbol(facts_.MethodAt(method), v),
                               .lo = 0,
                               .hi = ByteCount(tensor.nbytes).Constant().value_or(0),
                               .definition = SizeOverDims(method, v)});
  }
  span.size = SizeExpr::Symbol(known->second);
  return span;
}

bool Obliger::CountIfApart(int32_t method, int32_t a, int32_t b) {
  const Tensor& one = *facts_.MethodAt(method).TensorOf(a);
  const Tensor& other = *facts_.MethodAt(method).TensorOf(b);
  const bool is_known = one.dynamism == Dynamism::kStatic && other.dynamism == Dynamism::kStatic;
  if (!counts_held_ || !is_known) return false;
  const auto ends_before = [](const Tensor& lower, const Tensor& upper) {
    return CappedBytes(lower.offset) + CappedBytes(lower.nbytes) <= CappedBytes(upper.offset);
  };
  const bool apart = ends_before(one, other) || ends_before(other, one);
  made_.held += apart ? 1 : 0;
  return apart;
}

Obligation AboutMethod(const Method& method, std::string_view kind, int32_t instruction,
                       std::vector<int32_t> values) {
  Obligation o;
  o.kind = kind;
  o.method = method.name;
  o.instruction = instruction;
  o.values = std::move(values);
  return o;
}

Clause Disjoint(const PlacedBytes& a, const PlacedBytes& b) {
  if (a.bank != b.bank || a.bank == 0) return None(0);
  Clause goal = {{a.start + a.size, Relation::kLessEqual, b.start},
                 {b.start + b.size, Relation::kLessEqual, a.start}};
  for (const PlacedBytes* span : {&a, &b}) {
    if (!span->size.Constant() || span->size.Is(0)) {
      goal.push_back({span->size, Relation::kEqual, SizeExpr(0)});
    }
  }
  return goal;
}

Clause None(int64_t count) {
  return Equal(SizeExpr(count), SizeExpr(0));
}

Clause Equal(SizeExpr a, SizeExpr b) {
  return {{std::move(a), Relation::kEqual, std::move(b)}};
}

std::string BytesSymbol(const Method& method, int32_t v) {
  return fmt::format("{}.v{}.bytes", method.name, v);
}

std::string ValueText(const Method& method, int32_t v) {
  const Tensor* t = method.TensorOf(v);
  if (t == nullptr || !t->planned) return fmt::format("v{}", v);
  return fmt::format("v{} bank {} [{},{})", v, t->bank, t->offset, t->offset + t->nbytes);
}

std::string InstructionText(const Method& method, int32_t i) {
  const auto count = static_cast<int32_t>(method.instructions.size());
  if (i < 0) return "the caller";
  if (i == count) return "an output";
  if (i > count) return "the next call";
  const Instruction& at = method.instructions[static_cast<size_t>(i)];
  switch (at.kind) {
    case InstructionKind::kKernelCall:
      return fmt::format("instruction {} ({})", i,
                         method.operators[static_cast<size_t>(at.target)].name);
    case InstructionKind::kDelegateCall:
      return fmt::format("instruction {} (delegate)", i);
    case InstructionKind::kMove:
      return fmt::format("instruction {} (move)", i);
    case InstructionKind::kJumpFalse:
      return fmt::format("instruction {} (jump)", i);
    case InstructionKind::kFree:
      return fmt::format("instruction {} (free)", i);
  }
  return {};
}

}  // namespace pteproof::proofs
