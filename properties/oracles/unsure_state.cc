#include "properties/oracles/unsure_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "properties/oracles/replay_values.h"

namespace pteproof {
namespace {

// Where one buffer lies, as one of its values has it.
struct StatePlace {
  std::string scope;  // a method, or nothing: all share the bank
  uint32_t bank = 0;
  uint64_t first = 0;
  uint64_t end = 0;
  std::string key;
  int32_t value = 0;
  bool named = false;
  uint32_t data = 0;  // number of what the file stores for it; 0: none
  size_t method = 0;
  bool is_own = false;  // the buffer's own value; else a second name of it
};

bool IsOwn(const meaning::Roles& roles, size_t v) {
  const meaning::StateSlot& slot = roles.states[static_cast<size_t>(roles.state_of[v])];
  return static_cast<size_t>(slot.value) == v;
}

std::vector<StatePlace> StatePlaces(std::span<const meaning::MethodMeaning> methods,
                                    const ReplayOptions& options) {
  std::vector<StatePlace> places;
  for (size_t m = 0; m < methods.size(); ++m) {
    const Method& method = *methods[m].method;
    for (size_t v = 0; v < method.values.size(); ++v) {
      const meaning::Place& place = methods[m].roles.place[v];
      const auto value = static_cast<int32_t>(v);
      if (methods[m].roles.StateInBank(value) < 0) continue;
      const Tensor& t = *method.TensorOf(value);
      std::string key = StateKeyOf(method, value, options);
      const bool named = !key.ends_with('|');
      std::string scope = key.substr(0, key.find('|'));
      places.push_back({std::move(scope), place.bank, place.lo, place.hi, std::move(key), value,
                        named, t.external ? 0 : t.data_index, m, IsOwn(methods[m].roles, v)});
    }
  }
  return places;
}

// Two values that are one buffer by their place and name, in one method, or by their place alone,
// and have unlike numbers of bytes: which of the two the buffer is cannot be said.
std::optional<std::string> OfAnotherSize(std::span<const StatePlace> places) {
  std::map<std::pair<size_t, std::string_view>, const StatePlace*> known;
  for (const StatePlace& place : places) {
    const size_t of = place.named ? place.method : 0;
    const auto [other, fresh] = known.try_emplace({of, place.key}, &place);
    if (fresh || place.end == other->second->end) continue;
    return fmt::format("v{} has the {} of v{}, and another number of bytes", place.value,
                       place.named ? "name and place" : "place", other->second->value);
  }
  return std::nullopt;
}

}  // namespace

std::string_view WhyNoMeaning(const meaning::MethodMeaning& meant) {
  if (!meant.aliases.complete) return "too many values share places";
  const bool has_part = std::ranges::any_of(meant.aliases.unexplained, [&](int32_t part) {
    return std::ranges::any_of(meant.method->inputs, [&](int32_t input) {
      const meaning::Place& whole = meant.roles.place[static_cast<size_t>(input)];
      return !whole.empty() && input < part &&
             whole.Holds(meant.roles.place[static_cast<size_t>(part)]);
    });
  });
  return has_part ? "a value lies in bytes of another value, and it is not known how" : "";
}

std::optional<std::string> UnsureState(std::span<const meaning::MethodMeaning> methods,
                                       const ReplayOptions& options) {
  std::vector<StatePlace> places = StatePlaces(methods, options);
  std::ranges::sort(places, {}, [](const StatePlace& p) {
    return std::tuple(p.scope, p.bank, p.first, p.data, p.end);
  });
  if (auto unlike = OfAnotherSize(places)) return unlike;
  std::erase_if(places, [](const StatePlace& place) { return !place.is_own; });
  // Each load copies the bytes that the other one has copied, so the owner of the place is unknown.
  const auto alike = std::ranges::adjacent_find(places, [](const auto& a, const auto& b) {
    return a.data > 0 && a.data == b.data && a.first == b.first && a.bank == b.bank &&
           a.scope == b.scope && a.key != b.key;
  });
  if (alike != places.end()) {
    return fmt::format("v{} and v{} are two buffers that start with the same data at one place",
                       alike->value, std::next(alike)->value);
  }
  const StatePlace* furthest = nullptr;  // of those before in this bank
  const StatePlace* furthest_nameless = nullptr;
  for (const StatePlace& place : places) {
    const auto meets = [&](const StatePlace* other) {
      return other != nullptr && other->scope == place.scope && other->bank == place.bank &&
             place.first < other->end && other->key != place.key;
    };
    const StatePlace* other = place.named ? furthest_nameless : furthest;
    if (meets(other)) {
      return fmt::format("v{} and v{} lie in the same bytes of bank {}, and one has no name",
                         other->value, place.value, place.bank);
    }
    const auto reaches_further = [&](const StatePlace* known) {
      return known == nullptr || known->scope != place.scope || known->bank != place.bank ||
             known->end <= place.end;
    };
    if (reaches_further(furthest)) furthest = &place;
    if (!place.named && reaches_further(furthest_nameless)) furthest_nameless = &place;
  }
  return std::nullopt;
}

}  // namespace pteproof
