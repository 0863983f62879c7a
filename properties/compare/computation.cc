// Idea: both programs run on terms of one table (run/planned_call.h), with equal terms for inputs
// and state by name. If outputs, state at exit and the calls that count are equal terms, both
// compute the same whatever the inputs and the state are, and by induction in all sequences of
// calls.
//
//   branches        a condition is one term on both sides: both ways are followed, on both sides
//   sizes           every choice from 1 to the bounds, if there are few enough
//   unnamed state   bytes that a call reads, and nothing has written or named, count as state by
//                   their place: it must be one place in both programs, and equal at exit
//
// Invariant: "same" is given only if each pair of calls that was to be compared ended, and left
// equal terms. What a trace cannot follow gives "cannot be compared".
//
// Cost: paths x sizes x instructions, for each policy under which methods see other state.
#include "properties/compare/computation.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "base/stage.h"
#include "meaning/opaque_calls.h"
#include "properties/compare/follow_sizes.h"
#include "properties/compare/run/planned_call.h"
#include "properties/oracles/unsure_state.h"
#include "runtime/execute/written_constants.h"

namespace pteproof::compare {
namespace {

constexpr int kMostUnnamedRounds = 8;  // in which more unnamed state comes to light

// Memory that unnamed state lies in: of one method, or of all that share it.
struct UnnamedBytes {
  std::string method;  // empty: shared
  StaleBytes bytes;
  auto operator<=>(const UnnamedBytes&) const = default;
};

std::string KeyOf(const StaleBytes& bytes) {
  return fmt::format("\tbytes [{}, {}) of bank {}", bytes.first, bytes.end, bytes.bank);
}

struct MethodPair {
  size_t in_old = 0;
  size_t in_new = 0;
  bool operator==(const MethodPair&) const = default;
};

// A method that was followed, and the unnamed bytes that it turned out to read.
struct Followed {
  MethodPair pair;
  std::vector<StatePlace> old_states;
  std::vector<StatePlace> new_states;
  MethodComparison answer;
  std::set<StaleBytes> stale;
  std::set<StaleBytes> doubtful;  // of them: those of calls with a doubt about what a call reads
};

// What the policies of one comparison have in common: most terms are equal, and a method that sees
// the same state under several policies is followed once.
struct AllPolicies {
  TermTable table;
  OpaqueSplits splits;
  std::vector<Followed> followed;
};

class PolicyComparison {
 public:
  PolicyComparison(const ComparedSide& old_side, const ComparedSide& new_side,
                   const ComputationOptions& options, Policy policy, AllPolicies& common)
      : table_(common.table),
        splits_(common.splits),
        followed_(common.followed),
        old_(old_side),
        new_(new_side),
        options_(options),
        policy_(policy),
        old_known_(KnownOf(old_side)),
        new_known_(KnownOf(new_side)) {
    unsure_ = UnsureMeaning(old_, policy_, old_known_);
    if (!unsure_) unsure_ = UnsureMeaning(new_, policy_, new_known_);
  }

  std::vector<MethodComparison> Run() {
    std::vector<MethodComparison> answers;
    for (int round = 0; round < kMostUnnamedRounds; ++round) {
      const size_t known = unnamed_.size();
      const std::set<UnnamedBytes> before = unnamed_;
      answers.clear();
      const std::vector<MethodPair> pairs = Pairs();
      for (const MethodPair& pair : pairs) {
        const std::string& name = old_.program->methods[pair.in_old].name;
        TellStage(fmt::format("comparing '{}'", name), answers.size() + 1, pairs.size());
        answers.push_back(Compare(pair));
      }
      Merge();
      if (unnamed_ == before && unnamed_.size() == known) return WithWhatMethodsShare(answers);
    }
    for (MethodComparison& answer : answers) {
      if (answer.answer != Answer::kSame) continue;
      answer.answer = Answer::kOpen;
      answer.reason = "calls depend on ever more bytes of banks that have no name";
    }
    return answers;
  }

 private:
  [[nodiscard]] std::vector<MethodPair> Pairs(bool only_asked = true) const {
    std::vector<MethodPair> pairs;
    for (size_t m = 0; m < old_.program->methods.size(); ++m) {
      const std::string& name = old_.program->methods[m].name;
      const bool is_asked = options_.method.empty() || options_.method == name;
      if (only_asked && !is_asked) continue;
      const auto found = std::ranges::find(new_.program->methods, name, &Method::name);
      if (found == new_.program->methods.end()) continue;
      pairs.push_back({m, static_cast<size_t>(found - new_.program->methods.begin())});
    }
    return pairs;
  }

