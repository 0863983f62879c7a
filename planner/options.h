// What a caller of the planner may choose, by the names that ExecuTorch's users know.
#ifndef PTEPROOF_PLANNER_OPTIONS_H_
#define PTEPROOF_PLANNER_OPTIONS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "planner/passes/passes.h"
#include "planner/placement/algorithms.h"
#include "planner/placement/banks.h"
#include "pteproof/finding.h"
#include "reference/graph/in_place.h"

namespace pteproof::planner {

// How much a tensor whose sizes vary is given.
enum class Bounds : uint8_t {
  kRange,  // its size at the largest dims
  kHint,   // its size in the example that was exported: larger inputs are refused at run time
};

// How a buffer gets its initial value.
enum class InitialState : uint8_t {
  kAuto,    // kMethod for what several methods share, kFile for the rest
  kFile,    // stored in the file, copied whenever a method is loaded
  kMethod,  // set by a method of its own, et_module_init, which the caller calls first
};

struct PlanOptions {
  placement::Algorithm algorithm = placement::Algorithm::kBest;
  std::optional<placement::Effort> effort = {};  // of algorithms that search
  placement::Placer placer = {};                 // instead of an algorithm
  int64_t alignment = 16;                        // of every offset; a power of two
  Bounds bounds = Bounds::kRange;
  Policy policy = Policy::kShare12;  // how the file will be loaded
  PassSwitches passes;
  // The orders of steps in which the plan is right. kAny and kStrict are for executors that keep
  // the flow of data alone; kStrict also makes nothing in place of an operand with a second reader.
  graph::InPlaceOrder order = graph::InPlaceOrder::kListed;

  bool plan_inputs = true;   // false: the caller sets their memory
  bool plan_outputs = true;  // likewise
  bool plan_buffers = true;  // false: mutable buffers have names and no place
  // Outputs that the caller finds in the memory of an input, which is lost: positions among the
  // outputs and inputs of the Module's method. Both planned, or neither: then the caller passes the
  // same memory for both.
  struct Overlay {
    std::string method;
    int32_t output = 0;
    int32_t input = 0;
  };
  std::vector<Overlay> overlays = {};
  // The buffers that methods share; without a list those that the Module calls shared.
  std::optional<std::vector<std::string>> shared_buffers = {};
  InitialState initial = InitialState::kAuto;
  bool module_init = false;  // write et_module_init even if nothing needs it

  // The banks of values that are not state, in order of preference; memory ids from 1 on, without
  // those of state. None: one bank without a limit, memory id 1.
  struct Bank {
    placement::Bank bank;
    int32_t memory_id = 1;
    // On device cuda:0. Delegates whose results lie here are made for that device; other nodes must
    // not touch what lies here, except for copies between host and device.
    bool on_device = false;
  };
  std::vector<Bank> banks = {};
  // What a node's pool stands for, as indices in `banks`, an unknown one being an error, a single
  // one a pin; without it the bank of that name, if there is one, before all others.
  placement::Pools pools = {};
  // By memory id, the operator that stores to buffers there, with copy_'s arguments.
  std::map<int32_t, std::string> store_operators = {};
};

// Memory ids by content. ExecuTorch's Module with shared arenas shares 1 and 2.
inline constexpr int32_t kActivationBank = 1;
inline constexpr int32_t kSharedBank = 2;
inline constexpr int32_t kPrivateBank = 3;

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_OPTIONS_H_
