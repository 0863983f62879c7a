#include "reference/op_signature.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "reference/op_schema.h"

namespace pteproof {
namespace {

struct SignatureType {
  std::string_view name;
  ArgKind single;
  std::optional<ArgKind> list;
};

constexpr std::array<SignatureType, 9> kSignatureTypes = {{
    {"Tensor", ArgKind::kTensor, ArgKind::kTensorList},
    {"Scalar", ArgKind::kScalar, std::nullopt},
    {"int", ArgKind::kInt, ArgKind::kIntList},
    {"SymInt", ArgKind::kInt, ArgKind::kIntList},
    {"bool", ArgKind::kBool, ArgKind::kBoolList},
    {"float", ArgKind::kFloat, ArgKind::kFloatList},
    {"str", ArgKind::kString, std::nullopt},
    {"ScalarType", ArgKind::kInt, std::nullopt},
    {"MemoryFormat", ArgKind::kInt, std::nullopt},
}};

struct Type {
  ArgKind kind = ArgKind::kTensor;
  bool optional = false;
  char set = '\0';       // alias set, if any
  bool written = false;  // the set's `!`
};

struct Arg {
  ArgSchema schema;
  char set = '\0';
  bool written = false;
};

// Cuts `tail` off `text`, if it ends with it.
bool ConsumeTail(std::string_view& text, char tail) {
  if (!text.ends_with(tail)) return false;
  text.remove_suffix(1);
  return true;
}

// Cuts "(a)" or "(a!)" off `text` into `type`. False: malformed.
bool ConsumeAliasSet(std::string_view& text, Type& type) {
  if (!ConsumeTail(text, ')')) return true;
  type.written = ConsumeTail(text, '!');
  if (text.size() < 2 || text[text.size() - 2] != '(') return false;
  type.set = text.back();
  text.remove_suffix(2);
  return true;
}

// Cuts "[]" or "[3]" off `text`. Nothing: malformed; else whether it was there.
std::optional<bool> ConsumeBrackets(std::string_view& text) {
  if (!text.ends_with(']')) return false;
  const size_t open = text.rfind('[');
  if (open == std::string_view::npos) return std::nullopt;
  text = text.substr(0, open);
  return true;
}

std::optional<Type> ParseType(std::string_view text) {
  Type type;
  type.optional = ConsumeTail(text, '?');
  const std::optional<bool> list = ConsumeBrackets(text);
  if (!list) return std::nullopt;
  const bool optional_items = *list && ConsumeTail(text, '?');
  if (!ConsumeAliasSet(text, type)) return std::nullopt;
  const auto* row = std::ranges::find(kSignatureTypes, text, &SignatureType::name);
  if (row == kSignatureTypes.end() || (*list && !row->list)) return std::nullopt;
  type.kind = *list ? *row->list : row->single;
  if (optional_items) {
    if (type.kind != ArgKind::kTensorList) return std::nullopt;
    type.kind = ArgKind::kOptionalTensorList;
  }
  return type;
}

// "Tensor(a!) out" or "Scalar alpha=1".
std::optional<Arg> ParseArg(std::string_view text, bool after_star) {
  const size_t blank = text.find(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  const std::optional<Type> type = ParseType(text.substr(0, blank));
  const std::string_view rest = text.substr(blank + 1);
  const std::string_view name = rest.substr(0, rest.find('='));
  if (!type || name.empty()) return std::nullopt;
  Arg arg;
  arg.schema.name = name;
  arg.schema.kind = type->kind;
  arg.schema.optional = type->optional;
  arg.schema.out = type->written && after_star;
  if (type->written) arg.schema.access = after_star ? Access::kWrite : Access::kUpdate;
  arg.set = type->set;
  arg.written = type->written;
  return arg;
}

// Splits at ", ". No default value has one.
std::vector<std::string_view> SplitList(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t comma = text.find(", ");
    parts.push_back(text.substr(0, comma));
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 2);
  }
  return parts;
}

// Marks the argument whose alias set a returned type names. False: there is none, or the type is
// malformed.
bool MarkReturned(std::string_view type_and_name, std::vector<Arg>& args) {
  const std::optional<Type> type = ParseType(type_and_name.substr(0, type_and_name.find(' ')));
  if (!type || type->set == '\0' || !type->written) return false;
  for (Arg& arg : args) {
    if (arg.set != type->set || !arg.written) continue;
    arg.schema.returned = true;
    return true;
  }
  return false;
}

std::optional<ReturnSlot> ParseReturns(std::string_view text, std::vector<Arg>& args) {
  if (text == "()") {
    const auto list = std::ranges::find_if(args, [](const Arg& arg) {
      return arg.written && arg.schema.kind == ArgKind::kTensorList;
    });
    if (list == args.end()) return ReturnSlot::kNone;
    list->schema.returned = true;
    return ReturnSlot::kWrittenList;
  }
  if (text.starts_with('(') && text.ends_with(')')) {
    for (std::string_view part : SplitList(text.substr(1, text.size() - 2))) {
      if (!MarkReturned(part, args)) return std::nullopt;
    }
    return ReturnSlot::kWrittenList;
  }
  const std::optional<Type> type = ParseType(text);
  if (!type) return std::nullopt;
  const bool number = type->kind == ArgKind::kScalar || type->kind == ArgKind::kInt ||
                      type->kind == ArgKind::kBool || type->kind == ArgKind::kFloat;
  if (number) return ReturnSlot::kScalar;
  if (!MarkReturned(text, args)) return std::nullopt;
  return ReturnSlot::kWritten;
}

// Whether two arguments that nothing writes are names of the same bytes.
bool HasView(const std::vector<Arg>& args) {
  std::string sets;
  for (const Arg& arg : args) {
    if (arg.set == '\0' || arg.written) continue;
    if (sets.find(arg.set) != std::string::npos) return true;
    sets.push_back(arg.set);
  }
  return false;
}

// "-> Tensor(a)", where no argument of the set is written.
bool ReturnsAnAlias(std::string_view text, const std::vector<Arg>& args) {
  const std::optional<Type> type = ParseType(text);
  return type && type->kind == ArgKind::kTensor && type->set != '\0' && !type->written &&
         std::ranges::any_of(args, [&](const Arg& arg) { return arg.set == type->set; });
}

// The kernel touches no bytes; the slot is one more argument, and another name of the first.
bool MakeAlias(std::vector<Arg>& args, bool has_out, Signature& signature) {
  for (Arg& arg : args) {
    if (arg.set != '\0') arg.schema.access = Access::kNone;
    if (arg.set != '\0') arg.schema.out = false;
  }
  signature.is_view = !has_out;
  if (!has_out && (args.front().set == '\0' || args.front().schema.kind != ArgKind::kTensor))
    return false;
  Arg slot;
  slot.schema.name = "slot";
  slot.schema.access = Access::kNone;
  args.push_back(slot);
  signature.returns = ReturnSlot::kNone;
  return true;
}

std::nullopt_t Fail(std::string_view text, std::string_view part, std::string_view what,
                    SignatureFault& fault) {
  fault = {static_cast<size_t>(part.data() - text.data()), what};
  return std::nullopt;
}

}  // namespace

