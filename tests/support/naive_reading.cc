#include "tests/support/naive_reading.h"

#include <algorithm>
#include <span>
#include <tuple>

#include "reference/op_schema.h"
#include "runtime/literal_bools.h"
#include "runtime/placed_outs.h"
#include "runtime/slice_form.h"

namespace pteproof::naive {
namespace {

bool Has(const std::vector<int32_t>& values, int32_t v) {
  return std::ranges::find(values, v) != values.end();
}

void Append(std::vector<int32_t>& values, const std::vector<int32_t>& more) {
  values.insert(values.end(), more.begin(), more.end());
}

std::vector<int32_t> TensorsIn(const Method& method, int32_t v) {
  const Value& value = method.values[static_cast<size_t>(v)];
  if (value.kind == ValueKind::kTensor) return {v};
  std::vector<int32_t> tensors;
  if (!IsTensorLike(value.kind)) return tensors;
  std::ranges::copy_if(method.Ints(value.items), std::back_inserter(tensors),
                       [](int32_t item) { return item >= 0; });
  return tensors;
}

// ---- What each instruction uses, makes and names. ----

void ListReturns(const Method& method, const OpSchema& schema, std::span<const int32_t> args,
                 Step& step) {
  if (schema.returns != ReturnSlot::kWritten && schema.returns != ReturnSlot::kWrittenList) return;
  const std::vector<int32_t> slots = TensorsIn(method, args.back());
  std::vector<int32_t> written;
  for (size_t a = 0; a < schema.args.size(); ++a) {
    const bool names = schema.args[a].returned && !schema.args[a].out;
    if (names) Append(written, TensorsIn(method, args[a]));
  }
  for (size_t k = 0; k < std::min(slots.size(), written.size()); ++k) {
    if (slots[k] != written[k]) step.namings.push_back({slots[k], {written[k]}, true, false});
  }
}

void ListCall(const OpSchema& schema, std::span<const int32_t> args, Listing& listing, Step& step) {
  const Method& method = *listing.method;
  std::vector<int32_t> unchanged;
  for (const PlacedOut& placed : PlacedOuts(method).UnchangedBy(schema, args)) {
    unchanged.push_back(placed.out);
    Append(step.uses, placed.operands);
    if (placed.fit == PlacedFit::kFits) {
      step.namings.push_back({placed.out, placed.operands, false, true});
    } else {
      listing.untold.insert(placed.out);
    }
  }
  for (size_t a = 0; a < schema.args.size(); ++a) {
    const ArgSchema& arg = schema.args[a];
    for (const int32_t v : TensorsIn(method, args[a])) {
      if (arg.access == Access::kRead || arg.access == Access::kUpdate) step.uses.push_back(v);
      if (arg.access == Access::kNone && arg.out && arg.set == '\0') listing.untold.insert(v);
      if (arg.access == Access::kRead || arg.access == Access::kNone) continue;
      if (arg.out && Has(unchanged, v)) continue;
      step.makes.push_back(v);
      if (arg.out || arg.access == Access::kFill) step.outs.push_back(v);
    }
  }
  if (schema.is_view) {
    step.uses.push_back(args[schema.viewed]);
    step.namings.push_back({args.back(), {args[schema.viewed]}, false, false});
  }
  ListReturns(method, schema, args, step);
}

void ListMove(const Instruction& move, Listing& listing, Step& step) {
  const std::vector<int32_t> from = TensorsIn(*listing.method, move.target);
  const std::vector<int32_t> to = TensorsIn(*listing.method, move.other);
  if (from == std::vector{move.target} && to == std::vector{move.other}) {
    step.uses = from;
    step.namings.push_back({move.other, from, false, false});
  } else if (!from.empty() || !to.empty()) {
    listing.left_out = "move of a list";
  }
}

void ListInstruction(int32_t i, Listing& listing) {
  const Method& method = *listing.method;
  const Instruction& instruction = method.instructions[static_cast<size_t>(i)];
  Step& step = listing.steps[static_cast<size_t>(i)];
  const auto args = method.Ints(instruction.args);
  const bool is_move = instruction.kind == InstructionKind::kMove;
  step.highest = !args.empty() ? std::ranges::max(args)
                 : is_move     ? std::max(instruction.target, instruction.other)
                               : instruction.target;
  step.next = {i + 1};
  if (instruction.kind == InstructionKind::kDelegateCall) listing.left_out = "delegate";
  if (is_move) ListMove(instruction, listing, step);
  if (instruction.kind == InstructionKind::kKernelCall) {
    const OpSchema* schema = method.operators[static_cast<size_t>(instruction.target)].schema;
    if (schema == nullptr || args.size() != schema->ArgumentCount()) {
      listing.left_out = "unknown operator";
    } else {
      ListCall(*schema, args, listing, step);
    }
  }
  if (instruction.kind != InstructionKind::kJumpFalse) return;
  step.uses = TensorsIn(method, instruction.target);
  const bool is_literal = LiteralBoolsOf(method)[static_cast<size_t>(instruction.target)];
  const bool value = method.values[static_cast<size_t>(instruction.target)].integer != 0;
  if (is_literal && !value) step.next.clear();
  if (!is_literal || !value) step.next.push_back(instruction.other);
}

// The instructions that come last, of those that make something, on the paths to each instruction
// and to the end. `forward`: on paths that never go back in the listing.
template <class Makes>
std::vector<Makers> LastMakers(const Listing& listing, bool forward, Makes makes) {
  std::vector<Makers> before(listing.steps.size() + 1);
  before.front().insert(kEntry);
  for (bool grew = true; grew;) {
    grew = false;
    for (size_t i = 0; i < listing.steps.size(); ++i) {
      if (before[i].empty()) continue;
      const auto at = static_cast<int32_t>(i);
      const Makers after = makes(at) ? Makers{at} : before[i];
      for (const int32_t next : listing.steps[i].next) {
        if (forward && next <= at) continue;
        Makers& there = before[static_cast<size_t>(next)];
        const size_t size = there.size();
        there.insert(after.begin(), after.end());
        grew = grew || there.size() > size;
      }
    }
  }
  return before;
}

// ---- The reading. ----

class Reader {
 public:
  Reader(Listing& listing, bool numbers_tell) : listing_(listing), numbers_tell_(numbers_tell) {}

