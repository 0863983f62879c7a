// What `trust` says: the verdicts of a program without its manifest and with it, the questions that
// the manifest decides, and the entry.
#ifndef PTEPROOF_CLI_RENDER_TRUST_REPORT_H_
#define PTEPROOF_CLI_RENDER_TRUST_REPORT_H_

#include <string>

#include "cli/load/file_report.h"
#include "cli/standard/trust_entry.h"

namespace pteproof {

struct TrustReport {
  FileReport alone;
  FileReport with;  // as if the manifest were named
  FileReport both;  // of both readings: cli/load/trust.h
  std::string config;
  TrustEntry entry;
  EntryChange change = EntryChange::kAdded;
  bool written = false;
  std::string remark;  // empty: none
};

[[nodiscard]] std::string TrustText(const TrustReport& report);
[[nodiscard]] std::string TrustJson(const TrustReport& report);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_TRUST_REPORT_H_
