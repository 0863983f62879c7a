// A program in ExecuTorch's runtime: its banks, its methods, its calls.
#ifndef PTEPROOF_TESTS_EXECUTORCH_WITNESS_LOADED_PROGRAM_H_
#define PTEPROOF_TESTS_EXECUTORCH_WITNESS_LOADED_PROGRAM_H_

#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/extension/flat_tensor/flat_tensor_data_map.h>
#include <executorch/runtime/executor/program.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/executorch/witness/job.h"

namespace pteproof::witness {

struct LoadedMethod;

class LoadedProgram {
 public:
  // The job must outlive this.
  explicit LoadedProgram(const Job& job);
  ~LoadedProgram();

  // Loads the program, and its methods where the job wants them first. Empty: it went well.
  [[nodiscard]] std::string Load();

  // Loads the method if need be, and runs it. Of a job that counts temporary memory, the outputs
  // are for each instruction that asks for some the number of its requests, then the size of each.
  [[nodiscard]] Outcome Run(const Call& call);

 private:
  [[nodiscard]] std::string LoadMethod(const std::string& name);
  [[nodiscard]] std::string LoadData();
  [[nodiscard]] std::vector<std::string> MethodNames() const;
  // All banks that methods share, as large as the largest method needs.
  void MakeSharedBanks();
  [[nodiscard]] bool IsShared(size_t bank) const;

  const Job& job_;
  executorch::extension::BufferDataLoader program_loader_;
  executorch::extension::BufferDataLoader data_loader_;
  std::optional<executorch::runtime::Program> program_;
  std::optional<executorch::extension::FlatTensorDataMap> data_;
  std::vector<std::vector<uint8_t>> shared_banks_;  // by memory id - 1
  std::map<std::string, std::unique_ptr<LoadedMethod>> methods_;
};

}  // namespace pteproof::witness

#endif  // PTEPROOF_TESTS_EXECUTORCH_WITNESS_LOADED_PROGRAM_H_
