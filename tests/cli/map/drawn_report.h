// Reports with pictures, for the tests of the forms that draw them.
#ifndef PTEPROOF_TESTS_CLI_MAP_DRAWN_REPORT_H_
#define PTEPROOF_TESTS_CLI_MAP_DRAWN_REPORT_H_

#include <string>

#include "cli/load/file_report.h"
#include "properties/picture/picture_of.h"
#include "pteproof/check.h"
#include "pteproof/program.h"

namespace pteproof {

// Judged without a policy.
inline FileReport DrawnReport(const std::string& file, const Program& program) {
  FileReport report;
  report.file = file;
  report.report = Check(program);
  report.picture = picture::PictureOf(program, report.report);
  return report;
}

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_CLI_MAP_DRAWN_REPORT_H_
