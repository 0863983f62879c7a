// Programs put together by hand: where shared buffers lie, what stays a method's own, and what is
// refused.
#include "planner/link/link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "planner/options.h"
#include "tests/support/method_builder.h"

namespace pteproof::planner {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const std::array<float, 4> kOnes = {1, 1, 1, 1};
const std::array<float, 4> kTwos = {2, 2, 2, 2};

Bytes BytesOf(const std::array<float, 4>& numbers) {
  return std::as_bytes(std::span(numbers));
}

// NAME = x, and the output is x + x, in the middle of the bank.
Method Put(const std::string& name, const std::string& buffer, std::vector<int32_t> sizes = {4}) {
  MethodBuilder m(name);
  const int32_t state = m.Planned(1, 48, sizes, buffer);
  const int32_t x = m.Planned(1, 80, sizes);
  m.Input(x);
  const int32_t y = m.Planned(1, 0, sizes);
  m.Add(x, x, y);
  m.Copy(state, x);
  m.Output(y);
  return m.Build();
}

// The output is x + a constant, value 0.
Method Get(const std::string& name = "get") {
  MethodBuilder m(name);
  const int32_t constant = m.Constant(1, {4});
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t y = m.Planned(1, 16, {4});
  m.Add(x, constant, y);
  m.Output(y);
  return m.Build();
}

struct File {
  std::string name;
  Program program;
  std::vector<LinkedMethod> stated;  // with names; none: those of the program
  std::set<std::string> shared = {};
};

File FileOf(const std::string& name, const Method& method, Bytes constant = {}) {
  File file = {name, ProgramOf({method}), {}};
  if (!constant.empty()) file.program.constants = {Bytes(), constant};
  return file;
}

Result<Linked, std::string> LinkAll(const std::vector<File>& files, const LinkOptions& options) {
  std::vector<LinkedFile> linked;
  for (const File& file : files) {
    LinkedFile& each = linked.emplace_back();
    each = {file.name, &file.program, file.stated, file.shared};
    for (const Method& method : file.program.methods) {
      if (file.stated.empty()) each.methods.push_back({.name = method.name});
    }
  }
  return Link(std::move(linked), options);
}

std::string ErrorOf(const std::vector<File>& files, const LinkOptions& options) {
  const auto linked = LinkAll(files, options);
  return linked.ok() ? "it is linked" : linked.error();
}

const Tensor& TensorNamed(const Method& method, const std::string& name) {
  for (size_t v = 0; v < method.values.size(); ++v) {
    if (method.NameOf(static_cast<int32_t>(v)) == name) {
      return *method.TensorOf(static_cast<int32_t>(v));
    }
  }
  ADD_FAILURE() << "no value is " << name;
  return method.tensors.front();
}

const Method& MethodNamed(const Program& program, const std::string& name) {
  return *std::ranges::find(program.methods, name, &Method::name);
}

TEST(Link, LaysSharedBuffersByNameWhateverTheOrder) {
  MethodBuilder both("both");
  const int32_t b = both.Planned(1, 0, {5}, "b");
  const int32_t a = both.Planned(1, 32, {4}, "a");
  const int32_t x = both.Planned(1, 48, {4});
  const int32_t y = both.Planned(1, 64, {5});
  both.Input(x);
  both.Input(y);
  both.Copy(a, x);
  both.Copy(b, y);
  const File one = FileOf("one.pte", both.Build());
  const File two = FileOf("two.pte", Put("two", "b", {5}));
  for (const auto& files : {std::vector{one, two}, std::vector{two, one}}) {
    const auto linked = LinkAll(files, {.share = {"*"}});
    ASSERT_TRUE(linked.ok()) << linked.error();
    const Program& program = linked.value().program;
    ASSERT_EQ(program.methods.size(), 2U);
    EXPECT_EQ(program.methods[0].name, "both");
    for (const Method& method : program.methods) {
      EXPECT_EQ(TensorNamed(method, "b").bank, 2U);
      EXPECT_EQ(TensorNamed(method, "b").offset, 16U);
      EXPECT_EQ(method.bank_sizes[2], 36U);
    }
    EXPECT_EQ(TensorNamed(program.methods[0], "a").offset, 0U);
    EXPECT_EQ(linked.value().shared[1].users, 2);
  }
}

TEST(Link, PacksActivationsWhereStateHasLeft) {
  const auto linked = LinkAll({FileOf("put.pte", Put("put", "s"))}, {.share = {"s"}});
  ASSERT_TRUE(linked.ok()) << linked.error();
  EXPECT_THAT(linked.value().program.methods[0].bank_sizes, ElementsAre(0, 32, 16));
}

TEST(Link, TurnsTheConstantOfAReaderIntoTheBuffer) {
  const std::array<float, 4> zeros = {};
  File get = FileOf("get.pte", Get(), BytesOf(zeros));
  get.stated = {{.name = "get", .values = {{0, "s"}}, .reads = {"s"}}};
  const auto linked = LinkAll({FileOf("put.pte", Put("put", "s")), get}, {.share = {"s"}});
  ASSERT_TRUE(linked.ok()) << linked.error();
  const Tensor& state = TensorNamed(MethodNamed(linked.value().program, "get"), "s");
  EXPECT_TRUE(state.planned);
  EXPECT_EQ(state.bank, 2U);
  EXPECT_EQ(state.offset, 0U);
  EXPECT_EQ(state.data_index, 0U);
  EXPECT_THAT(linked.value().sources[1].as_state, ElementsAre("get: s"));
  EXPECT_FALSE(linked.value().init);
}

TEST(Link, LeavesAConstantThatNoMethodChanges) {
  File get = FileOf("get.pte", Get(), BytesOf(kOnes));
  get.stated = {{.name = "get", .values = {{0, "weight"}}, .reads = {}}};
  get.shared = {"weight"};
  const auto linked = LinkAll({FileOf("put.pte", Put("put", "s")), get}, {.share = {"s"}});
  ASSERT_TRUE(linked.ok()) << linked.error();
  EXPECT_FALSE(MethodNamed(linked.value().program, "get").tensors[0].planned);
  EXPECT_THAT(ErrorOf({get}, {.share = {"weight"}}), HasSubstr("there are only constants"));
}

TEST(Link, LaysStateOfOneMethodBeforeWhatAnyMethodTouchesBesides) {
  MethodBuilder wide("wide");
  const int32_t x = wide.Planned(1, 0, {64});
  const int32_t y = wide.Planned(1, 256, {64});
  wide.Input(x);
  wide.Add(x, x, y);
  wide.Output(y);
  const auto linked =
      LinkAll({FileOf("a.pte", Put("a", "own_a")), FileOf("b.pte", Put("b", "own_b")),
               FileOf("wide.pte", wide.Build())},
              {});
  ASSERT_TRUE(linked.ok()) << linked.error();
  const Program& program = linked.value().program;
  EXPECT_EQ(TensorNamed(program.methods[0], "own_a").offset, 0U);
  EXPECT_EQ(TensorNamed(program.methods[1], "own_b").offset, 16U);
  EXPECT_EQ(program.methods[0].bank_sizes[1], 32U + 32U);
  EXPECT_EQ(program.methods[1].bank_sizes[1], 32U + 32U);
  EXPECT_EQ(program.methods[2].bank_sizes[1], 64U + 512U);
  EXPECT_EQ(program.methods[2].tensors[0].offset, 64U);  // they kept that alignment
}

TEST(Link, NamesStateOfOneNameAfterItsMethod) {
  const auto linked = LinkAll({FileOf("a.pte", Put("a", "s")), FileOf("b.pte", Put("b", "s"))}, {});
  ASSERT_TRUE(linked.ok()) << linked.error();
  const Program& program = linked.value().program;
  EXPECT_NE(TensorNamed(program.methods[0], "a/s").offset,
            TensorNamed(program.methods[1], "b/s").offset);
  EXPECT_EQ(linked.value().renamed.size(), 2U);
}

TEST(Link, KeepsWhatMethodsOfOneFileShare) {
  Method put = Put("put", "s");
  Method other = Put("other", "s");
  for (Method* method : {&put, &other}) {
    method->tensors[0].bank = 2;
    method->tensors[0].offset = 0;
    method->bank_sizes.push_back(16);
  }
  const File file = {"both.pte", ProgramOf({put, other}), {}};
  const auto linked = LinkAll({file}, {});
  ASSERT_TRUE(linked.ok()) << linked.error();
  ASSERT_EQ(linked.value().shared.size(), 1U);
  EXPECT_EQ(linked.value().shared[0].name, "s");
}

// As methods are that were exported together without sharing.
TEST(Link, SharesBuffersWithinOneFile) {
  Method other = Put("other", "s");
  other.tensors[0].offset = 144;
  other.bank_sizes[1] = 160;
  const File file = {"both.pte", ProgramOf({Put("put", "s"), other}), {}};
  const auto linked = LinkAll({file}, {.share = {"s"}});
  ASSERT_TRUE(linked.ok()) << linked.error();
  for (const Method& method : linked.value().program.methods) {
    EXPECT_EQ(TensorNamed(method, "s").bank, 2U);
    EXPECT_EQ(TensorNamed(method, "s").offset, 0U);
  }
}

TEST(Link, LaysActivationsOfTheSharedBankBehindTheBuffers) {
  Method put = Put("put", "s");
  for (Tensor& tensor : put.tensors) tensor.bank = 2;
  put.bank_sizes = {0, 0, put.bank_sizes[1]};
  const auto linked = LinkAll({{"put.pte", ProgramOf({put}), {}}}, {.share = {"s"}});
  ASSERT_TRUE(linked.ok()) << linked.error();
  const Method& method = linked.value().program.methods[0];
  EXPECT_EQ(TensorNamed(method, "s").offset, 0U);
  EXPECT_EQ(method.bank_sizes[2], 48U);
  EXPECT_GE(std::min(method.tensors[1].offset, method.tensors[2].offset), 16U);
}

TEST(Link, KeepsBytesBehindStateForDelegatesThatReadBeyond) {
  MethodBuilder m("run");
  const int32_t s = m.Planned(1, 0, {4}, "s");
  const int32_t y = m.Planned(1, 16, {4});
  m.Delegate({s, y});
  m.Copy(s, y);
  m.Output(y);
  m.method().delegates = {{"XnnpackBackend", {}, {}}};
  m.method().bank_sizes[1] = 32 + 64;
  const auto linked = LinkAll({FileOf("run.pte", m.Build())}, {.share = {"s"}});
  ASSERT_TRUE(linked.ok()) << linked.error();
  EXPECT_THAT(linked.value().program.methods[0].bank_sizes, ElementsAre(0, 16 + 64, 16 + 64));
}

TEST(Link, TakesEqualGettersOnce) {
  MethodBuilder getter("get_length");
  getter.Output(getter.Int(7));
  const File a = {"a.pte", ProgramOf({Put("a", "s"), getter.Build()}), {}};
  const File b = {"b.pte", ProgramOf({Put("b", "s"), getter.Build()}), {}};
  const auto linked = LinkAll({a, b}, {.share = {"s"}});
  ASSERT_TRUE(linked.ok()) << linked.error();
  EXPECT_EQ(linked.value().program.methods.size(), 3U);
  MethodBuilder other("get_length");
  other.Output(other.Int(8));
  const File c = {"c.pte", ProgramOf({Put("c", "s"), other.Build()}), {}};
  EXPECT_THAT(ErrorOf({a, c}, {.share = {"s"}}),
              HasSubstr("'get_length' is in a.pte and in c.pte"));
}

// Initial values.

File Stored(const std::string& name, const std::array<float, 4>& initial) {
  File file = FileOf(name + ".pte", Put(name, "s"));
  file.program.initial_values = {Bytes(), BytesOf(initial)};
  file.program.methods[0].tensors[0].data_index = 1;
  return file;
}

TEST(Link, SetsInitialValuesOfSeveralMethodsByAMethod) {
  const auto linked =
      LinkAll({Stored("a", kOnes), Stored("b", kOnes), FileOf("c.pte", Put("c", "zero")),
               FileOf("d.pte", Put("d", "zero"))},
              {.share = {"*"}});
  ASSERT_TRUE(linked.ok()) << linked.error();
  EXPECT_TRUE(linked.value().init);
  const Program& program = linked.value().program;
  EXPECT_EQ(TensorNamed(program.methods[0], "s").data_index, 0U);
  const Method& init = MethodNamed(program, "et_module_init");
  ASSERT_EQ(init.instructions.size(), 2U);
  EXPECT_EQ(init.operators[0].name, "aten::copy_");
  EXPECT_EQ(init.operators[1].name, "aten::zeros.out");
  EXPECT_EQ(TensorNamed(init, "zero").offset, 16U);
  const int32_t constant = init.Ints(init.instructions[0].args)[1];
  const Bytes data = program.constants[init.TensorOf(constant)->data_index];
  EXPECT_TRUE(std::ranges::equal(data, BytesOf(kOnes)));
}

TEST(Link, StoresInitialValuesOfOneMethodInTheFile) {
  const auto linked = LinkAll({Stored("a", kOnes)}, {.share = {"s"}});
  ASSERT_TRUE(linked.ok()) << linked.error();
  EXPECT_FALSE(linked.value().init);
  const Program& program = linked.value().program;
  const uint32_t data_index = program.methods[0].tensors[0].data_index;
  EXPECT_TRUE(std::ranges::equal(program.initial_values[data_index], BytesOf(kOnes)));
}

TEST(Link, SetsZerosByAMethodIfAsked) {
  const auto linked = LinkAll({FileOf("put.pte", Put("put", "s"))},
                              {.share = {"s"}, .initial = InitialState::kMethod});
  ASSERT_TRUE(linked.ok()) << linked.error();
  const Method& init = MethodNamed(linked.value().program, "et_module_init");
  EXPECT_EQ(init.operators[0].name, "aten::zeros.out");
}

TEST(Link, StoresInitialValuesInTheFileIfAsked) {
  const auto linked = LinkAll({Stored("a", kOnes), Stored("b", kOnes)},
                              {.share = {"s"}, .initial = InitialState::kFile});
  ASSERT_TRUE(linked.ok()) << linked.error();
  EXPECT_EQ(linked.value().program.methods.size(), 2U);
  for (const Method& method : linked.value().program.methods) {
    const uint32_t data_index = method.tensors[0].data_index;
    EXPECT_TRUE(
        std::ranges::equal(linked.value().program.initial_values[data_index], BytesOf(kOnes)));
  }
}

TEST(Link, TakesTheInitialMethodsOfFilesForTheirValues) {
  const auto once = LinkAll({Stored("a", kOnes), Stored("b", kOnes)}, {.share = {"s"}});
  ASSERT_TRUE(once.ok());
  const auto twice = LinkAll({{"once.pte", once.value().program, {}}, Stored("c", kOnes)}, {});
  ASSERT_TRUE(twice.ok()) << twice.error();
  EXPECT_EQ(twice.value().program.methods.size(), 4U);
  EXPECT_EQ(twice.value().shared[0].users, 3);
  EXPECT_THAT(ErrorOf({{"once.pte", once.value().program, {}}, Stored("c", kTwos)}, {}),
              HasSubstr("buffer 's' starts with other values in 'a' of once.pte than in 'c'"));
}

// What is refused.

TEST(Link, RefusesTwoMethodsOfOneName) {
  EXPECT_THAT(ErrorOf({FileOf("a.pte", Put("put", "s")), FileOf("b.pte", Put("put", "t"))}, {}),
              AllOf(HasSubstr("method 'put' is in a.pte and in b.pte"),
                    HasSubstr("--rename b.pte:put=NEW")));
}

TEST(Link, RefusesBuffersOfSeveralTypes) {
  EXPECT_THAT(ErrorOf({FileOf("a.pte", Put("a", "s")), FileOf("b.pte", Put("b", "s", {2, 2}))},
                      {.share = {"s"}}),
              HasSubstr("buffer 's' is float32 [4] in 'a' of a.pte and float32 [2, 2] in 'b' of "
                        "b.pte"));
}

TEST(Link, RefusesOtherInitialValues) {
  EXPECT_THAT(ErrorOf({Stored("a", kOnes), Stored("b", kTwos)}, {.share = {"s"}}),
              HasSubstr("'s' starts with other values in 'a' of a.pte than in 'b' of b.pte"));
  File get = FileOf("get.pte", Get(), BytesOf(kOnes));
  get.stated = {{.name = "get", .values = {{0, "s"}}, .reads = {"s"}}};
  EXPECT_THAT(ErrorOf({FileOf("put.pte", Put("put", "s")), get}, {.share = {"s"}}),
              HasSubstr("'s' starts with other values in 'get' of get.pte"));
}

TEST(Link, RefusesAFoldedBuffer) {
  File get = FileOf("get.pte", Get(), BytesOf(kOnes));
  get.stated = {{.name = "get", .values = {}, .reads = {"s"}}};
  EXPECT_THAT(
      ErrorOf({FileOf("put.pte", Put("put", "s")), get}, {.share = {"s"}}),
      HasSubstr("method 'get' of get.pte uses buffer 's', and no value of it is the buffer: "
                "its value was folded"));
  get.program.methods[0].delegates.push_back({"MyBackend", {}, {}});
  EXPECT_THAT(ErrorOf({FileOf("put.pte", Put("put", "s")), get}, {.share = {"s"}}),
              HasSubstr("a delegate holds its value inside"));
}

TEST(Link, RefusesNamedDataOfTwoContents) {
  File a = FileOf("a.pte", Put("a", "s"));
  File b = FileOf("b.pte", Put("b", "s"));
  a.program.named_data = {{"weights", BytesOf(kOnes)}};
  b.program.named_data = {{"weights", BytesOf(kTwos)}};
  EXPECT_THAT(ErrorOf({a, b}, {.share = {"s"}}),
              HasSubstr("named data 'weights' has one content in a.pte and another in b.pte"));
  b.program.named_data = a.program.named_data;
  const auto linked = LinkAll({a, b}, {.share = {"s"}});
  ASSERT_TRUE(linked.ok());
  EXPECT_EQ(linked.value().program.named_data.size(), 1U);
}

TEST(Link, RefusesAPatternThatNamesNothing) {
  EXPECT_THAT(ErrorOf({FileOf("a.pte", Put("a", "s"))}, {.share = {"cache_*"}}),
              HasSubstr("--share cache_* names no buffer that a method changes; there is 's'"));
}

TEST(Link, TellsStateWithoutAName) {
  File nameless = Stored("b", kOnes);
  nameless.program.methods[0].tensors[0].name = {};
  const auto linked = LinkAll({Stored("a", kOnes), nameless}, {.share = {"s"}});
  ASSERT_TRUE(linked.ok()) << linked.error();
  EXPECT_THAT(linked.value().nameless, ElementsAre("value 0 in 'b' of b.pte"));
  EXPECT_EQ(linked.value().program.methods[1].tensors[0].bank, 1U);
}

TEST(Link, RefusesABufferInTheCallersMemory) {
  File file = FileOf("a.pte", Put("a", "s"));
  Tensor& state = file.program.methods[0].tensors[0];
  state.planned = false;
  state.bank = 0;
  state.offset = 0;
  File other = FileOf("b.pte", Put("b", "s"));
  EXPECT_THAT(ErrorOf({file, other}, {.share = {"s"}}),
              HasSubstr("buffer 's' in 'a' of a.pte has no place"));
}

TEST(Link, RefusesABufferOnADevice) {
  File file = FileOf("a.pte", Put("a", "s"));
  file.program.methods[0].bank_devices = {{1, 1, 0}};
  EXPECT_THAT(ErrorOf({file}, {.share = {"s"}}), HasSubstr("lies on a device"));
}

TEST(Link, RefusesABufferAtTwoPlaces) {
  MethodBuilder m("m");
  const int32_t a = m.Planned(1, 0, {4}, "s");
  const int32_t b = m.Planned(1, 16, {4}, "s");
  m.Copy(a, b);
  EXPECT_THAT(ErrorOf({FileOf("m.pte", m.Build())}, {.share = {"s"}}),
              HasSubstr("lies at several places"));
}

TEST(Link, RefusesABufferThatIsPartOfAConcatenation) {
  MethodBuilder m("m");
  const int32_t s = m.Planned(1, 0, {4}, "s");
  const int32_t x = m.Planned(1, 16, {4});
  const int32_t both = m.Planned(1, 0, {8});  // s and x
  const int32_t y = m.Planned(1, 32, {8});
  m.Input(x);
  m.Add(both, both, y);
  m.Copy(s, x);
  m.Output(y);
  EXPECT_THAT(ErrorOf({FileOf("m.pte", m.Build())}, {.share = {"s"}}),
              HasSubstr("lies among bytes that the plan uses together with it"));
}

TEST(Link, RefusesAViewThatMayBeOfAnotherConstant) {
  const std::array<float, 4> zeros = {};
  MethodBuilder m("get");
  const int32_t buffer = m.Constant(1, {4});
  const int32_t other = m.Constant(1, {4});
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t view = m.Constant(1, {2, 2});
  const int32_t y = m.Planned(1, 16, {2, 2});
  m.Add(view, view, y);
  m.Output(y);
  (void)other;
  File get = FileOf("get.pte", m.Build(), BytesOf(zeros));
  get.stated = {{.name = "get", .values = {{buffer, "s"}}, .reads = {"s"}}};
  const File put = FileOf("put.pte", Put("put", "s"));
  EXPECT_THAT(ErrorOf({put, get}, {.share = {"s"}}),
              HasSubstr("value 3 in 'get' of get.pte may be a view of buffer 's' or of another"));
  // If all constants with these bytes are the buffer, so is the view.
  get.stated[0].values[other] = "s";
  const auto linked = LinkAll({put, get}, {.share = {"s"}});
  ASSERT_TRUE(linked.ok()) << linked.error();
  EXPECT_TRUE(MethodNamed(linked.value().program, "get").TensorOf(view)->planned);
}

}  // namespace
}  // namespace pteproof::planner
