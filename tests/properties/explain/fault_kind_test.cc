// Which faults are one kind of failure.
#include "properties/explain/fault_kind.h"

#include <gtest/gtest.h>

namespace pteproof::explain {
namespace {

TEST(FaultKind, IsTheRuleWithAManifestOrWithout) {
  EXPECT_EQ(KindOfFault("plan-overlap in 'm0': v3 and v5\nshare bytes: 4"), "plan-overlap");
  EXPECT_EQ(KindOfFault("with its manifest: plan-overlap in 'm1': v2"), "plan-overlap");
  EXPECT_EQ(KindOfFault("plan-bounds in 'm0': v3"), "plan-bounds");
}

TEST(FaultKind, IsWhoMakesACallAndHowItGoesWrong) {
  EXPECT_EQ(KindOfFault("call 3: as planned: output 1 differs"), "as planned gives another output");
  EXPECT_EQ(KindOfFault("call 0: as planned: output 0 element 2: expected 1, got 2"),
            "as planned gives another output");
  EXPECT_EQ(KindOfFault("call 3: tagged: 'm0': instruction 4 needs value 2 in bank 1"),
            "tagged reads a wrong byte");
  EXPECT_EQ(KindOfFault("call 3: as planned: no kernel"), "as planned gives no output");
}

TEST(FaultKind, IsElseWhatStandsBeforeTheColon) {
  EXPECT_EQ(KindOfFault("refused: there is no bank: at all"), "refused");
  EXPECT_EQ(KindOfFault("read(write(p)): methods[0]"), "read(write(p))");
  EXPECT_EQ(KindOfFault(""), "");
}

}  // namespace
}  // namespace pteproof::explain
