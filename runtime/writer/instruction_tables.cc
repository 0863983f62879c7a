#include "runtime/writer/instruction_tables.h"

#include <string_view>

namespace pteproof::writer {
namespace {

using schema::AnyInstruction;

// Where the overload begins; the name's end without one. A dot at either end divides nothing.
size_t DotIn(std::string_view name) {
  const size_t dot = name.find('.', 1);
  return dot == std::string_view::npos || dot + 1 == name.size() ? name.size() : dot;
}

Offset<schema::Operator> WriteOperator(TableWriter& writer, std::string_view full_name) {
  const size_t dot = DotIn(full_name);
  const std::string_view overload =
      dot == full_name.size() ? std::string_view() : full_name.substr(dot + 1);
  const auto name = writer.builder.CreateString(full_name.data(), dot);
  const auto rest = writer.builder.CreateString(overload.data(), overload.size());
  return schema::CreateOperator(writer.builder, name, rest);
}

Offset<flatbuffers::Vector<int32_t>> WriteArgs(TableWriter& writer, const Method& method,
                                               const Instruction& call) {
  const auto args = method.Ints(call.args);
  return writer.builder.CreateVector(args.data(), args.size());
}

Offset<schema::Instruction> WriteInstruction(TableWriter& writer, const Method& method,
                                             const Instruction& instruction) {
  flatbuffers::FlatBufferBuilder& builder = writer.builder;
  const auto wrapped = [&](AnyInstruction tag, auto held) {
    return schema::CreateInstruction(builder, tag, held.Union());
  };
  const int32_t target = instruction.target;
  switch (instruction.kind) {
    case InstructionKind::kKernelCall: {
      const auto args = WriteArgs(writer, method, instruction);
      return wrapped(AnyInstruction::KernelCall, schema::CreateKernelCall(builder, target, args));
    }
    case InstructionKind::kDelegateCall: {
      const auto args = WriteArgs(writer, method, instruction);
      return wrapped(AnyInstruction::DelegateCall,
                     schema::CreateDelegateCall(builder, target, args));
    }
    case InstructionKind::kMove:
      return wrapped(AnyInstruction::Move, schema::CreateMove(builder, target, instruction.other));
    case InstructionKind::kJumpFalse:
      return wrapped(AnyInstruction::JumpFalse,
                     schema::CreateJumpFalse(builder, target, instruction.other));
    case InstructionKind::kFree:
      return wrapped(AnyInstruction::Free, schema::CreateFree(builder, target));
  }
  return 0;
}

}  // namespace

TableVector<schema::Operator> WriteOperators(TableWriter& writer, const Method& method) {
  std::vector<Offset<schema::Operator>> operators;
  operators.reserve(method.operators.size());
  for (const Operator& op : method.operators) operators.push_back(WriteOperator(writer, op.name));
  return WriteTables(writer, operators);
}

TableVector<schema::Chain> WriteChains(TableWriter& writer, const Method& method) {
  std::vector<Offset<schema::Instruction>> instructions;
  instructions.reserve(method.instructions.size());
  for (const Instruction& instruction : method.instructions)
    instructions.push_back(WriteInstruction(writer, method, instruction));
  const auto none = writer.builder.CreateVector(std::vector<int32_t>());
  const auto all = WriteTables(writer, instructions);
  // Nobody looks at a chain's own inputs and outputs, but exporters write them.
  return WriteTables<schema::Chain>(writer, {schema::CreateChain(writer.builder, none, none, all)});
}

}  // namespace pteproof::writer
