// Idea. An exporter makes the new contents of a buffer apart and stores them in the end. If nothing
// needs the old contents any more, the update can be made in the buffer, and the store goes:
//
//   3: index_put.out(cache, [_, at], row, _, new)      3: index_put_(cache, [_, at], row, _, new)
//   4: y = attend(new)                                 4: y = attend(new)     new lies over cache
//   9: cache.copy_(new)
//
// Invariant: between the update and the store no instruction touches the buffer's bytes, and as
// long as names of the new contents are read, none but the update writes them or the buffer. So
// each reads what it read. Updates are made one after the other, each in the method as the ones
// before left it. Methods with jumps or moves stay as they are. Cost: for each update, lifting the
// method and O(arguments).
#include "planner/replan/updates_in_place.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "base/stop.h"
#include "planner/lift/renumber.h"
#include "planner/lift/webs.h"
#include "planner/planted.h"
#include "planner/replan/moving_webs.h"
#include "planner/replan/order.h"
#include "reference/op_schema.h"

namespace pteproof::planner {
namespace {

constexpr std::string_view kUpdate = "aten::index_put.out";
constexpr std::string_view kUpdateInPlace = "aten::index_put_";
constexpr std::string_view kStoreOfUpdate = "aten::copy_";

// Positions of both forms' arguments.
enum UpdateArgument : size_t { kSelf, kIndices, kValues, kAccumulate, kResult };

class UpdateFinder {
 public:
  UpdateFinder(const Method& method, const MethodWebs& webs, size_t first)
      : method_(method),
        webs_(webs),
        moving_(MovingWebsOf(method, webs_)),
        first_(static_cast<int32_t>(first)),
        count_(static_cast<int32_t>(method.instructions.size())) {}

  // The first from that instruction on.
  [[nodiscard]] std::optional<UpdateInPlace> Find() const {
    for (int32_t i = first_; i < count_; ++i) {
      if (!Calls(i, kUpdate)) continue;
      EndIfStopped();
      const int32_t store = StoreOf(i);
      if (store >= 0 && MayBeMade(i, store)) return UpdateInPlace{i, store};
    }
    return std::nullopt;
  }

  // Gives the new contents, and what is part of them, the buffer's bytes.
  void Move(int32_t update, Method& method) const {
    const auto args = method_.Ints(method_.instructions[IndexOf(update)].args);
    const Tensor& buffer = *method_.TensorOf(args[kSelf]);
    const uint64_t from = method_.TensorOf(args[kResult])->offset;
    for (const int32_t v : MembersOf(args[kResult])) {
      Tensor& tensor = method.tensors[method.values[IndexOf(v)].tensor];
      tensor.bank = buffer.bank;
      tensor.offset = buffer.offset + (tensor.offset - from);
    }
  }

 private:
  [[nodiscard]] bool Calls(int32_t i, std::string_view name) const {
    const Instruction& call = method_.instructions[IndexOf(i)];
    return call.kind == InstructionKind::kKernelCall &&
           method_.operators[IndexOf(call.target)].name == name &&
           method_.operators[IndexOf(call.target)].schema != nullptr;
  }

  [[nodiscard]] std::span<const int32_t> ArgumentsOf(int32_t i) const {
    return method_.Ints(method_.instructions[IndexOf(i)].args);
  }

  [[nodiscard]] int32_t StoreOf(int32_t update) const {
    const auto args = ArgumentsOf(update);
    if (args.size() <= kResult) return -1;
    for (int32_t i = update + 1; i < count_; ++i) {
      if (!Calls(i, kStoreOfUpdate)) continue;
      const auto stored = ArgumentsOf(i);
      if (stored.size() >= 2 && stored[0] == args[kSelf] && stored[1] == args[kResult]) return i;
    }
    return -1;
  }

  [[nodiscard]] bool MayBeMade(int32_t update, int32_t store) const {
    const auto args = ArgumentsOf(update);
    const int32_t buffer = args[kSelf];
    const int32_t result = args[kResult];
    return AreOfOneForm(buffer, result) && IsAllowedForm(args) && MayLieThere(buffer, result) &&
           LeavesBufferAlone(update, store, buffer, result) && OperandsAreApart(args);
  }

  [[nodiscard]] const Tensor* Planned(int32_t v) const {
    const Tensor* tensor = method_.TensorOf(v);
    const bool fits = tensor != nullptr && tensor->planned && tensor->nbytes > 0 &&
                      tensor->dynamism == Dynamism::kStatic &&
                      webs_.touches.sources[IndexOf(v)].empty();
    return fits ? tensor : nullptr;
  }

