// The writer and the reader of files say what a program may be, so that there is one set of rules
// and of limits. A finding's method, instruction and value lead back to the text.
#include "runtime/pteasm/assemble.h"

#include <algorithm>
#include <utility>

#include "base/within_memory.h"
#include "pteproof/read.h"
#include "pteproof/write.h"
#include "runtime/file_rules.h"
#include "runtime/same_program.h"

namespace pteproof::pteasm {
namespace {

using Outcome = Result<Assembled, std::vector<TextError>>;

std::vector<TextError> Refusal(std::string_view rule, std::string message) {
  return {{1, 1, rule, std::move(message)}};
}

const MethodPlaces* PlacesOf(const ProgramText& text, std::string_view method) {
  const auto& methods = text.program.methods;
  const auto found = std::ranges::find(methods, method, &Method::name);
  if (method.empty() || found == methods.end()) return nullptr;
  return &text.places[static_cast<size_t>(found - methods.begin())];
}

// "Value 3 is %cache here."
std::string NamesIn(const Finding& finding, const MethodPlaces& places) {
  std::string names;
  for (const int32_t value : finding.values) {
    const std::string& name = places.names[static_cast<size_t>(value)];
    const std::string number = std::to_string(value);
    if (name.empty() || name == "%" + number) continue;
    names += "\nValue " + number + " is " + name + " here.";
  }
  return names;
}

TextError ErrorOf(const ProgramText& text, const Finding& finding) {
  TextError error{1, 1, finding.rule, finding.explanation};
  const MethodPlaces* places = PlacesOf(text, finding.method);
  if (places == nullptr) return error;
  text::Position at = places->method;
  const auto instruction = static_cast<size_t>(finding.instruction);
  if (finding.instruction >= 0 && instruction < places->instructions.size()) {
    at = places->instructions[instruction];
  } else if (!finding.values.empty()) {
    at = places->values[static_cast<size_t>(finding.values.front())];
  }
  error.line = at.line;
  error.column = at.column;
  error.message += NamesIn(finding, *places);
  return error;
}

Outcome Made(std::string_view text, const text::DataOf& data_of) {
  auto parsed = ParseText(text, data_of);
  if (!parsed.ok()) return std::vector{parsed.error()};
  Assembled made{{}, std::move(parsed).value()};
  auto file = WriteProgram(made.text.program);
  if (!file.ok()) return Refusal(rule::kFileSize, file.error());
  made.file = std::move(file).value();
  const auto read = ReadProgram(made.file);
  if (!read.ok()) {
    std::vector<TextError> errors;
    for (const Finding& finding : read.error()) errors.push_back(ErrorOf(made.text, finding));
    return errors;
  }
  const std::string difference = ProgramDifference(made.text.program, read.value());
  if (difference.empty()) return made;
  return Refusal(rule::kFileText, "no file holds this program as it is written: " + difference);
}

}  // namespace

Outcome Assemble(std::string_view text, const text::DataOf& data_of) {
  return WithinMemory([&] { return Made(text, data_of); },
                      []() -> Outcome { return std::vector<TextError>(); });
}

}  // namespace pteproof::pteasm
