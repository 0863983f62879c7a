#include "reference/graph/names.h"

#include <algorithm>
#include <array>

namespace pteproof::graph {
namespace {

// Gives out numbers in order of definition.
struct Numbering {
  std::vector<std::string> names;
  int64_t next = 0;

  void Name(ValueId value) {
    if (value < 0 || static_cast<size_t>(value) >= names.size()) return;
    std::string& name = names[static_cast<size_t>(value)];
    if (name.empty()) name = "%" + std::to_string(next++);
  }

  void NameAll(const Region& region) {
    for (const ValueId param : region.params) Name(param);
    for (const Node& node : region.nodes) {
      for (const ValueId result : node.results) Name(result);
      for (const Region& inner : node.regions) NameAll(inner);
    }
  }
};

}  // namespace

bool IsReserved(std::string_view text) {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"true", "false", "None", "inf", "nan", "floordiv", "mod", "min", "max"});
  return std::ranges::find(kWords, text) != kWords.end();
}

std::string_view KindWord(NodeKind kind) {
  static constexpr std::string_view kWords[] = {"", "", "cond", "while", "map", "scan"};
  return kWords[static_cast<size_t>(kind)];
}

std::vector<std::string> ValueNames(const Method& method) {
  Numbering numbering;
  numbering.names.resize(method.values.size());
  for (const Input& input : method.inputs) {
    if (input.value < 0 || static_cast<size_t>(input.value) >= method.values.size()) continue;
    numbering.names[static_cast<size_t>(input.value)] = "%" + input.name;
  }
  for (const BufferEntry& entry : method.buffers) numbering.Name(entry.value);
  numbering.NameAll(method.body);
  for (size_t v = 0; v < numbering.names.size(); ++v) {
    if (numbering.names[v].empty()) numbering.names[v] = "%?" + std::to_string(v);
  }
  return std::move(numbering.names);
}

std::string NameOf(const std::vector<std::string>& names, ValueId value) {
  const bool known = value >= 0 && static_cast<size_t>(value) < names.size();
  return known ? names[static_cast<size_t>(value)] : "%?" + std::to_string(value);
}

}  // namespace pteproof::graph
