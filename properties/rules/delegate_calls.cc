// Idea: a blob lists the arguments that it is made for (runtime/delegates/opened_blob.h). They are
// laid beside those of the call, position by position:
//
//   call   delegate 0 (v1 float32[2, 3], v2 float32[2, 3], v5 float32[2, 3])
//   blob   input 0: value 0 [2, 3]      input 1: value 1 [2, 3]     output 2: value 2 [2, 1]
//                                                                   delegate-mismatch of v5
//
// Then the inner graph, if there is one, is asked whether a node makes each output. An operator
// inside that nobody knows may make any: then none is judged.
//
// What a format leaves open is not judged. The sizes of an argument that vary are compared in their
// number alone: blobs hold those of the export.
//
// Invariant: each argument has at most one finding.
#include "properties/rules/delegate_calls.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/counted.h"
#include "base/rule_names.h"
#include "properties/rules/delegate_plans.h"
#include "properties/rules/wording.h"
#include "runtime/delegates/call_roles.h"

namespace pteproof::checks {
namespace {

using delegates::ArgumentRole;
using delegates::BlobDim;
using delegates::BlobSlot;
using delegates::BlobValue;
using delegates::OpenedBlob;
using delegates::SizeOrder;

constexpr std::string_view kLowerAgain =
    "Export again: the blob and the call of it come from one lowering. If they do, report the blob "
    "to the backend.";

std::string DimWords(const BlobDim& dim) {
  if (dim.most == dim.least) return fmt::format("{}", dim.least);
  if (dim.most < 0) return fmt::format("{}..", dim.least);
  return fmt::format("{}..{}", dim.least, dim.most);
}

std::string SizeWords(const std::vector<BlobDim>& sizes) {
  std::vector<std::string> words;
  for (const BlobDim& dim : sizes) words.push_back(DimWords(dim));
  return fmt::format("[{}]", fmt::join(words, ", "));
}

class CallCheck {
 public:
  CallCheck(const MethodMeaning& meant, int32_t at, const Delegate& called)
      : meant_(meant),
        method_(*meant.method),
        at_(at),
        called_(called),
        opened_(*called.opened),
        args_(method_.Ints(method_.instructions[static_cast<size_t>(at)].args)) {}

  std::vector<Finding> Run() && {
    if (!delegates::Fits(opened_, args_.size())) {
      TellCount();
      return std::move(findings_);
    }
    told_.resize(args_.size());
    CheckSlots(opened_.inputs, true);
    CheckSlots(opened_.outputs, false);
    CheckWritten();
    CheckDoubled();
    return std::move(findings_);
  }

 private:
  // Counted slots are then other arguments. Of numbered ones those that the call has stay theirs,
  // and what a backend finds behind the last, no file says.
  void TellCount() {
    const uint64_t slots = opened_.inputs.size() + opened_.outputs.size();
    const bool beyond = opened_.arguments && *opened_.arguments > args_.size();
    Finding finding =
        FindingAt(rule::kDelegateMismatch, beyond ? Severity::kNote : Severity::kError, method_,
                  at_, {}, Place{});
    finding.undecided = beyond;
    finding.explanation = fmt::format(
        "{} gives its delegate {}.\n"
        "The {} blob is made for {}: {} and {}.\n"
        "The backend reads and writes other memory, or refuses the call.",
        Capital(InstructionWords(method_, at_)), Counted(args_.size(), "argument"), opened_.backend,
        opened_.arguments.value_or(slots), Counted(opened_.inputs.size(), "input"),
        Counted(opened_.outputs.size(), "output"));
    finding.fix = kLowerAgain;
    findings_.push_back(std::move(finding));
  }

  void CheckSlots(std::span<const BlobSlot> slots, bool is_input) {
    for (size_t i = 0; i < slots.size(); ++i) {
      const size_t position = is_input ? delegates::PositionOfInput(opened_, i)
                                       : delegates::PositionOfOutput(opened_, i);
      if (!taken_.insert(position).second) {
        Tell(
            rule::kDelegateMismatch, position,
            fmt::format("Two inputs or outputs of the {} blob are that argument.", opened_.backend),
            "One of them overwrites or misses the other's bytes.");
      } else if (slots[i].value < 0) {
        Tell(rule::kDelegateMismatch, position,
             fmt::format("The {} blob has no value for it.", opened_.backend),
             "The backend refuses the blob, or reads other memory.");
      } else {
        CheckFit(position, opened_.values[static_cast<size_t>(slots[i].value)], is_input);
      }
    }
  }

