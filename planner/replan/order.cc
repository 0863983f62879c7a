#include "planner/replan/order.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "meaning/program_meaning.h"
#include "planner/lift/renumber.h"
#include "planner/replan/moving_webs.h"
#include "reference/op_schema.h"

namespace pteproof::planner {
namespace {

// Who wrote something last, and who has read it since.
struct LastUses {
  int32_t writer = -1;
  std::vector<int32_t> readers;
};

class Dependences {
 public:
  Dependences(const meaning::MethodMeaning& meant, const MethodWebs& webs)
      : meant_(meant), method_(*meant.method), webs_(webs), before_(method_.instructions.size()) {}

  std::vector<std::vector<int32_t>> Go() {
    for (size_t i = 0; i < before_.size(); ++i) {
      task_ = static_cast<int32_t>(i);
      Bytes(webs_.touches.of_instruction[i]);
      Names(i);
      Scalars(method_.instructions[i]);
      if (KeepsItsPlace(method_.instructions[i])) Write(kCalls);
      std::vector<int32_t>& all = before_[i];
      std::ranges::sort(all);
      all.erase(std::ranges::unique(all).begin(), all.end());
    }
    return std::move(before_);
  }

 private:
  static constexpr int32_t kCalls = -1;  // no value: the order of some calls

  void Note(int32_t task) {
    if (task >= 0 && task != task_) before_[IndexOf(task_)].push_back(task);
  }

  void Read(int32_t key) {
    LastUses& uses = uses_[key];
    Note(uses.writer);
    uses.readers.push_back(task_);
  }

  void Write(int32_t key) {
    LastUses& uses = uses_[key];
    Note(uses.writer);
    for (const int32_t reader : uses.readers) Note(reader);
    uses = {task_, {}};
  }

  // Bytes of webs, each as a bank of its own: what two webs share in the old plan ties nothing.
  void Bytes(const Touch& touch) {
    for (const auto* read : {&touch.reads, &touch.may_read, &touch.moves}) {
      for (const int32_t v : *read) NoteOwners(InWeb(v), written_);
    }
    for (const auto* written : {&touch.fills, &touch.updates}) {
      for (const int32_t v : *written) {
        NoteOwners(InWeb(v), written_);
        NoteOwners(InWeb(v), read_);
      }
    }
    for (const auto* read : {&touch.reads, &touch.may_read, &touch.moves}) {
      for (const int32_t v : *read) read_.Add(InWeb(v), task_);
    }
    for (const auto* written : {&touch.fills, &touch.updates}) {
      for (const int32_t v : *written) {
        written_.Fill(InWeb(v), task_);
        read_.Fill(InWeb(v), task_);
      }
    }
  }

  void NoteOwners(const BankBytes& bytes, const ByteOwners& owners) {
    owners.ForEach(bytes, [&](uint64_t, uint64_t, const ByteOwners::Owners& found) {
      for (const int32_t task : found) Note(task);
    });
  }

  [[nodiscard]] BankBytes InWeb(int32_t v) const {
    BankBytes bytes = BytesOf(method_, v);
    bytes.bank = static_cast<uint32_t>(webs_.web[IndexOf(v)] + 1);
    return bytes;
  }

  // Values as the calls name them: views must be made ahead of their readers, and what lies outside
  // of banks is told by its name alone.
  void Names(size_t i) {
    for (const meaning::Read& read : meant_.effects.ReadsOf(i)) Read(read.value);
    for (const meaning::Write& write : meant_.effects.WritesOf(i)) WriteName(write.value);
    for (const meaning::Rename& rename : meant_.effects.RenamesOf(i)) {
      Read(rename.from);
      WriteName(rename.to);
    }
  }

  // In a bank the bytes tell.
  void WriteName(int32_t v) {
    const Tensor* tensor = method_.TensorOf(v);
    const bool in_bank =
        tensor != nullptr && tensor->planned && webs_.touches.sources[IndexOf(v)].empty();
    in_bank ? Note(uses_[v].writer) : Write(v);
  }

