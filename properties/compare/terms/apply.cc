// Idea: the words of a call's term are a text that can be read back in one way only, a mark before
// each part:
//
//     code | argument ... | result types | effect
//     argument: none | number kind bits | text id | tensor form content | list count parts
//
// An operand of which the operator reads no byte stands with its type and sizes only. A number that
// all is known of is computed by the reference, and if the table folds, so are small results of
// constants: exporters store them as constants.
//
// Invariant: two calls have one term if and only if operator, attributes, types, sizes, memory
// orders and the contents of operands are equal, and for random and opaque calls all such calls
// before them.
//
// Cost: O(arguments and dims).
#include "properties/compare/terms/apply.h"

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "base/stop.h"
#include "base/work.h"
#include "properties/compare/terms/blob_terms.h"
#include "properties/compare/terms/movement.h"
#include "reference/evaluate.h"
#include "reference/functional_form.h"
#include "reference/op_meaning.h"
#include "runtime/delegates/opened_blob.h"

namespace pteproof::compare {
namespace {

enum Mark : uint64_t { kNone, kNumber, kText, kTensor, kShapeOnly, kNumbers, kTensors, kResults };

using Words = std::vector<uint64_t>;

void AddShape(Words& words, const TensorShape& shape) {
  words.push_back(static_cast<uint64_t>(shape.dtype));
  words.push_back(shape.sizes.size());
  for (const int64_t size : shape.sizes) words.push_back(static_cast<uint64_t>(size));
  const bool plain = std::ranges::is_sorted(shape.order);
  words.push_back((plain ? 0 : 1) + (shape.varies ? 2 : 0));
  if (plain) return;
  for (const int32_t dim : shape.order) words.push_back(static_cast<uint64_t>(dim));
}

class CallWords {
 public:
  CallWords(TermTable& table, Words code) : table_(table), words_(std::move(code)) {}

  void AddArgument(const SymbolicArgument& arg, bool reads) {
    std::visit([&](const auto& held) { Add(held, reads); }, arg);
  }
  void AddResults(std::span<const TensorShape> results) {
    words_.push_back(kResults);
    words_.push_back(results.size());
    for (const TensorShape& shape : results) AddShape(words_, shape);
  }
  void AddEffect(TermId effect) { words_.push_back(effect); }
  [[nodiscard]] TermId Make() const { return table_.Make(TermKind::kCall, words_); }

 private:
  void Add(std::monostate, bool) { words_.push_back(kNone); }
  void Add(const SymbolicNumber& number, bool) {
    words_.insert(words_.end(), {kNumber, static_cast<uint64_t>(number.kind), number.bits});
  }
  void Add(std::string_view text, bool) {
    words_.insert(words_.end(), {kText, table_.TextOf(text)});
  }
  void Add(const SymbolicTensor& tensor, bool reads) {
    reads = reads || tensor.shape.varies;  // its sizes are those of its term
    words_.push_back(reads ? kTensor : kShapeOnly);
    if (reads) words_.push_back(tensor.content);
    AddShape(words_, tensor.shape);
  }
  void Add(const std::vector<SymbolicNumber>& list, bool reads) {
    words_.insert(words_.end(), {kNumbers, list.size()});
    for (const SymbolicNumber& number : list) Add(number, reads);
  }
  void Add(const std::vector<std::optional<SymbolicTensor>>& list, bool reads) {
    words_.insert(words_.end(), {kTensors, list.size()});
    for (const auto& tensor : list) {
      if (tensor) {
        Add(*tensor, reads);
      } else {
        words_.push_back(kNone);
      }
    }
  }

