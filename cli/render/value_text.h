// One value of a method as readable text, in the parts that a table shows.
#ifndef PTEPROOF_CLI_RENDER_VALUE_TEXT_H_
#define PTEPROOF_CLI_RENDER_VALUE_TEXT_H_

#include <cstdint>
#include <string>

#include "pteproof/program.h"

namespace pteproof {

// "float32 [1, 4]", "int 3", "tensors [v1, v2]". Sizes of bounded tensors are marked as upper
// bounds; a dimension order is shown where it is not the plain one. Long lists are cut.
[[nodiscard]] std::string TypeText(const Method& method, int32_t value);

// "bank 1 [0,16)", "constant 3", "external", or "-".
[[nodiscard]] std::string PlaceText(const Method& method, int32_t value);

// "initial value 2, 'cache.k'": what else the file says of a tensor.
[[nodiscard]] std::string OriginText(const Method& method, int32_t value);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_VALUE_TEXT_H_
