#include "runtime/devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace pteproof {
namespace {

constexpr std::string_view kTypeNames[] = {"cpu", "cuda"};  // the schema's, by number

char ToLower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string LowerText(Bytes bytes) {
  std::string text;
  for (const std::byte b : bytes) text += ToLower(static_cast<char>(b));
  const size_t first = text.find_first_not_of(" \n\t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \n\t") - first + 1);
}

// "cuda:1", "cuda".
std::optional<Device> ParseDevice(std::string_view text) {
  const size_t colon = text.find(':');
  const auto* const name = std::ranges::find(kTypeNames, text.substr(0, colon));
  if (name == std::end(kTypeNames)) return std::nullopt;
  Device device = {static_cast<uint8_t>(name - kTypeNames), 0};
  if (colon == std::string_view::npos) return device;
  const std::string_view index = text.substr(colon + 1);
  const auto parsed = std::from_chars(index.data(), index.data() + index.size(), device.index);
  if (parsed.ec != std::errc() || parsed.ptr != index.data() + index.size()) return std::nullopt;
  return device;
}

}  // namespace

std::string Words(const Device& device) {
  if (device.is_host()) return "the host";
  if (device.type < std::size(kTypeNames)) {
    return fmt::format("device {}:{}", kTypeNames[device.type], device.index);
  }
  return fmt::format("device type {} index {}", device.type, device.index);
}

Device DeviceOfBank(const Method& method, uint32_t bank) {
  const auto on =
      std::ranges::find(method.bank_devices, static_cast<int32_t>(bank), &BankDevice::bank);
  if (on == method.bank_devices.end() || on->device_type == 0) return {};
  return {on->device_type, on->device_index};
}

bool PlansDevices(const Method& method) {
  return std::ranges::any_of(method.bank_devices,
                             [](const BankDevice& on) { return on.device_type != 0; });
}

std::optional<Device> DeviceOfDelegate(const Delegate& delegate) {
  const auto spec = std::ranges::find(delegate.specs, "target_device", &CompileSpec::key);
  if (spec == delegate.specs.end()) return Device{};
  const auto device = ParseDevice(LowerText(spec->value));
  return device.has_value() && device->is_host() ? Device{} : device;
}

}  // namespace pteproof
