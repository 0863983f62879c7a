(* What equations mean, and that each rule keeps them true.

   `agree` says: each handle lies where it may lie, and each equation is true of two memories, the
   one in which each value has bytes of its own and the planned one. *)

From Sound Require Import Memory Model Elements Checker.

(* ---- Tests on lists ---- *)

Lemma mem_name_spec : forall n names, mem_name n names = true <-> In n names.
Proof.
  intros. unfold mem_name. rewrite existsb_exists. split.
  - intros [m [m_in same]]. apply N.eqb_eq in same. subst. trivial.
  - intros n_in. exists n. split; trivial. apply N.eqb_refl.
Qed.

Lemma mem_name_not : forall n names, mem_name n names = false <-> ~ In n names.
Proof. intros. rewrite <- mem_name_spec, not_true_iff_false. tauto. Qed.

Lemma mem_place_spec : forall p places, mem_place p places = true -> In p places.
Proof.
  intros p places found. apply existsb_exists in found. destruct found as [q [q_in same]].
  apply same_place_spec in same. subst. trivial.
Qed.

Lemma mem_equation_spec : forall e es, mem_equation e es = true -> In e es.
Proof.
  intros e es found. apply existsb_exists in found. destruct found as [f [f_in same]].
  destruct e as [n|n p], f as [m|m q]; simpl in same; try discriminate.
  - apply N.eqb_eq in same. subst. trivial.
  - apply andb_true_iff in same. destruct same as [same_name same].
    apply N.eqb_eq in same_name. apply same_place_spec in same. subst. trivial.
Qed.

Lemma any_meet_not : forall ps qs p q, any_meet ps qs = false -> In p ps -> In q qs -> disjoint p q.
Proof.
  intros ps qs p q none p_in q_in. apply meets_not. apply not_true_iff_false. intros both.
  apply not_true_iff_false in none. apply none. apply existsb_exists. exists p. split; trivial.
  apply existsb_exists. exists q. auto.
Qed.

Lemma lookup_filter : forall (A : Type) n to (entries : list (name * A)), n <> to ->
  lookup n (filter (fun x => negb (fst x =? to)) entries) = lookup n entries.
Proof.
  intros A n to entries other. induction entries as [|[m a] rest IH]; simpl; trivial.
  destruct (m =? to) eqn:is_to; simpl.
  - apply N.eqb_eq in is_to. subst. apply N.eqb_neq in other. rewrite other. trivial.
  - rewrite IH. trivial.
Qed.

Lemma lookup_in : forall (A : Type) n (a : A) entries,
  lookup n entries = Some a -> In (n, a) entries.
Proof.
  intros A n a entries. induction entries as [|[m b] rest IH]; simpl; [discriminate|].
  destruct (n =? m) eqn:same; intros found; auto.
  injection found as ->. apply N.eqb_eq in same. subst. auto.
Qed.

Section Rules.

Variable size : name -> N.
Variable M : method.

(* For equations `There n p`: whether they are claimed. They are not while no method is loaded that
   puts n into p. *)
Variable live : name -> place -> Prop.

Notation own := (own size).
Notation where_is := (where_is M).

(* ---- What equations mean ---- *)

Definition content_in (meant planned : memory) (n : name) (p : place) : Prop :=
  len p = size n /\ forall j, j < size n -> get meant (own n) j = get planned p j.

Definition true_equation (meant planned : memory) (at_ : name -> place) (e : equation) : Prop :=
  match e with
  | Here n => content_in meant planned n (at_ n)
  | There n p => live n p -> content_in meant planned n p
  end.

Record agree (s : knowledge) (meant planned : memory) (at_ : name -> place) : Prop := {
  spots_true : forall n ps, where_is s n = Some ps -> In (at_ n) ps;
  known_true : forall e, In e (known s) -> true_equation meant planned at_ e }.

(* Handles may lie anywhere when a call begins, unless they are settled. *)
Definition at_home (at_ : name -> place) : Prop :=
  forall n, ~ In n (handles M) \/ In n (settled M) -> at_ n = home M n.

