// Idea. Every value is meant to hold what was put there under its own name. That is kept by sharing
// bytes as long as nobody writes them under one name while another is still to be read:
//
//   0: add.out(v2, v2, v4)     v3 names v0's bytes, and was made before this
//   1: copy_(v0, v2)           v0 is written
//   2: copy_(v1, v3)           v3 is read: it stands for what v0 was        so: 0: copy_(v3, v0)
//
// Four kinds are looked for: names that outlive a write to their base, or are written themselves
// while the base is still to be read; operands in the bytes that their own instruction writes;
// constants that are written; and outputs that stand for a buffer as it was.
//
// Invariant: a copy is made where the name was made, so that it holds what the name stands for. In
// doubt, as between two branches of which only one runs, there is one copy more. Cost: for each
// derived name the accesses of its storage, if that is written after the first name was made.
#include "planner/repair/separate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "meaning/exporter_order.h"
#include "planner/planted.h"
#include "planner/repair/method_editor.h"
#include "reference/op_schema.h"
#include "runtime/devices.h"

namespace pteproof::planner {
namespace {

// Operators that copy one tensor, by choice. The first does not change sizes.
constexpr std::array<std::string_view, 4> kCopyOperators = {"aten::copy_", "aten::clone.out",
                                                            "dim_order_ops::_clone_dim_order.out",
                                                            "aten::alias_copy.out"};

constexpr std::string_view kOutlives = "it stands for contents that are written over";
constexpr std::string_view kIsWritten =
    "it is written, and what it is a name of is read afterwards";
constexpr std::string_view kOverOperand =
    "its instruction writes these bytes before it has read them";
constexpr std::string_view kConstant = "a constant is written";
constexpr std::string_view kOldOutput = "the caller is meant to get what it was before the store";

// A place that no plan needs, without a say in the alignment of offsets.
uint64_t Behind(uint64_t end) {
  constexpr uint64_t kStep = uint64_t{1} << 20;
  return (end / kStep + 1) * kStep;
}

struct Accesses {
  std::vector<int32_t> reads;  // instructions; the count is the caller
  std::vector<int32_t> writes;
};

class Separator {
 public:
  Separator(const MeantMethod& meant, std::span<const Operator> operators)
      : meaning_(*meant.recovered),
        method_(meant.method()),
        operators_(operators),
        touches_(meant.touches),
        names_(meant.names),
        storages_(meant.storages),
        highest_(meaning::HighestUsed(method_)),
        editor_(method_),
        accesses_(method_.values.size()) {}

  Separated Go() {
    Gather();
    SeparateOutputs();
    SeparateConstants();
    SeparateOperands();
    SeparateDerived();
    Separated separated;
    separated.failure = std::move(failure_);
    if (copies_.empty()) {
      separated.method = method_;
      separated.instructions.resize(method_.instructions.size() + 1);
      std::iota(separated.instructions.begin(), separated.instructions.end(), 0);
      separated.values.resize(method_.values.size());
      std::iota(separated.values.begin(), separated.values.end(), 0);
      return separated;
    }
    separated.method = editor_.Take();
    separated.instructions = editor_.instructions();
    separated.values.assign(editor_.values().begin(),
                            editor_.values().begin() + std::ssize(method_.values));
    std::ranges::stable_sort(copies_, {}, &AddedCopy::instruction);
    std::map<int32_t, int32_t> behind;  // copies that are put ahead of an instruction, so far
    std::map<int32_t, int32_t> ahead;
    for (const AddedCopy& copy : copies_) ++ahead[copy.instruction];
    for (AddedCopy copy : copies_) {
      const int32_t before = copy.instruction;
      copy.instruction = separated.instructions[IndexOf(before)] - ahead[before] + behind[before]++;
      copy.from = editor_.values()[IndexOf(copy.from)];
      copy.to = editor_.values()[IndexOf(copy.to)];
      separated.copies.push_back(copy);
    }
    return separated;
  }

