#include "properties/manifest/calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace pteproof {
namespace {

using Kind = CallPattern::Kind;

constexpr std::string_view kCallBlanks = " \t\r\n";
constexpr std::string_view kCallSigns = "|*+?()";

class CallsParser {
 public:
  explicit CallsParser(std::string_view text) : text_(text) {}

  Result<CallPattern, CallsFault> Run() {
    CallPattern pattern = Choice();
    if (!fault_ && at_ < text_.size()) Fail("a ')' without its '(': remove it");
    if (fault_) return *std::move(fault_);
    return pattern;
  }

 private:
  // The sign or the first character of a name that comes next; 0: the end.
  char Next() {
    at_ = std::min(text_.find_first_not_of(kCallBlanks, at_), text_.size());
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  void Fail(std::string what) {
    if (!fault_) fault_ = CallsFault{at_, std::move(what)};
  }

  static CallPattern Joined(Kind kind, std::vector<CallPattern> parts) {
    if (parts.size() == 1) return std::move(parts.front());
    return {.kind = kind, .parts = std::move(parts)};
  }

  CallPattern Choice() {
    std::vector<CallPattern> parts = {};
    parts.push_back(Sequence());
    while (!fault_ && Next() == '|') {
      ++at_;
      parts.push_back(Sequence());
    }
    return Joined(Kind::kChoice, std::move(parts));
  }

  CallPattern Sequence() {
    std::vector<CallPattern> parts = {};
    while (!fault_) {
      const char next = Next();
      if (next == '\0' || next == '|' || next == ')') break;
      parts.push_back(Repeated());
    }
    if (parts.empty()) Fail("a method's name or '(' must stand here");
    return Joined(Kind::kSequence, std::move(parts));
  }

  CallPattern Repeated() {
    CallPattern pattern = Next() == '(' ? Group() : Call();
    while (!fault_) {
      const size_t sign = std::string_view("*+?").find(Next());
      if (at_ == text_.size() || sign == std::string_view::npos) break;
      ++at_;
      CallPattern repeated;
      repeated.kind = static_cast<Kind>(static_cast<size_t>(Kind::kStar) + sign);
      // A repetition of a repetition has the words of one.
      const bool again = pattern.kind >= Kind::kStar;
      if (again && pattern.kind != repeated.kind) repeated.kind = Kind::kStar;
      if (again) {
        pattern.kind = repeated.kind;
      } else {
        repeated.parts.push_back(std::move(pattern));
        pattern = std::move(repeated);
      }
    }
    return pattern;
  }

  CallPattern Group() {
    if (++depth_ > kDeepestCalls) {
      Fail(fmt::format("more than {} parentheses lie within each other: simplify the expression",
                       kDeepestCalls));
      return {};
    }
    const size_t open = at_++;
    CallPattern pattern = Choice();
    if (!fault_ && Next() != ')') {
      at_ = open;
      Fail("the ')' of this '(' is missing");
    }
    ++at_;
    --depth_;
    return pattern;
  }

  CallPattern Call() {
    const size_t begin = at_;
    if (kCallSigns.find(text_[at_]) != std::string_view::npos) {
      Fail(fmt::format("'{}' must follow a method's name or ')'", text_[at_]));
      return {};
    }
    if (++names_ > kMostCallNames) {
      Fail(fmt::format("more than {} names: simplify the expression", kMostCallNames));
      return {};
    }
    while (at_ < text_.size() && kCallSigns.find(text_[at_]) == std::string_view::npos &&
           kCallBlanks.find(text_[at_]) == std::string_view::npos) {
      ++at_;
    }
    return {.method = std::string(text_.substr(begin, at_ - begin)), .at = begin};
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t names_ = 0;
  int depth_ = 0;
  std::optional<CallsFault> fault_;
};

void AddCalls(const CallPattern& pattern, std::vector<const CallPattern*>& calls) {
  if (pattern.kind == Kind::kCall) calls.push_back(&pattern);
  for (const CallPattern& part : pattern.parts) AddCalls(part, calls);
}

}  // namespace

Result<CallPattern, CallsFault> ParseCalls(std::string_view text) {
  return CallsParser(text).Run();
}

std::vector<const CallPattern*> CallsOf(const CallPattern& pattern) {
  std::vector<const CallPattern*> calls;
  AddCalls(pattern, calls);
  return calls;
}

}  // namespace pteproof
