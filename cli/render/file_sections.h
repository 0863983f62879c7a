// The sections of a program file, in the order of reports: their keys in JSON, and their words.
#ifndef PTEPROOF_CLI_RENDER_FILE_SECTIONS_H_
#define PTEPROOF_CLI_RENDER_FILE_SECTIONS_H_

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "properties/compare/sections.h"

namespace pteproof {

struct FileSection {
  std::string_view key;
  std::string_view words;
  uint64_t compare::SectionSizes::* bytes;
};

// The first is the whole file, and the others are its parts.
inline constexpr std::array<FileSection, 7> kFileSections = {{
    {"file", "file", &compare::SectionSizes::file},
    {"program", "program", &compare::SectionSizes::program},
    {"constants", "constants", &compare::SectionSizes::constants},
    {"initial_values", "initial values", &compare::SectionSizes::initial_values},
    {"delegates", "delegates", &compare::SectionSizes::delegates},
    {"named_data", "named data", &compare::SectionSizes::named_data},
    {"padding", "padding", &compare::SectionSizes::padding},
}};

[[nodiscard]] inline nlohmann::ordered_json SectionsJson(const compare::SectionSizes& sizes) {
  nlohmann::ordered_json json;
  for (const FileSection& section : kFileSections) {
    json[std::string(section.key)] = sizes.*section.bytes;
  }
  return json;
}

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_FILE_SECTIONS_H_
