// Idea: a plan with a bank on a device says for each value where its bytes are: on the device of
// its bank, for an unplanned one on the device of its label, and for a constant on the host. Each
// access is made by someone who can reach one device:
//
//   a kernel of the table          the host
//   _h2d_copy, _d2h_copy           reads the host and writes a device; the other way round
//   a delegate                     the device of its compile spec; without one nobody knows
//   an operator that nobody knows  nobody knows
//   the loader (inputs, initial    the host: a memcpy
//   values)
//
// Invariant: an access of a known reach to another device is an error; one of an unknown reach to a
// device leaves two readings. Of each kind of access the first is told, with the number of all.
//
// A method without a bank on a device is left alone, whatever its tensors are labelled with: its
// plan puts all of them on the host, and delegates copy for themselves.
#include "properties/rules/devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/rule_names.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"
#include "reference/op_schema.h"
#include "runtime/devices.h"

namespace pteproof::checks {
namespace {

enum class Reach : uint8_t {
  kHost,      // the host only
  kToDevice,  // reads the host, writes a device
  kToHost,    // reads a device, writes the host
  kDelegate,
  kUnknown,
};

// A kind of access that does not fit: the first of its kind, and how many there are.
struct Misfit {
  int32_t instruction = -1;
  int32_t value = -1;
  size_t count = 0;

  void Note(int32_t i, int32_t v) {
    if (count++ > 0) return;
    instruction = i;
    value = v;
  }
};

class DeviceCheck {
 public:
  explicit DeviceCheck(const MethodMeaning& meant) : meant_(meant), method_(*meant.method) {}

  std::vector<Finding> Run() && {
    for (int32_t i = 0; i < meant_.flow().instruction_count(); ++i) {
      const auto block = static_cast<size_t>(meant_.graph.block_of[static_cast<size_t>(i)]);
      if (meant_.graph.blocks[block].reachable) Accesses(i);
    }
    for (const int32_t v : method_.inputs) Filled(v);
    for (const StateSlot& slot : meant_.roles.states) {
      if (slot.initial > 0 || slot.external) Filled(slot.value);
    }
    TellKernels();
    TellFilled();
    TellOpen();
    TellLoaders();
    return std::move(findings_);
  }

 private:
  [[nodiscard]] Device DeviceOf(int32_t v) const {
    const Tensor& tensor = *method_.TensorOf(v);
    if (tensor.planned) return DeviceOfBank(method_, tensor.bank);
    if (meant_.roles.of[static_cast<size_t>(v)] == Role::kConstant) return {};
    return tensor.device_type == 0 ? Device{} : Device{tensor.device_type, tensor.device_index};
  }

  [[nodiscard]] Reach ReachOf(const Instruction& at) const {
    if (at.kind == InstructionKind::kDelegateCall) return Reach::kDelegate;
    if (at.kind != InstructionKind::kKernelCall) return Reach::kHost;
    const Operator& op = method_.operators[static_cast<size_t>(at.target)];
    if (op.name == "et_copy::_h2d_copy.out") return Reach::kToDevice;
    if (op.name == "et_copy::_d2h_copy.out") return Reach::kToHost;
    return op.schema == nullptr ? Reach::kUnknown : Reach::kHost;
  }

  void Accesses(int32_t i) {
    const auto index = static_cast<size_t>(i);
    const Instruction& at = method_.instructions[index];
    const Reach reach = ReachOf(at);
    std::optional<Device> own = Device{};
    if (reach == Reach::kDelegate) {
      own = DeviceOfDelegate(method_.delegates[static_cast<size_t>(at.target)]);
    }
    for (const Read& r : meant_.effects.ReadsOf(index)) {
      Access(i, r.value, reach, own, reach == Reach::kToHost);
    }
    for (const Write& w : meant_.effects.WritesOf(index)) {
      Access(i, w.value, reach, own, reach == Reach::kToDevice);
    }
  }

  void Access(int32_t i, int32_t v, Reach reach, const std::optional<Device>& own,
              bool wants_device) {
    if (method_.TensorOf(v)->nbytes == 0) return;
    const Device device = DeviceOf(v);
    switch (reach) {
      case Reach::kHost:
      case Reach::kToDevice:
      case Reach::kToHost:
        if (device.is_host() == wants_device) kernels_.Note(i, v);
        return;
      case Reach::kDelegate:
        if (own != device) open_.Note(i, v);
        return;
      case Reach::kUnknown:
        if (!device.is_host()) open_.Note(i, v);
        return;
    }
  }

  void Filled(int32_t v) {
    const Tensor* tensor = method_.TensorOf(v);
    if (tensor == nullptr || !tensor->planned || tensor->nbytes == 0) return;
    if (!DeviceOf(v).is_host()) filled_.Note(-1, v);
  }

  Finding About(Severity severity, const Misfit& misfit) const {
    return FindingAt(rule::kDeviceMismatch, severity, method_, misfit.instruction, {misfit.value},
                     meant_.flow().PlaceOf(misfit.value));
  }