 private:
  void Gather() {
    const auto count = static_cast<int32_t>(method_.instructions.size());
    for (int32_t i = 0; i < count; ++i) {
      const Touch& touch = touches_.of_instruction[IndexOf(i)];
      for (const int32_t v : touch.reads) accesses_[IndexOf(v)].reads.push_back(i);
      for (const int32_t v : touch.may_read) accesses_[IndexOf(v)].reads.push_back(i);
      for (const int32_t v : touch.fills) accesses_[IndexOf(v)].writes.push_back(i);
      for (const int32_t v : touch.updates) accesses_[IndexOf(v)].writes.push_back(i);
    }
    for (const int32_t v : touches_.outputs) accesses_[IndexOf(v)].reads.push_back(count);
    for (const int32_t v : touches_.may_be_outputs) accesses_[IndexOf(v)].reads.push_back(count);
    for (size_t v = 0; v < method_.values.size(); ++v) {
      members_[storages_.storage[v]].push_back(static_cast<int32_t>(v));
      const Tensor* tensor = method_.TensorOf(static_cast<int32_t>(v));
      if (tensor == nullptr || !tensor->planned) continue;
      apart_ = std::max(apart_, Behind(tensor->offset + tensor->nbytes));
    }
    for (const DerivedName& derived : names_) {
      for (const NamedBytes& bytes : derived.bytes) derived_of_[bytes.of].push_back(derived.value);
    }
  }

  // --- Copies.

  [[nodiscard]] const Operator* OperatorFor(const Tensor& tensor) const {
    for (const std::span<const Operator> known :
         {std::span<const Operator>(method_.operators), operators_}) {
      for (const std::string_view name : kCopyOperators) {
        const bool keeps_sizes = name == kCopyOperators.front();
        if (keeps_sizes && tensor.dynamism != Dynamism::kStatic) continue;
        const auto op = std::ranges::find(known, name, &Operator::name);
        if (op != known.end() && op->schema != nullptr) return &*op;
      }
    }
    return nullptr;
  }

  // Ahead of that instruction; literals are numbered behind value `after`.
  void Copy(int32_t before, int32_t from, int32_t to, int32_t after, std::string_view reason) {
    const Operator* op = OperatorFor(editor_.TensorOf(to));
    if (op == nullptr) {
      if (failure_.empty()) {
        failure_ =
            "a copy is needed, and the program calls no operator that copies, such as aten::copy_ "
            "or aten::clone.out; --operators-of says what else the runtime has";
      }
      return;
    }
    std::vector<int32_t> args;
    for (const ArgSchema& arg : op->schema->args) {
      if (arg.access == Access::kWrite) {
        args.push_back(to);
      } else if (arg.kind == ArgKind::kTensor) {
        args.push_back(from);
      } else {
        args.push_back(editor_.AddValue(
            {.kind = arg.kind == ArgKind::kBool ? ValueKind::kBool : ValueKind::kNull}, after));
      }
    }
    args.push_back(to);
    editor_.InsertCall(before, editor_.AddOperator(*op), args);
    copies_.push_back({before, from, to, op->schema->name, reason});
  }

  // A tensor like that one, with a storage of its own.
  [[nodiscard]] int32_t AddLike(int32_t v, int32_t after) {
    Tensor tensor = *method_.TensorOf(v);
    PutApart(tensor);
    return editor_.AddTensor(tensor, after);
  }

  // No buffer and no constant any more, at a place where nothing else is.
  void PutApart(Tensor& tensor) {
    if (!tensor.planned || tensor.device_type == 0) tensor.bank = BankOfTemporaries();
    tensor.offset = apart_;
    apart_ = Behind(apart_ + tensor.nbytes);
    tensor.planned = true;
    tensor.external = false;
    tensor.data_index = 0;
    tensor.name = {};
  }

  [[nodiscard]] uint32_t BankOfTemporaries() const {
    for (size_t v = 0; v < method_.values.size(); ++v) {
      const auto value = static_cast<int32_t>(v);
      const Tensor* tensor = method_.TensorOf(value);
      const bool temporary = tensor != nullptr && tensor->planned && !HoldsState(value);
      if (temporary && tensor->device_type == 0) return tensor->bank;
    }
    const std::vector<uint64_t>& sizes = method_.bank_sizes;
    for (uint32_t bank = 1; bank < sizes.size(); ++bank) {
      if (sizes[bank] > 0 && DeviceOfBank(method_, bank).is_host()) return bank;
    }
    uint32_t bank = 1;
    while (!DeviceOfBank(method_, bank).is_host()) ++bank;
    return bank;
  }

