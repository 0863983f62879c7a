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

bool Writes(Access access) {
  return access != Access::kRead && access != Access::kNone;
}

// The table says more than PyTorch's notation: what is not read, what is written in part, and
// memory to work in.
enum class Source : uint8_t { kTable, kSignature };

bool SayTheSame(const OpSchema& known, Source source, const OpSchema& other) {
  const auto alike = [&](const ArgSchema& x, const ArgSchema& y) {
    const bool same_access = source == Source::kTable
                                 ? x.scratch || Writes(x.access) == Writes(y.access)
                                 : x.access == y.access && x.out == y.out;
    return x.kind == y.kind && x.optional == y.optional && x.returned == y.returned &&
           same_access && (x.set == '\0') == (y.set == '\0');
  };
  return known.returns == other.returns && known.is_view == other.is_view &&
         known.viewed == other.viewed && std::ranges::equal(known.args, other.args, alike);
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

Finding Misfit(const Method& method, std::string explanation) {
  Finding finding;
  finding.rule = rule::kFileArguments;
  finding.severity = Severity::kError;
  finding.method = method.name;
  finding.explanation = std::move(explanation);
  finding.fix = "Correct the signature.";
  return finding;
}

// A call of an operator that a user described, if the description does not fit it.
std::optional<Finding> MisfitOf(const Method& method, int32_t instruction) {
  const Instruction& call = method.instructions[static_cast<size_t>(instruction)];
  const Operator& op = method.operators[static_cast<size_t>(call.target)];
  std::string fault = ArgumentFault(method, *op.schema, method.Ints(call.args));
  if (fault.empty() && call.args.count != op.schema->ArgumentCount()) {
    fault = fmt::format("there are {} values, and the operator takes {}, its return slot included",
                        call.args.count, op.schema->ArgumentCount());
  }
  if (fault.empty()) fault = SlotFault(method, *op.schema, method.Ints(call.args));
  if (fault.empty()) return std::nullopt;
  Finding finding = Misfit(method, fmt::format("Instruction {} calls {}: {}.\nIts signature is {}.",
                                               instruction, op.name, fault, op.schema->signature));
  finding.instruction = instruction;
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
  const Source source = table != nullptr ? Source::kTable : Source::kSignature;
  if (known != nullptr && !SayTheSame(*known, source, SchemaOf(read, text, read.args))) {
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
      const OpSchema* stated = own->Find(op.name);
      if (stated == nullptr) continue;
      if (op.schema == nullptr) {
        op.schema = stated;
        is_own[o] = true;
      } else if (!SayTheSame(*op.schema, Source::kSignature, *stated)) {
        findings.push_back(
            Misfit(method, fmt::format("There are two signatures of {}:\n{}\n{}", op.name,
                                       op.schema->signature, stated->signature)));
      }
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
