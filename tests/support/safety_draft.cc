#include "tests/support/safety_draft.h"

#include <algorithm>
#include <string>

#include "reference/op_schema.h"

namespace pteproof {

int32_t SafetyDraft::At(uint64_t offset, const Dims& sizes, ScalarType dtype) {
  return builder_.Planned(1, offset, sizes, {}, dtype);
}

int32_t SafetyDraft::T(const Dims& sizes, ScalarType dtype) {
  const int32_t v = At(next_, sizes, dtype);
  next_ += (builder_.TensorAt(v).nbytes + 15) / 16 * 16;
  return v;
}

int32_t SafetyDraft::UptoAt(uint64_t offset, const Dims& sizes, ScalarType dtype) {
  const int32_t v = At(offset, sizes, dtype);
  builder_.TensorAt(v).dynamism = Dynamism::kBounded;
  return v;
}

int32_t SafetyDraft::Upto(const Dims& sizes, ScalarType dtype) {
  const int32_t v = T(sizes, dtype);
  builder_.TensorAt(v).dynamism = Dynamism::kBounded;
  return v;
}

int32_t SafetyDraft::Full(const Dims& sizes, int64_t number, ScalarType dtype) {
  const int32_t v = T(sizes, dtype);
  Call("aten::full.out",
       {{"size", Ints({sizes.begin(), sizes.end()})}, {"fill_value", Int(number)}, {"out", v}});
  return v;
}

int32_t SafetyDraft::Real(double number) {
  const int32_t v = builder_.Int(0);
  Value& value = builder_.method().values[static_cast<size_t>(v)];
  value.kind = ValueKind::kDouble;
  value.real = number;
  return v;
}

int32_t SafetyDraft::Ints(const std::vector<int64_t>& numbers) {
  std::vector<int32_t> items;
  for (const int64_t number : numbers) items.push_back(Int(number));
  return builder_.IntList(items);
}

int32_t SafetyDraft::Default(std::string_view op, size_t argument) {
  const ArgSchema& arg = FindOperator(op)->args[argument];
  if (arg.optional) return builder_.None();
  switch (arg.kind) {
    case ArgKind::kBool:
      return builder_.Bool(false);
    case ArgKind::kFloat:
      return Real(1);
    case ArgKind::kScalar:
      return Int(1);
    case ArgKind::kIntList:
      return Ints({});
    case ArgKind::kTensor:
      return T({1});
    case ArgKind::kTensorList:
      return builder_.TensorList({});
    default:
      return Int(0);
  }
}

void SafetyDraft::Call(std::string_view op, const Named& named) {
  const OpSchema* schema = FindOperator(op);
  std::vector<int32_t> args;
  std::vector<int32_t> written;
  for (size_t a = 0; a < schema->args.size(); ++a) {
    const auto given = named.find(schema->args[a].name);
    args.push_back(given == named.end() ? Default(op, a) : given->second);
    if (schema->args[a].returned) written.push_back(args.back());
  }
  std::vector<int32_t> results = written;
  if (schema->returns == ReturnSlot::kNone) results = {args.back()};
  if (schema->returns == ReturnSlot::kWritten) args.push_back(written.front());
  if (schema->returns == ReturnSlot::kScalar) args.push_back(Int(0));
  if (schema->returns == ReturnSlot::kWrittenList) {
    const bool is_list = builder_.method().TensorOf(written.front()) == nullptr;
    args.push_back(is_list ? written.front() : builder_.TensorList(written));
  }
  builder_.Call(op, args);
  const auto& outputs = builder_.method().outputs;
  for (const int32_t v : results) {
    if (builder_.method().TensorOf(v) == nullptr) continue;
    if (std::ranges::find(outputs, v) == outputs.end()) builder_.Output(v);
  }
}

}  // namespace pteproof
