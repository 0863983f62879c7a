// Random mutating methods, with views, branches and loops, and their functional forms give the
// same.
#include <gtest/gtest.h>

#include <random>

#include "reference/graph/builder.h"
#include "reference/graph/functionalize.h"
#include "reference/graph/print.h"
#include "reference/graph/validate.h"
#include "reference/run/interpret.h"

namespace pteproof::graph {
namespace {

class RandomMethod {
 public:
  explicit RandomMethod(uint32_t seed) : random_(seed) {}

  Module Make() {
    module_.methods.emplace_back().name = "f";
    builder_.emplace(module_.methods.front());
    flag_ = builder_->AddInput("flag", TensorType{ScalarType::kBool, {1}});
    count_ = builder_->AddInput("count", TensorType{ScalarType::kFloat32, {1}});
    std::vector<ValueId> values = {builder_->AddInput("x", Matrix(2, 3)),
                                   builder_->AddInput("y", Matrix(3, 2))};
    for (int32_t b = 0; b < 2; ++b) {
      module_.buffers.push_back({b == 0 ? "a" : "b", Matrix(2, 3), {}, true});
      values.push_back(builder_->AddEntry(b, Matrix(2, 3)));
    }
    Fill(values, 4 + Below(8), 0);
    Method& method = module_.methods.front();
    for (size_t n = Below(3); n > 0; --n) method.body.results.push_back(AnyOf(values));
    if (Below(3) == 0) {
      if (const auto v = Like(values, values[2])) method.stores.push_back({0, *v});
    }
    return std::move(module_);
  }

 private:
  using Values = std::vector<ValueId>;

  static TensorType Matrix(int64_t rows, int64_t columns) {
    return {ScalarType::kFloat32, {rows, columns}};
  }
  size_t Below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }
  ValueId AnyOf(const Values& values) { return values[Below(values.size())]; }

  // One of the values with that one's type.
  std::optional<ValueId> Like(const Values& values, ValueId wanted) {
    Values like;
    for (const ValueId v : values) {
      if (*builder_->TypeOf(v) == *builder_->TypeOf(wanted)) like.push_back(v);
    }
    return like.empty() ? std::nullopt : std::optional(AnyOf(like));
  }

  void Fill(Values& values, size_t nodes, int depth) {
    for (; nodes > 0; --nodes) {
      const size_t kind = Below(depth < 2 ? 12 : 10);
      if (kind < 2) {
        Take(values, builder_->CallOne("aten::neg.out", {Of(AnyOf(values))}));
      } else if (kind < 6) {
        View(values);
      } else if (kind < 10) {
        Mutation(values);
      } else if (Below(2) == 0) {
        Cond(values, depth);
      } else {
        Loop(values, depth);
      }
    }
  }

  void Take(Values& values, std::optional<ValueId> made) {
    if (made) values.push_back(*made);
  }

  void View(Values& values) {
    const Operand base = Of(AnyOf(values));
    const auto number = [&](size_t n) { return Number(static_cast<int64_t>(Below(n))); };
    std::optional<ValueId> made;
    switch (Below(8)) {
      case 0: {
        const auto start = static_cast<int64_t>(Below(2));
        made = builder_->CallOne("aten::slice_copy.Tensor_out",
                                 {base, number(2), Number(start), Number(start + 2),
                                  Number(1 + static_cast<int64_t>(Below(2)))});
        break;
      }
      case 1:
        made = builder_->CallOne("aten::select_copy.int_out", {base, number(2), number(2)});
        break;
      case 2:
        made = builder_->CallOne("aten::t_copy.out", {base});
        break;
      case 3:
        made = builder_->CallOne("aten::permute_copy.out",
                                 {base, List({Number(2), Number(0), Number(1)})});
        break;
      case 4:
        made = builder_->CallOne("aten::view_copy.out", {base, List({Number(-1), Number(2)})});
        break;
      case 5:
        made = builder_->CallOne("aten::unsqueeze_copy.out", {base, number(2)});
        break;
      case 6:
        made = builder_->CallOne("aten::squeeze_copy.dim_out", {base, number(2)});
        break;
      default:
        made = builder_->CallOne("aten::alias_copy.out", {base});
        break;
    }
    if (made) builder_->last().view = true;
    Take(values, made);
  }

  void Mutation(Values& values) {
    const ValueId self = AnyOf(values);
    const auto other = Like(values, self);
    switch (Below(4)) {
      case 0:
        return Take(values, builder_->CallOne("aten::copy_", {Of(self), Of(*other), Flag(false)}));
      case 1:
        return Take(values,
                    builder_->CallOne("aten::add_.Tensor", {Of(self), Of(*other), Number(1)}));
      case 2:
        return Take(values, builder_->CallOne("aten::mul_.Scalar", {Of(self), Real(0.5)}));
      default:
        return Take(values, builder_->CallOne("aten::neg_", {Of(self)}));
    }
  }

  Region Begin(const std::vector<Operand>& operands) {
    Region region;
    for (const Operand& operand : operands) {
      const ValueId outside = std::get<Operand::Value>(operand.held).id;
      region.params.push_back(builder_->Declare(*builder_->TypeOf(outside)));
    }
    return region;
  }

  std::vector<Operand> Args(const Values& values) {
    std::vector<Operand> args;
    for (size_t n = 1 + Below(2); n > 0; --n) args.push_back(Of(AnyOf(values)));
    return args;
  }

