// Runs the cases below tests/cases: a GoogleTest for each revision of each file. With --update it
// writes what comes out into the files instead.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/cases/judge_case.h"
#include "tests/support/files.h"

namespace pteproof::cases {
namespace {

namespace fs = std::filesystem;

const fs::path& Root() {
  static const fs::path root = fs::path(PTEPROOF_SOURCE_DIR) / "tests/cases";
  return root;
}

std::string NameOfFile(const fs::path& file) {
  return fs::relative(file, Root()).replace_extension().generic_string();
}

// What fails is told by the lines of cases alone, and counted at the end.
class Teller : public testing::EmptyTestEventListener {
 public:
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (result.failed()) std::puts(result.message());
  }
  void OnTestProgramEnd(const testing::UnitTest& all) override {
    std::printf("%d passed, %d failed\n", all.successful_test_count(), all.failed_test_count());
  }
};

class CaseTest : public testing::Test {
 public:
  CaseTest(fs::path file, size_t revision) : file_(std::move(file)), revision_(revision) {}

  void TestBody() override {
    RecordProperty("slow", "it is judged in every way");
    const std::string name = fs::relative(file_, PTEPROOF_SOURCE_DIR).generic_string();
    for (const std::string& failure : FailuresOf(ReadText(file_), revision_, name)) {
      ADD_FAILURE() << failure;
    }
  }

 private:
  fs::path file_;
  size_t revision_;
};

void Register(const fs::path& path) {
  const auto file = ReadCaseFile(ReadText(path));
  // A file that is refused is a test that says so.
  const size_t count = file.ok() ? file.value().revisions.size() : 1;
  for (size_t r = 0; r < count; ++r) {
    std::string name = NameOfFile(path);
    int line = 1;
    if (file.ok() && !file.value().revisions[r].name.empty()) {
      name += "/" + file.value().revisions[r].name;
      line = file.value().revisions[r].line;
    }
    testing::RegisterTest(
        "Cases", name.c_str(), nullptr, nullptr, path.c_str(), line,
        [path, r]() -> testing::Test* { return std::make_unique<CaseTest>(path, r).release(); });
  }
}

// Whether all of its revisions could be judged.
bool Update(const fs::path& path) {
  const std::string text = ReadText(path);
  std::vector<CaseError> told;
  const std::optional<std::string> fresh = Updated(text, told);
  if (fresh && *fresh != text) {
    std::ofstream(path, std::ios::binary) << *fresh;
    std::puts(("updated " + path.string()).c_str());
  }
  for (const CaseError& error : told) std::puts(TextOf(error, path.string()).c_str());
  return fresh.has_value();
}

std::vector<fs::path> CasesBelow(const fs::path& place) {
  if (!fs::is_directory(place)) return {place};
  std::vector<fs::path> cases = FilesBelow(place);
  std::erase_if(cases, [](const fs::path& path) { return path.extension() != ".case"; });
  return cases;
}

int UpdateAll(std::span<char*> places) {
  std::vector<fs::path> asked(places.begin(), places.end());
  if (asked.empty()) asked.push_back(Root());
  bool good = true;
  for (const fs::path& place : asked) {
    for (const fs::path& path : CasesBelow(place)) good &= Update(path);
  }
  return good ? 0 : 1;
}

}  // namespace
}  // namespace pteproof::cases

int main(int argc, char** argv) {
  using namespace pteproof::cases;  // NOLINT(google-build-using-namespace)
  testing::InitGoogleTest(&argc, argv);
  const std::span arguments(argv, static_cast<size_t>(argc));
  if (argc > 1 && std::string_view(argv[1]) == "--update") return UpdateAll(arguments.subspan(2));
  for (const auto& path : CasesBelow(Root())) Register(path);
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  listeners.Append(std::make_unique<Teller>().release());
  return RUN_ALL_TESTS();
}
