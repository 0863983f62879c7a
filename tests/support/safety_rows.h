// The examples by kind, in the files safety_*_rows.cc.
#ifndef PTEPROOF_TESTS_SUPPORT_SAFETY_ROWS_H_
#define PTEPROOF_TESTS_SUPPORT_SAFETY_ROWS_H_

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "tests/support/safety_draft.h"

namespace pteproof::safety {

inline constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
inline constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();

struct ExampleRow {
  const char* name;
  void (*make)(SafetyDraft& draft);
};

[[nodiscard]] std::span<const ExampleRow> ViewExamples();
[[nodiscard]] std::span<const ExampleRow> OverOperandExamples();
[[nodiscard]] std::span<const ExampleRow> SteeringExamples();
[[nodiscard]] std::span<const ExampleRow> SettledExamples();
[[nodiscard]] std::span<const ExampleRow> DanglingExamples();
[[nodiscard]] std::span<const ExampleRow> NumberExamples();
[[nodiscard]] std::span<const ExampleRow> EndlessExamples();

inline void ViewAs(SafetyDraft& d, int32_t self, const std::vector<int64_t>& sizes, int32_t out) {
  d.Call("executorch_prim::et_view.default",
         {{"self", self}, {"size", d.Ints(sizes)}, {"out", out}});
}

// Writes a whole tensor through a view of it.
inline void WriteThrough(SafetyDraft& d, int32_t view, const SafetyDraft::Dims& sizes,
                         ScalarType type = ScalarType::kFloat32) {
  const int32_t ones = d.Full(sizes, 1, type);
  d.builder().Call("aten::copy_", {view, ones, d.builder().Bool(false), view});
}

}  // namespace pteproof::safety

#endif  // PTEPROOF_TESTS_SUPPORT_SAFETY_ROWS_H_
