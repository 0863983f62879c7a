#include "tests/executorch/witness/test_operators.h"

#include <executorch/runtime/kernel/kernel_runtime_context.h>
#include <executorch/runtime/kernel/operator_registry.h>

#include <cstdint>
#include <cstring>

namespace pteproof::witness {
namespace {

using executorch::aten::Tensor;
using executorch::runtime::Error;
using executorch::runtime::EValue;
using executorch::runtime::Kernel;
using executorch::runtime::KernelRuntimeContext;
using executorch::runtime::Span;

// Copies a tensor to another one, from an element on.
void Put(KernelRuntimeContext& context, const Tensor& part, int64_t first, const Tensor& whole) {
  const int64_t room = whole.numel() - part.numel();
  if (first < 0 || first > room || part.scalar_type() != whole.scalar_type()) {
    context.fail(Error::InvalidArgument);
    return;
  }
  char* to = static_cast<char*>(whole.mutable_data_ptr()) + first * whole.element_size();
  std::memcpy(to, part.const_data_ptr(), part.nbytes());
}

void PutPart(KernelRuntimeContext& context, Span<EValue*> args) {
  Put(context, args[1]->toTensor(), args[2]->toInt(), args[0]->toTensor());
}

void UpdateCache(KernelRuntimeContext& context, Span<EValue*> args) {
  const Tensor cache = args[0]->toTensor();
  const Tensor row = args[1]->toTensor();
  const int64_t at = args[2]->toTensor().const_data_ptr<int64_t>()[0];
  // What the call returns is the cache itself, or the plan gave the result memory of its own.
  if (args[3]->toTensor().const_data_ptr() != cache.const_data_ptr()) {
    context.fail(Error::InvalidArgument);
    return;
  }
  Put(context, row, at * row.numel(), cache);
}

}  // namespace

bool RegisterTestOperators() {
  static const Kernel kernels[] = {Kernel("my::put", PutPart),
                                   Kernel("my::update_cache.out", UpdateCache)};
  return executorch::runtime::register_kernels({kernels, 2}) == Error::Ok;
}

}  // namespace pteproof::witness
