// Idea: the Module's dims range over what it declares; each choice of them gives the sizes of the
// inputs, and both sides are followed at these sizes (follow_paths.h). Few enough choices are all
// followed, so that equality is a proof.
//
// Invariant: "same" is given only if all choices of dims and all paths were followed, and buffers
// start with the values that the Module states.
//
// Cost: choices x paths x instructions.
#include "properties/compare/module_computation.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "planner/state/module_init.h"
#include "properties/compare/follow_paths.h"
#include "properties/compare/run/module_call.h"
#include "properties/compare/run/planned_call.h"
#include "reference/evaluate.h"
#include "reference/graph/functionalize.h"

namespace pteproof::compare {
namespace {

// Values of a method's dims.
struct DimChoices {
  std::vector<std::vector<int64_t>> all;
  bool complete = true;
};

DimChoices DimChoicesOf(const graph::Method& method, int64_t most) {
  DimChoices choices;
  int64_t count = 1;
  std::vector<int64_t> least;
  std::vector<int64_t> largest;
  for (const graph::DimSymbol& dim : method.dims) {
    least.push_back(dim.lo);
    largest.push_back(dim.hi);
    if (__builtin_mul_overflow(count, dim.hi - dim.lo + 1, &count)) count = INT64_MAX;
  }
  choices.complete = count <= most;
  choices.all.push_back(largest);
  if (!choices.complete) {
    choices.all.push_back(least);
    return choices;
  }
  std::vector<int64_t> dims = largest;
  for (int64_t n = 1; n < count; ++n) {
    for (size_t d = 0; d < dims.size(); ++d) {
      if (--dims[d] >= least[d]) break;
      dims[d] = largest[d];
    }
    choices.all.push_back(dims);
  }
  return choices;
}

class ModuleComparison {
 public:
  ModuleComparison(const graph::Module& module, const ComparedSide& side,
                   const ComputationOptions& options, Policy policy, TermTable& table)
      : table_(table),
        module_(module),
        side_(side),
        options_(options),
        policy_(policy),
        known_(KnownOf(side)),
        unsure_(UnsureMeaning(side, policy, known_)),
        shared_(module.buffers.size(), Change::kNo) {
    std::map<std::string_view, size_t> by_name;
    for (size_t m = 0; m < side.program->methods.size(); ++m) {
      by_name.emplace(side.program->methods[m].name, m);
    }
    for (const graph::Method& method : module.methods) {
      const auto found = by_name.find(method.name);
      in_program_.push_back(found == by_name.end() ? std::nullopt : std::optional(found->second));
    }
  }

  std::vector<MethodComparison> Run() {
    std::vector<MethodComparison> answers;
    for (size_t m = 0; m < module_.methods.size(); ++m) {
      const std::string& name = module_.methods[m].name;
      if (!options_.method.empty() && options_.method != name) continue;
      if (in_program_[m]) answers.push_back(Compare(m, *in_program_[m]));
    }
    return answers;
  }

