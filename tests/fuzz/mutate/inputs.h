// Inputs from the corpus to try mutators on.
#ifndef PTEPROOF_TESTS_FUZZ_MUTATE_INPUTS_H_
#define PTEPROOF_TESTS_FUZZ_MUTATE_INPUTS_H_

#include <string>
#include <string_view>
#include <vector>

#include "fuzz/mutate/mutator.h"

namespace pteproof {

// The files below a folder of the corpus that end in `extension` and have at most 16 kB.
[[nodiscard]] std::vector<fuzz::Buffer> CorpusInputs(const std::string& folder,
                                                     std::string_view extension);

// Programs as ExecuTorch exports them.
[[nodiscard]] inline std::vector<fuzz::Buffer> SeedPrograms() {
  return CorpusInputs("seeds/program", ".pte");
}

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_FUZZ_MUTATE_INPUTS_H_
