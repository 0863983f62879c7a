#include "properties/compare/random_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "properties/oracles/planned_run.h"
#include "properties/oracles/random_inputs.h"

namespace pteproof::compare {
namespace {

constexpr int kLongestSequence = 4;

int32_t IndexOf(const Program& program, std::string_view name) {
  const auto found = std::ranges::find(program.methods, name, &Method::name);
  return found == program.methods.end() ? -1
                                        : static_cast<int32_t>(found - program.methods.begin());
}

Result<PlannedRun, RunFault> Load(const ComparedSide& side, const RandomCallsOptions& options) {
  return PlannedRun::Load(*side.program, {.policy = options.policy,
                                          .semantics = Semantics::kHash,
                                          .writable_constants = true,
                                          .devices_on_host = true,
                                          .data = side.data,
                                          .lends_outputs = true,
                                          .fuel = options.fuel});
}

std::string OutputDifference(std::span<const Datum> olds, std::span<const Datum> news) {
  if (olds.size() != news.size()) return "other numbers of outputs";
  for (size_t n = 0; n < olds.size(); ++n) {
    if (!SameData(olds.subspan(n, 1), news.subspan(n, 1))) return fmt::format("output {}", n);
  }
  return {};
}

class RandomCalls {
 public:
  RandomCalls(const ComparedSide& old_side, const ComparedSide& new_side,
              const RandomCallsOptions& options)
      : old_(old_side), new_(new_side), options_(options), random_(options.seed) {
    for (const Method& method : old_.program->methods) {
      if (IndexOf(*new_.program, method.name) >= 0) common_.push_back(method.name);
    }
  }

  RandomCallsResult Run() {
    int failures = 0;
    while (result_.compared < options_.calls && result_.difference.empty()) {
      const int64_t before = result_.compared;
      if (!Sequence()) break;
      failures = result_.compared > before ? 0 : failures + 1;
      constexpr int kPatience = 20;
      if (failures == kPatience) break;
    }
    return std::move(result_);
  }

 private:
  // Calls of a fresh load, the last one of the method at hand. False: no program can be loaded.
  bool Sequence() {
    auto old_run = Load(old_, options_);
    auto new_run = Load(new_, options_);
    if (!old_run.ok() || !new_run.ok()) {
      result_.not_made = old_run.ok() ? new_run.error().explanation : old_run.error().explanation;
      return false;
    }
    const uint64_t length = 1 + Below(random_, kLongestSequence);
    for (uint64_t c = 0; c < length; ++c) {
      const bool is_last = c + 1 == length;
      const std::string& name = is_last ? options_.method : common_[Below(random_, common_.size())];
      if (!Call(name, old_run.value(), new_run.value())) return true;
    }
    return true;
  }

  bool Call(const std::string& name, PlannedRun& old_run, PlannedRun& new_run) {
    const int32_t in_old = IndexOf(*old_.program, name);
    const Method& method = old_.program->methods[static_cast<size_t>(in_old)];
    const auto inputs = RandomInputs(method, random_, StatedOf(old_.manifest, method));
    const auto a = old_run.Call(in_old, inputs);
    const auto b = new_run.Call(IndexOf(*new_.program, name), inputs);
    if (!a.ok() || !b.ok()) {
      result_.not_made = a.ok() ? b.error().explanation : a.error().explanation;
      // Smaller sizes than the bounds need not fit together.
      const bool fits = a.ok() != b.ok() && AreAtBounds(method, inputs);
      if (fits && name == options_.method) Differs(name, "only one program makes it");
      return false;
    }
    const std::string difference = OutputDifference(a.value(), b.value());
    if (name == options_.method) ++result_.compared;
    if (difference.empty()) return true;
    if (name == options_.method) Differs(name, difference);
    return false;
  }

  void Differs(const std::string& name, const std::string& what) {
    result_.difference = fmt::format("random call {} of '{}': {}", result_.compared, name, what);
  }

  const ComparedSide& old_;
  const ComparedSide& new_;
  const RandomCallsOptions& options_;
  Random random_;
  std::vector<std::string> common_;  // methods of both
  RandomCallsResult result_;
};

}  // namespace

RandomCallsResult CompareRandomCalls(const ComparedSide& old_side, const ComparedSide& new_side,
                                     const RandomCallsOptions& options) {
  return RandomCalls(old_side, new_side, options).Run();
}

}  // namespace pteproof::compare