 private:
  MethodComparison Compare(size_t in_module, size_t in_program) {
    const graph::Method& method = module_.methods[in_module];
    const Method& planned = side_.program->methods[in_program];
    MethodComparison answer;
    answer.method = method.name;
    answer.answer = Answer::kSame;
    const std::vector<StatePlace>& states = StatesIn(in_program);
    const std::vector<Change> changed = Changed(in_module);
    const ModuleMethod of = {&module_, in_module, states, NamesIn(in_program), changed, &told_};
    if (unsure_) {
      Open(answer, *unsure_);
      return answer;
    }
    if (method.inputs.size() != planned.inputs.size()) {
      Open(answer, "the methods do not take the same inputs");
      return answer;
    }
    if (auto why = InitialDiffers(of, planned)) {
      answer.answer = Answer::kDiffers;
      answer.difference = Difference{.where = *why, .old_side = {}, .new_side = {}};
      return answer;
    }
    PlannedMethod program = PlannedOf(side_, known_, in_program, states, splits_);
    program.tells_splits = false;
    program.told = &told_;
    const DimChoices choices = DimChoicesOf(method, options_.most_sizes);
    answer.sizes_vary = !method.dims.empty();
    bool unnamed = false;
    for (const std::vector<int64_t>& dims : choices.all) {
      ++answer.sizes;
      const auto ended = [&](const Trace&, const Trace& trace) {
        unnamed |= !StaleBytesOf(table_, trace).empty();
      };
      FollowPaths(table_,
                  {[&](const Assumptions& assumed) {
                     Trace trace = RunModule(table_, of, assumed, dims);
                     DropPlannedInputs(planned, trace);
                     return trace;
                   },
                   [&](const Assumptions& assumed) {
                     Trace trace = RunPlanned(table_, program, assumed);
                     DropPlannedInputs(planned, trace);
                     return trace;
                   },
                   ended, true},
                  {SizesAt(method, dims), {}, false}, options_.most_paths, answer);
      if (answer.answer != Answer::kSame) return answer;
    }
    if (!choices.complete) Open(answer, "not all sizes of inputs were followed", true);
    if (unnamed) Open(answer, "a call depends on bytes of a bank that nothing names");
    if (answer.sizes_vary)
      answer.assumed.insert("sizes are in the ranges that the Module declares");
    if (IsNamedByManifest(planned, side_.manifest)) {
      answer.assumed.insert("the manifest names the buffers that the file does not name");
    }
    if (answer.answer != Answer::kSame) return answer;
    if (auto why = SharedOtherwise(of, in_program)) {
      answer.answer = Answer::kDiffers;
      answer.difference = Difference{.where = *why, .old_side = {}, .new_side = {}};
    }
    return answer;
  }

  // A buffer that calls change, and that the file shares between methods where the Module does not,
  // or the other way round.
  std::optional<std::string> SharedOtherwise(const ModuleMethod& of, size_t in_program) {
    std::vector<int32_t> open;
    for (int32_t b = 0; b < static_cast<int32_t>(module_.buffers.size()); ++b) {
      const bool counts = of.changed[static_cast<size_t>(b)] != Change::kNo;
      if (!counts || !Uses(module_.methods[of.method], b) || IsInOneMemory(of, b)) continue;
      open.push_back(b);
    }
    if (open.empty()) return std::nullopt;
    for (size_t m = 0; m < module_.methods.size(); ++m) {
      if (m == of.method || !in_program_[m] || *in_program_[m] == in_program) continue;
      for (const int32_t b : open) {
        if (!Uses(module_.methods[m], b)) continue;
        const graph::Buffer& buffer = module_.buffers[static_cast<size_t>(b)];
        const auto shared = AreInOneMemory(of, m, b);
        if (!shared || *shared == buffer.shared) continue;
        return fmt::format("buffer '{}', which '{}' {}", buffer.name, module_.methods[m].name,
                           *shared ? "has in the same memory, and should not"
                                   : "has in another memory, and should share");
      }
    }
    return std::nullopt;
  }

  // Whether two methods have the buffer in one memory; nothing: one of them has it nowhere.
  [[nodiscard]] std::optional<bool> AreInOneMemory(const ModuleMethod& of, size_t m,
                                                   int32_t b) const {
    const size_t other = *in_program_[m];
    const std::vector<StatePlace>& states = StatesIn(other);
    const ModuleMethod with = {of.module, m, states, NamesIn(other), of.changed};
    const std::string key = KeyOfBuffer(of, b);
    return key == KeyOfBuffer(with, b) ? ShareState(of.states, states, key, policy_) : false;
  }

