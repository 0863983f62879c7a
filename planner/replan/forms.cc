#include "planner/replan/forms.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "planner/replan/dropped_copies.h"
#include "planner/replan/early_stores.h"
#include "planner/replan/fixed_bytes.h"
#include "planner/replan/new_numbers.h"
#include "planner/replan/order.h"
#include "planner/replan/updates_in_place.h"

namespace pteproof::planner {
namespace {

// The program with the plan of the old one, and as right.
struct Form {
  Program program;
  std::vector<MethodWebs> webs;
  // By method; empty for a method that is as it was.
  std::vector<std::vector<int32_t>> now_at;
  std::vector<std::vector<UpdateInPlace>> updates = {};  // or none at all
  std::vector<std::vector<int32_t>> dropped = {};        // or none at all
  std::vector<std::vector<int32_t>> values_at = {};      // or none at all
};

template <class T>
std::vector<T> OfMethod(const std::vector<std::vector<T>>& all, size_t m) {
  return all.empty() ? std::vector<T>() : all[m];
}

// Where instructions are after two changes.
std::vector<std::vector<int32_t>> Followed(std::vector<std::vector<int32_t>> first,
                                           const std::vector<std::vector<int32_t>>& second) {
  for (size_t m = 0; m < first.size(); ++m) {
    if (second[m].empty()) continue;
    if (first[m].empty()) {
      first[m] = second[m];
      continue;
    }
    for (int32_t& at : first[m]) at = at < 0 ? at : second[m][IndexOf(at)];
  }
  return first;
}

// The values that the manifest names under their new numbers.
std::optional<Manifest> Renumbered(const Manifest* manifest, const Program& program,
                                   const std::vector<std::vector<int32_t>>& values_at) {
  if (manifest == nullptr) return std::nullopt;
  return WithNewNumbers(*manifest, program, values_at);
}

// In the order that takes the fewest bytes; nothing: it is in that order.
std::optional<Form> InBestOrder(const Form& form, std::span<const std::vector<BankBytes>> kept,
                                const ReplanOptions& options) {
  Reordered reordered = ReorderedOf(form.program, options.manifest, form.webs, kept);
  if (!reordered.moves()) return std::nullopt;
  const auto manifest = Renumbered(options.manifest, form.program, reordered.values_at);
  auto webs = WebsOf(reordered.program, manifest ? &*manifest : nullptr);
  return Form{std::move(reordered.program),
              std::move(webs),
              Followed(form.now_at, reordered.now_at),
              form.updates,
              form.dropped,
              std::move(reordered.values_at)};
}

// With what only copies bytes dropped; nothing: there is no such call.
std::optional<Form> WithoutCopies(const Program& program, const ReplanOptions& options) {
  if (!options.drop_copies) return std::nullopt;
  DroppedCopies made = DropCopies(program, options.manifest);
  if (!made.changes()) return std::nullopt;
  auto webs = WebsOf(made.program, options.manifest);
  return Form{std::move(made.program),
              std::move(webs),
              std::move(made.now_at),
              {},
              std::move(made.dropped)};
}

// With updates in place, told by the instructions of the first program; nothing: there is none.
std::optional<Form> WithUpdates(const Form& form, const ReplanOptions& options) {
  if (!options.in_place) return std::nullopt;
  UpdatedInPlace made =
      UpdateInPlaces(form.program, form.webs, {options.operators, options.manifest});
  if (!made.changes()) return std::nullopt;
  for (size_t m = 0; m < made.updates.size(); ++m) {
    const std::vector<int32_t>& now_at = form.now_at[m];
    const auto first_of = [&](int32_t i) {
      const auto old = std::ranges::find(now_at, i);
      return now_at.empty() ? i : static_cast<int32_t>(old - now_at.begin());
    };
    for (UpdateInPlace& each : made.updates[m]) {
      each = {first_of(each.update), first_of(each.store)};
    }
  }
  auto webs = WebsOf(made.program, options.manifest);
  return Form{std::move(made.program), std::move(webs), Followed(form.now_at, made.now_at),
              std::move(made.updates), form.dropped};
}

// Those that differ from the program itself. More freedom gives more of them, and takes none away,
// so that no plan is larger for it: a dropped copy, say, may keep a large operand alive.
std::vector<Form> OtherForms(const Program& program, std::span<const MethodWebs> webs,
                             std::span<const std::vector<BankBytes>> kept,
                             const ReplanOptions& options) {
  std::vector<Form> forms;
  const auto add_orders = [&](const Form& form) {
    if (options.reorder) {
      if (auto ordered = InBestOrder(form, kept, options)) forms.push_back(*std::move(ordered));
      if (!options.in_place) return;
    }
    if (EarlyStores early = StoreEarly(form.program, form.webs); early.moves()) {
      auto its_webs = WebsOf(early.program, options.manifest);
      forms.push_back({std::move(early.program), std::move(its_webs),
                       Followed(form.now_at, early.now_at), form.updates, form.dropped});
    }
  };
  const auto add_updates = [&](const Form& form) {
    if (auto updated = WithUpdates(form, options)) {
      add_orders(*updated);
      forms.push_back(*std::move(updated));
    }
  };
  const std::vector<std::vector<int32_t>> as_it_was(program.methods.size());
  const Form form = {program, {webs.begin(), webs.end()}, as_it_was};
  add_orders(form);
  add_updates(form);
  if (const auto without = WithoutCopies(program, options)) {
    forms.push_back(*without);
    add_orders(*without);
    add_updates(*without);
  }
  return forms;
}

// Calls that copy, and are gone.
size_t CopiesGone(const std::vector<UpdateInPlace>& updates, const std::vector<int32_t>& dropped) {
  return updates.size() + dropped.size();
}

std::vector<std::string> OperatorsAdded(const Program& before, const Program& after) {
  const auto names_in = [](const Program& program) {
    std::set<std::string> names;
    for (const Method& method : program.methods) {
      for (const Operator& op : method.operators) names.insert(op.name);
    }
    return names;
  };
  std::vector<std::string> added;
  std::ranges::set_difference(names_in(after), names_in(before), std::back_inserter(added));
  return added;
}

}  // namespace

Replanned MoveStoresAndPlaces(const Program& program, const ReplanOptions& options) {
  return MoveStoresAndPlaces(program, WebsOf(program, options.manifest), options);
}

Replanned MoveStoresAndPlaces(const Program& program, std::span<const MethodWebs> webs,
                              const ReplanOptions& options) {
  const auto kept = KeptBytesOf(program, webs, KeepsOutputs(options));
  const std::vector<Form> forms = OtherForms(program, webs, kept, options);
  Replanned replanned = {.program = program, .banks = {}};
  replanned.now_at.resize(program.methods.size());
  replanned.updates.resize(program.methods.size());
  replanned.dropped.resize(program.methods.size());
  replanned.values_at.resize(program.methods.size());
  for (size_t m = 0; m < program.methods.size(); ++m) {
    PlannedMethod best = PlaceMethod(program, webs, kept, m, options);
    for (const Form& form : forms) {
      if (form.now_at[m].empty()) continue;
      PlannedMethod other = PlaceMethod(form.program, form.webs, kept, m, options);
      std::vector<UpdateInPlace> updates = OfMethod(form.updates, m);
      std::vector<int32_t> dropped = OfMethod(form.dropped, m);
      const bool copies_less =
          CopiesGone(updates, dropped) > CopiesGone(replanned.updates[m], replanned.dropped[m]);
      if (other.bytes() >= best.bytes() + (copies_less ? 1 : 0)) continue;
      best = std::move(other);
      replanned.now_at[m] = form.now_at[m];
      replanned.updates[m] = std::move(updates);
      replanned.dropped[m] = std::move(dropped);
      replanned.values_at[m] = OfMethod(form.values_at, m);
    }
    replanned.program.methods[m] = std::move(best.method);
    std::ranges::move(best.banks, std::back_inserter(replanned.banks));
  }
  const auto is_empty = [](const auto& of_method) { return of_method.empty(); };
  if (std::ranges::all_of(replanned.now_at, is_empty)) replanned.now_at.clear();
  if (std::ranges::all_of(replanned.updates, is_empty)) replanned.updates.clear();
  if (std::ranges::all_of(replanned.dropped, is_empty)) replanned.dropped.clear();
  if (std::ranges::all_of(replanned.values_at, is_empty)) replanned.values_at.clear();
  replanned.operators_added = OperatorsAdded(program, replanned.program);
  return replanned;
}

}  // namespace pteproof::planner
