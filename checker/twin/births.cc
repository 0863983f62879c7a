// Rule B: which births follow from the exporter's numbering of values.
//
// An exporter numbers values in the order in which it makes them. So a value that no instruction
// writes was made before the first instruction with a higher number, of the last older value that
// has its place and type, or of several older ones. O(n log n), and the chains of names of names.
#include <algorithm>
#include <limits>

#include "checker/twin/walk.h"

namespace pteproof_twin {
namespace {

using Form = std::pair<Place, int32_t>;

struct Known {
  std::map<int32_t, std::vector<std::pair<int64_t, const Birth*>>> births;  // by value
  std::map<Form, std::vector<int32_t>> forms;  // touched tensors of one place and type, ascending
  std::map<int32_t, int64_t> uses;             // the first of each value
};

Form FormOf(const Facts& facts, int32_t v) {
  return {facts.PlaceOf(v), facts.method->At(v).dtype};
}

Known KnownOf(const Facts& facts) {
  Known known;
  known.uses = facts.first_use;
  for (const auto& [i, births] : facts.births.listed) {
    for (const Birth& birth : births) {
      known.births[birth.value].emplace_back(i, &birth);
      for (const int32_t x : birth.sources) {
        int64_t& use = known.uses.try_emplace(x, i).first->second;
        use = std::min(use, i);
      }
    }
  }
  for (int32_t v = 0; v < static_cast<int32_t>(facts.method->values.size()); ++v) {
    const bool touched = known.uses.contains(v) || known.births.contains(v) ||
                         facts.first_write.contains(v) || facts.own.contains(v) ||
                         facts.method->is_input.contains(v);
    if (facts.method->IsTensor(v) && touched) known.forms[FormOf(facts, v)].push_back(v);
  }
  return known;
}

// By instruction: the highest number that it or one before it names.
std::vector<int64_t> HighestOf(const Method& method) {
  std::vector<int64_t> highest;
  int64_t top = -1;
  for (const Step& step : method.code) {
    if (step.action == Action::kMove || step.action == Action::kJump)
      top = std::max<int64_t>(top, step.target);
    if (step.action != Action::kJump) {
      for (const int64_t arg : step.args) top = std::max(top, arg);
    }
    highest.push_back(top);
  }
  return highest;
}

// Whether the source is the last older value of the same place and type, or a name of that; or no
// such value is there, and there are several sources of the type.
bool IsOfLastOlder(const Facts& facts, const Known& known, const Birth& birth, Work& work) {
  const int32_t v = birth.value;
  const Value& value = facts.method->At(v);
  // A value with a name or data is something by itself, or another name of a buffer of its name.
  const bool same_name = value.name == facts.method->At(birth.sources[0]).name;
  if (value.IsLoaded() || (!value.name.empty() && !same_name)) return false;
  const int32_t dtype = value.dtype;
  const bool older = std::ranges::all_of(
      birth.sources, [&](int32_t x) { return x < v && facts.method->At(x).dtype == dtype; });
  const auto form = known.forms.find(FormOf(facts, v));
  if (!older || form == known.forms.end()) return false;
  const auto next = std::ranges::lower_bound(form->second, v);
  if (birth.sources.size() > 1) return next == form->second.begin();
  int32_t base = next != form->second.begin() ? *std::prev(next) : -1;
  while (base != birth.sources[0] && work.Spend(1)) {
    const auto named = known.births.find(base);
    if (named == known.births.end() || named->second[0].second->sources.size() != 1) break;
    base = std::min(named->second[0].second->sources[0], base - 1);
  }
  return base == birth.sources[0];
}

}  // namespace

bool IsNumbered(const Facts& facts) {
  const Method& method = *facts.method;
  int64_t highest = -1;
  std::set<int64_t> seen;
  std::set<int64_t> used;
  for (const int32_t v : method.inputs) {
    if (v <= highest) return false;
    highest = v;
    seen.insert(v);
  }
  for (int64_t i = 0; i < method.Count(); ++i) {
    const Step& step = method.StepAt(i);
    if (step.action != Action::kKernel && step.action != Action::kDelegate) {
      used.insert(step.target);
      continue;
    }
    std::set<int64_t> made;
    for (const auto& [v, letter] : facts.effects[static_cast<size_t>(i)].writes) {
      if (letter == 'w' && method.At(v).name.empty() && !method.At(v).IsLoaded()) made.insert(v);
    }
    for (const int64_t v : step.args) {
      if (!method.IsTensor(v) && !facts.scalars.contains(static_cast<int32_t>(v))) made.insert(v);
    }
    std::erase_if(made, [&](int64_t v) { return seen.contains(v) || used.contains(v); });
    if (made.empty()) continue;
    if (*made.begin() <= highest) return false;
    highest = *made.rbegin();
    seen.insert(made.begin(), made.end());
  }
  return seen.size() >= 4;
}

void TrustBirths(const Facts& facts, Trusted& trusted, Work& work) {
  const Method& method = *facts.method;
  const Known known = KnownOf(facts);
  const std::vector<int64_t> highest = HighestOf(method);
  const bool numbered = !known.births.empty() && IsNumbered(facts);
  for (const auto& [v, births] : known.births) {
    const auto use = known.uses.find(v);
    const int64_t higher = std::ranges::upper_bound(highest, v) - highest.begin();
    const int64_t moment = use != known.uses.end() ? std::min(higher, use->second) : higher;
    bool follows = numbered && births.size() == 1 && births[0].first == moment;
    follows = follows && !(facts.first_write.contains(v) && !facts.targets.empty());
    // What comes before the inputs is a buffer, and no name of another one.
    follows = follows && (method.inputs.empty() || v > *method.is_input.begin());
    if (follows && IsOfLastOlder(facts, known, *births[0].second, work)) continue;
    for (const auto& [i, birth] : births) {
      std::string sources;
      for (const int32_t x : birth->sources)
        sources += (sources.empty() ? "v" : ", v") + std::to_string(x);
      trusted.Add("v" + std::to_string(v) + " of '" + method.name +
                  "' is born before instruction " + std::to_string(i) + " of " + sources);
    }
  }
}

}  // namespace pteproof_twin
