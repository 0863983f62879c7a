// The devices that a file states: of banks, and of delegates. A device is a type and an index; type
// 0 is the host's processor.
#ifndef PTEPROOF_RUNTIME_DEVICES_H_
#define PTEPROOF_RUNTIME_DEVICES_H_

#include <cstdint>
#include <optional>
#include <string>

#include "pteproof/program.h"

namespace pteproof {

struct Device {
  uint8_t type = 0;  // 0: the host
  int8_t index = 0;

  [[nodiscard]] bool is_host() const { return type == 0; }
  bool operator==(const Device&) const = default;
};

// "the host", "device cuda:0", "device type 7 index 0".
[[nodiscard]] std::string Words(const Device& device);

// The device of a bank. O(banks on devices).
[[nodiscard]] Device DeviceOfBank(const Method& method, uint32_t bank);

// Whether the method has a bank on a device. Without one its plan does not distinguish devices:
// what tensors are labelled with has no effect.
[[nodiscard]] bool PlansDevices(const Method& method);

// The device that the delegate was compiled for, as its compile spec `target_device` says; without
// one the host; nothing: a device type that the schema does not have.
[[nodiscard]] std::optional<Device> DeviceOfDelegate(const Delegate& delegate);

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_DEVICES_H_
