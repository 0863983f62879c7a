// Runs a program with a storage of its own for every value. Beside it are the banks, and each byte
// is tagged with the write that it comes from. A read that would see another write's bytes is an
// error of the plan, whatever the values are.
#ifndef PTEPROOF_PROPERTIES_ORACLES_TAGS_TAGGED_RUN_H_
#define PTEPROOF_PROPERTIES_ORACLES_TAGS_TAGGED_RUN_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "properties/oracles/replay.h"
#include "properties/oracles/tags/tag_machine.h"
#include "pteproof/program.h"
#include "pteproof/result.h"
#include "reference/datum.h"

namespace pteproof {

class TaggedRun {
 public:
  // A freshly loaded program, which must outlive this; its stored state is applied once.
  // `options.tags` is ignored.
  TaggedRun(const Program& program, const ReplayOptions& options);

  // The outputs of the call if no byte is lost. Reads that see other bytes are findings.
  [[nodiscard]] Result<std::vector<Datum>, ReplayError> Call(int32_t method,
                                                             std::span<const Datum> inputs);

  // The first one of all calls so far.
  [[nodiscard]] const std::optional<TagFinding>& finding() const { return tags_->finding(); }

  // Why clean calls say nothing beyond themselves; nothing: they are a proof. Every method with
  // instructions has been called, is a straight line of known operators on tensors of static shape,
  // and left every buffer's bytes as they should be: by induction that holds for all inputs and all
  // sequences of calls.
  [[nodiscard]] std::optional<std::string> WhyNoProof() const;

 private:
  const Program* program_;
  std::unique_ptr<TagMachine> tags_;
  std::unique_ptr<Replay> replay_;
  std::vector<bool> called_;
  std::optional<std::string> lost_;  // a buffer, after some call
};

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_TAGS_TAGGED_RUN_H_
