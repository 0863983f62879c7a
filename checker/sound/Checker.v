(* The rules, as a function: one pass over a method with a list of equations.

   An equation says where the content of a value lies. The certificate gives, at each target of a
   jump, the equations that hold there on all paths; `accepted` confirms them, without a search. *)

From Sound Require Import Memory Model.

(* Here n: the content of n lies where n lies. There n p: it lies in p, whether or not n lies there;
   for a buffer, which other methods look for in p. *)
Inductive equation := Here (n : name) | There (n : name) (p : place).

(* spots: for a handle, the places in one of which it lies. A handle without an entry may lie
   anywhere. Other names lie in their homes. *)
Record knowledge := Know { spots : list (name * list place); known : list equation }.

Record certificate := Certificate {
  begins : list equation;  (* what holds before the inputs are written *)
  invariants : list (nat * knowledge);  (* by instruction *)
  ends : list (name * place) }.  (* where buffers lie when a call ends *)

(* Refused; the next instruction is not reached from here; or what is known there. *)
Inductive verdict := Refused | Elsewhere | On (s : knowledge).

Definition mem_name (n : name) (names : list name) : bool := existsb (N.eqb n) names.

Definition mem_place (p : place) (places : list place) : bool := existsb (same_place p) places.

Definition same_equation (a b : equation) : bool :=
  match a, b with
  | Here n, Here m => n =? m
  | There n p, There m q => (n =? m) && same_place p q
  | _, _ => false
  end.

Definition mem_equation (e : equation) (es : list equation) : bool := existsb (same_equation e) es.

Definition any_meet (ps qs : list place) : bool := existsb (fun p => existsb (meets p) qs) ps.

Definition equation_name (e : equation) : name := match e with Here n | There n _ => n end.

Fixpoint lookup {A} (n : name) (entries : list (name * A)) : option A :=
  match entries with
  | [] => None
  | (m, a) :: rest => if n =? m then Some a else lookup n rest
  end.

Fixpoint invariant_at {A} (pc : nat) (entries : list (nat * A)) : option A :=
  match entries with
  | [] => None
  | (k, a) :: rest => if Nat.eqb pc k then Some a else invariant_at pc rest
  end.

Section Check.

Variable size : name -> N.
Variable M : method.
Variable C : certificate.

(* ---- Where names lie ---- *)

Definition where_is (s : knowledge) (n : name) : option (list place) :=
  if mem_name n (handles M) then lookup n (spots s) else Some [home M n].

(* The places in which names may lie, if these are known and as large as the names. *)
Fixpoint all_places (s : knowledge) (names : list name) : option (list place) :=
  match names with
  | [] => Some []
  | n :: rest =>
    match where_is s n, all_places s rest with
    | Some ps, Some qs => if forallb (fun p => len p =? size n) ps then Some (ps ++ qs) else None
    | _, _ => None
    end
  end.

Fixpoint apart (s : knowledge) (names : list name) : bool :=
  match names with
  | [] => true
  | n :: rest =>
    match where_is s n, all_places s rest with
    | Some ps, Some qs => negb (mem_name n rest) && negb (any_meet ps qs) && apart s rest
    | _, _ => false
    end
  end.

(* ---- The rules ---- *)

(* R1: a read needs its equation. *)
Definition has (s : knowledge) (e : equation) : bool :=
  mem_equation e (known s) ||
  match e with
  | Here _ => false
  | There n p =>
    mem_equation (Here n) (known s) &&
    match where_is s n with Some [q] => same_place p q | _ => false end
  end.

(* R2: whether an equation outlives a write to these names, in these places. *)
Definition stays (s : knowledge) (names : list name) (places : list place) (e : equation) : bool :=
  negb (mem_name (equation_name e) names) &&
  match e with
  | Here n => match where_is s n with Some ps => negb (any_meet ps places) | None => false end
  | There _ p => negb (any_meet [p] places)
  end.

(* R2, R3: results share no bytes; other equations that have a byte of their places end. *)
Definition wrote (s : knowledge) (names : list name) : option knowledge :=
  match all_places s names with
  | Some places =>
    if apart s names
    then Some (Know (spots s) (map Here names ++ filter (stays s names places) (known s)))
    else None
  | None => None
  end.

