// Idea. Each loader asks for the same few things: banks, bytes of files, the objects of methods. It
// differs in three answers: which banks methods share, whether files are read or mapped, and who
// owns unplanned outputs.
//
//   bank, shared   max over all methods of the program, whether they are loaded or not
//   bank, private  sum over the methods that are loaded
//   mapped file    counts as `mapped` in place of the copies
//
// Invariant: at_load and at_peak are sums of the other counts of a LoaderMemory.
#include "properties/memory/device_memory.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/checked_math.h"
#include "runtime/delegates/opened_blob.h"
#include "runtime/file_kind.h"
#include "runtime/read_bundle.h"

namespace pteproof::memory {
namespace {

constexpr uint32_t kLastOfShare12 = 2;

// Sizes are a file's own claims: a sum beyond 64 bits stays at the largest number.
void Add(uint64_t& sum, uint64_t more) {
  sum = CheckedAdd(sum, more).value_or(std::numeric_limits<uint64_t>::max());
}

uint64_t Sum(std::initializer_list<uint64_t> counts) {
  uint64_t sum = 0;
  for (const uint64_t count : counts) Add(sum, count);
  return sum;
}

bool IsSharedBank(const LoaderKind& loader, uint32_t bank) {
  if (loader.table != nullptr) {
    const auto row = loader.table->banks.find(bank);
    return row != loader.table->banks.end() && row->second.shared;
  }
  return loader.policy == Policy::kShareAll ||
         (loader.policy == Policy::kShare12 && bank <= kLastOfShare12);
}

bool IsLoaded(std::span<const std::string> methods, const Method& method) {
  return methods.empty() || std::ranges::find(methods, method.name) != methods.end();
}

// Of the caller: neither in a bank nor in a file.
bool IsOfCaller(const Tensor& tensor) {
  return !tensor.planned && !tensor.external && tensor.data_index == 0;
}

void AddCallersValues(const Method& method, MethodMemory& memory) {
  std::set<int32_t> counted;
  const auto add = [&](int32_t value, uint64_t& bytes) {
    const Tensor* tensor = method.TensorOf(value);
    if (tensor == nullptr || !IsOfCaller(*tensor) || !counted.insert(value).second) return;
    Add(bytes, tensor->nbytes);
  };
  for (const int32_t value : method.inputs) add(value, memory.inputs);
  for (const int32_t value : method.outputs) {
    const Tensor* tensor = method.TensorOf(value);
    if (tensor != nullptr && IsOfCaller(*tensor)) Add(memory.every_output, tensor->nbytes);
    add(value, memory.outputs);
  }
  for (size_t v = 0; v < method.values.size(); ++v) {
    const auto value = static_cast<int32_t>(v);
    if (!method.NameOf(value).empty()) add(value, memory.buffers);
  }
}

// Constants of data files by name, each once for a method; and what goes into the banks.
void AddStoredValues(const Method& method, const ProgramSource& source, MethodMemory& memory) {
  std::set<std::string_view> names;
  for (size_t v = 0; v < method.values.size(); ++v) {
    const Tensor* tensor = method.TensorOf(static_cast<int32_t>(v));
    if (tensor == nullptr) continue;
    if (tensor->planned && (tensor->external || tensor->data_index > 0)) {
      Add(memory.initial_values, tensor->nbytes);
    }
    const std::string_view name = method.Text(tensor->name);
    if (tensor->planned || !tensor->external || !names.insert(name).second) continue;
    uint64_t bytes = tensor->nbytes;
    for (const DataFile& file : source.data) {
      const DataEntry* entry = file.Find(name);
      if (entry == nullptr) continue;
      bytes = entry->blob.size();
      break;
    }
    Add(memory.external, bytes);
  }
}

bool LiesIn(Bytes file, uint64_t nbytes, Bytes blob) {
  return blob.data() >= file.data() && blob.data() < file.data() + nbytes;
}

MethodMemory MemoryOfMethod(const Method& method, const ProgramSource& source, Bytes file,
                            uint64_t tables) {
  MethodMemory memory;
  memory.method = method.name;
  AddCallersValues(method, memory);
  AddStoredValues(method, source, memory);
  for (const Delegate& delegate : method.delegates) {
    if (!LiesIn(file, tables, delegate.blob)) Add(memory.delegates, delegate.blob.size());
    const std::optional<uint64_t> workspace = WorkspaceOf(delegate);
    const bool is_known = workspace.has_value();
    Add(memory.workspace, workspace.value_or(0));
    const bool is_named =
        std::ranges::find(memory.uncounted, delegate.id) != memory.uncounted.end();
    if (!is_known && !is_named) memory.uncounted.push_back(delegate.id);
  }
  memory.allocator = AllocatorUseOf(method, ContextOf(*source.program, !source.data.empty()));
  memory.temporary = TemporaryUseOf(method);
  return memory;
}

std::vector<BankMemory> BanksOf(const Program& program, const LoaderKind& loader,
                                std::span<const std::string> methods) {
  using Key = std::tuple<uint32_t, uint8_t, int8_t>;
  std::map<Key, BankMemory> banks;
  for (const Method& method : program.methods) {
    for (uint32_t b = 1; b < method.bank_sizes.size(); ++b) {
      const Device device = DeviceOfBank(method, b);
      const bool is_shared = IsSharedBank(loader, b) && device.is_host();
      if (!is_shared && !IsLoaded(methods, method)) continue;
      BankMemory& bank = banks[{b, device.type, device.index}];
      bank.bank = b;
      bank.device = device;
      bank.shared = is_shared;
      if (is_shared) {
        bank.bytes = std::max(bank.bytes, method.bank_sizes[b]);
      } else {
        Add(bank.bytes, method.bank_sizes[b]);
      }
    }
  }
  std::vector<BankMemory> list;
  for (auto& [key, bank] : banks) list.push_back(bank);
  return list;
}

uint64_t BytesOnHost(std::span<const BankMemory> banks) {
  uint64_t bytes = 0;
  for (const BankMemory& bank : banks) {
    if (bank.device.is_host()) Add(bytes, bank.bytes);
  }
  return bytes;
}

// Shared arenas and banks on devices do not go together, and a table has the sizes it has.
std::string RefusalOf(const Program& program, const LoaderKind& loader) {
  if (loader.table != nullptr) {
    const std::vector<Finding> findings = RefusalsBy(*loader.table, program);
    return findings.empty() ? "" : findings.front().explanation;
  }
  const bool has_devices = std::ranges::any_of(program.methods, PlansDevices);
  if (loader.policy != Policy::kShare12 || !has_devices) return "";
  return "It does not share banks of a program that has a bank on a device.";
}

void AddFiles(const ProgramSource& source, const ProgramMemory& all, LoaderMemory& memory) {
  const compare::SectionSizes& sections = all.sections;
  memory.program = sections.tables;
  const auto& constants = source.program->constants;
  const Bytes first = constants.size() > 1 ? constants[1] : Bytes{};
  if (!LiesIn(source.file, sections.tables, first)) memory.constants = sections.constants;
  for (const DataFile& file : source.data) Add(memory.data, file.tables);
  for (const MethodMemory& method : all.methods) {
    Add(memory.data, method.external);
    Add(memory.delegates, method.delegates);
  }
  if (memory.loader.access == FileAccess::kRead) return;
  memory.mapped = Sum({memory.program, memory.constants, memory.data, memory.delegates});
  memory.program = memory.constants = memory.data = memory.delegates = 0;
}

LoaderMemory MemoryUnder(const LoaderKind& loader, const ProgramSource& source,
                         const ProgramMemory& all, std::span<const std::string> methods) {
  LoaderMemory memory;
  memory.loader = loader;
  memory.refused = RefusalOf(*source.program, loader);
  memory.banks = BanksOf(*source.program, loader, methods);
  memory.planned = BytesOnHost(memory.banks);
  AddFiles(source, all, memory);
  for (const MethodMemory& method : all.methods) {
    // A table's loader is an application's own, which lets the allocator go up from its base.
    Add(memory.methods,
        loader.table == nullptr ? method.allocator.requested : method.allocator.end);
    if (loader.keeps_outputs) Add(memory.outputs, method.every_output);
    const uint64_t outputs = loader.keeps_outputs ? 0 : method.outputs;
    memory.temporary = std::max(memory.temporary, method.temporary.bytes);
    memory.workspace = std::max(memory.workspace, method.workspace);
    memory.caller = std::max(memory.caller, Sum({method.inputs, outputs, method.buffers}));
  }
  memory.at_load = Sum({memory.planned, memory.program, memory.constants, memory.data,
                        memory.delegates, memory.methods});
  memory.at_peak =
      Sum({memory.at_load, memory.temporary, memory.workspace, memory.outputs, memory.caller});
  return memory;
}

// The program in a bundle, else the file.
Bytes ProgramIn(Bytes file) {
  if (Sniff(file) != FileKind::kBundle) return file;
  const auto bundle = ReadBundle(file);
  return bundle ? bundle.value().program : file;
}

}  // namespace

std::string_view Name(FileAccess access) {
  return access == FileAccess::kRead ? "read" : "mapped";
}

LoaderKind LoaderOf(Policy policy) {
  switch (policy) {
    case Policy::kPrivate:
      return {"Module", policy};
    case Policy::kShare12:
      return {"Module-shared-arenas", policy};
    case Policy::kShareAll:
      break;
  }
  return {"executorch.runtime", policy, nullptr, FileAccess::kMapped, true};
}

LoaderKind LoaderNamed(const std::string& word, Policy policy) {
  LoaderKind loader = {word, policy};
  if (word.starts_with("Module")) return loader;
  loader.access = FileAccess::kMapped;
  loader.keeps_outputs = true;
  return loader;
}

LoaderKind LoaderOf(const LoaderTable& table) {
  return {table.name, Policy::kPrivate, &table};
}

ProgramMemory MemoryOf(const ProgramSource& source, std::span<const std::string> methods,
                       std::span<const LoaderKind> loaders) {
  ProgramMemory memory;
  ProgramSource inside = source;
  inside.file = ProgramIn(source.file);
  memory.sections = compare::SectionsOf(*source.program, inside.file);
  for (const Method& method : source.program->methods) {
    if (!IsLoaded(methods, method)) continue;
    memory.methods.push_back(MemoryOfMethod(method, inside, inside.file, memory.sections.tables));
  }
  for (const LoaderKind& loader : loaders) {
    memory.loaders.push_back(MemoryUnder(loader, inside, memory, methods));
  }
  return memory;
}

uint64_t BankBytesOf(const Program& program, const LoaderKind& loader) {
  return BytesOnHost(BanksOf(program, loader, {}));
}

std::optional<uint64_t> WorkspaceOf(const Delegate& delegate) {
  return delegate.opened != nullptr ? delegate.opened->own_bytes : std::nullopt;
}

}  // namespace pteproof::memory
