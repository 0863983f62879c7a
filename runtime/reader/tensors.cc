#include "runtime/reader/tensors.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/checked_math.h"
#include "runtime/file_rules.h"
#include "runtime/reader/tensor_shape.h"

namespace pteproof::reader {
namespace {

constexpr uint64_t kDimCharge = 1;            // less than dimensions take: tensors may share them
constexpr uint64_t kMaxElementAlignment = 8;  // complex numbers are aligned as their halves are

struct TensorScope {
  const MethodScope& method;
  uint32_t index;
  const schema::Tensor& wire;
  Tensor& out;
};

void RefuseTensor(const TensorScope& scope, std::string_view rule, std::string_view what) {
  RefuseValue(scope.method, rule, scope.index, &scope.wire,
              fmt::format("Value {} is a tensor that {}", scope.index, what));
}

bool ReadType(const TensorScope& scope) {
  const auto type = static_cast<int8_t>(scope.wire.element_type());
  if (!IsScalarType(type)) {
    RefuseTensor(scope, rule::kFileTensorType,
                 fmt::format("has element type {}. Known types are 0 to 29.", type));
    return false;
  }
  scope.out.dtype = static_cast<ScalarType>(type);
  return true;
}

void ReadDynamism(const TensorScope& scope) {
  switch (scope.wire.dynamism()) {
    case schema::Dynamism::Static:
      scope.out.dynamism = Dynamism::kStatic;
      return;
    case schema::Dynamism::Bounded:
      scope.out.dynamism = Dynamism::kBounded;
      return;
    case schema::Dynamism::Unbounded:
      return RefuseTensor(scope, rule::kFileTensorDynamism,
                          "has no upper bound for its sizes (shape dynamism 2).");
  }
  RefuseTensor(scope, rule::kFileTensorDynamism,
               fmt::format("has shape dynamism {}. Known values are 0 (static) and 1 (bounded).",
                           static_cast<int>(scope.wire.dynamism())));
}

bool ReadSizes(const TensorScope& scope) {
  const WireVector<int32_t>* wire = scope.wire.sizes();
  if (wire == nullptr) {
    RefuseTensor(scope, rule::kFileTensorShape, "has no list of sizes. An empty list is allowed.");
    return false;
  }
  if (wire->size() > kMaxRank) {
    RefuseTensor(scope, rule::kFileTensorShape,
                 fmt::format("has {} dimensions. Runtimes allow {}.", wire->size(), kMaxRank));
    return false;
  }
  std::vector<int32_t>& pool = scope.method.out.ints;
  scope.out.sizes = {static_cast<uint32_t>(pool.size()), wire->size()};
  for (const int32_t size : *wire) pool.push_back(size);
  const auto sizes = scope.method.out.Ints(scope.out.sizes);
  const auto negative = std::ranges::find_if(sizes, [](int32_t size) { return size < 0; });
  if (negative == sizes.end()) return true;
  RefuseTensor(scope, rule::kFileTensorShape,
               fmt::format("has size {} in dimension {}.", *negative, negative - sizes.begin()));
  return false;
}

bool ReadDimOrder(const TensorScope& scope) {
  const WireVector<uint8_t>* wire = scope.wire.dim_order();
  const uint32_t rank = Count(scope.wire.sizes());
  if (wire == nullptr) {
    RefuseTensor(scope, rule::kFileDimOrder,
                 "has no dimension order. The order of a tensor without dimensions is empty.");
    return false;
  }
  if (wire->size() != rank) {
    RefuseTensor(
        scope, rule::kFileDimOrder,
        fmt::format("has {} dimensions and a dimension order of {} entries.", rank, wire->size()));
    return false;
  }
  std::vector<int32_t>& pool = scope.method.out.ints;
  scope.out.dim_order = {static_cast<uint32_t>(pool.size()), wire->size()};
  for (const uint8_t dim : *wire) pool.push_back(dim);
  const auto order = scope.method.out.Ints(scope.out.dim_order);
  if (IsPermutation(order)) return true;
  RefuseTensor(scope, rule::kFileDimOrder,
               fmt::format("has the dimension order {}, which does not name each dimension once.",
                           fmt::join(order, " ")));
  return false;
}

// Type, sizes, order and, when all three are right, the number of bytes.
bool ReadShape(const TensorScope& scope) {
  const bool typed = ReadType(scope);
  const bool sized = ReadSizes(scope);
  if (!sized || !ReadDimOrder(scope) || !typed) return false;
  const Method& method = scope.method.out;
  const auto bytes = TensorBytes(method.Ints(scope.out.sizes), method.Ints(scope.out.dim_order),
                                 ElementSize(scope.out.dtype));
  if (bytes.has_value()) {
    scope.out.nbytes = *bytes;
    return true;
  }
  RefuseTensor(scope, rule::kFileTensorShape,
               fmt::format("has sizes {}: the number of bytes or a stride overflows.",
                           fmt::join(method.Ints(scope.out.sizes), " x ")));
  return false;
}

void ReadDevice(const TensorScope& scope, const schema::TensorExtra& extra) {
  scope.out.device_index = extra.device_index();
  if (extra.device() < schema::Device::MIN || extra.device() > schema::Device::MAX) {
    return RefuseTensor(scope, rule::kFileDevice,
                        fmt::format("lies on device type {}. Known types are 0 (CPU) and 1 (CUDA).",
                                    static_cast<int>(extra.device())));
  }
  scope.out.device_type = static_cast<uint8_t>(extra.device());
}

void ReadExtra(const TensorScope& scope, const schema::TensorExtra& extra) {
  if (extra.name() != nullptr && !AppendText(scope.method, *extra.name(), scope.out.name)) return;
  ReadDevice(scope, extra);
  scope.out.external = extra.source() == schema::TensorSource::External;
  if (!scope.out.external && extra.source() != schema::TensorSource::Segment) {
    RefuseTensor(
        scope, rule::kFileExternal,
        fmt::format(
            "has its data in location {}. Known locations are 0 (this file) and 1 (a data file).",
            static_cast<int>(extra.source())));
  }
  if (scope.out.external && scope.out.name.count == 0) {
    RefuseTensor(scope, rule::kFileExternal,
                 "has its data in a data file, but no name for the lookup.");
  }
  if (extra.mutable_segment() != 0) {
    RefuseTensor(scope, rule::kFileMutableData,
                 fmt::format("takes its initial value from mutable segment {}. Runtimes read "
                             "mutable segment 0 only.",
                             extra.mutable_segment()));
  }
}

void ReadPlacement(const TensorScope& scope, const schema::Placement& place) {
  const size_t banks = scope.method.out.bank_sizes.size();
  Tensor& out = scope.out;
  out.planned = true;
  out.bank = place.bank();
  out.offset = place.offset_low() | (uint64_t{place.offset_high()} << 32);
  if (banks > 0 && (out.bank == 0 || out.bank >= banks)) {
    RefuseTensor(scope, rule::kFileTensorMemory,
                 out.bank == 0
                     ? "is planned into bank 0. Bank 0 is reserved; banks count from 1."
                     : fmt::format("is planned into bank {}. The method has banks 1 to {}.",
                                   out.bank, banks - 1));
  }
  if (CheckedAdd(out.offset, out.nbytes).has_value()) return;
  RefuseTensor(
      scope, rule::kFileTensorMemory,
      fmt::format("is planned at offset {} of bank {} and takes {} bytes: the end overflows.\nA "
                  "runtime that adds both numbers places the end at the start of the bank.",
                  out.offset, out.bank, out.nbytes));
}

// A tensor's use of a table of stored blobs.
void CheckStored(const TensorScope& scope, const std::vector<Bytes>& table, std::string_view rule,
                 std::string_view what) {
  const Tensor& out = scope.out;
  if (out.data_index >= table.size()) {
    return RefuseTensor(scope, rule,
                        fmt::format("uses {} {}. The file has {}.", what, out.data_index,
                                    table.empty() ? 0 : table.size() - 1));
  }
  const size_t stored = table[out.data_index].size();
  if (out.nbytes <= stored) return;
  RefuseTensor(scope, rule,
               fmt::format("needs {} bytes of {} {}, but the entry has only {}.", out.nbytes, what,
                           out.data_index, stored));
}

void CheckConstantAlignment(const TensorScope& scope) {
  const Context& context = scope.method.context;
  const Bytes blob = scope.method.program.constants[scope.out.data_index];
  const uint64_t alignment = std::min<uint64_t>(ElementSize(scope.out.dtype), kMaxElementAlignment);
  if (blob.empty() || scope.out.nbytes == 0) return;
  const auto at = static_cast<uint64_t>(blob.data() - context.file.data());
  if (at % alignment == 0) return;
  RefuseTensor(
      scope, rule::kFileConstantAlignment,
      fmt::format("has its constant at byte {} of the file, which is not a multiple of {}.", at,
                  alignment));
}

void CheckData(const TensorScope& scope) {
  const Tensor& out = scope.out;
  const Context& context = scope.method.context;
  if (out.external) scope.out.data_index = 0;  // its data are named, not numbered
  if (out.data_index == 0) return;
  if (out.planned) {
    if (!context.initial_values_known) return;
    CheckStored(scope, scope.method.program.initial_values, rule::kFileMutableData,
                "initial value");
    // An initial value of no bytes is none.
    if (out.nbytes == 0) scope.out.data_index = 0;
    return;
  }
  if (!context.constants_known) return;
  const std::vector<Bytes>& constants = scope.method.program.constants;
  CheckStored(scope, constants, rule::kFileConstantData, "constant");
  if (out.data_index < constants.size()) CheckConstantAlignment(scope);
}

}  // namespace

void ReadTensor(const MethodScope& method, uint32_t index, const schema::Tensor& wire) {
  const uint64_t rank = Count(wire.sizes());
  if (!Charge(method.context, kDimCharge * std::min<uint64_t>(rank, kMaxRank))) return;
  method.out.values[index].tensor = static_cast<uint32_t>(method.out.tensors.size());
  const TensorScope scope{method, index, wire, method.out.tensors.emplace_back()};
  scope.out.data_index = wire.data_index();
  const bool shaped = ReadShape(scope);
  ReadDynamism(scope);
  if (wire.storage_offset() != 0) {
    RefuseTensor(scope, rule::kFileTensorMemory,
                 fmt::format("has a storage offset of {} elements. Runtimes know 0 only.",
                             wire.storage_offset()));
  }
  if (wire.extra() != nullptr) ReadExtra(scope, *wire.extra());
  if (wire.placement() != nullptr) ReadPlacement(scope, *wire.placement());
  if (shaped) CheckData(scope);
}

}  // namespace pteproof::reader
