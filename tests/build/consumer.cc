// A program that uses the library as a stranger would: is a file's plan safe, what is wrong with
// it, what does a proof say, and how small could two of its storages be?
#include <pteproof/check.h>
#include <pteproof/place.h>
#include <pteproof/prove.h>
#include <pteproof/read.h>
#include <pteproof/version.h>

#include <iostream>

int main(int argc, char** argv) {
  if (argc != 2) return 64;
  std::cout << "pteproof " << pteproof::Version() << "\n";
  const auto file = pteproof::ReadProgramFile(argv[1]);
  if (!file.ok()) return 2;
  const pteproof::Report report = pteproof::Check(file.value().program);
  for (const pteproof::Finding& finding : report.findings) {
    std::cout << finding.rule << ": " << finding.explanation << "\n" << finding.fix << "\n";
  }
  const pteproof::Proof proof = pteproof::Prove(file.value().program, {.seconds = 60});
  for (const auto& open : proof.open) std::cout << open.rule << ": " << open.text << "\n";
  const pteproof::placement::Storage storage = {.size = 64, .live = {{0, 2}}};
  const auto placed = pteproof::PlaceStorages({&storage, 1});
  const auto checked = pteproof::OverallOf(report.verdicts, {});
  const auto proved = pteproof::OverallOf(proof.verdicts, {});
  std::cout << pteproof::Name(checked) << ", " << pteproof::Name(proved) << "\n";
  const bool is_safe = checked == pteproof::Overall::kSafe && proved == pteproof::Overall::kSafe;
  return is_safe && placed.ok() && placed.value().peak == 64 ? 0 : 1;
}
