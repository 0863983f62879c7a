#include "properties/rules/manifest_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "base/rule_names.h"
#include "properties/rules/method_rules.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"
#include "runtime/training_methods.h"

namespace pteproof::checks {
namespace {

// The admitted sizes: "1..8, 4, 2..".
std::string AdmittedWords(const std::vector<ManifestDim>& sizes) {
  std::string words;
  for (const ManifestDim& dim : sizes) {
    if (!words.empty()) words += ", ";
    words += fmt::format("{}", dim.min);
    if (!dim.max.has_value()) {
      words += "..";
    } else if (*dim.max != dim.min) {
      words += fmt::format("..{}", *dim.max);
    }
  }
  return words;
}

// Inputs that the model admits and the runtime refuses, and the fix.
struct RefusedManifest {
  std::string_view which;
  std::string_view fix;
};

bool IsUnbounded(const ManifestDim& dim) {
  return !dim.max.has_value();
}

// A static tensor takes its own sizes only.
std::optional<RefusedManifest> RefusedByStatic(std::span<const int32_t> own,
                                               const std::vector<ManifestDim>& sizes) {
  bool smaller = false;
  bool larger = false;
  for (size_t d = 0; d < own.size(); ++d) {
    smaller = smaller || sizes[d].min < own[d];
    larger = larger || IsUnbounded(sizes[d]) || *sizes[d].max > own[d];
  }
  if (!smaller && !larger) return std::nullopt;
  return RefusedManifest{
      smaller && larger ? "inputs of other sizes"
      : smaller         ? "smaller inputs"
                        : "larger inputs",
      "Export the input with the admitted sizes. Make a dimension that varies dynamic, with an "
      "upper bound."};
}

// A bounded tensor takes any sizes of its rank with no more elements than its bound.
std::optional<RefusedManifest> RefusedByBounded(std::span<const int32_t> bound,
                                                const std::vector<ManifestDim>& sizes) {
  if (std::ranges::any_of(sizes, IsUnbounded)) {
    return RefusedManifest{"larger inputs", "Give the dimension an upper bound at export."};
  }
  double most = 1;
  double room = 1;
  for (size_t d = 0; d < bound.size(); ++d) {
    most *= static_cast<double>(*sizes[d].max);
    room *= static_cast<double>(bound[d]);
  }
  if (most <= room) return std::nullopt;
  return RefusedManifest{"larger inputs",
                         "Export with upper bounds that cover the admitted sizes."};
}

std::optional<RefusedManifest> RefusedBy(const Tensor& tensor, std::span<const int32_t> bound,
                                         const std::vector<ManifestDim>& sizes) {
  if (bound.size() != sizes.size()) {
    return RefusedManifest{"inputs of that rank",
                           "Export the input with as many dimensions as the model admits."};
  }
  return tensor.dynamism == Dynamism::kStatic ? RefusedByStatic(bound, sizes)
                                              : RefusedByBounded(bound, sizes);
}

class SignatureCheck {
 public:
  SignatureCheck(const MethodMeaning& meant, bool trains)
      : meant_(meant),
        method_(*meant.method),
        stated_(*meant.stated),
        trains_(trains),
        flow_(meant.flow()),
        slots_(meant.effects) {}

  std::vector<Finding> Run() && {
    if (stated_.inputs.has_value()) Bounds();
    if (stated_.outputs.has_value()) Outputs();
    if (stated_.mutates_inputs.has_value()) InputStores();
    return std::move(findings_);
  }

 private:
  void Bounds() {
    const size_t count = std::min(stated_.inputs->size(), method_.inputs.size());
    for (size_t k = 0; k < count; ++k) {
      const auto& sizes = (*stated_.inputs)[k].sizes;
      const Tensor* tensor = method_.TensorOf(method_.inputs[k]);
      if (!sizes.has_value() || tensor == nullptr) continue;
      const auto bound = method_.Ints(tensor->sizes);
      if (const auto refusal = RefusedBy(*tensor, bound, *sizes)) TellBound(k, *sizes, *refusal);
    }
  }