  void CheckFit(size_t position, const BlobValue& value, bool is_input) {
    const Tensor* tensor = method_.TensorOf(args_[position]);
    const std::string_view word = is_input ? "input" : "output";
    if (tensor == nullptr) {
      if (!value.sizes) return;
      return Tell(rule::kDelegateMismatch, position,
                  fmt::format("The {} blob has a tensor for it, {} ({}).", opened_.backend,
                              value.name, word),
                  "The backend refuses the call.");
    }
    if (!value.types.empty() &&
        std::ranges::find(value.types, tensor->dtype) == value.types.end()) {
      return Tell(
          rule::kDelegateMismatch, position,
          fmt::format("Its type is {}. The {} blob has {} for it, {} ({}).", Name(tensor->dtype),
                      opened_.backend, Name(value.types.front()), value.name, word),
          "The bytes are read or written as another type, or the backend refuses the call.");
    }
    if (value.width != 0 && value.width != ElementSize(tensor->dtype)) {
      return Tell(
          rule::kDelegateMismatch, position,
          fmt::format("Its type is {}. The {} blob has elements of {} bytes for it, {} ({}).",
                      Name(tensor->dtype), opened_.backend, value.width, value.name, word),
          "The bytes are read or written as another type, or the backend refuses the call.");
    }
    if (value.elements && !HasElements(*tensor, *value.elements)) {
      return Tell(rule::kDelegateMismatch, position,
                  fmt::format("Its sizes are [{}]. The {} blob has {} elements for it, {} ({}).",
                              fmt::join(method_.Ints(tensor->sizes), ", "), opened_.backend,
                              *value.elements, value.name, word),
                  "The backend reads or writes other bytes than those of the argument, or refuses "
                  "the call.");
    }
    if (value.sizes && !HasSizes(*tensor, value)) {
      return Tell(rule::kDelegateMismatch, position,
                  fmt::format("Its sizes are [{}]. The {} blob has {} for it, {} ({}).",
                              fmt::join(method_.Ints(tensor->sizes), ", "), opened_.backend,
                              SizeWords(*value.sizes), value.name, word),
                  "The backend reads or writes other bytes than those of the argument, or refuses "
                  "the call.");
    }
  }

  [[nodiscard]] static bool HasElements(const Tensor& tensor, uint64_t elements) {
    if (tensor.dynamism != Dynamism::kStatic) return true;
    return tensor.nbytes == elements * ElementSize(tensor.dtype);
  }

  [[nodiscard]] bool HasSizes(const Tensor& tensor, const BlobValue& value) const {
    const auto sizes = method_.Ints(tensor.sizes);
    const auto order = method_.Ints(tensor.dim_order);
    const std::vector<BlobDim>& inside = *value.sizes;
    const auto is_one = [](const BlobDim& dim) { return dim.least == 1 && dim.most == 1; };
    if (sizes.empty()) return inside.empty() || (inside.size() == 1 && is_one(inside.front()));
    if (sizes.size() != inside.size()) return false;
    if (tensor.dynamism != Dynamism::kStatic) return true;
    for (size_t d = 0; d < sizes.size(); ++d) {
      const bool moved = value.order == SizeOrder::kInMemory && d < order.size();
      const int64_t size = sizes[moved ? static_cast<size_t>(order[d]) : d];
      if (size < inside[d].least || (inside[d].most >= 0 && size > inside[d].most)) return false;
    }
    return true;
  }

  void CheckWritten() {
    const auto roles = delegates::RolesOf(called_, args_.size());
    std::set<size_t> outputs;
    for (size_t i = 0; i < opened_.outputs.size(); ++i) {
      const size_t position = delegates::PositionOfOutput(opened_, i);
      outputs.insert(position);
      const BlobSlot& slot = opened_.outputs[i];
      if (slot.left_alone) {
        TellUnwritten(position, "is a constant inside the blob, which the backend leaves there");
      } else if (!IsMade(slot.value)) {
        TellUnwritten(position, "is made by no node inside the blob");
      }
    }
    for (size_t a = 0; a < args_.size(); ++a) {
      const bool result = (*roles)[a] == ArgumentRole::kWritten || IsWritten(args_[a]);
      if (result && !outputs.contains(a) && (*roles)[a] != ArgumentRole::kUpdated &&
          (*roles)[a] != ArgumentRole::kRead) {
        TellUnwritten(a, "is neither an input nor an output of the blob");
      }
    }
  }

  // Whether something is known to make a value inside, or may.
  [[nodiscard]] bool IsMade(int32_t value) const {
    return !opened_.IsFollowed() || value < 0 || opened_.values[static_cast<size_t>(value)].made;
  }