  Reading Run() {
    for (int32_t v = 0; v < static_cast<int32_t>(method_.values.size()); ++v) {
      const Tensor* t = method_.TensorOf(v);
      if (t != nullptr && t->planned && t->nbytes > 0) values_.push_back(v);
    }
    for (const int32_t v : values_) {
      if (IsBuffer(v)) buffers_.insert(v);
    }
    for (const int32_t v : values_) {
      if (Has(method_.inputs, v) || listing_.untold.contains(v) || !IsName(v)) continue;
      for (const Candidate& c : reading_[v] = CandidatesOf(v)) {
        for (const int32_t of : c.of) times_[v].merge(TimesOf(of, c.birth));
      }
      if (guessed_.contains(v)) times_[v].insert(kEntry);
    }
    if (!numbers_tell_) ReadWithGuesses();
    return reading_;
  }

 private:
  // Without the numbers, what nothing explains may be of other such values, or come to be apart on
  // each path.
  void ReadWithGuesses() {
    const std::set<int32_t> buffers = buffers_;
    for (const int32_t v : std::set<int32_t>(guessed_)) {
      buffers_ = buffers;
      std::ranges::copy_if(guessed_, std::inserter(buffers_, buffers_.end()),
                           [v](int32_t b) { return b != v; });
      for (const int32_t use : BareUses(v)) {
        const auto more = CandidatesByPlace(v, BirthsOf(v, {use}));
        reading_[v].insert(reading_[v].end(), more.begin(), more.end());
      }
    }
  }

  // A row of values, or the one that the value is a slice of.
  struct Fit {
    Kind kind = Kind::kRow;
    std::vector<int32_t> of;
    bool is_told = false;  // a slice, by the literals that it left behind
    Makers times = {};     // when its bytes were made
  };

