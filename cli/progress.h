// A line on standard error that says how far a long run has come, and leaves no trace.
#ifndef PTEPROOF_CLI_PROGRESS_H_
#define PTEPROOF_CLI_PROGRESS_H_

#include <cstddef>

namespace pteproof {

class Progress {
 public:
  // Shows nothing for a single file, or where standard error is no terminal.
  explicit Progress(size_t total);
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Removes the line, so that output can be written.
  void Clear();
  // Counts one more file and shows the line again.
  void Advance();

 private:
  size_t total_;
  size_t done_ = 0;
  bool visible_ = false;
  bool enabled_;
};

}  // namespace pteproof

#endif  // PTEPROOF_CLI_PROGRESS_H_
