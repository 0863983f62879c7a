#include "properties/laws.h"

#include "properties/laws/breaches.h"

namespace pteproof {
namespace {

constexpr Law kLaws[] = {
    {"valid", "A generated Module is well-formed.",
     "Everything else takes that for granted; a breach is the generator's or the validator's.",
     IsValid},
    {"round-trip", "A printed Module parses, prints alike and means the same.",
     "The text form loses nothing, so that a find can be kept as text.", RoundTrips},
    {"deterministic", "The same calls give the same outputs and buffers.",
     "Nothing but inputs and buffers reaches a result.", IsDeterministic},
    {"renamed-arguments", "Names of arguments change nothing, also those of buffers.",
     "An argument that hides the buffer of its name loses a store.", IgnoresNames},
    {"reordered", "Neighbouring nodes that do not see each other may change places.",
     "A graph's order is its data flow.", IgnoresOrder},
    {"copied-method", "A copy of a method may be called in its stead.",
     "Methods have no identity beyond the buffers that they use.", AdmitsCopies},
    {"permuted-outputs", "Outputs in another order are the same outputs.",
     "An output's place says nothing about when its value is made.", IgnoresOutputOrder},
    {"functionalized", "A functionalized Module gives what the mutating one gives.",
     "Stores through views reach every name of the bytes, in order.", FunctionalizesAlike},
    {"in-place", "Results in place of an operand may as well overwrite it.",
     "The conditions C0 to C2 promise that nobody sees it.", TakesOperandsRightly},
    {"others-alone", "A call leaves buffers alone that its method does not use.",
     "State belongs to those that name it.", LeavesOthersAlone},
    {"visible-bytes", "A changed byte of an input shows in an output when bytes are mixed.",
     "A byte that hides here would hide a wrong plan.", ShowsEveryByte},
    {"types", "Results have the sizes that their types say, and no more than the upper bound.",
     "Memory is planned for the upper bound.", KeepsTypes},
};

}  // namespace

std::span<const Law> AllLaws() {
  return kLaws;
}

}  // namespace pteproof
