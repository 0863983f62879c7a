#include "tests/executorch/witness_client.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <string_view>

#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof::witness {
namespace {

std::string EndOf(int status) {
  if (WIFSIGNALED(status)) return fmt::format("process ended by signal {}", WTERMSIG(status));
  return fmt::format("process ended with code {}", WEXITSTATUS(status));
}

// What one process said, and how it ended.
Answer TakeAnswer(std::span<const std::byte>& wire, size_t calls) {
  uint64_t size = 0;
  Take(wire, size);
  std::span<const std::byte> said = wire.first(size);
  wire = wire.subspan(size);
  uint64_t status = 0;
  Take(wire, status);
  std::vector<Outcome> outcomes;
  while (!said.empty()) Take(said, outcomes.emplace_back());
  // The first that is missing ended the process, unless the one before it stopped the job.
  const bool stopped = !outcomes.empty() && !outcomes.back().error.empty();
  if (outcomes.size() < calls + 1 && !stopped)
    outcomes.push_back({{}, EndOf(static_cast<int>(status))});
  outcomes.resize(calls + 1, Outcome{{}, "not made"});
  return {outcomes.front().error,
          {outcomes.begin() + 1, outcomes.end()},
          std::move(outcomes.front().outputs)};
}

}  // namespace

std::vector<Answer> Ask(std::span<const Job> jobs) {
  const TempFolder folder;
  Wire wire;
  for (const Job& job : jobs) Put(wire, job);
  const std::string_view bytes(reinterpret_cast<const char*>(wire.data()), wire.size());
  const std::string asked = folder.Write("jobs", bytes);
  const std::string answered = folder.Write("answers", "");
  const std::string command =
      fmt::format("'{}' '{}' '{}'", PTEPROOF_EXECUTORCH_WITNESS, asked, answered);
  if (const int code = std::system(command.c_str()); code != 0) {
    ADD_FAILURE() << command << ": " << EndOf(code);
    return std::vector<Answer>(jobs.size(), Answer{"the witness was not there", {}});
  }
  const std::vector<std::byte> file = ReadBytes(answered);
  std::span<const std::byte> rest = file;
  std::vector<Answer> answers;
  for (const Job& job : jobs) answers.push_back(TakeAnswer(rest, job.calls.size()));
  return answers;
}

}  // namespace pteproof::witness