  [[nodiscard]] std::vector<StatePlace> States(const ComparedSide& side, size_t method) const {
    const Method& of = side.program->methods[method];
    std::vector<StatePlace> states =
        StatesOf(*side.program, method, policy_, side.manifest, side.read == ReadAs::kMeant);
    for (const UnnamedBytes& unnamed : unnamed_) {
      if (!unnamed.method.empty() && unnamed.method != of.name) continue;
      const StaleBytes& bytes = unnamed.bytes;
      states.push_back({KeyOf(bytes), bytes.bank, bytes.first, bytes.end - bytes.first});
    }
    return states;
  }

  MethodComparison Compare(const MethodPair& pair) {
    const auto old_states = States(old_, pair.in_old);
    const auto new_states = States(new_, pair.in_new);
    const auto known = std::ranges::find_if(followed_, [&](const Followed& followed) {
      return followed.pair == pair && followed.old_states == old_states &&
             followed.new_states == new_states;
    });
    const bool is_new = known == followed_.end();
    const Followed& followed =
        is_new ? followed_.emplace_back(Follow(pair, old_states, new_states)) : *known;
    const Method& method = old_.program->methods[pair.in_old];
    NoteUnnamed(followed.stale, method.name, unnamed_);
    NoteUnnamed(followed.doubtful, method.name, doubtful_);
    MethodComparison answer = followed.answer;
    NoteAssumptions(method, new_.program->methods[pair.in_new], answer);
    return answer;
  }

  Followed Follow(const MethodPair& pair, const std::vector<StatePlace>& old_states,
                  const std::vector<StatePlace>& new_states) {
    Followed followed = {pair, old_states, new_states, {}, {}, {}};
    followed.answer = Compare(pair, old_states, new_states, followed);
    return followed;
  }

  MethodComparison Compare(const MethodPair& pair, std::span<const StatePlace> old_states,
                           std::span<const StatePlace> new_states, Followed& followed) {
    const Method& old_method = old_.program->methods[pair.in_old];
    const Method& new_method = new_.program->methods[pair.in_new];
    MethodComparison answer;
    answer.method = old_method.name;
    answer.answer = Answer::kSame;
    for (auto& why :
         {unsure_, KeysDiffer(old_states, new_states), InputsDiffer(old_method, new_method)}) {
      if (!why) continue;
      Open(answer, *why);
      return answer;
    }
    if (auto buffer = StoredOtherwise(old_method, new_method)) {
      answer.answer = Answer::kDiffers;
      answer.difference = Difference{.where = fmt::format("buffer '{}' when it is loaded", *buffer),
                                     .old_side = {},
                                     .new_side = {}};
      return answer;
    }
    const SizeChoices choices = ChoicesOf(old_method, options_.most_sizes);
    PlannedMethod old_planned = PlannedOf(old_, old_known_, pair.in_old, old_states, splits_);
    PlannedMethod new_planned = PlannedOf(new_, new_known_, pair.in_new, new_states, splits_);
    new_planned.tells_splits = false;
    const auto run = [this](const PlannedMethod& planned) {
      return [this, &planned](const Assumptions& assumed) {
        return RunPlanned(table_, planned, assumed);
      };
    };
    const auto ended = [&](const Trace& a, const Trace& b) {
      for (const Trace* trace : {&a, &b}) {
        for (const StaleBytes& bytes : StaleBytesOf(table_, *trace)) {
          followed.stale.insert(bytes);
          if (trace->doubt >= 0) followed.doubtful.insert(bytes);
        }
      }
    };
    FollowSizes(table_, {run(old_planned), run(new_planned), ended}, choices, options_, answer);
    const auto doubt = std::ranges::find_if(
        answer.assumed, [](const std::string& text) { return text.starts_with(kResultsAreTold); });
    if (answer.answer != Answer::kSame || doubt == answer.assumed.end()) return answer;
    // Both must be the same as the new program tells it, too.
    OpaqueSplits told_by_new;
    old_planned.splits = new_planned.splits = &told_by_new;
    std::swap(old_planned.tells_splits, new_planned.tells_splits);
    MethodComparison other;
    other.answer = Answer::kSame;
    FollowSizes(table_, {run(new_planned), run(old_planned), {}, false, /*other_reading=*/true},
                choices, options_, other);
    if (other.answer == Answer::kSame) return answer;
    const std::string call = doubt->substr(kResultsAreTold.size() + 1);
    Open(answer, fmt::format("the files do not say which arguments of the call at instruction {} "
                             "are its results",
                             call));
    return answer;
  }

