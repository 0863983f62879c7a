// Drafts of files to spoil: a sound little program, data file and bundle, and handles to change
// their parts.
#ifndef PTEPROOF_TESTS_CRAFTED_DRAFT_H_
#define PTEPROOF_TESTS_CRAFTED_DRAFT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/crafted/fields.h"
#include "tests/crafted/wire.h"

namespace pteproof::crafted {

// A `.pte` in the making: method "forward" computes y = x + w.
//   value 0: w, constant 1      value 1: x, input, bank 1 at 0
//   value 2: y, output, bank 1 at 16      value 3: Int 1
//   instruction 0: aten::add.out(x, w, 1, y, y)
struct Draft {
  Ref root;
  std::string area;    // the segments' bytes
  bool header = true;  // false: no extended header, no area
};
inline constexpr int32_t kW = 0;
inline constexpr int32_t kX = 1;
inline constexpr int32_t kY = 2;
inline constexpr int32_t kOne = 3;
inline constexpr int32_t kValueCount = 4;

[[nodiscard]] Draft BaseProgram();
// The same without constants: y = x + x, no segments and no header.
[[nodiscard]] Draft ProgramWithoutSegments();
[[nodiscard]] std::string FileBytes(const Draft& draft);
// Where the segment area begins, at the draft's present size.
[[nodiscard]] uint64_t SegmentBase(const Draft& draft);

// Parts of a draft, by index in the only method.
[[nodiscard]] Object& Plan(const Draft& draft);
[[nodiscard]] Object& ValueAt(const Draft& draft, int32_t value);
[[nodiscard]] Object& HeldBy(const Draft& draft, int32_t value);  // its Tensor, Int, ...
[[nodiscard]] Object& PlacementOf(const Draft& draft, int32_t value);
[[nodiscard]] Object& CallAt(const Draft& draft, size_t instruction);
[[nodiscard]] Object& SegmentAt(const Draft& draft, size_t segment);

[[nodiscard]] Ref TensorTable(const std::vector<int32_t>& sizes, uint8_t type = kFloat32);
[[nodiscard]] Ref PlacementTable(uint32_t bank, uint64_t offset);
[[nodiscard]] Ref PlannedTensor(const std::vector<int32_t>& sizes, uint64_t offset,
                                uint8_t type = kFloat32);
[[nodiscard]] Ref ListOf(Ref items);  // any list value, String too
[[nodiscard]] Ref IntTable(int64_t number);
[[nodiscard]] Ref BoolTable(uint8_t flag);

// These return the new part's index.
int32_t AddValue(Draft& draft, uint8_t tag, Ref held);
int32_t AddTensor(Draft& draft, Ref tensor);
int32_t AddOperator(Draft& draft, std::string_view name, std::string_view overload);
void AddCall(Draft& draft, int32_t op, const std::vector<int32_t>& args);
void AddInstruction(Draft& draft, uint8_t tag, int32_t first, int32_t second = 0);
int32_t AddSegment(Draft& draft, std::string_view bytes);
// A delegate whose blob is the given one, and a call of it with x and y in place of the addition.
Ref AddDelegate(Draft& draft, uint8_t source, uint32_t index);
void SetBankSizes(Draft& draft, const std::vector<int64_t>& sizes);
void SetIo(Draft& draft, const std::vector<int32_t>& inputs, const std::vector<int32_t>& outputs);
// A tensor at 32 with initial value `bytes` (index 1 of a mutable segment), added to x in place of
// w.
int32_t AddInitialised(Draft& draft, uint32_t data_index, std::string_view bytes);
void AddNamedData(Draft& draft, const std::vector<std::string>& keys, uint32_t segment);

// A `.ptd` in the making: tensors "a" and "b", float32 [2, 2], one segment each.
struct DataDraft {
  Ref root;
  std::string area;
};
[[nodiscard]] DataDraft BaseData();
[[nodiscard]] DataDraft EarlyData();
[[nodiscard]] std::string FileBytes(const DataDraft& draft);
[[nodiscard]] Object& EntryAt(const DataDraft& draft, size_t entry);
[[nodiscard]] Object& DataSegmentAt(const DataDraft& draft, size_t segment);
[[nodiscard]] Object& LayoutAt(const DataDraft& draft, size_t entry);

// A `.bpte` in the making: the base program and one case for "forward", x = w = 1, y = 2.
struct BundleDraft {
  Ref root;
};
[[nodiscard]] BundleDraft BaseBundle();
[[nodiscard]] std::string FileBytes(const BundleDraft& draft);
[[nodiscard]] Object& SuiteAt(const BundleDraft& draft, size_t suite);
[[nodiscard]] Object& CaseAt(const BundleDraft& draft, size_t suite, size_t test);
[[nodiscard]] Ref BundleTensorValue(const std::vector<int32_t>& sizes, std::string_view bytes);

}  // namespace pteproof::crafted

#endif  // PTEPROOF_TESTS_CRAFTED_DRAFT_H_
