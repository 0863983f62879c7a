#include "meaning/opaque_calls.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "meaning/exporter_order.h"

namespace pteproof::meaning {
namespace {

class Projection {
 public:
  Projection(const Method& method, const Effects& effects)
      : method_(method), effects_(effects), read_at_(method.values.size(), -1) {}

  OpaqueCalls Run() && {
    OpaqueCalls calls;
    for (size_t i = 0; i < method_.instructions.size(); ++i) {
      const auto at = static_cast<int32_t>(i);
      if (IsOpaque(method_, method_.instructions[i])) calls.emplace_hint(calls.end(), at, Of(at));
    }
    return calls;
  }

 private:
  OpaqueCall Of(int32_t at) {
    const auto i = static_cast<size_t>(at);
    for (const Read& r : effects_.ReadsOf(i)) read_at_[static_cast<size_t>(r.value)] = at;
    OpaqueCall call;
    for (const int32_t v : ArgumentsOf(method_.instructions[i])) {
      if (IsOperand(v, at)) call.operands.push_back(v);
    }
    for (const Write& w : effects_.WritesOf(i)) call.results.push_back(w.value);
    for (const Rename& r : effects_.RenamesOf(i)) call.returned.emplace_back(r.to, r.from);
    return call;
  }

  // Without the return slot of a kernel, which it cannot see. A slot of another kind than tensors
  // is no result of a run, and counts as a number that the call is given.
  [[nodiscard]] std::span<const int32_t> ArgumentsOf(const Instruction& call) const {
    const auto args = method_.Ints(call.args);
    const bool has_slot = call.kind == InstructionKind::kKernelCall && !args.empty() &&
                          IsTensorLike(ValueAt(args.back()).kind);
    return has_slot ? args.first(args.size() - 1) : args;
  }

  // Numbers, and lists without a tensor, tell the call something, too.
  [[nodiscard]] bool IsOperand(int32_t v, int32_t at) const {
    const auto is_read = [&](int32_t t) { return read_at_[static_cast<size_t>(t)] == at; };
    const Value& value = ValueAt(v);
    if (value.kind == ValueKind::kTensor) return is_read(v);
    if (!IsTensorLike(value.kind)) return true;
    bool has_tensor = false;
    for (const int32_t item : method_.Ints(value.items)) {
      if (item >= 0 && is_read(item)) return true;
      has_tensor |= item >= 0;
    }
    return !has_tensor;
  }

  [[nodiscard]] const Value& ValueAt(int32_t v) const {
    return method_.values[static_cast<size_t>(v)];
  }

  const Method& method_;
  const Effects& effects_;
  std::vector<int32_t> read_at_;  // per value: the last of the calls so far that reads it
};

}  // namespace

OpaqueCalls OpaqueCallsOf(const Method& method, const ManifestMethod* stated) {
  if (!HasOpaqueCall(method)) return {};
  return Projection(method, OrderedEffectsOf(method, stated).effects).Run();
}

GivenOpaqueCalls OpaqueCallsOf(const Program& program, const Manifest* manifest) {
  std::vector<OpaqueCalls> calls;
  calls.reserve(program.methods.size());
  for (const Method& method : program.methods) {
    calls.push_back(OpaqueCallsOf(method, StatedOf(manifest, method)));
  }
  return std::make_shared<const std::vector<OpaqueCalls>>(std::move(calls));
}

GivenOpaqueCalls OpaqueCallsOf(const ProgramMeaning& meaning) {
  std::vector<OpaqueCalls> calls(meaning.methods.size());
  for (size_t m = 0; m < calls.size(); ++m) {
    const MethodMeaning& method = meaning.methods[m];
    if (HasOpaqueCall(*method.method)) calls[m] = Projection(*method.method, method.effects).Run();
  }
  return std::make_shared<const std::vector<OpaqueCalls>>(std::move(calls));
}

}  // namespace pteproof::meaning
