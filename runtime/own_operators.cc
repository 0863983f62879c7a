#include "runtime/own_operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reference/op_signature.h"
#include "runtime/execute/argument_kinds.h"
#include "runtime/file_rules.h"

namespace pteproof {
namespace {

bool SayTheSame(const OpSchema& a, const Signature& b) {
  const auto alike = [](const ArgSchema& x, const ArgSchema& y) {
    return x.kind == y.kind && x.optional == y.optional && x.returned == y.returned &&
           (x.access == Access::kRead) == (y.access == Access::kRead);
  };
  return a.returns == b.returns && a.is_view == b.is_view &&
         std::ranges::equal(a.args, b.args, alike);
}

const OpSchema* KnownOperator(std::string_view name) {
  const OpSchema* known = FindOperator(name);
  return known != nullptr ? known : FindAliasOperator(name);
}

std::string_view WithoutBlanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return text.substr(text.size());
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

bool Consume(std::string_view& text, std::string_view head) {
  if (!text.starts_with(head)) return false;
  text = WithoutBlanks(text.substr(head.size()));
  return true;
}

// The signature in a line, empty: there is none.
std::string_view SignatureIn(std::string_view line) {
  std::string_view text = WithoutBlanks(line.substr(0, line.find('#')));
  if (text == "operators:" || text == "---") return text.substr(text.size());
  Consume(text, "-");
  Consume(text, "func:");
  const bool quoted = text.size() > 1 && (text.front() == '"' || text.front() == '\'') &&
                      text.back() == text.front();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

// A call of an operator that a user described, if the description does not fit it.
std::optional<Finding> MisfitOf(const Method& method, int32_t instruction) {
  const Instruction& call = method.instructions[static_cast<size_t>(instruction)];
  const Operator& op = method.operators[static_cast<size_t>(call.target)];
  std::string fault = ArgumentFault(method, *op.schema, method.Ints(call.args));
  if (fault.empty() && call.args.count != op.schema->ArgumentCount()) {
    fault = fmt::format("there are {} arguments, and the operator takes {}", call.args.count,
                        op.schema->ArgumentCount());
  }
  if (fault.empty()) return std::nullopt;
  Finding finding;
  finding.rule = rule::kFileArguments;
  finding.severity = Severity::kError;
  finding.method = method.name;
  finding.instruction = instruction;
  finding.explanation = fmt::format("Instruction {} calls {}: {}.\nIts signature is {}.",
                                    instruction, op.name, fault, op.schema->signature);
  finding.fix = "Correct the signature.";
  return finding;
}

}  // namespace

const OpSchema* OwnOperators::Find(std::string_view full_name) const {
  const auto found = std::ranges::find(schemas, full_name, &OpSchema::name);
  return found == schemas.end() ? nullptr : &*found;
}

std::optional<OwnOperatorError> AddOperator(std::string_view signature, OwnOperators& own) {
  const std::string& text = own.texts.emplace_back(signature);
  SignatureFault fault;
  std::optional<Signature> read = ParseSignature(text, fault);
  const auto drop = [&](size_t at, std::string what) {
    own.texts.pop_back();
    return OwnOperatorError{1, at + 1, std::move(what)};
  };
  if (!read) return drop(fault.at, std::string(fault.what));
  if (read->is_view)
    return drop(0, "names of one storage need an out argument: *, Tensor(a) out) -> Tensor(a)");
  const OpSchema* table = KnownOperator(read->name);
  const OpSchema* known = table != nullptr ? table : own.Find(read->name);
  if (known != nullptr && !SayTheSame(*known, *read)) {
    return drop(0, fmt::format("contradicts {}:\n    {}\n    {}",
                               table != nullptr ? "the built-in table" : "an earlier signature",
                               signature, known->signature));
  }
  if (known != nullptr) {
    own.texts.pop_back();
    return std::nullopt;
  }
  OpSchema& schema = own.schemas.emplace_back();
  schema.name = read->name;
  schema.signature = text;
  schema.args = own.args.emplace_back(std::move(read->args));
  schema.returns = read->returns;
  schema.is_view = read->is_view;
  schema.in_place = read->in_place;
  return std::nullopt;
}

std::vector<OwnOperatorError> AddOperators(std::string_view text, OwnOperators& own) {
  std::vector<OwnOperatorError> errors;
  size_t line = 1;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, end);
    const std::string_view signature = SignatureIn(whole);
    if (!signature.empty()) {
      if (std::optional<OwnOperatorError> error = AddOperator(signature, own)) {
        error->line = line;
        error->column += static_cast<size_t>(signature.data() - whole.data());
        errors.push_back(*std::move(error));
      }
    }
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line;
  }
  return errors;
}

std::vector<Finding> BindOperators(std::shared_ptr<const OwnOperators> own, Program& program) {
  std::vector<Finding> findings;
  for (Method& method : program.methods) {
    std::vector<bool> is_own(method.operators.size());
    for (size_t o = 0; o < is_own.size(); ++o) {
      Operator& op = method.operators[o];
      if (op.schema != nullptr) continue;
      op.schema = own->Find(op.name);
      is_own[o] = op.schema != nullptr;
    }
    for (size_t i = 0; i < method.instructions.size(); ++i) {
      const Instruction& call = method.instructions[i];
      if (call.kind != InstructionKind::kKernelCall || !is_own[static_cast<size_t>(call.target)])
        continue;
      if (auto misfit = MisfitOf(method, static_cast<int32_t>(i)))
        findings.push_back(*std::move(misfit));
    }
  }
  // Schemas of an earlier call stay alive.
  using Both = std::pair<std::shared_ptr<const void>, std::shared_ptr<const OwnOperators>>;
  program.signatures = std::make_shared<const Both>(std::move(program.signatures), std::move(own));
  return findings;
}

}  // namespace pteproof
