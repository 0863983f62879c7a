(* The theorems are not empty: small methods and programs that are accepted, and the same with one
   mistake, refused. Beside a refusal stands a run in which the outputs differ: the refusal is
   right; beside an acceptance a run in which they do not. *)

From Coq.Strings Require Byte.
From Sound Require Import Memory Model Checker Programs.

(* ---- Tools ---- *)

Definition in_bank (number first bytes : N) : place := Place (Planned None number) first bytes.

(* A plan from a list; all other names lie apart. *)
Definition plan (entries : list (name * place)) (n : name) : place :=
  match lookup n entries with Some p => p | None => Place (Apart n) 0 8 end.

Definition sizes (entries : list (name * place)) (n : name) : N := len (plan entries n).

Definition number_of (b : byte) : N := Byte.to_N b.

Definition byte_of (n : N) : byte := match Byte.of_N (n mod 256) with Some b => b | None => x00 end.

(* Byte j of each result: 1 + j + 3 * (the sum of what is read) + the operator's number. *)
Definition sums : operators := fun op seen k j =>
  byte_of (1 + j + op + 3 * fold_left N.add (map number_of (concat seen)) 0).

(* A loop goes on until its condition's first byte is 200 or more. *)
Definition below_200 (bytes : list byte) : bool :=
  match bytes with b :: _ => number_of b <? 200 | [] => false end.

Definition empty : memory := fun _ _ => x00.

Definition from_caller (k : nat) (j : N) : byte := byte_of (N.of_nat k + 2 * j + 1).

(* The orders 0, 1, 2, ... and backwards. *)
Definition upwards (count : nat) : choices :=
  fun _ => Choice (fun _ => map N.of_nat (seq 0 count)) (fun _ => x00).
Definition downwards (count : nat) : choices :=
  fun _ => Choice (fun _ => rev (map N.of_nat (seq 0 count))) (fun _ => x00).

Definition same_reads (a b : list (list (list byte))) : bool :=
  if list_eq_dec (list_eq_dec (list_eq_dec Byte.byte_eq_dec)) a b then true else false.

(* Whether both runs of a method read the same in so many steps. *)
Definition same_runs (size : name -> N) (M : method) (chs : choices) (steps : nat) : bool :=
  same_reads
    (fst (run (step_meant size sums below_200 M) chs steps (begin_meant size M from_caller empty)))
    (fst (run (step_planned size sums below_200 M) chs steps
            (begin_planned M from_caller (home M) empty))).

(* ---- A loop: x is updated in place until the condition, made of x, says stop ---- *)

Definition loop_code : list instruction :=
  [Calls (Call 1 [] [(0, 2)] []);           (* x := f(x) *)
   Calls (Call 2 [(0, Whole)] [] [(1, 1)]);  (* t := g(x) *)
   Calls (Call 3 [(1, By 1)] [] [(2, 1)]);   (* c := h(t), over t *)
   Jump (Some 2) 0].

Definition loop_with (places : list (name * place)) : method :=
  Method loop_code (plan places) [] [] [0] [0].

Definition loop_certificate : certificate := Certificate [] [(0%nat, Know [] [Here 0])] [].

Definition loop_places := [(0, in_bank 1 0 2); (1, in_bank 1 2 2); (2, in_bank 1 2 2)].
(* t lies over the end of x, which the next round reads *)
Definition loop_over := [(0, in_bank 1 0 2); (1, in_bank 1 1 2); (2, in_bank 1 1 2)].

Example loop_accepted :
  accepted (sizes loop_places) (loop_with loop_places) loop_certificate = true.
Proof. vm_compute. trivial. Qed.

Example loop_refused : accepted (sizes loop_over) (loop_with loop_over) loop_certificate = false.
Proof. vm_compute. trivial. Qed.

Example loop_runs :
  same_runs (sizes loop_places) (loop_with loop_places) (upwards 2) 14 = true /\
  same_runs (sizes loop_over) (loop_with loop_over) (upwards 2) 14 = false.
Proof. vm_compute. auto. Qed.

(* A certificate cannot help a wrong plan: one that promises less at the jump fails at the read. *)
Example loop_promises_less :
  accepted (sizes loop_over) (loop_with loop_over)
    (Certificate [] [(0%nat, Know [] [])] []) = false.
Proof. vm_compute. trivial. Qed.

(* ---- Branches: a move gives the result a place by the path taken ---- *)

Definition branch_code : list instruction :=
  [Jump (Some 0) 4;
   Calls (Call 1 [(0, Whole)] [] [(1, 1)]); Move 3 1; Jump None 6;
   Calls (Call 2 [(0, Whole)] [] [(2, 1)]); Move 3 2;
   Calls (Call 3 [(0, Whole)] [] [(4, 1)])].

Definition branch_with (places : list (name * place)) : method :=
  Method branch_code (plan places) [3] [] [0] [3; 4].

Definition branch_certificate (places : list (name * place)) : certificate :=
  Certificate []
    [(4%nat, Know [] [Here 0]);
     (6%nat, Know [(3, [plan places 1; plan places 2])] [Here 0; Here 3])] [].

Definition branch_places :=
  [(0, in_bank 1 0 8); (1, in_bank 1 8 8); (2, in_bank 1 16 8); (4, in_bank 1 24 8)].
(* the last result lies where the result of one branch still lies *)
Definition branch_over :=
  [(0, in_bank 1 0 8); (1, in_bank 1 8 8); (2, in_bank 1 16 8); (4, in_bank 1 16 8)].

Example branch_accepted_and_refused :
  accepted (sizes branch_places) (branch_with branch_places)
    (branch_certificate branch_places) = true /\
  accepted (sizes branch_over) (branch_with branch_over) (branch_certificate branch_over) = false.
Proof. vm_compute. auto. Qed.

Example branch_runs :
  same_runs (sizes branch_places) (branch_with branch_places) (upwards 8) 8 = true /\
  same_runs (sizes branch_over) (branch_with branch_over) (upwards 8) 8 = false.
Proof. vm_compute. auto. Qed.

(* ---- Results over operands: right by elements, wrong for a whole operand ---- *)

Definition over (how : reading) : method :=
  Method [Calls (Call 1 [(0, how)] [] [(1, 2)])] (plan [(0, in_bank 1 0 8); (1, in_bank 1 0 8)])
    [] [] [0] [1].

Definition nothing : certificate := Certificate [] [] [].

Example over_accepted_and_refused :
  accepted (fun _ => 8) (over (By 2)) nothing = true /\
  accepted (fun _ => 8) (over (By 4)) nothing = false /\
  accepted (fun _ => 8) (over Whole) nothing = false.
Proof. vm_compute. auto. Qed.

Example over_runs :
  same_runs (fun _ => 8) (over (By 2)) (upwards 4) 2 = true /\
  same_runs (fun _ => 8) (over (By 2)) (downwards 4) 2 = true /\
  same_runs (fun _ => 8) (over Whole) (upwards 4) 2 = false.
Proof. vm_compute. auto. Qed.

(* ---- Derived names: a concatenation that no instruction makes, and a slice of it ---- *)

Definition derived_code (early : bool) : list instruction :=
  let birth := Born 2 [(0, 0, 8); (1, 0, 8)] in
  let slice := Born 3 [(2, 4, 8)] in
  let call := Calls (Call 1 [(1, Whole)] [] [(1, 1)]) in
  if early then [Calls (Call 1 [(4, Whole)] [] [(1, 1)]); birth; slice]
  else [Calls (Call 1 [(4, Whole)] [] [(1, 1)]); birth; Calls (Call 2 [] [(1, 8)] []); slice].

Definition derived_places :=
  [(0, in_bank 1 0 8); (1, in_bank 1 8 8); (2, in_bank 1 0 16); (3, in_bank 1 4 8);
   (4, in_bank 1 16 8)].

Definition derived (early : bool) : method :=
  Method (derived_code early) (plan derived_places) [] [] [0; 4] [3].

(* After the birth a part of it is updated in place: its bytes no longer hold what it means. *)
Example derived_accepted_and_refused :
  accepted (sizes derived_places) (derived true) nothing = true /\
  accepted (sizes derived_places) (derived false) nothing = false.
Proof. vm_compute. auto. Qed.

Example derived_runs :
  same_runs (sizes derived_places) (derived true) (upwards 8) 6 = true /\
  same_runs (sizes derived_places) (derived false) (upwards 8) 6 = false.
Proof. vm_compute. auto. Qed.

(* ---- A fill: a call writes a part of a value, of which the rest means anything ---- *)

Definition fill_with (places : list (name * place)) (first : list instruction) : method :=
  Method (first ++ [Calls (Call 1 [(0, Whole)] [(1, 8)] []); Jump (Some 0) 1;
                    Calls (Call 2 [(1, Whole)] [] [(2, 1)])])
    (plan places) [] [] [0] [2].

Definition fill_places := [(0, in_bank 1 0 8); (1, in_bank 1 8 8); (2, in_bank 1 0 8)].

Definition fill_certificate : certificate := Certificate [] [(1%nat, Know [] [Here 0; Here 1])] [].

Example fill_accepted_and_refused :
  accepted (sizes fill_places) (fill_with fill_places [Anything 1]) fill_certificate = true /\
  accepted (sizes fill_places) (fill_with fill_places [Forget 1]) fill_certificate = false.
Proof. vm_compute. auto. Qed.

(* ---- Two methods: one keeps a buffer, the other writes a result over it ---- *)

(* Names are of the program: the first method has buffer 0 and result 1, the second 2 and 3. *)
Definition keeper (b : place) : loaded_method :=
  Loaded (Method [Calls (Call 1 [] [(0, 8)] []); Calls (Call 2 [(0, Whole)] [] [(1, 1)])]
            (plan [(0, b); (1, in_bank 2 0 8)]) [] [] [] [1]) [0].

Definition other (t : place) : loaded_method :=
  Loaded (Method [Calls (Call 3 [(2, Whole)] [] [(3, 1)])]
            (plan [(2, in_bank 2 8 8); (3, t)]) [] [] [2] [3]) [].

Definition two (t : place) : program := Program (fun _ => 8) [keeper (in_bank 1 0 8); other t].

Definition buffer_in (P : policy) : place := physical P 0 (in_bank 1 0 8).

(* Buffer 0 lies there between calls; the first method finds it, both leave it. *)
Definition two_certificate (P : policy) : state_certificate :=
  let there := There 0 (buffer_in P) in
  States [Certificate [there; Here 0] [] [(0, buffer_in P)];
          Certificate [there] [] [(0, buffer_in P)]]
    [(0, buffer_in P)] [] false.

Definition judged (P : policy) (t : place) : bool :=
  program_accepted P (two t) (two_certificate P).

Example clobber_between_methods :
  map (fun P => judged P (in_bank 1 8 8)) [Private; ShareOneTwo; ShareAll] = [true; true; true] /\
  map (fun P => judged P (in_bank 1 4 8)) [Private; ShareOneTwo; ShareAll] = [true; false; false] /\
  map (fun P => program_accepted P
                  (Program (fun _ => 8) [keeper (in_bank 3 0 8); other (in_bank 3 4 8)])
                  (let p := physical P 0 (in_bank 3 0 8) in
                   States [Certificate [There 0 p; Here 0] [] [(0, p)];
                           Certificate [There 0 p] [] [(0, p)]] [(0, p)] [] false))
    [Private; ShareOneTwo; ShareAll] = [true; true; false].
Proof. vm_compute. auto. Qed.

(* The history in which it shows: a call of each, then the keeper again. *)
Definition stored_values (n : name) (j : N) : byte := byte_of (10 * n + j + 7).

(* The memory that is meant, at the start: buffers have their stored values. *)
Definition meant_at_start : memory :=
  fun b o => match b with Apart n => stored_values n o | Planned _ _ => x00 end.

Definition calls_of (P : policy) (Q : program) (k : nat) : event :=
  Run k (home (planned_at P Q k)) from_caller (upwards 8) 4.

Definition same_histories (P : policy) (Q : program) (events : list event) : bool :=
  if list_eq_dec (list_eq_dec (list_eq_dec (list_eq_dec Byte.byte_eq_dec)))
       (fst (history_meant Q sums below_200 events meant_at_start))
       (fst (history_planned Q sums below_200 stored_values P events empty))
  then true else false.

Definition keeper_other_keeper (P : policy) (t : place) : bool :=
  let Q := two t in
  same_histories P Q [Load 0; calls_of P Q 0; Load 1; calls_of P Q 1; calls_of P Q 0].

Example clobber_runs :
  map (fun P => keeper_other_keeper P (in_bank 1 8 8)) [Private; ShareOneTwo; ShareAll] =
    [true; true; true] /\
  map (fun P => keeper_other_keeper P (in_bank 1 4 8)) [Private; ShareOneTwo; ShareAll] =
    [true; false; false].
Proof. vm_compute. auto. Qed.

(* ---- A lost initial value: the caller's input lies over it ---- *)

Definition loser (b : place) : program :=
  Program (fun _ => 8)
    [Loaded (Method [Calls (Call 1 [(1, Whole)] [(0, 8)] [])]
               (plan [(0, b); (1, in_bank 1 0 8)]) [] [] [1] [0]) [0]].

Definition loser_certificate (P : policy) (b : place) : state_certificate :=
  let p := physical P 0 b in States [Certificate [There 0 p; Here 0] [] [(0, p)]] [(0, p)] [] false.

Definition loser_judged (P : policy) (b : place) : bool :=
  program_accepted P (loser b) (loser_certificate P b).

Definition loser_runs (P : policy) (b : place) : bool :=
  same_histories P (loser b) [Load 0; calls_of P (loser b) 0].

Example lost_initial_value :
  map (fun P => loser_judged P (in_bank 1 8 8)) [Private; ShareOneTwo; ShareAll] =
    [true; true; true] /\
  map (fun P => loser_judged P (in_bank 1 4 8)) [Private; ShareOneTwo; ShareAll] =
    [false; false; false] /\
  loser_runs Private (in_bank 1 8 8) = true /\ loser_runs Private (in_bank 1 4 8) = false.
Proof. vm_compute. auto. Qed.

(* ---- A load that resets a buffer: both methods load buffer 0, the first stores to it ---- *)

Definition reader : loaded_method :=
  Loaded (Method [Calls (Call 5 [(0, Whole)] [] [(3, 1)])]
            (plan [(0, in_bank 1 0 8); (3, in_bank 1 8 8)]) [] [] [] [3]) [0].

Definition shared_state : program := Program (fun _ => 8) [keeper (in_bank 1 0 8); reader].

Definition shared_certificate (P : policy) (first : bool) : state_certificate :=
  let c := Certificate [There 0 (buffer_in P); Here 0] [] [(0, buffer_in P)] in
  States [c; c] [(0, buffer_in P)] [] first.

Example late_load :
  let judged P first := program_accepted P shared_state (shared_certificate P first) in
  map (fun P => judged P false) [ShareOneTwo; ShareAll] = [false; false] /\
  map (fun P => judged P true) [ShareOneTwo; ShareAll] = [true; true] /\
  (* with a copy for each method, the reader does not get what the keeper stores *)
  judged Private true = false.
Proof. vm_compute. auto. Qed.

Example late_load_runs :
  let late P := same_histories P shared_state
                  [Load 0; calls_of P shared_state 0; Load 1; calls_of P shared_state 1] in
  let early P := same_histories P shared_state
                   [Load 0; Load 1; calls_of P shared_state 0; calls_of P shared_state 1] in
  late ShareAll = false /\ early ShareAll = true /\ early Private = false.
Proof. vm_compute. auto. Qed.
