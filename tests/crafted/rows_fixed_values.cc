#include <utility>

#include "runtime/file_rules.h"
#include "tests/crafted/rows.h"

namespace pteproof::crafted {
namespace {

// An unused list value with one item.
Row ListRow(std::string file, std::string_view row, uint8_t tag, int32_t item,
            std::string subject) {
  return Spoiled(std::move(file), rule::kFileListItem, row, std::move(subject),
                 [tag, item](Draft& d) {
                   AddValue(d, tag, ListOf(tag == tag::kIntList ? Longs({item}) : Ints({item})));
                 });
}

Row EmptyTableRow(std::string file, uint8_t tag, std::string subject) {
  return Spoiled(std::move(file), rule::kFileValue, "B-04", std::move(subject),
                 [tag](Draft& d) { AddValue(d, tag, Table()); });
}

void MakeInputExternal(Draft& d) {
  Ref extra = Table();
  extra->Set(extra::kName, Text("w")).SetScalar(extra::kSource, 1, 1);
  HeldBy(d, kW).Set(tensor::kExtra, extra).Remove(tensor::kDataIndex);
}

Rows ListRows() {
  constexpr int32_t kPastEnd = kValueCount + 1;
  return {
      ListRow("int-list-item-out-of-range.pte", "B-02", tag::kIntList, kPastEnd,
              "an IntList names a value past the last"),
      ListRow("int-list-item-minus-one.pte", "B-02 S-11", tag::kIntList, -1,
              "an IntList names value -1"),
      ListRow("tensor-list-item-out-of-range.pte", "B-02", tag::kTensorList, kPastEnd,
              "a TensorList names a value past the last"),
      ListRow("tensor-list-item-minus-one.pte", "B-02", tag::kTensorList, -1,
              "a TensorList names value -1"),
      ListRow("optional-tensor-list-item-out-of-range.pte", "B-02", tag::kOptionalTensorList,
              kPastEnd, "an OptionalTensorList names a value past the last"),
      ListRow("tensor-list-item-is-int.pte", "B-24", tag::kTensorList, kOne,
              "a TensorList names an Int"),
      ListRow("optional-tensor-list-item-is-int.pte", "B-24", tag::kOptionalTensorList, kOne,
              "an OptionalTensorList names an Int"),
      EmptyTableRow("int-list-without-items.pte", tag::kIntList, "an IntList has no vector"),
      EmptyTableRow("double-list-without-items.pte", tag::kDoubleList,
                    "a DoubleList has no vector"),
      EmptyTableRow("bool-list-without-items.pte", tag::kBoolList, "a BoolList has no vector"),
      EmptyTableRow("tensor-list-without-items.pte", tag::kTensorList,
                    "a TensorList has no vector"),
      EmptyTableRow("optional-tensor-list-without-items.pte", tag::kOptionalTensorList,
                    "an OptionalTensorList has no vector"),
      EmptyTableRow("string-without-text.pte", tag::kString, "a String has no text"),
      Spoiled("value-entry-null.pte", rule::kFileValue, "B-04",
              "an entry of the value table is null",
              [](Draft& d) { Plan(d).Get(method::kValues)->references.push_back(nullptr); }),
  };
}

Rows TensorRows() {
  return {
      Spoiled("tensor-size-negative.pte", rule::kFileTensorShape, "B-03", "a size is -4",
              [](Draft& d) { AddTensor(d, TensorTable({-4})); }),
      Spoiled("tensor-static-size-overflow.pte", rule::kFileTensorShape, "B-25 B-34",
              "sizes 2^30 x 2^30 x 16 wrap the byte count",
              [](Draft& d) { AddTensor(d, TensorTable({1 << 30, 1 << 30, 16})); }),
      Spoiled(
          "dim-order-repeats-a-dimension.pte", rule::kFileDimOrder, "B-14", "dim_order is [0, 0]",
          [](Draft& d) { HeldBy(d, kY).Set(tensor::kDimOrder, Bytes8(std::string("\0\0", 2))); }),
      Spoiled(
          "dim-order-out-of-range.pte", rule::kFileDimOrder, "B-14",
          "dim_order is [0, 2] for two dimensions",
          [](Draft& d) { HeldBy(d, kY).Set(tensor::kDimOrder, Bytes8(std::string("\0\2", 2))); }),
      Spoiled("external-dim-order-too-short.pte", rule::kFileDimOrder, "B-15",
              "an external tensor of two dimensions has one entry in its dim_order",
              [](Draft& d) {
                MakeInputExternal(d);
                HeldBy(d, kW).Set(tensor::kDimOrder, Bytes8(std::string("\0", 1)));
              }),
      Spoiled("external-without-sizes.pte", rule::kFileTensorShape, "B-27",
              "an external tensor has no sizes",
              [](Draft& d) {
                MakeInputExternal(d);
                HeldBy(d, kW).Remove(tensor::kSizes);
              }),
      Spoiled("external-without-dim-order.pte", rule::kFileDimOrder, "B-27",
              "an external tensor has no dim_order",
              [](Draft& d) {
                MakeInputExternal(d);
                HeldBy(d, kW).Remove(tensor::kDimOrder);
              }),
  };
}

Rows InstructionRows() {
  return {
      Spoiled("jump-on-tensor-without-data.pte", rule::kFileTensorMemory, "B-05",
              "a jump's condition is a tensor of bools that no one gives any memory",
              [](Draft& d) {
                AddInstruction(d, call::kJumpFalse, AddTensor(d, TensorTable({1}, kBoolType)), 2);
              }),
      Spoiled("free-of-value-out-of-range.pte", rule::kFileFree, "B-16",
              "a free names a value past the last",
              [](Draft& d) { AddInstruction(d, call::kFree, kValueCount); }),
      Spoiled("free-of-value-minus-one.pte", rule::kFileFree, "B-16", "a free names value -1",
              [](Draft& d) { AddInstruction(d, call::kFree, -1); }),
      Spoiled("free-of-int.pte", rule::kFileFree, "B-16", "a free names an Int",
              [](Draft& d) { AddInstruction(d, call::kFree, kOne); }),
      Spoiled("move-from-value-out-of-range.pte", rule::kFileMove, "B-17",
              "a move takes a value past the last",
              [](Draft& d) { AddInstruction(d, call::kMove, kValueCount, kOne); }),
      Spoiled("move-to-value-minus-one.pte", rule::kFileMove, "B-17", "a move writes value -1",
              [](Draft& d) { AddInstruction(d, call::kMove, kOne, -1); }),
      Spoiled("move-of-tensor-over-tensor-list.pte", rule::kFileMove, "B-23",
              "a move puts a tensor where a TensorList stood",
              [](Draft& d) {
                AddInstruction(d, call::kMove, kX,
                               AddValue(d, tag::kTensorList, ListOf(Ints({kX}))));
              }),
  };
}

}  // namespace

Rows FixedValueRows() {
  Rows rows = ListRows();
  for (Rows part : {TensorRows(), InstructionRows()}) {
    for (Row& row : part) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace pteproof::crafted
