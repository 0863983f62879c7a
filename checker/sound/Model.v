(* Methods, and their two runs.

   A method is a list of instructions over values. A value has a name, a size, and a place that the
   plan gives it. Both runs start from a state and go on for any number of steps:

     meant     Each value has bytes of its own: value n lies in bank `Apart n`. A call reads all of
               its operands, then writes its results. A move copies; so does a birth.
     planned   A value lies in its place, which shares bytes with others. A call makes its results
               element by element in any order, and reads its operands again for each element: it
               sees what it has written over them. A move makes its result lie where its source
               lies; a birth does nothing.

   Operators are any functions of the bytes that they read. The condition of a jump is any function
   of the bytes that the jump reads. Each step gives what it has read, except for idle calls; when a
   method has come to its end, that is its outputs. *)

From Sound Require Import Memory.

(* An operand: Whole, or By u if for element i of the results only its element i is read: bytes
   [i * u, i * u + u). *)
Inductive reading := Whole | By (unit : N).

(* Of a call: the operands; then its results, each with the bytes of an element (0: all bytes are
   one element). Updated ones are read, whole, before they are written; made ones are written. *)
Record call := Call {
  operator : N;
  operands : list (name * reading);
  updated : list (name * N);
  made : list (name * N) }.

Inductive instruction :=
| Calls (c : call)
| Idle (c : call)  (* a call whose results nothing needs: its operands may be anything *)
| Move (to from : name)  (* as many bytes as `to` has, the first ones: a view may have fewer *)
| Born (n : name) (parts : list (name * N * N))  (* of the sources: bytes [from, from + count) *)
| Anything (n : name)  (* does nothing; from here on n means what it finds in its place *)
| Forget (n : name)  (* does nothing; n is not read from here on: freed, or of unknown content *)
| Jump (condition : option name) (target : nat).  (* without a condition always, else if it holds *)

Record method := Method {
  code : list instruction;
  home : name -> place;  (* the plan *)
  handles : list name;  (* names that a move gives a place *)
  settled : list name;  (* handles that lie in their homes when a call begins *)
  inputs : list name;  (* written by the caller before a call *)
  outputs : list name }.

Definition results (c : call) : list (name * N) := updated c ++ made c.

(* The bytes of an element of result k. *)
Definition unit_of (c : call) (k : nat) : N := nth k (map snd (results c)) 0.

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
  ops (operator c) (seen (j / unit_of c k)) k j.

(* All operands are read, then all results are written. *)
Definition called (at_ : name -> place) (c : call) (m : memory) : memory :=
  store_all at_ (made_of (views at_ m c) c) 0 (map fst (results c)) m.

(* What is read for the elements of `order`, if nothing is written meanwhile. *)
Definition observed (at_ : name -> place) (m : memory) (c : call) (order : list N) :
    list (list byte) :=
  flat_map (views at_ m c) order.

(* ---- The same, element by element ---- *)

Definition is_of (c : call) (i : N) (k : nat) (j : N) : bool :=
  j / unit_of c k =? i.

(* Updated operands were read before. *)
Definition views_again (at_ : name -> place) (m : memory) (c : call) (before : list (list byte))
    (i : N) : list (list byte) :=
  map (fun x => view m (at_ (fst x)) (snd x) i) (operands c) ++ before.

Definition element_called (at_ : name -> place) (c : call) (seen : list (list byte)) (i : N)
    (m : memory) : memory :=
  store_chosen (is_of c i) at_ (fun k j => ops (operator c) seen k j) 0 (map fst (results c)) m.

Fixpoint by_elements (at_ : name -> place) (c : call) (before : list (list byte)) (order : list N)
    (m : memory) : list (list byte) * memory :=
  match order with
  | [] => ([], m)
  | i :: rest =>
    let seen := views_again at_ m c before i in
    let '(more, m1) := by_elements at_ c before rest (element_called at_ c seen i m) in
    (seen ++ more, m1)
  end.

Definition updated_before (at_ : name -> place) (c : call) (m : memory) : list (list byte) :=
  map (fun x => bytes m (at_ (fst x))) (updated c).

(* Orders in which a call can go: each element once, and all elements of its results. *)
Definition complete (c : call) (order : list N) : Prop :=
  NoDup order /\
  forall n u j, In (n, u) (results c) -> j < size n -> In (j / u) order.