  void TellBound(size_t k, const std::vector<ManifestDim>& sizes, const RefusedManifest& refusal) {
    const int32_t v = method_.inputs[k];
    const Tensor& tensor = *method_.TensorOf(v);
    Finding finding =
        FindingAt(rule::kBoundTooSmall, Severity::kError, method_, -1, {v}, flow_.PlaceOf(v));
    finding.explanation = fmt::format(
        "Input {} ({}) is planned with {} [{}].\nThe model admits the sizes [{}].\n"
        "The runtime refuses {}.",
        k, ValueWords(method_, v),
        tensor.dynamism == Dynamism::kStatic ? "the fixed sizes" : "the upper bound",
        fmt::join(method_.Ints(tensor.sizes), ", "), AdmittedWords(sizes), refusal.which);
    finding.fix = refusal.fix;
    findings_.push_back(std::move(finding));
  }

  // An unplanned input is the caller's own tensor: only inputs that the model mutates, or that the
  // caller lets the method overwrite, may be written.
  void InputStores() {
    for (size_t k = 0; k < method_.inputs.size(); ++k) {
      const int32_t v = method_.inputs[k];
      const int32_t store = meant_.roles.usage[static_cast<size_t>(v)].last_write;
      const Tensor* tensor = method_.TensorOf(v);
      if (tensor == nullptr || tensor->planned || store < 0) continue;
      if (Lists(stated_.mutates_inputs, k) || Lists(stated_.in_place_inputs, k)) continue;
      Finding finding =
          FindingAt(rule::kInPlaceAlias, Severity::kError, method_, store, {v}, flow_.PlaceOf(v));
      finding.explanation = fmt::format(
          "{} writes input {} ({}), which is memory of the caller.\n"
          "The manifest lists the input neither in `mutates_inputs` nor in `in_place_inputs`.\n"
          "The caller's tensor changes during the call.",
          Capital(InstructionWords(method_, store)), k, ValueWords(method_, v));
      finding.fix = "Copy the input in the model before it is updated, or list it in the manifest.";
      findings_.push_back(std::move(finding));
    }
  }

  static bool Lists(const std::optional<std::vector<int32_t>>& positions, size_t k) {
    return positions.has_value() &&
           std::ranges::find(*positions, static_cast<int32_t>(k)) != positions->end();
  }

  // Mutated inputs come first among the outputs, one output each, then the user's own outputs. A
  // loss that the file alone shows is not reported again.
  void Outputs() {
    for (const LostOutput& lost : LostOutputs(meant_)) overwritten_.insert(lost.value);
    const size_t extra = stated_.mutates_inputs.has_value() ? stated_.mutates_inputs->size() : 0;
    if (method_.outputs.size() != extra + stated_.outputs->size()) {
      if (stated_.mutates_inputs.has_value()) TellCount(extra);
      return;
    }
    for (size_t k = 0; k < extra; ++k) {
      const auto position = static_cast<size_t>((*stated_.mutates_inputs)[k]);
      if (position >= method_.inputs.size()) continue;
      const int32_t v = method_.outputs[k];
      const int32_t input = method_.inputs[position];
      if (IsForeignStorage(v, input) || IsForeignConstant(v, input)) {
        Misbound(k, fmt::format("the new value of input {}", position));
      }
    }
    for (size_t k = 0; k < stated_.outputs->size(); ++k)
      UserOutput(extra + k, (*stated_.outputs)[k]);
  }

  bool IsNameOf(int32_t v, int32_t of) const {
    return v == of || meant_.aliases.root[static_cast<size_t>(v)] ==
                          meant_.aliases.root[static_cast<size_t>(of)];
  }

