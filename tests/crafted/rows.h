// The crafted files, as tables: one row per file, grouped as the catalogue of known bugs is.
#ifndef PTEPROOF_TESTS_CRAFTED_ROWS_H_
#define PTEPROOF_TESTS_CRAFTED_ROWS_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/crafted/draft.h"

namespace pteproof::crafted {

struct Row {
  std::string file;                 // name; its ending tells the reader
  std::string_view rule;            // the one that must refuse it; empty for legal files
  std::string_view row;             // of the catalogue
  std::string_view stage = "read";  // or "check": readable, refused by a check
  std::string subject;              // one line
  std::function<std::string()> make;
};

using Rows = std::vector<Row>;

// The base program after a change to its draft, or to its bytes.
[[nodiscard]] Row Spoiled(std::string file, std::string_view rule, std::string_view row,
                          std::string subject, std::function<void(Draft&)> change);
[[nodiscard]] Row Patched(std::string file, std::string_view rule, std::string_view row,
                          std::string subject, std::function<void(std::string&)> patch);
[[nodiscard]] Row Checked(Row row);  // with stage "check"

[[nodiscard]] Rows AdvisoryRows();       // section A
[[nodiscard]] Rows FixedValueRows();     // section B: values and instructions
[[nodiscard]] Rows FixedDataRows();      // section B: header, segments and stored data
[[nodiscard]] Rows ReportRows();         // section C
[[nodiscard]] Rows ObservedValueRows();  // section D: values and instructions
[[nodiscard]] Rows ObservedDataRows();   // section D: header, segments and methods
[[nodiscard]] Rows SideFileRows();       // .ptd and .bpte: section G, and those of C
[[nodiscard]] Rows LegalRows();          // section H, and the sound halves of other rows

// All refused files; LegalRows are not among them.
[[nodiscard]] Rows RefusedRows();

// A table of rows as INDEX.tsv holds it, header line included.
[[nodiscard]] std::string IndexOf(const Rows& rows);

}  // namespace pteproof::crafted

#endif  // PTEPROOF_TESTS_CRAFTED_ROWS_H_
