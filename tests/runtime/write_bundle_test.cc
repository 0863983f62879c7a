// Bundles that are written are read as they were.
#include "runtime/write_bundle.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "pteproof/read.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

bool AreEqualTensors(const BundleTensor& a, const BundleTensor& b) {
  return a.layout.dtype == b.layout.dtype && a.layout.sizes == b.layout.sizes &&
         a.layout.dim_order == b.layout.dim_order && std::ranges::equal(a.data, b.data);
}

void ExpectEqualValues(const std::vector<BundleValue>& a, const std::vector<BundleValue>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t n = 0; n < a.size(); ++n) {
    ASSERT_EQ(a[n].index(), b[n].index());
    if (const auto* tensor = std::get_if<BundleTensor>(&a[n])) {
      EXPECT_TRUE(AreEqualTensors(*tensor, std::get<BundleTensor>(b[n]))) << n;
    } else if (const auto* number = std::get_if<int64_t>(&a[n])) {
      EXPECT_EQ(*number, std::get<int64_t>(b[n]));
    } else if (const auto* flag = std::get_if<bool>(&a[n])) {
      EXPECT_EQ(*flag, std::get<bool>(b[n]));
    } else {
      EXPECT_EQ(std::get<double>(a[n]), std::get<double>(b[n]));
    }
  }
}

void ExpectReadAsItWas(const Bundle& bundle) {
  const auto written = WriteBundle(bundle);
  ASSERT_TRUE(written.ok());
  const auto back = ReadBundle(written.value());
  ASSERT_TRUE(back.ok());
  EXPECT_TRUE(std::ranges::equal(bundle.program, back.value().program));
  ASSERT_EQ(bundle.suites.size(), back.value().suites.size());
  for (size_t s = 0; s < bundle.suites.size(); ++s) {
    const BundleSuite& old_suite = bundle.suites[s];
    const BundleSuite& new_suite = back.value().suites[s];
    EXPECT_EQ(old_suite.method, new_suite.method);
    ASSERT_EQ(old_suite.cases.size(), new_suite.cases.size());
    for (size_t c = 0; c < old_suite.cases.size(); ++c) {
      ExpectEqualValues(old_suite.cases[c].inputs, new_suite.cases[c].inputs);
      ExpectEqualValues(old_suite.cases[c].expected_outputs, new_suite.cases[c].expected_outputs);
    }
  }
}

TEST(WriteBundle, GivesWhatIsReadBack) {
  for (const char* name : {"base.bpte", "legal/bundle-without-expectation.bpte"}) {
    const std::vector<std::byte> file =
        ReadBytes(std::string(PTEPROOF_CORPUS_DIR) + "/crafted/" + name);
    const auto bundle = ReadBundle(file);
    ASSERT_TRUE(bundle.ok()) << name;
    ExpectReadAsItWas(bundle.value());
  }
}

TEST(WriteBundle, KeepsEveryKindOfValue) {
  const std::vector<std::byte> file =
      ReadBytes(std::string(PTEPROOF_CORPUS_DIR) + "/crafted/base.bpte");
  Bundle bundle = ReadBundle(file).value();
  const std::vector<std::byte> data(24);
  const BundleTensor tensor = {{ScalarType::kInt16, {3, 4}, {1, 0}, 24}, data};
  bundle.suites = {{"forward", {{{tensor, int64_t{-7}, true, 0.25}, {}}, {{}, {false, tensor}}}}};
  ExpectReadAsItWas(bundle);
}

}  // namespace
}  // namespace pteproof