  [[nodiscard]] bool AreOfOneForm(int32_t buffer, int32_t result) const {
    const Tensor* a = Planned(buffer);
    const Tensor* b = Planned(result);
    return a != nullptr && b != nullptr && a->dtype == b->dtype && a->nbytes == b->nbytes &&
           std::ranges::equal(method_.Ints(a->sizes), method_.Ints(b->sizes)) &&
           std::ranges::equal(method_.Ints(a->dim_order), method_.Ints(b->dim_order));
  }

  // Rows along one dimension, each written as it is given: the form that exporters make in place.
  [[nodiscard]] bool IsAllowedForm(std::span<const int32_t> args) const {
    const Value& accumulate = method_.values[IndexOf(args[kAccumulate])];
    if (accumulate.kind != ValueKind::kBool || accumulate.integer != 0) return false;
    const Tensor* rows = Planned(args[kValues]);
    const auto dimension = IndexedDimension(args[kIndices]);
    if (rows == nullptr || !dimension) return false;
    const Tensor& buffer = *method_.TensorOf(args[kSelf]);
    const auto sizes = method_.Ints(buffer.sizes);
    std::vector<int32_t> written(sizes.begin(), sizes.end());
    if (dimension->first >= written.size()) return false;
    written[dimension->first] = dimension->second;
    return rows->dtype == buffer.dtype && std::ranges::equal(method_.Ints(rows->sizes), written);
  }

  // The only dimension with an index, and the number of indices.
  [[nodiscard]] std::optional<std::pair<size_t, int32_t>> IndexedDimension(int32_t list) const {
    const Value& value = method_.values[IndexOf(list)];
    if (value.kind != ValueKind::kOptionalTensorList && value.kind != ValueKind::kTensorList) {
      return std::nullopt;
    }
    std::optional<std::pair<size_t, int32_t>> found;
    const auto items = method_.Ints(value.items);
    for (size_t d = 0; d < items.size(); ++d) {
      if (items[d] < 0) continue;
      const Tensor* index = method_.TensorOf(items[d]);
      if (found || index == nullptr || index->dynamism != Dynamism::kStatic) return std::nullopt;
      const auto sizes = method_.Ints(index->sizes);
      const bool whole = index->dtype == ScalarType::kInt64 || index->dtype == ScalarType::kInt32;
      if (!whole || sizes.size() != 1) return std::nullopt;
      found = {d, sizes[0]};
    }
    return found;
  }

  // Whatever moves with the result, the result included.
  [[nodiscard]] std::vector<int32_t> MembersOf(int32_t result) const {
    std::vector<int32_t> members;
    const int32_t web = moving_.web[IndexOf(result)];
    for (size_t v = 0; v < moving_.web.size(); ++v) {
      if (web >= 0 && moving_.web[v] == web) members.push_back(static_cast<int32_t>(v));
    }
    return members;
  }

  // The buffer is state, and the result with all that moves with it is a part of no more.
  [[nodiscard]] bool MayLieThere(int32_t buffer, int32_t result) const {
    const auto is_in = [](const std::vector<int32_t>& list, int32_t v) {
      return std::ranges::find(list, v) != list.end();
    };
    const std::vector<int32_t> members = MembersOf(result);
    const BankBytes bytes = BytesOf(method_, result);
    return is_in(webs_.stateful, buffer) && !members.empty() &&
           std::ranges::all_of(members, [&](int32_t v) {
             const BankBytes own = BytesOf(method_, v);
             return own.bank == bytes.bank && own.lo >= bytes.lo && own.hi <= bytes.hi &&
                    !is_in(webs_.stateful, v) && !is_in(webs_.touches.inputs, v) &&
                    !is_in(webs_.touches.outputs, v) && !is_in(webs_.touches.may_be_outputs, v);
           });
  }

  template <class Test>
  [[nodiscard]] static bool ReadsAny(const Touch& touch, const Test& test) {
    return std::ranges::any_of(touch.reads, test) || std::ranges::any_of(touch.may_read, test) ||
           std::ranges::any_of(touch.moves, test);
  }

  template <class Test>
  [[nodiscard]] static bool WritesAny(const Touch& touch, const Test& test) {
    return std::ranges::any_of(touch.fills, test) || std::ranges::any_of(touch.updates, test);
  }

