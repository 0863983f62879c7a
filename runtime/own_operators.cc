#include "runtime/own_operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "reference/op_signature.h"
#include "reference/operator_list.h"
#include "runtime/execute/argument_kinds.h"
#include "runtime/file_rules.h"

namespace pteproof {
namespace {

bool SayTheSame(const OpSchema& a, const Signature& b) {
  const auto alike = [](const ArgSchema& x, const ArgSchema& y) {
    return x.kind == y.kind && x.optional == y.optional && x.returned == y.returned &&
           (x.access == Access::kRead) == (y.access == Access::kRead) &&
           (x.set == '\0') == (y.set == '\0');
  };
  return a.returns == b.returns && a.is_view == b.is_view && a.viewed == b.viewed &&
         std::ranges::equal(a.args, b.args, alike);
}

const OpSchema* KnownOperator(std::string_view name) {
  const OpSchema* known = FindOperator(name);
  return known != nullptr ? known : FindAliasOperator(name);
}

// Empty; or the slot does not hold what the signature returns.
std::string SlotFault(const Method& method, const OpSchema& schema, std::span<const int32_t> args) {
  const bool several = schema.returns == ReturnSlot::kWrittenList;
  if (!several && schema.returns != ReturnSlot::kWritten) return "";
  const ValueKind slot = method.values[static_cast<size_t>(args.back())].kind;
  if (slot == (several ? ValueKind::kTensorList : ValueKind::kTensor)) return "";
  return several ? "the return slot is not a list of tensors" : "the return slot is not a tensor";
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
  if (fault.empty()) fault = SlotFault(method, *op.schema, method.Ints(call.args));
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
  const auto drop = [&](size_t at, std::string what) {
    own.texts.pop_back();
    return OwnOperatorError{1, at + 1, std::move(what)};
  };
  auto parsed = ParseSignature(text);
  if (!parsed.ok()) return drop(parsed.error().at, parsed.error().what);
  Signature& read = parsed.value();
  const OpSchema* table = KnownOperator(read.name);
  const OpSchema* known = table != nullptr ? table : own.Find(read.name);
  if (known != nullptr && !SayTheSame(*known, read)) {
    return drop(0, fmt::format("contradicts {}:\n    {}\n    {}",
                               table != nullptr ? "the built-in table" : "an earlier signature",
                               signature, known->signature));
  }
  if (known != nullptr) {
    own.texts.pop_back();
    return std::nullopt;
  }
  const auto& args = own.args.emplace_back(std::move(read.args));
  own.schemas.push_back(SchemaOf(read, text, args));
  return std::nullopt;
}

std::vector<OwnOperatorError> AddOperators(std::string_view text, OwnOperators& own) {
  std::vector<OwnOperatorError> errors;
  for (const ListedSignature& listed : ReadOperatorList(text)) {
    std::optional<OwnOperatorError> error = AddOperator(listed.text, own);
    if (!error) continue;
    error->line = listed.line;
    error->column += listed.column - 1;
    errors.push_back(*std::move(error));
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
