#include "runtime/file_rules.h"
#include "tests/crafted/rows.h"

namespace pteproof::crafted {

Rows AdvisoryRows() {
  return {
      Spoiled("tensor-sizes-wrap-64-bits.pte", rule::kFileTensorShape, "CVE-2025-30402",
              "a planned input's sizes multiply to more than 64 bits",
              [](Draft& d) { HeldBy(d, kX) = *PlannedTensor({2147483647, 2147483647, 4}, 0); }),
      Spoiled("value-count-overflows-allocation.pte", rule::kFileFlatbuffer, "CVE-2025-30404",
              "the number of values times their size does not fit 64 bits",
              [](Draft& d) { Plan(d).Get(method::kValues)->forged_length = 0xFFFFFFFF; }),
      Spoiled("placement-end-wraps-64-bits.pte", rule::kFileTensorMemory, "CVE-2025-30405",
              "offset plus size of a planned tensor wraps to below the bank's size",
              [](Draft& d) {
                HeldBy(d, kY).Set(tensor::kPlacement, PlacementTable(1, 0xFFFFFFFFFFFFFFF0));
              }),
      Spoiled("prim-op-without-arguments.pte", rule::kFileArguments, "CVE-2025-54950",
              "a size query is called with no argument at all",
              [](Draft& d) { AddCall(d, AddOperator(d, "aten::sym_size", "int"), {}); }),
      Spoiled(
          "prim-op-with-one-argument.pte", rule::kFileArguments, "CVE-2025-54950",
          "an integer addition is called with one of its three arguments",
          [](Draft& d) { AddCall(d, AddOperator(d, "executorch_prim::add", "Scalar"), {kOne}); }),
      Spoiled("prim-op-with-two-arguments.pte", rule::kFileArguments, "CVE-2025-54950",
              "an integer comparison is called without its result slot",
              [](Draft& d) {
                AddCall(d, AddOperator(d, "executorch_prim::eq", "Scalar"), {kOne, kOne});
              }),
      Spoiled("tensor-rank-17.pte", rule::kFileTensorShape, "CVE-2025-54951",
              "a tensor has one dimension more than the limit",
              [](Draft& d) { AddTensor(d, TensorTable(std::vector<int32_t>(17, 1))); }),
      Spoiled("argument-count-overflows-allocation.pte", rule::kFileFlatbuffer, "CVE-2025-54952",
              "the number of a call's arguments times their size does not fit 64 bits",
              [](Draft& d) { CallAt(d, 0).Get(call::kArgs)->forged_length = 0xFFFFFFFF; }),
  };
}

}  // namespace pteproof::crafted
