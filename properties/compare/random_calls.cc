#include "properties/compare/random_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "base/stage.h"
#include "base/work.h"
#include "meaning/effects.h"
#include "properties/compare/callers.h"
#include "properties/oracles/random_inputs.h"
#include "runtime/execute/run_limits.h"

namespace pteproof::compare {
namespace {

constexpr int kLongestSequence = 4;

std::string OutputDifference(std::span<const Datum> olds, std::span<const Datum> news) {
  if (olds.size() != news.size()) return "other numbers of outputs";
  for (size_t n = 0; n < olds.size(); ++n) {
    if (!SameData(olds.subspan(n, 1), news.subspan(n, 1))) return fmt::format("output {}", n);
  }
  return {};
}

class RandomCalls {
 public:
  // Inputs are those of `source`, whose methods are called if the other side has them.
  RandomCalls(FreshLoad load_old, FreshLoad load_new, const ComparedSide& source,
              std::vector<std::string> common, const RandomCallsOptions& options)
      : load_old_(std::move(load_old)),
        load_new_(std::move(load_new)),
        source_(source),
        options_(options),
        random_(options.seed),
        common_(std::move(common)) {}

  RandomCallsResult Run() {
    const RunLimits most = LimitsOf(*source_.program, source_.data, {}).ForMany();
    const WithinLimits limits(most.MakeMemoryCount(), most.work);
    const int64_t before = WorkOfThread()->left();
    try {
      MakeCalls(before);
    } catch (const OverLimit& over) {
      result_.not_made = ExplanationOf(over);
    }
    result_.work = before - WorkOfThread()->left();
    return std::move(result_);
  }

 private:
  void MakeCalls(int64_t left) {
    TellStage(fmt::format("random calls of '{}'", options_.method));
    int failures = 0;
    while (result_.compared < options_.calls.most && result_.difference.empty()) {
      const int64_t before = result_.compared;
      if (!Sequence()) break;
      failures = result_.compared > before ? 0 : failures + 1;
      if (left - WorkOfThread()->left() >= options_.calls.work) break;
      constexpr int kPatience = 20;
      if (failures == kPatience) break;
    }
  }

  // Calls of a fresh load, the last one of the method at hand. False: no program can be loaded.
  bool Sequence() {
    const auto old_run = load_old_();
    const auto new_run = load_new_();
    if (!old_run.ok() || !new_run.ok()) {
      result_.not_made = old_run.ok() ? new_run.error() : old_run.error();
      return false;
    }
    const uint64_t length = 1 + Below(random_, kLongestSequence);
    called_ = called_others_ = false;
    for (uint64_t c = 0; c < length; ++c) {
      const bool is_last = c + 1 == length;
      const std::string& name = is_last ? options_.method : common_[Below(random_, common_.size())];
      if (!Call(name, old_run.value(), new_run.value())) return true;
    }
    return true;
  }

  bool Call(const std::string& name, const MakeCall& old_call, const MakeCall& new_call) {
    const Method& method = *std::ranges::find(source_.program->methods, name, &Method::name);
    const ManifestMethod* stated = meaning::StatedOf(source_.manifest, method);
    auto known = natures_.find(name);
    if (known == natures_.end()) {
      known = natures_.emplace(name, InputNatureOf(meaning::MeaningOf(method, nullptr))).first;
    }
    const auto inputs = RandomInputs(method, known->second, random_, stated);
    const auto a = old_call(name, inputs);
    const auto b = new_call(name, inputs);
    if (!a.ok() || !b.ok()) {
      result_.not_made = a.ok() ? b.error() : a.error();
      // Smaller sizes than the bounds need not fit together.
      const bool fits = a.ok() != b.ok() && AreAtBounds(method, inputs);
      if (fits && name == options_.method) {
        result_.one_sided = true;
        Differs(name, "only one program makes it");
      }
      return false;
    }
    const std::string difference = OutputDifference(a.value(), b.value());
    if (name == options_.method) ++result_.compared;
    const bool is_same = std::ranges::find(options_.same, name) != options_.same.end();
    if (difference.empty()) {
      called_ = called_ || name == options_.method;
      called_others_ = called_others_ || (name != options_.method && !is_same);
      return true;
    }
    if (name == options_.method) Differs(name, difference);
    if (is_same && called_ && !called_others_) {
      Differs(options_.method, fmt::format("{} of '{}' after it", difference, name));
    }
    return false;
  }

  void Differs(const std::string& name, const std::string& what) {
    result_.difference = fmt::format("random call {} of '{}': {}", result_.compared, name, what);
  }

  FreshLoad load_old_;
  FreshLoad load_new_;
  const ComparedSide& source_;
  const RandomCallsOptions& options_;
  Random random_;
  std::vector<std::string> common_;             // methods of both
  std::map<std::string, InputNature> natures_;  // of methods that were called
  bool called_ = false;                         // in this sequence: the method
  bool called_others_ = false;  // and one that is neither it nor proved to be the same
  RandomCallsResult result_;
};

// Methods of the program that the other side has as well, in order.
template <class Methods>
std::vector<std::string> CommonNames(const Program& program, const Methods& others) {
  std::vector<std::string> names;
  for (const Method& method : program.methods) {
    const auto has_name = [&](const auto& other) { return other.name == method.name; };
    if (std::ranges::any_of(others, has_name)) names.push_back(method.name);
  }
  return names;
}

}  // namespace

RandomCallsResult CompareRandomCalls(const ComparedSide& old_side, const ComparedSide& new_side,
                                     const RandomCallsOptions& options) {
  return RandomCalls(LoadOf(old_side, options.policy, options.fuel),
                     LoadOf(new_side, options.policy, options.fuel), old_side,
                     CommonNames(*old_side.program, new_side.program->methods), options)
      .Run();
}

RandomCallsResult CompareRandomCalls(const graph::Module& functional, const ComparedSide& side,
                                     const RandomCallsOptions& options) {
  return RandomCalls(LoadOf(functional, options.fuel), LoadOf(side, options.policy, options.fuel),
                     side, CommonNames(*side.program, functional.methods), options)
      .Run();
}

}  // namespace pteproof::compare
