// The house's rules about source text, as functions of the text: which includes a floor may have,
// how long files and lines may be, what must not be left in. Each returns the violations, one line
// of words each.
#ifndef PTEPROOF_TESTS_STRUCTURE_SOURCE_RULES_H_
#define PTEPROOF_TESTS_STRUCTURE_SOURCE_RULES_H_

#include <string>
#include <vector>

namespace pteproof {

struct SourceFile {
  std::string path;  // from the repository's root: "runtime/program.h"
  std::string text;
};

// Includes that point to a higher floor, to a higher level within a folder, from one door to
// another, from the runtime to more of the reference than its vocabulary, from a way of checking to
// the planner or to another way of checking.
[[nodiscard]] std::vector<std::string> IncludeViolations(const SourceFile& file);

// A public header that includes a private one, or whose floor is not known.
[[nodiscard]] std::vector<std::string> PublicHeaderViolations(const SourceFile& file);

// Folders beside each other that include each other, by way of others too. O(folders squared).
[[nodiscard]] std::vector<std::string> CircleViolations(const std::vector<SourceFile>& files);

// More than 600 lines, or a line of more than 100 columns (code points).
[[nodiscard]] std::vector<std::string> LengthViolations(const SourceFile& file);

// Marks of unfinished work.
[[nodiscard]] std::vector<std::string> LeftOverViolations(const SourceFile& file);

// Paths that exist on one machine only.
[[nodiscard]] std::vector<std::string> PathViolations(const SourceFile& file);

// Memory of a tensor that is given beside the functions for it, and kernels that make bytes of
// something else than pointers that know where their memory ends.
[[nodiscard]] std::vector<std::string> MemoryViolations(const SourceFile& file);

// A header of one operating system in the library, outside of what knows them (runtime/os).
[[nodiscard]] std::vector<std::string> SystemViolations(const SourceFile& file);

// A file's name as the system has it in the library, where base/file_name.h gives it in UTF-8.
[[nodiscard]] std::vector<std::string> FileNameViolations(const SourceFile& file);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_STRUCTURE_SOURCE_RULES_H_
