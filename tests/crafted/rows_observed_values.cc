#include <utility>

#include "base/rule_names.h"
#include "runtime/file_rules.h"
#include "tests/crafted/rows.h"

namespace pteproof::crafted {
namespace {

Row JumpRow(std::string file, std::string_view row, std::string subject, int32_t target) {
  return Spoiled(std::move(file), rule::kFileJump, row, std::move(subject), [target](Draft& d) {
    AddInstruction(d, call::kJumpFalse, AddValue(d, tag::kBool, BoolTable(0)), target);
  });
}

Row TensorRow(std::string file, std::string_view rule, std::string_view row, std::string subject,
              std::function<void(Object&)> change) {
  return Spoiled(std::move(file), rule, row, std::move(subject),
                 [change = std::move(change)](Draft& d) {
                   const int32_t added = AddTensor(d, PlannedTensor({2, 2}, 0));
                   change(HeldBy(d, added));
                 });
}

Rows ValueRows() {
  return {
      Spoiled("tensor-list-before-its-tensors.pte", rule::kFileListItem, "S-09",
              "a TensorList names a tensor that stands after it",
              [](Draft& d) {
                AddValue(d, tag::kTensorList, ListOf(Ints({kValueCount + 1})));
                AddTensor(d, PlannedTensor({2, 2}, 0));
              }),
      Spoiled("int-list-item-is-tensor.pte", rule::kFileListItem, "S-10",
              "an IntList names a tensor",
              [](Draft& d) { AddValue(d, tag::kIntList, ListOf(Longs({kX}))); }),
      Spoiled("value-tag-unknown.pte", rule::kFileValue, "S-12", "a value's tag is 12",
              [](Draft& d) { AddValue(d, 12, IntTable(1)); }),
      Spoiled("value-tag-none.pte", rule::kFileValue, "S-12", "a value's tag is none, with a table",
              [](Draft& d) { AddValue(d, tag::kNone, IntTable(1)); }),
      Spoiled("value-tag-none-without-table.pte", rule::kFileValue, "S-12",
              "a value's tag is none, without a table",
              [](Draft& d) { AddValue(d, tag::kNone, nullptr); }),
      Spoiled("value-tag-without-table.pte", rule::kFileValue, "S-13",
              "a value's tag says tensor; there is none",
              [](Draft& d) { AddValue(d, tag::kTensor, nullptr); }),
  };
}

Rows ObservedTensorRows() {
  return {
      Spoiled("dynamic-input-size-wraps.pte", rule::kFileTensorShape, "S-04 B-34",
              "a dynamic planned input's upper bound wraps the byte count to 0",
              [](Draft& d) {
                HeldBy(d, kX) = *PlannedTensor({1 << 30, 1 << 30, 4}, 0);
                HeldBy(d, kX).SetScalar(tensor::kDynamism, 1, 1);
              }),
      Spoiled("dynamic-input-size-negative.pte", rule::kFileTensorShape, "S-05",
              "a dynamic input's upper bound is negative",
              [](Draft& d) {
                HeldBy(d, kX).SetScalar(tensor::kDynamism, 1, 1).Set(tensor::kSizes, Ints({2, -2}));
              }),
      Spoiled("dynamic-input-type-unknown.pte", rule::kFileTensorType, "S-05",
              "a dynamic input's element type is 99",
              [](Draft& d) {
                HeldBy(d, kX).SetScalar(tensor::kDynamism, 1, 1).SetScalar(tensor::kType, 1, 99);
              }),
      TensorRow("placement-in-bank-0.pte", rule::kFileTensorMemory, "S-19",
                "a tensor lies in the reserved bank 0",
                [](Object& t) { t.Set(tensor::kPlacement, PlacementTable(0, 0)); }),
      TensorRow("placement-in-bank-past-last.pte", rule::kFileTensorMemory, "S-19",
                "a tensor lies in bank 2 of 1",
                [](Object& t) { t.Set(tensor::kPlacement, PlacementTable(2, 0)); }),
      TensorRow("tensor-type-30.pte", rule::kFileTensorType, "S-23", "an element type is 30",
                [](Object& t) { t.SetScalar(tensor::kType, 1, 30); }),
      TensorRow("tensor-type-minus-one.pte", rule::kFileTensorType, "S-23", "an element type is -1",
                [](Object& t) { t.SetScalar(tensor::kType, 1, 0xFF); }),
      TensorRow("dynamism-unknown.pte", rule::kFileTensorDynamism, "S-24",
                "a tensor's dynamism is 7",
                [](Object& t) { t.SetScalar(tensor::kDynamism, 1, 7); }),
      TensorRow("dynamism-unbounded.pte", rule::kFileTensorDynamism, "S-24",
                "a tensor's sizes have no upper bound",
                [](Object& t) { t.SetScalar(tensor::kDynamism, 1, 2); }),
      TensorRow("device-unknown.pte", rule::kFileDevice, "S-46", "a tensor's device is 77",
                [](Object& t) {
                  Ref extra = Table();
                  extra->SetScalar(extra::kDevice, 1, 77);
                  t.Set(tensor::kExtra, extra);
                }),
      Spoiled("device-of-bank-past-last.pte", rule::kFileDevice, "-",
              "a device is given to bank 2 of 1",
              [](Draft& d) {
                Ref device = Table();
                device->SetScalar(bank_device::kBank, 4, 2).SetScalar(bank_device::kDevice, 1, 1);
                Plan(d).Set(method::kBankDevices, References({device}));
              }),
      TensorRow("strides-wrap-32-bits.pte", rule::kFileTensorShape, "S-48",
                "sizes [2, 2^20, 2^20] need a stride of 2^40",
                [](Object& t) { t = *TensorTable({2, 1 << 20, 1 << 20}); }),
      TensorRow("strides-wrap-of-empty-tensor.pte", rule::kFileTensorShape, "S-48",
                "a tensor without elements needs a stride of 2^40",
                [](Object& t) { t = *TensorTable({0, 2, 1 << 20, 1 << 20}); }),
  };
}

Rows ObservedInstructionRows() {
  return {
      Spoiled("operator-index-out-of-range.pte", rule::kFileInstruction, "S-01",
              "a call of an operator that is not there, before one that is",
              [](Draft& d) {
                CallAt(d, 0).SetScalar(call::kIndex, 4, 7);
                AddCall(d, 0, {kX, kW, kOne, kY, kY});
              }),
      Spoiled("argument-out-of-range.pte", rule::kFileArguments, "-",
              "a delegate is given a value past the last",
              [](Draft& d) {
                AddDelegate(d, 1, 0);
                CallAt(d, 0).Set(call::kArgs, Ints({kX, kValueCount}));
              }),
      Spoiled("operator-without-name.pte", rule::kFileOperator, "S-01", "an operator has no name",
              [](Draft& d) {
                AddOperator(d, "", "");
                Plan(d).Get(method::kOperators)->references.back()->Remove(op::kName);
              }),
      Spoiled("operator-name-too-long.pte", rule::kFileOperator, "S-01",
              "an operator's full name has 104 characters",
              [](Draft& d) { AddOperator(d, std::string(100, 'x'), "out"); }),
      JumpRow("jump-to-negative.pte", "S-14", "a jump's target is instruction -5", -5),
      JumpRow("jump-past-end.pte", "S-14", "a jump's target lies past the last instruction", 3),
      Spoiled("jump-on-int.pte", rule::kFileJump, "S-15", "a jump's condition is an Int",
              [](Draft& d) { AddInstruction(d, call::kJumpFalse, kOne, 2); }),
      Spoiled("jump-on-float-tensor.pte", rule::kFileJump, "S-15",
              "a jump's condition is a tensor of floats",
              [](Draft& d) { AddInstruction(d, call::kJumpFalse, kX, 2); }),
      Spoiled("free-of-planned-tensor.pte", rule::kFileFree, "S-16",
              "a free takes the memory of a planned tensor that is used after it",
              [](Draft& d) {
                AddInstruction(d, call::kFree, kX);
                AddCall(d, 0, {kX, kW, kOne, kY, kY});
              }),
      Spoiled("move-of-int-over-tensor.pte", rule::kFileMove, "S-17",
              "a move puts an Int where a tensor stood",
              [](Draft& d) { AddInstruction(d, call::kMove, kOne, kX); }),
      Spoiled("delegate-index-out-of-range.pte", rule::kFileInstruction, "S-27",
              "a call of a delegate that is not there",
              [](Draft& d) {
                AddDelegate(d, 1, 0);
                CallAt(d, 0).SetScalar(call::kIndex, 4, 3);
              }),
      Checked(Spoiled("constant-as-result.pte", rule::kInPlaceAlias, "S-07",
                      "a call writes its result over a constant",
                      [](Draft& d) { AddCall(d, 0, {kX, kX, kOne, kW, kW}); })),
      Checked(Spoiled("placement-past-bank-end.pte", rule::kPlanBounds, "S-20",
                      "a tensor's last bytes lie past its bank's end",
                      [](Draft& d) { SetBankSizes(d, {0, 28}); })),
      Checked(Spoiled("placement-misaligned.pte", rule::kPlanAlignment, "S-21",
                      "a tensor of floats lies at an odd offset",
                      [](Draft& d) {
                        HeldBy(d, kY).Set(tensor::kPlacement, PlacementTable(1, 17));
                        SetBankSizes(d, {0, 48});
                      })),
  };
}

}  // namespace

Rows ObservedValueRows() {
  Rows rows = ValueRows();
  for (Rows part : {ObservedTensorRows(), ObservedInstructionRows()}) {
    for (Row& row : part) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace pteproof::crafted
