#include "cli/load/data_files.h"

#include <utility>

namespace pteproof {

FileReport ReportOf(const std::string& file, const LoadFailure& failure) {
  FileReport report;
  report.file = file;
  report.outcome = failure.outcome;
  report.error = failure.error;
  report.report.findings = failure.findings;
  return report;
}

DataFiles LoadDataFiles(std::span<const std::string> names) {
  DataFiles data;
  for (const std::string& name : names) {
    auto loaded = LoadData(name);
    if (loaded) {
      data.loaded.push_back(std::move(loaded).value());
    } else {
      data.failures.push_back({name, loaded.error()});
    }
  }
  for (LoadedData& each : data.loaded) data.files.push_back(std::move(each.file));
  return data;
}

}  // namespace pteproof
