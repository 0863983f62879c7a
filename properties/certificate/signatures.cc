#include "properties/certificate/signatures.h"

#include <algorithm>
#include <span>

namespace pteproof::certificate {
namespace {

using meaning::Effects;
using meaning::MethodMeaning;
using meaning::Write;

char LetterOf(Access access, bool makes) {
  switch (access) {
    case Access::kRead:
      return 'r';
    case Access::kWrite:
      return makes ? 'w' : 'W';
    case Access::kUpdate:
      return 'u';
    case Access::kFill:
      return 'f';
    case Access::kNone:
      break;
  }
  return '-';
}

bool HoldsTensors(ArgKind kind) {
  return kind == ArgKind::kTensor || kind == ArgKind::kTensorList ||
         kind == ArgKind::kOptionalTensorList;
}

// The first tensor of an argument, or -1.
int32_t TensorIn(const Method& method, int32_t v) {
  const Value& value = method.values[static_cast<size_t>(v)];
  if (value.kind == ValueKind::kTensor) return v;
  if (!IsTensorLike(value.kind)) return -1;
  const auto items = method.Ints(value.items);
  const auto first = std::ranges::find_if(items, [](int32_t item) { return item >= 0; });
  return first == items.end() ? -1 : *first;
}

const Write* WriteOf(const MethodMeaning& meant, int32_t instruction, int32_t v) {
  const auto writes = meant.effects.WritesOf(static_cast<size_t>(instruction));
  const auto found = std::ranges::find(writes, v, &Write::value);
  return found == writes.end() ? nullptr : &*found;
}

}  // namespace

std::string CodeOf(const OpSchema& schema) {
  std::string code;
  for (size_t a = 0; a < schema.args.size(); ++a) {
    const ArgSchema& arg = schema.args[a];
    const bool is_left = arg.access == Access::kNone && (arg.returned || arg.out);
    if (schema.is_view && (a == schema.viewed || a + 1 == schema.args.size())) {
      code += a == schema.viewed ? 'v' : 'h';
    } else if (!HoldsTensors(arg.kind)) {
      code += '-';
    } else if (arg.access == Access::kRead && arg.elementwise) {
      code += 'e';
    } else {
      code += schema.IsPlaced(a) ? 'p'
              : is_left          ? 'n'
                                 : LetterOf(arg.access, arg.out || !schema.in_place);
    }
    if (schema.PutsInSlot(a)) code += '>';
  }
  return code;
}

std::string CodeOfUnknown(const MethodMeaning& meant, int32_t instruction) {
  const Method& method = *meant.method;
  const auto args = method.Ints(method.instructions[static_cast<size_t>(instruction)].args);
  if (args.empty()) return "";
  std::string code;
  for (const int32_t arg : args.first(args.size() - 1)) {
    const int32_t tensor = TensorIn(method, arg);
    const Write* write = tensor < 0 ? nullptr : WriteOf(meant, instruction, tensor);
    code += tensor < 0 ? '-' : write == nullptr ? 'r' : LetterOf(write->access, write->is_out);
    const auto renames = meant.effects.RenamesOf(static_cast<size_t>(instruction));
    const bool is_returned = std::ranges::any_of(renames, [&](const meaning::Rename& r) {
      return r.after_write && r.from == tensor && r.to == args.back();
    });
    if (is_returned) code += '>';
  }
  // What stands in the return slot alone is made as a whole.
  const int32_t slot = TensorIn(method, args.back());
  const Write* made = slot < 0 ? nullptr : WriteOf(meant, instruction, slot);
  const bool is_argument = std::ranges::any_of(
      args.first(args.size() - 1), [&](int32_t arg) { return TensorIn(method, arg) == slot; });
  if (made != nullptr && !is_argument) code += LetterOf(made->access, made->is_out);
  return code;
}

std::vector<int32_t> RolesOfDelegate(const MethodMeaning& meant, int32_t instruction) {
  const Method& method = *meant.method;
  const auto args = method.Ints(method.instructions[static_cast<size_t>(instruction)].args);
  std::vector<int32_t> roles = {0};
  size_t first = args.size();
  while (first > 0) {
    const int32_t tensor = TensorIn(method, args[first - 1]);
    const Write* write = tensor < 0 ? nullptr : WriteOf(meant, instruction, tensor);
    if (tensor < 0 || write == nullptr || write->access != Access::kWrite) break;
    --first;
  }
  roles.front() = static_cast<int32_t>(args.size() - first);
  for (size_t a = 0; a < first; ++a) {
    const int32_t tensor = TensorIn(method, args[a]);
    const Write* write = tensor < 0 ? nullptr : WriteOf(meant, instruction, tensor);
    if (write != nullptr && write->access == Access::kUpdate) {
      roles.push_back(static_cast<int32_t>(a));
    }
  }
  return roles;
}

}  // namespace pteproof::certificate
