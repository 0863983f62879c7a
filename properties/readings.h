// What a file leaves open, and what a verdict is when the file can be read in more than one way.
//
// A program file does not say everything: whether an operator that nobody knows updates an argument
// of its own, whether a delegate reads its last argument or makes it. Each such question is a
// Doubt. It has two readings, the usual one and the other. A checker judges the usual reading, and
// then the others; an error that only some of them have decides nothing:
//
//     reading          private   share-all
//     usual            safe      safe
//     `f` updates v3   unsafe    safe
//     verdict          undecided safe
//
// The table of doubts is closed (docs/explanation/readings.md): nothing becomes undecided for a
// doubt that no exporter gives cause for. Which doubts a program has is part of its meaning.
#ifndef PTEPROOF_PROPERTIES_READINGS_H_
#define PTEPROOF_PROPERTIES_READINGS_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "meaning/questions.h"
#include "pteproof/report.h"

namespace pteproof {

// What is in doubt, in words: "whether 'f' updates its argument 2", of the first three doubts. And
// what would settle them.
[[nodiscard]] std::string Words(const std::vector<Doubt>& doubts);
[[nodiscard]] std::string Settlement(const std::vector<Doubt>& doubts);

// What is judged beside the usual reading: each doubt the other way by itself, then all of them.
// With more than kMostDoubts doubts, only the first of them by themselves.
[[nodiscard]] std::vector<std::vector<Doubt>> OtherReadings(const std::vector<Doubt>& doubts);

// Judges the usual reading and the others. `judge` is a pure function.
[[nodiscard]] Report JudgeReadings(const std::vector<Doubt>& doubts,
                                   const std::function<Report(const Reading&)>& judge);

inline constexpr size_t kMostDoubts = 12;

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_READINGS_H_
