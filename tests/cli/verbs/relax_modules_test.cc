// Programs of TVM Relax, as python/pteproof_relax.py converts them: the table of
// docs/explanation/in-place.md says what the command answers, and `lint` refuses what TVM's pass
// makes wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

const std::string kRelaxModules = PTEPROOF_CORPUS_DIR "/lint/relax/";

// One graph of the table.
struct RelaxRow {
  int tvm_in_place = 0;
  int right = 0;
  int six = 0;
  int others = 0;
  int64_t bytes = 0;
};

std::map<std::string, RelaxRow> TableOfThePage() {
  std::map<std::string, RelaxRow> rows;
  std::istringstream page(ReadText(PTEPROOF_SOURCE_DIR "/docs/explanation/in-place.md"));
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("<!-- relax: ")) inside = line == "<!-- relax: begin -->";
    if (!inside || !line.starts_with("| ") || line.starts_with("| graph |")) continue;
    std::istringstream cells(line);
    std::string bar;
    std::string name;
    int64_t calls = 0;
    int64_t tvm_bytes = 0;
    RelaxRow row;
    cells >> bar >> name >> bar >> calls >> bar >> row.tvm_in_place >> bar >> row.right >> bar >>
        row.six >> bar >> row.others >> bar >> tvm_bytes >> bar >> row.bytes;
    EXPECT_TRUE(cells) << line;
    rows[name] = row;
  }
  return rows;
}

bool HasWishes(const std::string& name) {
  return fs::exists(kRelaxModules + name + ".tvm.module");
}

int WrongResults(const std::string& name) {
  const std::string file = kRelaxModules + name + (HasWishes(name) ? ".tvm.module" : ".module");
  const json answer = json::parse(RunCommand({"lint", "--json", file}).out);
  std::set<std::string> results;
  for (const json& finding : answer["findings"]) {
    if (finding["severity"] == "error") results.insert(finding["result"]);
  }
  return static_cast<int>(results.size());
}

std::vector<size_t> ValuesIn(const std::string& operands) {
  std::vector<size_t> values;
  for (size_t at = operands.find('v'); at != std::string::npos; at = operands.find('v', at + 1)) {
    const bool starts = at == 0 || std::string(" =(").find(operands[at - 1]) != std::string::npos;
    if (starts && std::isdigit(operands[at + 1]) != 0) {
      values.push_back(std::stoul(operands.substr(at + 1)));
    }
  }
  return values;
}

// Whether the value that the instruction writes, its last, has the place of one that it reads.
bool IsInPlace(const json& method, const std::string& instruction) {
  const std::string call = instruction.substr(0, instruction.find(" -> "));
  std::vector<size_t> values = ValuesIn(call.substr(call.find('(')));
  if (values.empty()) return false;
  const json place = method["values"][values.back()]["place"];
  values.pop_back();
  return !place.is_null() && std::ranges::any_of(values, [&](size_t value) {
    return method["values"][value]["place"] == place;
  });
}

void AddPlan(const std::string& name, RelaxRow& row) {
  const TempFolder folder;
  const std::string program = folder.path() + "/a.pte";
  const CommandResult planned = RunCommand({"plan", kRelaxModules + name + ".module", "-o", program,
                                            "--unplanned-inputs", "--report", "--json"});
  ASSERT_EQ(planned.exit_code, 0) << planned.err;
  std::istringstream banks(planned.out);
  for (std::string bank; std::getline(banks, bank);)
    row.bytes += json::parse(bank)["peak"].get<int64_t>();
  const std::set<std::string> of_tvm = {"aten::add.out", "aten::sub.out",  "aten::mul.out",
                                        "aten::div.out", "aten::relu.out", "relax::nn.silu"};
  const json method = json::parse(RunCommand({"inspect", "--json", program}).out)["methods"][0];
  for (const std::string instruction : method["instructions"]) {
    if (instruction.starts_with("executorch_prim::") || !IsInPlace(method, instruction)) continue;
    ++(of_tvm.contains(instruction.substr(0, instruction.find('('))) ? row.six : row.others);
  }
}

TEST(RelaxModules, TheTableOfThePageHasTheAnswersOfTheCommand) {
  RecordProperty("slow", "runs the command of every example");
  const auto rows = TableOfThePage();
  EXPECT_GE(rows.size(), 40U);
  for (const auto& [name, shown] : rows) {
    SCOPED_TRACE(name + ": scripts/relax_table --write makes the table anew");
    RelaxRow row;
    AddPlan(name, row);
    EXPECT_EQ(shown.right, shown.tvm_in_place - WrongResults(name));
    EXPECT_EQ(shown.six, row.six);
    EXPECT_EQ(shown.others, row.others);
    EXPECT_EQ(shown.bytes, row.bytes);
    EXPECT_EQ(HasWishes(name), shown.tvm_in_place > 0);
  }
}

TEST(RelaxModules, EachIsInTheTable) {
  const auto rows = TableOfThePage();
  for (const auto& file : fs::directory_iterator(kRelaxModules)) {
    const std::string name = file.path().filename();
    EXPECT_TRUE(rows.contains(name.substr(0, name.find('.')))) << name;
  }
}

TEST(RelaxModules, LintNamesTheReaderOfWhatTheirPassOverwrites) {
  const std::string reader =
      "  %2 = aten::relu.out is computed in the bytes of %0.\n"
      "  %3 = aten::cat.out reads %0 afterwards.\n"
      "  %3 would see %2.\n";
  const std::map<std::string, std::string> wrong = {
      {"element_taken_twice", reader},
      {"variable_and_element", reader},
      {"nested_tuple", reader},
      {"tuple_is_an_output",
       "  %2 = aten::relu.out is computed in the bytes of %0.\n"
       "  %0 is returned, as result 0.\n"
       "  It would be %2 there.\n"},
      {"copy_that_becomes_a_view",
       "  %2 = aten::relu.out is computed in the bytes of %0.\n"
       "  %1 is another name of these bytes. %4 = aten::cat.out reads %1 afterwards.\n"
       "  %4 would see %2.\n"},
      {"variable_of_a_constant",
       "  %1 = aten::add.out is computed in the bytes of %0.\n"
       "  %0 is the value of @constant0 at entry, and the method does not store to that buffer.\n"
       "  The buffer would hold %1 after the call.\n"},
  };
  for (const auto& [name, explanation] : wrong) {
    EXPECT_EQ(RunCommand({"lint", kRelaxModules + name + ".module"}).exit_code, 0) << name;
    const std::string file = kRelaxModules + name + ".tvm.module";
    const CommandResult lint = RunCommand({"lint", file});
    EXPECT_EQ(lint.exit_code, 1);
    EXPECT_THAT(lint.out, HasSubstr(name + ".tvm.module: 1 wrong in place\n\nerror in-place-"));
    EXPECT_THAT(lint.out, HasSubstr(explanation));
    for (const CommandResult& refused :
         {RunCommand({"plan", file, "-o", "/dev/null"}), RunCommand({"prove", file})}) {
      EXPECT_EQ(refused.exit_code, 1);
      EXPECT_THAT(refused.err, HasSubstr("method 'main': in-place-"));
    }
  }
}

TEST(RelaxModules, OthersAreProved) {
  for (const std::string name : {"concatenation_into_a_buffer", "cache_step", "attention_block"}) {
    const CommandResult proof = RunCommand({"prove", kRelaxModules + name + ".module"});
    EXPECT_EQ(proof.exit_code, 0) << proof.out << proof.err;
  }
}

}  // namespace
}  // namespace pteproof
