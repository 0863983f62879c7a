// The files with what confirms a verdict: of programs that were judged, and of new ones.
#ifndef PTEPROOF_CLI_LOAD_CERTIFICATE_FILE_H_
#define PTEPROOF_CLI_LOAD_CERTIFICATE_FILE_H_

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "cli/io/exit_code.h"
#include "pteproof/report.h"

namespace pteproof {

// One certificate for each file that is judged: in the file `to`, or in the folder `to`, as
// NAME.cert.json. Nowhere if `to` is empty.
class CertificateStore {
 public:
  CertificateStore(std::string to, bool is_folder) : to_(std::move(to)), is_folder_(is_folder) {}

  [[nodiscard]] bool asked() const { return !to_.empty(); }
  // An empty certificate is that of an open verdict, or of a program that frees memory: then it
  // complains, with the question that the report leaves open, and the answer is kUndecided.
  [[nodiscard]] ExitCode Store(const std::string& file, std::string_view certificate,
                               const Report& report);

 private:
  std::string to_;
  bool is_folder_;
  std::map<std::string, int> names_;  // how many files there are of a name
};

// Of a new program. `shown`: one JSON object, what was shown of it when it was made, which goes
// under that key. If the verdict is open, or the program frees memory, there is nothing else.
[[nodiscard]] std::string CertificateFile(std::span<const std::byte> program,
                                          std::string_view shown);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_CERTIFICATE_FILE_H_
