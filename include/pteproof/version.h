// The library's version: of these headers as constants, of the library that is linked as a
// function. The second number changes when the API does. CMake and the Python package read it here.
//
// Example:
//
//   return pteproof::Version() == pteproof::kVersion ? 0 : 1;
#ifndef PTEPROOF_VERSION_H_
#define PTEPROOF_VERSION_H_

#include <string_view>

namespace pteproof {

inline constexpr int kVersionMajor = 0;
inline constexpr int kVersionMinor = 1;
inline constexpr int kVersionPatch = 0;
inline constexpr std::string_view kVersion = "0.1.0";

// "0.1.0".
[[nodiscard]] std::string_view Version();

}  // namespace pteproof

#endif  // PTEPROOF_VERSION_H_
