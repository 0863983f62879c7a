// Signatures of operators as a certificate states them: a letter for each argument.
#ifndef PTEPROOF_PROPERTIES_CERTIFICATE_SIGNATURES_H_
#define PTEPROOF_PROPERTIES_CERTIFICATE_SIGNATURES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "meaning/method_meaning.h"
#include "reference/op_schema.h"

namespace pteproof::certificate {

// - nothing   r read          e read element by element    w made         W replaced in place
// u updated   f filled        n left as it is              v viewed       h the name of the viewed
// and `>` behind an argument that the call returns.
[[nodiscard]] std::string CodeOf(const OpSchema& schema);

// The same of a call of an operator that the table does not know, by what is taken of it.
[[nodiscard]] std::string CodeOfUnknown(const meaning::MethodMeaning& meant, int32_t instruction);

// Of a delegate call: the number of its outputs, then the positions of what it updates.
[[nodiscard]] std::vector<int32_t> RolesOfDelegate(const meaning::MethodMeaning& meant,
                                                   int32_t instruction);

}  // namespace pteproof::certificate

#endif  // PTEPROOF_PROPERTIES_CERTIFICATE_SIGNATURES_H_
