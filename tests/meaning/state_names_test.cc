#include "meaning/state_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/properties/checks/analysed.h"
#include "tests/support/method_builder.h"

namespace pteproof::meaning {
namespace {

using checks::Analysed;

using ::testing::ElementsAre;

// Stores to so many unnamed buffers of four floats each.
MethodBuilder Stores(int buffers) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  for (int i = 0; i < buffers; ++i) b.Copy(b.Planned(2, 16 * static_cast<uint64_t>(i), {4}), x);
  return b;
}

ManifestBuffer Buffer(std::vector<int64_t> sizes) {
  ManifestBuffer buffer;
  buffer.dtype = ScalarType::kFloat32;
  buffer.sizes = std::move(sizes);
  return buffer;
}

// The keys of the method's states where the manifest states these buffers, which it mutates.
std::vector<std::string> NamesGiven(const MethodBuilder& b,
                                    const std::map<std::string, ManifestBuffer>& buffers) {
  Manifest manifest;
  manifest.buffers = buffers;
  ManifestMethod stated;
  stated.mutates.emplace();
  for (const auto& [name, buffer] : buffers) stated.mutates->push_back(name);
  const Analysed a(b);
  Roles roles = a.check.roles;
  NameStates(a.method, stated, manifest, roles);
  std::vector<std::string> keys;
  for (const StateSlot& slot : roles.states) keys.emplace_back(slot.key);
  return keys;
}

TEST(StateNames, AreGivenWhereOneBufferFitsOneState) {
  EXPECT_THAT(NamesGiven(Stores(1), {{"cache", Buffer({2, 2})}}), ElementsAre("cache"));
}

TEST(StateNames, AreNotGivenWhereTheSizeDiffers) {
  EXPECT_THAT(NamesGiven(Stores(1), {{"cache", Buffer({5})}}), ElementsAre(""));
}

TEST(StateNames, AreNotGivenWhereOneBufferFitsTwoStates) {
  EXPECT_THAT(NamesGiven(Stores(2), {{"cache", Buffer({4})}}), ElementsAre("", ""));
}

TEST(StateNames, AreNotGivenWhereTwoBuffersFitOneState) {
  EXPECT_THAT(NamesGiven(Stores(1), {{"a", Buffer({4})}, {"b", Buffer({4})}}), ElementsAre(""));
}

TEST(StateNames, AreNotGivenWhereTheStatedSizesOverflow) {
  constexpr int64_t kHuge = int64_t{1} << 62;
  EXPECT_THAT(NamesGiven(Stores(1), {{"cache", Buffer({kHuge, 4})}}), ElementsAre(""));
}

TEST(StateNames, AreNotGivenWhereTypeOrSizesAreNotStated) {
  ManifestBuffer untyped = Buffer({4});
  untyped.dtype.reset();
  EXPECT_THAT(NamesGiven(Stores(1), {{"cache", untyped}}), ElementsAre(""));
  ManifestBuffer unsized = Buffer({4});
  unsized.sizes.reset();
  EXPECT_THAT(NamesGiven(Stores(1), {{"cache", unsized}}), ElementsAre(""));
}

TEST(StateNames, AreNotGivenTwice) {
  MethodBuilder b = Stores(1);
  b.Copy(b.Planned(3, 0, {4}, "cache"), 0);
  EXPECT_THAT(NamesGiven(b, {{"cache", Buffer({4})}}), ElementsAre("", "cache"));
}

TEST(StateNames, AreGivenByTypeToo) {
  MethodBuilder b = Stores(1);
  const int32_t whole = b.Planned(3, 0, {4}, {}, ScalarType::kInt32);
  b.Copy(whole, whole);
  ManifestBuffer steps = Buffer({4});
  steps.dtype = ScalarType::kInt32;
  EXPECT_THAT(NamesGiven(b, {{"cache", Buffer({4})}, {"steps", steps}}),
              ElementsAre("cache", "steps"));
}

// Listed by the method, but not among the buffers.
TEST(StateNames, AreNotGivenOfBuffersThatTheManifestDoesNotDescribe) {
  Manifest manifest;
  manifest.buffers.emplace();
  ManifestMethod stated;
  stated.mutates = {"gone"};
  stated.reads = {"missing"};
  const Analysed a(Stores(1));
  Roles roles = a.check.roles;
  NameStates(a.method, stated, manifest, roles);
  EXPECT_EQ(roles.states.front().key, "");
  manifest.buffers.reset();
  NameStates(a.method, stated, manifest, roles);
  EXPECT_EQ(roles.states.front().key, "");
}

TEST(StatedBuffers, AreThoseReadAndThoseMutatedOnce) {
  ManifestMethod stated;
  EXPECT_TRUE(StatedBuffers(stated).empty());
  stated.mutates = {"b", "a"};
  stated.reads = {"c", "b"};
  EXPECT_THAT(StatedBuffers(stated), ElementsAre("a", "b", "c"));
}

TEST(HasStateNames, CountsNoExternalData) {
  MethodBuilder b;
  EXPECT_FALSE(HasStateNames(b.Build(), {}));
  const int32_t weight = b.Planned(2, 0, {4}, "weight");
  EXPECT_TRUE(HasStateNames(b.Build(), {}));
  b.TensorAt(weight).external = true;
  EXPECT_FALSE(HasStateNames(b.Build(), {}));
  ManifestMethod stated;
  stated.values[0] = "weight";
  EXPECT_TRUE(HasStateNames(b.Build(), stated));
}

}  // namespace
}  // namespace pteproof::meaning
