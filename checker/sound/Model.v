(* Methods, and their two runs.

   A method is a list of instructions over values. A value has a name, a size, and a place that the
   plan gives it. Both runs start from a state and go on for any number of steps:

     meant     Each value has bytes of its own: value n lies in bank `Apart n`. A move copies.
     planned   A value lies in its place, which shares bytes with others. A move makes its result lie
               where its source lies: no byte is copied.

   Operators are any functions of the bytes that they read. The condition of a jump is any function
   of the bytes that the jump reads. Each step gives what it has read; when a method has come to its
   end, that is its outputs. *)

From Coq Require Import PeanoNat NArith List Bool Lia.
From Coq.Init Require Import Byte.
From Sound Require Import Memory.
Import ListNotations.
Open Scope N_scope.

(* An operand: Whole, or By u if for element i of the results only its element i is read: bytes
   [i * u, i * u + u). *)
Inductive reading := Whole | By (unit : N).

(* Of a call: the operands; then its results, each with the bytes of an element (0: all bytes are one
   element). Updated ones are read, whole, before the call and written by it; made ones are written. *)
Record call := Call {
  operator : N;
  operands : list (name * reading);
  updated : list (name * N);
  made : list (name * N) }.

Inductive instruction :=
| Calls (c : call)
| Move (to from : name)
| Jump (condition : option name) (target : nat).  (* without a condition always, else if it holds *)

Record method := Method {
  code : list instruction;
  home : name -> place;  (* the plan *)
  handles : list name;  (* names that a move gives a place *)
  settled : list name;  (* handles that lie in their homes when a call begins *)
  inputs : list name;  (* written by the caller before a call *)
  outputs : list name }.

Definition results (c : call) : list (name * N) := updated c ++ made c.

(* For element i of the results: what an operator gets, of which number, for result k and byte j. *)
Definition operators := N -> list (list byte) -> nat -> N -> byte.

Record state := State { counter : nat; lies : name -> place; mem : memory }.

Section Runs.

Variable size : name -> N.
Variable ops : operators.
Variable holds : list byte -> bool.

Definition own (n : name) : place := Place (Apart n) 0 (size n).

(* ---- What a call reads and makes ---- *)

Definition view (m : memory) (p : place) (how : reading) (i : N) : list byte :=
  match how with
  | Whole => bytes m p
  | By u => bytes m (part p (i * u) u)
  end.

(* What the operator reads for element i. *)
Definition views (at_ : name -> place) (m : memory) (c : call) (i : N) : list (list byte) :=
  map (fun x => view m (at_ (fst x)) (snd x) i) (operands c) ++
  map (fun x => bytes m (at_ (fst x))) (updated c).

(* Byte j of result k, if the operator reads `seen i` for element i. *)
Definition made_of (seen : N -> list (list byte)) (c : call) (k : nat) (j : N) : byte :=
  ops (operator c) (seen (j / snd (nth k (results c) (0, 0)))) k j.

(* All operands are read, then all results are written. *)
Definition called (at_ : name -> place) (c : call) (m : memory) : memory :=
  store_all at_ (made_of (views at_ m c) c) 0 (map fst (results c)) m.

(* ---- Steps ---- *)

Definition copied (to from : name) (m : memory) : memory :=
  store (own to) (get m (own from)) m.

Definition moved (to from : name) (at_ : name -> place) (n : name) : place :=
  if n =? to then at_ from else at_ n.

Definition next (condition : option name) (target : nat) (s : state) : nat :=
  match condition with
  | None => target
  | Some n => if holds (bytes (mem s) (lies s n)) then target else S (counter s)
  end.

Definition read (s : state) (names : list name) : list (list byte) :=
  map (fun n => bytes (mem s) (lies s n)) names.

(* `order`: the elements for which a call reads its operands, in that order. *)
Definition observed (c : call) (order : list N) (s : state) : list (list byte) :=
  flat_map (views (lies s) (mem s) c) order.

Definition condition_read (condition : option name) : list name :=
  match condition with None => [] | Some n => [n] end.

Definition step_meant (M : method) (order : list N) (s : state) : list (list byte) * state :=
  let '(State pc at_ m) := s in
  match nth_error (code M) pc with
  | None => (read s (outputs M), s)
  | Some (Calls c) => (observed c order s, State (S pc) at_ (called at_ c m))
  | Some (Move to from) => ([], State (S pc) at_ (copied to from m))
  | Some (Jump n target) => (read s (condition_read n), State (next n target s) at_ m)
  end.

Definition step_planned (M : method) (order : list N) (s : state) : list (list byte) * state :=
  let '(State pc at_ m) := s in
  match nth_error (code M) pc with
  | None => (read s (outputs M), s)
  | Some (Calls c) => (observed c order s, State (S pc) at_ (called at_ c m))
  | Some (Move to from) => ([], State (S pc) (moved to from at_) m)
  | Some (Jump n target) => (read s (condition_read n), State (next n target s) at_ m)
  end.

(* `orders k`: the order of the step that k further steps follow. *)
Fixpoint run (step : list N -> state -> list (list byte) * state) (orders : nat -> list N)
    (steps : nat) (s : state) : list (list (list byte)) * state :=
  match steps with
  | O => ([], s)
  | S k =>
    let '(seen, s1) := step (orders k) s in
    let '(rest, s2) := run step orders k s1 in
    (seen :: rest, s2)
  end.

(* A call begins: the caller writes the inputs. *)
Definition begin_meant (M : method) (given : nat -> N -> byte) (m : memory) : state :=
  State 0 own (store_all own given 0 (inputs M) m).

Definition begin_planned (M : method) (given : nat -> N -> byte) (at_ : name -> place) (m : memory) :
    state :=
  State 0 at_ (store_all at_ given 0 (inputs M) m).

End Runs.