Lemma has_true : forall s meant planned at_ e, agree s meant planned at_ ->
  has M s e = true -> true_equation meant planned at_ e.
Proof.
  intros s meant planned at_ e A found. unfold has in found. apply orb_true_iff in found.
  destruct found as [found|found].
  - apply (known_true _ _ _ _ A), mem_equation_spec, found.
  - destruct e as [n|n p]; [discriminate|]. apply andb_true_iff in found.
    destruct found as [found one]. apply mem_equation_spec in found.
    pose proof (known_true _ _ _ _ A _ found) as lies_there. simpl in *. intros _.
    destruct (where_is s n) as [[|q [|]]|] eqn:place_of; try discriminate.
    apply same_place_spec in one. subst q.
    destruct (spots_true _ _ _ _ A _ _ place_of) as [->|[]]. trivial.
Qed.

Lemma content_bytes : forall meant planned n p, content_in meant planned n p ->
  bytes meant (own n) = bytes planned p.
Proof. intros meant planned n p [length equal]. apply bytes_equal; simpl; auto. Qed.

Lemma content_view : forall meant planned n p how i, content_in meant planned n p ->
  view meant (own n) how i = view planned p how i.
Proof.
  intros meant planned n p [|u] i lies_there; simpl; [apply content_bytes; trivial|].
  destruct lies_there as [length equal].
  apply bytes_equal; simpl; [rewrite length; trivial|]. intros j below.
  specialize (equal (i * u + j)). unfold get in *. simpl in *.
  rewrite N.add_assoc in equal. apply equal. lia.
Qed.

(* ---- Writes ---- *)

Lemma own_disjoint : forall a b, a <> b -> disjoint (own a) (own b).
Proof. intros a b differ c o [in_a _] [in_b _]. simpl in *. congruence. Qed.

Lemma all_places_in : forall s at_ names places,
  (forall n ps, where_is s n = Some ps -> In (at_ n) ps) ->
  all_places size M s names = Some places ->
  forall n, In n names -> In (at_ n) places /\ len (at_ n) = size n.
Proof.
  intros s at_ names. induction names as [|a rest IH]; simpl; intros places spots known n n_in.
  - contradiction.
  - destruct (where_is s a) as [ps|] eqn:place_of; [|discriminate].
    destruct (all_places size M s rest) as [qs|]; [|discriminate].
    destruct (forallb (fun p => len p =? size a) ps) eqn:fits; [|discriminate].
    injection known as <-. destruct n_in as [->|n_in].
    + pose proof (spots _ _ place_of) as at_in. rewrite forallb_forall in fits.
      split; [apply in_or_app; auto|]. apply N.eqb_eq, fits, at_in.
    + destruct (IH qs spots eq_refl n n_in). split; trivial. apply in_or_app. auto.
Qed.

Lemma apart_all : forall s at_ names, (forall n ps, where_is s n = Some ps -> In (at_ n) ps) ->
  apart size M s names = true -> all_apart at_ names /\ all_apart own names.
Proof.
  intros s at_ names spots. induction names as [|a rest IH]; simpl; intros test.
  - split; constructor.
  - destruct (where_is s a) as [ps|] eqn:place_of; [|discriminate].
    destruct (all_places size M s rest) as [qs|] eqn:places_of; [|discriminate].
    rewrite !andb_true_iff, !negb_true_iff in test. destruct test as [[once apart_a] test].
    apply mem_name_not in once. destruct (IH test) as [apart_at apart_own].
    split; constructor; trivial; apply Forall_forall; intros b b_in.
    + apply (any_meet_not ps qs); [trivial|apply spots; trivial|].
      eapply all_places_in; eauto.
    + apply own_disjoint. intros ->. contradiction.
Qed.

Lemma untouched : forall at_ content names m p,
  (forall n, In n names -> disjoint p (at_ n)) ->
  forall j, j < len p -> get (store_all at_ content 0 names m) p j = get m p j.