  [[nodiscard]] const Tensor& At(int32_t v) const { return *method_.TensorOf(v); }
  [[nodiscard]] const Step& StepAt(int32_t i) const {
    return listing_.steps[static_cast<size_t>(i)];
  }
  [[nodiscard]] bool AreAtOnePlace(int32_t a, int32_t b) const {
    const auto place = [](const Tensor& t) {
      return std::tuple(t.bank, t.offset, t.nbytes, t.dtype);
    };
    return place(At(a)) == place(At(b));
  }
  [[nodiscard]] bool IsUsedAt(int32_t v, int32_t i) const {
    return Has(i == end_ ? method_.outputs : StepAt(i).uses, v);
  }

  // The first use in the listing; past the end: none.
  [[nodiscard]] int32_t FirstUse(int32_t v) const {
    int32_t i = 0;
    while (i <= end_ && !IsUsedAt(v, i)) ++i;
    return i;
  }

  // It is used, and no instruction that stands before that in the listing makes it.
  [[nodiscard]] bool IsName(int32_t v) const {
    const int32_t use = FirstUse(v);
    if (use > end_) return false;
    return std::none_of(listing_.steps.begin(), listing_.steps.begin() + use,
                        [v](const Step& step) { return IsMadeBy(step, v); });
  }

  // The values with its fully qualified name, or its stored initial value, from its first byte on.
  [[nodiscard]] std::vector<int32_t> Namesakes(int32_t v) const {
    const auto key = [&](int32_t b) {
      const bool is_named = !method_.NameOf(b).empty();
      return std::tuple(At(b).bank, At(b).offset, method_.NameOf(b),
                        is_named ? 0 : At(b).data_index, is_named ? 0 : At(b).nbytes);
    };
    std::vector<int32_t> same;
    if (method_.NameOf(v).empty() && At(v).data_index == 0) return same;
    std::ranges::copy_if(values_, std::back_inserter(same),
                         [&](int32_t b) { return !Has(method_.inputs, b) && key(b) == key(v); });
    return same;
  }

  // Whether only stores deal with it, as with a buffer that the method does not read.
  [[nodiscard]] bool IsOnlyStoredTo(int32_t v) const {
    bool is_stored = false;
    for (const Step& step : listing_.steps) {
      if (NamingOf(step, v) != nullptr || Has(step.outs, v)) return false;
      is_stored = is_stored || Has(step.makes, v);
    }
    return is_stored && FirstUse(v) > end_;
  }

  // Whether it is there when a call begins, as far as that is known without a look at other bytes.
  [[nodiscard]] bool IsBuffer(int32_t v) const {
    if (Has(method_.inputs, v)) return false;
    const std::vector<int32_t> same = Namesakes(v);
    if (!same.empty()) return !numbers_tell_ || same.front() == v;
    const bool is_first = numbers_tell_ && !method_.inputs.empty() && v < method_.inputs.front();
    return (is_first && IsName(v)) || IsOnlyStoredTo(v);
  }

  [[nodiscard]] bool IsThere(int32_t v) const {
    return Has(method_.inputs, v) || buffers_.contains(v);
  }

  // Whether its number is that of a buffer, which comes before inputs and before what is made.
  [[nodiscard]] bool MayComeFirst(int32_t v) const {
    return method_.inputs.empty() && std::ranges::none_of(listing_.steps, [v](const Step& step) {
             return std::ranges::any_of(step.outs, [v](int32_t made) { return made < v; });
           });
  }

  // Of the paths to each instruction, whether they pass that one: it is the last maker of those.
  [[nodiscard]] const std::vector<Makers>& Passing(int32_t i, bool forward) {
    std::vector<Makers>& known = passing_[{i, forward}];
    if (known.empty()) known = LastMakers(listing_, forward, [i](int32_t at) { return at == i; });
    return known;
  }

  // The uses to which some path leads that does not make it.
  [[nodiscard]] std::vector<int32_t> BareUses(int32_t v) {
    std::vector<int32_t> uses;
    for (int32_t i = 0; i <= end_; ++i) {
      if (IsUsedAt(v, i) && MakersOf(listing_, v, false, i).contains(kEntry)) uses.push_back(i);
    }
    return uses;
  }

