#include "cli/render/unknown_method.h"

#include <fmt/format.h>

#include "cli/io/output.h"
#include "cli/io/quote.h"

namespace pteproof {

ExitCode UnknownMethod(const std::string& method, const std::vector<std::string>& known) {
  std::string names;
  for (const std::string& name : known) names += " " + Quote(name);
  Complain(fmt::format("there is no method '{}'; the file has{}", Quote(method), names));
  return ExitCode::kUsage;
}

}  // namespace pteproof
