// What `link` tells: which methods and buffers the new program has, how large it is, and what was
// shown of it.
#ifndef PTEPROOF_CLI_RENDER_LINK_REPORT_H_
#define PTEPROOF_CLI_RENDER_LINK_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "planner/link/link.h"
#include "properties/certify/linked.h"

namespace pteproof {

struct LinkedFiles {
  std::vector<std::string> old_files;
  std::string new_file;
  uint64_t old_size = 0;  // of all, bytes
  uint64_t new_size = 0;
  std::string memory = {};  // the line that tells what a device needs for it
};

[[nodiscard]] std::string LinkText(const LinkedFiles& files, const planner::Linked& linked,
                                   const certify::LinkCertificate& certificate);

// One object, and a newline: the certificate.
[[nodiscard]] std::string LinkJson(const LinkedFiles& files, const planner::Linked& linked,
                                   const certify::LinkCertificate& certificate);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_LINK_REPORT_H_
