// Idea. Planning costs less than showing. So plans with all the freedom that is asked for are made
// first, and shown right from the best one on. One that cannot be shown is followed by those with a
// little less freedom.
//
// Invariant: a plan with less freedom, of a program that is as spread out, is never smaller
// (planner/replan/forms.h). So the first plan that holds is the best of all that would, and what
// more flags ask for is no larger than what a part of them does. Cost: three plans, and in most
// cases one certificate.
#include "properties/certify/shown_replan.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/stop.h"
#include "meaning/program_meaning.h"
#include "planner/lift/webs.h"
#include "planner/repair/spread.h"
#include "planner/replan/dropped_copies.h"
#include "planner/replan/forms.h"
#include "planner/replan/new_numbers.h"
#include "pteproof/read.h"
#include "pteproof/write.h"
#include "runtime/same_program.h"

namespace pteproof::certify {
namespace {

struct Freedom {
  bool move_state = false;
  bool reorder = false;
  bool in_place = false;      // results over operands
  bool early_stores = false;  // and updates in place
  bool drop_copies = false;
  std::vector<planner::BankOf> keep = {};

  [[nodiscard]] bool spreads() const { return move_state || reorder || drop_copies; }
  bool operator==(const Freedom&) const = default;
};

// The old program with its meaning, which no new plan changes, and with what was shown of it.
struct MeantSource {
  compare::ComparedSide side;
  meaning::ProgramMeaning meant;
  std::vector<planner::MethodWebs> webs;
  OldAnswers answers;
};

// A new plan, not yet shown right.
struct Planned {
  Freedom freedom;
  ShownReplan shown;
  std::vector<std::vector<int32_t>> nameless;
};

// In a plan whose outputs have to last longer than ExecuTorch promises.
std::optional<std::string> OutputCutShortIn(const planner::Replanned& replanned,
                                            const planner::ReplanOptions& options) {
  if (options.outputs == planner::OutputsLast::kNextCall) return std::nullopt;
  std::optional<Manifest> manifest;
  if (options.manifest != nullptr) {
    manifest = planner::WithNewNumbers(*options.manifest, replanned.program, replanned.values_at);
  }
  const auto webs = planner::WebsOf(replanned.program, manifest ? &*manifest : nullptr);
  auto cut_short = planner::OutputCutShort(replanned.program, webs, options.outputs);
  if (cut_short) *cut_short += ", and no plan of these banks keeps it longer (--outputs)";
  return cut_short;
}

Planned PlanWith(const MeantSource& given, const ShownReplanOptions& options,
                 const Freedom& freedom) {
  EndIfStopped();
  const compare::ComparedSide& source = given.side;
  Planned planned = {freedom, {}, {}};
  ShownReplan& shown = planned.shown;
  std::optional<planner::ChangedBanks> changed;
  if (options.bank)
    changed = planner::ChangeBank(*source.program, given.webs, *options.bank,
                                  planner::KeepsOutputs(options.plan));
  if (changed && !changed->failure.empty()) {
    shown.unwritable = std::move(changed->failure);
    return planned;
  }
  const Program& start = changed ? changed->program : *source.program;
  std::optional<planner::Spread> spread;
  if (freedom.spreads()) {
    spread = planner::SpreadOut(start, given.meant, freedom.move_state);
  }
  if (spread && !spread->failure.empty()) {
    shown.unwritable = std::move(spread->failure);
    return planned;
  }
  planner::ReplanOptions packing = options.plan;
  packing.keep = freedom.keep;
  packing.manifest = source.manifest;
  packing.spread = spread.has_value();
  packing.in_place = freedom.in_place;
  packing.reorder = freedom.reorder;
  packing.drop_copies = freedom.drop_copies;
  if (spread && !changed) packing.offsets_of = source.program;
  const Program& program = spread ? spread->program : start;
  std::vector<planner::MethodWebs> moved;  // of a plan in between
  if (changed || spread) moved = planner::WebsOf(given.meant, program);
  const auto& webs = changed || spread ? moved : given.webs;
  shown.replanned = freedom.early_stores || freedom.reorder
                        ? planner::MoveStoresAndPlaces(program, webs, packing)
                        : planner::MovePlaces(program, webs, packing);
  planner::SetSizesBefore(*source.program, shown.replanned);
  if (spread) planned.nameless = std::move(spread->nameless);
  if (auto cut_short = OutputCutShortIn(shown.replanned, packing)) {
    shown.unwritable = *std::move(cut_short);
  }
  return planned;
}

ShownReplan Show(MeantSource& given, const ShownReplanOptions& options, Planned planned) {
  const compare::ComparedSide& source = given.side;
  ShownReplan shown = std::move(planned.shown);
  if (!shown.unwritable.empty()) return shown;
  auto bytes = WriteProgram(shown.replanned.program);
  if (!bytes.ok()) {
    shown.unwritable = bytes.error();
    return shown;
  }
  shown.bytes = std::move(bytes).value();
  const auto back = ReadProgram(shown.bytes);
  shown.certificate.failure = back.ok() ? ProgramDifference(back.value(), shown.replanned.program)
                                        : std::string("the new file cannot be read");
  if (!shown.certificate.failure.empty()) return shown;
  CertifyOptions certify = options.certify;
  certify.old_answers = &given.answers;
  certify.now_at = shown.replanned.now_at;
  certify.values_at = shown.replanned.values_at;
  certify.updates = shown.replanned.updates;
  certify.dropped = shown.replanned.dropped;
  certify.bank = options.bank;
  certify.outputs = options.plan.outputs;
  certify.nameless = std::move(planned.nameless);
  compare::ComparedSide after = source;
  after.program = &shown.replanned.program;
  if (source.manifest != nullptr && !shown.replanned.values_at.empty()) {
    shown.manifest =
        planner::WithNewNumbers(*source.manifest, *source.program, shown.replanned.values_at);
    after.manifest = &*shown.manifest;
  }
  shown.certificate = Certify(source, after, certify);
  return shown;
}

// The bank that a new finding is about: that of its method, or of another method, whose writes may
// be the reason; any, if there is no such one. Nothing: no bank is left to keep. An error may be
// one of reading alone: two values that come to one place can look like names of each other.
std::optional<planner::BankOf> BankToKeep(const ShownReplan& attempt) {
  const auto& added = attempt.certificate.added;
  if (!added) return std::nullopt;
  const planner::ReplannedBank* best = nullptr;
  int best_fit = -1;
  for (const planner::ReplannedBank& bank : attempt.replanned.banks) {
    if (bank.after == bank.before) continue;
    const int fit = (bank.method == added->method ? 2 : 0) + (bank.bank == added->bank ? 1 : 0);
    if (fit > best_fit) best = &bank;
    best_fit = std::max(best_fit, fit);
  }
  if (best == nullptr) return std::nullopt;
  return planner::BankOf{best->method, best->bank};
}

bool Holds(const ShownReplan& shown) {
  return shown.unwritable.empty() && shown.certificate.holds();
}

uint64_t BytesOf(const planner::Replanned& replanned) {
  uint64_t bytes = 0;
  for (const planner::ReplannedBank& bank : replanned.banks) bytes += bank.after;
  return bytes;
}

// In less memory, or with fewer copies in as much.
bool IsBetter(const planner::Replanned& one, const planner::Replanned& other) {
  const auto copies_gone = [](const planner::Replanned& replanned) {
    size_t count = 0;
    for (const auto& method : replanned.dropped) count += method.size();
    for (const auto& method : replanned.updates) count += method.size();
    return count;
  };
  const uint64_t bytes = BytesOf(one);
  return bytes < BytesOf(other) ||
         (bytes == BytesOf(other) && copies_gone(one) > copies_gone(other));
}

// Everything that is asked for, in the given order, in another order, and with buffers moved: none
// of them has all plans of another one.
std::vector<Freedom> MostFreedoms(const Program& program, const ShownReplanOptions& options) {
  const bool in_place = options.plan.in_place;
  Freedom freedom = {.in_place = in_place, .early_stores = in_place, .keep = options.plan.keep};
  std::vector<Freedom> freedoms = {freedom};
  freedom.reorder = options.reorder;
  freedom.drop_copies = in_place && planner::MayDropCopies(program);
  if (freedom.spreads()) freedoms.push_back(freedom);
  freedom.move_state = options.move_state;
  if (freedom.move_state) freedoms.push_back(freedom);
  return freedoms;
}

// What comes after a plan that is not shown right. In the given order a plan fails for a bank, or
// for early stores; another failure is a mistake, which has to be told.
std::vector<Freedom> LessThan(const Freedom& freedom, const ShownReplan& shown,
                              const ShownReplanOptions& options) {
  std::vector<Freedom> less;
  const auto add_without = [&](bool Freedom::* what) {
    Freedom next = freedom;
    if (!(next.*what)) return;
    next.*what = false;
    next.early_stores = next.early_stores && next.in_place;
    next.drop_copies = next.drop_copies && next.in_place;
    next.keep = options.plan.keep;
    less.push_back(std::move(next));
  };
  if (freedom.spreads()) {
    for (const auto what : {&Freedom::reorder, &Freedom::drop_copies, &Freedom::in_place}) {
      add_without(what);
    }
    std::erase_if(less, [](const Freedom& each) { return !each.spreads(); });
    return less;
  }
  const auto keep = BankToKeep(shown);
  const bool has_moved = !shown.replanned.now_at.empty();
  if (has_moved || keep) add_without(has_moved ? &Freedom::early_stores : &Freedom::in_place);
  if (!keep) return less;
  less.push_back(freedom);
  less.back().keep.push_back(*keep);
  return less;
}

// The best one; or after an open question one in the given order, which asks it with the least
// work.
Planned TakeNext(std::vector<Planned>& waiting, bool is_open) {
  auto next = waiting.begin();
  for (auto each = next; each != waiting.end(); ++each) {
    if (IsBetter(each->shown.replanned, next->shown.replanned)) next = each;
  }
  const auto in_order =
      std::ranges::find(waiting, false, [](const Planned& each) { return each.freedom.spreads(); });
  if (is_open && in_order != waiting.end()) next = in_order;
  Planned taken = std::move(*next);
  waiting.erase(next);
  return taken;
}

}  // namespace

ShownReplan ReplanShown(const compare::ComparedSide& source, const ShownReplanOptions& options) {
  MeantSource given = {source, meaning::MeaningOf(*source.program, source.manifest), {}, {}};
  given.webs = planner::WebsOf(given.meant, *source.program);
  std::vector<Planned> waiting;
  std::vector<Freedom> seen;
  const auto plan_all = [&](const std::vector<Freedom>& freedoms) {
    for (const Freedom& freedom : freedoms) {
      if (std::ranges::find(seen, freedom) != seen.end()) continue;
      seen.push_back(freedom);
      waiting.push_back(PlanWith(given, options, freedom));
    }
  };
  plan_all(MostFreedoms(*source.program, options));
  bool is_open = false;
  ShownReplan failed;  // in the given order
  std::optional<ShownReplan> held;
  while (!waiting.empty()) {
    Planned planned = TakeNext(waiting, is_open);
    if (held && !IsBetter(planned.shown.replanned, held->replanned)) continue;
    const Freedom freedom = planned.freedom;
    ShownReplan shown = Show(given, options, std::move(planned));
    if (Holds(shown)) {
      held = std::move(shown);
      continue;
    }
    const std::vector<Freedom> less = LessThan(freedom, shown, options);
    plan_all(less);
    is_open = is_open || shown.certificate.open;
    if (freedom.spreads()) continue;
    failed = std::move(shown);
    if (failed.certificate.open && less.empty()) break;  // it is open of every plan
  }
  return held ? *std::move(held) : failed;
}

}  // namespace pteproof::certify