  void NoteAssumptions(const Method& old_method, const Method& new_method,
                       MethodComparison& answer) const {
    if (IsNamedByManifest(old_method, old_.manifest) ||
        IsNamedByManifest(new_method, new_.manifest)) {
      answer.assumed.insert("the manifest names the buffers that the file does not name");
    }
    for (const UnnamedBytes& unnamed : unnamed_) {
      if (!unnamed.method.empty() && unnamed.method != old_method.name) continue;
      answer.assumed.insert(
          fmt::format("{}, which have no name, are the same state in both programs",
                      KeyOf(unnamed.bytes).substr(1)));
    }
  }

  void NoteUnnamed(const std::set<StaleBytes>& stale, const std::string& method,
                   std::set<UnnamedBytes>& unnamed) const {
    for (const StaleBytes& bytes : stale) {
      const bool shared = IsShared(policy_, bytes.bank);
      unnamed.insert({shared ? std::string() : method, bytes});
    }
  }

  // Joins ranges that touch.
  void Merge() {
    std::set<UnnamedBytes> merged;
    std::optional<UnnamedBytes> last;
    for (const UnnamedBytes& next : unnamed_) {
      const bool touches = last && last->method == next.method &&
                           last->bytes.bank == next.bytes.bank &&
                           next.bytes.first <= last->bytes.end;
      if (touches) {
        last->bytes.end = std::max(last->bytes.end, next.bytes.end);
        continue;
      }
      if (last) merged.insert(*last);
      last = next;
    }
    if (last) merged.insert(*last);
    unnamed_ = std::move(merged);
  }

  // The values that a method stores to named buffers when it is loaded; those without stored data
  // store none.
  using StoredValues = std::map<std::string, std::set<ContentId>>;
  StoredValues StoredIn(const ComparedSide& side, const Method& method) {
    StoredValues stored;
    for (int32_t v = 0; v < static_cast<int32_t>(method.values.size()); ++v) {
      const std::string name = BufferName(method, v, side.manifest);
      if (name.empty()) continue;
      const Tensor& tensor = *method.TensorOf(v);
      if (tensor.data_index == 0 && !tensor.external) continue;
      stored[name].insert(StoredContent(table_, *side.program, method, tensor, side.data));
    }
    return stored;
  }

