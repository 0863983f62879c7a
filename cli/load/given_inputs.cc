#include "cli/load/given_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file_name.h"
#include "cli/io/load_file.h"
#include "cli/io/quote.h"
#include "properties/oracles/numpy_arrays.h"

namespace pteproof {
namespace {

using ArraysOfCall = std::map<size_t, TensorValue>;  // by input
using CallPlace = std::pair<size_t, size_t>;         // number of the call, method

struct ArrayPlace {
  CallPlace call;
  size_t input = 0;
};

std::optional<size_t> NumberFrom(std::string_view text) {
  size_t number = 0;
  const char* end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data(), end, number);
  const bool whole = error == std::errc() && after == end;
  return whole ? std::optional(number) : std::nullopt;
}

using MethodsByName = std::map<std::string_view, size_t>;

MethodsByName MethodsOf(const Program& program) {
  MethodsByName by_name;
  for (size_t m = 0; m < program.methods.size(); ++m) by_name.emplace(program.methods[m].name, m);
  return by_name;
}

// Of a name: the error says what may stand there.
Result<ArrayPlace, std::string> PlaceOf(const Program& program, const MethodsByName& by_name,
                                        std::string_view name) {
  constexpr std::string_view kNumpys = "arr_";
  ArrayPlace place;
  const size_t last = name.rfind('/');
  std::string_view input = last == std::string_view::npos ? name : name.substr(last + 1);
  if (input.starts_with(kNumpys)) input.remove_prefix(kNumpys.size());
  const auto number = NumberFrom(input);
  if (!number) {
    return fmt::format(
        "array {}: name it by its position among the inputs, as '0', 'METHOD/0' or "
        "'CALL/METHOD/0'",
        Quote(name));
  }
  place.input = *number;
  std::string_view method = last == std::string_view::npos ? "" : name.substr(0, last);
  const size_t slash = method.find('/');
  if (const auto call = NumberFrom(method.substr(0, slash))) {
    place.call.first = *call;
    method = slash == std::string_view::npos ? "" : method.substr(slash + 1);
  }
  const bool alone = method.empty() && program.methods.size() == 1;
  const auto found = by_name.find(method.empty() ? "forward" : method);
  if (!alone && found == by_name.end()) {
    return fmt::format("array {}: the program has no method {}", Quote(name),
                       Quote(method.empty() ? "forward" : method));
  }
  place.call.second = alone ? 0 : found->second;
  const Method& called = program.methods[place.call.second];
  if (place.input >= called.inputs.size()) {
    return fmt::format("array {}: method {} has {} inputs", Quote(name), Quote(called.name),
                       called.inputs.size());
  }
  return place;
}

// The value for an input of that kind; nothing if the array cannot stand for it.
std::optional<Datum> DatumFor(const Value& value, const TensorValue* array) {
  if (value.kind == ValueKind::kTensor) return array ? std::optional<Datum>(*array) : std::nullopt;
  if (array != nullptr && ElementCount(*array) != 1) return std::nullopt;
  switch (value.kind) {
    case ValueKind::kInt:
      return array != nullptr ? IntAt(*array, 0) : value.integer;
    case ValueKind::kBool:
      return (array != nullptr ? IntAt(*array, 0) : value.integer) != 0;
    case ValueKind::kDouble:
      return array != nullptr ? RealAt(*array, 0) : value.real;
    default:
      return array == nullptr ? std::optional<Datum>(std::monostate{}) : std::nullopt;
  }
}

Result<RecordedCall, std::string> CallOf(const Method& method, const ArraysOfCall& arrays) {
  RecordedCall call;
  call.method = method.name;
  for (size_t n = 0; n < method.inputs.size(); ++n) {
    const auto array = arrays.find(n);
    const Value& value = method.values[static_cast<size_t>(method.inputs[n])];
    auto datum = DatumFor(value, array == arrays.end() ? nullptr : &array->second);
    if (!datum && array == arrays.end()) {
      return fmt::format("no array is named for input {} of method {}", n, Quote(method.name));
    }
    if (!datum) {
      return fmt::format("the array for input {} of method {} must have one element", n,
                         Quote(method.name));
    }
    call.inputs.push_back(*std::move(datum));
  }
  return call;
}

Result<Recording, std::string> CallsWith(const Program& program, std::vector<NamedArray> arrays,
                                         Policy policy) {
  const MethodsByName by_name = MethodsOf(program);
  std::map<CallPlace, ArraysOfCall> calls;
  for (NamedArray& array : arrays) {
    const auto place = PlaceOf(program, by_name, array.name);
    if (!place.ok()) return place.error();
    const auto& [call, input] = place.value();
    if (!calls[call].emplace(input, std::move(array.value)).second) {
      return fmt::format("array {}: another array is for the same input of the same call",
                         Quote(array.name));
    }
  }
  // A call has all inputs of its method, of however few an array is named.
  constexpr size_t kMostValues = size_t{1} << 22;
  size_t values = 0;
  for (const auto& [place, unused] : calls) {
    values += program.methods[place.second].inputs.size();
    if (values > kMostValues) {
      return fmt::format("the {} calls take more than {} inputs together", calls.size(),
                         kMostValues);
    }
  }
  RecordedSequence sequence;
  sequence.name = "inputs";
  sequence.policy = policy;
  for (const auto& [place, given] : calls) {
    auto call = CallOf(program.methods[place.second], given);
    if (!call.ok()) return call.error();
    sequence.calls.push_back(std::move(call).value());
  }
  Recording recording;
  recording.sequences.push_back(std::move(sequence));
  return recording;
}

}  // namespace

Result<Recording, std::string> InputsIn(const std::string& path, const Program* program,
                                        Policy policy) {
  const auto fail = [&](const std::string& why) {
    return fmt::format("{}: {}", QuotePath(path, kLongestLine), why);
  };
  const auto bytes = LoadFile(path);
  if (!bytes.ok()) return fail(bytes.error().why);
  Recording recording;
  if (IsNpz(*bytes.value())) {
    if (program == nullptr)
      return fail("a Module takes its inputs from a recording (docs/reference/calls.md)");
    auto arrays = ReadNpz(*bytes.value());
    if (!arrays.ok()) return fail(arrays.error());
    auto calls = CallsWith(*program, std::move(arrays).value(), policy);
    if (!calls.ok()) return fail(calls.error());
    recording = std::move(calls).value();
  } else {
    auto recorded = ReadRecording(FilePath(path));
    if (!recorded.ok()) return recorded.error();
    recording = std::move(recorded).value();
  }
  recording.made_up = true;
  return recording;
}

}  // namespace pteproof
