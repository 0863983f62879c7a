// Windows has other words for all of child_process.cc, and nobody has asked for them: there `prove`
// has Z3, which needs no process of its own, and a second solver is refused.
#ifdef _WIN32
#include <utility>

#include "properties/proofs/solver/child_process.h"

namespace pteproof::proofs {

Result<ChildProcess, std::string> ChildProcess::Start(std::vector<std::string> /*command*/,
                                                      uint32_t /*megabytes*/) {
  return std::string("on Windows, Z3 alone is supported");
}

ChildProcess::~ChildProcess() = default;
ChildProcess::ChildProcess(ChildProcess&& other) noexcept = default;
ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept = default;

bool ChildProcess::Write(std::string_view /*text*/) {
  return false;
}

std::optional<std::string> ChildProcess::ReadLine(std::chrono::steady_clock::time_point /*until*/) {
  return std::nullopt;
}

}  // namespace pteproof::proofs
#endif