Proof.
  intros at_ content names m p out j below. apply store_chosen_other.
  intros n n_in in_n. exact (out n n_in _ _ (inside_get _ _ below) in_n).
Qed.

Lemma content_kept : forall meant meant' planned planned' n p,
  (forall j, j < size n -> get meant' (own n) j = get meant (own n) j) ->
  (forall j, j < len p -> get planned' p j = get planned p j) ->
  content_in meant planned n p -> content_in meant' planned' n p.
Proof.
  intros meant meant' planned planned' n p same_meant same_planned [length equal]. split; trivial.
  intros j below. rewrite same_meant, same_planned by (trivial; lia). auto.
Qed.

(* R2: equations that a write does not touch, whatever it writes. *)
Lemma stays_true : forall s names places f meant planned planned' at_ e,
  agree s meant planned at_ -> all_places size M s names = Some places ->
  (forall b o, (forall n, In n names -> ~ inside (at_ n) b o) -> planned' b o = planned b o) ->
  In e (filter (stays M s names places) (known s)) ->
  true_equation (store_all own f 0 names meant) planned' at_ e.
Proof.
  intros s names places f meant planned planned' at_ e A places_of same e_in.
  apply filter_In in e_in. destruct e_in as [e_in survives].
  pose proof (known_true _ _ _ _ A _ e_in) as before. unfold stays in survives.
  apply andb_true_iff in survives. destruct survives as [other survives].
  apply negb_true_iff, mem_name_not in other.
  pose proof (all_places_in _ at_ _ _ (spots_true _ _ _ _ A) places_of) as written.
  assert (keeps : forall p, (forall a, In a names -> disjoint p (at_ a)) ->
            content_in meant planned (equation_name e) p ->
            content_in (store_all own f 0 names meant) planned' (equation_name e) p).
  { intros p out. apply content_kept.
    - intros j below. apply untouched; [|trivial]. intros a a_in. apply own_disjoint. congruence.
    - intros j below. apply same. intros a a_in in_a.
      exact (out a a_in _ _ (inside_get _ _ below) in_a). }
  destruct e as [n|n p]; simpl in *.
  - destruct (where_is s n) as [ps|] eqn:place_of; [|discriminate].
    apply negb_true_iff in survives. apply keeps; trivial. intros a a_in.
    apply (any_meet_not ps places); trivial; [apply (spots_true _ _ _ _ A), place_of|].
    apply written, a_in.
  - intros is_live. apply keeps; auto. intros a a_in. apply (any_meet_not [p] places); simpl; auto.
    + apply negb_true_iff, survives.
    + apply written, a_in.
Qed.

Lemma wrote_places : forall s t names at_, (forall n ps, where_is s n = Some ps -> In (at_ n) ps) ->
  wrote size M s names = Some t ->
  all_apart at_ names /\ forall n, In n names -> len (at_ n) = size n.
Proof.
  intros s t names at_ spots wrote_t. unfold wrote in wrote_t.
  destruct (all_places size M s names) as [places|] eqn:places_of; [|discriminate].
  destruct (apart size M s names) eqn:apart_names; [|discriminate]. split.
  - apply (apart_all s); trivial.
  - intros n n_in. eapply all_places_in; eauto.
Qed.

(* R2 is right, whatever the results are. *)
Lemma wrote_agree : forall s t names f g meant planned at_, (forall k j, f k j = g k j) ->
  agree s meant planned at_ -> wrote size M s names = Some t ->
  agree t (store_all own f 0 names meant) (store_all at_ g 0 names planned) at_.
Proof.
  intros s t names f g meant planned at_ same_results A wrote_t. unfold wrote in wrote_t.
  destruct (all_places size M s names) as [places|] eqn:places_of; [|discriminate].
  destruct (apart size M s names) eqn:apart_names; [|discriminate]. injection wrote_t as <-.
  pose proof (spots_true _ _ _ _ A) as spots_A.
  pose proof (all_places_in _ at_ _ _ spots_A places_of) as written.
  destruct (apart_all _ at_ _ spots_A apart_names) as [apart_at apart_own].
  split; [exact spots_A|]. simpl. intros e e_in.
  apply in_app_or in e_in. destruct e_in as [e_in|e_in].
  - apply in_map_iff in e_in. destruct e_in as [n [<- n_in]]. simpl.
    destruct (written n n_in) as [_ length]. split; trivial. intros j below.
    destruct (In_nth_error _ _ n_in) as [i found].
    rewrite (store_all_result own f names apart_own i 0 meant n j found) by trivial.
    rewrite (store_all_result at_ g names apart_at i 0 planned n j found) by lia.
    apply same_results.
  - apply (stays_true s names places f _ planned); trivial. intros b o out.
    apply store_chosen_other. trivial.
Qed.

(* A call whose results nothing needs, whatever it writes there. *)
Lemma spoiled_agree : forall s t names f meant planned planned' at_, agree s meant planned at_ ->
  spoiled size M s names = Some t ->
  (forall b o, (forall n, In n names -> ~ inside (at_ n) b o) -> planned' b o = planned b o) ->
  agree t (store_all own f 0 names meant) planned' at_.
Proof.
  intros s t names f meant planned planned' at_ A spoiled_t same. unfold spoiled in spoiled_t.
  destruct (all_places size M s names) as [places|] eqn:places_of; [|discriminate].
  injection spoiled_t as <-. split; [exact (spots_true _ _ _ _ A)|].
  intros e e_in. exact (stays_true s names places f _ _ _ _ e A places_of same e_in).
Qed.

(* A new meaning of n touches no equation of others. *)
Lemma others_true : forall s n f meant planned at_ e, agree s meant planned at_ ->
  In e (filter (fun e => negb (equation_name e =? n)) (known s)) ->
  true_equation (store (own n) f meant) planned at_ e.
Proof.
  intros s n f meant planned at_ e A e_in. apply filter_In in e_in. destruct e_in as [e_in other].
  apply negb_true_iff, N.eqb_neq in other.
  assert (kept : forall j, get (store (own n) f meant) (own (equation_name e)) j =
                           get meant (own (equation_name e)) j).
  { intros j. apply store_other. intros [same _]. simpl in same. congruence. }
  pose proof (known_true _ _ _ _ A _ e_in) as before.
  destruct e as [a|a q]; simpl in *.
  - destruct before as [fits equal]. split; trivial. intros. rewrite kept. auto.
  - intros is_live. destruct (before is_live) as [fits equal]. split; trivial.
    intros. rewrite kept. auto.
Qed.

(* ---- Moves ---- *)

Lemma moved_other : forall to from at_ n, n <> to -> moved size to from at_ n = at_ n.
Proof. intros. unfold moved. apply N.eqb_neq in H. rewrite H. trivial. Qed.

Lemma moved_to : forall to from at_, moved size to from at_ to = first (at_ from) (size to).
Proof. intros. unfold moved. rewrite N.eqb_refl. trivial. Qed.

Lemma copied_other : forall to from m n j, n <> to ->
  get (copied size to from m) (own n) j = get m (own n) j.
Proof.
  intros. apply store_other. intros [same _]. simpl in same. congruence.
Qed.

Lemma copied_to : forall to from m j, j < size to ->
  get (copied size to from m) (own to) j = get m (own from) j.
Proof. intros. unfold copied, store. rewrite store_inside; trivial. Qed.

Lemma where_renamed : forall s to ps (clip : list place -> list place) es n, n <> to ->
  where_is (Know (match ps with
                  | Some l => (to, clip l) :: filter (fun x => negb (fst x =? to)) (spots s)
                  | None => filter (fun x => negb (fst x =? to)) (spots s)
                  end) es) n = where_is s n.
Proof.
  intros s to ps clip es n other. unfold Checker.where_is.
  destruct (mem_name n (handles M)); trivial.
  destruct ps as [l|]; simpl; [|apply lookup_filter; trivial].
  pose proof other as not_to. apply N.eqb_neq in not_to. rewrite not_to.
  apply lookup_filter; trivial.
Qed.

Lemma lookup_removed : forall (A : Type) n (entries : list (name * A)),
  lookup n (filter (fun x => negb (fst x =? n)) entries) = None.
Proof.
  intros A n entries. induction entries as [|[m a] rest IH]; simpl; trivial.
  destruct (m =? n) eqn:same; simpl; trivial. rewrite N.eqb_sym, same. trivial.
Qed.

Lemma renamed_agree : forall s t to from meant planned at_, agree s meant planned at_ ->
  renamed size M s to from = Some t ->
  agree t (copied size to from meant) planned (moved size to from at_).
Proof.
  intros s t to from meant planned at_ A renamed_t. unfold renamed in renamed_t.
  destruct (negb (mem_name to (handles M) && (size to <=? size from))) eqn:fits; [discriminate|].
  apply negb_false_iff, andb_true_iff in fits. destruct fits as [is_handle sizes].
  apply N.leb_le in sizes. injection renamed_t as <-. split.
  - intros n ps place_of. destruct (N.eq_dec n to) as [->|other].
    + rewrite moved_to. destruct (where_is s from) as [l|] eqn:from_in;
        unfold Checker.where_is in place_of; rewrite is_handle in place_of; simpl in place_of.
      * rewrite N.eqb_refl in place_of. injection place_of as <-.
        apply (in_map (fun p => first p (size to))), (spots_true _ _ _ _ A), from_in.
      * rewrite lookup_removed in place_of. discriminate.
    + rewrite moved_other by trivial. apply (spots_true _ _ _ _ A).
      rewrite <- place_of. symmetry.
      apply (where_renamed s to _ (map (fun p => first p (size to)))). trivial.
  - assert (others : forall e, In e (filter (fun e => negb (equation_name e =? to)) (known s)) ->
              true_equation (copied size to from meant) planned (moved size to from at_) e).
    { intros e e_in.
      pose proof (others_true s to (get meant (own from)) meant planned at_ e A e_in) as after_copy.
      apply filter_In in e_in. destruct e_in as [_ other].
      apply negb_true_iff, N.eqb_neq in other.
      destruct e as [n|n p]; simpl in *; rewrite ?moved_other by trivial; trivial. }
    intros e e_in. simpl in e_in.
    destruct (mem_equation (Here from) (known s)) eqn:from_known; [|auto].
    destruct e_in as [<-|e_in]; [|auto]. apply mem_equation_spec in from_known.
    destruct (known_true _ _ _ _ A _ from_known) as [length equal]. simpl.
    rewrite moved_to. split; [simpl; lia|]. intros j below.
    rewrite copied_to by trivial. apply equal. lia.
Qed.

(* ---- Births ---- *)

Lemma tiled_joined : forall s meant planned at_ p parts from, agree s meant planned at_ ->
  tiled size M s p from parts = true ->
  forall j, from + j < len p -> joined size meant parts j = get planned p (from + j).
Proof.
  intros s meant planned at_ p parts. induction parts as [|[[n skip] count] rest IH];
    intros from A tiles j below; simpl in *.
  - apply N.eqb_eq in tiles. lia.
  - destruct (where_is s n) as [[|q [|]]|] eqn:place_of; try discriminate.
    rewrite !andb_true_iff in tiles. destruct tiles as [[[[there within] bank_q] lo_q] tiles].
    apply N.leb_le in within. apply same_bank_spec in bank_q. apply N.eqb_eq in lo_q.
    destruct (spots_true _ _ _ _ A _ _ place_of) as [at_n|[]].
    destruct (has_true _ _ _ _ _ A there) as [_ equal]. rewrite <- at_n in equal.
    destruct (j <? count) eqn:in_first.
    + apply N.ltb_lt in in_first. rewrite equal by lia. unfold get. rewrite bank_q.
      f_equal. lia.
    + apply N.ltb_ge in in_first. rewrite (IH (from + count)) by (trivial; lia).
      f_equal. lia.
Qed.

(* M5: the planned run does nothing, and what it finds is what is meant. *)
Lemma renewed_agree : forall s t n f meant planned at_, agree s meant planned at_ ->
  renewed size M s n = Some t -> (forall j, f j = get planned (at_ n) j) ->
  agree t (store (own n) f meant) planned at_.
Proof.
  intros s t n f meant planned at_ A renewed_t found. unfold renewed in renewed_t.
  destruct (all_places size M s [n]) as [places|] eqn:places_of; [|discriminate].
  injection renewed_t as <-. pose proof (spots_true _ _ _ _ A) as spots_A. split; trivial.
  simpl. intros e [<-|e_in]; [|eapply others_true; eauto]. simpl.
  destruct (all_places_in s at_ [n] _ spots_A places_of n (or_introl eq_refl)) as [_ length].
  split; trivial. intros j below. unfold store. rewrite store_inside by trivial. auto.
Qed.

(* M4, R4: the planned run does nothing, and finds what is meant. *)
Lemma bears_agree : forall s t n parts meant planned at_, agree s meant planned at_ ->
  bears size M s n parts = Some t -> agree t (born size n parts meant) planned at_.
Proof.
  intros s t n parts meant planned at_ A bears_t. unfold bears in bears_t.
  destruct (where_is s n) as [[|p [|]]|] eqn:place_of; try discriminate.
  destruct ((len p =? size n) && tiled size M s p 0 parts) eqn:tests; [|discriminate].
  apply andb_true_iff in tests. destruct tests as [length tiles]. apply N.eqb_eq in length.
  injection bears_t as <-. split; [exact (spots_true _ _ _ _ A)|]. simpl.
  destruct (spots_true _ _ _ _ A _ _ place_of) as [at_n|[]].
  intros e [<-|e_in]; simpl.
  - rewrite <- at_n. split; trivial. intros j below. unfold born, store.
    rewrite store_inside by trivial. rewrite <- (N.add_0_l j) at 2.
    apply (tiled_joined s _ _ at_ _ _ _ A tiles). lia.
  - unfold born. eapply others_true; eauto.
Qed.

(* ---- Results over operands ---- *)

Lemma views_same : forall s meant planned at_ c i, agree s meant planned at_ ->
  forallb (fun n => has M s (Here n)) (map fst (operands c) ++ map fst (updated c)) = true ->
  views own meant c i = views at_ planned c i.
Proof.
  intros s meant planned at_ c i A known. rewrite forallb_forall in known.
  assert (there : forall n, In n (map fst (operands c) ++ map fst (updated c)) ->
            content_in meant planned n (at_ n)).
  { intros n n_in. exact (has_true _ _ _ _ _ A (known n n_in)). }
  unfold views. f_equal; apply map_ext_in; intros a a_in.
  - apply content_view, there, in_or_app. left. apply in_map, a_in.
  - apply content_bytes, there, in_or_app. right. apply in_map, a_in.
Qed.

Lemma agree_same : forall s meant planned planned' at_, (forall b o, planned' b o = planned b o) ->
  agree s meant planned at_ -> agree s meant planned' at_.
Proof.
  intros s meant planned planned' at_ same [spots known]. split; trivial.
  intros e e_in. specialize (known e e_in). destruct e as [n|n p]; simpl in *.
  - destruct known as [length equal]. split; trivial. intros. unfold get. rewrite same. apply equal.
    trivial.
  - intros is_live. destruct (known is_live) as [length equal]. split; trivial. intros.
    unfold get. rewrite same. apply equal. trivial.
Qed.

Lemma no_hazard_true : forall s c at_, (forall n ps, where_is s n = Some ps -> In (at_ n) ps) ->
  no_hazard M s c = true ->
  forall v how n u, In (v, how) (operands c) -> In (n, u) (results c) ->
  disjoint (at_ v) (at_ n) \/ (how = By u /\ at_ v = at_ n).
Proof.
  intros s c at_ spots test v how n u v_in n_in. unfold no_hazard in test.
  rewrite forallb_forall in test. specialize (test _ v_in). rewrite forallb_forall in test.
  specialize (test _ n_in). simpl in test.
  destruct (where_is s v) as [ps|] eqn:place_v; [|discriminate].
  destruct (where_is s n) as [qs|] eqn:place_n; [|discriminate].
  rewrite forallb_forall in test. specialize (test _ (spots _ _ place_v)).
  rewrite forallb_forall in test. specialize (test _ (spots _ _ place_n)).
  apply orb_true_iff in test. destruct test as [apart_vn|shares].
  - left. apply meets_not, negb_true_iff, apart_vn.
  - right. destruct how as [|w]; [discriminate|]. simpl in shares.
    apply andb_true_iff in shares. destruct shares as [same_unit same].
    apply N.eqb_eq in same_unit. apply same_place_spec in same. subst. auto.
Qed.

(* R3: a call that goes by elements reads what is meant, and makes what is meant. *)
Lemma call_agree : forall ops s t c order meant planned at_, agree s meant planned at_ ->
  forallb (fun n => has M s (Here n)) (map fst (operands c) ++ map fst (updated c)) = true ->
  no_hazard M s c = true -> wrote size M s (map fst (results c)) = Some t ->
  complete size c order ->
  let r := by_elements ops at_ c (updated_before at_ c planned) order planned in
  fst r = observed own meant c order /\ agree t (called ops own c meant) (snd r) at_.
Proof.
  intros ops s t c order meant planned at_ A known hazards wrote_t all.
  assert (same : forall i, views own meant c i = views at_ planned c i).
  { intros i. eapply views_same; eauto. }
  destruct (wrote_places s t (map fst (results c)) at_ (spots_true _ _ _ _ A) wrote_t)
    as [apart_results fits].
  destruct (element_by_element size ops at_ c planned apart_results) with (order := order)
    as [seen made_same]; trivial.
  - intros n u n_in. apply fits. apply (in_map fst _ _ n_in).
  - apply (no_hazard_true s c at_ (spots_true _ _ _ _ A) hazards).
  - simpl. split.
    + rewrite seen. unfold observed. clear all seen made_same.
      induction order as [|i order IH]; simpl; trivial. rewrite same, IH. trivial.
    + apply (agree_same _ _ (called ops at_ c planned)); trivial.
      eapply wrote_agree; eauto. intros k j. unfold made_of. rewrite same. trivial.
Qed.

Lemma forgot_agree : forall s n meant planned at_, agree s meant planned at_ ->
  agree (forgot s n) meant planned at_.
Proof.
  intros s n meant planned at_ [spots known]. split; trivial.
  intros e e_in. apply filter_In in e_in. apply known, e_in.
Qed.

(* ---- Joins ---- *)

Lemma implies_agree : forall s t meant planned at_, agree s meant planned at_ ->
  implies M s t = true -> agree t meant planned at_.
Proof.
  intros s t meant planned at_ A follows. apply andb_true_iff in follows.
  destruct follows as [known_t spots_t]. rewrite forallb_forall in known_t, spots_t. split.
  - intros n ps place_of. unfold Checker.where_is in place_of.
    pose proof (spots_true _ _ _ _ A n) as at_n. unfold Checker.where_is in at_n.
    destruct (mem_name n (handles M)) eqn:is_handle; [|auto].
    apply lookup_in in place_of. specialize (spots_t _ place_of). simpl in spots_t.
    unfold Checker.where_is in spots_t. rewrite is_handle in spots_t.
    destruct (lookup n (spots s)) as [qs|]; [|discriminate].
    rewrite forallb_forall in spots_t. apply mem_place_spec, spots_t. auto.
  - intros e e_in. eapply has_true; eauto.
Qed.

End Rules.
