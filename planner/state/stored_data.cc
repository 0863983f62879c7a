// Idea. A buffer that some method reads as a constant is stored as a constant; a buffer that is
// state and does not start as zeros is stored as an initial value, unless et_module_init sets it.
// Equal blobs are stored once for each table. Loaders fill state with zeros, so zeros take no
// bytes.
//
// Invariant: index 0 of both tables means "no data", as in the file. Cost: O(bytes x log).
#include "planner/state/stored_data.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "planner/planted.h"
#include "planner/state/module_init.h"
#include "reference/graph/method_uses.h"

namespace pteproof::planner {
namespace {

using graph::Buffer;
using graph::Module;

bool IsConstantSomewhere(std::span<const Code> codes, const StateLayout& state, size_t buffer) {
  for (size_t m = 0; m < codes.size(); ++m) {
    if (codes[m].entry[buffer] >= 0 && !state.state[m][buffer]) return true;
  }
  return false;
}

// Bytes of a buffer, which may be more than a whole number holds.
double SizeOf(const Buffer& buffer) {
  double nbytes = ElementSize(buffer.type.dtype);
  for (const SizeExpr& size : buffer.type.sizes) nbytes *= static_cast<double>(*size.Constant());
  return nbytes;
}

TensorValue InitialOf(const Buffer& buffer) {
  if (buffer.initial) return *buffer.initial;
  Sizes sizes;
  for (const SizeExpr& size : buffer.type.sizes) sizes.push_back(*size.Constant());
  return Zeros(buffer.type.dtype, std::move(sizes));
}

// Blobs of a program, equal ones once.
class Data {
 public:
  Data(std::vector<Bytes>& list, std::deque<std::vector<std::byte>>& blobs)
      : list_(list), blobs_(blobs) {
    if (list_.empty()) list_.emplace_back();  // index 0 means none
  }
  uint32_t Add(const TensorBytes& bytes) {
    std::vector<std::byte> key(bytes.begin(), bytes.end());
    if (Planted(Defect::kEqualSizesEqualData)) std::ranges::fill(key, std::byte{0});
    const auto [known, is_new] =
        known_.try_emplace(std::move(key), static_cast<uint32_t>(list_.size()));
    if (is_new) {
      blobs_.emplace_back(bytes.begin(), bytes.end());
      list_.emplace_back(blobs_.back());
    }
    return known->second;
  }

 private:
  std::vector<Bytes>& list_;
  std::deque<std::vector<std::byte>>& blobs_;
  std::map<std::vector<std::byte>, uint32_t> known_;
};

}  // namespace

std::string FaultOfData(const Module& module, std::span<const Code> codes,
                        const StateLayout& state) {
  constexpr int kMost = 256 << 20;
  for (size_t b = 0; b < module.buffers.size(); ++b) {
    const Buffer& buffer = module.buffers[b];
    if (buffer.initial || !IsConstantSomewhere(codes, state, b)) continue;
    if (SizeOf(buffer) <= kMost) continue;
    return "buffer '" + buffer.name +
           "' is read and never stored to. The file would hold its zeros, more than " +
           std::to_string(kMost) + " bytes: give the buffer an initial value, or compute it";
  }
  return "";
}

std::vector<BufferInFile> StoreData(const Module& module, std::span<const Code> codes,
                                    const StateLayout& state,
                                    const std::vector<bool>& set_by_method, bool plan_buffers,
                                    Planned& planned) {
  Data constants(planned.program.constants, planned.blobs);
  Data initial_values(planned.program.initial_values, planned.blobs);
  std::vector<BufferInFile> in_file;
  std::vector<int32_t> storing(module.buffers.size());  // methods that have stores to it
  for (const graph::Method& method : module.methods) {
    for (const int32_t b : graph::BuffersStoredBy(method)) ++storing[static_cast<size_t>(b)];
  }
  for (size_t b = 0; b < module.buffers.size(); ++b) {
    const Buffer& buffer = module.buffers[b];
    BufferInFile& here = in_file.emplace_back();
    const size_t states = UserCount(state, b);
    const bool by_method = b < set_by_method.size() && set_by_method[b];
    here.name = buffer.name;
    here.several = !state.shared[b] && storing[b] > 1 && !Planted(Defect::kOneNameForSeveral);
    if (IsConstantSomewhere(codes, state, b)) {
      here.constant_index = constants.Add(InitialOf(buffer).bytes);
    }
    if (states == 0 || by_method || StartsAsZeros(buffer)) continue;
    if (plan_buffers && state.shared[b] && states > 1) {
      planned.warnings.push_back(
          "buffer '" + buffer.name + "' is shared by " + std::to_string(states) +
          " methods, and its initial value is stored in the file. A method that is loaded after a "
          "call of another resets the buffer: load all methods before the first call");
    }
    if (plan_buffers) {
      Data& table = Planted(Defect::kInitialFromConstants) ? constants : initial_values;
      here.initial_index = table.Add(buffer.initial->bytes);
    } else {
      planned.warnings.push_back("buffer '" + buffer.name +
                                 "' is not planned, and the file cannot hold its initial value: "
                                 "set the value together with the memory of the buffer");
    }
  }
  return in_file;
}

}  // namespace pteproof::planner
