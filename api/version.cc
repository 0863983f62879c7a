#include "pteproof/version.h"

namespace pteproof {

std::string_view Version() {
  return kVersion;
}

}  // namespace pteproof
