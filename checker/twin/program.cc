// FlatBuffers by hand. A table is its offset, 0 if it is absent. Each look stays within the bytes
// and is counted, so a list that many tables share costs each time it is read.
#include "checker/twin/program.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

namespace pteproof_twin {
namespace {

class Flat {
 public:
  Flat(File bytes, Work& work) : bytes_(bytes), work_(work) {}

  template <typename Number>
  Number Read(int64_t at) {
    const int64_t size = sizeof(Number);
    const auto length = static_cast<int64_t>(bytes_.size());
    if (!work_.Need(at >= 0 && at <= length - size, "nothing lies at an offset")) return {};
    return work_.Spend(1) ? Look<Number>(at) : Number{};
  }

  int64_t Slot(int64_t table, int index) {
    if (table == 0) return 0;
    const int64_t vtable = table - Read<int32_t>(table);
    if (6 + 2 * index > Read<uint16_t>(vtable)) return 0;
    const int64_t offset = Read<uint16_t>(vtable + 4 + 2 * index);
    return offset > 0 ? table + offset : 0;
  }

  template <typename Number>
  Number Scalar(int64_t table, int index) {
    const int64_t at = Slot(table, index);
    return at != 0 ? Read<Number>(at) : Number{};
  }

  int64_t Table(int64_t table, int index) {
    const int64_t at = Slot(table, index);
    return at != 0 ? at + Read<uint32_t>(at) : 0;
  }

  template <typename Number>
  std::vector<Number> List(int64_t table, int index) {
    return ListAt<Number>(Table(table, index));
  }

  std::vector<int64_t> Tables(int64_t table, int index) {
    const int64_t at = Table(table, index);
    std::vector<int64_t> tables;
    for (const uint32_t to : ListAt<uint32_t>(at))
      tables.push_back(at + 4 + 4 * static_cast<int64_t>(tables.size()) + to);
    return tables;
  }

  std::string Text(int64_t table, int index) {
    const auto bytes = List<char>(table, index);
    return {bytes.begin(), bytes.end()};
  }

 private:
  template <typename Number>
  [[nodiscard]] Number Look(int64_t at) const {
    std::make_unsigned_t<Number> number = 0;
    for (size_t k = sizeof(Number); k-- > 0;) {
      const auto byte = static_cast<uint8_t>(bytes_[static_cast<size_t>(at) + k]);
      if constexpr (sizeof(Number) > 1) number = static_cast<decltype(number)>(number << 8U);
      number = static_cast<decltype(number)>(number | byte);
    }
    return static_cast<Number>(number);
  }

  template <typename Number>
  std::vector<Number> ListAt(int64_t at) {
    std::vector<Number> list;
    const int64_t count = at != 0 ? Read<uint32_t>(at) : 0;
    const int64_t size = sizeof(Number);
    const auto length = static_cast<int64_t>(bytes_.size());
    if (!work_.Need(at + 4 + count * size <= length, "a list is cut")) return list;
    if (!work_.Spend(static_cast<uint64_t>(count))) return list;
    list.reserve(static_cast<size_t>(count));
    for (int64_t k = 0; k < count; ++k) list.push_back(Look<Number>(at + 4 + k * size));
    return list;
  }

