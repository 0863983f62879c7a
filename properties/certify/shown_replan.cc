#include "properties/certify/shown_replan.h"

#include <algorithm>
#include <optional>
#include <utility>

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
  bool early_stores = false;
  std::vector<planner::BankOf> keep;
  bool drop_copies = false;

  [[nodiscard]] bool spreads() const { return move_state || reorder || drop_copies; }
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
  const compare::ComparedSide& source = given.side;
  Planned planned;
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

// With stores where they may come, and buffers moved if that is asked for: `planned` is made so.
ShownReplan InTheGivenOrder(MeantSource& given, const ShownReplanOptions& options, Freedom freedom,
                            Planned planned) {
  ShownReplan shown = Show(given, options, std::move(planned));
  if (freedom.move_state && !Holds(shown)) {
    freedom.move_state = false;
    shown = Show(given, options, PlanWith(given, options, freedom));
  }
  while (shown.unwritable.empty()) {
    if (const auto keep = freedom.move_state ? std::nullopt : BankToKeep(shown)) {
      freedom.keep.push_back(*keep);
    } else if (!shown.certificate.holds() && !shown.replanned.now_at.empty()) {
      freedom.early_stores = false;
      freedom.keep = options.plan.keep;
    } else {
      return shown;
    }
    shown = Show(given, options, PlanWith(given, options, freedom));
  }
  return shown;
}

// In less memory, or with fewer copies in as much.
bool IsBetter(const planner::Replanned& one, const planner::Replanned& other) {
  const auto dropped = [](const planner::Replanned& replanned) {
    size_t count = 0;
    for (const auto& method : replanned.dropped) count += method.size();
    return count;
  };
  const uint64_t bytes = BytesOf(one);
  return bytes < BytesOf(other) || (bytes == BytesOf(other) && dropped(one) > dropped(other));
}

// Of plans with more freedom than the given order, those with most first.
std::vector<Freedom> MoreThan(const Freedom& in_order, const compare::ComparedSide& source,
                              const ShownReplanOptions& options) {
  std::vector<Freedom> more;
  Freedom freedom = in_order;
  freedom.reorder = options.reorder;
  if (options.plan.in_place && planner::MayDropCopies(*source.program)) {
    freedom.drop_copies = true;
    more.push_back(freedom);
    freedom.drop_copies = false;
  }
  if (options.reorder) more.push_back(freedom);
  return more;
}

}  // namespace

// Planning costs less than showing, so that a plan is shown only if no better one can be.
ShownReplan ReplanShown(const compare::ComparedSide& source, const ShownReplanOptions& options) {
  MeantSource given = {source, meaning::MeaningOf(*source.program, source.manifest), {}, {}};
  given.webs = planner::WebsOf(given.meant, *source.program);
  const Freedom in_order = {options.move_state, false, options.plan.in_place, options.plan.keep};
  Planned first = PlanWith(given, options, in_order);
  const uint64_t least = BytesOf(first.shown.replanned);
  std::optional<Planned> other;  // is not better, if the first one can be shown
  for (const Freedom& freedom : MoreThan(in_order, source, options)) {
    Planned planned = PlanWith(given, options, freedom);
    if (!IsBetter(planned.shown.replanned, first.shown.replanned)) {
      other = std::move(planned);
      break;
    }
    ShownReplan shown = Show(given, options, std::move(planned));
    if (Holds(shown)) return shown;
  }
  ShownReplan best = InTheGivenOrder(given, options, in_order, std::move(first));
  const bool is_as_planned = Holds(best) && BytesOf(best.replanned) == least;
  if (is_as_planned || !other) return best;
  if (Holds(best) && !IsBetter(other->shown.replanned, best.replanned)) return best;
  ShownReplan shown = Show(given, options, *std::move(other));
  return Holds(shown) ? shown : best;
}

}  // namespace pteproof::certify
