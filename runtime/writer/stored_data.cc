#include "runtime/writer/stored_data.h"

#include <fmt/format.h>

#include <algorithm>

namespace pteproof::writer {
namespace {

bool IsStored(const Tensor& tensor) {
  return tensor.data_index > 0 && !tensor.external && (!tensor.planned || tensor.nbytes > 0);
}

const std::vector<Bytes>& SourceOf(const Program& program, const Tensor& tensor) {
  return tensor.planned ? program.initial_values : program.constants;
}

// Per blob of the program, the bytes that its largest tensor takes.
struct Lengths {
  std::vector<uint64_t> constants;
  std::vector<uint64_t> initial_values;

  [[nodiscard]] uint64_t& Of(const Tensor& tensor) {
    return (tensor.planned ? initial_values : constants)[tensor.data_index];
  }
};

// Why the tensor's bytes cannot be stored; empty: they can.
std::string Fault(const Program& program, const Method& method, int32_t value,
                  const Tensor& tensor) {
  const std::vector<Bytes>& source = SourceOf(program, tensor);
  const size_t held = tensor.data_index < source.size() ? source[tensor.data_index].size() : 0;
  if (tensor.data_index < source.size() && tensor.nbytes <= held) [[likely]]
    return {};
  return fmt::format("Value {} of method \"{}\" takes {} bytes of {} {}, which has {}.", value,
                     method.name, tensor.nbytes, tensor.planned ? "initial value" : "constant",
                     tensor.data_index, held);
}

// Calls visit(method, value, tensor) for each tensor with stored data, in method and value order.
template <class Visit>
void ForEachStored(const Program& program, Visit visit) {
  for (const Method& method : program.methods) {
    for (size_t v = 0; v < method.values.size(); ++v) {
      const Tensor* tensor = method.TensorOf(static_cast<int32_t>(v));
      if (tensor != nullptr && IsStored(*tensor)) visit(method, static_cast<int32_t>(v), *tensor);
    }
  }
}

}  // namespace

Result<StoredData, std::string> GatherStoredData(const Program& program) {
  Lengths lengths{std::vector<uint64_t>(program.constants.size()),
                  std::vector<uint64_t>(program.initial_values.size())};
  std::string fault;
  ForEachStored(program, [&](const Method& method, int32_t value, const Tensor& tensor) {
    if (fault.empty()) fault = Fault(program, method, value, tensor);
    if (!fault.empty()) return;
    lengths.Of(tensor) = std::max(lengths.Of(tensor), tensor.nbytes);
  });
  if (!fault.empty()) return fault;
  StoredData out;
  out.constants.file_index.resize(program.constants.size());
  out.initial_values.file_index.resize(program.initial_values.size());
  ForEachStored(program, [&](const Method&, int32_t, const Tensor& tensor) {
    StoredTable& table = tensor.planned ? out.initial_values : out.constants;
    uint32_t& index = table.file_index[tensor.data_index];
    if (index > 0) return;
    const Bytes blob = SourceOf(program, tensor)[tensor.data_index];
    index = NumberOf(table.kept, blob.first(lengths.Of(tensor))) + 1;
  });
  return out;
}

uint32_t FileIndex(const StoredData& stored, const Tensor& tensor) {
  if (!IsStored(tensor)) return 0;
  return (tensor.planned ? stored.initial_values : stored.constants).file_index[tensor.data_index];
}

}  // namespace pteproof::writer