  [[nodiscard]] bool LeavesBufferAlone(int32_t update, int32_t store, int32_t buffer,
                                       int32_t result) const {
    const BankBytes bytes = BytesOf(method_, buffer);
    const int32_t web = moving_.web[IndexOf(result)];
    const auto is_new = [&](int32_t v) { return moving_.web[IndexOf(v)] == web; };
    const auto meets = [&](int32_t v) { return Meet(BytesOf(method_, v), bytes); };
    bool overwritten = false;  // the buffer, behind the store
    for (int32_t i = 0; i < count_; ++i) {
      if (i == update) continue;
      const Touch& touch = webs_.touches.of_instruction[IndexOf(i)];
      if (WritesAny(touch, is_new)) return false;
      if (i < update || i == store) continue;
      if (i < store && !Planted(Defect::kStoreOverLastReader) &&
          (ReadsAny(touch, meets) || WritesAny(touch, meets))) {
        return false;
      }
      overwritten = overwritten || (i > store && WritesAny(touch, meets));
      if (overwritten && ReadsAny(touch, is_new)) return false;
    }
    return true;
  }

  // Neither indices nor rows are in the buffer.
  [[nodiscard]] bool OperandsAreApart(std::span<const int32_t> args) const {
    const BankBytes bytes = BytesOf(method_, args[kSelf]);
    const auto is_apart = [&](int32_t v) {
      const Tensor* tensor = method_.TensorOf(v);
      if (tensor == nullptr) return true;
      if (!webs_.touches.sources[IndexOf(v)].empty()) return false;
      return !tensor->planned || !Meet(BytesOf(method_, v), bytes);
    };
    const auto indices = method_.Ints(method_.values[IndexOf(args[kIndices])].items);
    return is_apart(args[kValues]) &&
           std::ranges::all_of(indices, [&](int32_t v) { return v < 0 || is_apart(v); });
  }

  const Method& method_;
  const MethodWebs& webs_;
  MovingWebs moving_;
  int32_t first_;
  int32_t count_;
};

int32_t OperatorIn(const Operator& op, Method& method) {
  const auto known = std::ranges::find(method.operators, op.name, &Operator::name);
  if (known == method.operators.end()) {
    method.operators.push_back(op);
    return static_cast<int32_t>(method.operators.size()) - 1;
  }
  return static_cast<int32_t>(known - method.operators.begin());
}

// Makes the updates; `origin`: per instruction, its number in the old method. `lift` gives the webs
// of a changed method.
template <class Lift>
std::vector<UpdateInPlace> MakeUpdates(const Operator& form, MethodWebs webs, const Lift& lift,
                                       Method& method, std::vector<int32_t>& origin) {
  std::vector<UpdateInPlace> made;
  for (size_t first = 0;;) {
    const Method before = method;
    if (!made.empty()) webs = lift(before);
    const UpdateFinder finder(before, webs, first);
    const auto found = finder.Find();
    if (!found) return made;
    finder.Move(found->update, method);
    Instruction& call = method.instructions[IndexOf(found->update)];
    call.target = OperatorIn(form, method);
    call.args.count = kResult + 1;  // the result is the return slot
    made.push_back({origin[IndexOf(found->update)], origin[IndexOf(found->store)]});
    method.instructions.erase(method.instructions.begin() + found->store);
    origin.erase(origin.begin() + found->store);
    first = IndexOf(found->update) + 1;
  }
}

}  // namespace

bool UpdatedInPlace::changes() const {
  return std::ranges::any_of(updates, [](const auto& method) { return !method.empty(); });
}

UpdatedInPlace UpdateInPlaces(const Program& program, std::span<const MethodWebs> webs,
                              const UpdateOptions& options) {
  UpdatedInPlace updated = {program, {}, {}};
  updated.updates.resize(program.methods.size());
  updated.now_at.resize(program.methods.size());
  std::vector<std::span<const Operator>> known = {options.operators};
  for (const Method& method : program.methods) known.emplace_back(method.operators);
  const bool has_form = std::ranges::any_of(known, [](std::span<const Operator> list) {
    return std::ranges::find(list, kUpdateInPlace, &Operator::name) != list.end();
  });
  if (!has_form) return updated;
  const Operator form = {std::string(kUpdateInPlace), FindOperator(kUpdateInPlace)};
  const double numberings = meaning::NumberingsOf(program);
  const auto lift = [&](const Method& method) {
    return WebsOf(meaning::MeaningOf(method, options.manifest, nullptr, numberings), method);
  };
  for (size_t m = 0; m < program.methods.size(); ++m) {
    Method& method = updated.program.methods[m];
    if (!IsStraight(method)) continue;
    std::vector<int32_t> origin(method.instructions.size());
    std::iota(origin.begin(), origin.end(), 0);
    updated.updates[m] = MakeUpdates(form, webs[m], lift, method, origin);
    if (updated.updates[m].empty()) continue;
    updated.now_at[m] = Inverse(origin, program.methods[m].instructions.size());
  }
  return updated;
}

}  // namespace pteproof::planner
