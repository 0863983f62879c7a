// A comparison of two programs as one JSON object (docs/reference/compare.md,
// cli/render/compare.schema.json).
#ifndef PTEPROOF_CLI_RENDER_COMPARE_JSON_H_
#define PTEPROOF_CLI_RENDER_COMPARE_JSON_H_

#include <string>
#include <vector>

#include "cli/render/compare_text.h"

namespace pteproof {

// `failed`: the parts that fail the comparison, as `--fail-on` names them.
[[nodiscard]] std::string CompareJson(const ComparedFiles& files,
                                      const compare::ProgramComparison& comparison,
                                      const std::vector<std::string>& failed);

// The same of a Module and a program: the computation alone.
[[nodiscard]] std::string ComputationJson(const std::string& old_file, const std::string& new_file,
                                          const compare::ProgramComparison& comparison);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_COMPARE_JSON_H_
