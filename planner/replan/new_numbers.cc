#include "planner/replan/new_numbers.h"

#include <map>
#include <string>
#include <utility>

namespace pteproof::planner {

Manifest WithNewNumbers(Manifest manifest, const Program& program,
                        const std::vector<std::vector<int32_t>>& values_at) {
  for (size_t m = 0; m < values_at.size(); ++m) {
    const std::vector<int32_t>& numbers = values_at[m];
    const auto stated = manifest.methods.find(program.methods[m].name);
    if (stated == manifest.methods.end() || numbers.empty()) continue;
    std::map<int32_t, std::string> values;
    for (auto& [v, name] : stated->second.values) {
      const bool known = v >= 0 && static_cast<size_t>(v) < numbers.size();
      values.emplace(known ? numbers[static_cast<size_t>(v)] : v, std::move(name));
    }
    stated->second.values = std::move(values);
  }
  return manifest;
}

}  // namespace pteproof::planner
