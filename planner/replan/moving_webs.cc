// Idea. A result may lie over an operand if the operand's web ends at this instruction and the
// result's web begins there: then both are one item of placement, with the result at the operand's
// first byte.
//
//   web of a     [3 ........ 8)          7: add.out(a, b, r)     a dies, r begins
//   web of r              [7 ....... 12)
//   joined       [3 ............... 12)
//
// Invariant: the lives of two webs that are joined have no point in common but those of the
// instruction's own write. Whatever else of the operand's web the instruction reads lies exactly in
// the operand's place.
#include "planner/replan/moving_webs.h"

#include <algorithm>
#include <map>
#include <utility>

#include "planner/planted.h"
#include "reference/op_over_operand.h"
#include "reference/op_schema.h"

namespace pteproof::planner {
namespace {

std::vector<int32_t> FollowedWebs(const Method& method, const MethodWebs& webs) {
  std::map<BankBytes, std::vector<int32_t>> touched;  // by place
  for (size_t v = 0; v < webs.web.size(); ++v) {
    const auto value = static_cast<int32_t>(v);
    if (webs.web[v] >= 0) touched[BytesOf(method, value)].push_back(value);
  }
  std::vector<int32_t> followed = webs.web;
  for (size_t v = 0; v < followed.size(); ++v) {
    const auto value = static_cast<int32_t>(v);
    const Tensor* tensor = method.TensorOf(value);
    if (followed[v] >= 0 || tensor == nullptr || !tensor->planned) continue;
    const auto there = touched.find(BytesOf(method, value));
    if (there == touched.end()) continue;
    const auto is_source = [&](int32_t other) {
      return std::ranges::find(webs.touches.sources[v], other) != webs.touches.sources[v].end();
    };
    auto named = std::ranges::find_if(there->second, is_source);
    if (named == there->second.end()) {
      named = std::ranges::lower_bound(there->second, value);
      if (named != there->second.begin()) --named;
    }
    followed[v] = webs.web[static_cast<size_t>(*named)];
  }
  return followed;
}

// Whether an operand's life ends with the write of that instruction, and it and the result have no
// other point in common. A result that nothing reads has no other point.
bool EndsWhereItBegins(int32_t instruction, const LiveSet& a, const LiveSet& b) {
  const Span write = {2 * int64_t{instruction} + 1, 2 * int64_t{instruction} + 2};
  const auto lives_on = [&](const Span& span) {
    return span.lower < write.upper && span.upper > write.upper;
  };
  if (std::ranges::any_of(a, lives_on)) return Planted(Defect::kOverReadOperand);
  for (size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    const int64_t lower = std::max(a[i].lower, b[k].lower);
    const int64_t upper = std::min(a[i].upper, b[k].upper);
    if (lower < upper && (lower < write.lower || upper > write.upper)) return false;
    if (a[i].upper <= b[k].upper) {
      ++i;
    } else {
      ++k;
    }
  }
  return true;
}

class Overlayer {
 public:
  Overlayer(const Method& method, const MethodWebs& webs, const FixedBytes& fixed,
            MovingWebs& moving)
      : method_(method), webs_(webs), fixed_(fixed), moving_(moving) {
    for (size_t v = 0; v < moving.web.size(); ++v) {
      if (moving.web[v] >= 0) members_[moving.web[v]].push_back(static_cast<int32_t>(v));
    }
  }

  std::vector<LaidOver> Go() {
    for (size_t i = 0; i < method_.instructions.size(); ++i) Try(static_cast<int32_t>(i));
    return std::move(laid_);
  }

 private:
  void Try(int32_t i) {
    const Instruction& call = method_.instructions[static_cast<size_t>(i)];
    if (call.kind != InstructionKind::kKernelCall) return;
    const OpSchema* schema = method_.operators[static_cast<size_t>(call.target)].schema;
    if (schema == nullptr || !BearsResultOverOperand(schema->name)) return;
    const Touch& touch = webs_.touches.of_instruction[static_cast<size_t>(i)];
    if (touch.fills.size() != 1 || !touch.updates.empty()) return;
    const auto args = method_.Ints(call.args);
    for (size_t a = 0; a < schema->args.size(); ++a) {
      const bool reads = schema->args[a].access == Access::kRead && schema->args[a].elementwise;
      if (reads && MayLieOver(i, *schema, args, args[a], touch.fills.front())) {
        return Join(i, args[a], touch.fills.front());
      }
    }
  }