  File bytes_;
  Work& work_;
};

Value ReadValue(Flat& flat, int64_t table, int64_t number, Work& work) {
  Value value;
  value.kind = flat.Scalar<uint8_t>(table, 0);
  const int64_t at = flat.Table(table, 1);
  if (value.Is(ValueKind::kBool)) value.flag = flat.Scalar<uint8_t>(at, 0) != 0;
  if (value.Is(ValueKind::kTensors) || value.Is(ValueKind::kOptionals))
    value.items = flat.List<int32_t>(at, 0);
  if (!value.IsTensor()) return value;
  value.dtype = flat.Scalar<int8_t>(at, 0);
  value.sizes = flat.List<int32_t>(at, 2);
  int64_t bytes = ElementOf(value.dtype);
  work.Need(bytes > 0 && std::ranges::all_of(value.sizes, [](int32_t n) { return n >= 0; }),
            "a tensor has no sizes or type");
  constexpr int64_t kMost = int64_t{1} << 62U;
  for (const int32_t size : value.sizes) {
    if (work.stopped ||
        !work.Need(size == 0 || bytes <= (kMost - 1) / size, "a tensor is too large"))
      return value;
    bytes *= size;
  }
  value.place = {-1 - number, 0, bytes};
  if (const int64_t allocation = flat.Table(at, 6); allocation != 0) {
    const uint64_t low = flat.Scalar<uint32_t>(allocation, 1);
    const uint64_t lo = low | uint64_t{flat.Scalar<uint32_t>(allocation, 2)} << 32U;
    value.place = {flat.Scalar<uint32_t>(allocation, 0), lo, Offset{lo} + bytes};
    work.Need(value.place.IsPlanned(), "a value lies in bank 0");
  }
  value.order = flat.List<uint8_t>(at, 3);
  value.data = flat.Scalar<uint32_t>(at, 5);
  value.dynamic = flat.Scalar<int8_t>(at, 8) != 0;
  const int64_t extra = flat.Table(at, 9);
  value.external = flat.Scalar<int8_t>(extra, 2) == 1;
  value.name = flat.Text(extra, 1);
  return value;
}

Step ReadStep(Flat& flat, int64_t table, int64_t first, Work& work) {
  const auto kind = flat.Scalar<uint8_t>(table, 0);
  const int64_t at = flat.Table(table, 1);
  Step step;
  if (!work.Need(kind != 5, "an instruction frees memory, which no certificate covers"))
    return step;
  if (!work.Need(kind >= 1 && kind <= 4, "an instruction is empty")) return step;
  step.action = static_cast<Action>(kind);
  step.target = flat.Scalar<int32_t>(at, 0);
  if (step.action == Action::kKernel || step.action == Action::kDelegate) {
    for (const int32_t arg : flat.List<int32_t>(at, 1)) step.args.push_back(arg);
  } else {
    step.args = {flat.Scalar<int32_t>(at, 1) + (step.action == Action::kJump ? first : 0)};
  }
  return step;
}

// All numbers name things that are there.
void NeedNames(const Method& method, Work& work) {
  const auto count = static_cast<int64_t>(method.values.size());
  const auto is_value = [&](int64_t v) { return v >= 0 && v < count; };
  for (const Step& step : method.code) {
    const int64_t things =
        step.action == Action::kKernel     ? static_cast<int64_t>(method.operators.size())
        : step.action == Action::kDelegate ? static_cast<int64_t>(method.delegates)
                                           : count;
    work.Need(step.target >= 0 && step.target < things, "an instruction names what is not there");
    const bool fits = step.action == Action::kJump
                          ? step.args[0] >= 0 && step.args[0] <= method.Count()
                          : std::ranges::all_of(step.args, is_value);
    work.Need(fits, "an instruction names what is not there");
  }
  work.Need(std::ranges::all_of(method.inputs, is_value), "an input is not there");
  work.Need(std::ranges::all_of(method.outputs, is_value), "an output is not there");
  for (const Value& value : method.values) {
    for (const int32_t t : value.items)
      work.Need(t == -1 || (is_value(t) && method.IsTensor(t)), "a list holds no tensors");
  }
}

Method ReadMethod(Flat& flat, int64_t table, Work& work) {
  Method method;
  for (const int64_t t : flat.Tables(table, 2)) {
    if (work.stopped) return method;
    const auto number = static_cast<int64_t>(method.values.size());
    method.values.push_back(ReadValue(flat, t, number, work));
  }
  for (const int64_t t : flat.Tables(table, 6)) {
    const std::string name = flat.Text(t, 0);
    const std::string overload = flat.Text(t, 1);
    method.operators.push_back(overload.empty() ? name : name + "." + overload);
    if (work.stopped) return method;
  }
  method.name = flat.Text(table, 0);
  method.inputs = flat.List<int32_t>(table, 3);
  method.outputs = flat.List<int32_t>(table, 4);
  method.is_input.insert(method.inputs.begin(), method.inputs.end());
  method.is_output.insert(method.outputs.begin(), method.outputs.end());
  for (const int64_t chain : flat.Tables(table, 5)) {
    const int64_t first = method.Count();
    for (const int64_t t : flat.Tables(chain, 2)) {
      if (work.stopped) return method;
      method.code.push_back(ReadStep(flat, t, first, work));
    }
    const int64_t end = method.Count();
    for (int64_t i = first; i < end; ++i) {
      const Step& step = method.StepAt(i);
      const bool stays =
          step.action != Action::kJump || (step.args[0] >= first && step.args[0] <= end);
      if (!work.Need(stays, "a jump leads to another chain")) return method;
    }
  }
  for (const int64_t t : flat.Tables(table, 7)) {
    if (work.stopped) return method;
    [[maybe_unused]] const std::string name = flat.Text(t, 0);
    ++method.delegates;
  }
  method.banks = flat.List<int64_t>(table, 8);
  if (!work.stopped) NeedNames(method, work);
  return method;
}

bool HasHeader(File file) {
  return AsText(file).substr(8, 4) == "eh00";
}

}  // namespace

bool Meet(const Place& a, const Place& b) {
  return a.bank == b.bank && std::max(a.lo, b.lo) < std::min(a.hi, b.hi);
}

bool IsWithin(const Place& inner, const Place& outer) {
  return inner.bank == outer.bank && outer.lo <= inner.lo && inner.hi <= outer.hi;
}

std::string_view AsText(File bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<int32_t> Method::Tensors(int64_t v) const {
  if (IsTensor(v)) return {static_cast<int32_t>(v)};
  std::vector<int32_t> tensors;
  std::ranges::copy_if(At(v).items, std::back_inserter(tensors), [](int32_t t) { return t >= 0; });
  return tensors;
}

int64_t ElementOf(int32_t dtype) {
  static constexpr auto kBytes = std::to_array<int64_t>(
      {1, 1, 2, 4, 8, 2, 4, 8, 4, 8, 16, 1, 1, 1, 4, 2, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 4, 8});
  return dtype >= 0 && dtype < static_cast<int32_t>(kBytes.size())
             ? kBytes[static_cast<size_t>(dtype)]
             : 0;
}

uint64_t ProgramSize(File file) {
  if (file.size() < 64 || !HasHeader(file)) return file.size();
  Work work = {.left = 1};
  return std::min<uint64_t>(Flat(file, work).Read<uint64_t>(16), file.size());
}

Program ReadProgram(File file, Work& work) {
  Program program = {.methods = {}, .initial = {}, .file = file};
  const bool known = file.size() >= 64 && AsText(file).substr(4, 4) == "ET12";
  if (!work.Need(known, "not an ExecuTorch program")) return program;
  Flat whole(file, work);
  const Offset base = HasHeader(file) ? Offset{whole.Read<uint64_t>(24)} : 0;
  Flat flat(file.first(ProgramSize(file)), work);
  const int64_t root = flat.Read<uint32_t>(0);
  for (const int64_t t : flat.Tables(root, 1)) {
    if (work.stopped) return program;
    program.methods.push_back(ReadMethod(flat, t, work));
  }
  const auto segments = flat.Tables(root, 4);
  const auto parts = flat.Tables(root, 6);
  if (work.stopped || parts.empty()) return program;
  const auto index = flat.Scalar<uint32_t>(parts[0], 0);
  if (!work.Need(index < segments.size(), "a segment that is not there")) return program;
  const Offset start = base + flat.Scalar<uint64_t>(segments[index], 0);
  for (const uint64_t offset : flat.List<uint64_t>(parts[0], 1)) {
    const auto number = static_cast<uint32_t>(program.initial.size());
    program.initial[number] = start + offset;
  }
  return program;
}

}  // namespace pteproof_twin
