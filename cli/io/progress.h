// A line on standard error that says how far a long run has come, and leaves no trace; an
// interruption (interruption.h) tells it, too.
#ifndef PTEPROOF_CLI_IO_PROGRESS_H_
#define PTEPROOF_CLI_IO_PROGRESS_H_

#include <chrono>
#include <cstddef>
#include <string_view>

namespace pteproof {

class Progress {
 public:
  // "checked 3 of 12"; 0: nobody knows of how many. Shows nothing for a single one, or where
  // standard error is not a terminal.
  explicit Progress(size_t total, std::string_view what = "checked");
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Removes the line, so that output can be written.
  void Clear();
  // Counts one more, and shows the line again when it has not changed for a while.
  void Advance();

 private:
  size_t total_;
  std::string_view what_;
  size_t done_ = 0;
  bool visible_ = false;
  bool enabled_;
  std::chrono::steady_clock::time_point shown_;
};

}  // namespace pteproof

#endif  // PTEPROOF_CLI_IO_PROGRESS_H_
