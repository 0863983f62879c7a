#include <unordered_map>

#include "runtime/kernels/base/kernel.h"
#include "runtime/kernels/base/kernel_rows.h"

namespace pteproof {
namespace {

using Table = std::unordered_map<std::string_view, const Kernel*>;

Table MakeTable() {
  Table table;
  for (const auto rows : {kernels::CopyKernels(),
                          kernels::LayoutKernels(),
                          kernels::PartKernels(),
                          kernels::ViewKernels(),
                          kernels::NumberKernels(),
                          kernels::RowKernels(),
                          kernels::UnaryKernels(),
                          kernels::BinaryKernels(),
                          kernels::CompareKernels(),
                          kernels::DivisionKernels(),
                          kernels::ChoiceKernels(),
                          kernels::ReduceKernels(),
                          kernels::PlaceKernels(),
                          kernels::SoftmaxKernels(),
                          kernels::NormKernels(),
                          kernels::ProductKernels(),
                          kernels::GatherKernels(),
                          kernels::IndexKernels(),
                          kernels::ConvolutionKernels(),
                          kernels::PoolKernels(),
                          kernels::ResampleKernels(),
                          kernels::OrderKernels(),
                          kernels::CreateKernels(),
                          kernels::TileKernels(),
                          kernels::MappedKernels(),
                          kernels::QuantizedKernels(),
                          kernels::DistanceKernels(),
                          kernels::FourierKernels(),
                          kernels::ConvolutionBackwardKernels(),
                          kernels::BilinearKernels(),
                          kernels::GridKernels(),
                          kernels::MaskKernels(),
                          kernels::QuantizedWeightKernels(),
                          kernels::CacheKernels(),
                          kernels::AttentionKernels(),
                          kernels::DeltaRuleKernels(),
                          kernels::HadamardKernels(),
                          kernels::ExpertKernels()}) {
    for (const Kernel& row : rows) table.emplace(row.name, &row);
  }
  return table;
}

}  // namespace

const Kernel* FindKernel(std::string_view name) {
  static const Table kTable = MakeTable();
  const auto found = kTable.find(name);
  return found == kTable.end() ? nullptr : found->second;
}

}  // namespace pteproof
