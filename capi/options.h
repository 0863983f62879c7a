// The words of a command line, from a JSON object that names a verb and its flags.
#ifndef PTEPROOF_CAPI_OPTIONS_H_
#define PTEPROOF_CAPI_OPTIONS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pteproof::capi {

// {"verb": "check", "files": "m.pte", "json": true} gives check --json -- m.pte. Nothing: the text
// is no such object.
[[nodiscard]] std::optional<std::vector<std::string>> WordsOf(std::string_view options);

}  // namespace pteproof::capi

#endif  // PTEPROOF_CAPI_OPTIONS_H_