  // Whether all methods that use a shared buffer have it in one memory: then each two do. Asked
  // once for each buffer, by the first method that is asked about.
  bool IsInOneMemory(const ModuleMethod& of, int32_t b) {
    const auto [known, fresh] = in_one_memory_.try_emplace(b, false);
    if (!fresh || !module_.buffers[static_cast<size_t>(b)].shared) return known->second;
    for (size_t m = 0; m < module_.methods.size(); ++m) {
      if (!in_program_[m] || !Uses(module_.methods[m], b)) continue;
      if (!AreInOneMemory(of, m, b).value_or(false)) return false;
    }
    return known->second = true;
  }

  // Whether the method reads the buffer or stores to it.
  [[nodiscard]] static bool Uses(const graph::Method& method, int32_t buffer) {
    const auto is_it = [&](const auto& use) { return static_cast<int32_t>(use.buffer) == buffer; };
    return std::ranges::any_of(method.buffers, is_it) || std::ranges::any_of(method.stores, is_it);
  }

  // Buffers that this method can see changed: its own, and those that others share with it.
  std::vector<Change> Changed(size_t method) {
    for (size_t m = stored_.size(); m < module_.methods.size(); ++m) {
      const auto dims = DimChoicesOf(module_.methods[m], 1).all.front();
      stored_.push_back(ChangedBuffers(table_, module_, m, dims));
      for (size_t b = 0; b < module_.buffers.size(); ++b) {
        if (module_.buffers[b].shared) shared_[b] = std::max(shared_[b], stored_[m][b]);
      }
    }
    std::vector<Change> changed = shared_;
    for (size_t b = 0; b < changed.size(); ++b) {
      changed[b] = std::max(changed[b], stored_[method][b]);
    }
    return changed;
  }

  // The state of a method of the program.
  const std::vector<StatePlace>& StatesIn(size_t in_program) const {
    const auto [known, fresh] = states_.try_emplace(in_program);
    if (fresh) known->second = StatesOf(*side_.program, in_program, policy_, side_.manifest);
    return known->second;
  }

  // The buffers that values of the method are.
  const std::set<std::string>& NamesIn(size_t in_program) const {
    const auto [known, fresh] = names_.try_emplace(in_program);
    if (!fresh) return known->second;
    const Method& method = side_.program->methods[in_program];
    for (int32_t v = 0; v < static_cast<int32_t>(method.values.size()); ++v) {
      known->second.insert(BufferName(method, v, side_.manifest));
    }
    return known->second;
  }

  // A stored input is an output, too; its memory is the caller's only if it is not planned.
  static void DropPlannedInputs(const Method& method, Trace& trace) {
    for (size_t n = 0; n < method.inputs.size(); ++n) {
      const Tensor* tensor = method.TensorOf(method.inputs[n]);
      if (tensor != nullptr && !tensor->planned) continue;
      trace.changed_inputs.erase(n);
    }
  }

  [[nodiscard]] static std::vector<Sizes> SizesAt(const graph::Method& method,
                                                  std::span<const int64_t> dims) {
    std::vector<Sizes> all;
    for (const graph::Input& input : method.inputs) {
      const TensorType* type = TensorTypeOf(method, input.value);
      std::optional<Sizes> sizes;
      if (type != nullptr) sizes = ConcreteSizes(type->sizes, dims);
      all.push_back(sizes.value_or(Sizes()));
    }
    return all;
  }

  // A buffer that the file starts with another value, of those that it has under this name: the one
  // that a method sets, or that is stored for it.
  std::optional<std::string> InitialDiffers(const ModuleMethod& of, const Method& planned) {
    for (const graph::BufferEntry& entry : module_.methods[of.method].buffers) {
      const graph::Buffer& buffer = module_.buffers[static_cast<size_t>(entry.buffer)];
      const std::string key = KeyOfBuffer(of, entry.buffer);
      if (key.empty()) continue;
      const ContentId wanted = InitialContent(table_, buffer);
      const auto set = SetByInit(of, key);
      bool differs = set && *set != wanted;
      for (int32_t v = 0; !set && v < static_cast<int32_t>(planned.values.size()); ++v) {
        if (BufferName(planned, v, side_.manifest) != key) continue;
        const ContentId stored =
            StoredContent(table_, *side_.program, planned, *planned.TensorOf(v), side_.data);
        differs |= stored != wanted;
      }
      if (differs) return fmt::format("buffer '{}' before the first call", buffer.name);
    }
    return std::nullopt;
  }

