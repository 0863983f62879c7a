#include "reference/graph/print.h"

#include <string_view>
#include <vector>

#include "reference/graph/names.h"
#include "reference/graph/type_text.h"
#include "reference/text/literals.h"

namespace pteproof::graph {
namespace {

// What a method's parts are written with.
struct Writer {
  const Module& module;
  const Method& method;
  std::vector<std::string> names;
  const Notes::OfMethod& notes;
  std::string& text;
  size_t nodes = 0;  // that have been written

  [[nodiscard]] std::string Name(ValueId value) const { return NameOf(names, value); }
  [[nodiscard]] std::string Typed(ValueId value) const {
    const ValueType& type = method.values[static_cast<size_t>(value)];
    return Name(value) + ": " + TypeText(type, method.dims);
  }
  [[nodiscard]] const std::string& BufferName(int32_t buffer) const {
    return module.buffers[static_cast<size_t>(buffer)].name;
  }
};

// "  # note".
std::string Comment(const std::string& note) {
  return note.empty() ? "" : "  # " + note;
}

std::string CommentAt(const std::vector<std::string>& notes, size_t at) {
  return at < notes.size() ? Comment(notes[at]) : "";
}

// "a, b, c".
template <class List, class ToText>
std::string Joined(const List& list, ToText to_text) {
  std::string text;
  for (const auto& each : list) {
    if (!text.empty()) text += ", ";
    text += to_text(each);
  }
  return text;
}

std::string Names(const Writer& writer, const std::vector<ValueId>& values) {
  return Joined(values, [&](ValueId value) { return writer.Name(value); });
}

std::string TypedNames(const Writer& writer, const std::vector<ValueId>& values) {
  return Joined(values, [&](ValueId value) { return writer.Typed(value); });
}

std::string OperandText(const Writer& writer, const Operand& operand);

struct OperandPrinter {
  const Writer& writer;

