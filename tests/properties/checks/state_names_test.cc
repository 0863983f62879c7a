#include "properties/checks/state_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/properties/checks/analysed.h"
#include "tests/support/method_builder.h"

namespace pteproof::checks {
namespace {

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

}  // namespace
}  // namespace pteproof::checks