  [[nodiscard]] bool IsMovable(int32_t v) const {
    const Tensor* tensor = method_.TensorOf(v);
    const bool planned = tensor != nullptr && tensor->planned && tensor->nbytes > 0;
    return planned && WebOf(v) >= 0 && !fixed_.webs[static_cast<size_t>(webs_.web[Index(v)])];
  }

  [[nodiscard]] bool HaveOneForm(const Tensor& a, const Tensor& b) const {
    return a.dtype == b.dtype && a.bank == b.bank && a.dynamism == b.dynamism &&
           std::ranges::equal(method_.Ints(a.sizes), method_.Ints(b.sizes)) &&
           std::ranges::equal(method_.Ints(a.dim_order), method_.Ints(b.dim_order));
  }

  bool MayLieOver(int32_t i, const OpSchema& schema, std::span<const int32_t> args, int32_t operand,
                  int32_t result) const {
    if (webs_.web[Index(operand)] < 0 || webs_.web[Index(result)] < 0) return false;
    if (!IsMovable(operand) || !IsMovable(result) || WebOf(operand) == WebOf(result)) return false;
    const Tensor& from = *method_.TensorOf(operand);
    if (!webs_.touches.sources[Index(operand)].empty()) return false;
    if (from.dynamism != Dynamism::kStatic || !HaveOneForm(from, *method_.TensorOf(result))) {
      return false;
    }
    for (size_t a = 0; a < schema.args.size(); ++a) {
      if (!schema.args[a].out && !IsApart(schema.args[a], args[a], operand)) return false;
    }
    return EndsWhereItBegins(i, LifeOf(operand), LifeOf(result));
  }

  // Whether an argument is the operand itself, read element by element, or lies in another web.
  [[nodiscard]] bool IsApart(const ArgSchema& arg, int32_t value, int32_t operand) const {
    const Value& held = method_.values[Index(value)];
    if (held.kind != ValueKind::kTensor) {
      return std::ranges::none_of(
          IsTensorLike(held.kind) ? method_.Ints(held.items) : std::span<const int32_t>(),
          [&](int32_t item) { return item >= 0 && MayShare(item, operand); });
    }
    return (value == operand && arg.elementwise) || !MayShare(value, operand);
  }

  [[nodiscard]] bool MayShare(int32_t value, int32_t operand) const {
    if (!webs_.touches.sources[Index(value)].empty()) return true;
    return WebOf(value) >= 0 && WebOf(value) == WebOf(operand);
  }

  void Join(int32_t i, int32_t operand, int32_t result) {
    const int32_t into = WebOf(operand);
    const int32_t gone = WebOf(result);
    const int64_t shift = moving_.at[Index(operand)] - moving_.at[Index(result)];
    for (const int32_t v : members_[gone]) {
      moving_.web[Index(v)] = into;
      moving_.at[Index(v)] += shift;
      members_[into].push_back(v);
    }
    members_.erase(gone);
    moving_.lives[Index(into)] = Union(moving_.lives[Index(into)], moving_.lives[Index(gone)]);
    moving_.lives[Index(gone)].clear();
    laid_.push_back({i, operand, result});
  }

  static size_t Index(int32_t value) { return static_cast<size_t>(value); }
  [[nodiscard]] int32_t WebOf(int32_t v) const { return moving_.web[Index(v)]; }
  [[nodiscard]] const LiveSet& LifeOf(int32_t v) const { return moving_.lives[Index(WebOf(v))]; }

  const Method& method_;
  const MethodWebs& webs_;
  const FixedBytes& fixed_;
  MovingWebs& moving_;
  std::map<int32_t, std::vector<int32_t>> members_;  // by web
  std::vector<LaidOver> laid_;
};

}  // namespace

MovingWebs MovingWebsOf(const Method& method, const MethodWebs& webs) {
  MovingWebs moving = {.web = FollowedWebs(method, webs), .at = {}, .lives = LivesOf(method, webs)};
  for (size_t v = 0; v < moving.web.size(); ++v) {
    const Tensor* tensor = method.TensorOf(static_cast<int32_t>(v));
    const bool planned = tensor != nullptr && tensor->planned;
    moving.at.push_back(planned ? static_cast<int64_t>(tensor->offset) : 0);
  }
  return moving;
}

std::vector<LaidOver> LayOver(const Method& method, const MethodWebs& webs, const FixedBytes& fixed,
                              MovingWebs& moving) {
  return Overlayer(method, webs, fixed, moving).Go();
}

}  // namespace pteproof::planner
