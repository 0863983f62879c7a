#include "runtime/writer/structure_text.h"

#include <string_view>

namespace pteproof::writer {
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

std::string InputStructure(const Method& method) {
  if (!method.input_structure.empty()) return method.input_structure;
  std::string text = "[1, ";
  text += kTuple;
  AppendTuple(text, method.inputs.size());
  text += ", ";
  text += kNoKeywords;
  text += "]}]";
  return text;
}

std::string OutputStructure(const Method& method) {
  if (!method.output_structure.empty()) return method.output_structure;
  std::string text = "[1, ";
  if (method.outputs.size() == 1) {
    text += kLeaf;
  } else {
    AppendTuple(text, method.outputs.size());
  }
  text += "]";
  return text;
}

}  // namespace pteproof::writer
