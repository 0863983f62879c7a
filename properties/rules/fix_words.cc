#include "properties/rules/fix_words.h"

#include <fmt/format.h>

#include "properties/vocabulary.h"

namespace pteproof::checks {

std::string_view FixOf(const ReadOnlyCopy& copy) {
  if (!copy.has_writer) return "Export the method that stores to the buffer in the same program.";
  if (!copy.is_planned_there) {
    return "Export the methods together, with the buffer in planned memory in all of them "
           "(`share_mutable_buffers=True`).";
  }
  if (!copy.is_for_sharing) {
    return "Plan the methods with `share_mutable_buffers=True`: else a method that only reads the "
           "buffer holds it as a constant.";
  }
  return "Keep the buffer out of constant folding and of delegates in the method that reads it.";
}

std::string_view FixOf(const OtherLayout& layout) {
  if (layout.has_other_type) return "Give the buffer one type and size in all methods.";
  if (!layout.is_for_sharing) {
    return "Plan all methods with one pass object and `share_mutable_buffers=True`.";
  }
  return "Plan all methods with one pass object: each was planned for sharing on its own.";
}

std::string FixOfClobbered(std::string_view victim, std::string_view writer, bool is_for_sharing) {
  if (!is_for_sharing) {
    return "Give state a bank of its own: plan all methods with `share_mutable_buffers=True`.";
  }
  return fmt::format(
      "The bank is for state in '{}': plan '{}' with the same pass object, in one export.", victim,
      writer);
}

std::string FixOfUnstored(std::string_view buffer, std::string_view holder) {
  const std::string pass = buffer.empty()
                               ? "Export the initial value with `InitializedMutableBufferPass`"
                               : fmt::format(
                                     "Export the initial value: name '{}' in "
                                     "`InitializedMutableBufferPass`",
                                     buffer);
  if (holder.empty()) return pass + ".";
  return fmt::format("{}, for this method as for '{}', or load '{}' first.", pass, holder, holder);
}

bool IsForSharing(const ProgramFacts& facts, const StateInstance& instance) {
  return !instance.place.empty() &&
         HoldsStateOnly(facts.methods[static_cast<size_t>(instance.method)], instance.place.bank);
}

}  // namespace pteproof::checks