  std::string operator()(std::monostate /*none*/) const { return "None"; }
  std::string operator()(const Operand::Value& value) const { return writer.Name(value.id); }
  std::string operator()(const SizeExpr& size) const { return SizeText(size, writer.method.dims); }
  std::string operator()(bool flag) const { return flag ? "true" : "false"; }
  std::string operator()(double real) const { return text::RealText(real); }
  std::string operator()(const std::string& text) const { return text::QuotedText(text); }
  std::string operator()(const OperandList& list) const {
    return "[" + Joined(list, [&](const Operand& each) { return OperandText(writer, each); }) + "]";
  }
};

std::string OperandText(const Writer& writer, const Operand& operand) {
  return std::visit(OperandPrinter{writer}, operand.held);
}

std::string Head(const Node& node) {
  switch (node.kind) {
    case NodeKind::kCall:
      return (node.view ? "view " : "") + node.op;
    case NodeKind::kDelegate:
      return "delegate " + text::QuotedText(node.op);
    case NodeKind::kCond:
      return "cond";
    case NodeKind::kWhile:
      return "while carried " + std::to_string(node.carried) + " ";
    case NodeKind::kMap:
      return "map mapped " + std::to_string(node.mapped) + " ";
    case NodeKind::kScan:
      return "scan carried " + std::to_string(node.carried) + " mapped " +
             std::to_string(node.mapped) + " ";
  }
  return "";
}

std::string_view RoleName(DelegateRole role) {
  switch (role) {
    case DelegateRole::kOwns:
      return "owns";
    case DelegateRole::kShares:
      return "shares";
    case DelegateRole::kUses:
      return "uses";
  }
  return "";
}

// Neighbours of one role in one pair of parentheses: " uses(@a writes, @b)".
std::string DelegateBuffers(const Writer& writer, const Node& node) {
  std::string text;
  for (size_t b = 0; b < node.buffers.size(); ++b) {
    const DelegateBuffer& each = node.buffers[b];
    const bool first = b == 0 || node.buffers[b - 1].role != each.role;
    const bool last = b + 1 == node.buffers.size() || node.buffers[b + 1].role != each.role;
    text += first ? " " + std::string(RoleName(each.role)) + "(" : ", ";
    text += "@" + writer.BufferName(each.buffer) + (each.writes ? " writes" : "");
    if (last) text += ")";
  }
  return text;
}

std::string Attributes(const Writer& writer, const Node& node) {
  std::string text;
  if (node.in_place) text += " in_place(" + std::to_string(*node.in_place) + ")";
  if (!node.after.empty()) text += " after(" + Names(writer, node.after) + ")";
  if (!node.pool.empty()) text += " pool(" + text::QuotedText(node.pool) + ")";
  return text + DelegateBuffers(writer, node);
}

void PrintNodes(Writer& writer, const std::vector<Node>& nodes, const std::string& indent);

std::string Return(const Writer& writer, const std::vector<ValueId>& results) {
  return results.empty() ? "return\n" : "return " + Names(writer, results) + "\n";
}

void PrintRegion(Writer& writer, const Region& region, const std::string& indent) {
  writer.text += indent + "(" + TypedNames(writer, region.params) + ") {\n";
  PrintNodes(writer, region.nodes, indent + "  ");
  writer.text += indent + "  " + Return(writer, region.results) + indent + "}\n";
}

void PrintNodes(Writer& writer, const std::vector<Node>& nodes, const std::string& indent) {
  for (const Node& node : nodes) {
    writer.text += indent + TypedNames(writer, node.results);
    writer.text += node.results.empty() ? "" : " = ";
    const auto operand = [&](const Operand& each) { return OperandText(writer, each); };
    writer.text += Head(node) + "(" + Joined(node.operands, operand) + ")";
    writer.text += Attributes(writer, node);
    const std::string comment = CommentAt(writer.notes.nodes, writer.nodes++);
    if (node.regions.empty()) {
      writer.text += comment;
    } else {
      writer.text += " {" + comment + "\n";
      for (const Region& region : node.regions) PrintRegion(writer, region, indent + "  ");
      writer.text += indent + "}";
    }
    writer.text += "\n";
  }
}

std::string DimText(const DimSymbol& dim) {
  std::string text = dim.name + " in " + std::to_string(dim.lo) + ".." + std::to_string(dim.hi);
  if (dim.hint) text += " hint " + std::to_string(*dim.hint);
  return text;
}

void PrintMethod(Writer writer) {
  const Method& method = writer.method;
  std::string& text = writer.text;
  text += "method " + method.name + "(" +
          Joined(method.inputs,
                 [&](const Input& input) {
                   return writer.Typed(input.value) + (input.in_place ? " in_place" : "");
                 }) +
          ")";
  if (!method.dims.empty()) text += " dims(" + Joined(method.dims, DimText) + ")";
  text += " {" + Comment(writer.notes.head) + "\n";
  for (const BufferEntry& entry : method.buffers) {
    text += "  " + writer.Name(entry.value) + " = entry @" + writer.BufferName(entry.buffer) + "\n";
  }
  PrintNodes(writer, method.body.nodes, "  ");
  text += "  " + Return(writer, method.body.results);
  for (const BufferStore& store : method.stores) {
    text += "  store @" + writer.BufferName(store.buffer) + " = " + writer.Name(store.value) + "\n";
  }
  for (const InputStore& store : method.input_stores) {
    const Input& input = method.inputs[static_cast<size_t>(store.input)];
    text += "  store %" + input.name + " = " + writer.Name(store.value) + "\n";
  }
  text += "}\n";
}

void PrintBuffer(const Buffer& buffer, const std::string& comment, std::string& text) {
  text += "buffer @" + buffer.name + ": " + TypeText(buffer.type, {});
  if (buffer.shared) text += " shared";
  if (buffer.data) {
    text += " = " + text::DataText(*buffer.data);
  } else if (buffer.initial) {
    text += " = [";
    const int64_t count = ElementCount(*buffer.initial);
    for (int64_t i = 0; i < count; ++i) {
      text += (i == 0 ? "" : ", ") + text::ElementText(*buffer.initial, i);
    }
    text += "]";
  }
  text += comment + "\n";
}

}  // namespace

std::string Print(const Module& module) {
  return Print(module, {});
}

std::string Print(const Module& module, const Notes& notes) {
  const Notes::OfMethod none;
  std::string text;
  for (size_t b = 0; b < module.buffers.size(); ++b) {
    PrintBuffer(module.buffers[b], CommentAt(notes.buffers, b), text);
  }
  for (size_t m = 0; m < module.methods.size(); ++m) {
    if (!text.empty()) text += "\n";
    const Method& method = module.methods[m];
    PrintMethod({module, method, ValueNames(method),
                 m < notes.methods.size() ? notes.methods[m] : none, text});
  }
  return text;
}

}  // namespace pteproof::graph
