// What the steps of reading one method share.
#ifndef PTEPROOF_RUNTIME_READER_METHOD_SCOPE_H_
#define PTEPROOF_RUNTIME_READER_METHOD_SCOPE_H_

#include <string>
#include <string_view>
#include <vector>

#include "runtime/reader/context.h"

namespace pteproof::reader {

struct MethodScope {
  Context& context;
  const schema::Method& wire;
  const Program& program;  // its constants and initial values are read
  Method& out;
};

// A value that was refused has this in `tensor` and kind kNull, so that what refers to it is not
// blamed too.
inline constexpr uint32_t kBroken = UINT32_MAX;

[[nodiscard]] inline bool IsBroken(const Value& value) {
  return value.kind == ValueKind::kNull && value.tensor == kBroken;
}

[[nodiscard]] inline bool IsValue(const MethodScope& scope, int64_t index) {
  return index >= 0 && static_cast<uint64_t>(index) < scope.out.values.size();
}

[[nodiscard]] inline const Value& ValueAt(const MethodScope& scope, int64_t index) {
  return scope.out.values[static_cast<size_t>(index)];
}

// Unplanned with stored data, inside the file or outside: no instruction may free it, no caller
// replace it.
[[nodiscard]] inline bool IsConstant(const Tensor& tensor) {
  return !tensor.planned && (tensor.external || tensor.data_index > 0);
}

inline void RefuseValue(const MethodScope& scope, std::string_view rule, uint32_t index,
                        const void* wire, std::string explanation) {
  Refuse(scope.context, rule,
         {.method = scope.out.name,
          .values = {static_cast<int32_t>(index)},
          .bytes = At(scope.context, wire)},
         std::move(explanation));
}

// Appends a string to the method's text, paying for it. False: the budget is spent.
[[nodiscard]] inline bool AppendText(const MethodScope& scope, const flatbuffers::String& wire,
                                     Range& out) {
  if (!Charge(scope.context, uint64_t{8} + wire.size())) return false;
  out = {static_cast<uint32_t>(scope.out.text.size()), wire.size()};
  scope.out.text.append(wire.c_str(), wire.size());
  return true;
}

// A kind's name for messages.
[[nodiscard]] std::string_view KindName(ValueKind kind);

}  // namespace pteproof::reader

#endif  // PTEPROOF_RUNTIME_READER_METHOD_SCOPE_H_