(* ---- Names of others' bytes ---- *)

Definition copied (to from : name) (m : memory) : memory :=
  store (own to) (get m (own from)) m.

Definition moved (to from : name) (at_ : name -> place) (n : name) : place :=
  if n =? to then first (at_ from) (size to) else at_ n.

(* Byte j of the parts, one behind the other. *)
Fixpoint joined (m : memory) (parts : list (name * N * N)) (j : N) : byte :=
  match parts with
  | [] => x00
  | (n, from, count) :: rest =>
    if j <? count then get m (own n) (from + j) else joined m rest (j - count)
  end.

Definition born (n : name) (parts : list (name * N * N)) (m : memory) : memory :=
  store (own n) (joined m parts) m.

(* ---- Steps ---- *)

Definition next (condition : option name) (target : nat) (s : state) : nat :=
  match condition with
  | None => target
  | Some n => if holds (bytes (mem s) (lies s n)) then target else S (counter s)
  end.

Definition read (s : state) (names : list name) : list (list byte) :=
  map (fun n => bytes (mem s) (lies s n)) names.

Definition condition_read (condition : option name) : list name :=
  match condition with None => [] | Some n => [n] end.

(* What a step leaves open. order c: the elements for which call c reads its operands, in order.
   anything: what a value means that may mean anything. *)
Record choice := Choice { order : call -> list N; anything : N -> byte }.

Definition step_meant (M : method) (ch : choice) (s : state) : list (list byte) * state :=
  let '(State pc at_ m) := s in
  match nth_error (code M) pc with
  | None => (read s (outputs M), s)
  | Some (Calls c) => (observed at_ m c (order ch c), State (S pc) at_ (called at_ c m))
  | Some (Idle c) => ([], State (S pc) at_ (called at_ c m))
  | Some (Move to from) => ([], State (S pc) at_ (copied to from m))
  | Some (Born n parts) => ([], State (S pc) at_ (born n parts m))
  | Some (Anything n) => ([], State (S pc) at_ (store (own n) (anything ch) m))
  | Some (Forget _) => ([], State (S pc) at_ m)
  | Some (Jump n target) => (read s (condition_read n), State (next n target s) at_ m)
  end.

Definition step_planned (M : method) (ch : choice) (s : state) :
    list (list byte) * state :=
  let '(State pc at_ m) := s in
  match nth_error (code M) pc with
  | None => (read s (outputs M), s)
  | Some (Calls c) =>
    let '(seen, m1) := by_elements at_ c (updated_before at_ c m) (order ch c) m in
    (seen, State (S pc) at_ m1)
  | Some (Idle c) =>
    ([], State (S pc) at_ (snd (by_elements at_ c (updated_before at_ c m) (order ch c) m)))
  | Some (Move to from) => ([], State (S pc) (moved to from at_) m)
  | Some (Born n parts) => ([], State (S pc) at_ m)
  | Some (Anything _) | Some (Forget _) => ([], State (S pc) at_ m)
  | Some (Jump n target) => (read s (condition_read n), State (next n target s) at_ m)
  end.

(* choices k: for the step that k further steps follow. *)
Definition choices := nat -> choice.

Definition complete_orders (M : method) (chs : choices) : Prop :=
  forall k c, In (Calls c) (code M) -> complete c (order (chs k) c).

Fixpoint run (step : choice -> state -> list (list byte) * state) (chs : choices) (steps : nat)
    (s : state) : list (list (list byte)) * state :=
  match steps with
  | O => ([], s)
  | S k =>
    let '(seen, s1) := step (chs k) s in
    let '(rest, s2) := run step chs k s1 in
    (seen :: rest, s2)
  end.

(* Where a value may mean anything, it means what the planned run finds there. *)
Definition finds (M : method) (ch : choice) (x : state) : Prop :=
  match nth_error (code M) (counter x) with
  | Some (Anything n) => forall j, anything ch j = get (mem x) (lies x n) j
  | _ => True
  end.

Fixpoint truthful (M : method) (chs : choices) (steps : nat) (x : state) : Prop :=
  match steps with
  | O => True
  | S k => finds M (chs k) x /\ truthful M chs k (snd (step_planned M (chs k) x))
  end.

(* A call begins: the caller writes the inputs. *)
Definition begin_meant (M : method) (given : nat -> N -> byte) (m : memory) : state :=
  State 0 own (store_all own given 0 (inputs M) m).

Definition begin_planned (M : method) (given : nat -> N -> byte) (at_ : name -> place)
    (m : memory) : state :=
  State 0 at_ (store_all at_ given 0 (inputs M) m).

End Runs.
