// What `replan` tells: how large each bank was and is, and what was shown of the new program.
#ifndef PTEPROOF_CLI_RENDER_REPLAN_REPORT_H_
#define PTEPROOF_CLI_RENDER_REPLAN_REPORT_H_

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "planner/replan/move_places.h"
#include "properties/certify/certify.h"

namespace pteproof {

struct ReplanFiles {
  std::string old_file;
  std::string new_file;
  const Program* old_program = nullptr;
  std::optional<Policy> policy = {};  // of the device; none: all are told of
};

[[nodiscard]] std::string ReplanText(const ReplanFiles& files, const planner::Replanned& replanned,
                                     const certify::Certificate& certificate);

// One object, and a newline: the certificate.
[[nodiscard]] std::string CertificateJson(const ReplanFiles& files,
                                          const planner::Replanned& replanned,
                                          const certify::Certificate& certificate);

// Parts of the reports of new plans, repairs and links.
[[nodiscard]] std::string BanksText(const planner::Replanned& replanned,
                                    const certify::Certificate& certificate);
[[nodiscard]] std::string LaidOverText(const planner::Replanned& replanned);
[[nodiscard]] std::string ShownText(const certify::Certificate& certificate);
[[nodiscard]] nlohmann::ordered_json MethodsJson(
    std::span<const compare::MethodComparison> compared);
[[nodiscard]] nlohmann::ordered_json RunsJson(std::span<const certify::MethodRuns> made);
[[nodiscard]] nlohmann::ordered_json CertificateObject(const ReplanFiles& files,
                                                       const planner::Replanned& replanned,
                                                       const certify::Certificate& certificate);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_REPLAN_REPORT_H_