  // The bytes of another input or of a buffer: not a copy of the wanted value.
  bool IsForeignStorage(int32_t v, int32_t of) const {
    const int32_t named = slots_.Written(v);
    if (method_.TensorOf(v) == nullptr || IsNameOf(v, of) || IsNameOf(named, of)) return false;
    const Role role = RootRole(named);
    return role == Role::kInput || role == Role::kState;
  }

  // A constant, while what the method stores to the input is computed of what varies.
  bool IsForeignConstant(int32_t v, int32_t input) const {
    if (method_.TensorOf(v) == nullptr || RootRole(v) != Role::kConstant) return false;
    const int32_t store = meant_.roles.usage[static_cast<size_t>(input)].last_write;
    if (store < 0) return false;
    const auto reads = meant_.effects.ReadsOf(static_cast<size_t>(store));
    return std::ranges::any_of(reads, [&](const Read& read) {
      return !IsNameOf(read.value, input) && Varies(read.value);
    });
  }

  Role RootRole(int32_t v) const {
    return meant_.roles.of[static_cast<size_t>(meant_.aliases.root[static_cast<size_t>(v)])];
  }

  // Whether a value is neither a constant nor made of constants alone.
  bool Varies(int32_t v) const {
    if (RootRole(v) == Role::kConstant) return false;
    const auto is_constant = [&](const Read& read) {
      return RootRole(read.value) == Role::kConstant;
    };
    for (size_t i = 0; i < method_.instructions.size(); ++i) {
      const auto writes = meant_.effects.WritesOf(i);
      const auto reads = meant_.effects.ReadsOf(i);
      if (std::ranges::find(writes, v, &Write::value) == writes.end()) continue;
      if (std::ranges::all_of(reads, is_constant)) return false;
    }
    return true;
  }

  void UserOutput(size_t k, const ManifestOutput& stated) {
    const int32_t v = method_.outputs[k];
    if (!stated.is_entry || method_.TensorOf(v) == nullptr) return;
    if (!stated.of_parameter.empty()) return Parameter(k, stated.of_parameter);
    const int32_t source = SourceOf(stated);
    if (source < 0) return;
    if (IsForeignStorage(v, source)) {
      Misbound(k, "the entry value of " + ValueWords(method_, source));
    } else if (v == source && method_.TensorOf(v)->nbytes > 0 &&
               meant_.roles.usage[static_cast<size_t>(v)].last_write >= 0 &&
               overwritten_.insert(v).second) {
      TellEntryLost(k, v);
    }
  }

  // A trained parameter is returned as its own storage, each once: the optimiser writes there. That
  // constant data may not be written is told without a manifest.
  void Parameter(size_t k, const std::string& name) {
    const int32_t root = meant_.aliases.root[static_cast<size_t>(method_.outputs[k])];
    if (IsConstantOfItsOwn(root)) return;
    const int32_t state = flow_.StateOf(root);
    const bool is_state = state >= 0 && parameters_.insert(state).second;
    const std::string_view key =
        is_state ? meant_.roles.states[static_cast<size_t>(state)].key : std::string_view();
    if (!is_state || (!key.empty() && key != name)) {
      Misbound(k, fmt::format("the parameter '{}' itself", name));
    }
  }

  bool IsConstantOfItsOwn(int32_t v) {
    if (meant_.roles.of[static_cast<size_t>(v)] != Role::kConstant) return false;
    const Tensor& tensor = *method_.TensorOf(v);
    const std::string_view name = tensor.external ? method_.NameOf(v) : std::string_view();
    return constants_.emplace(tensor.data_index, name).second;
  }

  // The value whose entry value an output returns; -1: the file has no such value.
  int32_t SourceOf(const ManifestOutput& stated) const {
    if (stated.of_input.has_value()) {
      const auto position = static_cast<size_t>(*stated.of_input);
      return position < method_.inputs.size() ? method_.inputs[position] : -1;
    }
    for (const StateSlot& slot : meant_.roles.states) {
      if (slot.key == stated.of_buffer) return slot.value;
    }
    return -1;
  }

