#include "reference/op_schema.h"

#include <algorithm>
#include <cassert>
#include <initializer_list>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reference/op_signature.h"
#include "reference/op_table.h"

namespace pteproof {
namespace {

// Calls `use` with each blank-separated word. False as soon as `use` is.
template <class Use>
bool ForEachWord(std::string_view text, Use use) {
  while (!text.empty()) {
    const size_t blank = text.find(' ');
    if (!use(text.substr(0, blank))) return false;
    text = blank == std::string_view::npos ? std::string_view{} : text.substr(blank + 1);
  }
  return true;
}

ArgSchema* FindArg(Signature& signature, std::string_view name) {
  const auto arg = std::ranges::find(signature.args, name, &ArgSchema::name);
  return arg == signature.args.end() ? nullptr : &*arg;
}

std::optional<Access> AccessOf(std::string_view word) {
  if (word == "none") return Access::kNone;
  if (word == "write") return Access::kWrite;
  if (word == "fill") return Access::kFill;
  return std::nullopt;
}

// "self=none"
bool ApplyAccess(std::string_view word, Signature& signature) {
  const size_t equals = word.find('=');
  if (equals == std::string_view::npos) return false;
  ArgSchema* arg = FindArg(signature, word.substr(0, equals));
  const std::optional<Access> access = AccessOf(word.substr(equals + 1));
  if (arg == nullptr || !access) return false;
  arg->access = *access;
  return true;
}

bool MarkElementwise(std::string_view name, Signature& signature) {
  ArgSchema* arg = FindArg(signature, name);
  if (arg == nullptr || arg->kind != ArgKind::kTensor) return false;
  arg->elementwise = true;
  return true;
}

std::optional<Signature> ReadRow(const OpRow& row) {
  Result<Signature, SignatureFault> parsed = ParseSignature(row.signature);
  if (!parsed.ok()) return std::nullopt;
  Signature signature = std::move(parsed).value();
  const bool ok =
      ForEachWord(row.elementwise, [&](auto name) { return MarkElementwise(name, signature); }) &&
      ForEachWord(row.access, [&](auto word) { return ApplyAccess(word, signature); });
  if (!ok) return std::nullopt;
  return signature;
}

// All rows, read once; schemas' spans point into `args_`.
class OpTable {
 public:
  using Rows = std::span<const OpRow> (*)();
  explicit OpTable(std::initializer_list<Rows> tables) {
    for (const Rows rows : tables) {
      for (const OpRow& row : rows()) Add(row);
    }
    std::ranges::sort(schemas_, {}, &OpSchema::name);
    by_name_.reserve(schemas_.size());
    for (const OpSchema& schema : schemas_) by_name_.emplace(schema.name, &schema);
  }
  OpTable(const OpTable&) = delete;
  OpTable& operator=(const OpTable&) = delete;

  [[nodiscard]] const OpSchema* Find(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }
  [[nodiscard]] std::span<const OpSchema> All() const { return schemas_; }

 private:
  void Add(const OpRow& row) {
    std::optional<Signature> signature = ReadRow(row);
    assert(signature && "a row of the operator table is malformed");
    if (!signature) return;
    const auto& args = args_.emplace_back(std::move(signature->args));
    schemas_.push_back(SchemaOf(*signature, row.signature, args));
  }

  // Moving the inner vectors, as growth does, keeps their elements where they are.
  std::vector<std::vector<ArgSchema>> args_;
  std::vector<OpSchema> schemas_;
  std::unordered_map<std::string_view, const OpSchema*> by_name_;
};

const OpTable& Table() {
  static const OpTable table({UnaryRows, BinaryRows, InPlaceRows, CreateRows, MoveRows, ReduceRows,
                              NetworkRows, PrimRows, QuantizedRows, CustomRows});
  return table;
}

}  // namespace

OpSchema SchemaOf(const Signature& signature, std::string_view text,
                  std::span<const ArgSchema> args) {
  return {.name = signature.name,
          .signature = text,
          .args = args,
          .returns = signature.returns,
          .is_view = signature.is_view,
          .viewed = signature.viewed,
          .in_place = signature.in_place};
}

const ArgSchema* OperandSchema(const OpSchema& schema, size_t operand) {
  for (const ArgSchema& arg : schema.args) {
    if (!arg.out && operand-- == 0) return &arg;
  }
  return nullptr;
}

const OpSchema* FindAliasOperator(std::string_view full_name) {
  static const OpTable table({AliasRows});
  return table.Find(full_name);
}

const OpSchema* FindOperator(std::string_view full_name) {
  return Table().Find(full_name);
}

std::span<const OpSchema> AllOperators() {
  return Table().All();
}

}  // namespace pteproof
