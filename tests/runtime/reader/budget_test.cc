// The reader's budget runs out at every visit in turn, and the list of findings is full in every
// loop.
#include <fmt/format.h>

#include <filesystem>
#include <functional>

#include "program_generated.h"
#include "runtime/reader/context.h"
#include "runtime/reader/layout.h"
#include "runtime/reader/methods.h"
#include "runtime/reader/segments.h"
#include "tests/runtime/reader/refusals.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

using reader::Context;
using wire::AddFile;
using wire::File;

// What is read of a sound file when no more than `budget` bytes may be visited, and calls be given
// `listed` tensors by lists.
Context ReadWithin(Bytes file, uint64_t budget, uint64_t listed = 1000) {
  Context context;
  context.file = file;
  const auto layout = ReadLayout(context);
  context.tables = reinterpret_cast<const uint8_t*>(file.data());
  context.budget = budget;
  context.listed = listed;
  const schema::Program& wire = *schema::GetProgram(context.tables);
  Program program;
  ReadSegments(context, wire, *layout);
  if (!context.Stopped()) ReadConstants(context, wire, program);
  if (!context.Stopped()) ReadInitialValues(context, wire, program);
  if (!context.Stopped()) ReadNamedData(context, wire, program);
  if (!context.Stopped()) ReadMethods(context, wire, program);
  return context;
}

// A sound file with a bit of all that can be visited.
File Varied() {
  File file = AddFile();
  file.data.resize(48);
  file.segments = {wire::Segment{0, 12}, wire::Segment{16, 16}, wire::Segment{32, 16}};
  file.initial_values = {wire::Offsets{1, std::vector<uint64_t>{0, 0}}};
  file.named_data = {wire::NamedSegment{"weights", 2}, wire::NamedSegment{"more", 2}};
  file.inline_blobs = {wire::InlineBytes{{1, 2, 3}}};
  file.tensor(2).extra = wire::Extra{.name = "result"};
  file.Add(wire::Text("text"));
  file.Add(wire::List(wire::kIntList, {3, 3}));
  file.Add(wire::List(wire::kTensorList, {0, 1}));
  file.Add(wire::List(wire::kOptionalTensorList, {-1, 1}));
  file.Add(wire::List(wire::kBoolList, {0, 1}));
  file.Add(wire::Reals({0.5, 1.5}));
  file.method().delegates = {
      wire::Delegate{.specs = {{wire::CompileSpec{"key", std::vector<uint8_t>{1}}}}}};
  file.method().bank_devices = {wire::BankDevice{}};
  file.code().push_back(wire::CallDelegate(0, {1, 2}));
  file.methods->push_back(file.method());
  file.methods->back().name = "again";
  return file;
}

// Every budget up to the one that suffices.
void SweepBudgets(Bytes file) {
  ASSERT_TRUE(ReadProgram(file).ok());
  uint64_t budget = 0;
  for (;; ++budget) {
    const Context context = ReadWithin(file, budget);
    if (context.findings.empty()) break;
    ASSERT_TRUE(context.over_budget) << budget;
    ASSERT_EQ(context.findings.size(), 1U) << budget;
    ASSERT_EQ(context.findings[0].rule, rule::kFileAmplification) << budget;
    ASSERT_LT(budget, 2 * file.size()) << "a sound file never costs more";
  }
  EXPECT_GT(budget, 100U);
}

// What a file costs more than the one before it.
uint64_t CostOf(const File& file) {
  constexpr uint64_t kPlenty = 1 << 20;
  return kPlenty - ReadWithin(wire::Build(file), kPlenty).budget;
}
uint64_t AddedCost(const std::function<void(File&)>& change) {
  File file = AddFile();
  const uint64_t before = CostOf(file);
  change(file);
  return CostOf(file) - before;
}

// By hand, from what each part is in the file: a number or an offset of it, and its content.
TEST(Budget, IsSpentOnEachPartByItsSize) {
  EXPECT_EQ(AddedCost([](File& file) { file.Add(wire::Bool(true)); }), 16U);
  EXPECT_EQ(AddedCost([](File& file) { file.Add(wire::Planned({3}, 64)); }), 16U + 24 + 1);
  EXPECT_EQ(AddedCost([](File& file) { file.Add(wire::Planned({3, 1, 1}, 64)); }), 16U + 24 + 3);
  EXPECT_EQ(AddedCost([](File& file) { file.Add(wire::List(wire::kBoolList, {1, 0, 1})); }),
            16U + 4 + 2 * 3);
  EXPECT_EQ(AddedCost([](File& file) { file.Add(wire::List(wire::kIntList, {3, 3})); }),
            16U + 4 + 8 * 2);
  EXPECT_EQ(AddedCost([](File& file) { file.constants->offsets->push_back(0); }), 8U);
  EXPECT_EQ(AddedCost([](File& file) { file.named_data = {wire::NamedSegment{"abc", 0}}; }),
            16U + 8 + 3);
  EXPECT_EQ(AddedCost([](File& file) { file.method().bank_devices = {wire::BankDevice{}}; }), 8U);
}

// Each call pays for the tensors that its lists name, and for nothing else.
TEST(Budget, OfListedTensorsIsSpentToTheLast) {
  File file = AddFile();
  const int32_t tensors = file.Add(wire::List(wire::kTensorList, {0, 1, 2}));
  const int32_t ints = file.Add(wire::List(wire::kIntList, {3, 3, 3, 3}));
  file.method().operators->push_back({"my::op", "out"});
  file.code().push_back(wire::Call(1, {tensors, ints, 3, 2}));
  const auto bytes = wire::Build(file);
  EXPECT_FALSE(ReadWithin(bytes, 1 << 20, 3).over_budget);
  EXPECT_TRUE(ReadWithin(bytes, 1 << 20, 2).over_budget);
}

