#include "runtime/structure_text.h"

#include <string_view>

namespace pteproof {
namespace {

constexpr std::string_view kLeaf = R"({"type": null, "context": null, "children_spec": []})";
constexpr std::string_view kTuple =
    R"({"type": "builtins.tuple", "context": "null", "children_spec": [)";
constexpr std::string_view kNoKeywords =
    R"({"type": "builtins.dict", "context": "[]", "children_spec": []})";

void AppendTuple(std::string& text, size_t leaves) {
  text += kTuple;
  for (size_t i = 0; i < leaves; ++i) {
    if (i > 0) text += ", ";
    text += kLeaf;
  }
  text += "]}";
}

}  // namespace

std::string PositionalInputs(size_t count) {
  std::string text = "[1, ";
  text += kTuple;
  AppendTuple(text, count);
  text += ", ";
  text += kNoKeywords;
  text += "]}]";
  return text;
}

std::string FlatOutputs(size_t count) {
  std::string text = "[1, ";
  if (count == 1) {
    text += kLeaf;
  } else {
    AppendTuple(text, count);
  }
  text += "]";
  return text;
}

void SetFlatStructures(Method& method) {
  method.input_structure = PositionalInputs(method.inputs.size());
  method.output_structure = FlatOutputs(method.outputs.size());
}

}  // namespace pteproof
