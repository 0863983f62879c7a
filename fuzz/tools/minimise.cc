// fuzz_minimise TARGET FILE [OUT]: the smallest program that breaks the same promise of the target
// as FILE does. Each one is tried in a process of its own. Inputs that are no programs are for
// libFuzzer's -minimize_crash.
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "fuzz/shrink/shrink_program.h"
#include "fuzz/target.h"
#include "fuzz/tools/contents.h"
#include "pteproof/read.h"
#include "pteproof/write.h"

namespace {

using namespace pteproof;  // NOLINT: a program of its own

// What the target says as it ends, up to the details; empty: it does not fail.
std::string BrokenPromise(const fuzz::Target& target, Bytes input) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    static_cast<void>(target.run(input));
    _exit(0);
  }
  close(ends[1]);
  std::string said;
  for (char part[256]; said.size() < sizeof part;) {
    const ssize_t count = read(ends[0], part, sizeof part);
    if (count <= 0) break;
    said.append(part, static_cast<size_t>(count));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  const size_t details = said.find(": ", said.find(": ") + 1);
  return said.empty() ? "it ended" : said.substr(0, details);
}

int Minimise(const fuzz::Target& target, const char* from, const char* to) {
  const fuzz::Buffer input = fuzz::ContentsOf(from);
  const std::string promise = BrokenPromise(target, input);
  const auto program = ReadProgram(input);
  if (promise.empty() || !program.ok()) {
    fmt::print(stderr, "fuzz_minimise: {} {}\n", from,
               promise.empty() ? "breaks no promise" : "is no program");
    return 1;
  }
  const auto fails = [&](const Program& p) {
    const auto bytes = WriteProgram(p);
    return bytes.ok() && BrokenPromise(target, bytes.value()) == promise;
  };
  if (!fails(program.value())) {
    fmt::print(stderr, "fuzz_minimise: {} is sound when it is written anew\n", from);
    return 1;
  }
  const auto small = WriteProgram(fuzz::ShrunkProgram(program.value(), fails));
  fuzz::Put(small.value(), to);
  fmt::print("{}: {} bytes of {}\n", promise, small.value().size(), input.size());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const fuzz::Target* target = argc < 3 ? nullptr : fuzz::TargetNamed(argv[1]);
  if (target == nullptr || argc > 4) {
    fmt::print(stderr, "usage: fuzz_minimise TARGET FILE [OUT]\n");
    return 64;
  }
  return Minimise(*target, argv[2], argc > 3 ? argv[3] : argv[2]);
}
