// In-place operators, each with the functional form that it means.
#include "reference/op_meaning.h"

namespace pteproof {
namespace {

constexpr InPlaceForm kForms[] = {
    {"aten::copy_", "aten::copy.out"},
};

}  // namespace

std::span<const InPlaceForm> InPlaceForms() {
  return kForms;
}

}  // namespace pteproof
