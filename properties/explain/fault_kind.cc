#include "properties/explain/fault_kind.h"

#include <algorithm>
#include <array>

namespace pteproof::explain {
namespace {

// The part up to the separator, which is taken off the text with it; all of it without one.
std::string_view CutOff(std::string_view& text, std::string_view separator) {
  const size_t at = text.find(separator);
  const std::string_view head = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + separator.size());
  return head;
}

std::string_view WayOfCall(std::string_view why) {
  constexpr std::array<std::string_view, 3> kOtherOutput = {"differ", "expected ",
                                                            "outputs, or too many"};
  const auto says = [&](std::string_view words) {
    return why.find(words) != std::string_view::npos;
  };
  if (says(" needs value ")) return "reads a wrong byte";
  return std::ranges::any_of(kOtherOutput, says) ? "gives another output" : "gives no output";
}

}  // namespace

std::string KindOfFault(std::string_view fault) {
  constexpr std::string_view kWithManifest = "with its manifest: ";
  if (fault.starts_with(kWithManifest)) fault.remove_prefix(kWithManifest.size());
  std::string_view rest = fault;
  const std::string_view head = CutOff(rest, ": ");
  if (head.starts_with("call ")) {
    const std::string_view engine = CutOff(rest, ": ");
    return std::string(engine) + " " + std::string(WayOfCall(rest));
  }
  std::string_view rule = head;
  return std::string(CutOff(rule, " in '"));
}

}  // namespace pteproof::explain