  // The first buffer that the two methods load with unlike values; nothing: there is none.
  std::optional<std::string> StoredOtherwise(const Method& old_method, const Method& new_method) {
    const StoredValues olds = StoredIn(old_, old_method);
    const StoredValues news = StoredIn(new_, new_method);
    for (const StoredValues* values : {&olds, &news}) {
      for (const auto& [name, contents] : *values) {
        const auto a = olds.find(name);
        const auto b = news.find(name);
        if (a == olds.end() || b == news.end() || a->second != b->second) return name;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] static std::optional<std::string> KeysDiffer(std::span<const StatePlace> a,
                                                             std::span<const StatePlace> b) {
    std::map<std::string, uint64_t> olds;
    std::map<std::string, uint64_t> news;
    for (const StatePlace& place : a) olds.emplace(place.key, place.nbytes);
    for (const StatePlace& place : b) news.emplace(place.key, place.nbytes);
    if (olds == news) return std::nullopt;
    return "the programs do not have the same buffers";
  }

  [[nodiscard]] static std::optional<std::string> InputsDiffer(const Method& a, const Method& b) {
    const std::string why = "the methods do not take the same inputs";
    if (a.inputs.size() != b.inputs.size()) return why;
    for (size_t n = 0; n < a.inputs.size(); ++n) {
      const Tensor* x = a.TensorOf(a.inputs[n]);
      const Tensor* y = b.TensorOf(b.inputs[n]);
      if ((x == nullptr) != (y == nullptr)) return why;
      if (x == nullptr) {
        const auto kind = [](const Method& m, size_t i) {
          return m.values[static_cast<size_t>(m.inputs[i])].kind;
        };
        if (kind(a, n) != kind(b, n)) return why;
        continue;
      }
      const bool same = x->dtype == y->dtype && x->dynamism == y->dynamism &&
                        std::ranges::equal(a.Ints(x->sizes), b.Ints(y->sizes)) &&
                        std::ranges::equal(a.Ints(x->dim_order), b.Ints(y->dim_order));
      if (!same) return why;
    }
    return std::nullopt;
  }

  // The memory of a state: its bank (of one method, unless it is shared) and offset.
  using MemoryOfState = std::tuple<size_t, uint32_t, uint64_t>;
  [[nodiscard]] MemoryOfState MemoryOf(const StatePlace& place, size_t method) const {
    const bool shared = IsShared(policy_, place.bank);
    return {shared ? SIZE_MAX : method, place.bank, place.offset};
  }

  // Buffers that some methods have in one memory in one program only: there the one sees what the
  // other stores. Each memory of the old program has to be one of the new program, and the other
  // way round.
  [[nodiscard]] std::set<std::string> SharedOtherwise() const {
    std::map<std::pair<std::string, MemoryOfState>, MemoryOfState> of_old;
    std::map<std::pair<std::string, MemoryOfState>, MemoryOfState> of_new;
    std::set<std::string> keys;
    for (const MethodPair& pair : Pairs(/*only_asked=*/false)) {
      std::map<std::string, MemoryOfState> news;
      for (const StatePlace& place : States(new_, pair.in_new)) {
        news.emplace(place.key, MemoryOf(place, pair.in_new));
      }
      for (const StatePlace& place : States(old_, pair.in_old)) {
        const auto found = news.find(place.key);
        if (found == news.end()) continue;
        const MemoryOfState in_old = MemoryOf(place, pair.in_old);
        const MemoryOfState& in_new = found->second;
        const bool one_to_one =
            of_old.try_emplace({place.key, in_old}, in_new).first->second == in_new &&
            of_new.try_emplace({place.key, in_new}, in_old).first->second == in_old;
        if (!one_to_one) keys.insert(place.key);
      }
    }
    return keys;
  }

  // What a method does with such a buffer may be the same, and sequences of calls are not.
  void OpenSharedOtherwise(std::vector<MethodComparison>& answers) const {
    const std::set<std::string> keys = SharedOtherwise();
    if (keys.empty()) return;
    for (MethodComparison& answer : answers) {
      if (answer.answer != Answer::kSame) continue;
      const auto method = std::ranges::find(old_.program->methods, answer.method, &Method::name);
      const auto index = static_cast<size_t>(method - old_.program->methods.begin());
      for (const StatePlace& place : States(old_, index)) {
        if (!keys.contains(place.key)) continue;
        Open(answer,
             fmt::format("methods share the memory of buffer '{}' in one program only", place.key),
             true);
        break;
      }
    }
  }

  // Unnamed bytes need not be state if it is in doubt whether any call reads them.
  void OpenDoubtful(std::vector<MethodComparison>& answers) const {
    for (const UnnamedBytes& unnamed : unnamed_) {
      const auto meets = [&](const UnnamedBytes& other) {
        return other.method == unnamed.method && other.bytes.bank == unnamed.bytes.bank &&
               other.bytes.first < unnamed.bytes.end && unnamed.bytes.first < other.bytes.end;
      };
      if (std::ranges::none_of(doubtful_, meets)) continue;
      const std::string where = KeyOf(unnamed.bytes).substr(1);
      for (MethodComparison& answer : answers) {
        if (!answer.difference || !answer.difference->where.starts_with(where)) continue;
        Open(answer, fmt::format("the files do not say whether a call reads {}", where), true);
        answer.difference.reset();
      }
    }
  }

  // Methods must share the same state, and what has no name must start alike.
  std::vector<MethodComparison> WithWhatMethodsShare(std::vector<MethodComparison> answers) {
    OpenSharedOtherwise(answers);
    OpenDoubtful(answers);
    for (const UnnamedBytes& unnamed : unnamed_) {
      if (InitialBytes(old_, unnamed) == InitialBytes(new_, unnamed)) continue;
      for (MethodComparison& answer : answers) {
        const bool sees = unnamed.method.empty() || unnamed.method == answer.method;
        if (!sees || answer.answer != Answer::kSame) continue;
        Open(answer, fmt::format("{} start with other bytes, and have no name",
                                 KeyOf(unnamed.bytes).substr(1)));
      }
    }
    return answers;
  }

  ContentId InitialBytes(const ComparedSide& side, const UnnamedBytes& unnamed) {
    Memory memory(table_, kZeroTerm);
    for (const Method& method : side.program->methods) {
      if (!unnamed.method.empty() && unnamed.method != method.name) continue;
      for (const Tensor& tensor : method.tensors) {
        const bool stored = tensor.data_index > 0 || tensor.external;
        if (!tensor.planned || !stored || tensor.bank != unnamed.bytes.bank) continue;
        memory.Write(tensor.offset,
                     StoredContent(table_, *side.program, method, tensor, side.data));
      }
    }
    return memory.Read(unnamed.bytes.first, unnamed.bytes.end - unnamed.bytes.first);
  }

  TermTable& table_;
  OpaqueSplits& splits_;
  std::vector<Followed>& followed_;
  const ComparedSide& old_;
  const ComparedSide& new_;
  const ComputationOptions& options_;
  Policy policy_;
  KnownSide old_known_;
  KnownSide new_known_;
  std::optional<std::string> unsure_;  // why a side that is read as meant has no meaning
  std::set<UnnamedBytes> unnamed_;
  std::set<UnnamedBytes>
      doubtful_;  // as read by calls of which the files do not say what they read
};

// Under which policies methods see memory of each other: with one method, it is all one.
std::vector<std::vector<Policy>> Groups(const ComparedSide& old_side, const ComparedSide& new_side,
                                        const std::vector<Policy>& policies) {
  const bool alone = old_side.program->methods.size() == 1 && new_side.program->methods.size() == 1;
  if (alone) return {policies};
  std::vector<std::vector<Policy>> groups;
  for (const Policy policy : policies) groups.push_back({policy});
  return groups;
}

bool AreAlike(const MethodComparison& a, const MethodComparison& b) {
  const auto where = [](const MethodComparison& of) {
    return of.difference ? of.difference->where + of.difference->new_side.term : std::string();
  };
  return a.method == b.method && a.answer == b.answer && a.reason == b.reason &&
         where(a) == where(b);
}

}  // namespace

KnownSide KnownOf(const ComparedSide& side) {
  KnownSide known;
  if (side.read == ReadAs::kMeant) known.meaning = MeaningOf(*side.program, side.manifest);
  known.opaque = meaning::OpaqueCallsOf(*side.program, side.manifest);
  known.written = WrittenConstantBytes(*side.program, known.opaque);
  return known;
}

std::optional<std::string> UnsureMeaning(const ComparedSide& side, Policy policy,
                                         const KnownSide& known) {
  if (!known.meaning) return std::nullopt;
  return UnsureState(known.meaning->methods, {.policy = policy, .manifest = side.manifest});
}

PlannedMethod PlannedOf(const ComparedSide& side, const KnownSide& known, size_t method,
                        std::span<const StatePlace> states, OpaqueSplits& splits) {
  PlannedMethod planned;
  planned.program = side.program;
  planned.method = &side.program->methods[method];
  planned.opaque = &(*known.opaque)[method];
  planned.data = side.data;
  planned.manifest = side.manifest;
  planned.states = states;
  planned.splits = &splits;
  planned.written = known.written;
  if (known.meaning) planned.meaning = &*known.meaning;
  return planned;
}

std::string_view Name(Answer answer) {
  switch (answer) {
    case Answer::kSame:
      return "same";
    case Answer::kAgrees:
      return "agrees";
    case Answer::kOpen:
      return "cannot be compared";
    case Answer::kDiffers:
      return "differs";
  }
  return "";
}

Answer Worse(Answer a, Answer b) {
  return std::max(a, b);
}

void AddAnswer(MethodComparison answer, std::vector<MethodComparison>& all) {
  const auto alike =
      std::ranges::find_if(all, [&](const auto& other) { return AreAlike(other, answer); });
  if (alike == all.end()) return all.push_back(std::move(answer));
  for (const Policy policy : kAllPolicies) {
    if (answer.policies.Has(policy)) alike->policies.Add(policy);
  }
}

std::vector<MethodComparison> CompareComputation(const ComparedSide& old_side,
                                                 const ComparedSide& new_side,
                                                 const ComputationOptions& options) {
  std::vector<MethodComparison> all;
  AllPolicies common;
  for (const std::vector<Policy>& group : Groups(old_side, new_side, options.policies)) {
    for (MethodComparison& answer :
         PolicyComparison(old_side, new_side, options, group.front(), common).Run()) {
      answer.policies = PolicySet::None();
      for (const Policy policy : group) answer.policies.Add(policy);
      AddAnswer(std::move(answer), all);
    }
  }
  const auto position = [&](const MethodComparison& of) {
    return std::pair(of.method, of.policies.bits);
  };
  std::ranges::sort(all, {}, position);
  return all;
}

}  // namespace pteproof::compare
