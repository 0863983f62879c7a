#include "properties/proofs/planner/placement_case.h"

#include <fmt/format.h>

#include <algorithm>

namespace pteproof::proofs {
namespace {

using placement::Item;

bool HasRoom(const Item<int64_t>& item) {
  return item.size > 0 && !item.live.empty();
}

bool AreTied(const NumberItems& items, size_t i, size_t j) {
  const auto root = [&](size_t at) {
    while (items[at].tie) at = static_cast<size_t>(items[at].tie->base);
    return at;
  };
  return root(i) == root(j);
}

int64_t Rounded(int64_t value, int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

std::string MistakeOfItem(const NumberItems& items, const placement::Layout<int64_t>& layout,
                          size_t i) {
  const int64_t offset = layout.offsets[i];
  if (offset < 0) return fmt::format("storage {} lies at {}", i, offset);
  if (items[i].fixed && offset != *items[i].fixed) {
    return fmt::format("storage {} lies at {}, fixed at {}", i, offset, *items[i].fixed);
  }
  if (items[i].tie) {
    const int64_t base = layout.offsets[static_cast<size_t>(items[i].tie->base)];
    if (offset != base + items[i].tie->inside) {
      return fmt::format("storage {} lies at {}, tied to bytes at {}", i, offset, base);
    }
  }
  if (!HasRoom(items[i])) return "";
  if (offset + items[i].size > layout.peak) {
    return fmt::format("storage {} ends at {}, beyond the peak {}", i, offset + items[i].size,
                       layout.peak);
  }
  if (!items[i].fixed && !items[i].tie && offset % items[i].alignment != 0) {
    return fmt::format("storage {} lies at {}, which its alignment does not divide", i, offset);
  }
  return "";
}

std::string MistakeOfPeak(const NumberItems& items, const placement::Layout<int64_t>& layout) {
  int64_t largest = 1;
  for (const Item<int64_t>& item : items) largest = std::max(largest, item.alignment);
  int64_t sum = 0;
  for (const Item<int64_t>& item : items) {
    if (HasRoom(item)) sum += Rounded(item.size, largest);
  }
  if (layout.peak <= sum) return "";
  return fmt::format("the peak {} is above the sum {} of rounded sizes", layout.peak, sum);
}

}  // namespace

SymbolicItems SymbolicItemsOf(const PlacementCase& of, const Lives& lives, PathExplorer& path) {
  SymbolicItems items;
  const SymbolicInt one = of.kind == AlignmentKind::kOneForAll ? path.Variable(1) : SymbolicInt(1);
  for (size_t i = 0; i < of.storages; ++i) {
    Item<SymbolicInt>& item = items.emplace_back();
    item.alignment = one;
    if (of.kind == AlignmentKind::kEachItsOwn) item.alignment = path.Variable(1);
    if (of.kind == AlignmentKind::kNumbers) item.alignment = of.alignments[i];
    item.size = path.Variable(of.in_place ? 1 : 0);
    if (of.ascending && i > 0) item.size = items[i - 1].size + item.size;
    item.live = lives[i];
  }
  if (of.fixed) items.front().fixed = path.Variable(0);
  if (of.tied) items.back().tie = {.base = 0, .inside = path.MultipleOf(items.back().alignment)};
  if (of.in_place) {
    items.back().size = items.front().size;
    items.back().tie = {.base = 0, .inside = 0};
  }
  return items;
}

NumberItems NumberItemsOf(const SymbolicItems& items, const std::vector<int64_t>& values) {
  NumberItems numbers;
  for (const Item<SymbolicInt>& item : items) {
    Item<int64_t>& number = numbers.emplace_back();
    number.size = ValueOf(item.size.sum, values);
    number.alignment = ValueOf(item.alignment.sum, values);
    number.live = item.live;
    if (item.fixed) number.fixed = ValueOf(item.fixed->sum, values);
    if (item.tie) {
      number.tie = {.base = item.tie->base, .inside = ValueOf(item.tie->inside.sum, values)};
    }
  }
  return numbers;
}

std::optional<std::string> MistakeIn(const NumberItems& items,
                                     const placement::Layout<int64_t>& layout, bool bounded) {
  for (size_t i = 0; i < items.size(); ++i) {
    if (std::string text = MistakeOfItem(items, layout, i); !text.empty()) return text;
  }
  Lives lives;
  for (const Item<int64_t>& item : items) lives.push_back(item.live);
  const OverlapMatrix overlap = TrueOverlap(lives);
  for (size_t i = 0; i < items.size(); ++i) {
    for (size_t j = i + 1; j < items.size(); ++j) {
      if (!overlap[i * items.size() + j] || AreTied(items, i, j)) continue;
      const int64_t lo = std::max(layout.offsets[i], layout.offsets[j]);
      const int64_t hi =
          std::min(layout.offsets[i] + items[i].size, layout.offsets[j] + items[j].size);
      if (lo < hi) return fmt::format("storages {} and {} share bytes [{},{})", i, j, lo, hi);
    }
  }
  if (!bounded) return std::nullopt;
  std::string text = MistakeOfPeak(items, layout);
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

std::string TextOf(const NumberItems& items) {
  std::string text;
  for (size_t i = 0; i < items.size(); ++i) {
    const Item<int64_t>& item = items[i];
    if (i > 0) text += "; ";
    text += fmt::format("storage {}: {} bytes, alignment {}, live", i, item.size, item.alignment);
    for (const placement::Span& span : item.live) {
      text += fmt::format(" [{},{})", span.lower, span.upper);
    }
    if (item.fixed) text += fmt::format(", fixed at {}", *item.fixed);
    if (item.tie) text += fmt::format(", in storage {} at {}", item.tie->base, item.tie->inside);
  }
  return text;
}

}  // namespace pteproof::proofs
