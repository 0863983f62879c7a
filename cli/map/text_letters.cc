#include "cli/map/text_letters.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <tuple>

namespace pteproof {
namespace {

using picture::Kind;
using picture::Panel;
using picture::Storage;

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
static_assert(kAlphabet.size() == kMostLetters);

// Bytes times points: a storage that is larger or lives longer is seen better.
double AmountOf(const Storage& storage) {
  double points = 0;
  for (const PointSpan& span : storage.live) {
    points += static_cast<double>(span.upper - span.lower);
  }
  return points * static_cast<double>(storage.hi - storage.lo);
}

// What tells the state of one method from another's: its name and bytes.
using SameState = std::tuple<std::string_view, uint64_t, uint64_t>;

SameState StateOf(const Storage& storage) {
  return {storage.parts.front().name, storage.lo, storage.hi};
}

}  // namespace

std::vector<Lettered> LettersOf(std::span<const Panel* const> panels) {
  std::vector<Lettered> all;
  for (const Panel* panel : panels) {
    for (const Storage& storage : panel->storages) {
      if (storage.kind != Kind::kReserved) all.push_back({'?', panel, &storage});
    }
  }
  if (all.size() > kAlphabet.size()) {
    std::ranges::stable_sort(all, std::ranges::greater(),
                             [](const Lettered& l) { return AmountOf(*l.storage); });
    all.resize(kAlphabet.size());
  }
  std::ranges::sort(all, {}, [](const Lettered& l) {
    return std::tuple(l.panel->method, l.storage->live.front().lower, l.storage->lo,
                      l.storage->parts.front().value);
  });
  std::map<SameState, char> known;
  size_t next = 0;
  for (Lettered& each : all) {
    const bool is_state = each.storage->kind == Kind::kState;
    const auto same = is_state ? known.find(StateOf(*each.storage)) : known.end();
    each.letter = same != known.end() ? same->second : kAlphabet[next++];
    if (is_state) known.emplace(StateOf(*each.storage), each.letter);
  }
  return all;
}

}  // namespace pteproof