  void Cond(Values& values, int depth) {
    Node cond;
    cond.kind = NodeKind::kCond;
    const std::vector<Operand> args = Args(values);
    cond.operands = {Of(depth == 0 ? flag_ : NewFlag(values))};
    cond.operands.insert(cond.operands.end(), args.begin(), args.end());
    Region regions[] = {Begin(args), Begin(args)};
    for (Region& region : regions) {
      builder_->Open(region);
      Values inside = region.params;
      Fill(inside, Below(4), depth + 1);
      // Of the first operand's type, which both branches have.
      region.results = {*Like(inside, region.params.front())};
      builder_->Close();
      cond.regions.push_back(std::move(region));
    }
    Finish(values, std::move(cond), {*builder_->TypeOf(Front(args))});
  }

  static ValueId Front(const std::vector<Operand>& args) {
    return std::get<Operand::Value>(args.front().held).id;
  }

  ValueId NewFlag(const Values& values) {
    const ValueId any = AnyOf(values);
    const auto sum =
        builder_->CallOne("aten::sum.IntList_out", {Of(any), None(), Flag(false), None()});
    const auto flat = sum ? builder_->CallOne("aten::view_copy.out", {Of(*sum), List({Number(1)})})
                          : std::nullopt;
    const auto flag =
        flat ? builder_->CallOne("aten::gt.Scalar_out", {Of(*flat), Real(0)}) : std::nullopt;
    EXPECT_TRUE(flag);
    return flag.value_or(any);
  }

  // Counts to 3, with one more carried value.
  void Loop(Values& values, int depth) {
    Node loop;
    loop.kind = NodeKind::kWhile;
    loop.carried = 2;
    const auto start = depth == 0 ? std::optional(count_) : NewCount();
    loop.operands = {Of(*start), Of(AnyOf(values))};
    for (const Operand& arg : Args(values)) loop.operands.push_back(arg);
    Region test = Begin(loop.operands);
    builder_->Open(test);
    test.results = {*builder_->CallOne("aten::lt.Scalar_out", {Of(test.params[0]), Real(3)})};
    builder_->Close();
    Region body = Begin(loop.operands);
    builder_->Open(body);
    Values inside(body.params.begin() + 1, body.params.end());
    Fill(inside, 1 + Below(4), depth + 1);
    const char* count = depth == 0 || Below(2) == 0 ? "aten::add.Scalar_out" : "aten::add_.Scalar";
    const ValueId next = *builder_->CallOne(count, {Of(body.params[0]), Number(1), Number(1)});
    const ValueId second = Below(2) == 0 ? body.params[1] : *Like(inside, body.params[1]);
    body.results = {next, second};
    builder_->Close();
    const TensorType type = *builder_->TypeOf(body.params[1]);
    loop.regions = {std::move(test), std::move(body)};
    Finish(values, std::move(loop), {*builder_->TypeOf(*start), type});
  }

  std::optional<ValueId> NewCount() {
    return builder_->CallOne("aten::ones.out", {List({Number(1)})});
  }

  void Finish(Values& values, Node node, const std::vector<TensorType>& types) {
    for (const TensorType& type : types) node.results.push_back(builder_->Declare(type));
    values.push_back(node.results.back());
    builder_->Add(std::move(node));
  }

  std::mt19937 random_;
  Module module_;
  std::optional<Builder> builder_;
  ValueId flag_ = -1;
  ValueId count_ = -1;
};

TensorValue Counted(Sizes sizes, double from) {
  TensorValue t = Zeros(ScalarType::kFloat32, std::move(sizes));
  for (int64_t i = 0; i < ElementCount(t); ++i) SetReal(t, i, from + static_cast<double>(i));
  return t;
}

std::vector<Datum> InputsOf(bool flag, double count) {
  TensorValue predicate = Zeros(ScalarType::kBool, {1});
  SetInt(predicate, 0, flag ? 1 : 0);
  return {predicate, Counted({1}, count), Counted({2, 3}, 1), Counted({3, 2}, 10)};
}

void ExpectEqualCalls(const Module& module, const Module& functional) {
  State state(module);
  State functional_state(functional);
  for (int call = 0; call < 3; ++call) {
    const auto inputs = InputsOf(call % 2 == 0, call == 1 ? 5 : 1);
    const auto outcome = CallMethod(module, 0, state, inputs);
    const auto twin = CallMethod(functional, 0, functional_state, inputs);
    ASSERT_TRUE(outcome.ok()) << outcome.error().explanation << Print(module);
    ASSERT_TRUE(twin.ok()) << twin.error().explanation << Print(module) << Print(functional);
    const bool equal = outcome.value().outputs == twin.value().outputs &&
                       outcome.value().inputs_after == twin.value().inputs_after &&
                       state == functional_state;
    ASSERT_TRUE(equal) << "call " << call << "\n" << Print(module) << Print(functional);
  }
}

TEST(FunctionalizeRandomTest, FunctionalFormsGiveTheSame) {
  constexpr uint32_t kSeeds = 300;
  uint32_t compared = 0;
  for (uint32_t seed = 0; seed < kSeeds && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const Module module = RandomMethod(seed).Make();
    const auto problems = Validate(module);
    ASSERT_TRUE(problems.empty()) << problems.front().explanation << "\n" << Print(module);
    const auto functional = Functionalize(module);
    if (!functional.ok()) continue;
    ++compared;
    EXPECT_FALSE(HasMutation(functional.value().methods[0].body));
    const auto left = Validate(functional.value());
    ASSERT_TRUE(left.empty()) << left.front().explanation << "\n" << Print(functional.value());
    ExpectEqualCalls(module, functional.value());
  }
  // The others have no functional form: aliases that depend on which branch is taken.
  EXPECT_GT(compared, kSeeds / 2);
}

}  // namespace
}  // namespace pteproof::graph
