// The list of signatures that the certificate's checker goes by is written by hand. What it says of
// an operator is compared with the table: a new row needs a line in it.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "properties/certificate/signatures.h"
#include "reference/op_schema.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

std::map<std::string, std::string, std::less<>> ReviewedSignatures() {
  const std::string text = ReadText(PTEPROOF_SOURCE_DIR "/checker/operators.tsv");
  std::map<std::string, std::string, std::less<>> codes;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    const size_t tab = line.find('\t');
    if (!line.starts_with('#') && tab != std::string::npos) {
      codes.emplace(line.substr(0, tab), line.substr(tab + 1));
    }
  }
  return codes;
}

std::vector<const OpSchema*> OperatorsAndAliases() {
  std::vector<const OpSchema*> all;
  for (const OpSchema& op : AllOperators()) all.push_back(&op);
  for (std::string_view name : {"aten::_cat_nop.out", "aten::_select_copy_nop.int_out",
                                "aten::_slice_copy_nop.Tensor_out", "cadence::idma_wait.out"}) {
    all.push_back(FindAliasOperator(name));
  }
  return all;
}

TEST(ReviewedSignatures, AreThoseOfTheTable) {
  const auto reviewed = ReviewedSignatures();
  std::string to_review;
  for (const OpSchema* op : OperatorsAndAliases()) {
    ASSERT_NE(op, nullptr);
    const std::string code = certificate::CodeOf(*op);
    const auto line = reviewed.find(op->name);
    if (line == reviewed.end() || line->second != code) {
      to_review += std::string(op->name) + '\t' + code + '\n';
    }
  }
  EXPECT_EQ(to_review, "") << "lines that checker/operators.tsv lacks, or has otherwise";
  EXPECT_EQ(reviewed.size(), OperatorsAndAliases().size());
}

}  // namespace
}  // namespace pteproof