  // The effects take an argument that holds nothing before for a result.
  [[nodiscard]] bool IsWritten(int32_t v) const {
    const auto writes = meant_.effects.WritesOf(static_cast<size_t>(at_));
    return std::ranges::find(writes, v, &Write::value) != writes.end();
  }

  // A result may be listed twice if the model returns it twice. If, besides, a node inside computes
  // for nobody, one of the two stands in the place of that node's result.
  void CheckDoubled() {
    std::map<int32_t, size_t> first;  // by the value inside: its position
    for (size_t i = 0; i < opened_.outputs.size(); ++i) {
      const int32_t value = opened_.outputs[i].value;
      const size_t position = delegates::PositionOfOutput(opened_, i);
      const auto [found, is_new] = first.emplace(value, position);
      if (is_new || value < 0) continue;
      const std::string_view name = opened_.values[static_cast<size_t>(value)].name;
      if (opened_.IsFollowed() && opened_.idle_node >= 0) {
        Tell(rule::kDelegateMismatch, position,
             fmt::format("It gets the same value as argument {} from the {} blob, {}, while the "
                         "result of {} inside is used nowhere.",
                         found->second, opened_.backend, name,
                         opened_.nodes[static_cast<size_t>(opened_.idle_node)].op),
             "One of the two arguments gets another value than the model computes.");
      } else if (opened_.lists_once && !told_[position]) {
        Tell(rule::kDelegateMismatch, position,
             fmt::format("It gets the same value as argument {} from the {} blob, {}.",
                         found->second, opened_.backend, name),
             "The backend's exporter lists no value twice: one of the two may get another value "
             "than the model computes.");
        findings_.back().severity = Severity::kNote;
        findings_.back().undecided = true;
      }
    }
  }

  void TellUnwritten(size_t position, std::string_view how) {
    Tell(rule::kDelegateOutputUnwritten, position,
         fmt::format("The call is to write it, but it {} ({}).", how, opened_.backend),
         "It keeps the bytes that were there before, and its readers get them.");
  }

  void Tell(std::string_view name, size_t position, std::string_view what, std::string_view then) {
    if (told_[position]) return;
    told_[position] = true;
    const int32_t v = args_[position];
    const Tensor* tensor = method_.TensorOf(v);
    const Place place = tensor == nullptr ? Place{} : meant_.flow().PlaceOf(v);
    Finding finding = FindingAt(name, Severity::kError, method_, at_, {v}, place);
    finding.explanation =
        fmt::format("Argument {} of {} is {}.\n{}\n{}", position, InstructionWords(method_, at_),
                    ValueWords(method_, v), what, then);
    finding.fix = kLowerAgain;
    findings_.push_back(std::move(finding));
  }

  const MethodMeaning& meant_;
  const Method& method_;
  int32_t at_;
  const Delegate& called_;
  const OpenedBlob& opened_;
  std::span<const int32_t> args_;
  std::set<size_t> taken_;  // positions of inputs and outputs so far
  std::vector<bool> told_;  // per argument
  std::vector<Finding> findings_;
};

Finding Unreadable(const Method& method, int32_t at, const OpenedBlob& opened) {
  Finding finding = FindingAt(rule::kNotProvable, Severity::kNote, method, at, {}, Place{});
  finding.explanation = fmt::format(
      "The {} blob of {} cannot be read: {}.\n"
      "What the call reads and writes is taken from the order of its arguments.",
      opened.backend, InstructionWords(method, at), opened.damage);
  finding.fix = "Export again, or fetch the file again.";
  return finding;
}

}  // namespace

std::vector<Finding> CheckDelegateCalls(const MethodMeaning& meant, JudgedBlobs& judged) {
  const Method& method = *meant.method;
  std::vector<Finding> findings;
  for (size_t i = 0; i < method.instructions.size(); ++i) {
    const Instruction& call = method.instructions[i];
    if (call.kind != InstructionKind::kDelegateCall) continue;
    const auto block = static_cast<size_t>(meant.graph.block_of[i]);
    if (!meant.graph.blocks[block].reachable) continue;
    const auto at = static_cast<int32_t>(i);
    const Delegate& called = method.delegates[static_cast<size_t>(call.target)];
    if (called.opened == nullptr) continue;
    if (!called.opened->damage.empty()) {
      findings.push_back(Unreadable(method, at, *called.opened));
      continue;
    }
    std::ranges::move(CallCheck(meant, at, called).Run(), std::back_inserter(findings));
    if (judged.insert(called.opened.get()).second) {
      std::ranges::move(CheckInnerPlan(method, at, *called.opened), std::back_inserter(findings));
    }
  }
  return findings;
}

}  // namespace pteproof::checks
