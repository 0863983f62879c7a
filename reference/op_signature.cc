#include "reference/op_signature.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/nearest.h"
#include "reference/op_schema.h"

namespace pteproof {
namespace {

struct SignatureType {
  std::string_view name;
  ArgKind single;
  std::optional<ArgKind> list;
};

constexpr std::array<SignatureType, 10> kSignatureTypes = {{
    {"Tensor", ArgKind::kTensor, ArgKind::kTensorList},
    {"Scalar", ArgKind::kScalar, std::nullopt},
    {"int", ArgKind::kInt, ArgKind::kIntList},
    {"SymInt", ArgKind::kInt, ArgKind::kIntList},
    {"bool", ArgKind::kBool, ArgKind::kBoolList},
    {"float", ArgKind::kFloat, ArgKind::kFloatList},
    {"str", ArgKind::kString, std::nullopt},
    {"ScalarType", ArgKind::kInt, std::nullopt},
    {"MemoryFormat", ArgKind::kInt, std::nullopt},
    {"Layout", ArgKind::kInt, std::nullopt},
}};

const SignatureType* TypeNamed(std::string_view name) {
  for (const SignatureType& type : kSignatureTypes) {
    if (type.name == name) return &type;
  }
  return nullptr;
}

constexpr size_t kLongestSignature = 4096;
constexpr std::string_view kForm =
    "as in ns::name.overload(Tensor self, *, Tensor(a!) out) -> Tensor(a!)";

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

std::string_view Trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Cuts `tail` off `text`, if it ends with it.
bool ConsumeTail(std::string_view& text, char tail) {
  if (!text.ends_with(tail)) return false;
  text.remove_suffix(1);
  return true;
}

// Splits at commas outside of brackets and quotes: a default may be a list or a text.
std::vector<std::string_view> SplitList(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  char quote = '\0';
  size_t first = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '[' || c == '(') {
      ++depth;
    } else if (c == ']' || c == ')') {
      --depth;
    } else if (c == ',' && depth == 0) {
      parts.push_back(Trimmed(text.substr(first, i - first)));
      first = i + 1;
    }
  }
  if (!Trimmed(text).empty()) parts.push_back(Trimmed(text.substr(first)));
  return parts;
}

// Reads one text. The first fault ends it.
class SignatureReader {
 public:
  explicit SignatureReader(std::string_view text) : text_(text) {}

  Result<Signature, SignatureFault> Read() && {
    constexpr std::string_view kArrow = "->";
    if (auto fault = NotPlain()) return *std::move(fault);
    const size_t open = text_.find('(');
    if (open == std::string_view::npos || !IsName(text_.substr(0, open))) {
      return FaultAt(text_,
                     fmt::format("a signature starts with an operator\'s full name, {}", kForm));
    }
    const size_t arrow = text_.rfind(kArrow);
    const size_t close = arrow == std::string_view::npos ? arrow : text_.rfind(')', arrow);
    if (close == std::string_view::npos || close < open ||
        !Trimmed(text_.substr(close + 1, arrow - close - 1)).empty()) {
      return FaultAt(text_.substr(text_.size()),
                     fmt::format("\") -> \" and what the call returns are missing, {}", kForm));
    }
    signature_.name = text_.substr(0, open);
    const bool ok = ReadArgs(text_.substr(open + 1, close - open - 1)) &&
                    ReadReturns(Trimmed(text_.substr(arrow + kArrow.size()))) && NameSets();
    if (!ok) return *std::move(fault_);
    for (const Arg& arg : args_) signature_.args.push_back(arg.schema);
    return std::move(signature_);
  }

 private:
  [[nodiscard]] SignatureFault FaultAt(std::string_view part, std::string what) const {
    return {static_cast<size_t>(part.data() - text_.data()), std::move(what)};
  }

  // Faults quote the text.
  [[nodiscard]] std::optional<SignatureFault> NotPlain() const {
    if (text_.size() > kLongestSignature) {
      return SignatureFault{
          0, fmt::format("a signature has at most {} characters", kLongestSignature)};
    }
    const auto other = std::ranges::find_if(text_, [](char c) { return c < ' ' || c > '~'; });
    if (other == text_.end()) return std::nullopt;
    return SignatureFault{
        static_cast<size_t>(other - text_.begin()),
        fmt::format("the byte 0x{:02x}{}; a signature has printable ASCII only",
                    static_cast<unsigned char>(*other), *other == '\t' ? ", a tab" : "")};
  }

  bool Refuse(std::string_view part, std::string what) {
    fault_ = FaultAt(part, std::move(what));
    return false;
  }

  static bool IsIdentifier(std::string_view name) {
    const auto is_letter = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    return !name.empty() && is_letter(name.front()) && std::ranges::all_of(name, [&](char c) {
      return is_letter(c) || (c >= '0' && c <= '9');
    });
  }

