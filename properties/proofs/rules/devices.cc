// Obligations on devices, one for each access: whoever makes it reaches the memory of the value.
#include "runtime/devices.h"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "base/rule_names.h"
#include "properties/proofs/rules/rules.h"
#include "reference/op_schema.h"

namespace pteproof::proofs {
namespace {

class DeviceRules {
 public:
  DeviceRules(Obliger& obliger, const MethodFacts& facts)
      : obliger_(obliger), facts_(facts), method_(*facts.method) {}

  void Run() {
    for (const ReadEvent& r : facts_.listing.reads) Access(r.instruction, r.value, false);
    for (const WriteEvent& w : facts_.listing.writes) Access(w.instruction, w.value, true);
    for (const int32_t v : method_.inputs) HostCopy(v, "the caller's tensor");
    for (const BufferPart& buffer : facts_.parts.buffers) {
      if (buffer.initial > 0 || buffer.external) HostCopy(buffer.value, "an initial value");
    }
    for (int32_t v = 0; v < facts_.value_count(); ++v) Loader(v);
  }

 private:
  [[nodiscard]] Device Home(int32_t v) const {
    const Tensor& tensor = *method_.TensorOf(v);
    if (tensor.planned) return DeviceOfBank(method_, tensor.bank);
    const bool labelled = facts_.parts.Of(v) != Part::kConstant && tensor.device_type != 0;
    return labelled ? Device{tensor.device_type, tensor.device_index} : Device{};
  }

  void Add(Severity severity, int32_t i, int32_t v, bool fits, std::string refuted,
           PolicySet policies = PolicySet::All()) {
    Obligation o = AboutMethod(method_, rule::kDeviceMismatch, i, {v});
    o.severity = severity;
    o.policies = policies;
    o.goal = None(fits ? 0 : 1);
    o.refuted = std::move(refuted);
    obliger_.Add(std::move(o));
  }

  void Access(int32_t i, int32_t v, bool writes) {
    if (!facts_.paths.IsReached(i) || method_.TensorOf(v)->nbytes == 0) return;
    const Instruction& at = method_.instructions[static_cast<size_t>(i)];
    const Device home = Home(v);
    const std::string place =
        fmt::format("{} takes {}, which lies on {}", Capital(InstructionText(method_, i)),
                    ValueText(method_, v), Words(home));
    if (at.kind == InstructionKind::kDelegateCall) {
      const auto target = DeviceOfDelegate(method_.delegates[static_cast<size_t>(at.target)]);
      return Add(Severity::kNote, i, v, target.has_value() && *target == home,
                 place + ": the file does not say whether the delegate reaches it.");
    }
    if (at.kind == InstructionKind::kKernelCall) {
      const Operator& op = method_.operators[static_cast<size_t>(at.target)];
      if (op.schema == nullptr) {
        return Add(Severity::kNote, i, v, home.is_host(),
                   place + ": the file does not say whether the operator reaches it.");
      }
      const bool on_device = (op.name == "et_copy::_h2d_copy.out" && writes) ||
                             (op.name == "et_copy::_d2h_copy.out" && !writes);
      return Add(Severity::kError, i, v, home.is_host() != on_device,
                 place + ", where the kernel cannot reach it.");
    }
    Add(Severity::kError, i, v, home.is_host(), place + ".");
  }

  // A copy on the host fills planned inputs and initial values, also in memory of a device.
  void HostCopy(int32_t v, std::string_view what) {
    const Tensor* tensor = method_.TensorOf(v);
    if (tensor == nullptr || !tensor->planned || tensor->nbytes == 0) return;
    Add(Severity::kError, -1, v, Home(v).is_host(),
        fmt::format("The loader copies {} to {}, which lies on {}.", what, ValueText(method_, v),
                    Words(Home(v))),
        PolicySet::Of(Policy::kPrivate));
  }

  // Loaders that share banks do not allocate on devices.
  void Loader(int32_t v) {
    if (ExtentOf(method_, v).empty() || Home(v).is_host()) return;
    PolicySet sharing = PolicySet::Of(Policy::kShare12);
    sharing.Add(Policy::kShareAll);
    Add(Severity::kNote, -1, v, false,
        fmt::format("{} lies on {}: loaders that share banks allocate them on the host, or refuse.",
                    ValueText(method_, v), Words(Home(v))),
        sharing);
  }

  Obliger& obliger_;
  const MethodFacts& facts_;
  const Method& method_;
};

}  // namespace

void ObligeDevices(Obliger& obliger, int32_t method) {
  const MethodFacts& facts = obliger.facts().FactsAt(method);
  if (PlansDevices(*facts.method)) DeviceRules(obliger, facts).Run();
}

}  // namespace pteproof::proofs
