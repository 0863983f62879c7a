#include "runtime/delegates/opened_blob.h"

namespace pteproof::delegates {

std::optional<OpenedBlob> OpenBlob(const Delegate& delegate, std::string_view method) {
  if (auto opened = OpenXnnpack(delegate.blob)) return opened;
  if (auto opened = OpenVulkan(delegate.blob)) return opened;
  if (auto opened = OpenNative(delegate.blob, method)) return opened;
  if (auto opened = OpenEthosU(delegate.blob)) return opened;
  return OpenTosa(delegate.blob);
}

}  // namespace pteproof::delegates
