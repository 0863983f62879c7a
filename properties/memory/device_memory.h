// What a device allocates to load a program and to call its methods: named counts of bytes, for one
// loader. Nothing about how well the plan fills its banks.
//
//   at load                               in a call
//   banks        as the loader has them   the caller's inputs, outputs and buffers of one method
//   files        what it copies of them
//   method data  of each loaded method
#ifndef PTEPROOF_PROPERTIES_MEMORY_DEVICE_MEMORY_H_
#define PTEPROOF_PROPERTIES_MEMORY_DEVICE_MEMORY_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "properties/compare/sections.h"
#include "properties/loader_table.h"
#include "properties/memory/method_allocator.h"
#include "properties/memory/temporary_memory.h"
#include "pteproof/finding.h"
#include "pteproof/program.h"
#include "runtime/devices.h"
#include "runtime/read_data.h"

namespace pteproof::memory {

// How a loader takes the bytes of files.
enum class FileAccess : uint8_t {
  kRead,    // into memory that it allocates
  kMapped,  // in place: the bytes are the system's, or lie in flash
};

[[nodiscard]] std::string_view Name(FileAccess access);  // "read", "mapped"

struct LoaderKind {
  std::string name;                    // "Module", or of the table's file
  Policy policy = Policy::kPrivate;    // which banks it shares
  const LoaderTable* table = nullptr;  // over the policy
  FileAccess access = FileAccess::kRead;
  bool keeps_outputs = false;  // it allocates unplanned outputs itself, for each method
};

// ExecuTorch's loader that is meant by a policy alone.
[[nodiscard]] LoaderKind LoaderOf(Policy policy);
// By `--loader`'s word, which PolicyOfLoader has taken.
[[nodiscard]] LoaderKind LoaderNamed(const std::string& word, Policy policy);
[[nodiscard]] LoaderKind LoaderOf(const LoaderTable& table);

struct ProgramSource {
  const Program* program = nullptr;
  Bytes file;  // of the program; it lies in a bundle, if that is one
  std::span<const DataFile> data;
};

// What does not depend on the loader.
struct MethodMemory {
  std::string method;
  uint64_t inputs = 0;          // unplanned: the caller's
  uint64_t outputs = 0;         // the same, without those that are inputs too
  uint64_t every_output = 0;    // the same, with them: what a loader that keeps outputs allocates
  uint64_t buffers = 0;         // named, without a placement: the caller's
  uint64_t initial_values = 0;  // copied into the banks when the method is loaded
  uint64_t external = 0;        // constants of data files
  uint64_t delegates = 0;       // blobs in segments
  uint64_t workspace = 0;       // memory of their own that blobs state, in a call
  AllocatorUse allocator;
  TemporaryUse temporary;
  // Backends whose own memory is not counted, in the order of the delegates.
  std::vector<std::string> uncounted;
};

struct BankMemory {
  uint32_t bank = 0;
  Device device;
  bool shared = false;  // of the largest method, else the sum over the methods
  uint64_t bytes = 0;
};

struct LoaderMemory {
  LoaderKind loader;
  std::string refused;            // why it does not take the program; empty: it does
  std::vector<BankMemory> banks;  // by memory id, then by device
  // On the host, as the rest.
  uint64_t planned = 0;    // banks
  uint64_t program = 0;    // copied: tables
  uint64_t constants = 0;  // copied: the segment of constants
  uint64_t data = 0;       // copied: tables and constants of data files
  uint64_t delegates = 0;  // copied: blobs, each as often as a delegate names it
  uint64_t mapped = 0;     // of the above what is mapped in place of a copy
  uint64_t methods = 0;    // what the method allocator is asked for
  uint64_t at_load = 0;    // the sum of all above but `mapped`
  uint64_t temporary = 0;  // of kernels, of the method that has most
  uint64_t workspace = 0;  // of the delegates of the method that has most
  uint64_t outputs = 0;    // that the loader keeps
  uint64_t caller = 0;     // of the method for which the caller brings most
  uint64_t at_peak = 0;    // in a call: the sum of at_load and of those above
};

struct ProgramMemory {
  compare::SectionSizes sections;
  std::vector<MethodMemory> methods;  // those that are loaded
  std::vector<LoaderMemory> loaders;
};

// Of the program with the methods of these names loaded; without names, all. The data files hold
// what the program needs, or some of it. O(values + instructions).
[[nodiscard]] ProgramMemory MemoryOf(const ProgramSource& source,
                                     std::span<const std::string> methods,
                                     std::span<const LoaderKind> loaders);

// The banks on the host of the program with all methods loaded, in bytes.
[[nodiscard]] uint64_t BankBytesOf(const Program& program, const LoaderKind& loader);

// What the blob says that its backend needs beside it in a call; nothing: it is not counted.
[[nodiscard]] std::optional<uint64_t> WorkspaceOf(const Delegate& delegate);

}  // namespace pteproof::memory

#endif  // PTEPROOF_PROPERTIES_MEMORY_DEVICE_MEMORY_H_
