#include "reference/graph/type_text.h"

namespace pteproof::graph {

std::string SizeText(const SizeExpr& size, const std::vector<DimSymbol>& dims) {
  if (const auto number = size.Constant()) return std::to_string(*number);
  std::vector<std::string> names;
  for (const DimSymbol& dim : dims) names.push_back(dim.name);
  for (auto s = static_cast<int32_t>(names.size()); s <= size.HighestSymbol(); ++s) {
    names.push_back("?" + std::to_string(s));
  }
  return size.ToText(names);
}

std::string_view NumberName(NumberType type) {
  switch (type) {
    case NumberType::kInt:
      return "int";
    case NumberType::kBool:
      return "bool";
    case NumberType::kReal:
      return "real";
  }
  return "";
}

std::string TypeText(const ValueType& type, const std::vector<DimSymbol>& dims) {
  const auto* tensor = std::get_if<TensorType>(&type);
  if (tensor == nullptr) return std::string(NumberName(std::get<NumberType>(type)));
  std::string text = std::string(Name(tensor->dtype)) + "[";
  for (size_t d = 0; d < tensor->sizes.size(); ++d) {
    text += (d == 0 ? "" : ", ") + SizeText(tensor->sizes[d], dims);
  }
  return text + "]";
}

}  // namespace pteproof::graph
