// What must hold of a program, rule by rule: each function adds its obligations. Together they say
// all that a verdict rests on.
#ifndef PTEPROOF_PROPERTIES_PROOFS_RULES_RULES_H_
#define PTEPROOF_PROPERTIES_PROOFS_RULES_RULES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "properties/proofs/rules/obliger.h"

namespace pteproof::proofs {

// Each planned value lies within its bank and at a multiple of its element, or, with `packed`,
// where another ends (I2).
void ObligePlacements(Obliger& obliger, int32_t method, bool packed);

// Whatever is written while a name is wanted lies elsewhere (I1, I3, I4, I6 within a call, I13).
void ObligeInterference(Obliger& obliger, int32_t method);

// The same in every order of instructions that respects the flow of data within a run.
void ObligeAnyOrder(Obliger& obliger, int32_t method);

// An instruction reads nothing that it has overwritten (C0), writes no constant, and returns what
// it wrote (C2).
void ObligeOperands(Obliger& obliger, int32_t method);

// Outputs hold what they are to hold (I9, I20), and nothing is read that nobody made (I10).
void ObligeEnds(Obliger& obliger, int32_t method);

// Memory of the caller's is not written once a move has given it another name: no place in a bank
// tells what that name means then.
void ObligeCallersMemory(Obliger& obliger, int32_t method);

// Methods that share a buffer lay it out as one (I7).
void ObligeLayout(Obliger& obliger);

// No method writes bytes in which another keeps a buffer (I6), nor loads its initial value anew.
void ObligeForeignWrites(Obliger& obliger);

// Methods that share a buffer load it with the same bytes (I10).
void ObligeUnlikeInitials(Obliger& obliger);

// The stores that the model asks for are there (I8, I11).
void ObligeStores(Obliger& obliger);

// What a manifest says of buffers: types, initial values (I10), readers (I11).
void ObligeStatedBuffers(Obliger& obliger);

// What a manifest says of inputs and outputs (I14, I20).
void ObligeSignature(Obliger& obliger, int32_t method);

// What the program does not say and the verdict rests on.
[[nodiscard]] std::vector<std::string> AssumptionsOf(const ProgramFacts& facts);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_RULES_RULES_H_