  // What the method that is called first leaves in the buffer; nothing: the method does not exist,
  // does not see the buffer's memory, or leaves it as it is.
  std::optional<ContentId> SetByInit(const ModuleMethod& of, const std::string& key) {
    const auto& methods = side_.program->methods;
    const auto init = std::ranges::find(methods, planner::kModuleInit, &Method::name);
    if (init == methods.end()) return std::nullopt;
    const auto index = static_cast<size_t>(init - methods.begin());
    const std::vector<StatePlace>& states = StatesIn(index);
    if (!ShareState(of.states, states, key, policy_).value_or(false)) return std::nullopt;
    const std::map<std::string, ContentId>& after = StateAfterInit(index, states);
    const auto left = after.find(key);
    if (left == after.end()) return std::nullopt;
    const auto place = std::ranges::find(states, key, &StatePlace::key);
    const uint64_t word = table_.TextOf(key);
    const TermId entry = table_.Make(TermKind::kState, {&word, 1});
    if (left->second == table_.Whole(entry, place->nbytes)) return std::nullopt;
    return left->second;
  }

  const std::map<std::string, ContentId>& StateAfterInit(size_t init,
                                                         std::span<const StatePlace> states) {
    if (after_init_) return *after_init_;
    PlannedMethod planned = PlannedOf(side_, known_, init, states, splits_);
    planned.meaning = nullptr;
    Trace trace = RunPlanned(table_, planned, {});
    return after_init_.emplace(std::move(trace.state));
  }

  TermTable& table_;
  const graph::Module& module_;
  const ComparedSide& side_;
  const ComputationOptions& options_;
  Policy policy_;
  KnownSide known_;
  std::optional<std::string> unsure_;  // why the file has no meaning
  OpaqueSplits splits_;
  std::optional<std::map<std::string, ContentId>> after_init_;
  CallSplits told_;                          // by the Module's call at hand
  std::vector<std::vector<Change>> stored_;  // per method of the Module, and buffer
  std::vector<Change> shared_;               // per buffer: what any method does to a shared one
  std::vector<std::optional<size_t>> in_program_;  // per method of the Module
  std::map<int32_t, bool> in_one_memory_;          // by shared buffer that was asked about
  mutable std::map<size_t, std::vector<StatePlace>> states_;  // by method of the program
  mutable std::map<size_t, std::set<std::string>> names_;     // likewise
};

std::vector<MethodComparison> AllOpen(const graph::Module& module, const std::string& why) {
  std::vector<MethodComparison> answers;
  for (const graph::Method& method : module.methods) {
    MethodComparison& answer = answers.emplace_back();
    answer.method = method.name;
    Open(answer, why);
  }
  return answers;
}

}  // namespace

std::vector<MethodComparison> CompareWithModule(const graph::Module& module,
                                                const ComparedSide& side,
                                                const ComputationOptions& options) {
  const auto functional = graph::Functionalize(module);
  if (!functional.ok()) return AllOpen(module, functional.error());
  std::vector<MethodComparison> all;
  TermTable table;         // of all policies: most of their terms are equal
  table.SetFolding(true);  // as exporters do
  for (const Policy policy : options.policies) {
    for (MethodComparison& answer :
         ModuleComparison(functional.value(), side, options, policy, table).Run()) {
      answer.policies = PolicySet::Of(policy);
      AddAnswer(std::move(answer), all);
    }
  }
  return all;
}

}  // namespace pteproof::compare
