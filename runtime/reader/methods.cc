#include "runtime/reader/methods.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/file_rules.h"
#include "runtime/reader/delegates.h"
#include "runtime/reader/instructions.h"
#include "runtime/reader/method_scope.h"
#include "runtime/reader/unbacked.h"
#include "runtime/reader/values.h"

namespace pteproof::reader {
namespace {

constexpr uint64_t kMethodCharge = 64;
constexpr uint64_t kDeviceCharge = 8;

void RefuseMethod(const MethodScope& scope, std::string_view rule, const void* wire,
                  std::string explanation) {
  Refuse(scope.context, rule, {.method = scope.out.name, .bytes = At(scope.context, wire)},
         std::move(explanation));
}

bool ReadName(const MethodScope& scope, size_t index) {
  if (Count(scope.wire.name()) == 0) {
    RefuseMethod(scope, rule::kFileMethodName, &scope.wire,
                 fmt::format("Method {} has no name.", index));
    return true;
  }
  if (!Charge(scope.context, scope.wire.name()->size())) return false;
  scope.out.name = View(scope.wire.name());
  return true;
}

void CheckParts(const MethodScope& scope) {
  const schema::Method& wire = scope.wire;
  const std::pair<bool, std::string_view> parts[] = {
      {wire.values() != nullptr, "list of values"},
      {wire.inputs() != nullptr, "list of inputs"},
      {wire.outputs() != nullptr, "list of outputs"},
      {Count(wire.chains()) > 0, "chain of instructions"},
      {wire.operators() != nullptr, "list of operators"},
      {wire.delegates() != nullptr, "list of delegates"},
      {Count(wire.bank_sizes()) > 0, "list of bank sizes with an entry for bank 0"},
  };
  for (const auto& [present, name] : parts) {
    if (present) continue;
    RefuseMethod(scope, rule::kFilePlan, &wire,
                 fmt::format("The method has no {}. Every method has one.", name));
  }
}

void ReadBanks(const MethodScope& scope) {
  const WireVector<int64_t>* wire = scope.wire.bank_sizes();
  const uint32_t count = Count(wire);
  if (!Charge(scope.context, sizeof(int64_t) * count)) return;
  scope.out.bank_sizes.resize(count);
  for (uint32_t i = 0; i < count && !scope.context.Stopped(); ++i) {
    const int64_t size = Element(*wire, i);
    if (size >= 0 && size <= kMaxBankSize) {
      scope.out.bank_sizes[i] = static_cast<uint64_t>(size);
      continue;
    }
    Refuse(scope.context, rule::kFileBankSize,
           {.method = scope.out.name, .bytes = At(scope.context, wire->Data() + size_t{8} * i, 8)},
           fmt::format("Bank {} has a size of {} bytes. Sizes from 0 to {} are accepted.", i, size,
                       kMaxBankSize));
  }
}

void ReadBankDevices(const MethodScope& scope) {
  const WireTables<schema::BankDevice>* wire = scope.wire.bank_devices();
  const uint32_t count = Count(wire);
  if (count == 0 || !Charge(scope.context, kDeviceCharge * count)) return;
  for (uint32_t i = 0; i < count && !scope.context.Stopped(); ++i) {
    const schema::BankDevice& device = *wire->Get(i);
    const bool is_bank =
        device.bank() >= 1 && static_cast<size_t>(device.bank()) < scope.out.bank_sizes.size();
    if (!is_bank) {
      RefuseMethod(
          scope, rule::kFileDevice, &device,
          fmt::format("A device is given for bank {}. The method has {} banks, counted from 1.",
                      device.bank(), std::max<size_t>(scope.out.bank_sizes.size(), 1) - 1));
    } else if (device.device() < schema::Device::MIN || device.device() > schema::Device::MAX) {
      RefuseMethod(
          scope, rule::kFileDevice, &device,
          fmt::format("Bank {} lies on device type {}. Known types are 0 (CPU) and 1 (CUDA).",
                      device.bank(), static_cast<int>(device.device())));
    } else if (device.device() != schema::Device::Cpu) {
      scope.out.bank_devices.push_back(
          {device.bank(), static_cast<uint8_t>(device.device()), device.device_index()});
    }
  }
}

void ReadStructures(const MethodScope& scope) {
  const schema::ContainerType* wire = scope.wire.container_type();
  if (wire == nullptr ||
      !Charge(scope.context, uint64_t{Count(wire->inputs())} + Count(wire->outputs())))
    return;
  scope.out.input_structure = View(wire->inputs());
  scope.out.output_structure = View(wire->outputs());
}

// Why the caller cannot give a value; empty: it can.
std::string_view InputFault(const MethodScope& scope, int32_t index) {
  const Value& value = ValueAt(scope, index);
  if (value.kind == ValueKind::kTensor) {
    return IsConstant(scope.out.tensors[value.tensor])
               ? "is a constant: an argument of the caller would overwrite it for all later calls"
               : "";
  }
  return value.kind > ValueKind::kString ? "is a list, and runtimes do not accept lists as inputs"
                                         : "";
}

// Copies value indices; `what` is "Input" or "Output".
void ReadIndices(const MethodScope& scope, const WireVector<int32_t>* wire, std::string_view what,
                 std::vector<int32_t>& out) {
  const uint32_t count = Count(wire);
  if (!Charge(scope.context, sizeof(int32_t) * count)) return;
  out.reserve(count);
  for (uint32_t i = 0; i < count && !scope.context.Stopped(); ++i) {
    const int32_t index = wire->Get(i);
    if (IsValue(scope, index)) [[likely]] {
      out.push_back(index);
      continue;
    }
    RefuseMethod(scope, rule::kFileIo, wire,
                 fmt::format("{} {} is value {}. The method has {} values.", what, i, index,
                             scope.out.values.size()));
  }
}

void CheckInputs(const MethodScope& scope) {
  for (size_t i = 0; i < scope.out.inputs.size() && !scope.context.Stopped(); ++i) {
    const std::string_view fault = InputFault(scope, scope.out.inputs[i]);
    if (fault.empty()) [[likely]]
      continue;
    Refuse(scope.context, rule::kFileIo,
           {.method = scope.out.name, .values = {scope.out.inputs[i]}},
           fmt::format("Input {} (value {}) {}.", i, scope.out.inputs[i], fault));
  }
}

void ReadMethod(const MethodScope& scope, size_t index, const schema::Program& wire) {
  const size_t before = scope.context.findings.size();
  if (!ReadName(scope, index)) return;
  CheckParts(scope);
  ReadStructures(scope);
  ReadBanks(scope);
  ReadBankDevices(scope);
  ReadValues(scope);
  if (scope.context.Stopped()) return;
  ReadIndices(scope, scope.wire.inputs(), "Input", scope.out.inputs);
  ReadIndices(scope, scope.wire.outputs(), "Output", scope.out.outputs);
  CheckInputs(scope);
  ReadOperators(scope);
  ReadDelegates(scope, wire.inline_blobs());
  if (scope.context.Stopped()) return;
  ReadInstructions(scope);
  // A full list of findings does not grow: that it is as long as before says nothing then.
  const bool sound = !scope.context.Stopped() && scope.context.findings.size() == before;
  if (sound) CheckUnbacked(scope);
}

void CheckNamesDiffer(Context& context, const std::vector<Method>& methods) {
  std::vector<std::string_view> names;
  names.reserve(methods.size());
  for (const Method& method : methods) names.push_back(method.name);
  std::ranges::sort(names);
  for (auto same = std::ranges::adjacent_find(names); same != names.end() && !context.Stopped();
       same = std::adjacent_find(same + 1, names.end())) {
    if (same->empty()) continue;
    Refuse(
        context, rule::kFileMethodName, {.method = *same},
        fmt::format("Two methods have the name \"{}\". Runtimes load the first one only.", *same));
  }
}

}  // namespace

void ReadMethods(Context& context, const schema::Program& wire, Program& out) {
  const uint32_t count = Count(wire.methods());
  if (count == 0) {
    return Refuse(context, rule::kFilePlan, {.bytes = At(context, &wire)},
                  "The program has no method.");
  }
  if (!Charge(context, kMethodCharge * count)) return;
  out.methods.resize(count);
  for (uint32_t i = 0; i < count && !context.Stopped(); ++i) {
    ReadMethod({context, *wire.methods()->Get(i), out, out.methods[i]}, i, wire);
  }
  if (count > 1 && !context.Stopped()) CheckNamesDiffer(context, out.methods);
}

}  // namespace pteproof::reader