  // The instructions before which it may have come to be: those on every path to each of these
  // uses, up to the first. By the exporter's numbers it is the last of them that does not come
  // after the first mention of a later value; the younger ones are kept, for a base that is made
  // only then. None: no path comes to a use.
  [[nodiscard]] std::vector<int32_t> BirthsOf(int32_t v, const std::vector<int32_t>& uses) {
    std::vector<int32_t> births;
    for (int32_t i = 0; !uses.empty() && i <= uses.front(); ++i) {
      const auto is_passed = [&](int32_t u) {
        return u == i || !Passing(i, false)[static_cast<size_t>(u)].contains(kEntry);
      };
      if (std::ranges::all_of(uses, is_passed)) births.push_back(i);
    }
    if (!numbers_tell_ || births.empty()) return births;
    const auto mention =
        std::ranges::find_if(listing_.steps, [v](const Step& step) { return step.highest > v; });
    const auto made = static_cast<int32_t>(mention - listing_.steps.begin());
    births.erase(births.begin(), std::ranges::upper_bound(births, made) - 1);
    return births;
  }

  // Whether it is a name that came to be on some path to the instruction.
  [[nodiscard]] bool IsBorn(int32_t v, int32_t before) {
    const auto name = reading_.find(v);
    if (!numbers_tell_ || name == reading_.end() || name->second.empty()) return false;
    const int32_t birth = name->second.front().birth;
    return birth == before || Passing(birth, true)[static_cast<size_t>(before)].contains(birth);
  }

  // When its bytes got their content, as of before an instruction; kEntry too if some path leaves
  // them without one. None: nothing made them yet.
  [[nodiscard]] Makers TimesOf(int32_t v, int32_t before) {
    Makers times = MakersOf(listing_, v, true, before);
    if (!times.contains(kEntry) || IsThere(v)) return times;
    if (!IsBorn(v, before)) return times.size() == 1 ? Makers() : times;
    times.erase(kEntry);
    times.insert(times_[v].begin(), times_[v].end());
    return times;
  }

  // Whether all that it holds then lies elsewhere, as it is the name of a moved or returned value.
  [[nodiscard]] bool IsElsewhere(int32_t v, int32_t before) {
    const Makers& makers = MakersOf(listing_, v, true, before);
    return std::ranges::all_of(makers, [&](int32_t maker) {
      if (maker == kEntry) return !IsThere(v) && !reading_.contains(v);
      const Naming* naming = NamingOf(StepAt(maker), v);
      if (naming == nullptr || naming->in_place) return false;
      return !naming->after_write || !AreAtOnePlace(v, naming->of.front());
    });
  }

  [[nodiscard]] Fit FitOf(Fit fit, int32_t before) {
    for (const int32_t v : fit.of) fit.times.merge(TimesOf(v, before));
    return fit;
  }

  // Those in whose place nothing else that fits was made later, on all paths.
  [[nodiscard]] static std::vector<Fit> Latest(const std::vector<Fit>& fits) {
    const auto replaces = [](const Fit& other, const Fit& fit) {
      const bool is_guess = other.kind == Kind::kSlice && !other.is_told;
      if (fit.is_told || (is_guess && fit.kind == Kind::kRow)) return false;
      return *fit.times.rbegin() < *other.times.begin();
    };
    std::vector<Fit> latest;
    std::ranges::copy_if(fits, std::back_inserter(latest), [&](const Fit& fit) {
      return std::ranges::none_of(fits, [&](const Fit& other) { return replaces(other, fit); });
    });
    return latest;
  }

  // The older values that hold something in the bytes of `v` or around them.
  [[nodiscard]] std::vector<int32_t> Holders(int32_t v, int32_t before) {
    const Tensor& t = At(v);
    std::vector<int32_t> holders;
    for (const int32_t b : values_) {
      const bool meets = At(b).bank == t.bank && At(b).offset < t.offset + t.nbytes &&
                         t.offset < At(b).offset + At(b).nbytes && At(b).dtype == t.dtype;
      const bool is_named = buffers_.contains(b) && !method_.NameOf(b).empty();
      const bool is_older = b != v && (!numbers_tell_ || b < v || is_named);
      if (meets && is_older && !TimesOf(b, before).empty()) holders.push_back(b);
    }
    return holders;
  }

