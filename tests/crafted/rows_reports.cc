#include <utility>

#include "runtime/file_rules.h"
#include "tests/crafted/rows.h"

namespace pteproof::crafted {
namespace {

constexpr uint32_t kHuge = 0x10000000;

Row LengthRow(std::string part, std::function<Ref(Draft&)> vector) {
  return Spoiled("forged-length-of-" + part + ".pte", rule::kFileFlatbuffer, "C-01",
                 "the length in front of " + part + " is 2^28",
                 [vector = std::move(vector)](Draft& d) { vector(d)->forged_length = kHuge; });
}

// The items of an unused list value.
Row ItemsRow(std::string part, uint8_t tag, Ref items) {
  return LengthRow(std::move(part), [tag, items](Draft& d) {
    const Ref own = std::make_shared<Object>(*items);
    AddValue(d, tag, ListOf(own));
    return own;
  });
}

// A vector that the base program does not have.
Row AddedRow(std::string part, uint16_t field, bool in_method) {
  return LengthRow(std::move(part), [field, in_method](Draft& d) {
    Ref vector = References({});
    (in_method ? Plan(d) : *d.root).Set(field, vector);
    return vector;
  });
}

Rows MethodLengthRows() {
  return {
      LengthRow("methods", [](Draft& d) { return d.root->Get(program::kMethods); }),
      LengthRow("values", [](Draft& d) { return Plan(d).Get(method::kValues); }),
      LengthRow("chains", [](Draft& d) { return Plan(d).Get(method::kChains); }),
      LengthRow("instructions",
                [](Draft& d) {
                  return Plan(d).Get(method::kChains)->references[0]->Get(chain::kInstructions);
                }),
      LengthRow("operators", [](Draft& d) { return Plan(d).Get(method::kOperators); }),
      LengthRow("arguments", [](Draft& d) { return CallAt(d, 0).Get(call::kArgs); }),
      LengthRow("delegates", [](Draft& d) { return Plan(d).Get(method::kDelegates); }),
      LengthRow("compile-specs",
                [](Draft& d) { return AddDelegate(d, 1, 0)->Get(delegate::kSpecs); }),
      LengthRow("inputs", [](Draft& d) { return Plan(d).Get(method::kInputs); }),
      LengthRow("outputs", [](Draft& d) { return Plan(d).Get(method::kOutputs); }),
      AddedRow("bank-devices", method::kBankDevices, true),
  };
}

Rows ValueLengthRows() {
  return {
      ItemsRow("int-list", tag::kIntList, Longs({kOne})),
      ItemsRow("bool-list", tag::kBoolList, Bytes8("\1")),
      ItemsRow("double-list", tag::kDoubleList, Doubles({1.0})),
      ItemsRow("tensor-list", tag::kTensorList, Ints({kX})),
      ItemsRow("optional-tensor-list", tag::kOptionalTensorList, Ints({kX})),
      LengthRow("constant-offsets",
                [](Draft& d) { return d.root->Get(program::kConstants)->Get(segment::kOffsets); }),
      LengthRow("initial-value-offsets",
                [](Draft& d) {
                  AddInitialised(d, 1, "sixteen bytes...");
                  const Ref tables = d.root->Get(program::kInitialValues);
                  return tables->references[0]->Get(segment::kOffsets);
                }),
      LengthRow("segments", [](Draft& d) { return d.root->Get(program::kSegments); }),
      AddedRow("named-data", program::kNamedData, false),
      AddedRow("inline-blobs", program::kInlineBlobs, false),
      LengthRow("inline-blob-bytes",
                [](Draft& d) {
                  Ref bytes = Bytes8("blob", 16);
                  d.root->Set(program::kInlineBlobs, References({ListOf(bytes)}));
                  AddDelegate(d, 0, 0);
                  return bytes;
                }),
  };
}

// The root table stands where the first four bytes say; its vtable lies right before it.
size_t RootOf(const std::string& bytes) {
  return static_cast<unsigned char>(bytes[0]);
}

Row OffsetRow(std::string file, std::string subject, std::function<void(std::string&)> patch) {
  return Patched(std::move(file), rule::kFileFlatbuffer, "C-03", std::move(subject),
                 std::move(patch));
}

Rows OffsetRows() {
  constexpr size_t kVtableOfProgram = 4 + 2 * 6;
  return {
      OffsetRow("vtable-outside-file.pte", "the root table's vtable lies before the file's start",
                [](std::string& bytes) { Patch32(bytes, RootOf(bytes), 0x7FFFFFFF); }),
      OffsetRow("vtable-too-long.pte", "the root table's vtable is said to have 65534 bytes",
                [](std::string& bytes) {
                  bytes[RootOf(bytes) - kVtableOfProgram] = '\xFE';
                  bytes[RootOf(bytes) - kVtableOfProgram + 1] = '\xFF';
                }),
      OffsetRow("field-outside-file.pte", "a field of the root table lies past the file's end",
                [](std::string& bytes) {
                  bytes[RootOf(bytes) - kVtableOfProgram + 6] = '\xFC';
                  bytes[RootOf(bytes) - kVtableOfProgram + 7] = '\xFF';
                }),
      OffsetRow("vector-outside-file.pte", "a vector of the root table lies past the file's end",
                [](std::string& bytes) { Patch32(bytes, RootOf(bytes) + 8, 0x40000000); }),
  };
}

Rows DelegateRows() {
  const auto with = [](std::string file, std::string_view row, std::string subject,
                       std::function<void(Draft&, Object&)> change) {
    return Spoiled(std::move(file), rule::kFileDelegate, row, std::move(subject),
                   [change = std::move(change)](Draft& d) {
                     d.root->Set(program::kInlineBlobs, References({ListOf(Bytes8("blob", 16))}));
                     change(d, *AddDelegate(d, 0, 0));
                   });
  };
  return {
      with("compile-spec-without-key.pte", "C-05 S-25", "a compile spec has no key",
           [](Draft&, Object& added) {
             added.Get(delegate::kSpecs)->references[0]->Remove(delegate::kKey);
           }),
      with("compile-spec-without-value.pte", "C-05", "a compile spec has no value",
           [](Draft&, Object& added) {
             added.Get(delegate::kSpecs)->references[0]->Remove(delegate::kValue);
           }),
      with("delegate-without-blob.pte", "C-07 S-25", "a delegate does not say where its blob is",
           [](Draft&, Object& added) { added.Remove(delegate::kBlob); }),
      with("inline-blob-without-bytes.pte", "C-08", "a delegate's inline blob has no bytes",
           [](Draft& d, Object&) { d.root->Set(program::kInlineBlobs, References({Table()})); }),
  };
}

Rows OverflowRows() {
  return {
      Spoiled("tensor-sizes-wrap-to-huge.pte", rule::kFileTensorShape, "C-10",
              "three sizes of 2,000,000,000 multiply to more than 64 bits",
              [](Draft& d) {
                AddTensor(d, TensorTable({2'000'000'000, 2'000'000'000, 2'000'000'000}));
              }),
  };
}

}  // namespace

Rows ReportRows() {
  Rows rows = MethodLengthRows();
  for (Rows part : {ValueLengthRows(), OffsetRows(), DelegateRows(), OverflowRows()}) {
    for (Row& row : part) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace pteproof::crafted
