(* Bytes, places and memories: what a plan is about.

   A place is a stretch of bytes of one bank. A memory gives each byte of each bank a content.
   Writes are functions on memories. Two facts carry all that follows: bytes outside of what is
   written stay, and results in places apart are all there afterwards. *)

From Coq Require Export PeanoNat NArith List Bool Lia.
From Coq.Init Require Export Byte.
Export ListNotations.
Global Open Scope N_scope.

Definition name := N.

(* Planned: bank b of the file; its owner is a method, or none if all methods have it in common.
   Apart: memory that one value has for itself. *)
Inductive bank := Planned (owner : option N) (number : N) | Apart (value : name).

Record place := Place { bank_of : bank; lo : N; len : N }.

Definition memory := bank -> N -> byte.

(* ---- Places ---- *)

Definition inside (p : place) (b : bank) (o : N) : Prop :=
  bank_of p = b /\ lo p <= o < lo p + len p.

Definition disjoint (p q : place) : Prop :=
  forall b o, inside p b o -> inside q b o -> False.

Definition same_owner (a b : option N) : bool :=
  match a, b with
  | None, None => true
  | Some x, Some y => x =? y
  | _, _ => false
  end.

Definition same_bank (a b : bank) : bool :=
  match a, b with
  | Planned x i, Planned y j => same_owner x y && (i =? j)
  | Apart x, Apart y => x =? y
  | _, _ => false
  end.

Definition same_place (p q : place) : bool :=
  same_bank (bank_of p) (bank_of q) && (lo p =? lo q) && (len p =? len q).

Definition meets (p q : place) : bool :=
  same_bank (bank_of p) (bank_of q) && (N.max (lo p) (lo q) <? N.min (lo p + len p) (lo q + len q)).

Lemma same_bank_spec : forall a b, same_bank a b = true <-> a = b.
Proof.
  intros [[x|] i|x] [[y|] j|y]; simpl;
    rewrite ?andb_true_iff, ?N.eqb_eq; split; intuition congruence.
Qed.

Lemma same_place_spec : forall p q, same_place p q = true <-> p = q.
Proof.
  intros [a i k] [b j l]. unfold same_place. simpl.
  rewrite !andb_true_iff, same_bank_spec, !N.eqb_eq. split; intuition congruence.
Qed.

Lemma meets_not : forall p q, meets p q = false -> disjoint p q.
Proof.
  intros p q apart b o [bank_p in_p] [bank_q in_q]. unfold meets in apart.
  assert (same : same_bank (bank_of p) (bank_of q) = true) by (apply same_bank_spec; congruence).
  rewrite same in apart. simpl in apart. apply N.ltb_ge in apart. lia.
Qed.

Definition is_inside (p : place) (b : bank) (o : N) : bool :=
  same_bank (bank_of p) b && (lo p <=? o) && (o <? lo p + len p).

Lemma is_inside_spec : forall p b o, is_inside p b o = true <-> inside p b o.
Proof.
  intros. unfold is_inside, inside.
  rewrite !andb_true_iff, same_bank_spec, N.leb_le, N.ltb_lt. tauto.
Qed.

(* Bytes [from, from + count) of a place, as far as it goes. *)
Definition part (p : place) (from count : N) : place :=
  Place (bank_of p) (lo p + from) (N.min count (len p - from)).

(* The first bytes of a place. *)
Definition first (p : place) (count : N) : place :=
  Place (bank_of p) (lo p) (N.min count (len p)).

(* ---- Reading and writing ---- *)

Definition get (m : memory) (p : place) (j : N) : byte := m (bank_of p) (lo p + j).

Definition bytes (m : memory) (p : place) : list byte :=
  map (fun j => get m p (N.of_nat j)) (seq 0 (N.to_nat (len p))).

(* Bytes j of p with `chosen j` become `content j`. *)
Definition store_some (chosen : N -> bool) (p : place) (content : N -> byte) (m : memory) :
    memory :=
  fun b o => if is_inside p b o && chosen (o - lo p) then content (o - lo p) else m b o.

