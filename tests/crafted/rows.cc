#include "tests/crafted/rows.h"

#include <iterator>
#include <utility>

namespace pteproof::crafted {

Row Spoiled(std::string file, std::string_view rule, std::string_view row, std::string subject,
            std::function<void(Draft&)> change) {
  return {std::move(file), rule, row, "read", std::move(subject), [change = std::move(change)] {
            Draft draft = BaseProgram();
            change(draft);
            return FileBytes(draft);
          }};
}

Row Patched(std::string file, std::string_view rule, std::string_view row, std::string subject,
            std::function<void(std::string&)> patch) {
  return {std::move(file), rule, row, "read", std::move(subject), [patch = std::move(patch)] {
            std::string bytes = FileBytes(BaseProgram());
            patch(bytes);
            return bytes;
          }};
}

Row Checked(Row row) {
  row.stage = "check";
  return row;
}

Rows RefusedRows() {
  Rows all;
  for (Rows part : {AdvisoryRows(), FixedValueRows(), FixedDataRows(), ReportRows(),
                    ObservedValueRows(), ObservedDataRows(), SideFileRows()}) {
    std::move(part.begin(), part.end(), std::back_inserter(all));
  }
  return all;
}

std::string IndexOf(const Rows& rows) {
  std::string index = "file\trule\trow\tstage\tsubject\n";
  for (const Row& row : rows) {
    for (const std::string_view cell : {std::string_view(row.file), row.rule, row.row, row.stage}) {
      index.append(cell).append("\t");
    }
    index.append(row.subject).append("\n");
  }
  return index;
}

}  // namespace pteproof::crafted
