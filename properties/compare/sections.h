// The bytes of a program file by what they are for.
#ifndef PTEPROOF_PROPERTIES_COMPARE_SECTIONS_H_
#define PTEPROOF_PROPERTIES_COMPARE_SECTIONS_H_

#include <cstdint>

#include "pteproof/program.h"

namespace pteproof::compare {

// Bytes of a file by section. What no section holds is padding, or unused data.
struct SectionSizes {
  uint64_t file = 0;
  uint64_t program = 0;  // tables: values, instructions, names
  uint64_t constants = 0;
  uint64_t initial_values = 0;
  uint64_t delegates = 0;
  uint64_t named_data = 0;
  uint64_t padding = 0;
  uint64_t tables = 0;  // `program`, and what other sections have within the tables
};
// Bytes from the file's start on: its extended header states them, else they are all. At most the
// file's.
[[nodiscard]] uint64_t TablesOf(Bytes file);
[[nodiscard]] SectionSizes SectionsOf(const Program& program, Bytes file);

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_SECTIONS_H_
