// One function per target; each file says what it promises.
#ifndef PTEPROOF_FUZZ_TARGETS_TARGETS_H_
#define PTEPROOF_FUZZ_TARGETS_TARGETS_H_

#include "fuzz/target.h"

namespace pteproof::fuzz {

[[nodiscard]] Stage FuzzRead(Bytes input);     // a `.pte`: read, and walked whole
[[nodiscard]] Stage FuzzCheck(Bytes input);    // a `.pte`: checked
[[nodiscard]] Stage FuzzData(Bytes input);     // a `.ptd`, a `.bpte` or a manifest
[[nodiscard]] Stage FuzzText(Bytes input);     // a Module's text
[[nodiscard]] Stage FuzzRun(Bytes input);      // a `.pte`: executed under every policy
[[nodiscard]] Stage FuzzDiff(Bytes input);     // a random Module: planned against the reference
[[nodiscard]] Stage FuzzPlan(Bytes input);     // items to place
[[nodiscard]] Stage FuzzAgree(Bytes input);    // a `.pte`: judged by four checkers
[[nodiscard]] Stage FuzzKernels(Bytes input);  // calls of operators: run in all engines
[[nodiscard]] Stage FuzzBlob(Bytes input);     // a blob: opened, judged, and compared with itself
[[nodiscard]] Stage FuzzCall(Bytes input);     // a call of the C interface

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_TARGETS_TARGETS_H_
