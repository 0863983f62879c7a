(* Programs: several methods with state, under each policy of a loader.

   A name is of the program, not of a method: what lives from call to call (a buffer) has one name,
   which each method places on its own. Banks that the policy shares are one for all methods; of
   each other bank each method has one of its own.

   Events come in any order that a loader can make: a method is loaded once, before its first call.
   In the planned run a load puts stored values into their places. In the run that is meant it does
   nothing: buffers have their stored values from the start, once and for all. *)

From Sound Require Import Memory Model Checker.

Inductive policy := Private | ShareOneTwo | ShareAll.

Definition shares (P : policy) (number : N) : bool :=
  match P with
  | Private => false
  | ShareOneTwo => (number =? 1) || (number =? 2)
  | ShareAll => true
  end.

Record loaded_method := Loaded {
  body : method;
  loads : list name }.  (* those whose stored values a load puts into their homes *)

Record program := Program { size : name -> N; methods : list loaded_method }.

(* What the certificate says of all methods. *)
Record state_certificate := States {
  walks : list certificate;  (* by method *)
  between : list (name * place);  (* between calls: the content of the name lies in the place *)
  before : list (name * place);  (* of these, what is there before the first load: trusted *)
  all_first : bool }.  (* all methods are loaded before the first call: trusted *)

(* ---- The plan under a policy ---- *)

Definition physical (P : policy) (k : nat) (p : place) : place :=
  match bank_of p with
  | Planned _ number =>
    Place (Planned (if shares P number then None else Some (N.of_nat k)) number) (lo p) (len p)
  | Apart _ => p
  end.

Definition under (P : policy) (k : nat) (M : method) : method :=
  Method (code M) (fun n => physical P k (home M n)) (handles M) (settled M) (inputs M) (outputs M).

Definition no_method : loaded_method :=
  Loaded (Method [] (fun n => Place (Apart n) 0 0) [] [] [] []) [].

Definition method_at (Q : program) (k : nat) : loaded_method := nth k (methods Q) no_method.

Definition planned_at (P : policy) (Q : program) (k : nat) : method :=
  under P k (body (method_at Q k)).

(* ---- The two runs ---- *)

(* A call: where its handles lie when it begins, its inputs, what its steps leave open, and the
   number of steps. A call that has not ended by then ends the history. *)
Inductive event :=
| Load (k : nat)
| Run (k : nat) (at_ : name -> place) (given : nat -> N -> byte) (chs : choices) (steps : nat).

Fixpoint put (at_ : name -> place) (stored : name -> N -> byte) (names : list name) (m : memory) :
    memory :=
  match names with
  | [] => m
  | n :: rest => put at_ stored rest (store (at_ n) (stored n) m)
  end.

Definition ended (M : method) (s : state) : bool := Nat.leb (length (code M)) (counter s).

(* The methods that are loaded when the events have passed. *)
Fixpoint loaded_after (loaded : list nat) (events : list event) : list nat :=
  match events with
  | [] => loaded
  | Load k :: rest => loaded_after (k :: loaded) rest
  | _ :: rest => loaded_after loaded rest
  end.

Section Histories.

Variable Q : program.
Variable ops : operators.
Variable holds : list byte -> bool.
Variable stored : name -> N -> byte.

(* By call and step. Beside them stands the memory at the end, if all calls have ended. *)
Definition observations := list (list (list (list byte))).

Fixpoint history_meant (events : list event) (m : memory) :
    observations * option memory :=
  match events with
  | [] => ([], Some m)
  | Load _ :: rest => history_meant rest m
  | Run k _ given chs steps :: rest =>
    let M := body (method_at Q k) in
    let w := begin_meant (size Q) M given m in
    let '(seen, s) := run (step_meant (size Q) ops holds M) chs steps w in
    if ended M s
    then let '(more, m1) := history_meant rest (mem s) in (seen :: more, m1)
    else ([seen], None)
  end.

Fixpoint history_planned (P : policy) (events : list event) (m : memory) :
    observations * option memory :=
  match events with
  | [] => ([], Some m)
  | Load k :: rest =>
    history_planned P rest (put (home (planned_at P Q k)) stored (loads (method_at Q k)) m)
  | Run k at_ given chs steps :: rest =>
    let M := planned_at P Q k in
    let x := begin_planned M given at_ m in
    let '(seen, s) := run (step_planned (size Q) ops holds M) chs steps x in
    if ended M s
    then let '(more, m1) := history_planned P rest (mem s) in (seen :: more, m1)
    else ([seen], None)
  end.

(* Where values may mean anything, they mean what the planned run finds there. *)
Fixpoint truthful_history (P : policy) (events : list event) (m : memory) : Prop :=
  match events with
  | [] => True
  | Load k :: rest =>
    truthful_history P rest (put (home (planned_at P Q k)) stored (loads (method_at Q k)) m)
  | Run k at_ given chs steps :: rest =>
    let M := planned_at P Q k in
    let x := begin_planned M given at_ m in
    let s := snd (run (step_planned (size Q) ops holds M) chs steps x) in
    truthful (size Q) ops holds M chs steps x /\
    (ended M s = true -> truthful_history P rest (mem s))
  end.

End Histories.

(* ---- R6, as a function ---- *)

Definition written_by (i : instruction) : list name :=
  match i with
  | Calls c | Idle c => map fst (results c)
  | Move to _ => [to]
  | Born n _ | Anything n => [n]
  | Forget _ | Jump _ _ => []
  end.

Definition written (M : method) : list name := inputs M ++ flat_map written_by (code M).

Section CheckProgram.

Variable P : policy.
Variable Q : program.
Variable C : state_certificate.

Definition all_methods : list nat := seq 0 (length (methods Q)).

Definition certificate_at (k : nat) : certificate := nth k (walks C) (Certificate [] [] []).

Definition claimed (n : name) (p : place) (entries : list (name * place)) : bool :=
  existsb (fun x => (fst x =? n) && same_place (snd x) p) entries.

(* What the pass over method k takes for granted. *)
Definition begin_follows (k : nat) (e : equation) : bool :=
  match e with
  | There n p => claimed n p (between C)
  | Here n =>
    let M := planned_at P Q k in
    (negb (mem_name n (handles M)) || mem_name n (settled M)) &&
    claimed n (home M n) (between C) &&
    (claimed n (home M n) (before C) || mem_name n (loads (method_at Q k)))
  end.

(* What it has to leave. *)
Definition end_kept (k : nat) (x : name * place) : bool :=
  claimed (fst x) (snd x) (ends (certificate_at k)).

(* A load puts the stored value of a over what lies in p: only over the same buffer in the same
   place, and only if none but this method has stored to it by then. *)
Definition load_fits (k : nat) (a : name) (x : name * place) : bool :=
  let '(n, p) := x in
  let put_in := home (planned_at P Q k) a in
  if (a =? n) && same_place p put_in
  then (len p =? size Q n) &&
       (all_first C || forallb (fun j =>
          Nat.eqb j k || negb (mem_name n (written (body (method_at Q j))))) all_methods)
  else negb (meets p put_in).

Definition method_accepted (k : nat) : bool :=
  accepted (size Q) (planned_at P Q k) (certificate_at k) &&
  forallb (begin_follows k) (begins (certificate_at k)) &&
  forallb (end_kept k) (between C) &&
  forallb (fun a => forallb (load_fits k a) (between C)) (loads (method_at Q k)).

Definition program_accepted : bool := forallb method_accepted all_methods.

End CheckProgram.
