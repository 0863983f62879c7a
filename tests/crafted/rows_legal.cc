#include <utility>

#include "tests/crafted/rows.h"

namespace pteproof::crafted {
namespace {

Row Legal(std::string file, std::string_view row, std::string subject,
          std::function<void(Draft&)> change) {
  return Spoiled(std::move(file), {}, row, std::move(subject), std::move(change));
}

// A constant of the given sizes over the bytes of w; no more than four elements.
int32_t AddConstant(Draft& d, const std::vector<int32_t>& sizes) {
  const int32_t added = AddTensor(d, TensorTable(sizes));
  HeldBy(d, added).SetScalar(tensor::kDataIndex, 4, 1);
  return added;
}

void SetCall(Draft& d, size_t instruction, const std::vector<int32_t>& args) {
  CallAt(d, instruction).Set(call::kArgs, Ints(args));
}

void MoveTo(Draft& d, int32_t value, uint64_t offset) {
  HeldBy(d, value).Set(tensor::kPlacement, PlacementTable(1, offset));
}

// y = x + state; state = y, by an in-place copy whose returned name is the given value, or state
// (-1).
void AddStateUpdate(Draft& d, bool returns_another_value) {
  const int32_t state = AddTensor(d, PlannedTensor({2, 2}, 32));
  SetBankSizes(d, {0, 48});
  SetCall(d, 0, {kX, state, kOne, kY, kY});
  const int32_t returned = returns_another_value ? AddTensor(d, PlannedTensor({2, 2}, 32)) : state;
  const int32_t blocking = AddValue(d, tag::kBool, BoolTable(0));
  AddCall(d, AddOperator(d, "aten::copy_", ""), {state, kY, blocking, returned});
}

Rows PlanRows() {
  return {
      Legal("elided-view.pte", "H-01",
            "two live tensors at one placement: a view without instruction",
            [](Draft& d) {
              const int32_t made = AddTensor(d, PlannedTensor({2, 2}, 16));
              const int32_t view = AddTensor(d, PlannedTensor({4}, 16));
              HeldBy(d, kY) = *PlannedTensor({4}, 32);
              SetBankSizes(d, {0, 48});
              SetCall(d, 0, {kX, kW, kOne, made, made});
              AddCall(d, 0, {view, AddConstant(d, {4}), kOne, kY, kY});
            }),
      Legal("constants-share-bytes.pte", "H-02", "two constants have the same index",
            [](Draft& d) {
              MoveTo(d, kY, 32);
              SetBankSizes(d, {0, 48});
              const int32_t sum = AddTensor(d, PlannedTensor({2, 2}, 16));
              SetCall(d, 0, {kX, kW, kOne, sum, sum});
              AddCall(d, 0, {sum, AddConstant(d, {2, 2}), kOne, kY, kY});
            }),
      Legal("partial-overlap-of-dead-tensors.pte", "H-03",
            "planned tensors overlap in part, but never live together",
            [](Draft& d) {
              const int32_t column = AddConstant(d, {2, 1});
              HeldBy(d, kX) = *PlannedTensor({4}, 0);
              HeldBy(d, kY) = *PlannedTensor({2, 4}, 0);
              const int32_t first = AddTensor(d, PlannedTensor({2, 4}, 16));
              const int32_t second = AddTensor(d, PlannedTensor({2, 4}, 48));
              SetBankSizes(d, {0, 80});
              SetCall(d, 0, {kX, column, kOne, first, first});
              AddCall(d, 0, {first, column, kOne, second, second});
              AddCall(d, 0, {second, column, kOne, kY, kY});
            }),
      Legal("result-over-dying-operand.pte", "H-04",
            "an elementwise result takes the bytes of an operand that dies",
            [](Draft& d) {
              MoveTo(d, kY, 0);
              SetBankSizes(d, {0, 16});
            }),
      Legal("in-place-returns-self.pte", "H-05",
            "an in-place copy returns the tensor that it writes",
            [](Draft& d) { AddStateUpdate(d, false); }),
      Legal("in-place-returns-other-value.pte", "H-05",
            "an in-place copy returns another value at the same placement",
            [](Draft& d) { AddStateUpdate(d, true); }),
      Legal("empty-tensor-at-bank-end.pte", "H-12", "a tensor of no bytes lies at its bank's end",
            [](Draft& d) { AddTensor(d, PlannedTensor({0}, 32)); }),
      Legal("placement-above-4-gib.pte", "H-15", "a placement needs the high half of its offset",
            [](Draft& d) {
              MoveTo(d, kY, uint64_t{1} << 32);
              SetBankSizes(d, {0, (int64_t{1} << 32) + 16});
            }),
  };
}

void AddBatchNorm(Draft& d) {
  const int32_t channel = AddConstant(d, {2});
  const int32_t momentum = AddValue(d, tag::kDouble, Table());
  const int32_t mean = AddTensor(d, TensorTable({0}, 0));
  const int32_t deviation = AddTensor(d, TensorTable({0}, 0));
  const int32_t results = AddValue(d, tag::kTensorList, ListOf(Ints({kY, mean, deviation})));
  const int32_t op = AddOperator(d, "aten::_native_batch_norm_legit_no_training", "out");
  CallAt(d, 0).SetScalar(call::kIndex, 4, static_cast<uint32_t>(op));
  SetCall(
      d, 0,
      {kX, channel, channel, channel, channel, momentum, momentum, kY, mean, deviation, results});
}

void AddLoop(Draft& d) {
  const int32_t turn = AddValue(d, tag::kInt, IntTable(0));
  const int32_t turns = AddValue(d, tag::kInt, IntTable(2));
  const int32_t done = AddValue(d, tag::kBool, BoolTable(0));
  const int32_t never = AddValue(d, tag::kBool, BoolTable(0));
  AddCall(d, AddOperator(d, "executorch_prim::add", "Scalar"), {turn, kOne, turn});
  AddCall(d, AddOperator(d, "executorch_prim::eq", "Scalar"), {turn, turns, done});
  AddInstruction(d, call::kJumpFalse, done, 0);
  AddCall(d, AddOperator(d, "executorch_prim::sub", "Scalar"), {turn, turns, turn});
  AddInstruction(d, call::kJumpFalse, never, 6);
}

void AddConstantMethod(Draft& d) {
  Ref number = Table();
  number->SetScalar(value::kTag, 1, tag::kInt).Set(value::kHeld, IntTable(128));
  Ref chain = Table();
  chain->Set(chain::kInstructions, References({}));
  Ref plan = Table();
  plan->Set(method::kName, Text("get_max_seq_len"))
      .Set(method::kValues, References({number}))
      .Set(method::kInputs, Ints({}))
      .Set(method::kOutputs, Ints({0}))
      .Set(method::kChains, References({chain}))
      .Set(method::kOperators, References({}))
      .Set(method::kDelegates, References({}))
      .Set(method::kBankSizes, Longs({0}));
  d.root->Get(program::kMethods)->references.push_back(plan);
}

// Two calls of delegates with equal segments, then one whose blob is empty and inline.
void AddDelegates(Draft& d) {
  d.root->Set(program::kInlineBlobs, References({ListOf(Bytes8("", 16))}));
  const auto blob = static_cast<uint32_t>(AddSegment(d, "delegate's blob."));
  AddDelegate(d, 1, blob);
  AddDelegate(d, 1, blob);
  AddDelegate(d, 0, 0);
  for (const int32_t index : {1, 2}) {
    AddInstruction(d, call::kDelegate, index);
    CallAt(d, static_cast<size_t>(index)).Set(call::kArgs, Ints({kX, kY}));
  }
}

Rows ProgramRows() {
  return {
      Legal("no-constants-no-header.pte", "H-06", "no constants: an empty segment and no header",
            [](Draft& d) { d = ProgramWithoutSegments(); }),
      Legal("constant-method.pte", "H-09", "a method of no instructions returns a number",
            AddConstantMethod),
      Legal("outputs-of-all-kinds.pte", "H-10", "outputs are repeated, an Int, and an input",
            [](Draft& d) { SetIo(d, {kX}, {kY, kY, kOne, kX}); }),
      Legal("optional-tensor-list-with-none.pte", "H-11", "an OptionalTensorList holds a none",
            [](Draft& d) { AddValue(d, tag::kOptionalTensorList, ListOf(Ints({-1, kX}))); }),
      Legal("empty-tensor-for-unused-result.pte", "H-13",
            "results that no one wants are empty tensors without memory", AddBatchNorm),
      Legal("jumps-back-and-to-end.pte", "H-14",
            "a loop, and a jump to behind the last instruction", AddLoop),
      Legal("operator-without-overload.pte", "H-16 S-47", "an operator has no overload name",
            [](Draft& d) {
              AddStateUpdate(d, false);
              Plan(d).Get(method::kOperators)->references[1]->Remove(op::kOverload);
            }),
      Legal("delegates-share-segment.pte", "H-17",
            "delegates share a segment, and one has an empty inline blob", AddDelegates),
      Legal("unused-parts.pte", "H-18", "a value and an operator are used by nothing",
            [](Draft& d) {
              AddTensor(d, TensorTable({3}));
              AddOperator(d, "aten::mul", "out");
            }),
      Legal("named-data-key-is-prefix.pte", "B-08", "one key of the named data begins another",
            [](Draft& d) { AddNamedData(d, {"a", "ab"}, 0); }),
      Legal("container-type-absent.pte", "B-10", "a method has no container description",
            [](Draft& d) { Plan(d).Remove(method::kContainer); }),
      Legal("jump-to-itself.pte", "B-18", "a loop without end: running it stops at a limit",
            [](Draft& d) {
              AddInstruction(d, call::kJumpFalse, AddValue(d, tag::kBool, BoolTable(0)), 1);
            }),
      Legal("delegate-without-compile-specs.pte", "B-22", "a delegate has no compile specs",
            [](Draft& d) {
              const auto blob = static_cast<uint32_t>(AddSegment(d, "delegate's blob."));
              AddDelegate(d, 1, blob)->Remove(delegate::kSpecs);
            }),
      Legal("tensor-rank-16.pte", "CVE-2025-54951", "a tensor has as many dimensions as the limit",
            [](Draft& d) { AddTensor(d, TensorTable(std::vector<int32_t>(16, 1))); }),
      Legal("tensor-types-beyond-schema.pte", "S-23",
            "element types that the exporter's schema does not list",
            [](Draft& d) {
              for (uint8_t type : std::vector<uint8_t>{8, 9, 10, 18, 19, 20, 21})
                AddTensor(d, TensorTable({1}, type));
            }),
      Legal("bool-bytes-of-2.pte", "S-50", "bools are stored as bytes of 2",
            [](Draft& d) {
              AddValue(d, tag::kBool, BoolTable(2));
              AddValue(d, tag::kBoolList, ListOf(Bytes8("\2")));
            }),
  };
}

Rows ByteRows() {
  return {
      Patched("header-of-24-bytes.pte", {}, "H-07 S-35", "the header is that of older files",
              [](std::string& bytes) {
                Patch32(bytes, 12, 24);
                Patch64(bytes, 32, 0);
              }),
      Patched("header-of-40-bytes.pte", {}, "H-07 S-35", "the header is longer than today's",
              [](std::string& bytes) { Patch32(bytes, 12, 40); }),
      Patched("bytes-after-last-segment.pte", {}, "H-08", "the file goes on after its last segment",
              [](std::string& bytes) { bytes += "more"; }),
  };
}

Rows SideRows() {
  return {
      {"data-early-layout.ptd",
       {},
       "-",
       "read",
       "data in the layout of the format's first months",
       [] { return FileBytes(EarlyData()); }},
      {"data-blob-without-layout.ptd",
       {},
       "C-15",
       "read",
       "an entry is a blob and no tensor",
       [] {
         DataDraft draft = BaseData();
         EntryAt(draft, 0).Remove(data::kLayoutTable);
         return FileBytes(draft);
       }},
      {"data-entries-share-segment.ptd",
       {},
       "-",
       "read",
       "two keys stand for one segment",
       [] {
         DataDraft draft = BaseData();
         EntryAt(draft, 1).SetScalar(data::kSegmentIndex, 4, 0);
         return FileBytes(draft);
       }},
      {"bundle-without-expectation.bpte",
       {},
       "-",
       "read",
       "a test case expects nothing",
       [] {
         BundleDraft draft = BaseBundle();
         CaseAt(draft, 0, 0).Remove(bundle::kExpected);
         return FileBytes(draft);
       }},
  };
}

}  // namespace

Rows LegalRows() {
  Rows rows = PlanRows();
  for (Rows part : {ProgramRows(), ByteRows(), SideRows()}) {
    for (Row& row : part) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace pteproof::crafted