  TermTable& table_;
  Words words_;
};

// Calls content(position of the word) and number(position of its kind) for a call's words. Returns
// the position behind the types of the results, where the effect stands if there is one.
template <class OnContent, class OnNumber>
size_t ForEachOperand(std::span<const uint64_t> words, const OnContent& content,
                      const OnNumber& number) {
  const auto skip_shape = [&](size_t at) {
    const size_t rank = words[at + 1];
    at += 2 + rank;
    return at + 1 + (words[at] % 2 == 0 ? 0 : rank);
  };
  size_t at = 1 + words[0];
  while (words[at] != kResults) {
    switch (words[at]) {
      case kNumber:
        number(at + 1);
        at += 3;
        break;
      case kText:
      case kNumbers:
      case kTensors:
        at += 2;
        break;
      case kTensor:
        content(at + 1);
        at = skip_shape(at + 2);
        break;
      case kShapeOnly:
        at = skip_shape(at + 1);
        break;
      default:
        at += 1;
    }
  }
  const size_t results = words[at + 1];
  at += 2;
  for (size_t r = 0; r < results; ++r) at = skip_shape(at);
  return at;
}

template <class Each>
void ForEachContent(std::span<const uint64_t> words, const Each& each) {
  ForEachOperand(words, each, [](size_t) {});
}

std::optional<Argument> KnownArgument(const SymbolicArgument& arg,
                                      std::vector<TensorValue>& tensors) {
  if (std::holds_alternative<std::monostate>(arg)) return Argument(std::monostate{});
  if (const auto* number = std::get_if<SymbolicNumber>(&arg)) {
    switch (number->kind) {
      case SymbolicNumber::Kind::kInt:
        return Argument(IntOf(*number));
      case SymbolicNumber::Kind::kBool:
        return Argument(number->bits != 0);
      case SymbolicNumber::Kind::kReal:
        return Argument(RealOf(*number));
      case SymbolicNumber::Kind::kTerm:
        return std::nullopt;
    }
  }
  if (const auto* tensor = std::get_if<SymbolicTensor>(&arg)) {
    if (tensor->shape.varies) return std::nullopt;
    TensorValue& value = tensors.emplace_back();
    value.dtype = tensor->shape.dtype;
    value.sizes = tensor->shape.sizes;
    return Argument(static_cast<const TensorValue*>(&value));
  }
  return std::nullopt;
}

bool ReadsBytes(const ArgSchema& arg) {
  return arg.access == Access::kRead || arg.access == Access::kUpdate;
}

// The schema's arguments that are operands.
std::vector<const ArgSchema*> OperandsOfSchema(const OpSchema& schema) {
  std::vector<const ArgSchema*> operands;
  for (const ArgSchema& arg : schema.args) {
    if (!arg.out) operands.push_back(&arg);
  }
  return operands;
}

// The results of a call that takes little work and memory. Of many such calls each counts: once the
// thread's work is done, nothing is evaluated any more.
std::optional<Evaluated> EvaluatedSoon(const OpSchema& schema, std::span<const Argument> args,
                                       std::span<const ScalarType> dtypes) {
  constexpr int64_t kMostFoldedWork = 1 << 20;
  constexpr int64_t kMostFoldedMemory = 1 << 24;
  Work* all = WorkOfThread();
  if (all != nullptr && all->left() < kMostFoldedWork) return std::nullopt;
  Work few(std::make_shared<MemoryCount>(kMostFoldedMemory), kMostFoldedWork);
  const DrawsOn limits(&few);
  std::optional<Evaluated> result;
  try {
    auto evaluated = Evaluate(schema, args, dtypes);
    if (evaluated.ok()) result = std::move(evaluated).value();
  } catch (const OverLimit&) {
    result.reset();
  }
  if (all != nullptr) all->Spend(kMostFoldedWork - few.left());
  return result;
}

// A number out of numbers that are known, and sizes of tensors.
std::optional<SymbolicNumber> Computed(const OpSchema& schema,
                                       std::span<const SymbolicArgument> args) {
  const auto operands = OperandsOfSchema(schema);
  std::vector<TensorValue> tensors;
  tensors.reserve(args.size());
  std::vector<Argument> known;
  for (size_t a = 0; a < args.size(); ++a) {
    const bool is_read = ReadsBytes(*operands[a]);
    if (is_read && std::holds_alternative<SymbolicTensor>(args[a])) return std::nullopt;
    auto argument = KnownArgument(args[a], tensors);
    if (!argument) return std::nullopt;
    known.push_back(*std::move(argument));
  }
  const auto evaluated = EvaluatedSoon(schema, known, {});
  if (!evaluated || !evaluated->scalar) return std::nullopt;
  const ScalarResult& scalar = *evaluated->scalar;
  if (const auto* integer = std::get_if<int64_t>(&scalar)) return IntNumber(*integer);
  if (const auto* flag = std::get_if<bool>(&scalar)) return BoolNumber(*flag);
  return RealNumber(std::get<double>(scalar));
}

constexpr uint64_t kMostFoldedBytes = 1 << 16;  // of an operand or a result

// Constants as operands of the reference.
class ConstantOperands {
 public:
  explicit ConstantOperands(const TermTable& table) : table_(table) {}

