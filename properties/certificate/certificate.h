// A certificate: what a file does not say, so that one pass of an independent checker confirms its
// verdict (checker/pteproof_checker.py). The format is in docs/reference/certificate.md.
#ifndef PTEPROOF_PROPERTIES_CERTIFICATE_CERTIFICATE_H_
#define PTEPROOF_PROPERTIES_CERTIFICATE_CERTIFICATE_H_

#include <optional>
#include <string>
#include <vector>

#include "pteproof/manifest.h"
#include "pteproof/program.h"
#include "pteproof/report.h"

namespace pteproof::certificate {

struct Subject {
  const Program& program;  // as it was judged
  Bytes file;              // that it was read from
  const Manifest* manifest = nullptr;
  bool all_first = false;
  std::optional<Policy> policy;        // the only claim; none: one for each
  const Report& report;                // of the program
  std::string manifest_sha256 = {};    // of the manifest; empty: none
  std::vector<std::string> data = {};  // SHA-256 of each .ptd, in order
};

// One line of JSON. Equal subjects give equal bytes. O(n log n) in the program.
[[nodiscard]] std::string CertificateOf(const Subject& subject);

// Whether checkers of certificates judge such a program: not one that frees memory.
[[nodiscard]] bool IsCovered(const Program& program);

// The question that keeps a verdict open, in one line: an undecided file has no certificate.
[[nodiscard]] std::string OpenQuestion(const Report& report);

}  // namespace pteproof::certificate

#endif  // PTEPROOF_PROPERTIES_CERTIFICATE_CERTIFICATE_H_
