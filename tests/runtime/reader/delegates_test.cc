#include "pteproof/program.h"
#include "tests/runtime/reader/refusals.h"

namespace pteproof {
namespace {

using wire::AddFile;
using wire::File;

// The sound file with one delegate and an inline blob of four bytes.
File With(wire::Delegate delegate) {
  File file = AddFile();
  file.inline_blobs = {std::vector<uint8_t>{1, 2, 3, 4}};
  file.method().delegates = {std::move(delegate)};
  file.code().push_back(wire::CallDelegate(0, {1, 2}));
  return file;
}

TEST(Delegates, HaveTheirBlobInline) {
  const auto bytes = wire::Build(With({}));
  const auto read = ReadProgram(bytes);
  ASSERT_TRUE(read.ok());
  const Delegate& delegate = read.value().methods[0].delegates.at(0);
  EXPECT_EQ(delegate.id, "Backend");
  ASSERT_EQ(delegate.blob.size(), 4U);
  EXPECT_EQ(delegate.blob[3], std::byte{4});
}

TEST(Delegates, HaveTheirBlobInASegment) {
  const auto bytes = wire::Build(With({.blob = wire::Blob{1, 0}}));
  const auto read = ReadProgram(bytes);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value().methods[0].delegates.at(0).blob.size(), 12U);
}

TEST(Delegates, MayHaveAnEmptyBlob) {
  File file = With({});
  file.inline_blobs = {std::vector<uint8_t>{}};
  EXPECT_THAT(RulesOf(file), Accepted());
}

TEST(Delegates, KeepTheirCompileSpecs) {
  using Specs = std::vector<wire::CompileSpec>;
  const auto bytes =
      wire::Build(With({.specs = Specs{{.key = "a", .value = std::vector<uint8_t>{7}},
                                       {.key = "", .value = std::vector<uint8_t>{}}}}));
  const auto read = ReadProgram(bytes);
  ASSERT_TRUE(read.ok());
  const auto& specs = read.value().methods[0].delegates.at(0).specs;
  ASSERT_EQ(specs.size(), 2U);
  EXPECT_EQ(specs[0].key, "a");
  EXPECT_THAT(specs[0].value, testing::ElementsAre(std::byte{7}));
  EXPECT_EQ(specs[1].key, "");
  EXPECT_THAT(specs[1].value, testing::IsEmpty());
}

TEST(Delegates, RefusesAMissingId) {
  EXPECT_THAT(RulesOf(With({.id = {}})), RefusedBy(rule::kFileDelegate));
}

TEST(Delegates, RefusesABlobThatIsNotThere) {
  EXPECT_THAT(RulesOf(With({.blob = {}})), RefusedBy(rule::kFileDelegate));
  EXPECT_THAT(RulesOf(With({.blob = wire::Blob{0, 1}})), RefusedBy(rule::kFileDelegate));
  EXPECT_THAT(RulesOf(With({.blob = wire::Blob{1, 1}})), RefusedBy(rule::kFileDelegate));
  EXPECT_THAT(RulesOf(With({.blob = wire::Blob{2, 0}})), RefusedBy(rule::kFileDelegate));
  File file = With({});
  file.inline_blobs.reset();
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileDelegate));
  file.inline_blobs = {wire::InlineBytes{}};
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileDelegate));
}

TEST(Delegates, RefusesCompileSpecsWithoutKeyOrValue) {
  using Specs = std::vector<wire::CompileSpec>;
  const std::vector<uint8_t> value = {1};
  EXPECT_THAT(RulesOf(With({.specs = Specs{{"key", value}}})), Accepted());
  EXPECT_THAT(RulesOf(With({.specs = Specs{{{}, value}}})), RefusedBy(rule::kFileDelegate));
  EXPECT_THAT(RulesOf(With({.specs = Specs{{"key", {}}}})), RefusedBy(rule::kFileDelegate));
}

}  // namespace
}  // namespace pteproof
