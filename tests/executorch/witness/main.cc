// executorch_witness JOBS ANSWERS: runs each job in a process of its own, so that the runtime may
// end it, and writes for each what the process said (its length, then the outcome of loading and of
// each call that was made) and how it ended (as wait() tells).
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "tests/executorch/witness/counted_load.h"
#include "tests/executorch/witness/job.h"
#include "tests/executorch/witness/loaded_program.h"
#include "tests/executorch/witness/runtime_error.h"
#include "tests/executorch/witness/test_operators.h"

// The wheel has this class, but not its header.
namespace executorch::extension::threadpool {
class ThreadPool {
 public:
  bool _unsafe_reset_threadpool(uint32_t new_thread_count);
};
ThreadPool* get_threadpool();
}  // namespace executorch::extension::threadpool

namespace pteproof::witness {
namespace {

constexpr unsigned kSecondsPerJob = 120;

void Send(int to, const Outcome& outcome) {
  Wire wire;
  Put(wire, outcome);
  for (std::span<const std::byte> rest = wire; !rest.empty();) {
    const ssize_t sent = write(to, rest.data(), rest.size());
    if (sent <= 0) std::_Exit(EXIT_FAILURE);
    rest = rest.subspan(static_cast<size_t>(sent));
  }
}

// Never returns, so that nothing of the parent's is cleaned up twice.
[[noreturn]] void RunJob(const Job& job, int to) {
  alarm(kSecondsPerJob);
  // A signal that ends the call is part of the answer: no sanitizer's report takes its place.
  for (const int number : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV}) std::signal(number, SIG_DFL);
  executorch::extension::threadpool::get_threadpool()->_unsafe_reset_threadpool(1);
  if (job.count == CountOf::kHand || job.count == CountOf::kModule) {
    Send(to, CountLoad(job));
    std::_Exit(EXIT_SUCCESS);
  }
  LoadedProgram program(job);
  Outcome outcome{{}, program.Load()};
  Send(to, outcome);
  for (size_t i = 0; i < job.calls.size() && outcome.error.empty(); ++i) {
    outcome = program.Run(job.calls[i]);
    Send(to, outcome);
  }
  std::_Exit(EXIT_SUCCESS);
}

Wire ReceiveAll(int from) {
  Wire wire;
  std::byte buffer[1 << 16];
  for (ssize_t got; (got = read(from, buffer, sizeof buffer)) > 0;)
    wire.insert(wire.end(), buffer, buffer + got);
  return wire;
}

void RunInChild(const Job& job, Wire& answers) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const pid_t child = fork();
  if (child < 0) std::abort();
  if (child == 0) {
    close(ends[0]);
    RunJob(job, ends[1]);
  }
  close(ends[1]);
  const Wire said = ReceiveAll(ends[0]);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  Put(answers, uint64_t{said.size()});
  answers.insert(answers.end(), said.begin(), said.end());
  Put(answers, static_cast<uint64_t>(status));
}

Wire ReadFile(const char* path) {
  std::ifstream stream(path, std::ios::binary);
  const std::vector<char> text{std::istreambuf_iterator<char>(stream), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

int Main(const char* jobs_path, const char* answers_path) {
  KeepLog();
  if (!RegisterTestOperators()) return EXIT_FAILURE;
  const Wire jobs = ReadFile(jobs_path);
  Wire answers;
  for (std::span<const std::byte> rest = jobs; !rest.empty();) {
    Job job;
    Take(rest, job);
    RunInChild(job, answers);
  }
  std::ofstream stream(answers_path, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(answers.data()),
               static_cast<std::streamsize>(answers.size()));
  return stream.flush() ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace pteproof::witness

int main(int argc, char** argv) {
  if (argc == 3) return pteproof::witness::Main(argv[1], argv[2]);
  std::fputs("usage: executorch_witness JOBS ANSWERS\n", stderr);
  return 64;
}
