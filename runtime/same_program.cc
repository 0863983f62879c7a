// Idea. Two Programs are compared part by part along their structure, with indices followed to what
// they name: pools, blobs and data indices may lie in other places. The first difference is told as
// a path, "forward, value 3: kind 4, kind 5". Cost: O(size of the programs + stored bytes).
#include "runtime/same_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

namespace pteproof {
namespace {

// The same thing in both programs, with what its indices refer to.
struct MethodPair {
  const Program& program_a;
  const Program& program_b;
  const Method& a;
  const Method& b;
};

template <class T>
std::string NumberDifference(std::string_view what, const T& a, const T& b) {
  return a == b ? std::string() : fmt::format("{} {}, {}", what, a, b);
}

std::string TextDifference(std::string_view what, std::string_view a, std::string_view b) {
  return a == b ? std::string() : fmt::format("{} \"{}\", \"{}\"", what, a, b);
}

template <class T>
std::string ListDifference(std::string_view what, std::span<const T> a, std::span<const T> b) {
  if (std::ranges::equal(a, b)) return {};
  return fmt::format("{} [{}], [{}]", what, fmt::join(a, " "), fmt::join(b, " "));
}

std::string BytesDifference(std::string_view what, Bytes a, Bytes b) {
  if (a.size() != b.size()) return fmt::format("{}: {} bytes, {} bytes", what, a.size(), b.size());
  const auto at = std::ranges::mismatch(a, b).in1;
  return at == a.end() ? std::string() : fmt::format("{}: byte {}", what, at - a.begin());
}

// The first of the differences that is one.
std::string First(std::initializer_list<std::string> differences) {
  for (const std::string& difference : differences)
    if (!difference.empty()) return difference;
  return {};
}

std::string At(std::string_view what, size_t index, const std::string& difference) {
  return difference.empty() ? std::string() : fmt::format("{} {}: {}", what, index, difference);
}

// The first difference among equally many things; compare(i) says how those of number i differ.
template <class Compare>
std::string EachDifference(std::string_view what, size_t a, size_t b, Compare compare) {
  if (a != b) return fmt::format("{} {}s, {}", a, what, b);
  for (size_t i = 0; i < a; ++i) {
    std::string difference = At(what, i, compare(i));
    if (!difference.empty()) return difference;
  }
  return {};
}

// What of the tensor's bytes stands in the file; nothing where none do, also for tensors of no
// bytes.
Bytes StoredBytes(const Program& program, const Tensor& tensor) {
  const auto& table = tensor.planned ? program.initial_values : program.constants;
  if (tensor.external || tensor.data_index == 0 || tensor.data_index >= table.size()) return {};
  const Bytes blob = table[tensor.data_index];
  return blob.first(std::min<uint64_t>(blob.size(), tensor.nbytes));
}

bool IsConstant(const Tensor& tensor) {
  return !tensor.planned && !tensor.external && tensor.data_index > 0;
}

std::string TensorDifference(const MethodPair& pair, const Tensor& a, const Tensor& b) {
  return First({
      TextDifference("type", Name(a.dtype), Name(b.dtype)),
      ListDifference("sizes", pair.a.Ints(a.sizes), pair.b.Ints(b.sizes)),
      ListDifference("order", pair.a.Ints(a.dim_order), pair.b.Ints(b.dim_order)),
      NumberDifference("bounded", a.dynamism == Dynamism::kBounded,
                       b.dynamism == Dynamism::kBounded),
      NumberDifference("planned", a.planned, b.planned),
      NumberDifference("external", a.external, b.external),
      NumberDifference("constant", IsConstant(a), IsConstant(b)),
      NumberDifference("device type", a.device_type, b.device_type),
      NumberDifference("device", a.device_index, b.device_index),
      NumberDifference("bank", a.bank, b.bank),
      NumberDifference("offset", a.offset, b.offset),
      NumberDifference("bytes", a.nbytes, b.nbytes),
      TextDifference("name", pair.a.Text(a.name), pair.b.Text(b.name)),
      BytesDifference("stored data", StoredBytes(pair.program_a, a),
                      StoredBytes(pair.program_b, b)),
  });
}

std::string RealsDifference(std::span<const double> a, std::span<const double> b) {
  const auto bits = [](double real) { return std::bit_cast<uint64_t>(real); };
  if (std::ranges::equal(a, b, {}, bits, bits)) return {};
  return fmt::format("[{}], [{}]", fmt::join(a, " "), fmt::join(b, " "));
}

std::string ValueDifference(const MethodPair& pair, const Value& a, const Value& b) {
  if (a.kind != b.kind)
    return NumberDifference("kind", static_cast<int>(a.kind), static_cast<int>(b.kind));
  const auto reals = [](const Method& method, Range range) {
    return std::span(method.reals).subspan(range.first, range.count);
  };
  switch (a.kind) {
    case ValueKind::kNull:
      return {};
    case ValueKind::kInt:
    case ValueKind::kBool:
      return NumberDifference("number", a.integer, b.integer);
    case ValueKind::kDouble:
      return RealsDifference({&a.real, 1}, {&b.real, 1});
    case ValueKind::kTensor:
      return TensorDifference(pair, pair.a.tensors[a.tensor], pair.b.tensors[b.tensor]);
    case ValueKind::kString:
      return TextDifference("text", pair.a.Text(a.items), pair.b.Text(b.items));
    case ValueKind::kDoubleList:
      return RealsDifference(reals(pair.a, a.items), reals(pair.b, b.items));
    default:
      return ListDifference("items", pair.a.Ints(a.items), pair.b.Ints(b.items));
  }
}

std::string InstructionDifference(const MethodPair& pair, const Instruction& a,
                                  const Instruction& b) {
  return First({
      NumberDifference("kind", static_cast<int>(a.kind), static_cast<int>(b.kind)),
      NumberDifference("target", a.target, b.target),
      NumberDifference("other", a.other, b.other),
      ListDifference("arguments", pair.a.Ints(a.args), pair.b.Ints(b.args)),
  });
}

std::string DelegateDifference(const Delegate& a, const Delegate& b) {
  return First({
      TextDifference("id", a.id, b.id),
      BytesDifference("blob", a.blob, b.blob),
      EachDifference("compile spec", a.specs.size(), b.specs.size(),
                     [&](size_t i) {
                       return First({TextDifference("key", a.specs[i].key, b.specs[i].key),
                                     BytesDifference("value", a.specs[i].value, b.specs[i].value)});
                     }),
  });
}

std::string DeviceDifference(const BankDevice& a, const BankDevice& b) {
  return First({NumberDifference("bank", a.bank, b.bank),
                NumberDifference("type", a.device_type, b.device_type),
                NumberDifference("number", a.device_index, b.device_index)});
}

std::string CodeDifference(const MethodPair& pair) {
  const Method& a = pair.a;
  const Method& b = pair.b;
  return First({
      EachDifference("operator", a.operators.size(), b.operators.size(),
                     [&](size_t i) {
                       return TextDifference("name", a.operators[i].name, b.operators[i].name);
                     }),
      EachDifference("delegate", a.delegates.size(), b.delegates.size(),
                     [&](size_t i) { return DelegateDifference(a.delegates[i], b.delegates[i]); }),
      EachDifference("instruction", a.instructions.size(), b.instructions.size(),
                     [&](size_t i) {
                       return InstructionDifference(pair, a.instructions[i], b.instructions[i]);
                     }),
  });
}

std::string MethodDifference(const MethodPair& pair) {
  const Method& a = pair.a;
  const Method& b = pair.b;
  return First({
      TextDifference("name", a.name, b.name),
      EachDifference("value", a.values.size(), b.values.size(),
                     [&](size_t i) { return ValueDifference(pair, a.values[i], b.values[i]); }),
      ListDifference("inputs", std::span(a.inputs), std::span(b.inputs)),
      ListDifference("outputs", std::span(a.outputs), std::span(b.outputs)),
      CodeDifference(pair),
      ListDifference("bank sizes", std::span(a.bank_sizes), std::span(b.bank_sizes)),
      EachDifference(
          "bank device", a.bank_devices.size(), b.bank_devices.size(),
          [&](size_t i) { return DeviceDifference(a.bank_devices[i], b.bank_devices[i]); }),
      TextDifference("input structure", a.input_structure, b.input_structure),
      TextDifference("output structure", a.output_structure, b.output_structure),
  });
}

}  // namespace

std::string ProgramDifference(const Program& a, const Program& b) {
  return First({
      EachDifference(
          "method", a.methods.size(), b.methods.size(),
          [&](size_t i) { return MethodDifference({a, b, a.methods[i], b.methods[i]}); }),
      EachDifference("named data", a.named_data.size(), b.named_data.size(),
                     [&](size_t i) {
                       return First(
                           {TextDifference("key", a.named_data[i].key, b.named_data[i].key),
                            BytesDifference("blob", a.named_data[i].blob, b.named_data[i].blob)});
                     }),
  });
}

}  // namespace pteproof