  // All ways to put the bytes from `at` on together from values in a row.
  void Tile(const Tensor& whole, uint64_t at, const std::vector<int32_t>& holders, int32_t before,
            const std::vector<int32_t>& row, std::vector<Fit>& fits) {
    constexpr size_t kMostFits = 1000;
    if (fits.size() >= kMostFits) return;
    if (at == whole.offset + whole.nbytes) {
      fits.push_back(FitOf({Kind::kRow, row}, before));
      return;
    }
    std::map<uint64_t, std::vector<Fit>> tiles;  // by size
    for (const int32_t b : holders) {
      const Tensor& t = At(b);
      if (t.offset != at || at + t.nbytes > whole.offset + whole.nbytes) continue;
      const bool is_guess = guessed_.contains(b) && !IsThere(b);
      if (t.nbytes < whole.nbytes && (t.dynamism != Dynamism::kStatic || is_guess)) continue;
      tiles[t.nbytes].push_back(FitOf({Kind::kRow, {b}}, before));
    }
    for (const auto& [size, of] : tiles) {
      for (const Fit& tile : Latest(of)) {
        std::vector<int32_t> longer = row;
        longer.push_back(tile.of.front());
        Tile(whole, at + size, holders, before, longer, fits);
      }
    }
  }

  // Whether the value cannot as well be a buffer of its own.
  [[nodiscard]] bool IsCertain(const Fit& fit, bool is_lost, int32_t v, int32_t birth,
                               int32_t last_birth) {
    if (fit.kind == Kind::kSlice) return fit.is_told;
    const bool is_returned = std::ranges::any_of(listing_.steps, [&](const Step& step) {
      return guessed_.contains(fit.of.front()) && NamingOf(step, fit.of.front()) != nullptr;
    });
    if (is_returned) return false;
    if (numbers_tell_ && !method_.inputs.empty()) return true;
    if (is_lost || MakersOf(listing_, v, false, birth) != Makers{kEntry}) return false;
    const std::vector<int32_t> holders = Holders(v, last_birth);  // is the row still whole?
    return fit.of.size() == 1 || std::ranges::none_of(holders, [&](int32_t b) {
             return !Has(fit.of, b) && *TimesOf(b, last_birth).rbegin() > *fit.times.begin();
           });
  }

  // Of a slice, the sizes of the base may be those of a view of it that nothing uses.
  [[nodiscard]] std::vector<Fit> FitsBefore(int32_t v, int32_t before) {
    const std::vector<int32_t> holders = Holders(v, before);
    std::vector<Fit> fits;
    Tile(At(v), At(v).offset, holders, before, {}, fits);
    for (const int32_t base : holders) {
      for (const int32_t shape : values_) {
        const bool is_unused = FirstUse(shape) > end_ && (!numbers_tell_ || shape < v);
        const auto form = SliceFormOf(method_, v, shape);
        if (!form || (shape != base && !(is_unused && AreAtOnePlace(shape, base)))) continue;
        const bool is_told = LiteralsTell(method_, v, shape, *form);
        fits.push_back(FitOf({Kind::kSlice, {base}, is_told}, before));
      }
    }
    return Latest(fits);
  }

  [[nodiscard]] std::vector<Candidate> CandidatesOf(int32_t v) {
    const std::vector<int32_t> births = BirthsOf(v, BareUses(v));
    std::vector<Candidate> candidates;
    if (births.empty()) return candidates;
    const std::vector<int32_t> same = Namesakes(v);
    for (const int32_t b : same) {
      if (b == v || (numbers_tell_ && b != same.front())) continue;
      const Kind kind = At(v).nbytes < At(b).nbytes ? Kind::kSlice : Kind::kRow;
      for (const int32_t birth : births) candidates.push_back({kind, {b}, birth});
    }
    if (buffers_.contains(v)) candidates.push_back({});
    if (!candidates.empty()) return candidates;
    candidates = CandidatesByPlace(v, births);
    const bool is_made =
        std::ranges::any_of(listing_.steps, [v](const Step& step) { return IsMadeBy(step, v); });
    if (is_made) {  // by some instruction after the first use: later ones may see that
      const auto more = CandidatesByPlace(v, BirthsOf(v, {BareUses(v).front()}));
      candidates.insert(candidates.end(), more.begin(), more.end());
    }
    return candidates;
  }

