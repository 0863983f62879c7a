// The file that a verb writes beside a new program: what confirms the program's verdict, and what
// was shown of it when it was made.
#ifndef PTEPROOF_CLI_LOAD_CERTIFICATE_FILE_H_
#define PTEPROOF_CLI_LOAD_CERTIFICATE_FILE_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace pteproof {

// `shown`: one JSON object, which goes under that key. If the verdict is open there is nothing
// else.
[[nodiscard]] std::string CertificateFile(std::span<const std::byte> program,
                                          std::string_view shown);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_CERTIFICATE_FILE_H_
