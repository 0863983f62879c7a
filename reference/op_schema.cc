#include "reference/op_schema.h"

#include <algorithm>
#include <cassert>
#include <deque>
#include <initializer_list>
#include <optional>
#include <string>
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
  if (word == "write" || word == "scratch") return Access::kWrite;
  if (word == "fill") return Access::kFill;
  return std::nullopt;
}

// "self=none"
bool ApplyAccess(std::string_view word, Signature& signature) {
  const size_t equals = word.find('=');
  if (equals == std::string_view::npos) return false;
  ArgSchema* arg = FindArg(signature, word.substr(0, equals));
  if (arg == nullptr) return false;
  const std::string_view what = word.substr(equals + 1);
  if (what == "lasting") {
    arg->lasting = true;
    return arg->access == Access::kRead;
  }
  if (what == "scratch") arg->scratch = arg->out = true;
  const std::optional<Access> access = AccessOf(what);
  if (!access) return false;
  arg->access = *access;
  return true;
}

bool MarkElementwise(std::string_view name, Signature& signature) {
  ArgSchema* arg = FindArg(signature, name);
  if (arg == nullptr || arg->kind != ArgKind::kTensor) return false;
  arg->elementwise = true;
  return true;
}

// `text` is one of the row's signatures.
std::optional<Signature> ReadRow(const OpRow& row, std::string_view text) {
  Result<Signature, SignatureFault> parsed = ParseSignature(text);
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
    for (std::string& signature : SignaturesOf(row)) {
      Add(row, texts_.emplace_back(std::move(signature)));
    }
  }

  // `text` stays where it is as long as the table lives.
  void Add(const OpRow& row, std::string_view text) {
    std::optional<Signature> signature = ReadRow(row, text);
    assert(signature && "a row of the operator table is malformed");
    if (!signature) return;
    const auto& args = args_.emplace_back(std::move(signature->args));
    schemas_.push_back(SchemaOf(*signature, text, args));
  }

  std::deque<std::string> texts_;
  // Moving the inner vectors, as growth does, keeps their elements where they are.
  std::vector<std::vector<ArgSchema>> args_;
  std::vector<OpSchema> schemas_;
  std::unordered_map<std::string_view, const OpSchema*> by_name_;
};

const OpTable& Table() {
  static const OpTable table({UnaryRows, BinaryRows, InPlaceRows, CreateRows, MoveRows, ReduceRows,
                              NetworkRows, PrimRows, QuantizedRows, CustomRows, CadenceRows,
                              CortexMRows});
  return table;
}

}  // namespace

// The first group is replaced until there is none. No group holds another.
std::vector<std::string> SignaturesOf(const OpRow& row) {
  std::vector<std::string> done;
  std::vector<std::string> open = {std::string(row.signature)};
  while (!open.empty()) {
    const std::string text = std::move(open.back());
    open.pop_back();
    const size_t begin = text.find('{');
    const size_t close = text.find('}', begin);
    if (begin == std::string::npos || close == std::string::npos) {
      done.push_back(text);
      continue;
    }
    for (size_t at = begin + 1; at <= close;) {
      const size_t end = std::min(text.find(',', at), close);
      open.push_back(text.substr(0, begin) + text.substr(at, end - at) + text.substr(close + 1));
      at = end + 1;
    }
  }
  return done;
}

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
