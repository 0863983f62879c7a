#include "tests/cli/map/well_formed.h"

#include <gtest/gtest.h>

namespace pteproof {
namespace {

TEST(WellFormed, TakesElementsAttributesAndEntities) {
  EXPECT_EQ(XmlProblem("<?xml version=\"1.0\"?>\n<a b=\"1 &amp; 2\"><c/>x &lt; y</a>\n"), "");
}

TEST(WellFormed, RefusesWhatAParserRefuses) {
  for (const char* wrong : {"<a>", "<a></b>", "<a b=\"1\" b=\"2\"/>", "<a>&nothing;</a>",
                            "<a>x & y</a>", "<a b=\"<\"/>", "<a/><b/>", "<a>\x01</a>",
                            "<a>\xFF</a>", "<a>\xEF\xBF\xBE</a>", "<a b=1/>", "text"}) {
    EXPECT_NE(XmlProblem(wrong), "") << wrong;
  }
}

}  // namespace
}  // namespace pteproof
