#include "planner/replan/fixed_bytes.h"

#include <fmt/format.h>

#include <algorithm>

namespace pteproof::planner {
namespace {

// Ascending and disjoint; ranges that touch become one.
std::vector<BankBytes> Merged(std::vector<BankBytes> ranges) {
  std::ranges::sort(ranges);
  std::vector<BankBytes> merged;
  for (const BankBytes& range : ranges) {
    if (range.lo >= range.hi) continue;
    const bool touches =
        !merged.empty() && merged.back().bank == range.bank && range.lo <= merged.back().hi;
    if (touches) {
      merged.back().hi = std::max(merged.back().hi, range.hi);
    } else {
      merged.push_back(range);
    }
  }
  return merged;
}

// What is in the first and not in the second; both as Merged gives them.
std::vector<BankBytes> Without(std::span<const BankBytes> ranges, std::span<const BankBytes> cut) {
  std::vector<BankBytes> left;
  auto next = cut.begin();
  for (BankBytes range : ranges) {
    while (next != cut.end() &&
           (next->bank < range.bank || (next->bank == range.bank && next->hi <= range.lo))) {
      ++next;
    }
    for (auto at = next; at != cut.end() && Meet(*at, range); ++at) {
      if (range.lo < at->lo) left.push_back({range.bank, range.lo, at->lo});
      range.lo = std::min(at->hi, range.hi);
    }
    if (range.lo < range.hi) left.push_back(range);
  }
  return left;
}

// All bytes that the method plans.
std::vector<BankBytes> PlannedBytes(const Method& method) {
  std::vector<BankBytes> planned;
  for (size_t v = 0; v < method.values.size(); ++v) {
    const auto value = static_cast<int32_t>(v);
    const Tensor* tensor = method.TensorOf(value);
    if (tensor != nullptr && tensor->planned) planned.push_back(BytesOf(method, value));
  }
  return Merged(std::move(planned));
}

std::vector<int32_t> OutputsOf(const MethodWebs& webs) {
  std::vector<int32_t> outputs = webs.touches.outputs;
  const std::vector<int32_t>& more = webs.touches.may_be_outputs;
  outputs.insert(outputs.end(), more.begin(), more.end());
  return outputs;
}

bool IsInBank(uint32_t bank, std::span<const BankBytes> ranges) {
  return std::ranges::binary_search(ranges, bank, {}, &BankBytes::bank);
}

bool MeetsAny(const BankBytes& bytes, std::span<const BankBytes> ranges) {
  const auto after =
      std::ranges::upper_bound(ranges, std::pair(bytes.bank, bytes.lo), {},
                               [](const BankBytes& r) { return std::pair(r.bank, r.hi); });
  return after != ranges.end() && Meet(*after, bytes);
}

}  // namespace

std::vector<std::vector<BankBytes>> KeptBytesOf(const Program& program,
                                                std::span<const MethodWebs> webs, bool outputs) {
  std::vector<std::vector<BankBytes>> planned;
  for (const Method& method : program.methods) planned.push_back(PlannedBytes(method));
  std::vector<std::vector<BankBytes>> kept;
  for (size_t m = 0; m < webs.size(); ++m) {
    std::vector<BankBytes> all = webs[m].state;
    for (const int32_t output : outputs ? OutputsOf(webs[m]) : std::vector<int32_t>()) {
      const BankBytes bytes = BytesOf(program.methods[m], output);
      bool is_common = false;  // another method has values in the bank
      bool is_left = true;     // none of them lies there
      for (size_t other = 0; other < webs.size(); ++other) {
        if (other == m) continue;
        is_common = is_common || IsInBank(bytes.bank, planned[other]);
        is_left = is_left && !MeetsAny(bytes, planned[other]);
      }
      if (is_common && is_left) all.push_back(bytes);
    }
    kept.push_back(Merged(std::move(all)));
  }
  return kept;
}

bool FixedBytes::Holds(const BankBytes& bytes) const {
  const auto after =
      std::ranges::upper_bound(ranges, std::pair(bytes.bank, bytes.lo), {},
                               [](const BankBytes& r) { return std::pair(r.bank, r.hi); });
  return after != ranges.end() && after->bank == bytes.bank && after->lo <= bytes.lo &&
         bytes.hi <= after->hi;
}

FixedBytes FixedBytesOf(const Program& program, std::span<const MethodWebs> webs,
                        std::span<const std::vector<BankBytes>> kept, size_t method) {
  const Method& own = program.methods[method];
  const MethodWebs& mine = webs[method];
  FixedBytes fixed;
  fixed.webs.resize(mine.web.size());
  const auto fix = [&](int32_t value) {
    const int32_t web = mine.web[static_cast<size_t>(value)];
    if (web >= 0) fixed.webs[static_cast<size_t>(web)] = true;
  };
  std::ranges::for_each(mine.stateful, fix);
  std::vector<BankBytes> others;
  for (size_t m = 0; m < webs.size(); ++m) {
    for (const BankBytes& state : webs[m].state) {
      mine.at_exit.ForEach(state, [&](uint64_t, uint64_t, const ByteOwners::Owners& owners) {
        for (const int32_t owner : owners) {
          if (owner != kAtEntry) fix(owner);
        }
      });
    }
    if (m != method) others.insert(others.end(), kept[m].begin(), kept[m].end());
  }
  for (size_t v = 0; v < mine.web.size(); ++v) {
    const int32_t web = mine.web[v];
    if (web < 0 || !fixed.webs[static_cast<size_t>(web)]) continue;
    fixed.ranges.push_back(BytesOf(own, static_cast<int32_t>(v)));
  }
  fixed.outputs.resize(mine.web.size());
  for (const int32_t output : OutputsOf(mine)) {
    const int32_t web = mine.web[static_cast<size_t>(output)];
    if (web < 0 || fixed.Stays(web) || !MeetsAny(BytesOf(own, output), kept[method])) continue;
    fixed.webs[static_cast<size_t>(web)] = true;
    fixed.outputs[static_cast<size_t>(web)] = true;
  }
  fixed.ranges = Merged(std::move(fixed.ranges));
  fixed.untouched = Without(Merged(std::move(others)), PlannedBytes(own));
  return fixed;
}

std::optional<std::string> OutputCutShort(const Program& program, std::span<const MethodWebs> webs,
                                          OutputsLast outputs) {
  if (outputs == OutputsLast::kNextCall) return std::nullopt;
  const auto lies_over = [&](size_t m, int32_t output, size_t other, size_t v) {
    const int32_t web = webs[other].web[v];
    const int32_t own_web = webs[m].web[static_cast<size_t>(output)];
    if (web < 0 || (other == m && (web == own_web || outputs != OutputsLast::kAlways)))
      return false;
    return Meet(BytesOf(program.methods[m], output),
                BytesOf(program.methods[other], static_cast<int32_t>(v)));
  };
  for (size_t m = 0; m < webs.size(); ++m) {
    for (const int32_t output : OutputsOf(webs[m])) {
      for (size_t other = 0; other < webs.size(); ++other) {
        for (size_t v = 0; v < webs[other].web.size(); ++v) {
          if (!lies_over(m, output, other, v)) continue;
          return fmt::format("v{} of '{}' lies over output v{} of '{}'", v,
                             program.methods[other].name, output, program.methods[m].name);
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace pteproof::planner
