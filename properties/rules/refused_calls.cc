// Idea: ExecuTorch's kernel of aten::index_put_ does less than the one of aten::index_put.out. It
// puts rows where one index of numbers says, and no more:
//
//   index_put_(v0 [4, 4], [_, v1 int64[2]], v2 [4, 2], accumulate=false)     taken
//   index_put_(v0 [4, 4], [_, v1 int64[2]], v2 [1, 1], accumulate=false)     refused
//
// The questions are asked in the kernel's order, and the first that fails is told. Recorded from
// ExecuTorch 0.7.0 to 1.5.1, which all refuse the same.
//
// A value that a move has renamed is not judged: at run time it is its source. Of a tensor whose
// sizes vary only the rank is judged.
//
// The plan is not to blame, and no other plan mends the call: a warning.
//
// Invariant: a call gives at most one finding.
#include "properties/rules/refused_calls.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "properties/rules/refusal.h"
#include "properties/rules/refused_by_runtime.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {
namespace {

constexpr std::string_view kPutInPlace = "aten::index_put_";
constexpr const char* kExportPlainly = "Export without `run_reinplace_pass`.";

class PutInPlaceCheck {
 public:
  PutInPlaceCheck(const Program& program, const MethodFlow& flow)
      : program_(program), flow_(flow), method_(flow.method) {}

  std::vector<Finding> Run() && {
    const auto is_put = [](const Operator& op) { return op.name == kPutInPlace; };
    if (std::ranges::none_of(method_.operators, is_put)) return {};
    NoteStored();
    for (int32_t i = 0; i < flow_.instruction_count(); ++i) {
      const Instruction& at = method_.instructions[static_cast<size_t>(i)];
      if (at.kind != InstructionKind::kKernelCall) continue;
      const Operator& op = method_.operators[static_cast<size_t>(at.target)];
      const auto block = static_cast<size_t>(flow_.graph.block_of[static_cast<size_t>(i)]);
      if (!is_put(op) || op.schema == nullptr || !flow_.graph.blocks[block].reachable) continue;
      auto refusal = RefusalOf(method_.Ints(at.args));
      if (!refusal) continue;
      if (refusal->fix.empty()) refusal->fix = kExportPlainly;
      findings_.push_back(FindingOf(flow_, i, *refusal));
    }
    return std::move(findings_);
  }

 private:
  // Moves rename tensors; a call puts its result into its last argument.
  void NoteStored() {
    renamed_.resize(method_.values.size());
    computed_.resize(method_.values.size());
    for (const Instruction& at : method_.instructions) {
      if (at.kind == InstructionKind::kMove) renamed_[static_cast<size_t>(at.other)] = true;
      if (at.kind != InstructionKind::kKernelCall || at.args.count == 0) continue;
      const int32_t slot = method_.Ints(at.args).back();
      if (slot >= 0) computed_[static_cast<size_t>(slot)] = true;
    }
  }

  [[nodiscard]] const Value& At(int32_t v) const { return method_.values[static_cast<size_t>(v)]; }
  [[nodiscard]] const Tensor* Known(int32_t v) const {
    return v < 0 || renamed_[static_cast<size_t>(v)] ? nullptr : method_.TensorOf(v);
  }
  [[nodiscard]] std::span<const int32_t> SizesOf(const Tensor& t) const {
    return method_.Ints(t.sizes);
  }

  std::optional<Refusal> RefusalOf(std::span<const int32_t> args) const {
    if (args.size() < 4 || std::ranges::any_of(args.first(4), [](int32_t v) { return v < 0; })) {
      return std::nullopt;
    }
    if (Adds(args[3])) {
      return Refusal{{args[0]},
                     fmt::format("adds to elements of {}", ValueWords(method_, args[0])),
                     "only replaces elements (`accumulate=False`)"};
    }
    const Value& list = At(args[1]);
    if (!IsTensorLike(list.kind) || list.kind == ValueKind::kTensor ||
        renamed_[static_cast<size_t>(args[1])]) {
      return std::nullopt;
    }
    const auto indices = method_.Ints(list.items);
    const auto found = std::ranges::find_if(indices, [](int32_t v) { return v >= 0; });
    const auto count = std::ranges::count_if(indices, [](int32_t v) { return v >= 0; });
    if (count != 1) {
      return Refusal{{args[0]},
                     fmt::format("has {} indices for {}", count == 0 ? "no" : std::to_string(count),
                                 ValueWords(method_, args[0])),
                     "takes one index, of one dimension of the tensor"};
    }
    if (auto refusal = OfIndex(*found)) return refusal;
    return OfSizes(args, *found, static_cast<size_t>(found - indices.begin()));
  }

  [[nodiscard]] bool Adds(int32_t v) const {
    const auto at = static_cast<size_t>(v);
    return At(v).kind == ValueKind::kBool && At(v).integer != 0 && !renamed_[at] && !computed_[at];
  }

