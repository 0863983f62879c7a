// Idea: methods of one model number its buffers in one order behind their parameters, wherever they
// plan them (model_head.h). A method that only reads a buffer may hold it as data of the file:
//
//   'put'     v1 bank 1 [64,80)      stored to
//   'get'     v1 bank 1 [32,48)      read: one buffer of the model, or one of each of two models?
//   'peek'    v1 constant 2          read: the buffer as it was at export, or a parameter? Only a
//                                    constant that holds what the buffer starts with is in
//                                    question, and only beside plans that keep no bank for state.
//
// A value that the one stores does not reach the others then. A manifest leaves no question; names
// leave the last one, as a constant has none.
//
// Invariant: a method that reads gets one finding of each kind at most: of the first store.
//
// Cost: O(methods^2) times their buffers, for each number of own constants. Data are compared once
// for each store and constant of one number.
#include "properties/rules/numbered_buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/rule_names.h"
#include "properties/rules/histories.h"
#include "properties/rules/model_head.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {
namespace {

struct Numbered {
  const StateKey* key = nullptr;
  const StateInstance* instance = nullptr;
};

const MethodMeaning& CheckAt(const ProgramFacts& facts, int32_t method) {
  return facts.methods[static_cast<size_t>(method)];
}

Finding Open(const ProgramFacts& facts, std::string_view rule, const StateInstance& from,
             const MethodMeaning& reader, int32_t value, const Place& place) {
  Finding finding = FindingAt(rule, Severity::kNote, *reader.method, -1, {value}, place);
  finding.undecided = true;
  finding.other_method = facts.MethodAt(from.method).name;
  finding.other_bank = from.place.bank;
  return finding;
}

Finding TellApart(const ProgramFacts& facts, const StateInstance& from, const StateInstance& to) {
  const MethodMeaning& reader = CheckAt(facts, to.method);
  Finding finding = Open(facts, rule::kSharedLayout, from, reader, to.value, to.place);
  finding.explanation = fmt::format(
      "'{}' stores a buffer without a name in v{} {} ({}).\n"
      "'{}' reads v{} {}. The exporter gives a buffer of the model one number in all methods.\n"
      "If both are one buffer of the model, '{}' does not see the stored value.",
      finding.other_method, from.value, Words(from.place), Name(from.dtype), reader.method->name,
      to.value, Words(to.place), reader.method->name);
  finding.fix =
      "One buffer or two? Export with names (`emit_mutable_buffer_names`), or say in a manifest "
      "whether the buffer is `shared`.";
  return finding;
}

Finding TellConstant(const ProgramFacts& facts, const StateInstance& from,
                     const MethodMeaning& reader, int32_t value) {
  Finding finding = Open(facts, rule::kMutabilityMismatch, from, reader, value, {});
  finding.explanation = fmt::format(
      "'{}' stores to the buffer v{} {} ({}).\n"
      "'{}' reads the constant v{}. The exporter gives a buffer of the model one number in all "
      "methods.\n"
      "If both are one buffer of the model, '{}' always reads the value of the time of export.",
      finding.other_method, from.value, Words(from.place), Name(from.dtype), reader.method->name,
      value, reader.method->name);
  finding.fix =
      "Export the methods with `share_mutable_buffers=True`, or say in a manifest which buffers "
      "they read.";
  return finding;
}

// Whether only numbers tell of two states of two methods: no manifest does.
bool AreToldByNumbers(const StateInstance& a, const StateInstance& b) {
  return a.method != b.method && a.possible.empty() && b.possible.empty();
}

// Whether the constant is what the buffer holds at export: what it starts with, by the file, or
// zeros. Data outside of the file may be.
bool HoldsTheStart(const Program& program, const StateInstance& buffer, const Tensor& constant) {
  if (constant.external || buffer.external) return true;
  if (constant.data_index == 0 || constant.data_index >= program.constants.size()) return false;
  const auto data = [&](Bytes all) {
    return all.first(std::min<uint64_t>(all.size(), constant.nbytes));
  };
  const Bytes frozen = data(program.constants[constant.data_index]);
  if (buffer.initial > 0)
    return std::ranges::equal(frozen, data(program.initial_values[buffer.initial]));
  return std::ranges::all_of(frozen, [](std::byte b) { return b == std::byte{0}; });
}

class NumberedCheck {
 public:
  explicit NumberedCheck(const ProgramFacts& facts) : facts_(facts) {
    buffers_.resize(facts.methods.size());
    stores_.resize(facts.methods.size());
    for (const MethodMeaning& meant : facts.methods) heads_.push_back(HeadOf(meant));
    for (const StateKey& key : facts.states.keys) {
      for (const StateInstance& i : key.instances) {
        const auto m = static_cast<size_t>(i.method);
        buffers_[m].insert({i.value, {&key, &i}});
        if (i.writes) stores_[m].push_back({&key, &i});
      }
    }
  }

