// Whether a loader takes a program, before any call: operators and delegates that its runtime
// lacks, data that are not given, banks on devices. The plan plays no part.
#ifndef PTEPROOF_PROPERTIES_LOADS_H_
#define PTEPROOF_PROPERTIES_LOADS_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/finding.h"
#include "pteproof/program.h"
#include "runtime/old_forms.h"
#include "runtime/read_data.h"

namespace pteproof {

// What a program is loaded with, as far as it is known.
struct TargetRuntime {
  std::string loader = {};                       // as `--loader` spells it; empty: none is named
  std::string name = {};                         // of the runtime, in words; empty: it is not known
  std::vector<std::string> operators = {};       // that it registers: full names, ascending
  bool is_wheel = false;                         // its delegates are known, too
  bool has_data = false;                         // data files are given, and hold what is needed
  std::vector<std::string_view> data_keys = {};  // of the entries in them
  OldForms forms = {};                           // of the program's file
};

// That of `--loader`: the wheel's, if it is Python's loader of the release that was asked.
[[nodiscard]] TargetRuntime RuntimeOfLoader(const std::string& loader);

// The program is loaded with these files, which must outlive the runtime.
void GiveData(std::span<const DataFile> files, TargetRuntime& runtime);

struct Loads {
  // Findings of the rule load-fails: errors and notes if a loader is named, else notes.
  std::vector<Finding> findings;
  // With a loader: whether it takes the program; none if that is not known.
  std::optional<bool> answer;
};

// O(instructions log operators + values).
[[nodiscard]] Loads LoadsOf(const Program& program, const TargetRuntime& runtime);

// What a program without data files lacks, and the next step; empty: nothing.
struct DataNeeded {
  std::string text;
  std::string fix;
};
[[nodiscard]] DataNeeded DataNeededBy(const Program& program);

// A finding for which the loader refuses the program.
[[nodiscard]] bool IsRefusal(const Finding& finding);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_LOADS_H_