TEST(Budget, EndsReadingForThatAloneWhereverItRunsOut) {
  SweepBudgets(wire::Build(Varied()));
}

TEST(Budget, EndsReadingOfAnExportedFileLikewise) {
  SweepBudgets(ReadBytes(std::filesystem::path(PTEPROOF_CORPUS_DIR) / "public/add_model.pte"));
}

// More faults than are told.
constexpr int kFaults = 60;

struct Fault {
  std::string_view name;
  std::string_view rule;
  std::function<void(File&)> make;  // kFaults times, in a sound file
};

template <class Each>
auto Times(Each each) {
  return [each](File& file) {
    for (int i = 0; i < kFaults; ++i) each(file, i);
  };
}

wire::Value Unknown() {
  wire::Value value = wire::Null();
  value.tag = 77;
  return value;
}

const std::vector<Fault>& FaultsOfAllKinds() {
  static const std::vector<Fault> faults = {
      {"values", rule::kFileValue, Times([](File& f, int) { f.Add(Unknown()); })},
      {"texts", rule::kFileValue, Times([](File& f, int) {
         wire::Value text = wire::Text("");
         text.text.reset();
         f.Add(text);
       })},
      {"items", rule::kFileListItem,
       [](File& f) { f.Add(wire::List(wire::kIntList, std::vector<int64_t>(kFaults, 999))); }},
      {"tensors", rule::kFileTensorType, Times([](File& f, int) {
         f.Add(wire::Float({1}));
         f.method().values->back().tensor.type = 99;
       })},
      {"bank sizes", rule::kFileBankSize,
       Times([](File& f, int) { f.method().bank_sizes->push_back(-1); })},
      {"devices", rule::kFileDevice,
       Times([](File& f, int) { f.method().bank_devices.push_back({.bank = 99}); })},
      {"inputs", rule::kFileIo, Times([](File& f, int) { f.method().inputs->push_back(999); })},
      {"constant inputs", rule::kFileIo,
       Times([](File& f, int) { f.method().inputs->push_back(0); })},
      {"operators", rule::kFileOperator,
       Times([](File& f, int) { f.method().operators->emplace_back(); })},
      {"delegates", rule::kFileDelegate, Times([](File& f, int) {
         f.method().delegates->push_back({.id = std::nullopt, .blob = wire::Blob{1, 0}});
       })},
      {"compile specs", rule::kFileDelegate,
       [](File& f) {
         f.method().delegates = {wire::Delegate{.blob = wire::Blob{1, 0},
                                                .specs = std::vector<wire::CompileSpec>(kFaults)}};
       }},
      {"instructions", rule::kFileMove,
       Times([](File& f, int) { f.code().push_back(wire::Move(3, 1)); })},
      {"chains", rule::kFilePlan,
       Times([](File& f, int) { f.method().chains->push_back(std::nullopt); })},
      {"chains of faults", rule::kFileMove,
       Times([](File& f, int) { f.method().chains->push_back(std::vector{wire::Move(3, 1)}); })},
      {"reads", rule::kFileTensorMemory, Times([](File& f, int) {
         const int32_t lost = f.Add(wire::Float({3}));
         f.code().push_back(wire::Call(0, {lost, 0, 3, 2, 2}));
       })},
      {"segments", rule::kFileSegments,
       Times([](File& f, int) { f.segments->push_back({1 << 20, 16}); })},
      {"constants", rule::kFileConstantData,
       Times([](File& f, int) { f.constants->offsets->push_back(1 << 20); })},
      {"named data", rule::kFileNamedData,
       [](File& f) { f.named_data = std::vector<wire::NamedSegment>(kFaults); }},
      {"keys", rule::kFileNamedData,
       [](File& f) { f.named_data = std::vector<wire::NamedSegment>(kFaults + 1, {"key", 0}); }},
      {"methods", rule::kFileMethodName, Times([](File& f, int) {
         f.methods->push_back(f.method());
         f.methods->back().name = "";
       })},
      {"method names", rule::kFileMethodName,
       Times([](File& f, int) { f.methods->push_back(f.method()); })},
  };
  return faults;
}

TEST(ManyFaults, OfAnyKindAreToldUpToTheLimit) {
  for (const Fault& fault : FaultsOfAllKinds()) {
    SCOPED_TRACE(fault.name);
    File file = AddFile();
    fault.make(file);
    const auto bytes = wire::Build(file);
    const auto read = ReadProgram(bytes);
    ASSERT_FALSE(read.ok());
    ASSERT_EQ(read.error().size(), static_cast<size_t>(kMaxFileFindings));
    for (const Finding& finding : read.error()) EXPECT_EQ(finding.rule, fault.rule);
    EXPECT_THAT(read.error().back().explanation,
                testing::EndsWith("There are more findings in this file than are listed."));
  }
}

// Kinds are read before values are: what refers to a value that was refused is not blamed too.
TEST(ManyFaults, OfAValueThatManyUseAreOne) {
  File file = AddFile();
  const int32_t broken = file.Add(Unknown());
  for (const wire::ValueTag tag : {wire::kIntList, wire::kTensorList, wire::kOptionalTensorList})
    file.Add(wire::List(tag, {broken}));
  file.code().push_back(wire::Move(broken, 2));
  file.code().push_back(wire::Move(1, broken));
  file.code().push_back(wire::JumpFalse(broken, 0));
  file.code().push_back(wire::Free(broken));
  file.code().push_back(wire::Call(0, {broken, 0, 3, 2, broken}));
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileValue));
}

}  // namespace
}  // namespace pteproof