  std::optional<Refusal> OfIndex(int32_t v) const {
    const Tensor* index = Known(v);
    if (index == nullptr) return std::nullopt;
    if (index->dtype != ScalarType::kInt64 && index->dtype != ScalarType::kInt32) {
      return Refusal{
          {v},
          fmt::format("gets {} of {} as its index", ValueWords(method_, v), Name(index->dtype)),
          "takes indices of int64 and int32 only, and no masks"};
    }
    if (index->sizes.count != 1) {
      return Refusal{{v},
                     fmt::format("gets the index {} with the sizes [{}]", ValueWords(method_, v),
                                 fmt::join(SizesOf(*index), ", ")),
                     "takes an index only if it has one dimension itself"};
    }
    return std::nullopt;
  }

  std::optional<Refusal> OfSizes(std::span<const int32_t> args, int32_t v, size_t dim) const {
    const Tensor* self = Known(args[0]);
    const Tensor* index = Known(v);
    if (self == nullptr || dim >= self->sizes.count) return std::nullopt;
    if (index != nullptr && self->dynamism == Dynamism::kStatic) {
      const int64_t size = SizesOf(*self)[dim];
      if (const auto number = NumberOutside(*index, size)) {
        return Refusal{{args[0], v},
                       fmt::format("indexes dimension {} of {}, {} long, with {}", dim,
                                   ValueWords(method_, args[0]), size, *number),
                       "takes only numbers of rows that exist, counted from 0",
                       *number < -size || *number >= size
                           ? "Use an index within the dimension in the model."
                           : "Count from the start of the dimension in the model, or export "
                             "without `run_reinplace_pass`."};
      }
    }
    const Tensor* rows = Known(args[2]);
    if (rows == nullptr || !Unlike(*self, index, *rows, dim)) return std::nullopt;
    return Refusal{{args[0], args[2]},
                   fmt::format("puts {} with the sizes [{}] into {} with the sizes [{}]",
                               ValueWords(method_, args[2]), fmt::join(SizesOf(*rows), ", "),
                               ValueWords(method_, args[0]), fmt::join(SizesOf(*self), ", ")),
                   fmt::format("broadcasts nothing: it takes values of the sizes [{}] only",
                               fmt::join(Wanted(*self, index, dim), ", ")),
                   "Expand the values to these sizes in the model, or export without "
                   "`run_reinplace_pass`.",
                   rows->sizes.count <= dim};
  }

  // The sizes of what is put: those of the tensor, and in the indexed dimension the index's.
  [[nodiscard]] std::vector<std::string> Wanted(const Tensor& self, const Tensor* index,
                                                size_t dim) const {
    std::vector<std::string> wanted;
    for (const int32_t size : SizesOf(self)) wanted.push_back(std::to_string(size));
    wanted[dim] = index == nullptr || index->dynamism != Dynamism::kStatic
                      ? "?"
                      : std::to_string(SizesOf(*index).front());
    return wanted;
  }

  [[nodiscard]] bool Unlike(const Tensor& self, const Tensor* index, const Tensor& rows,
                            size_t dim) const {
    if (self.sizes.count != rows.sizes.count) return true;
    if (rows.dynamism != Dynamism::kStatic) return false;
    const bool whole = self.dynamism == Dynamism::kStatic;
    for (size_t d = 0; d < self.sizes.count; ++d) {
      const int32_t has = SizesOf(rows)[d];
      if (d != dim && whole && has != SizesOf(self)[d]) return true;
      const bool told = index != nullptr && index->dynamism == Dynamism::kStatic;
      if (d == dim && told && has != SizesOf(*index).front()) return true;
    }
    return false;
  }

  // The first number of a constant index that is not one from 0 on, below the size.
  [[nodiscard]] std::optional<int64_t> NumberOutside(const Tensor& index, int64_t size) const {
    if (index.data_index == 0 || index.planned || index.external) return std::nullopt;
    if (index.data_index >= program_.constants.size()) return std::nullopt;
    const Bytes blob = program_.constants[index.data_index];
    if (blob.size() < index.nbytes) return std::nullopt;
    const size_t width = ElementSize(index.dtype);
    for (size_t at = 0; at + width <= index.nbytes; at += width) {
      int64_t number = 0;
      int32_t narrow = 0;
      if (width == sizeof number) {
        std::memcpy(&number, blob.data() + at, sizeof number);
      } else {
        std::memcpy(&narrow, blob.data() + at, sizeof narrow);
        number = narrow;
      }
      if (number < 0 || number >= size) return number;
    }
    return std::nullopt;
  }

  const Program& program_;
  const MethodFlow flow_;
  const Method& method_;
  std::vector<bool> renamed_;   // by value: a move stores to it
  std::vector<bool> computed_;  // by value: a call does
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> CheckRefusedCalls(const Program& program, const MethodFlow& flow) {
  std::vector<Finding> findings = PutInPlaceCheck(program, flow).Run();
  std::ranges::move(CheckRefusedByRuntime(flow), std::back_inserter(findings));
  return findings;
}

}  // namespace pteproof::checks
