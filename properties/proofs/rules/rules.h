// The obligations of a program that contain arithmetic or an order, rule by rule: each function
// adds its own. Together with the rules that contain none (properties/rules) they imply the
// verdict.
#ifndef PTEPROOF_PROPERTIES_PROOFS_RULES_RULES_H_
#define PTEPROOF_PROPERTIES_PROOFS_RULES_RULES_H_

#include <cstdint>

#include "properties/proofs/rules/obliger.h"
#include "pteproof/check.h"

namespace pteproof::proofs {

// Each planned value lies within its bank, at an offset that is a multiple of its element size.
// With `packed`, an offset at which another value ends is right too.
void ObligePlacements(Obliger& obliger, int32_t method, bool packed);

// A write lies outside of the bytes of each name that is live at that time: temporaries, views,
// results of branches, and buffers within a call.
void ObligeInterference(Obliger& obliger, int32_t method);

// The same in every order of instructions that respects the flow of data within a run. With
// `single_use`, an instruction that writes over its operand is the operand's only reader, too.
void ObligeAnyOrder(Obliger& obliger, int32_t method, bool single_use);

// An instruction reads no byte that it has overwritten.
void ObligeOperands(Obliger& obliger, int32_t method);

// All rules in which nothing is computed (properties/rules), and the assumptions of the verdict.
void ObligeChecked(Obliger& obliger, const CheckOptions& options);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_RULES_RULES_H_
