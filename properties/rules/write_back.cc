#include "properties/rules/write_back.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "base/rule_names.h"
#include "properties/rules/fix_words.h"
#include "properties/rules/lost_stores.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {
namespace {

constexpr std::string_view kStateMutatedInputs =
    "Say in a manifest which inputs the method mutates (mutates_inputs).";
constexpr std::string_view kRename =
    "Rename the argument if it has the buffer's name; else let the model store to the buffer.";
constexpr std::string_view kClone = "Let the model store a clone.";
constexpr std::string_view kRegister =
    "Let the model store a clone. Register a parameter that calls update as a buffer.";
constexpr std::string_view kStateStores =
    "State in a manifest whether the model stores to the buffer (`mutates`).";

// The words for one lost store, in three lines: the missing store, its actual target, and the
// consequence.
class LostStoreExplanation {
 public:
  LostStoreExplanation(const ProgramFacts& facts, const LostStore& lost)
      : lost_(lost),
        meant_(facts.methods[static_cast<size_t>(lost.method)]),
        method_(*meant_.method) {}

  [[gnu::cold]] Finding Tell() const {
    Finding finding = FindingAt(rule::kWriteBackMissing, SeverityOf(), method_, lost_.store, {},
                                lost_.state == nullptr ? Place{} : lost_.state->place);
    if (lost_.state != nullptr) finding.values = {lost_.state->value};
    finding.undecided = finding.severity == Severity::kNote;
    if (lost_.store < 0 && lost_.given_to_delegate) {
      finding.rule = rule::kNotProvable;
      finding.undecided = lost_.kind == LossKind::kStated;
      finding.explanation = fmt::format(
          "Buffer {} is given to a delegate, and no instruction stores to it.\n"
          "The file does not say whether the delegate stores to it.\n"
          "If the model stores to the buffer and the delegate does not, later calls read the old "
          "value.",
          ValueWords(method_, lost_.state->value));
      finding.fix =
          "Say in the manifest which arguments each delegate call updates (delegates[].updates).";
      return finding;
    }
    finding.explanation = fmt::format("{}\n{}\n{}", Missing(), WhereItWent(), Consequence());
    finding.fix = Fix();
    if (Fix() == kClone) finding.clone = Clone::kStored;
    return finding;
  }

 private:
  Severity SeverityOf() const {
    if (!lost_.observed) return Severity::kWarning;
    const bool left_open =
        lost_.onto_itself || lost_.doubtful || (lost_.store < 0 && lost_.given_to_delegate);
    return left_open ? Severity::kNote : Severity::kError;
  }

  std::string Missing() const {
    switch (lost_.kind) {
      case LossKind::kStated:
        return fmt::format("The model's '{}' stores to buffer '{}'{}; the program's does not.",
                           method_.name, lost_.buffer, PlaceWords());
      case LossKind::kUncounted:
        return fmt::format(
            "The model's '{}' stores to {} buffers; the program's misses {} of them.", method_.name,
            meant_.stated->mutates->size(), lost_.missing);
      case LossKind::kEverywhere:
        return fmt::format(
            "Buffer {} is read, but no method stores to it and the file holds no initial value.",
            ValueWords(method_, lost_.state->value));
      case LossKind::kUntouched:
        return fmt::format("Nothing in '{}' touches buffer {}.", method_.name,
                           ValueWords(method_, lost_.state->value));
      case LossKind::kAlongside:
        return fmt::format(
            "Nothing in the program touches buffer {}, and the file holds no initial value.",
            ValueWords(method_, lost_.state->value));
    }
    return {};
  }

  std::string PlaceWords() const {
    if (lost_.state == nullptr) return {};
    return fmt::format(" (v{} {})", lost_.state->value, Words(lost_.state->place));
  }

  std::string WhereItWent() const {
    if (lost_.onto_itself)
      return fmt::format("{} stores the buffer onto itself.",
                         Capital(InstructionWords(method_, lost_.store)));
    if (lost_.store >= 0) {
      const std::string store = fmt::format(
          "{} of '{}' stores to ", Capital(InstructionWords(method_, lost_.store)), method_.name);
      const std::string target = ValueWords(method_, Target());
      return lost_.doubtful ? fmt::format("{}input {}. A model that mutates the input does so too.",
                                          store, target)
                            : fmt::format("{}{} instead.", store, target);
    }
    switch (lost_.kind) {
      case LossKind::kStated:
        return lost_.state == nullptr
                   ? fmt::format("The program's '{}' has no such buffer.", method_.name)
                   : std::string("No instruction makes that store: it was dropped at export.");
      case LossKind::kUncounted:
        return "Its buffers have no names, so the file does not tell which.";
      case LossKind::kAlongside:
        return fmt::format(
            "The buffer is planned since the model stores to it. The store was dropped, like the "
            "one of '{}'.",
            lost_.buffer);
      default:
        return fmt::format("A store of the model was dropped at export, most likely in '{}'.",
                           method_.name);
    }
  }

