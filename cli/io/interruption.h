// SIGINT (Ctrl-C) and SIGTERM end the command within a second, wherever it is: with exit code 130
// or 143, and a line on standard error that says how far it came. Output that was written is whole
// lines, and files are whole or not there.
#ifndef PTEPROOF_CLI_IO_INTERRUPTION_H_
#define PTEPROOF_CLI_IO_INTERRUPTION_H_

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>

namespace pteproof {

// Blocks both signals in this thread, and so in all that it starts, and lets a thread of its own
// wait for them. A signal that is ignored already stays so. Call it once, before other threads.
void WatchForInterruption();

// The verb that runs, and how far it has come: "checked 3 of 12". `total` 0: nobody knows of how
// many.
void NameInterrupted(std::string_view verb);
void TellDone(std::string_view what, size_t done, size_t total);
// The same of a verb whose parts are unlike: each stage that begins ends the one before.
void TellStageReached(std::string_view stage);
// What an interruption would say now: "planning finished; proving not finished".
[[nodiscard]] std::string DoneSoFar();

// While one lives, an interruption waits, at most for a part of a second: for output and files that
// would be left half written. Do not nest.
class WholeWrite {
 public:
  WholeWrite();

 private:
  std::unique_lock<std::timed_mutex> lock_;
};

// A file to remove if the command is interrupted while a WholeWrite takes too long; empty: none.
void RemoveIfInterrupted(const std::string& path);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_IO_INTERRUPTION_H_
