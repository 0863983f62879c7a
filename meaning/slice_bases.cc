#include "meaning/slice_bases.h"

#include <algorithm>

#include "runtime/slice_form.h"

namespace pteproof::meaning {

int32_t SliceBases::BaseOf(int32_t part, int32_t before) {
  int32_t best = -1;
  int32_t best_write = LastWrites::kNever;
  const auto end = order_.holds ? part : static_cast<int32_t>(method_.values.size());
  if (!work_.Spend(static_cast<uint64_t>(end))) return best;
  for (int32_t u = 0; u < end; ++u) {
    if (!PlaceOf(u).Holds(PlaceOf(part)) || PlaceOf(u).empty()) continue;
    if (!SliceFormOf(method_, part, u).has_value()) continue;
    const int32_t base = MadeAt(u, before);
    const int32_t write = base < 0 ? LastWrites::kNever : writes_.Before(base, before);
    if (write <= best_write) continue;
    best = base;
    best_write = write;
  }
  return best < 0 || IsTold(part, best) ? best : ToldAtPlace(part, best, before).value_or(best);
}

// A name of the bytes with other sizes, whose slice the literals tell: an et_view may be younger
// than the value that was sliced. Of several the one that was written last before that
// instruction.
std::optional<int32_t> SliceBases::ToldAtPlace(int32_t part, int32_t base, int32_t before) {
  std::optional<int32_t> told;
  for (int32_t u = base; u-- > 0 && work_.Spend(1);) {
    if (PlaceOf(u) != PlaceOf(base)) continue;
    const std::optional<SliceForm> form = SliceFormOf(method_, part, u);
    if (!form.has_value() || !LiteralsTell(method_, part, u, *form)) continue;
    if (!told || writes_.Before(u, before) > writes_.Before(*told, before)) told = u;
  }
  return told;
}

// The value itself, or if nothing made it, the one that was made last in its place; -1: none.
int32_t SliceBases::MadeAt(int32_t v, int32_t before) {
  if (writes_.Before(v, before) != LastWrites::kNever) return v;
  int32_t last = -1;
  const auto members = classes_.Of(v);
  if (!work_.Spend(members.size())) return last;
  for (const int32_t u : members) {
    const int32_t write = writes_.Before(u, before);
    if (write != LastWrites::kNever && (last < 0 || write > writes_.Before(last, before))) last = u;
  }
  return last;
}

bool SliceBases::IsTold(int32_t part, int32_t base) {
  for (int32_t u = part; u-- > base && work_.Spend(1);) {
    if (PlaceOf(u).empty() || !PlaceOf(u).Holds(PlaceOf(part))) continue;
    const std::optional<SliceForm> form = SliceFormOf(method_, part, u);
    if (!form.has_value() || !LiteralsTell(method_, part, u, *form)) continue;
    if (u == base) return true;
    if (roles_.usage[static_cast<size_t>(u)].first_write >= 0) continue;
    if (PlaceOf(u) == PlaceOf(base) || (!roles_.HoldsSomething(u) && IsTold(u, base))) return true;
  }
  return false;
}

}  // namespace pteproof::meaning
