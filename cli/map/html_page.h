// What is known of files as one page for a browser: verdicts and findings as text, which needs no
// script, and the plans as pictures to move about in, which the page's own script draws. Nothing is
// loaded from elsewhere, and no other script runs: the page's policy names the one that may.
#ifndef PTEPROOF_CLI_MAP_HTML_PAGE_H_
#define PTEPROOF_CLI_MAP_HTML_PAGE_H_

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/load/file_report.h"

namespace pteproof {

class HtmlPage {
 public:
  // `all`: no limit to the findings shown of one file.
  explicit HtmlPage(bool all, std::string_view title = "pteproof check")
      : all_(all), title_(title) {}

  void Add(const FileReport& report);

  // Two plans side by side, below the report of what has changed between them.
  void AddPair(const FileReport& before, const FileReport& after, std::string_view told);

  // The page of the files so far, the worst first. Well-formed as XML too, but for its scripts.
  [[nodiscard]] std::string Text() const;

 private:
  struct Section {
    int rank = 0;     // unsafe ones come first
    std::string row;  // of the table of files
    std::string text;
  };

  // The file's plan and its findings, from the paragraph with the verdict on.
  std::string Sheet(const FileReport& report);

  bool all_;
  std::string title_;
  std::vector<Section> sections_;
  nlohmann::ordered_json pictures_ = nlohmann::ordered_json::array();
};

}  // namespace pteproof

#endif  // PTEPROOF_CLI_MAP_HTML_PAGE_H_
