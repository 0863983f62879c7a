// Writes after each test what it took and which mutants it reached, to the file that the
// environment names: a line of name, milliseconds and numbers. Linked into the tests by
// scripts/mutation.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>

#include "tests/mutation/mutated.h"

namespace pteproof::mutation {
namespace {

class Recorder : public testing::EmptyTestEventListener {
 public:
  explicit Recorder(const char* path) : out_(path) {}

 private:
  using Clock = std::chrono::steady_clock;

  void OnTestStart(const testing::TestInfo&) override { start_ = Clock::now(); }

  // What a suite sets up before its first test counts as reached by that test.
  void OnTestEnd(const testing::TestInfo& test) override {
    const std::chrono::duration<double, std::milli> took = Clock::now() - start_;
    out_ << test.test_suite_name() << '.' << test.name() << '\t' << took.count() << '\t';
    for (std::size_t number = 0; number < kMost; ++number) {
      if (reached[number]) out_ << number << ' ';
    }
    out_ << std::endl;
    reached = {};
  }

  std::ofstream out_;
  Clock::time_point start_;
};

bool Listen() {
  const char* const path = std::getenv("PTEPROOF_MUTANTS_REACHED");
  if (path != nullptr) testing::UnitTest::GetInstance()->listeners().Append(new Recorder(path));
  return true;
}

const bool listening = Listen();

}  // namespace
}  // namespace pteproof::mutation