  [[nodiscard]] bool HoldsState(int32_t v) const {
    return std::ranges::any_of(members_.at(storages_.storage[IndexOf(v)]),
                               [&](int32_t member) { return IsBuffer(meaning_, member); });
  }

  // The highest number in use before an instruction.
  [[nodiscard]] int32_t LastBefore(int32_t instruction) const {
    int32_t last = instruction == 0 ? -1 : highest_[IndexOf(instruction - 1)];
    for (const int32_t v : method_.inputs) last = std::max(last, v);
    return last;
  }

  // --- Outputs that stand for what a buffer or an input was.

  void SeparateOutputs() {
    for (size_t n = 0; n < method_.outputs.size(); ++n) {
      const int32_t v = method_.outputs[n];
      const auto earlier = std::span(method_.outputs).first(n);
      const bool is_input = std::ranges::find(method_.inputs, v) != method_.inputs.end();
      const bool is_old =
          is_input ? std::ranges::find(earlier, v) != earlier.end() : IsBuffer(meaning_, v);
      const auto store = is_old ? FirstStoreTo(v) : std::nullopt;
      if (!store) continue;
      const int32_t last = LastBefore(*store);
      const int32_t old = AddLike(v, last);
      Copy(*store, v, old, last, kOldOutput);
      editor_.SetOutput(n, old);
    }
  }

  [[nodiscard]] std::optional<int32_t> FirstStoreTo(int32_t v) const {
    for (size_t i = 0; i < method_.instructions.size(); ++i) {
      const Instruction& call = method_.instructions[i];
      if (call.kind != InstructionKind::kKernelCall) continue;
      const bool copies = method_.operators[IndexOf(call.target)].name == "aten::copy_";
      if (copies && method_.Ints(call.args).front() == v) return static_cast<int32_t>(i);
    }
    return std::nullopt;
  }

  // --- What known operators do to their arguments.

  template <class Each>
  void ForEachKernelCall(const Each& each) {
    for (size_t i = 0; i < method_.instructions.size(); ++i) {
      const Instruction& call = method_.instructions[i];
      if (call.kind != InstructionKind::kKernelCall) continue;
      const OpSchema* schema = method_.operators[IndexOf(call.target)].schema;
      if (schema != nullptr) each(static_cast<int32_t>(i), *schema, method_.Ints(call.args));
    }
  }

  static bool Writes(const ArgSchema& arg) {
    return arg.access != Access::kRead && arg.access != Access::kNone;
  }

  void SeparateConstants() {
    ForEachKernelCall([&](int32_t, const OpSchema& schema, std::span<const int32_t> args) {
      for (size_t a = 0; a < schema.args.size(); ++a) {
        const Tensor* tensor = method_.TensorOf(args[a]);
        if (tensor == nullptr || !Writes(schema.args[a])) continue;
        if (!editor_.TensorOf(args[a]).planned && tensor->data_index > 0) Unfreeze(args[a]);
      }
    });
  }

  void Unfreeze(int32_t v) {
    if (const auto other = NameOfWritten(v)) {
      if (failure_.empty()) {
        failure_ =
            fmt::format("v{} may be a name of v{}, or of the constant that v{} was", *other, v, v);
      }
      return;
    }
    const int32_t constant = editor_.AddTensor(*method_.TensorOf(v), v - 1);
    PutApart(editor_.TensorOf(v));
    const auto first = std::ranges::lower_bound(highest_, v) - highest_.begin();
    Copy(static_cast<int32_t>(first), constant, v, v, kConstant);
  }

  // A value of a higher number that is the same constant, and is used: it may be a view of what is
  // written.
  [[nodiscard]] std::optional<int32_t> NameOfWritten(int32_t v) const {
    const auto is_name = [&](int32_t u) {
      const Tensor* tensor = method_.TensorOf(u);
      return u > v && tensor != nullptr && !tensor->planned &&
             tensor->data_index == method_.TensorOf(v)->data_index;
    };
    for (const Instruction& call : method_.instructions) {
      for (const int32_t u : method_.Ints(call.args)) {
        if (is_name(u)) return u;
      }
    }
    const auto output = std::ranges::find_if(method_.outputs, is_name);
    return output == method_.outputs.end() ? std::nullopt : std::optional(*output);
  }

  void SeparateOperands() {
    ForEachKernelCall([&](int32_t i, const OpSchema& schema, std::span<const int32_t> args) {
      for (size_t a = 0; a < schema.args.size(); ++a) {
        if (schema.args[a].access == Access::kRead) SeparateOperand(i, schema, args, a);
      }
    });
  }

