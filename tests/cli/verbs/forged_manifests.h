// Manifests that claim whatever would help a program: each key of the format, with the values that
// could better a verdict, and all of them together.
#ifndef PTEPROOF_TESTS_CLI_VERBS_FORGED_MANIFESTS_H_
#define PTEPROOF_TESTS_CLI_VERBS_FORGED_MANIFESTS_H_

#include <string>
#include <vector>

#include "pteproof/program.h"

namespace pteproof {

struct ForgedManifest {
  std::string name;  // the keys that it uses: "buffers.initial"
  std::string text;
};

// `file` is the program's, whose hash some of them name rightly.
[[nodiscard]] std::vector<ForgedManifest> ForgedManifests(const Program& program, Bytes file);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_CLI_VERBS_FORGED_MANIFESTS_H_
