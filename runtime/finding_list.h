// Collects what the data and bundle readers find, with a cap. Not for the checks, whose findings
// have places in methods.
#ifndef PTEPROOF_RUNTIME_FINDING_LIST_H_
#define PTEPROOF_RUNTIME_FINDING_LIST_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pteproof/finding.h"
#include "pteproof/read.h"

namespace pteproof {

// A name as an explanation shows it: names in damaged files can be as long as the file.
inline std::string_view Shown(std::string_view name) {
  return name.substr(0, 100);
}

class FindingList {
 public:
  // Keeps the finding, or counts it when there are kMaxFileFindings already.
  void Add(Finding finding) {
    if (found_.size() < static_cast<size_t>(kMaxFileFindings)) {
      found_.push_back(std::move(finding));
    } else {
      more_ = true;
    }
  }

  // `bytes`: the place in the file, where one is known.
  void Add(std::string_view rule, std::string explanation,
           std::optional<ByteRange> bytes = std::nullopt) {
    Finding finding;
    finding.rule = rule;
    finding.explanation = std::move(explanation);
    finding.bytes = bytes;
    Add(std::move(finding));
  }

  // Whether any further finding would only be counted: callers may stop.
  [[nodiscard]] bool full() const { return more_; }
  [[nodiscard]] bool empty() const { return found_.empty(); }

  [[nodiscard]] std::vector<Finding> Take() && {
    if (more_)
      found_.back().explanation += "\nThere are more findings in this file than are listed.";
    return std::move(found_);
  }

 private:
  std::vector<Finding> found_;
  bool more_ = false;
};

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_FINDING_LIST_H_
