// Makes program files of any size with a sound plan, to measure with. Not a writer: it knows one
// shape only.
#ifndef PTEPROOF_BENCH_SYNTHETIC_PROGRAM_H_
#define PTEPROOF_BENCH_SYNTHETIC_PROGRAM_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pteproof {

// A `.pte` file whose methods, all alike, have `storages` planned tensors of 64 floats each: a
// chain of products v[i] = v[i-1] * v[i-window], so that window + 1 values are live at each
// instruction (the window is 16). They are laid out in laps of window + 2 neighbours; each lap
// starts 16 bytes further, so that places are many and those of neighbouring laps overlap, though
// never while both live:
//
//   bytes ->   v0--- v1--- v2--- v3---              lap 0, window = 2
//                v4--- v5--- v6--- v7---            lap 1
//                  v8--- v9--- v10-- v11--          lap 2
//
// storages >= 1, methods >= 1.
[[nodiscard]] std::vector<std::byte> SyntheticProgram(uint32_t storages, uint32_t methods = 1);

}  // namespace pteproof

#endif  // PTEPROOF_BENCH_SYNTHETIC_PROGRAM_H_