  // A tensor, or the tensors of a list, which becomes another list then.
  void SeparateOperand(int32_t i, const OpSchema& schema, std::span<const int32_t> args, size_t a) {
    const Value held = method_.values[IndexOf(args[a])];
    if (held.kind == ValueKind::kTensor) {
      if (IsWrittenBy(schema, args, a, args[a])) editor_.SetArgument(i, a, CopyAhead(i, args[a]));
      return;
    }
    if (!IsTensorLike(held.kind)) return;
    const auto old = method_.Ints(held.items);
    std::vector<int32_t> items(old.begin(), old.end());
    for (int32_t& item : items) {
      if (item >= 0 && IsWrittenBy(schema, args, a, item)) item = CopyAhead(i, item);
    }
    if (std::ranges::equal(items, old)) return;
    Value list = held;
    list.items = editor_.AddInts(items);
    editor_.SetArgument(i, a, editor_.AddValue(list, LastBefore(i)));
  }

  // Whether a call writes bytes of what it reads as argument `a`, other than element by element.
  [[nodiscard]] bool IsWrittenBy(const OpSchema& schema, std::span<const int32_t> args, size_t a,
                                 int32_t operand) const {
    if (!IsPlanned(operand)) return false;
    for (size_t w = 0; w < schema.args.size(); ++w) {
      if (w == a || !Writes(schema.args[w]) || !IsPlanned(args[w])) continue;
      if (!storages_.Share(method_, args[w], operand)) continue;
      if (!schema.args[a].elementwise || !HaveOnePlace(args[w], operand)) return true;
    }
    return false;
  }

  // What an operand of the instruction is before it, with bytes of its own.
  [[nodiscard]] int32_t CopyAhead(int32_t i, int32_t operand) {
    const int32_t last = LastBefore(i);
    const int32_t apart = AddLike(operand, last);
    Copy(i, operand, apart, last, kOverOperand);
    return apart;
  }

  [[nodiscard]] bool IsPlanned(int32_t v) const {
    const Tensor* tensor = method_.TensorOf(v);
    return tensor != nullptr && tensor->planned;
  }
  [[nodiscard]] bool HaveOnePlace(int32_t a, int32_t b) const {
    return storages_.at[IndexOf(a)] == storages_.at[IndexOf(b)] &&
           method_.TensorOf(a)->nbytes == method_.TensorOf(b)->nbytes;
  }

  // --- Names.

  // Once a value has bytes of its own, they are made wherever the name is taken.
  void SeparateDerived() {
    for (auto first = names_.begin(); first != names_.end();) {
      const auto end = std::find_if(first, names_.end(), [&](const DerivedName& other) {
        return other.value != first->value;
      });
      std::string_view reason;
      for (auto name = first; name != end && reason.empty(); ++name) reason = ReasonToCopy(*name);
      for (; first != end; ++first) {
        if (!reason.empty()) Materialise(*first, reason);
      }
    }
  }

  // Empty: the name may go on sharing bytes.
  [[nodiscard]] std::string_view ReasonToCopy(const DerivedName& derived) {
    if (derived.is_buffer || !IsWrittenAfter(derived)) return {};
    const std::vector<int32_t> own = OwnOf(derived.value);
    if (OutlivesAWrite(derived, own)) return kOutlives;
    const bool clashes = !HoldsState(derived.value) && IsWrittenUnderABase(derived, own);
    return clashes ? kIsWritten : std::string_view();
  }

  // Whether anything of its storage is written after it was made.
  [[nodiscard]] bool IsWrittenAfter(const DerivedName& derived) {
    const int32_t storage = storages_.storage[IndexOf(derived.value)];
    const auto [last, fresh] = last_write_.try_emplace(storage, -1);
    if (fresh) {
      for (const int32_t v : members_.at(storage)) {
        for (const int32_t w : accesses_[IndexOf(v)].writes)
          last->second = std::max(last->second, w);
      }
    }
    return last->second >= derived.made_before;
  }

