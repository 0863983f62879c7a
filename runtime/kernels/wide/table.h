// All loops of one kind of processor. As lanes.h: for sources of one processor only.
#ifndef PTEPROOF_RUNTIME_KERNELS_WIDE_TABLE_H_
#define PTEPROOF_RUNTIME_KERNELS_WIDE_TABLE_H_

#include "runtime/kernels/wide/map_loops.h"
#include "runtime/kernels/wide/routines.h"
#include "runtime/kernels/wide/sum_loops.h"
#include "runtime/kernels/wide/turn_loops.h"

namespace pteproof::kernels {
namespace {

constexpr Routines kRoutines = {kTileWidth,   Multiply,  Weigh,     Dot,
                                Turn,         LargestOf, ExpSum,    Map<Exp>,
                                Map<Sigmoid>, Map<Tanh>, Map<Gelu>, Map<GeluByTanh>};

}  // namespace
}  // namespace pteproof::kernels

#endif  // PTEPROOF_RUNTIME_KERNELS_WIDE_TABLE_H_