Definition store := store_some (fun _ => true).

Lemma bytes_equal : forall m p m' p', len p = len p' ->
  (forall j, j < len p -> get m p j = get m' p' j) -> bytes m p = bytes m' p'.
Proof.
  intros m p m' p' lengths equal. unfold bytes. rewrite <- lengths.
  apply map_ext_in. intros j listed. apply in_seq in listed. apply equal. lia.
Qed.

Lemma store_other : forall chosen p content m b o, ~ inside p b o ->
  store_some chosen p content m b o = m b o.
Proof.
  intros chosen p content m b o out. unfold store_some.
  destruct (is_inside p b o) eqn:test; trivial. apply is_inside_spec in test. contradiction.
Qed.

Lemma store_inside : forall chosen p content m j, j < len p ->
  get (store_some chosen p content m) p j = if chosen j then content j else get m p j.
Proof.
  intros chosen p content m j below. unfold get, store_some.
  replace (is_inside p (bank_of p) (lo p + j)) with true.
  - replace (lo p + j - lo p) with j by lia. reflexivity.
  - symmetry. apply is_inside_spec. split; trivial. lia.
Qed.

Lemma inside_get : forall p j, j < len p -> inside p (bank_of p) (lo p + j).
Proof. intros. split; trivial. lia. Qed.

(* Of results number k, k + 1, ... the bytes that `chosen` names go to the places of their names. *)
Fixpoint store_chosen (chosen : nat -> N -> bool) (at_ : name -> place) (content : nat -> N -> byte)
    (k : nat) (names : list name) (m : memory) : memory :=
  match names with
  | [] => m
  | n :: rest =>
    store_chosen chosen at_ content (S k) rest (store_some (chosen k) (at_ n) (content k) m)
  end.

Definition store_all := store_chosen (fun _ _ => true).

Lemma store_chosen_other : forall chosen at_ content b o names k m,
  (forall n, In n names -> ~ inside (at_ n) b o) ->
  store_chosen chosen at_ content k names m b o = m b o.
Proof.
  intros chosen at_ content b o names.
  induction names as [|n rest IH]; simpl; intros k m out; trivial.
  rewrite IH by auto. apply store_other. auto.
Qed.

(* Names whose places share no byte. *)
Definition all_apart (at_ : name -> place) (names : list name) : Prop :=
  ForallOrdPairs (fun a b => disjoint (at_ a) (at_ b)) names.

Lemma store_chosen_result : forall chosen at_ content names, all_apart at_ names ->
  forall i k m n j, nth_error names i = Some n -> j < len (at_ n) ->
  get (store_chosen chosen at_ content k names m) (at_ n) j =
    if chosen (k + i)%nat j then content (k + i)%nat j else get m (at_ n) j.
Proof.
  intros chosen at_ content names apart. induction apart as [|a rest first _ IH].
  - intros [|i]; discriminate.
  - rewrite Forall_forall in first. intros [|i] k m n j found below; simpl in *.
    + injection found as ->. rewrite Nat.add_0_r. unfold get at 1. rewrite store_chosen_other.
      * exact (store_inside (chosen k) _ _ m j below).
      * intros b in_rest in_b. exact (first b in_rest _ _ (inside_get _ _ below) in_b).
    + replace (k + S i)%nat with (S k + i)%nat by lia. rewrite (IH i) by trivial.
      destruct (chosen (S k + i)%nat j); trivial. apply store_other. intros in_a.
      exact (first n (nth_error_In _ _ found) _ _ in_a (inside_get _ _ below)).
Qed.

Lemma store_all_result : forall at_ content names, all_apart at_ names ->
  forall i k m n j, nth_error names i = Some n -> j < len (at_ n) ->
  get (store_all at_ content k names m) (at_ n) j = content (k + i)%nat j.
Proof.
  intros at_ content names apart i k m n j found below.
  exact (store_chosen_result (fun _ _ => true) at_ content names apart i k m n j found below).
Qed.