  // "aten::add.out"
  static bool IsName(std::string_view name) {
    const size_t colons = name.find("::");
    const auto is_part = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '_' || c == '.' || c == ':';
    };
    return colons != std::string_view::npos && colons > 0 && colons + 2 < name.size() &&
           !name.ends_with('.') && std::ranges::all_of(name, is_part);
  }

  bool ReadArgs(std::string_view list) {
    bool after_star = false;
    for (const std::string_view part : SplitList(list)) {
      if (part == "*") {
        if (after_star) return Refuse(part, "a second \"*\"; there is one, before the outs");
        after_star = true;
        continue;
      }
      if (!ReadArg(part, after_star)) return false;
    }
    return true;
  }

  // "Tensor(a!) out" or "Scalar alpha=1".
  bool ReadArg(std::string_view part, bool after_star) {
    const std::string_view head = Trimmed(part.substr(0, part.find('=')));
    const size_t blank = head.rfind(' ');
    if (blank == std::string_view::npos) {
      return Refuse(part,
                    fmt::format("\"{}\" is not an argument, which is a type and a name, as in "
                                "\"Tensor self\"",
                                part));
    }
    const std::optional<Type> type = ReadType(Trimmed(head.substr(0, blank)));
    if (!type) return false;
    const std::string_view name = head.substr(blank + 1);
    if (!IsIdentifier(name))
      return Refuse(name, fmt::format("\"{}\" is not an argument's name: letters, digits and _, "
                                      "of which no digit comes first",
                                      name));
    if (part.ends_with('='))
      return Refuse(
          part.substr(part.size()),
          fmt::format("the default of \"{}\" is missing; write it here, or leave \"=\" out", name));
    for (const Arg& arg : args_) {
      if (arg.schema.name == name)
        return Refuse(name,
                      fmt::format("a second argument \"{}\"; each has a name of its own", name));
    }
    Arg arg = {
        {.name = name, .kind = type->kind, .optional = type->optional}, type->set, type->written};
    arg.schema.out = after_star && (type->written || type->set != '\0');
    if (type->written) arg.schema.access = after_star ? Access::kWrite : Access::kUpdate;
    signature_.in_place |= type->written && !after_star;
    args_.push_back(arg);
    return true;
  }

  std::optional<Type> ReadType(std::string_view text) {
    const std::string_view whole = text;
    Type type;
    type.optional = ConsumeTail(text, '?');
    const size_t open = text.ends_with(']') ? text.rfind('[') : 0;
    const bool list = text.ends_with(']') && open != std::string_view::npos;
    if (list) text = text.substr(0, open);
    const bool optional_items = list && ConsumeTail(text, '?');
    const bool sound = ReadSet(text, type);
    const SignatureType* row = TypeNamed(text);
    if (!sound || row == nullptr || (list && !row->list) ||
        (optional_items && row->single != ArgKind::kTensor) ||
        (type.set != '\0' && row->single != ArgKind::kTensor)) {
      Refuse(whole, NotAType(whole, text));
      return std::nullopt;
    }
    type.kind = list ? *row->list : row->single;
    if (optional_items) type.kind = ArgKind::kOptionalTensorList;
    return type;
  }

  // Cuts "(a)" or "(a!)" off `text` into `type`. False: malformed.
  static bool ReadSet(std::string_view& text, Type& type) {
    if (!ConsumeTail(text, ')')) return true;
    type.written = ConsumeTail(text, '!');
    if (text.size() < 2 || text[text.size() - 2] != '(') return false;
    type.set = text.back();
    text.remove_suffix(2);
    return true;
  }

  static std::string NotAType(std::string_view whole, std::string_view bare) {
    std::vector<std::string> names;
    std::string all;
    for (const SignatureType& type : kSignatureTypes) {
      names.emplace_back(type.name);
      all += (all.empty() ? "" : ", ") + names.back();
    }
    const std::string_view nearest = NearestName(bare, names);
    return fmt::format(
        "\"{}\" is not a type of a program file; types are {}, with [] or ? behind, "
        "and Tensor(a), Tensor(a!){}",
        whole, all,
        nearest.empty() || nearest == bare ? std::string()
                                           : fmt::format("; did you mean \"{}\"?", nearest));
  }

  bool ReadReturns(std::string_view text) {
    if (text == "()") return ReturnNothing();
    if (text.starts_with('(') && text.ends_with(')')) {
      const auto parts = SplitList(text.substr(1, text.size() - 2));
      if (parts.size() != 1) return ReturnSeveral(text, parts);
      text = parts.front();
    }
    const std::optional<Type> type = ReadReturn(text);
    if (!type) return false;
    switch (type->kind) {
      case ArgKind::kScalar:
      case ArgKind::kInt:
      case ArgKind::kBool:
      case ArgKind::kFloat:
        signature_.returns = ReturnSlot::kScalar;
        return true;
      case ArgKind::kTensor:
        signature_.returns = ReturnSlot::kWritten;
        return type->set == '\0' ? AddFresh(ArgKind::kTensor) : ReturnOne(text, *type);
      case ArgKind::kTensorList:
        signature_.returns = ReturnSlot::kWrittenList;
        return type->set == '\0' ? AddFresh(ArgKind::kTensorList) : ReturnOne(text, *type);
      default:
        return Refuse(text,
                      fmt::format("a call of a program file does not return \"{}\"; it returns "
                                  "tensors, a number or ()",
                                  text));
    }
  }

  // "Tensor(a!)" or "Tensor(a!) name".
  std::optional<Type> ReadReturn(std::string_view part) {
    const size_t blank = std::min(part.find(' '), part.size());
    const std::string_view name = Trimmed(part.substr(blank));
    if (name.empty() || IsIdentifier(name)) return ReadType(part.substr(0, blank));
    Refuse(name, fmt::format("\"{}\" is not a result's name, which may follow its type", name));
    return std::nullopt;
  }

  // A written list is returned, too.
  bool ReturnNothing() {
    const auto list = std::ranges::find_if(args_, [](const Arg& arg) {
      return arg.written && arg.schema.kind == ArgKind::kTensorList;
    });
    signature_.returns = list == args_.end() ? ReturnSlot::kNone : ReturnSlot::kWrittenList;
    if (list != args_.end()) list->schema.returned = true;
    return true;
  }

  bool ReturnSeveral(std::string_view text, const std::vector<std::string_view>& parts) {
    signature_.returns = ReturnSlot::kWrittenList;
    size_t fresh = 0;
    for (const std::string_view part : parts) {
      const std::optional<Type> type = ReadReturn(part);
      if (!type) return false;
      if (type->kind != ArgKind::kTensor) {
        return Refuse(part, fmt::format("\"{}\" is one of several results, and those of a program "
                                        "file are tensors",
                                        part));
      }
      if (type->set == '\0') {
        ++fresh;
      } else if (!ReturnOne(part, *type)) {
        return false;
      }
    }
    if (fresh == 0) return true;
    if (fresh < parts.size()) {
      return Refuse(text,
                    "some results are arguments and some are not; a program file has one list of "
                    "either kind");
    }
    return AddFresh(ArgKind::kTensorList);
  }

  // The return slot lists results in the order of the arguments.
  [[nodiscard]] bool IsNextReturned(const Arg& arg) const {
    return std::ranges::none_of(std::span(&arg, args_.data() + args_.size()),
                                [](const Arg& other) { return other.schema.returned; });
  }

  // Marks the argument whose set a returned type names.
  bool ReturnOne(std::string_view part, const Type& type) {
    for (Arg& arg : args_) {
      if (arg.set != type.set) continue;
      if (arg.written && !type.written) {
        return Refuse(part, fmt::format("\"{}\" is returned, and \"{}\" has that set with a \"!\"; "
                                        "write \"!\" in both, or in neither",
                                        part, arg.schema.name));
      }
      if (arg.written != type.written || (!type.written && !arg.schema.out)) continue;
      if (!IsNextReturned(arg)) {
        return Refuse(part,
                      "results that are arguments are returned once, in the arguments' order");
      }
      arg.schema.returned = true;
      return true;
    }
    const bool is_view =
        !type.written && std::ranges::find(args_, type.set, &Arg::set) != args_.end();
    if (is_view && type.kind == ArgKind::kTensor) {
      AddSlot(ArgKind::kTensor, type.set);
      return true;
    }
    return Refuse(part,
                  fmt::format("\"{}\" is returned, and no argument has that type; write it to "
                              "the argument too, or leave the set out",
                              part));
  }

  // The slot is memory of its own, which the call writes.
  bool AddFresh(ArgKind kind) {
    AddSlot(kind, '\0');
    args_.back().schema.access = Access::kWrite;
    args_.back().schema.out = true;
    return true;
  }

  void AddSlot(ArgKind kind, char set) {
    args_.push_back({{.name = "return", .kind = kind}, set, false});
    signature_.returns = ReturnSlot::kNone;
  }

  // Arguments that nothing writes and that share a set are names of the same bytes. Without a `*`
  // the last of them is pointed at the bytes of the first.
  bool NameSets() {
    for (size_t a = 0; a < args_.size(); ++a) {
      if (args_[a].set == '\0' || args_[a].written) continue;
      const auto other = std::ranges::find_if(args_, [&](const Arg& arg) {
        return &arg != &args_[a] && arg.set == args_[a].set && !arg.written;
      });
      if (other == args_.end()) {
        args_[a].schema.out = false;
        continue;
      }
      args_[a].schema.set = args_[a].set;
      args_[a].schema.access = Access::kNone;
      const bool made = !args_[a].schema.out && a + 1 == args_.size();
      if (!made) continue;
      signature_.is_view = true;
      signature_.viewed = static_cast<size_t>(other - args_.begin());
      if (args_[a].schema.kind != ArgKind::kTensor || other->schema.kind != ArgKind::kTensor) {
        return Refuse(text_,
                      "a view is one tensor of one tensor; write an out after \"*\" for a list");
      }
    }
    return true;
  }

  std::string_view text_;
  Signature signature_;
  std::vector<Arg> args_;
  std::optional<SignatureFault> fault_;
};

}  // namespace

Result<Signature, SignatureFault> ParseSignature(std::string_view text) {
  return SignatureReader(text).Read();
}

}  // namespace pteproof
