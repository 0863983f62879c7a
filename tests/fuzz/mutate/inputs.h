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

// Programs as ExecuTorch exports them: those of single operators that are made here are more of the
// same.
[[nodiscard]] std::vector<fuzz::Buffer> SeedPrograms();

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_FUZZ_MUTATE_INPUTS_H_
