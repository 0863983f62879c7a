#include "cli/render/call_lines.h"

#include <fmt/format.h>

#include "cli/io/json_text.h"
#include "cli/io/quote.h"

namespace pteproof {
namespace {

using CallsJson = nlohmann::ordered_json;

CallsJson TextOrNull(const std::string& text) {
  return text.empty() ? CallsJson(nullptr) : CallsJson(text);
}

std::string SideText(const RecordedSides& sides) {
  if (sides.executorch && sides.eager) {
    return "equals ExecuTorch's and PyTorch's recorded outputs within the bounds";
  }
  if (sides.executorch) return "equals ExecuTorch's recorded outputs, not PyTorch's";
  if (sides.eager) return "equals PyTorch's recorded outputs, not ExecuTorch's";
  return "equals neither ExecuTorch's nor PyTorch's recorded outputs, which differ";
}

std::string_view SideWord(const RecordedSides& sides) {
  if (sides.executorch) return sides.eager ? "both" : "executorch";
  return sides.eager ? "eager" : "neither";
}

std::string DigestsText(const std::vector<uint64_t>& digests) {
  std::string text;
  for (const uint64_t digest : digests) text += fmt::format(" {:016x}", digest);
  return text;
}

std::string DigestsText(const CallDigests& digests) {
  std::string text = "outputs" + DigestsText(digests.outputs);
  if (!digests.changed_inputs.empty()) text += ", inputs" + DigestsText(digests.changed_inputs);
  if (digests.state != 0) text += fmt::format(", state {:016x}", digests.state);
  return text;
}

CallsJson DigestsJson(const std::vector<uint64_t>& digests) {
  CallsJson list = CallsJson::array();
  for (const uint64_t digest : digests) list.push_back(fmt::format("{:016x}", digest));
  return list;
}

CallsJson DigestsJson(const CallDigests& digests) {
  return {{"outputs", DigestsJson(digests.outputs)},
          {"changed_inputs", DigestsJson(digests.changed_inputs)},
          {"state", digests.state == 0 ? CallsJson(nullptr)
                                       : CallsJson(fmt::format("{:016x}", digests.state))}};
}

}  // namespace

CallsJson FilesJson(const CallFiles& files) {
  return {{"file", files.program},
          {"recording", TextOrNull(files.recording)},
          {"manifest", TextOrNull(files.manifest)}};
}

std::string CallText(const RecordedSequence& sequence, size_t call, const CallLine& line) {
  const RecordedCall& made = sequence.calls[call];
  const std::string label = made.label.empty() ? "" : " (" + Quote(made.label) + ")";
  std::string why = line.reason;
  const auto add = [&](const std::string& more) { why += (why.empty() ? "" : "; ") + more; };
  if (line.sides) add(SideText(*line.sides));
  if (line.digests) add(DigestsText(*line.digests));
  if (!line.not_admitted.empty()) add("not admitted: " + line.not_admitted);
  return fmt::format("{:<8} {}[{}] {}{}{}\n", line.result, Quote(sequence.name), call,
                     Quote(made.method), label, why.empty() ? "" : ": " + Quote(why, kLongestLine));
}

std::string CallJson(const CallFiles& files, const RecordedSequence& sequence, size_t call,
                     const CallLine& line) {
  const RecordedCall& made = sequence.calls[call];
  CallsJson json = FilesJson(files);
  json["sequence"] = sequence.name;
  json["call"] = call;
  json["method"] = made.method;
  json["label"] = TextOrNull(made.label);
  json["result"] = line.result;
  json["equals"] = line.sides ? CallsJson(SideWord(*line.sides)) : CallsJson(nullptr);
  json["reason"] = TextOrNull(line.reason);
  if (!line.not_admitted.empty()) json["not_admitted"] = line.not_admitted;
  json["digests"] = line.digests ? DigestsJson(*line.digests) : CallsJson(nullptr);
  return JsonText(json) + "\n";
}

std::string CountsText(const CallCounts& counts, std::string_view runner) {
  std::string text = fmt::format("{} calls agree, {} differ, {} have no reference\n", counts.agree,
                                 counts.differ, counts.not_compared);
  if (counts.disputed > 0) {
    text += fmt::format(
        "In {} calls PyTorch's and ExecuTorch's recorded outputs differ: {} results equal\n"
        "ExecuTorch's, {} equal PyTorch's. --compare executorch or --compare eager chooses one.\n",
        counts.disputed, counts.as_executorch, counts.as_eager);
  }
  if (counts.not_made > 0) {
    text += fmt::format("{} calls are not made: one before them in their sequence failed\n",
                        counts.not_made);
  }
  if (counts.not_admitted > 0) {
    text += fmt::format(
        "{} calls have sizes that the manifest does not admit: correct the calls or the manifest\n",
        counts.not_admitted);
  }
  if (counts.stopped > 0) {
    text += fmt::format(
        "{} calls stop, perhaps not because of the program: record calls with inputs that it\n"
        "takes, or give it more time and memory\n",
        counts.stopped);
  }
  for (const auto& [op, calls] : counts.unknown) {
    text +=
        fmt::format("{} calls stop at {}, which the {} does not know\n", calls, Quote(op), runner);
  }
  return text;
}

std::string CountsJson(const CallFiles& files, std::string_view verdict, const CallCounts& counts) {
  CallsJson json = FilesJson(files);
  json["verdict"] = verdict;
  json["agree"] = counts.agree;
  json["differ"] = counts.differ;
  json["not_compared"] = counts.not_compared;
  json["not_made"] = counts.not_made;
  if (counts.not_admitted > 0) json["not_admitted"] = counts.not_admitted;
  json["stopped"] = counts.stopped;
  json["unknown"] = CallsJson::object();
  for (const auto& [op, calls] : counts.unknown) json["unknown"][op] = calls;
  json["disputed"] = {{"calls", counts.disputed},
                      {"equal_executorch", counts.as_executorch},
                      {"equal_eager", counts.as_eager}};
  return JsonText(json) + "\n";
}

}  // namespace pteproof