  void Scalars(const Instruction& call) {
    for (const int32_t v : method_.Ints(call.args)) {
      Scalar(v);
      const Value& value = method_.values[IndexOf(v)];
      if (value.kind != ValueKind::kIntList) continue;
      for (const int32_t item : method_.Ints(value.items)) Scalar(item);
    }
  }

  void Scalar(int32_t v) {
    if (v >= 0 && meant_.effects.IsScalarWritten(v)) Write(v);
  }

  [[nodiscard]] bool KeepsItsPlace(const Instruction& call) const {
    if (call.kind != InstructionKind::kKernelCall) return true;
    const Operator& op = method_.operators[IndexOf(call.target)];
    return op.schema == nullptr || op.name.find("rand") != std::string::npos ||
           op.name.find("dropout") != std::string::npos;
  }

  const meaning::MethodMeaning& meant_;
  const Method& method_;
  const MethodWebs& webs_;
  std::vector<std::vector<int32_t>> before_;
  int32_t task_ = 0;
  ByteOwners written_;                // by which instruction last
  ByteOwners read_;                   // since then, too
  std::map<int32_t, LastUses> uses_;  // by value
};

// The number behind all values that are there before the first instruction: inputs, constants and
// buffers, which exporters number first.
int32_t FirstMade(const meaning::MethodMeaning& meant) {
  const Method& method = *meant.method;
  auto first = static_cast<int32_t>(method.values.size());
  for (const meaning::Write& write : meant.effects.writes) {
    const meaning::Role role = meant.roles.of[IndexOf(write.value)];
    if (role != meaning::Role::kInput && role != meaning::Role::kState) {
      first = std::min(first, write.value);
    }
  }
  const auto is_literal = [&](int32_t v) {
    return method.values[IndexOf(v)].kind != ValueKind::kTensor &&
           std::ranges::find(method.inputs, v) == method.inputs.end();
  };
  for (int32_t v = 0; v < first; ++v) {
    if (meant.effects.IsScalarWritten(v)) first = v;
  }
  while (first > 0 && is_literal(first - 1)) --first;
  return first;
}

// Per value, its number if instructions come in that order: behind those that are there before, by
// the first instruction that uses it, else with the value ahead of it.
std::vector<int32_t> ValuesIn(const meaning::MethodMeaning& meant,
                              const std::vector<int32_t>& order) {
  const Method& method = *meant.method;
  const int32_t made = FirstMade(meant);
  std::vector<int64_t> anchor(method.values.size(), -1);
  const auto note = [&](int32_t v, int64_t at) {
    if (v >= made && anchor[IndexOf(v)] < 0) anchor[IndexOf(v)] = at;
  };
  for (size_t n = 0; n < order.size(); ++n) {
    for (const int32_t v : method.Ints(method.instructions[IndexOf(order[n])].args)) {
      note(v, static_cast<int64_t>(n));
      const Value& value = method.values[IndexOf(v)];
      const bool lists_values = value.kind == ValueKind::kIntList || IsTensorLike(value.kind);
      if (!lists_values || value.kind == ValueKind::kTensor) continue;
      for (const int32_t item : method.Ints(value.items)) note(item, static_cast<int64_t>(n));
    }
  }
  for (size_t v = IndexOf(made) + 1; v < anchor.size(); ++v) {
    if (anchor[v] < 0) anchor[v] = anchor[v - 1];
  }
  std::vector<int32_t> by_number(anchor.size());
  std::iota(by_number.begin(), by_number.end(), 0);
  std::ranges::stable_sort(by_number, {}, [&](int32_t v) { return anchor[IndexOf(v)]; });
  return Inverse(by_number);
}

// Equal work on every machine: so many sets of done tasks, in all layers together.
constexpr int64_t kMostSets = 30'000;
constexpr int64_t kLeastWidth = 16;

}  // namespace

int64_t WidthOf(size_t instructions) {
  return std::max(kLeastWidth,
                  kMostSets / std::max(int64_t{1}, static_cast<int64_t>(instructions)));
}

bool Reordered::moves() const {
  return std::ranges::any_of(now_at, [](const auto& method) { return !method.empty(); });
}

Reordered ReorderedOf(const Program& program, const Manifest* manifest,
                      std::span<const MethodWebs> webs,
                      std::span<const std::vector<BankBytes>> kept) {
  Reordered reordered = {program, {}, {}};
  reordered.now_at.resize(program.methods.size());
  reordered.values_at.resize(program.methods.size());
  const meaning::ProgramMeaning meant = meaning::MeaningOf(program, manifest);
  for (size_t m = 0; m < program.methods.size(); ++m) {
    Method& method = reordered.program.methods[m];
    if (method.instructions.empty() || !IsStraight(method) || !meant.methods[m].order.holds)
      continue;
    const OrderProblem problem =
        OrderProblemOf(meant.methods[m], webs[m], FixedBytesOf(program, webs, kept, m));
    const FoundOrder found = BestOrder(problem, WidthOf(method.instructions.size()));
    if (std::ranges::is_sorted(found.order)) continue;
    std::vector<Instruction> instructions;
    for (const int32_t i : found.order) instructions.push_back(method.instructions[IndexOf(i)]);
    method.instructions = std::move(instructions);
    reordered.values_at[m] = ValuesIn(meant.methods[m], found.order);
    Renumber(reordered.values_at[m], method);
    reordered.now_at[m] = Inverse(found.order);
  }
  return reordered;
}

bool IsStraight(const Method& method) {
  return std::ranges::all_of(method.instructions, [](const Instruction& each) {
    return each.kind == InstructionKind::kKernelCall || each.kind == InstructionKind::kDelegateCall;
  });
}

OrderProblem OrderProblemOf(const meaning::MethodMeaning& meant, const MethodWebs& webs,
                            const FixedBytes& fixed) {
  const Method& method = *meant.method;
  const MovingWebs moving = MovingWebsOf(method, webs);
  struct Extent {
    int64_t lower = 0;
    int64_t upper = 0;
    std::set<int32_t> tasks;
  };
  std::map<int32_t, Extent> extents;
  for (size_t v = 0; v < moving.web.size(); ++v) {
    const int32_t web = moving.web[v];
    if (web < 0 || fixed.Stays(web)) continue;
    const auto bytes = static_cast<int64_t>(method.TensorOf(static_cast<int32_t>(v))->nbytes);
    const int64_t at = moving.at[v];
    Extent& extent = extents.try_emplace(web, Extent{at, at + bytes, {}}).first->second;
    extent.lower = std::min(extent.lower, at);
    extent.upper = std::max(extent.upper, at + bytes);
  }
  const auto each_of = [&](int32_t v, const auto& use) {
    const auto extent = extents.find(webs.web[IndexOf(v)]);
    if (extent != extents.end()) use(extent->second);
  };
  for (size_t i = 0; i < method.instructions.size(); ++i) {
    const Touch& touch = webs.touches.of_instruction[i];
    for (const auto* list :
         {&touch.reads, &touch.may_read, &touch.moves, &touch.fills, &touch.updates}) {
      for (const int32_t v : *list) {
        each_of(v, [&](Extent& extent) { extent.tasks.insert(static_cast<int32_t>(i)); });
      }
    }
  }
  OrderProblem problem = {Dependences(meant, webs).Go(), {}};
  std::map<int32_t, size_t> item_of;
  for (const auto& [web, extent] : extents) {
    item_of[web] = problem.items.size();
    problem.items.push_back(
        {extent.upper - extent.lower, {extent.tasks.begin(), extent.tasks.end()}, false, false});
  }
  const auto mark = [&](const std::vector<int32_t>& values, bool OrderedItem::* flag) {
    for (const int32_t v : values) {
      const auto item = item_of.find(webs.web[IndexOf(v)]);
      if (item != item_of.end()) problem.items[item->second].*flag = true;
    }
  };
  mark(webs.touches.inputs, &OrderedItem::at_start);
  mark(webs.touches.outputs, &OrderedItem::at_end);
  mark(webs.touches.may_be_outputs, &OrderedItem::at_end);
  return problem;
}

}  // namespace pteproof::planner
