// Bytes to a Program or findings, within bounds; a Program that comes out is walked whole.
#include "pteproof/read.h"

#include "fuzz/bounds.h"
#include "fuzz/targets/targets.h"
#include "fuzz/walk.h"

namespace pteproof::fuzz {

Stage FuzzRead(Bytes input) {
  const ReaderBounds bounds;
  const auto program = ReadProgram(input);
  bounds.Require(input.size(), [&] { static_cast<void>(ReadProgram(input)); });
  if (!program.ok()) {
    RequireReasons(program.error());
    return Stage::kRefused;
  }
  static_cast<void>(Walk(program.value()));
  return Stage::kRead;
}

}  // namespace pteproof::fuzz