std::optional<Signature> ParseSignature(std::string_view text) {
  SignatureFault fault;
  return ParseSignature(text, fault);
}

std::optional<Signature> ParseSignature(std::string_view text, SignatureFault& fault) {
  constexpr std::string_view kArrow = ") -> ";
  const size_t open = text.find('(');
  const size_t arrow = text.rfind(kArrow);
  if (open == std::string_view::npos || open == 0)
    return Fail(text, text, "expected a name and its arguments: ns::name.overload(...)", fault);
  if (arrow == std::string_view::npos || arrow <= open)
    return Fail(text, text.substr(text.size()), "expected \") -> \" and what is returned", fault);

  Signature signature;
  signature.name = text.substr(0, open);
  std::vector<Arg> args;
  bool after_star = false;
  bool has_out = false;
  for (std::string_view part : SplitList(text.substr(open + 1, arrow - open - 1))) {
    if (part == "*") {
      after_star = true;
      continue;
    }
    std::optional<Arg> arg = ParseArg(part, after_star);
    if (!arg) return Fail(text, part, "expected a type and a name, as in \"Tensor self\"", fault);
    signature.in_place |= arg->written && !after_star;
    has_out |= after_star && arg->set != '\0';
    args.push_back(*std::move(arg));
  }
  const std::string_view returned = text.substr(arrow + kArrow.size());
  if (ReturnsAnAlias(returned, args)) {
    if (!MakeAlias(args, has_out, signature))
      return Fail(text, returned, "the first argument must be the tensor that is returned", fault);
  } else {
    const std::optional<ReturnSlot> returns = ParseReturns(returned, args);
    if (!returns) {
      return Fail(
          text, returned,
          "expected a number, or the alias set of an argument: a file stores a call with its "
          "results as arguments (the out variant)",
          fault);
    }
    signature.returns = *returns;
    signature.is_view = HasView(args);
  }
  for (const Arg& arg : args) signature.args.push_back(arg.schema);
  return signature;
}

}  // namespace pteproof