  static std::string More(const Misfit& misfit) {
    return misfit.count == 1 ? std::string()
                             : fmt::format(" ({} such accesses in all)", misfit.count);
  }

  void TellKernels() {
    if (kernels_.count == 0) return;
    const Device device = DeviceOf(kernels_.value);
    Finding finding = About(Severity::kError, kernels_);
    if (device.is_host()) {
      finding.explanation = fmt::format(
          "{} copies between the host and a device.\n"
          "{} lies on the host, on the side of the device{}.\n"
          "The copy follows a pointer to memory of the wrong kind.",
          Capital(InstructionWords(method_, kernels_.instruction)),
          ValueWords(method_, kernels_.value), More(kernels_));
    } else {
      finding.explanation = fmt::format(
          "{} runs on the host and touches {}.\n"
          "That value lies on {}{}.\n"
          "The kernel follows a pointer that is not memory of the host.",
          Capital(InstructionWords(method_, kernels_.instruction)),
          ValueWords(method_, kernels_.value), Words(device), More(kernels_));
    }
    finding.fix =
        "Export with copies at the delegate's boundary (`skip_h2d_for_method_inputs=False`, "
        "`skip_d2h_for_method_outputs=False`), or keep the value in a bank of the host.";
    findings_.push_back(std::move(finding));
  }

  void TellFilled() {
    if (filled_.count == 0) return;
    const bool is_input = meant_.roles.of[static_cast<size_t>(filled_.value)] == Role::kInput;
    Finding finding = About(Severity::kError, filled_);
    finding.policies = PolicySet::Of(Policy::kPrivate);
    finding.explanation = fmt::format(
        "{} lies on {}, and the loader fills it{} by a copy on the host.\n"
        "Module allocates that bank on the device, where a copy on the host cannot write{}.\n"
        "ExecuTorch 1.4 follows a wrong pointer, and 1.5.1 refuses the call.",
        ValueWords(method_, filled_.value), Words(DeviceOf(filled_.value)),
        is_input ? " with the caller's tensor" : " with its initial value", More(filled_));
    finding.fix = is_input ? "Export with `alloc_graph_input=False`, so that the caller's own "
                             "memory on the device is used."
                           : "Keep buffers with an initial value in a bank of the host.";
    findings_.push_back(std::move(finding));
  }

  void TellOpen() {
    if (open_.count == 0) return;
    const Instruction& at = method_.instructions[static_cast<size_t>(open_.instruction)];
    const bool is_delegate = at.kind == InstructionKind::kDelegateCall;
    Finding finding = About(Severity::kNote, open_);
    finding.undecided = true;
    finding.explanation = fmt::format(
        "{} takes {}, which lies on {}{}.\n"
        "The file does not say whether the {} reaches that memory.\n"
        "If it does not, it follows a pointer to memory of the wrong kind.",
        Capital(InstructionWords(method_, open_.instruction)), ValueWords(method_, open_.value),
        Words(DeviceOf(open_.value)), More(open_), is_delegate ? "delegate" : "operator");
    finding.fix = is_delegate ? "Give the delegate the compile spec `target_device`, and copies at "
                                "its boundary."
                              : "Run the operator on the host, with copies around it.";
    findings_.push_back(std::move(finding));
  }

  // Banks on devices that only Module without shared arenas allocates there.
  void TellLoaders() {
    const auto on_device = [&](const Place& place) {
      return !place.empty() && !DeviceOfBank(method_, place.bank).is_host();
    };
    const auto first = std::ranges::find_if(meant_.roles.place, on_device);
    if (first == meant_.roles.place.end()) return;
    const auto v = static_cast<int32_t>(first - meant_.roles.place.begin());
    const uint32_t id = first->bank;
    Finding finding = FindingAt(rule::kDeviceMismatch, Severity::kNote, method_, -1, {v}, *first);
    finding.policies = PolicySet::Of(Policy::kShare12);
    finding.policies.Add(Policy::kShareAll);
    finding.undecided = true;
    finding.explanation = fmt::format(
        "Bank {} of '{}' lies on {}.\n"
        "Module with shared arenas refuses such a bank, and before 1.4 it allocated the bank on "
        "the host. The Python Runtime allocates every bank on the host up to 1.4, and on the "
        "device "
        "from 1.5 on.\n"
        "The file does not say whether the delegates of that device take memory of the host.",
        id, method_.name, Words(DeviceOfBank(method_, id)));
    finding.fix = "Load with Module, with private arenas, of ExecuTorch 1.4 or later.";
    findings_.push_back(std::move(finding));
  }

  const MethodMeaning& meant_;
  const Method& method_;
  Misfit kernels_;
  Misfit filled_;
  Misfit open_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> CheckDevices(const MethodMeaning& meant) {
  if (!PlansDevices(*meant.method)) return {};
  return DeviceCheck(meant).Run();
}

}  // namespace pteproof::checks
