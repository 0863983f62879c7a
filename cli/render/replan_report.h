// What `replan` tells: how large each bank was and is, and what was shown of the new program.
#ifndef PTEPROOF_CLI_RENDER_REPLAN_REPORT_H_
#define PTEPROOF_CLI_RENDER_REPLAN_REPORT_H_

#include <string>

#include "planner/replan/move_places.h"
#include "properties/certify/certify.h"

namespace pteproof {

struct ReplanFiles {
  std::string old_file;
  std::string new_file;
};

[[nodiscard]] std::string ReplanText(const ReplanFiles& files, const planner::Replanned& replanned,
                                     const certify::Certificate& certificate);

// One object, and a newline: the certificate.
[[nodiscard]] std::string CertificateJson(const ReplanFiles& files,
                                          const planner::Replanned& replanned,
                                          const certify::Certificate& certificate);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_REPLAN_REPORT_H_
