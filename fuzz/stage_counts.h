// Counts how far a fuzzer's inputs get, so that a report can say what a campaign really tried.
#ifndef PTEPROOF_FUZZ_STAGE_COUNTS_H_
#define PTEPROOF_FUZZ_STAGE_COUNTS_H_

#include <cstdint>
#include <span>

#include "fuzz/target.h"

namespace pteproof::fuzz {

class StageCounts {
 public:
  // Counts in a file of four 64-bit numbers, by Stage, which goes on from what it holds and keeps
  // them when the process ends in a find. Without a path, or where there can be no such file,
  // nothing is kept.
  explicit StageCounts(const char* path);

  void Add(Stage stage) { ++counts_[static_cast<size_t>(stage)]; }

 private:
  uint64_t own_[kStageCount] = {};
  std::span<uint64_t> counts_ = own_;
};

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_STAGE_COUNTS_H_
