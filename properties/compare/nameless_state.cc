#include "properties/compare/nameless_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "meaning/program_meaning.h"
#include "planner/lift/derived_names.h"
#include "properties/compare/run/state_keys.h"

namespace pteproof::compare {
namespace {

// A method's buffers without a name, by the first value of each.
std::vector<int32_t> NamelessIn(const meaning::MethodMeaning& meant, const Manifest* manifest) {
  std::vector<int32_t> values;
  for (const meaning::StateSlot& state : meant.roles.states) {
    if (!planner::IsBuffer(meant, state.value)) continue;
    if (BufferName(*meant.method, state.value, manifest).empty()) values.push_back(state.value);
  }
  std::ranges::sort(values);
  return values;
}

using BankPlace = std::tuple<uint32_t, uint64_t, uint64_t>;

BankPlace PlaceIn(const Method& method, int32_t v) {
  const Tensor& tensor = *method.TensorOf(v);
  return {tensor.bank, tensor.offset, tensor.nbytes};
}

}  // namespace

void NameByPlace(Method& method, int32_t v, uint32_t bank, uint64_t offset) {
  // No name of a file begins with a tab.
  const std::string name = fmt::format("\tbank {} at {}", bank, offset);
  Tensor& tensor = method.tensors[method.values[static_cast<size_t>(v)].tensor];
  tensor.name = {static_cast<uint32_t>(method.text.size()), static_cast<uint32_t>(name.size())};
  method.text += name;
}

std::optional<NamedAlike> WithNamelessNamed(const ComparedSide& old_side,
                                            const ComparedSide& new_side) {
  const auto old_meant = meaning::MeaningOf(*old_side.program, old_side.manifest);
  const auto new_meant = meaning::MeaningOf(*new_side.program, new_side.manifest);
  NamedAlike named = {*old_side.program, *new_side.program,
                      "buffers without a name are the same in both programs in the order of their "
                      "values"};
  std::map<BankPlace, BankPlace> in_new;  // by the place in the old program
  std::map<BankPlace, BankPlace> in_old;
  bool moved = false;
  for (size_t m = 0; m < named.old_program.methods.size(); ++m) {
    Method& before = named.old_program.methods[m];
    const auto found = std::ranges::find(named.new_program.methods, before.name, &Method::name);
    if (found == named.new_program.methods.end()) continue;
    Method& after = *found;
    const auto n = static_cast<size_t>(found - named.new_program.methods.begin());
    const std::vector<int32_t> olds = NamelessIn(old_meant.methods[m], old_side.manifest);
    const std::vector<int32_t> news = NamelessIn(new_meant.methods[n], new_side.manifest);
    if (olds.size() != news.size()) return std::nullopt;
    for (size_t k = 0; k < olds.size(); ++k) {
      const BankPlace from = PlaceIn(before, olds[k]);
      const BankPlace to = PlaceIn(after, news[k]);
      const bool one_to_one = in_new.try_emplace(from, to).first->second == to &&
                              in_old.try_emplace(to, from).first->second == from;
      const bool alike = std::get<2>(from) == std::get<2>(to) &&
                         before.TensorOf(olds[k])->dtype == after.TensorOf(news[k])->dtype;
      if (!one_to_one || !alike) return std::nullopt;
      moved = moved || from != to;
      NameByPlace(before, olds[k], std::get<0>(from), std::get<1>(from));
      NameByPlace(after, news[k], std::get<0>(from), std::get<1>(from));
    }
  }
  return moved ? std::optional(std::move(named)) : std::nullopt;
}

}  // namespace pteproof::compare
