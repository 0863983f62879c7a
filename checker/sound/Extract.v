(* The rules as a program in OCaml, for accepted.ml, which reads traces (trace.md). *)

From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlZInt.
From Sound Require Import Memory Model Checker Programs.

Extraction "rules.ml" physical method_accepted program_accepted all_methods planned_at
  certificate_at accepted after enter at_begin begin_follows end_kept load_fits.
