#include "tests/properties/laws/laws.h"

#include "tests/properties/laws/breaches.h"

namespace pteproof {
namespace {

constexpr Law kLaws[] = {
    {"valid", "A generated Module is well-formed.",
     "All other laws assume it. A breach is a bug of the generator or of the validator.", IsValid},
    {"round-trip", "A printed Module parses, prints to the same text and has the same meaning.",
     "The text form is complete, so a find can be stored as text.", RoundTrips},
    {"deterministic", "The same calls give the same outputs and buffers.",
     "A result depends on inputs and buffers alone.", IsDeterministic},
    {"renamed-arguments", "Names of arguments do not matter, even if they are names of buffers.",
     "An argument that hides the buffer of the same name loses a store.", IgnoresNames},
    {"reordered", "Neighbouring nodes without a dependency may change places.",
     "The order of a graph is its data flow.", IgnoresOrder},
    {"copied-method", "A copy of a method may be called instead of the method.",
     "Methods have no identity beyond the buffers that they use.", AdmitsCopies},
    {"permuted-outputs", "Outputs in another order are the same outputs.",
     "The position of an output is independent of the time at which its value is made.",
     IgnoresOutputOrder},
    {"functionalized", "A functionalized Module gives the outputs of the mutating one.",
     "Stores through views reach every name of the bytes, in order.", FunctionalizesAlike},
    {"in-place", "A result that is marked as in place may overwrite its operand.",
     "No other name of the operand is read later, and no other operand shares its bytes.",
     TakesOperandsRightly},
    {"others-alone", "A call does not change buffers that its method does not use.",
     "Only methods that name a state change it.", LeavesOthersAlone},
    {"visible-bytes", "With mixing operators, a changed byte of an input changes an output.",
     "A byte without an effect would hide a wrong plan.", ShowsEveryByte},
    {"types", "Results have the sizes of their types, within the upper bound.",
     "Memory is planned for the upper bound.", KeepsTypes},
};

}  // namespace

std::span<const Law> AllLaws() {
  return kLaws;
}

}  // namespace pteproof
