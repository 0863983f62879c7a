#include "tests/executorch/witness/counted_load.h"

#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/extension/flat_tensor/flat_tensor_data_map.h>
#include <executorch/extension/memory_allocator/malloc_memory_allocator.h>
#include <executorch/extension/module/module.h>
#include <executorch/runtime/executor/method.h>
#include <executorch/runtime/executor/program.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "tests/executorch/witness/runtime_error.h"

namespace pteproof::witness {
namespace {

using executorch::extension::BufferDataLoader;
using executorch::extension::MallocMemoryAllocator;
using executorch::runtime::Error;
using executorch::runtime::MemoryAllocator;
using CountedBank = executorch::runtime::Span<uint8_t>;

constexpr uint32_t kCountedBytes = 1U << 28;
constexpr size_t kCountedBase = 64;

// Blocks from the heap, kept without the heap.
struct Blocks {
  std::array<size_t, 1 << 14> sizes = {};
  size_t count = 0;
  bool on = false;
};
Blocks& HeapBlocks() {
  static Blocks blocks;
  return blocks;
}

// Goes up from a base at a multiple of 64, and keeps what it is asked for.
class CountingAllocator : public MemoryAllocator {
 public:
  using Requests = std::vector<std::pair<size_t, size_t>>;

  CountingAllocator(uint8_t* base, Requests& requests)
      : MemoryAllocator(kCountedBytes, base), requests_(requests) {}

  void* allocate(size_t size, size_t alignment) override {
    const bool on = std::exchange(HeapBlocks().on, false);
    requests_.emplace_back(size, alignment);
    HeapBlocks().on = on;
    return MemoryAllocator::allocate(size, alignment);
  }

 private:
  Requests& requests_;
};

uint8_t* CountedMemory() {
  return static_cast<uint8_t*>(std::aligned_alloc(kCountedBase, kCountedBytes));
}

void Tell(const std::string& method, const CountingAllocator::Requests& requests, size_t end,
          Outcome& outcome) {
  HeapBlocks().on = false;
  const auto number = [&](size_t n) { outcome.outputs.emplace_back(static_cast<int64_t>(n)); };
  outcome.outputs.emplace_back(method);
  number(requests.size());
  for (const auto& [size, alignment] : requests) {
    number(size);
    number(alignment);
  }
  number(end);
  number(HeapBlocks().count);
  for (size_t b = 0; b < HeapBlocks().count; ++b) number(HeapBlocks().sizes[b]);
}

void StartBlocks() {
  HeapBlocks().count = 0;
  HeapBlocks().on = true;
}

using Names = std::vector<std::string>;

Names NamesIn(const executorch::runtime::Program& program) {
  Names names;
  for (size_t i = 0; i < program.num_methods(); ++i) {
    names.emplace_back(program.get_method_name(i).get());
  }
  return names;
}

struct HandLoaded {
  std::vector<std::vector<uint8_t>> bytes;
  std::vector<CountedBank> banks;
  std::optional<executorch::runtime::HierarchicalAllocator> planned;
  std::optional<executorch::runtime::MemoryManager> manager;
  MallocMemoryAllocator temporary;
  CountingAllocator::Requests requests;
};

Outcome CountByHand(const Job& job) {
  using executorch::runtime::Program;
  BufferDataLoader loader(job.program.data(), job.program.size());
  BufferDataLoader data_loader(job.data.data(), job.data.size());
  auto program = Program::load(&loader, Program::Verification::Minimal);
  if (!program.ok()) return {{}, SayError("load", program.error())};
  std::optional<executorch::extension::FlatTensorDataMap> data;
  if (!job.data.empty()) {
    auto map = executorch::extension::FlatTensorDataMap::load(&data_loader);
    if (!map.ok()) return {{}, SayError("data", map.error())};
    data.emplace(std::move(*map));
  }
  Outcome outcome;
  for (const std::string& name : NamesIn(*program)) {
    HandLoaded loaded;
    const auto meta = program->method_meta(name.c_str());
    if (!meta.ok()) return {{}, SayError("method_meta", meta.error())};
    for (size_t i = 0; i < meta->num_memory_planned_buffers(); ++i) {
      auto& bank = loaded.bytes.emplace_back(meta->memory_planned_buffer_size(i).get());
      loaded.banks.emplace_back(bank.data(), bank.size());
    }
    loaded.planned.emplace(
        executorch::runtime::Span<CountedBank>(loaded.banks.data(), loaded.banks.size()));
    CountingAllocator allocator(CountedMemory(), loaded.requests);
    loaded.manager.emplace(&allocator, &*loaded.planned, &loaded.temporary);
    StartBlocks();
    const auto method = program->load_method(name.c_str(), &*loaded.manager, nullptr,
                                             data.has_value() ? &*data : nullptr);
    if (!method.ok()) return {{}, SayError("load_method", method.error())};
    Tell(name, loaded.requests, allocator.used_size(), outcome);
  }
  return outcome;
}

Outcome CountByModule(const Job& job) {
  CountingAllocator::Requests requests;
  auto allocator = std::make_unique<CountingAllocator>(CountedMemory(), requests);
  const CountingAllocator& counted = *allocator;
  std::unique_ptr<BufferDataLoader> data;
  if (!job.data.empty()) {
    data = std::make_unique<BufferDataLoader>(job.data.data(), job.data.size());
  }
  executorch::extension::Module module(
      std::make_unique<BufferDataLoader>(job.program.data(), job.program.size()),
      std::move(allocator), nullptr, nullptr, std::move(data), job.banks == Policy::kShare12);
  if (const Error error = module.load(); error != Error::Ok) return {{}, SayError("load", error)};
  Outcome outcome;
  for (const std::string& name : NamesIn(*module.program())) {
    requests.clear();
    StartBlocks();
    const Error error = module.load_method(name);
    if (error != Error::Ok) return {{}, SayError("load_method", error)};
    Tell(name, requests, counted.used_size(), outcome);
  }
  return outcome;
}

}  // namespace

Outcome CountLoad(const Job& job) {
  return job.count == CountOf::kHand ? CountByHand(job) : CountByModule(job);
}

void NoteBlock(size_t size) {
  Blocks& blocks = HeapBlocks();
  if (!blocks.on || size < kLargeBlock || blocks.count == blocks.sizes.size()) return;
  blocks.sizes[blocks.count++] = size;
}

}  // namespace pteproof::witness

// The runtime's library takes these, too.
void* operator new(size_t size) {
  pteproof::witness::NoteBlock(size);
  void* const block = std::malloc(size == 0 ? 1 : size);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}
void operator delete(void* block) noexcept {
  std::free(block);
}
void operator delete(void* block, size_t /*size*/) noexcept {
  std::free(block);
}
