#include "fuzz/mutate/plan/cross.h"

#include <algorithm>

#include "fuzz/mutate/plan/parts.h"

namespace pteproof::fuzz::plan {
namespace {

constexpr size_t kMostMethodsCrossed = 6;

// Appends the blobs of `from`; what has to be added to their numbers.
uint32_t AppendBlobs(std::vector<Bytes>& into, const std::vector<Bytes>& from) {
  const auto shift = static_cast<uint32_t>(into.size());
  into.insert(into.end(), from.begin(), from.end());
  return shift;
}

}  // namespace

bool TakeMethod(Program& into, const Program& from, Random& random) {
  if (from.methods.empty()) return false;
  Method taken = random.Of(from.methods);
  const uint32_t constants = AppendBlobs(into.constants, from.constants);
  const uint32_t initial_values = AppendBlobs(into.initial_values, from.initial_values);
  for (Tensor& t : taken.tensors) {
    if (t.data_index > 0) t.data_index += t.planned ? initial_values : constants;
  }
  const auto same = std::ranges::find(into.methods, taken.name, &Method::name);
  if (same == into.methods.end()) {
    if (into.methods.size() >= kMostMethodsCrossed) return false;
    into.methods.push_back(std::move(taken));
  } else if (random.OneIn(2) || into.methods.size() >= kMostMethodsCrossed) {
    *same = std::move(taken);
  } else {
    while (std::ranges::find(into.methods, taken.name, &Method::name) != into.methods.end()) {
      taken.name += "_";
    }
    into.methods.push_back(std::move(taken));
  }
  return true;
}

bool TakePlaces(Program& into, const Program& from, Random& random) {
  if (into.methods.empty() || from.methods.empty()) return false;
  Method& to = random.Of(into.methods);
  const Method& giver = random.Of(from.methods);
  bool any = false;
  for (Tensor& t : to.tensors) {
    if (!t.planned) continue;
    const Tensor* place = AnyOf(giver.tensors, random, [&](const Tensor& other) {
      return other.planned && other.nbytes == t.nbytes && other.bank < to.bank_sizes.size();
    });
    if (place == nullptr || (place->bank == t.bank && place->offset == t.offset)) continue;
    t.bank = place->bank;
    t.offset = place->offset;
    any = true;
  }
  return any;
}

}  // namespace pteproof::fuzz::plan