  [[nodiscard]] std::vector<Candidate> CandidatesByPlace(int32_t v,
                                                         const std::vector<int32_t>& births) {
    std::vector<Candidate> candidates;
    bool is_guess = true;
    for (const int32_t birth : births) {
      for (const Fit& fit : FitsBefore(v, birth)) {
        // A view may wait for its base where the numbers are late, and nothing else does.
        if (numbers_tell_ && birth != births.front() &&
            (fit.of.size() > 1 || fit.kind == Kind::kSlice))
          continue;
        const bool is_lost = fit.kind == Kind::kRow && std::ranges::any_of(fit.of, [&](int32_t b) {
                               return IsElsewhere(b, birth);
                             });
        is_guess = is_guess && !IsCertain(fit, is_lost, v, birth, births.back());
        candidates.push_back({is_lost ? Kind::kLost : fit.kind, fit.of, birth});
      }
      if (numbers_tell_ && birth == births.front() && !candidates.empty()) break;
    }
    if (!is_guess) return candidates;
    candidates.push_back({});
    guessed_.insert(v);
    for (const int32_t b : values_) {
      if (numbers_tell_ && b < v && AreAtOnePlace(b, v) && IsElsewhere(b, end_))
        candidates.push_back({Kind::kLost, {b}, births.front()});
    }
    if (numbers_tell_ && !MayComeFirst(v)) {  // the numbers cannot be the exporter's
      numbers_tell_ = false;
      for (const int32_t use : BareUses(v)) {
        const auto more = CandidatesByPlace(v, BirthsOf(v, {use}));
        candidates.insert(candidates.end(), more.begin(), more.end());
      }
      numbers_tell_ = true;
    }
    return candidates;
  }

  Listing& listing_;
  const Method& method_ = *listing_.method;
  int32_t end_ = static_cast<int32_t>(listing_.steps.size());
  bool numbers_tell_;
  std::vector<int32_t> values_;  // planned tensors that have bytes
  std::set<int32_t> buffers_;
  std::set<int32_t> guessed_;        // names that may be buffers, as nothing else is certain
  std::map<int32_t, Makers> times_;  // of names: when the bytes were made that they stand for
  Reading reading_;
  std::map<std::pair<int32_t, bool>, std::vector<Makers>> passing_;
};

}  // namespace

const Naming* NamingOf(const Step& step, int32_t v) {
  const auto of = std::ranges::find(step.namings, v, &Naming::to);
  return of == step.namings.end() ? nullptr : &*of;
}

bool IsMadeBy(const Step& step, int32_t v) {
  return Has(step.makes, v) || NamingOf(step, v) != nullptr;
}

const Makers& MakersOf(Listing& listing, int32_t v, bool forward, int32_t before) {
  const auto [found, is_new] = listing.makers.try_emplace({v, forward});
  if (is_new) {
    found->second = LastMakers(listing, forward, [&](int32_t i) {
      return IsMadeBy(listing.steps[static_cast<size_t>(i)], v);
    });
  }
  return found->second[static_cast<size_t>(before)];
}

Listing ListingOf(const Method& method) {
  Listing listing = {&method, {}, std::vector<Step>(method.instructions.size())};
  for (size_t i = 0; i < listing.steps.size(); ++i) {
    ListInstruction(static_cast<int32_t>(i), listing);
  }
  return listing;
}

Reading ReadingOf(Listing& listing, bool numbers_tell) {
  return Reader(listing, numbers_tell).Run();
}

}  // namespace pteproof::naive