  void TellEntryLost(size_t k, int32_t v) {
    const int32_t store = meant_.roles.usage[static_cast<size_t>(v)].last_write;
    Finding finding =
        FindingAt(rule::kEntryValueLost, Severity::kError, method_, store, {v}, flow_.PlaceOf(v));
    finding.explanation = fmt::format(
        "Output {} must be the value of {} at entry.\n"
        "The program returns that storage itself, and {} writes it.\n"
        "The caller gets the stored value.",
        k, ValueWords(method_, v), InstructionWords(method_, store));
    finding.fix = "Clone the old value in the model before the store.";
    finding.clone = Clone::kOther;
    findings_.push_back(std::move(finding));
  }

  void Misbound(size_t k, const std::string& wanted) {
    const int32_t v = method_.outputs[k];
    Finding finding =
        FindingAt(rule::kOutputMisbound, Severity::kError, method_, -1, {v}, flow_.PlaceOf(v));
    finding.explanation = fmt::format(
        "Output {} must be {}.\nThe program returns {}.\n"
        "The caller gets the value of another tensor.",
        k, wanted, ValueWords(method_, v));
    finding.fix = HasInPlaceUpdate()
                      ? "Export without the in-place rewrite, or correct the manifest."
                      : "Export the method again, or correct the manifest.";
    findings_.push_back(std::move(finding));
  }

  bool HasInPlaceUpdate() const {
    for (int32_t i = 0; i < flow_.instruction_count(); ++i) {
      if (UpdatedInPlace(method_, meant_.effects, i) >= 0) return true;
    }
    return false;
  }

  void TellCount(size_t extra) {
    Finding finding =
        FindingAt(rule::kOutputMisbound, Severity::kError, method_, -1, method_.outputs, {});
    finding.explanation = fmt::format(
        "The program returns {} values.\n"
        "The model returns {} values and mutates {} inputs, which are outputs as well.\n"
        "A caller that takes outputs by position gets the wrong ones.",
        method_.outputs.size(), stated_.outputs->size(), extra);
    finding.fix = "Export again, or correct the manifest.";
    if (trains_ && stated_.outputs->size() + extra < method_.outputs.size()) LeaveOpen(finding);
    findings_.push_back(std::move(finding));
  }

  // A manifest of the user's outputs alone says nothing wrong of a method that trains.
  void LeaveOpen(Finding& finding) const {
    finding.severity = Severity::kNote;
    finding.undecided = true;
    finding.explanation = fmt::format(
        "The program returns {} values, and the manifest lists {}.\n"
        "'{}' trains: loss, gradients and trained parameters are outputs as well.\n"
        "The manifest does not say which of the values they are.",
        method_.outputs.size(), stated_.outputs->size(), method_.name);
    finding.fix = "Write the manifest again: list the loss, the gradients and the parameters.";
  }

  const MethodMeaning& meant_;
  const Method& method_;
  const ManifestMethod& stated_;
  bool trains_;
  MethodFlow flow_;
  ReturnSlots slots_;
  std::set<int32_t> overwritten_;  // values whose loss is told of
  std::set<int32_t> parameters_;   // states that are returned as parameters
  std::set<std::pair<uint32_t, std::string_view>> constants_;  // data that are: number, or name
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> CheckStatedSignature(const MethodMeaning& meant, bool trains) {
  return SignatureCheck(meant, trains).Run();
}

std::vector<Finding> CheckManifest(const ProgramFacts& facts) {
  std::vector<Finding> all;
  const auto append = [&](std::vector<Finding> some) {
    std::ranges::move(some, std::back_inserter(all));
  };
  append(CheckStatedReads(facts));
  append(CheckStatedInitials(facts));
  for (const MethodMeaning& meant : facts.methods) {
    if (meant.stated == nullptr) continue;
    append(CheckStatedSignature(meant, IsTrainingMethod(facts.program, meant.method->name)));
  }
  return all;
}

}  // namespace pteproof::checks
