// What `check` says of files as one page for a browser: verdicts, findings and maps, with nothing
// to load from elsewhere and no scripts.
#ifndef PTEPROOF_CLI_MAP_HTML_PAGE_H_
#define PTEPROOF_CLI_MAP_HTML_PAGE_H_

#include <cstddef>
#include <string>

#include "cli/load/file_report.h"

namespace pteproof {

class HtmlPage {
 public:
  // `all`: no limit to the findings shown of one file.
  explicit HtmlPage(bool all) : all_(all) {}

  void Add(const FileReport& report);

  // The page of the files so far. Well-formed as XML too.
  [[nodiscard]] std::string Text() const;

 private:
  bool all_;
  size_t files_ = 0;
  std::string contents_;  // a row of the table for each file
  std::string sections_;
};

}  // namespace pteproof

#endif  // PTEPROOF_CLI_MAP_HTML_PAGE_H_
