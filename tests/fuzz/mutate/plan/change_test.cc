// Each change of a plan does what its name says and nothing else: with that undone, the program is
// what it was.
#include "fuzz/mutate/plan/change.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/walk.h"
#include "pteproof/read.h"
#include "pteproof/write.h"
#include "runtime/same_program.h"
#include "tests/fuzz/mutate/inputs.h"
#include "tests/support/wire_program.h"

namespace pteproof {
namespace {

using fuzz::Buffer;
using fuzz::Random;
using fuzz::plan::Change;

struct Held {
  Buffer file;  // that the program's blobs lie in
  Program program;
};

// What no stored program has: a text and a list of numbers.
Buffer FileWithTextAndReals() {
  wire::File file = wire::AddFile();
  file.Add(wire::Text("floor"));
  file.Add(wire::Reals({1.5, -2}));
  return wire::Build(file);
}

// Programs with state, jumps, delegates, lists and named data among them.
const std::vector<Held>& HeldPrograms() {
  static const std::vector<Held> programs = [] {
    std::vector<Held> held;
    for (Buffer& file : SeedPrograms()) held.push_back({std::move(file), {}});
    for (Buffer& file : CorpusInputs("crafted/legal", ".pte"))
      held.push_back({std::move(file), {}});
    for (Buffer& file : CorpusInputs("crafted", "base.pte")) held.push_back({std::move(file), {}});
    held.push_back({FileWithTextAndReals(), {}});
    for (Held& each : held) {
      auto read = ReadProgram(each.file);
      EXPECT_TRUE(read.ok());
      if (read.ok()) each.program = std::move(read).value();
    }
    return held;
  }();
  return programs;
}

using Undo = std::function<void(Program& changed, const Program& before)>;

// Tries the changes on all programs; what is left of each when `undo` took back what it may change.
void ExpectOnly(std::span<const Change> changes, const Undo& undo) {
  constexpr uint64_t kSeeds = 8;
  for (const Change& change : changes) {
    int made = 0;
    for (const Held& held : HeldPrograms()) {
      for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        Program changed = held.program;
        Random random(seed);
        if (!change.make(changed, random)) {
          EXPECT_EQ(ProgramDifference(changed, held.program), "") << change.name;
          continue;
        }
        ++made;
        undo(changed, held.program);
        EXPECT_EQ(ProgramDifference(changed, held.program), "") << change.name;
      }
    }
    EXPECT_GT(made, 0) << change.name << " was never made";
  }
}

void ForEachMethod(Program& changed, const Program& before,
                   const std::function<void(Method&, const Method&)>& undo) {
  ASSERT_EQ(changed.methods.size(), before.methods.size());
  for (size_t m = 0; m < changed.methods.size(); ++m) {
    undo(changed.methods[m], before.methods[m]);
  }
}

TEST(PlanChanges, HaveDifferentNames) {
  std::set<std::string_view> names;
  for (const Change& change : fuzz::plan::AllChanges()) names.insert(change.name);
  EXPECT_EQ(names.size(), fuzz::plan::AllChanges().size());
  EXPECT_GE(names.size(), 50U);
}

TEST(PlanChanges, OfPlacesMoveTensorsAndGrowBanksOnly) {
  ExpectOnly(fuzz::plan::PlaceChanges(), [](Program& changed, const Program& before) {
    ForEachMethod(changed, before, [](Method& method, const Method& was) {
      for (size_t t = 0; t < method.tensors.size(); ++t) {
        Tensor& tensor = method.tensors[t];
        const Tensor& old = was.tensors[t];
        tensor.planned = old.planned;
        tensor.bank = old.bank;
        tensor.offset = old.offset;
        tensor.data_index = old.data_index;
      }
      method.bank_sizes = was.bank_sizes;
    });
  });
}

TEST(PlanChanges, MoveOffsetChangesOneOffset) {
  const Change& change = fuzz::plan::PlaceChanges().front();
  ASSERT_EQ(change.name, "move-offset");
  for (const Held& held : HeldPrograms()) {
    Program changed = held.program;
    Random random(5);
    if (!change.make(changed, random)) continue;
    int moved = 0;
    for (size_t m = 0; m < changed.methods.size(); ++m) {
      for (size_t t = 0; t < changed.methods[m].tensors.size(); ++t) {
        Tensor& tensor = changed.methods[m].tensors[t];
        const Tensor& old = held.program.methods[m].tensors[t];
        if (tensor.offset != old.offset) ++moved;
        tensor.offset = old.offset;
      }
    }
    EXPECT_EQ(moved, 1);
    EXPECT_EQ(ProgramDifference(changed, held.program), "");
  }
}

TEST(PlanChanges, OfBanksChangeBanksOnly) {
  ExpectOnly(fuzz::plan::BankChanges(), [](Program& changed, const Program& before) {
    ForEachMethod(changed, before, [](Method& method, const Method& was) {
      method.bank_sizes = was.bank_sizes;
      method.bank_devices = was.bank_devices;
      for (size_t t = 0; t < method.tensors.size(); ++t) {
        method.tensors[t].bank = was.tensors[t].bank;
      }
    });
  });
}

TEST(PlanChanges, OfTensorsLeaveTheirPlaces) {
  ExpectOnly(fuzz::plan::TensorChanges(), [](Program& changed, const Program& before) {
    ForEachMethod(changed, before, [](Method& method, const Method& was) {
      for (size_t t = 0; t < method.tensors.size(); ++t) {
        Tensor& tensor = method.tensors[t];
        const Tensor& old = was.tensors[t];
        EXPECT_EQ(tensor.offset, old.offset);
        EXPECT_EQ(tensor.bank, old.bank);
        EXPECT_EQ(tensor.sizes.count, tensor.dim_order.count);
        tensor = old;
      }
    });
  });
}

TEST(PlanChanges, OfValuesLeaveTensorsAndCode) {
  ExpectOnly(fuzz::plan::ValueChanges(), [](Program& changed, const Program& before) {
    ForEachMethod(changed, before,
                  [](Method& method, const Method& was) { method.values = was.values; });
  });
}

TEST(PlanChanges, OfArgumentsLeaveTheOrderOfCalls) {
  ExpectOnly(fuzz::plan::ArgumentChanges(), [](Program& changed, const Program& before) {
    ForEachMethod(changed, before, [](Method& method, const Method& was) {
      ASSERT_EQ(method.instructions.size(), was.instructions.size());
      for (size_t i = 0; i < method.instructions.size(); ++i) {
        EXPECT_EQ(method.instructions[i].kind, was.instructions[i].kind);
        method.instructions[i].args = was.instructions[i].args;
        method.instructions[i].target = was.instructions[i].target;
      }
      method.operators = was.operators;
    });
  });
}

TEST(PlanChanges, OfInstructionsChangeCodeOnly) {
  ExpectOnly(fuzz::plan::InstructionChanges(), [](Program& changed, const Program& before) {
    ForEachMethod(changed, before, [](Method& method, const Method& was) {
      method.instructions = was.instructions;
    });
  });
}

TEST(PlanChanges, OfBoundariesChangeInputsAndOutputsOnly) {
  ExpectOnly(fuzz::plan::BoundaryChanges(), [](Program& changed, const Program& before) {
    ForEachMethod(changed, before, [](Method& method, const Method& was) {
      method.inputs = was.inputs;
      method.outputs = was.outputs;
      method.input_structure = was.input_structure;
      method.output_structure = was.output_structure;
    });
  });
}

TEST(PlanChanges, OfStateChangeTensorsNamesAndDataOnly) {
  ExpectOnly(fuzz::plan::StateChanges(), [](Program& changed, const Program& before) {
    ForEachMethod(changed, before, [](Method& method, const Method& was) {
      for (size_t t = 0; t < method.tensors.size(); ++t) {
        EXPECT_EQ(method.tensors[t].nbytes, was.tensors[t].nbytes);
        method.tensors[t] = was.tensors[t];
      }
    });
  });
}

TEST(PlanChanges, OfMethodsKeepWhatIsInThem) {
  for (const Change& change : fuzz::plan::MethodChanges()) {
    int made = 0;
    for (const Held& held : HeldPrograms()) {
      Program changed = held.program;
      Random random(3);
      if (!change.make(changed, random)) continue;
      ++made;
      for (Method& method : changed.methods) {
        const bool known = std::ranges::any_of(held.program.methods, [&](const Method& was) {
          Program one{{method}, held.program.constants, held.program.initial_values, {}, {}};
          one.methods[0].name = was.name;
          return SameProgram(one,
                             {{was}, held.program.constants, held.program.initial_values, {}, {}});
        });
        EXPECT_TRUE(known) << change.name;
      }
    }
    EXPECT_GT(made, 0) << change.name;
  }
}

TEST(PlanChanges, OfBlobsChangeDelegatesAndNamedDataOnly) {
  ExpectOnly(fuzz::plan::BlobChanges(), [](Program& changed, const Program& before) {
    changed.named_data = before.named_data;
    ForEachMethod(changed, before,
                  [](Method& method, const Method& was) { method.delegates = was.delegates; });
  });
}

TEST(PlanChanges, MostlyChangeWhatTheProgramSays) {
  std::map<std::string_view, std::pair<int, int>> said;  // differs, made
  for (const Change& change : fuzz::plan::AllChanges()) {
    auto& [differs, made] = said[change.name];
    for (const Held& held : HeldPrograms()) {
      for (uint64_t seed = 0; seed < 4; ++seed) {
        Program changed = held.program;
        Random random(seed);
        if (!change.make(changed, random)) continue;
        ++made;
        if (!SameProgram(changed, held.program)) ++differs;
      }
    }
    EXPECT_GT(made, 0) << change.name;
    EXPECT_GE(2 * differs, made) << change.name;
  }
}

// Many changes after each other, without repair: what the writer and the walk promise of programs
// holds for each step, but for what a reader refuses.
TEST(PlanChanges, LeaveProgramsThatAFileCanHold) {
  for (const Held& held : HeldPrograms()) {
    Program changed = held.program;
    Random random(17);
    for (int step = 0; step < 60; ++step) {
      if (!random.Of(fuzz::plan::AllChanges()).make(changed, random)) continue;
      const auto written = WriteProgram(changed);
      ASSERT_TRUE(written.ok()) << written.error();
      const auto again = ReadProgram(written.value());
      if (!again.ok()) continue;
      EXPECT_EQ(ProgramDifference(again.value(), changed), "");
      static_cast<void>(fuzz::Walk(again.value()));
    }
  }
}

}  // namespace
}  // namespace pteproof