  std::vector<Finding> Run() && {
    const auto count = static_cast<int32_t>(facts_.methods.size());
    for (int32_t reader = 0; reader < count; ++reader) {
      told_apart_ = told_constant_ = false;
      for (int32_t writer = 0; writer < count; ++writer) {
        if (writer != reader && !stores_[static_cast<size_t>(writer)].empty())
          Compare(writer, reader);
      }
    }
    return std::move(findings_);
  }

 private:
  void Compare(int32_t writer, int32_t reader) {
    const ModelHead& from = heads_[static_cast<size_t>(writer)];
    const ModelHead& to = heads_[static_cast<size_t>(reader)];
    const int32_t ends = to.size - from.size;
    for (int32_t shift = ends - kMostOwn; shift <= ends + kMostOwn; ++shift) {
      if (!AreOfOneModel(from, to, shift)) continue;
      for (const Numbered& store : stores_[static_cast<size_t>(writer)]) {
        const int32_t stored = store.instance->value;
        if (stored < from.begin || stored >= from.end) continue;
        const int32_t value = stored + shift;
        if (to.meant->roles.of[static_cast<size_t>(value)] == Role::kConstant) {
          Constant(store, *to.meant, reader, value);
        } else {
          Buffer(store, reader, value);
        }
      }
    }
  }

  void Buffer(const Numbered& store, int32_t reader, int32_t value) {
    const auto& buffers = buffers_[static_cast<size_t>(reader)];
    const auto found = buffers.find(value);
    if (told_apart_ || found == buffers.end()) return;
    const auto& [key, read] = found->second;
    if (key == store.key || !key->name.empty() || !store.key->name.empty()) return;
    if (!read->reads || read->place.empty() || store.instance->place.empty()) return;
    if (!AreToldByNumbers(*store.instance, *read) ||
        !StoreReaches(facts_, *key, *store.instance, *read)) {
      return;
    }
    findings_.push_back(TellApart(facts_, *store.instance, *read));
    told_apart_ = true;
  }

  void Constant(const Numbered& store, const MethodMeaning& to, int32_t reader, int32_t value) {
    const StateInstance& from = *store.instance;
    const Usage& usage = to.roles.usage[static_cast<size_t>(value)];
    if (told_constant_ || to.stated != nullptr || (usage.first_read < 0 && !usage.is_output))
      return;
    const bool has_state = std::ranges::any_of(
        store.key->instances, [&](const StateInstance& i) { return i.method == reader; });
    const bool comes_later =
        facts_.calls.IsAny() || facts_.calls.Has({{from.method}, {reader, {}}});
    if (has_state || !comes_later || IsForState(from.place.bank) ||
        !HoldsTheStart(facts_.program, from, *to.method->TensorOf(value))) {
      return;
    }
    findings_.push_back(TellConstant(facts_, from, to, value));
    told_constant_ = true;
  }

  // A plan that keeps a bank for state was made for methods that share buffers: they have one as
  // state if they read it.
  bool IsForState(uint32_t bank) {
    const auto [known, fresh] = for_state_.try_emplace(bank, false);
    if (fresh) {
      known->second = std::ranges::all_of(
          facts_.methods, [&](const MethodMeaning& meant) { return HoldsStateOnly(meant, bank); });
    }
    return known->second;
  }

  const ProgramFacts& facts_;
  std::vector<ModelHead> heads_;                      // by method
  std::vector<std::map<int32_t, Numbered>> buffers_;  // by method and value
  std::vector<std::vector<Numbered>> stores_;         // by method
  std::map<uint32_t, bool> for_state_;                // by bank
  bool told_apart_ = false;                           // of the method that reads
  bool told_constant_ = false;
  std::vector<Finding> findings_;
};

}  // namespace

bool AreNumberedAlike(const ProgramFacts& facts, const StateInstance& a, const StateInstance& b) {
  if (!AreToldByNumbers(a, b)) return false;
  const ModelHead one = HeadOf(CheckAt(facts, a.method));
  const ModelHead other = HeadOf(CheckAt(facts, b.method));
  return a.value < one.end && b.value < other.end && AreOfOneModel(one, other, b.value - a.value);
}

std::vector<Finding> CheckNumbers(const ProgramFacts& facts) {
  return NumberedCheck(facts).Run();
}

}  // namespace pteproof::checks
