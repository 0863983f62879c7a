#include "cli/load/runtime_operators.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/io/load_file.h"
#include "cli/io/quote.h"
#include "reference/op_schema.h"
#include "reference/op_wheel.h"

namespace pteproof {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view WithoutBlanks(std::string_view line) {
  line = line.substr(0, line.find('#'));
  const size_t first = line.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(kBlanks) + 1 - first);
}

// namespace::name or namespace::name.overload
bool IsFullName(std::string_view name) {
  const auto is_word = [](std::string_view part) {
    return !part.empty() && std::ranges::all_of(part, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
  };
  const size_t colons = name.find("::");
  if (colons == std::string_view::npos || !is_word(name.substr(0, colons))) return false;
  const std::string_view rest = name.substr(colons + 2);
  const size_t dot = rest.find('.');
  return is_word(rest.substr(0, dot)) &&
         (dot == std::string_view::npos || is_word(rest.substr(dot + 1)));
}

}  // namespace

Result<std::vector<Operator>, ManifestFailure> RuntimeOperators(const std::string& runtime) {
  std::vector<Operator> operators;
  const auto add = [&](std::string_view name) {
    operators.push_back({std::string(name), FindOperator(name)});
  };
  if (runtime.empty()) return operators;
  if (runtime == kWheelRuntime) {
    for (const std::string_view name : OperatorsOfWheel()) add(name);
    return operators;
  }
  const auto bytes = LoadFile(runtime);
  if (!bytes.ok()) {
    return ManifestFailure{
        Outcome::kUnreadable,
        fmt::format("the operators {} cannot be read: {}", QuotePath(runtime), bytes.error().why)};
  }
  const HeldBytes& held = bytes.value();
  std::string_view text(reinterpret_cast<const char*>(held->data()), held->size());
  for (int line = 1; !text.empty(); ++line) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view name = WithoutBlanks(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (name.empty()) continue;
    if (!IsFullName(name)) {
      return ManifestFailure{
          Outcome::kWrongManifest,
          fmt::format("{}:{}: {} is not the full name of an operator, such as aten::add.out",
                      QuotePath(runtime), line, Quote(std::string(name), kLongestLine))};
    }
    add(name);
  }
  return operators;
}

}  // namespace pteproof
