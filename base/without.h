// Parts of the harness that tests go without, one at a time, to see whether they notice. Shipped
// builds have all of them: without PTEPROOF_PLANTED, Without() is the constant false.
#ifndef PTEPROOF_BASE_WITHOUT_H_
#define PTEPROOF_BASE_WITHOUT_H_

#include <string_view>

#ifdef PTEPROOF_PLANTED
#include <cstdlib>
#endif

namespace pteproof {

// What the parts are of; scripts/parts finds their names where they are asked for.
inline constexpr std::string_view kRule = "rule";
inline constexpr std::string_view kCheckedRule = "checked rule";
inline constexpr std::string_view kProvedRule = "proved rule";
inline constexpr std::string_view kRecoveredName = "recovered name";
inline constexpr std::string_view kGenerated = "generated";

#ifdef PTEPROOF_PLANTED
// Whether the environment's PTEPROOF_WITHOUT names it, as "KIND: NAME".
[[nodiscard]] inline bool Without(std::string_view kind, std::string_view name) {
  static const char* const kOut = std::getenv("PTEPROOF_WITHOUT");
  if (kOut == nullptr) return false;
  const std::string_view out = kOut;
  const bool long_enough = out.size() == kind.size() + 2 + name.size();
  return long_enough && out.starts_with(kind) && out.ends_with(name);
}
#else
[[nodiscard]] constexpr bool Without(std::string_view, std::string_view) {
  return false;
}
#endif

}  // namespace pteproof

#endif  // PTEPROOF_BASE_WITHOUT_H_
