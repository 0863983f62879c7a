#include "planner/repair/repair.h"

#include <map>
#include <string>
#include <utility>

#include "planner/repair/spread.h"
#include "planner/repair/state_places.h"

namespace pteproof::planner {
namespace {

Conventions ConventionsOf(const Method& method) {
  const MeantMethod meant = MeantMethodOf(method);
  Conventions conventions;
  for (const DerivedName& name : meant.names.derived) {
    const NamedBytes& first = name.bytes.front();
    if (name.bytes.size() > 1) {
      ++conventions.concatenations;
    } else if (first.at != 0 ||
               method.TensorOf(first.of)->nbytes != method.TensorOf(name.value)->nbytes) {
      ++conventions.slices;
    } else {
      ++conventions.views;
    }
  }
  for (size_t v = 0; v < method.values.size(); ++v) {
    if (!meant.names.is_state[v]) continue;
    const Tensor& tensor = *method.TensorOf(static_cast<int32_t>(v));
    if (tensor.name.count == 0 && tensor.data_index == 0) ++conventions.unnamed_buffers;
  }
  return conventions;
}

}  // namespace

Repaired Repair(const Program& program, const ReplanOptions& options,
                std::span<const Operator> operators) {
  std::vector<Operator> known(operators.begin(), operators.end());
  for (const Method& method : program.methods) {
    known.insert(known.begin(), method.operators.begin(), method.operators.end());
  }
  Repaired repaired;
  Program apart = program;
  for (Method& method : apart.methods) {
    Separated separated = SeparateNames(method, known);
    if (repaired.failure.empty() && !separated.failure.empty()) {
      repaired.failure = "'" + method.name + "': " + separated.failure;
    }
    repaired.methods.push_back({.conventions = ConventionsOf(method),
                                .copies = std::move(separated.copies),
                                .instructions = std::move(separated.instructions),
                                .values = std::move(separated.values)});
    method = std::move(separated.method);
  }
  if (!repaired.failure.empty()) return repaired;
  Spread spread = SpreadOut(apart);
  if (!spread.failure.empty()) {
    repaired.failure = std::move(spread.failure);
    return repaired;
  }
  ReplanOptions packing = options;
  packing.keep_outputs = false;  // that they are apart says nothing in a program that is spread out
  repaired.replanned = MovePlaces(spread.program, packing);
  SetSizesBefore(program, repaired.replanned);
  return repaired;
}

Manifest WithNewNumbers(Manifest manifest, const Program& program, const Repaired& repaired) {
  for (size_t m = 0; m < program.methods.size(); ++m) {
    const auto stated = manifest.methods.find(program.methods[m].name);
    if (stated == manifest.methods.end()) continue;
    const std::vector<int32_t>& numbers = repaired.methods[m].values;
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
