// The obligations of a program, rule by rule: each function adds its own. Together they imply the
// verdict.
#ifndef PTEPROOF_PROPERTIES_PROOFS_RULES_RULES_H_
#define PTEPROOF_PROPERTIES_PROOFS_RULES_RULES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "properties/proofs/rules/obliger.h"

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

// An instruction reads no byte that it has overwritten, writes no constant, and returns the operand
// that it wrote.
void ObligeOperands(Obliger& obliger, int32_t method);

// No store of the call overwrites a storage that an output returns at its entry value, outputs are
// bound to one memory, and every read follows a write.
void ObligeEnds(Obliger& obliger, int32_t method);

// Outputs in one storage are one value of the model, or the storage is made once.
void ObligeSharedOutputs(Obliger& obliger, int32_t method);

// No buffer that is updated in place is returned where an input's new value is lost.
void ObligeDisplacedOutputs(Obliger& obliger, int32_t method);

// The kernel of each call takes the dim orders of its tensors.
void ObligeDimOrders(Obliger& obliger, int32_t method);

// Each buffer has memory, and no loader replaces the memory of an input before the call.
void ObligeMemory(Obliger& obliger, int32_t method);

// Whoever touches a value reaches the memory of the device that it lies on.
void ObligeDevices(Obliger& obliger, int32_t method);

// Methods that share a buffer give it one bank, offset, size and type.
void ObligeLayout(Obliger& obliger);

// No method writes bytes in which another keeps a buffer, and no load copies an initial value over
// a stored one.
void ObligeForeignWrites(Obliger& obliger);

// Methods that share a buffer load it with the same bytes.
void ObligeUnlikeInitials(Obliger& obliger);

// The program has the stores of the model, and holds no buffer that a method stores to as a
// constant.
void ObligeStores(Obliger& obliger);

// The program agrees with the manifest on buffers: types, initial values, readers.
void ObligeStatedBuffers(Obliger& obliger);

// The program agrees with the manifest on inputs and outputs: admitted sizes, positions.
void ObligeSignature(Obliger& obliger, int32_t method);

// The standing assumptions on which the verdict rests.
[[nodiscard]] std::vector<std::string> AssumptionsOf(const ProgramFacts& facts);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_RULES_RULES_H_