  // The value and what is derived from it.
  [[nodiscard]] std::vector<int32_t> OwnOf(int32_t v) const {
    std::vector<int32_t> own = {v};
    for (size_t n = 0; n < own.size(); ++n) {
      const auto names = derived_of_.find(own[n]);
      if (names == derived_of_.end()) continue;
      for (const int32_t name : names->second) {
        if (std::ranges::find(own, name) == own.end()) own.push_back(name);
      }
    }
    return own;
  }

  template <class Each>
  [[nodiscard]] bool AnyOther(int32_t v, const std::vector<int32_t>& own, const Each& each) const {
    return std::ranges::any_of(members_.at(storages_.storage[IndexOf(v)]), [&](int32_t other) {
      const bool is_other = std::ranges::find(own, other) == own.end();
      return is_other && storages_.Share(method_, v, other) && each(other);
    });
  }

  [[nodiscard]] bool OutlivesAWrite(const DerivedName& derived,
                                    const std::vector<int32_t>& own) const {
    return AnyOther(derived.value, own, [&](int32_t other) {
      return std::ranges::any_of(own, [&](int32_t name) {
        return IsReadAfterWrite(accesses_[IndexOf(name)].reads, accesses_[IndexOf(other)].writes,
                                derived.made_before);
      });
    });
  }

  [[nodiscard]] bool IsWrittenUnderABase(const DerivedName& derived,
                                         const std::vector<int32_t>& own) const {
    return AnyOther(derived.value, own, [&](int32_t other) {
      return std::ranges::any_of(own, [&](int32_t name) {
        return IsReadAfterWrite(accesses_[IndexOf(other)].reads, accesses_[IndexOf(name)].writes,
                                derived.made_before);
      });
    });
  }

  // Whether some read may come after some write that comes after the name was made.
  [[nodiscard]] bool IsReadAfterWrite(std::span<const int32_t> reads,
                                      std::span<const int32_t> writes, int32_t made_before) const {
    for (const int32_t w : writes) {
      if (w < made_before) continue;
      const bool later = std::ranges::any_of(
          reads, [&](int32_t r) { return r > w || IsInALoopWith(r, w, made_before); });
      if (later) return true;
    }
    return false;
  }

  // Whether a loop that begins after the name was made goes through both.
  [[nodiscard]] bool IsInALoopWith(int32_t read, int32_t write, int32_t made_before) const {
    return std::ranges::any_of(touches_.jumps, [&](const Jump& jump) {
      return jump.target <= read && read <= jump.at && jump.target <= write && write <= jump.at &&
             made_before <= jump.target;
    });
  }

  void Materialise(const DerivedName& derived, std::string_view reason) {
    const int32_t v = derived.value;
    if (derived.bytes.size() != 1 || derived.bytes.front().at != 0) {
      if (failure_.empty())
        failure_ = "a part of a value is written over while it is still to be read";
      return;
    }
    int32_t from = derived.bytes.front().of;
    const Tensor name = editor_.TensorOf(v);
    const auto sizes_of_base = method_.Ints(method_.TensorOf(from)->sizes);
    if (!std::ranges::equal(method_.Ints(name.sizes), sizes_of_base)) {
      from = editor_.AddTensor(name, v - 1);  // the base in the name's form
    }
    PutApart(editor_.TensorOf(v));
    const bool late = Planted(Defect::kViewMadeWhenUsed);
    const int32_t first_read = meaning_.roles.usage[IndexOf(v)].first_read;
    Copy(late && first_read >= 0 ? first_read : derived.made_before, from, v, v, reason);
  }

  const meaning::MethodMeaning& meaning_;
  const Method& method_;
  std::span<const Operator> operators_;
  const MethodTouches& touches_;
  const std::vector<DerivedName>& names_;
  const NamedStorages& storages_;
  std::vector<int32_t> highest_;  // per instruction: the highest value in use up to and with it
  MethodEditor editor_;
  std::vector<Accesses> accesses_;                   // per value
  std::map<int32_t, std::vector<int32_t>> members_;  // by storage
  std::map<int32_t, std::vector<int32_t>> derived_of_;
  std::map<int32_t, int32_t> last_write_;  // by storage
  uint64_t apart_ = 0;                     // offset behind all values
  std::vector<AddedCopy> copies_;          // numbers as before, new values behind
  std::string failure_;
};

}  // namespace

Separated SeparateNames(const MeantMethod& meant, std::span<const Operator> operators) {
  return Separator(meant, operators).Go();
}

}  // namespace pteproof::planner
