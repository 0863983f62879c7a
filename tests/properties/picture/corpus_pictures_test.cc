// Pictures of real plans: in a sound one no two rectangles meet, and each value is drawn once.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "properties/picture/picture_of.h"
#include "properties/storages.h"
#include "tests/support/collection.h"
#include "tests/support/real_file.h"

namespace pteproof::picture {
namespace {

bool Meet(const Storage& a, const Storage& b) {
  if (a.lo >= b.hi || b.lo >= a.hi) return false;
  return std::ranges::any_of(a.live, [&](const PointSpan& x) {
    return std::ranges::any_of(
        b.live, [&](const PointSpan& y) { return x.lower < y.upper && y.lower < x.upper; });
  });
}

bool HasErrorOf(const Report& report, const std::string& method) {
  return std::ranges::any_of(report.findings, [&](const Finding& f) {
    return f.severity != Severity::kNote && f.method == method;
  });
}

void ExpectNoneMeet(const Panel& panel) {
  for (size_t a = 0; a < panel.storages.size(); ++a) {
    for (size_t b = a + 1; b < panel.storages.size(); ++b) {
      if (panel.storages[b].lo >= panel.storages[a].hi) break;  // they come by first byte
      if (panel.storages[b].kind == Kind::kReserved) continue;
      if (panel.storages[a].kind == Kind::kReserved) continue;
      EXPECT_FALSE(Meet(panel.storages[a], panel.storages[b]))
          << "v" << panel.storages[a].parts[0].value << " and v"
          << panel.storages[b].parts[0].value;
    }
  }
}

// Every value that some storage of the plan is made of, as properties/storages.h finds them.
std::set<int32_t> ValuesInUse(const Method& method, uint32_t bank) {
  std::set<int32_t> values;
  const auto planned = StoragesOf(method);
  for (const PlannedStorage& storage : planned->storages) {
    if (storage.bank == bank) values.insert(storage.values.begin(), storage.values.end());
  }
  return values;
}

std::multiset<int32_t> ValuesDrawn(const Panel& panel) {
  std::multiset<int32_t> values;
  for (const Storage& storage : panel.storages) {
    if (storage.kind == Kind::kReserved) continue;
    for (const Part& part : storage.parts) values.insert(part.value);
  }
  return values;
}

class RealPictures : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(RealPictures, HaveNoTwoStoragesThatMeetWhereThePlanIsSound) {
  size_t panels = 0;
  for (const auto& file : ReadAllReal(GetParam())) {
    if (!file->program) continue;
    const Report report = CheckReal(*file, false);
    const Picture picture = PictureOf(*file->program, report);
    for (const Bank& bank : picture.banks) {
      for (const Panel& panel : bank.panels) {
        if (HasErrorOf(report, picture.methods[panel.method].name)) continue;
        SCOPED_TRACE(file->name + " " + picture.methods[panel.method].name + ":" +
                     std::to_string(bank.id));
        ExpectNoneMeet(panel);
        ++panels;
      }
    }
  }
  EXPECT_GT(panels, 100U);
}

INSTANTIATE_TEST_SUITE_P(Own, RealPictures, testing::Values(OwnRealRoot()), NameOfFolder);
INSTANTIATE_TEST_SUITE_P(Collection, RealPictures,
                         testing::ValuesIn(InCollection("corpus/exported")), NameOfFolder);

TEST(CorpusPictures, DrawEachValueInUseOnce) {
  for (const auto& file : ReadAllReal(OwnRealRoot())) {
    if (!file->program) continue;
    const Picture picture = PictureOf(*file->program, CheckReal(*file, false));
    for (const Bank& bank : picture.banks) {
      for (const Panel& panel : bank.panels) {
        SCOPED_TRACE(file->name + " " + picture.methods[panel.method].name + ":" +
                     std::to_string(bank.id));
        const auto used = ValuesInUse(file->program->methods[panel.method], bank.id);
        const auto drawn = ValuesDrawn(panel);
        EXPECT_EQ(drawn, std::multiset<int32_t>(used.begin(), used.end()));
      }
    }
  }
}

}  // namespace
}  // namespace pteproof::picture
