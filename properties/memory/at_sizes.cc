// Idea. A call is followed on terms (compare/run/planned_call.h) with inputs of the given sizes,
// and each value that it writes has the bytes that it has there. A web of values takes the union of
// its values' bytes, each from where it begins:
//
//   at the bounds   v3 [0, 64)  v4 [64, 128)  v5 [0, 128), both of them     128 bytes
//   smaller         v3 [0, 16)  v4 [64, 80)                                  32 bytes
#include "properties/memory/at_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "meaning/program_meaning.h"
#include "planner/lift/webs.h"
#include "planner/replan/moving_webs.h"
#include "properties/compare/run/planned_call.h"
#include "properties/compare/run/state_keys.h"

namespace pteproof::memory {
namespace {

// Why a call cannot be followed to its end.
std::string EndOf(const compare::Trace& trace) {
  if (trace.refused) return *trace.refused;
  if (trace.stopped) return *trace.stopped;
  if (trace.open) return "a jump depends on data";
  if (trace.sizes_by_data) return "sizes of results depend on data";
  return "";
}

using ByteSpans = std::vector<std::pair<int64_t, int64_t>>;

uint64_t LengthOf(ByteSpans spans) {
  std::ranges::sort(spans);
  int64_t length = 0;
  int64_t end = std::numeric_limits<int64_t>::min();
  for (const auto& [lower, upper] : spans) {
    const int64_t from = std::max(lower, end);
    length += std::max<int64_t>(0, upper - from);
    end = std::max(end, upper);
  }
  return static_cast<uint64_t>(length);
}

// The most bytes of webs that are in use at one point. `bytes`: per value.
uint64_t MostOf(const Method& method, uint32_t bank, const planner::MovingWebs& moving,
                const std::vector<uint64_t>& bytes) {
  std::map<int32_t, ByteSpans> spans;
  for (size_t v = 0; v < moving.web.size(); ++v) {
    const Tensor* tensor = method.TensorOf(static_cast<int32_t>(v));
    if (moving.web[v] < 0 || tensor == nullptr || !tensor->planned || tensor->bank != bank)
      continue;
    spans[moving.web[v]].emplace_back(moving.at[v], moving.at[v] + static_cast<int64_t>(bytes[v]));
  }
  std::map<int64_t, int64_t> changes;  // by point
  for (auto& [web, of_web] : spans) {
    const auto length = static_cast<int64_t>(LengthOf(std::move(of_web)));
    for (const auto& span : moving.lives[static_cast<size_t>(web)]) {
      changes[span.lower] += length;
      changes[span.upper] -= length;
    }
  }
  int64_t now = 0;
  int64_t most = 0;
  for (const auto& [point, change] : changes) most = std::max(most, now += change);
  return static_cast<uint64_t>(most);
}

}  // namespace

MethodAtSizes NeedAtSizes(const compare::ComparedSide& side, size_t m,
                          std::span<const Sizes> inputs) {
  const Method& method = side.program->methods[m];
  compare::TermTable table;
  compare::OpaqueSplits splits;
  const compare::KnownSide known = compare::KnownOf(side);
  const auto states = compare::StatesOf(*side.program, m, Policy::kPrivate, side.manifest);
  const compare::PlannedMethod planned = compare::PlannedOf(side, known, m, states, splits);
  const compare::Trace trace = compare::RunPlanned(
      table, planned, {.input_sizes = {inputs.begin(), inputs.end()}, .holds = {}});
  MethodAtSizes need;
  need.unknown = EndOf(trace);
  if (!need.unknown.empty()) return need;
  std::vector<uint64_t> at_bounds(method.values.size());
  std::vector<uint64_t> at_sizes(method.values.size());
  for (size_t v = 0; v < method.values.size(); ++v) {
    const Tensor* tensor = method.TensorOf(static_cast<int32_t>(v));
    if (tensor == nullptr) continue;
    at_bounds[v] = tensor->nbytes;
    // Of a view that varies the value that it is a view of tells.
    at_sizes[v] = tensor->dynamism == Dynamism::kStatic ? tensor->nbytes : 0;
  }
  std::vector<bool> written(method.values.size());
  for (const compare::TracedWrite& write : trace.writes) {
    if (write.value < 0) continue;
    const auto v = static_cast<size_t>(write.value);
    const uint64_t bytes = table[write.content].bytes();
    at_sizes[v] = written[v] ? std::max(at_sizes[v], bytes) : bytes;
    written[v] = true;
  }
  const planner::MethodWebs webs =
      planner::WebsOf(meaning::MeaningOf(method, side.manifest), method);
  const planner::MovingWebs moving = planner::MovingWebsOf(method, webs);
  for (uint32_t bank = 1; bank < method.bank_sizes.size(); ++bank) {
    if (method.bank_sizes[bank] == 0) continue;
    need.banks.push_back(
        {bank, MostOf(method, bank, moving, at_bounds), MostOf(method, bank, moving, at_sizes)});
  }
  return need;
}

}  // namespace pteproof::memory