  // Nothing: it is no constant.
  std::optional<Argument> Of(const SymbolicArgument& arg, ArgKind kind) {
    if (const auto* text = std::get_if<std::string_view>(&arg)) return Argument(*text);
    if (const auto* tensor = std::get_if<SymbolicTensor>(&arg)) {
      const TensorValue* value = Value(*tensor);
      return value == nullptr ? std::nullopt : std::optional(Argument(value));
    }
    if (const auto* list = std::get_if<std::vector<SymbolicNumber>>(&arg)) {
      return Numbers(*list, kind);
    }
    if (const auto* list = std::get_if<std::vector<std::optional<SymbolicTensor>>>(&arg)) {
      std::vector<const TensorValue*> values;
      for (const auto& tensor : *list) {
        values.push_back(tensor ? Value(*tensor) : nullptr);
        if (tensor && values.back() == nullptr) return std::nullopt;
      }
      return Argument(std::move(values));
    }
    std::vector<TensorValue> none;
    return KnownArgument(arg, none);
  }

 private:
  const TensorValue* Value(const SymbolicTensor& tensor) {
    const bool plain = !tensor.shape.varies && std::ranges::is_sorted(tensor.shape.order);
    if (!plain || tensor.shape.nbytes() > kMostFoldedBytes) return nullptr;
    std::vector<std::byte> bytes;
    if (!table_.BytesOf(tensor.content, bytes)) return nullptr;
    if (bytes.size() != tensor.shape.nbytes()) return nullptr;
    values_.push_back({tensor.shape.dtype, tensor.shape.sizes, std::move(bytes)});
    return &values_.back();
  }

  static std::optional<Argument> Numbers(const std::vector<SymbolicNumber>& list, ArgKind kind) {
    const bool known =
        std::ranges::all_of(list, [](const SymbolicNumber& n) { return n.is_known(); });
    if (!known) return std::nullopt;
    const auto made = [&]<class T>(std::vector<T> numbers, const auto& of) {
      for (const SymbolicNumber& number : list) numbers.push_back(of(number));
      return Argument(std::move(numbers));
    };
    if (kind == ArgKind::kFloatList) return made(std::vector<double>(), RealOf);
    if (kind == ArgKind::kBoolList) {
      return made(std::vector<bool>(), [](const SymbolicNumber& n) { return n.bits != 0; });
    }
    return made(std::vector<int64_t>(), IntOf);
  }

