// How this command writes JSON: on one line, ASCII only, whatever bytes a file's names hold.
#ifndef PTEPROOF_CLI_IO_JSON_TEXT_H_
#define PTEPROOF_CLI_IO_JSON_TEXT_H_

#include <nlohmann/json.hpp>
#include <string>

namespace pteproof {

// `indent` below 0: one line. Bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] inline std::string JsonText(const nlohmann::ordered_json& json, int indent = -1) {
  constexpr bool kAsciiOnly = true;
  return json.dump(indent, ' ', kAsciiOnly, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace pteproof

#endif  // PTEPROOF_CLI_IO_JSON_TEXT_H_
