#include "cli/map/svg_ribbons.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

namespace pteproof {
namespace {

using picture::Panel;
using picture::Part;
using picture::Storage;

// What tells a state from others: its name, else its bytes.
using StateKey = std::tuple<std::string_view, uint64_t, uint64_t>;

std::map<StateKey, const Storage*> StatesOf(const Panel& panel) {
  std::map<StateKey, const Storage*> states;
  for (const Storage& storage : panel.storages) {
    if (storage.kind != picture::Kind::kState) continue;
    const auto named =
        std::ranges::find_if(storage.parts, [](const Part& p) { return !p.name.empty(); });
    const bool has_name = named != storage.parts.end();
    states.emplace(has_name ? StateKey{named->name, 0, 0} : StateKey{"", storage.lo, storage.hi},
                   &storage);
  }
  return states;
}

void DrawRibbon(const PlotBox& from, const Storage& a, const PlotBox& to, const Storage& b,
                SvgWriter& out) {
  const bool agree = a.lo == b.lo && a.hi == b.hi;
  out.Path(agree ? "k0 ribbon" : "ribbon crooked",
           fmt::format("M{} {}L{} {}V{}L{} {}z", Pixels(from.x + from.width), Pixels(from.Y(a.hi)),
                       Pixels(to.x), Pixels(to.Y(b.hi)), Pixels(to.Y(b.lo)),
                       Pixels(from.x + from.width), Pixels(from.Y(a.lo))));
}

}  // namespace

void DrawRibbons(const picture::Bank& bank, const BankRow& row, SvgWriter& out) {
  const Panel* last = nullptr;
  for (const Panel& panel : bank.panels) {
    if (!panel.is_there) continue;
    if (last != nullptr) {
      const auto there = StatesOf(*last);
      for (const auto& [key, storage] : StatesOf(panel)) {
        const auto same = there.find(key);
        if (same == there.end()) continue;
        DrawRibbon(row.plots[last->method], *same->second, row.plots[panel.method], *storage, out);
      }
    }
    last = &panel;
  }
}

}  // namespace pteproof