  const TermTable& table_;
  std::deque<TensorValue> values_;
};

// The results of a call of constants.
std::optional<std::vector<ContentId>> Folded(TermTable& table, const OpSchema& schema,
                                             std::span<const SymbolicArgument> args,
                                             std::span<const TensorShape> results) {
  std::vector<ScalarType> dtypes;
  for (const TensorShape& shape : results) {
    const bool plain = !shape.varies && std::ranges::is_sorted(shape.order);
    if (!plain || shape.nbytes() > kMostFoldedBytes) return std::nullopt;
    dtypes.push_back(shape.dtype);
  }
  const auto schemas = OperandsOfSchema(schema);
  ConstantOperands operands(table);
  std::vector<Argument> known;
  for (size_t a = 0; a < args.size() && a < schemas.size(); ++a) {
    auto argument = operands.Of(args[a], schemas[a]->kind);
    if (!argument) return std::nullopt;
    known.push_back(*std::move(argument));
  }
  const auto evaluated = EvaluatedSoon(schema, known, dtypes);
  if (!evaluated || evaluated->results.size() != results.size()) return std::nullopt;
  std::vector<ContentId> contents;
  for (size_t r = 0; r < results.size(); ++r) {
    const TensorValue& value = evaluated->results[r];
    if (value.dtype != results[r].dtype || value.sizes != results[r].sizes) return std::nullopt;
    std::vector<std::byte> bytes(value.bytes.begin(), value.bytes.end());
    contents.push_back(table.Whole(table.OwnConstant(std::move(bytes)), results[r].nbytes()));
  }
  return contents;
}

bool Varies(const SymbolicArgument& arg) {
  if (const auto* tensor = std::get_if<SymbolicTensor>(&arg)) return tensor->shape.varies;
  const auto* list = std::get_if<std::vector<std::optional<SymbolicTensor>>>(&arg);
  return list != nullptr && std::ranges::any_of(*list, [](const auto& tensor) {
           return tensor.has_value() && tensor->shape.varies;
         });
}

// Operators whose result is the operand itself, whatever its sizes are.
bool IsIdentity(const OpSchema& schema) {
  static constexpr auto kNames = std::to_array<std::string_view>(
      {"aten::_to_copy.out", "aten::alias_copy.out", "aten::clone.out", "aten::detach_copy.out",
       "aten::lift_fresh_copy.out", "dim_order_ops::_clone_dim_order.out",
       "dim_order_ops::_to_dim_order_copy.out"});
  return std::ranges::find(kNames, schema.name) != kNames.end();
}

// The contents of the results if bytes are only moved. Where sizes vary, bytes cannot be counted,
// and only the whole of an operand is followed.
std::optional<std::vector<ContentId>> Followed(TermTable& table, const OpSchema& schema,
                                               std::span<const SymbolicArgument> args,
                                               std::span<const TensorShape> results) {
  const bool varies =
      std::ranges::any_of(args, Varies) || std::ranges::any_of(results, &TensorShape::varies);
  if (!varies) return Moved(table, schema, args, results);
  const auto* self = args.empty() ? nullptr : std::get_if<SymbolicTensor>(&args[0]);
  if (self == nullptr || !IsIdentity(schema) || results.size() != 1) return std::nullopt;
  if (!(self->shape == results[0])) return std::nullopt;
  return std::vector<ContentId>{self->content};
}

std::vector<ContentId> ResultsOf(TermTable& table, TermId call,
                                 std::span<const TensorShape> results) {
  std::vector<ContentId> contents;
  for (uint64_t r = 0; r < results.size(); ++r) {
    TermId term = call;
    if (results.size() > 1) {
      const uint64_t words[] = {call, r};
      term = table.Make(TermKind::kResult, words);
    }
    contents.push_back(table.Whole(term, results[r].nbytes()));
  }
  return contents;
}

void Advance(TermTable& table, TermId call, TermId& effect) {
  const uint64_t word = call;
  effect = table.Make(TermKind::kEffect, {&word, 1});
}

}  // namespace

Applied Apply(TermTable& table, const OpSchema& schema, std::span<const SymbolicArgument> args,
              std::span<const TensorShape> results, TermId& effect) {
  EndIfStopped();
  const FunctionalForm form = FunctionalFormOf(schema);
  const OpSchema& functional = form.schema == nullptr ? schema : *form.schema;
  std::vector<SymbolicArgument> operands(args.begin(), args.end());
  if (form.adds_zero) operands.emplace_back(IntNumber(0));
  if (auto moved = Followed(table, functional, operands, results)) return {*std::move(moved)};
  const bool is_number = functional.returns == ReturnSlot::kScalar;
  if (table.folds() && !is_number && !IsRandom(functional)) {
    if (auto folded = Folded(table, functional, operands, results)) return {*std::move(folded)};
  }
  if (is_number) {
    if (auto number = Computed(functional, operands)) return {{}, number};
  }
  CallWords words(table, CodeOf(table, functional.name));
  const auto schemas = OperandsOfSchema(functional);
  for (size_t a = 0; a < operands.size(); ++a) {
    words.AddArgument(operands[a], a >= schemas.size() || ReadsBytes(*schemas[a]));
  }
  words.AddResults(results);
  const bool is_random = IsRandom(functional);
  if (is_random) words.AddEffect(effect);
  const TermId call = words.Make();
  if (is_random) Advance(table, call, effect);
  if (is_number) return {{}, SymbolicNumber{SymbolicNumber::Kind::kTerm, call}, call};
  return {ResultsOf(table, call, results), {}, call};
}

Applied ApplyOpaque(TermTable& table, std::span<const uint64_t> code,
                    std::span<const SymbolicArgument> args, std::span<const TensorShape> results,
                    TermId& effect) {
  EndIfStopped();
  CallWords words(table, {code.begin(), code.end()});
  for (const SymbolicArgument& arg : args) words.AddArgument(arg, true);
  words.AddResults(results);
  words.AddEffect(effect);
  const TermId call = words.Make();
  Advance(table, call, effect);
  return {ResultsOf(table, call, results), {}, call};
}

bool IsRandom(const OpSchema& schema) {
  const OpMeaning* meaning = FindMeaning(schema);
  return meaning != nullptr && meaning->closeness == Closeness::kShape;
}

std::vector<uint64_t> CodeOf(TermTable& table, std::string_view name) {
  return {1, table.TextOf(name)};
}

std::vector<uint64_t> CodeOf(TermTable& table, const Delegate& delegate) {
  Words words = {0, table.TextOf(delegate.id)};
  const auto add = [&](Bytes bytes) {
    words.push_back(table.Constant(bytes));
    words.push_back(bytes.size());
  };
  const delegates::OpenedBlob* opened = delegate.opened.get();
  const auto inside = opened == nullptr ? std::nullopt : TermOfBlob(table, *opened);
  words.push_back(inside ? 1 : 0);
  if (inside) {
    words.push_back(*inside);
  } else if (opened == nullptr || !opened->damage.empty()) {
    add(delegate.blob);
  } else {
    if (!opened->words.empty()) words.push_back(table.TextOf(opened->words));
    std::ranges::for_each(opened->parts, add);
  }
  for (const CompileSpec& spec : delegate.specs) {
    words.push_back(table.TextOf(spec.key));
    add(spec.value);
  }
  words[0] = words.size() - 1;
  return words;
}

std::vector<std::vector<uint64_t>> CodesOfDelegates(TermTable& table, const Method& method) {
  std::vector<Words> codes(method.delegates.size());
  std::map<Words, uint64_t> count;
  for (const Instruction& call : method.instructions) {
    if (call.kind != InstructionKind::kDelegateCall) continue;
    Words& code = codes[static_cast<size_t>(call.target)];
    if (!code.empty()) continue;
    const Delegate& delegate = method.delegates[static_cast<size_t>(call.target)];
    code = CodeOf(table, delegate);
    const uint64_t number = count[code]++;
    const delegates::OpenedBlob* opened = delegate.opened.get();
    const bool has_state = opened == nullptr || !opened->IsFollowed() || !opened->states.empty();
    if (number == 0 || !has_state) continue;
    code.push_back(number);
    ++code[0];
  }
  return codes;
}

std::string_view NameOfCall(const TermTable& table, TermId call) {
  return table.Text(static_cast<TextId>(table.At(call).words[1]));
}

std::vector<ContentId> OperandsOf(const TermTable& table, TermId call) {
  const auto words = table.At(call).words;
  std::vector<ContentId> contents;
  ForEachContent(words, [&](size_t at) { contents.push_back(static_cast<ContentId>(words[at])); });
  return contents;
}

std::vector<TermId> NumbersOf(const TermTable& table, TermId call) {
  const auto words = table.At(call).words;
  std::vector<TermId> numbers;
  const auto add = [&](size_t at) {
    const bool is_term = words[at] == static_cast<uint64_t>(SymbolicNumber::Kind::kTerm);
    if (is_term) numbers.push_back(static_cast<TermId>(words[at + 1]));
  };
  ForEachOperand(words, [](size_t) {}, add);
  return numbers;
}

std::vector<uint64_t> FormOf(const TermTable& table, TermId call) {
  const auto words = table.At(call).words;
  Words form(words.begin(), words.end());
  const size_t end = ForEachOperand(words, [&](size_t at) { form[at] = 0; }, [](size_t) {});
  if (end < form.size()) form[end] = 0;  // the effect
  return form;
}

}  // namespace pteproof::compare