  std::string Consequence() const {
    if (!lost_.observed) {
      return lost_.kind == LossKind::kUncounted
                 ? "No method reads as many of them, so outputs need not show the loss."
                 : "No method reads the buffer, so no output shows it.";
    }
    if (lost_.onto_itself) return "If the model does not do so, later calls read the old value.";
    if (lost_.doubtful)
      return "If the store was meant for the buffer, later calls read the old value.";
    return lost_.kind == LossKind::kEverywhere
               ? "Every call reads the bytes that the bank started with."
               : "Later calls read the old value.";
  }

  std::string_view Fix() const {
    if (lost_.onto_itself) return kStateStores;
    if (lost_.doubtful) return kStateMutatedInputs;
    if (lost_.store < 0 && lost_.kind == LossKind::kStated && lost_.state == nullptr)
      return kRegister;
    if (lost_.store < 0) return kClone;
    return IsStoredToInput() ? kRename : kStateStores;
  }

  int32_t Target() const {
    return method_.Ints(method_.instructions[static_cast<size_t>(lost_.store)].args).front();
  }
  bool IsStoredToInput() const {
    return meant_.roles.of[static_cast<size_t>(Target())] == Role::kInput;
  }

  const LostStore& lost_;
  const MethodMeaning& meant_;
  const Method& method_;
};

[[gnu::cold]] Finding TellNamedConstant(const ProgramFacts& facts, const MethodMeaning& meant,
                                        int32_t v, const StateKey& key) {
  const auto writer = std::ranges::find_if(key.instances, &StateInstance::writes);
  Finding finding =
      FindingAt(rule::kMutabilityMismatch, Severity::kError, *meant.method, -1, {v}, {});
  const Tensor* tensor = meant.method->TensorOf(v);
  const bool is_external = tensor != nullptr && tensor->external;
  finding.explanation = fmt::format(
      "'{}' holds {} as {}.\n'{}' stores to the buffer of that name.\n"
      "'{}' always reads the {}.",
      meant.method->name, ValueWords(*meant.method, v),
      is_external ? "external data" : "a constant", facts.MethodAt(writer->method).name,
      meant.method->name, is_external ? "external value" : "value of the time of export");
  const bool is_planned = writer->place.bank != 0;
  finding.fix = is_external
                    ? "Leave the buffer out of the external data, and plan the methods with "
                      "`share_mutable_buffers=True`."
                    : FixOf(ReadOnlyCopy{.is_planned_there = is_planned,
                                         .is_for_sharing = IsForSharing(facts, *writer)});
  return finding;
}

// Data of a .ptd have names, and so may data in the file. Data with the name of a buffer that
// another method stores to are not a constant.
void CheckNamedConstants(const ProgramFacts& facts, std::vector<Finding>& findings) {
  std::map<std::string_view, const StateKey*> written;
  for (const StateKey& key : facts.states.keys) {
    if (key.written_somewhere && !key.name.empty()) written.emplace(key.name, &key);
  }
  if (written.empty()) return;
  for (const MethodMeaning& meant : facts.methods) {
    for (int32_t v = 0; v < static_cast<int32_t>(meant.roles.of.size()); ++v) {
      const bool constant = meant.roles.of[static_cast<size_t>(v)] == Role::kConstant;
      const auto key = constant ? written.find(meant.method->NameOf(v)) : written.end();
      if (key != written.end())
        findings.push_back(TellNamedConstant(facts, meant, v, *key->second));
    }
  }
}

}  // namespace

std::vector<Finding> CheckWriteBack(const ProgramFacts& facts) {
  std::vector<Finding> findings;
  for (const LostStore& lost : LostStores(facts)) {
    findings.push_back(LostStoreExplanation(facts, lost).Tell());
  }
  CheckNamedConstants(facts, findings);
  return findings;
}

}  // namespace pteproof::checks
