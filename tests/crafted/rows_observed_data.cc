#include <utility>

#include "runtime/file_rules.h"
#include "tests/crafted/rows.h"

namespace pteproof::crafted {
namespace {

Row ConstantOffsetRow(std::string file, uint64_t offset, std::string subject) {
  return Spoiled(std::move(file), rule::kFileConstantAlignment, "S-22", std::move(subject),
                 [offset](Draft& d) {
                   d.area.append(16, '\0');
                   SegmentAt(d, 0).SetScalar(segment::kSize, 8, 32);
                   d.root->Get(program::kConstants)->Set(segment::kOffsets, ULongs({0, offset}));
                 });
}

Row IdentifierRow(std::string file, const std::string& identifier, std::string subject) {
  return Patched(std::move(file), rule::kFileIdentifier, "S-37", std::move(subject),
                 [identifier](std::string& bytes) { bytes.replace(4, 4, identifier); });
}

Rows ObservedStoredRows() {
  return {
      Spoiled("constant-segment-wraps-to-file-start.pte", rule::kFileSegments, "S-02 C-17",
              "the constants' segment lies at the file's start, by wrapping",
              [](Draft& d) { SegmentAt(d, 0).SetScalar(segment::kOffset, 8, 0 - SegmentBase(d)); }),
      Spoiled("named-data-segment-wraps-to-file-start.pte", rule::kFileSegments, "S-03",
              "a named blob's segment lies at the file's start, by wrapping",
              [](Draft& d) {
                AddNamedData(d, {"blob"}, static_cast<uint32_t>(AddSegment(d, "sixteen bytes...")));
                SegmentAt(d, 1).SetScalar(segment::kOffset, 8, 0 - SegmentBase(d));
              }),
      Spoiled("segment-past-end.pte", rule::kFileSegments, "-",
              "a segment's last 8 bytes lie past the file's end",
              [](Draft& d) { SegmentAt(d, 0).SetScalar(segment::kSize, 8, 24); }),
      Spoiled("constant-as-input.pte", rule::kFileIo, "S-06", "a constant is listed as an input",
              [](Draft& d) { SetIo(d, {kX, kW}, {kY}); }),
      ConstantOffsetRow("constant-at-offset-1.pte", 1, "a constant of floats lies at offset 1"),
      ConstantOffsetRow("constant-at-offset-2.pte", 2, "a constant of floats lies at offset 2"),
      Spoiled("delegate-segment-index-out-of-range.pte", rule::kFileDelegate, "S-26",
              "a delegate's blob lies in segment 5 of 1", [](Draft& d) { AddDelegate(d, 1, 5); }),
      Spoiled("initial-value-index-out-of-range.pte", rule::kFileMutableData, "S-44",
              "a tensor takes initial value 9 of 1",
              [](Draft& d) { AddInitialised(d, 9, "sixteen bytes..."); }),
      Spoiled("initial-value-without-table.pte", rule::kFileMutableData, "S-44",
              "a tensor takes an initial value; the file stores none",
              [](Draft& d) {
                AddInitialised(d, 1, "sixteen bytes...");
                d.root->Remove(program::kInitialValues);
              }),
      Spoiled("initial-value-too-short.pte", rule::kFileMutableData, "S-44",
              "8 of a tensor's 16 initial bytes are stored",
              [](Draft& d) { AddInitialised(d, 1, "8 bytes."); }),
      Spoiled("initial-value-in-other-segment.pte", rule::kFileMutableData, "S-45",
              "a tensor asks for mutable segment 5; runtimes take the first all the same",
              [](Draft& d) {
                Ref extra = Table();
                extra->SetScalar(extra::kMutableSegment, 8, 5);
                HeldBy(d, AddInitialised(d, 1, "sixteen bytes...")).Set(tensor::kExtra, extra);
              }),
  };
}

Rows MethodRows() {
  return {
      Spoiled("bank-size-negative.pte", rule::kFileBankSize, "S-30", "a bank has -1 bytes",
              [](Draft& d) { SetBankSizes(d, {0, 32, -1}); }),
      Spoiled("bank-size-huge.pte", rule::kFileBankSize, "S-30", "a bank has 2^62 bytes",
              [](Draft& d) { SetBankSizes(d, {0, 32, int64_t{1} << 62}); }),
      Spoiled("method-without-chains.pte", rule::kFilePlan, "S-31",
              "a method has no list of chains", [](Draft& d) { Plan(d).Remove(method::kChains); }),
      Spoiled("chain-without-instructions.pte", rule::kFilePlan, "S-31",
              "a chain has no list of instructions",
              [](Draft& d) {
                Plan(d).Get(method::kChains)->references[0]->Remove(chain::kInstructions);
              }),
      Spoiled("program-without-methods.pte", rule::kFilePlan, "S-32", "a file has no methods",
              [](Draft& d) { d.root->Remove(program::kMethods); }),
      Spoiled("method-without-values.pte", rule::kFilePlan, "S-33",
              "a method has no table of values",
              [](Draft& d) {
                Plan(d).Remove(method::kValues);
                SetIo(d, {}, {});
                const Ref chain = Plan(d).Get(method::kChains)->references[0];
                chain->Get(chain::kInstructions)->references.clear();
              }),
      Spoiled("method-name-twice.pte", rule::kFileMethodName, "S-39",
              "two methods have the same name",
              [](Draft& d) {
                std::vector<Ref>& methods = d.root->Get(program::kMethods)->references;
                methods.push_back(std::make_shared<Object>(*methods[0]));
              }),
      Spoiled("list-shared-by-many-values.pte", rule::kFileAmplification, "-",
              "6,000 values share one list of 6,000 numbers",
              [](Draft& d) {
                const Ref shared = ListOf(Doubles(std::vector<double>(6'000)));
                Ref first = Table();
                first->SetScalar(value::kTag, 1, tag::kDoubleList).Set(value::kHeld, shared);
                std::vector<Ref>& values = Plan(d).Get(method::kValues)->references;
                values.resize(values.size() + 6'000, first);
              }),
  };
}

// Without segments, whose place would be missed too.
std::string CutInsideTables() {
  Draft draft = ProgramWithoutSegments();
  draft.header = true;
  std::string bytes = FileBytes(draft);
  Patch64(bytes, 24, 0);
  bytes.resize(bytes.size() - 64);
  return bytes;
}

Rows HeaderRows() {
  return {
      Patched("header-magic-damaged.pte", rule::kFileHeader, "S-34",
              "the file has segments, but its header's magic is damaged",
              [](std::string& bytes) { bytes[8] = 'E'; }),
      Patched("header-too-short.pte", rule::kFileHeader, "S-35",
              "the header says that it has 16 bytes",
              [](std::string& bytes) { Patch32(bytes, 12, 16); }),
      Patched("program-size-past-end.pte", rule::kFileHeader, "S-36",
              "the flatbuffer is said to be larger than the file",
              [](std::string& bytes) { Patch64(bytes, 16, bytes.size() + 64); }),
      {"file-ends-inside-tables.pte", rule::kFileHeader, "S-36", "read",
       "the last 64 bytes of a file without segments are missing", CutInsideTables},
      Patched("program-size-too-small.pte", rule::kFileFlatbuffer, "S-36",
              "the flatbuffer is said to end before its last tables",
              [](std::string& bytes) { Patch64(bytes, 16, 320); }),
      IdentifierRow("identifier-ET13.pte", "ET13", "the identifier is that of a later format"),
      IdentifierRow("identifier-ET11.pte", "ET11", "the identifier is that of an earlier format"),
      IdentifierRow("identifier-zero.pte", std::string(4, '\0'), "the identifier is zero"),
      Spoiled("schema-version-newer.pte", rule::kFileIdentifier, "1.5.1",
              "the schema version is 1, and runtimes know 0",
              [](Draft& d) { d.root->SetScalar(program::kVersion, 4, 1); }),
      Patched("file-of-63-bytes.pte", rule::kFileTooShort, "S-38", "the file ends after 63 bytes",
              [](std::string& bytes) { bytes.resize(63); }),
  };
}

}  // namespace

Rows ObservedDataRows() {
  Rows rows = ObservedStoredRows();
  for (Rows part : {MethodRows(), HeaderRows()}) {
    for (Row& row : part) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace pteproof::crafted