(* R3: an operand shares bytes with a result only if both have one place, and it is read by elements
   of the result's. *)
Definition may_share (how : reading) (unit : N) (p q : place) : bool :=
  match how with Whole => false | By u => (u =? unit) && same_place p q end.

Definition no_hazard (s : knowledge) (c : call) : bool :=
  forallb (fun x => forallb (fun y =>
    match where_is s (fst x), where_is s (fst y) with
    | Some ps, Some qs =>
      forallb (fun p => forallb (fun q => negb (meets p q) || may_share (snd x) (snd y) p q) qs) ps
    | _, _ => false
    end) (results c)) (operands c).

(* R4: from byte `from` of p on lie these parts, one behind the other, up to its end. *)
Fixpoint tiled (s : knowledge) (p : place) (from : N) (parts : list (name * N * N)) : bool :=
  match parts with
  | [] => from =? len p
  | (n, skip, count) :: rest =>
    match where_is s n with
    | Some [q] =>
      has s (Here n) && (skip + count <=? size n) && same_bank (bank_of p) (bank_of q) &&
      (lo p + from =? lo q + skip) && tiled s p (from + count) rest
    | _ => false
    end
  end.

Definition bears (s : knowledge) (n : name) (parts : list (name * N * N)) : option knowledge :=
  match where_is s n with
  | Some [p] =>
    if (len p =? size n) && tiled s p 0 parts
    then Some (Know (spots s)
                    (Here n :: filter (fun e => negb (equation_name e =? n)) (known s)))
    else None
  | _ => None
  end.

(* M5: what lies in the place of n is what n means. *)
Definition renewed (s : knowledge) (n : name) : option knowledge :=
  match all_places s [n] with
  | Some _ =>
    Some (Know (spots s) (Here n :: filter (fun e => negb (equation_name e =? n)) (known s)))
  | None => None
  end.

(* An equation less. *)
Definition forgot (s : knowledge) (n : name) : knowledge :=
  Know (spots s) (filter (fun e => negb (same_equation e (Here n))) (known s)).

(* R1, R2: of a call whose results nothing needs. *)
Definition spoiled (s : knowledge) (names : list name) : option knowledge :=
  match all_places s names with
  | Some places => Some (Know (spots s) (filter (stays s names places) (known s)))
  | None => None
  end.

(* R5: whether all of t follows from s. *)
Definition implies (s t : knowledge) : bool :=
  forallb (has s) (known t) &&
  forallb (fun x => match where_is s (fst x) with
                    | Some ps => forallb (fun p => mem_place p (snd x)) ps
                    | None => false
                    end) (spots t).

(* M2: a name of the same content, in the same places. *)
Definition renamed (s : knowledge) (to from : name) : option knowledge :=
  if negb (mem_name to (handles M) && (size to <=? size from)) then None else
  let others := filter (fun e => negb (equation_name e =? to)) (known s) in
  let spots_of_others := filter (fun x => negb (fst x =? to)) (spots s) in
  Some (Know (match where_is s from with
              | Some ps => (to, map (fun p => first p (size to)) ps) :: spots_of_others
              | None => spots_of_others
              end)
             (if mem_equation (Here from) (known s) then Here to :: others else others)).

Definition enters (s : knowledge) (target : nat) : bool :=
  Nat.leb target (length (code M)) &&
  match invariant_at target (invariants C) with Some t => implies s t | None => false end.

Definition on (s : option knowledge) : verdict := match s with Some t => On t | None => Refused end.

Definition after (s : knowledge) (i : instruction) : verdict :=
  match i with
  | Calls c =>
    if forallb (fun n => has s (Here n)) (map fst (operands c) ++ map fst (updated c))
       && no_hazard s c
    then on (wrote s (map fst (results c)))
    else Refused
  | Idle c => on (spoiled s (map fst (results c)))
  | Move to from => on (renamed s to from)
  | Born n parts => on (bears s n parts)
  | Anything n => on (renewed s n)
  | Forget n => On (forgot s n)
  | Jump None target => if enters s target then Elsewhere else Refused
  | Jump (Some n) target => if has s (Here n) && enters s target then On s else Refused
  end.

(* ---- The pass ---- *)

(* What is known before instruction pc: what the certificate says, if it follows. *)
Definition enter (pc : nat) (s : verdict) : verdict :=
  match s, invariant_at pc (invariants C) with
  | Refused, _ => Refused
  | On t, Some u => if implies t u then On u else Refused
  | Elsewhere, Some u => On u
  | _, None => s
  end.

Definition leaves (s : knowledge) : bool :=
  forallb (fun n => has s (Here n)) (outputs M) &&
  forallb (fun x => has s (There (fst x) (snd x))) (ends C).

Fixpoint pass (pc : nat) (rest : list instruction) (s : verdict) : bool :=
  match enter pc s, rest with
  | Refused, _ => false
  | Elsewhere, [] => true
  | On t, [] => leaves t
  | Elsewhere, _ :: more => pass (S pc) more Elsewhere
  | On t, i :: more => pass (S pc) more (after t i)
  end.

Definition at_begin : knowledge := Know (map (fun n => (n, [home M n])) (settled M)) (begins C).

Definition accepted : bool := pass 0 (code M) (on (wrote at_begin (inputs M))).

End Check.
