(* Theorem 1: in an accepted method, each read and each output of the planned run gets the bytes that
   it gets in the run that is meant, on every path. *)

From Coq Require Import PeanoNat NArith List Bool Lia.
From Coq.Init Require Import Byte.
From Sound Require Import Memory Model Checker.
Import ListNotations.
Open Scope N_scope.

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

Lemma lookup_in : forall (A : Type) n (a : A) entries, lookup n entries = Some a -> In (n, a) entries.
Proof.
  intros A n a entries. induction entries as [|[m b] rest IH]; simpl; [discriminate|].
  destruct (n =? m) eqn:same; intros found; auto.
  injection found as ->. apply N.eqb_eq in same. subst. auto.
Qed.

Section Soundness.

Variable size : name -> N.
Variable ops : operators.
Variable holds : list byte -> bool.
Variable M : method.
Variable C : certificate.

(* For equations `There n p`: whether they are claimed at all. They are not while no method is loaded
   that puts n into p. *)
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
  intros at_ content names m p out j below. apply store_all_other.
  intros n n_in in_n. exact (out n n_in _ _ (inside_get _ _ below) in_n).
Qed.

Lemma content_stays : forall meant planned at_ f g names n p, ~ In n names ->
  (forall a, In a names -> disjoint p (at_ a)) -> content_in meant planned n p ->
  content_in (store_all own f 0 names meant) (store_all at_ g 0 names planned) n p.
Proof.
  intros meant planned at_ f g names n p not_written out [length equal].
  split; trivial. intros j below. rewrite !untouched; auto.
  - rewrite length. trivial.
  - intros a a_in. apply own_disjoint. congruence.
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
  split; [exact spots_A|]. simpl. intros e e_in. apply in_app_or in e_in. destruct e_in as [e_in|e_in].
  - apply in_map_iff in e_in. destruct e_in as [n [<- n_in]]. simpl.
    destruct (written n n_in) as [_ length]. split; trivial. intros j below.
    destruct (In_nth_error _ _ n_in) as [i found].
    rewrite (store_all_result own f names apart_own i 0 meant n j found) by trivial.
    rewrite (store_all_result at_ g names apart_at i 0 planned n j found) by lia.
    apply same_results.
  - apply filter_In in e_in. destruct e_in as [e_in survives].
    pose proof (known_true _ _ _ _ A _ e_in) as true_before. unfold stays in survives.
    apply andb_true_iff in survives. destruct survives as [other survives].
    apply negb_true_iff, mem_name_not in other. destruct e as [n|n p]; simpl in *.
    + destruct (where_is s n) as [ps|] eqn:place_of; [|discriminate].
      apply negb_true_iff in survives. apply content_stays; trivial. intros a a_in.
      apply (any_meet_not ps places); auto. apply written, a_in.
    + intros is_live. apply content_stays; auto. intros a a_in.
      apply (any_meet_not [p] places); simpl; auto.
      * apply negb_true_iff, survives.
      * apply written, a_in.
Qed.

(* ---- Moves ---- *)

Lemma moved_other : forall to from at_ n, n <> to -> moved to from at_ n = at_ n.
Proof. intros. unfold moved. apply N.eqb_neq in H. rewrite H. trivial. Qed.

Lemma moved_to : forall to from at_, moved to from at_ to = at_ from.
Proof. intros. unfold moved. rewrite N.eqb_refl. trivial. Qed.

Lemma copied_other : forall to from m n j, n <> to ->
  get (copied size to from m) (own n) j = get m (own n) j.
Proof.
  intros. apply store_other. intros [same _]. simpl in same. congruence.
Qed.

Lemma copied_to : forall to from m j, j < size to ->
  get (copied size to from m) (own to) j = get m (own from) j.
Proof. intros. unfold copied, store. rewrite store_inside; trivial. Qed.

Lemma where_renamed : forall s to ps es n, n <> to ->
  where_is (Know (match ps with
                  | Some l => (to, l) :: filter (fun x => negb (fst x =? to)) (spots s)
                  | None => filter (fun x => negb (fst x =? to)) (spots s)
                  end) es) n = where_is s n.
Proof.
  intros s to ps es n other. unfold Checker.where_is. destruct (mem_name n (handles M)); trivial.
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
  agree t (copied size to from meant) planned (moved to from at_).
Proof.
  intros s t to from meant planned at_ A renamed_t. unfold renamed in renamed_t.
  destruct (to =? from) eqn:same.
  - (* A move of a name to itself *)
    apply N.eqb_eq in same. injection renamed_t as <-. subst from.
    assert (unmoved : forall n, moved to to at_ n = at_ n).
    { intros n. unfold moved. destruct (n =? to) eqn:is_to; trivial.
      apply N.eqb_eq in is_to. subst. trivial. }
    assert (uncopied : forall n j, j < size n ->
              get (copied size to to meant) (own n) j = get meant (own n) j).
    { intros n j below. destruct (N.eq_dec n to) as [->|other].
      - apply copied_to. trivial.
      - apply copied_other. trivial. }
    split.
    + intros n ps. rewrite unmoved. apply (spots_true _ _ _ _ A).
    + intros e e_in. pose proof (known_true _ _ _ _ A _ e_in) as before.
      destruct e as [n|n p]; simpl in *; rewrite ?unmoved.
      * destruct before as [length equal]. split; trivial. intros. rewrite uncopied; auto.
      * intros is_live. destruct (before is_live) as [length equal]. split; trivial.
        intros. rewrite uncopied; auto.
  - apply N.eqb_neq in same.
    destruct (negb (mem_name to (handles M) && (size to =? size from))) eqn:fits; [discriminate|].
    apply negb_false_iff, andb_true_iff in fits. destruct fits as [is_handle sizes].
    apply N.eqb_eq in sizes. injection renamed_t as <-. split.
    + intros n ps place_of. destruct (N.eq_dec n to) as [->|other].
      * rewrite moved_to. destruct (where_is s from) as [l|] eqn:from_in;
          unfold Checker.where_is in place_of; rewrite is_handle in place_of; simpl in place_of.
        -- rewrite N.eqb_refl in place_of. injection place_of as <-.
           apply (spots_true _ _ _ _ A), from_in.
        -- rewrite lookup_removed in place_of. discriminate.
      * rewrite moved_other by trivial. apply (spots_true _ _ _ _ A).
        rewrite <- place_of. symmetry. apply where_renamed. trivial.
    + assert (others : forall e, In e (filter (fun e => negb (equation_name e =? to)) (known s)) ->
                true_equation (copied size to from meant) planned (moved to from at_) e).
      { intros e e_in. apply filter_In in e_in. destruct e_in as [e_in other].
        apply negb_true_iff, N.eqb_neq in other.
        pose proof (known_true _ _ _ _ A _ e_in) as before.
        destruct e as [n|n p]; simpl in *; rewrite ?moved_other by trivial.
        - destruct before as [length equal]. split; trivial. intros.
          rewrite copied_other; auto.
        - intros is_live. destruct (before is_live) as [length equal]. split; trivial. intros.
          rewrite copied_other; auto. }
      intros e e_in. simpl in e_in.
      destruct (mem_equation (Here from) (known s)) eqn:from_known; [|auto].
      destruct e_in as [<-|e_in]; [|auto]. apply mem_equation_spec in from_known.
      destruct (known_true _ _ _ _ A _ from_known) as [length equal]. simpl.
      rewrite moved_to. split; [congruence|]. intros j below.
      rewrite copied_to by trivial. apply equal. congruence.
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

(* ---- One step ---- *)

(* What the pass knows at a point of both runs. *)
Definition in_step (w x : state) : Prop :=
  counter w = counter x /\ lies w = own /\
  exists s v, agree s (mem w) (mem x) (lies x) /\
    pass size M C (counter x) (skipn (counter x) (code M)) v = true /\
    (v = On s \/ invariant_at (counter x) (invariants C) = Some s).

(* ... when the invariant of this point has been looked up. *)
Definition stands (s : knowledge) (w x : state) : Prop :=
  agree s (mem w) (mem x) (lies x) /\
  match skipn (counter x) (code M) with
  | [] => leaves M C s = true
  | i :: more => pass size M C (S (counter x)) more (after size M C s i) = true
  end.

Lemma in_step_stands : forall w x, in_step w x -> exists s, stands s w x.
Proof.
  intros w x [_ [_ [s [v [A [passes known]]]]]]. unfold stands.
  destruct (skipn (counter x) (code M)) as [|i more]; simpl in passes;
    unfold enter in passes; destruct known as [->|inv].
  - destruct (invariant_at (counter x) (invariants C)) as [t|] eqn:inv; [|exists s; auto].
    destruct (implies M s t) eqn:follows; [|discriminate].
    exists t. split; [eapply implies_agree; eauto|trivial].
  - rewrite inv in passes. destruct v as [| |t]; try discriminate; [exists s; auto|].
    destruct (implies M t s); [exists s; auto|discriminate].
  - destruct (invariant_at (counter x) (invariants C)) as [t|] eqn:inv; [|exists s; auto].
    destruct (implies M s t) eqn:follows; [|discriminate].
    exists t. split; [eapply implies_agree; eauto|trivial].
  - rewrite inv in passes. destruct v as [| |t]; try discriminate; [exists s; auto|].
    destruct (implies M t s); [exists s; auto|discriminate].
Qed.

Lemma skipn_next : forall (A : Type) k (l : list A) a more,
  skipn k l = a :: more -> nth_error l k = Some a /\ skipn (S k) l = more.
Proof.
  intros A k. induction k as [|k IH]; intros [|b l] a more found; simpl in *; try discriminate.
  - injection found as -> ->. auto.
  - apply IH in found. auto.
Qed.

Lemma skipn_end : forall (A : Type) k (l : list A), skipn k l = [] -> nth_error l k = None.
Proof.
  intros A k. induction k as [|k IH]; intros [|b l] found; simpl in *; try discriminate; auto.
Qed.

(* The pass comes by each instruction. *)
Lemma pass_suffix : forall k pc rest v, (k <= length rest)%nat -> pass size M C pc rest v = true ->
  exists v', pass size M C (pc + k) (skipn k rest) v' = true.
Proof.
  induction k as [|k IH]; intros pc rest v within passes.
  - exists v. rewrite Nat.add_0_r. trivial.
  - destruct rest as [|i more]; simpl in within; [lia|].
    replace (pc + S k)%nat with (S pc + k)%nat by lia. simpl in passes.
    assert (exists v', pass size M C (S pc) more v' = true) as [v' passes'].
    { destruct (enter M C pc v); try discriminate; eauto. }
    apply (IH (S pc) more v'); [lia|trivial].
Qed.

Hypothesis accepted_M : accepted size M C = true.

(* What a jump needs. *)
Lemma jump_in_step : forall s t w x, counter w = t -> counter x = t ->
  lies w = own -> agree s (mem w) (mem x) (lies x) ->
  enters M C s t = true -> in_step w x.
Proof.
  intros s t w x counter_w counter_x own_w A enters_t. unfold enters in enters_t.
  apply andb_true_iff in enters_t. destruct enters_t as [within follows].
  apply Nat.leb_le in within.
  destruct (invariant_at t (invariants C)) as [u|] eqn:inv; [|discriminate].
  destruct (pass_suffix t 0 (code M) _ within accepted_M) as [v passes].
  split; [congruence|]. split; trivial. exists u, v. rewrite counter_x. split; [|split; auto].
  eapply implies_agree; eauto.
Qed.

Lemma read_same : forall s w x names, lies w = own ->
  agree s (mem w) (mem x) (lies x) -> forallb (fun n => has M s (Here n)) names = true ->
  read w names = read x names.
Proof.
  intros s w x names own_w A known. unfold read. apply map_ext_in. intros n n_in.
  rewrite forallb_forall in known. rewrite own_w. apply content_bytes.
  exact (has_true _ _ _ _ _ A (known n n_in)).
Qed.

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

(* The heart: both runs read the same, and the pass goes on with them. *)
Lemma step_in_step : forall order w x, in_step w x ->
  fst (step_meant size ops holds M order w) = fst (step_planned ops holds M order x) /\
  in_step (snd (step_meant size ops holds M order w)) (snd (step_planned ops holds M order x)).
Proof.
  intros order [pc at_w m] [pc_x at_x m_x] together.
  pose proof together as [counters [own_w _]]. simpl in counters, own_w. subst pc_x at_w.
  destruct (in_step_stands _ _ together) as [s [A passes]]. simpl in A, passes.
  destruct (skipn pc (code M)) as [|i more] eqn:here.
  - (* The end *)
    pose proof (skipn_end _ _ _ here) as at_end. simpl. rewrite at_end. simpl.
    split; [|trivial]. apply andb_true_iff in passes. destruct passes as [known _].
    apply (read_same s); trivial.
  - destruct (skipn_next _ _ _ _ _ here) as [at_pc rest]. simpl. rewrite at_pc.
    assert (goes_on : forall t m' at_' mx', agree t m' mx' at_' ->
              pass size M C (S pc) more (On t) = true ->
              in_step (State (S pc) own m') (State (S pc) at_' mx')).
    { intros t m' at_' mx' A' passes'. split; [|split]; trivial. exists t, (On t).
      simpl counter. rewrite rest. auto. }
    destruct i as [c|to from|[n|] target]; simpl in passes |- *.
    + destruct (forallb _ (map fst (operands c) ++ map fst (updated c))) eqn:known;
        [|destruct more; discriminate].
      destruct (wrote size M s (map fst (results c))) as [t|] eqn:wrote_t;
        [|destruct more; discriminate].
      assert (same : forall j, views own m c j = views at_x m_x c j).
      { intros j. eapply views_same; eauto. }
      split.
      * unfold observed. simpl. induction order as [|j order IH]; simpl; trivial.
        rewrite same, IH. trivial.
      * apply (goes_on t); trivial. eapply wrote_agree; eauto.
        intros k j. unfold made_of. rewrite same. trivial.
    + destruct (renamed size M s to from) as [t|] eqn:renamed_t;
        [|destruct more; discriminate].
      split; trivial. apply (goes_on t); trivial. eapply renamed_agree; eauto.
    + destruct (has M s (Here n) && enters M C s target) eqn:tests;
        [|destruct more; discriminate].
      apply andb_true_iff in tests. destruct tests as [known enters_t].
      assert (same : bytes m (own n) = bytes m_x (at_x n)).
      { apply content_bytes. exact (has_true _ _ _ _ _ A known). }
      split; [rewrite same; trivial|]. rewrite same. destruct (holds (bytes m_x (at_x n))).
      * apply (jump_in_step s target); trivial.
      * apply (goes_on s); trivial.
    + destruct (enters M C s target) eqn:enters_t; [|destruct more; discriminate].
      split; trivial. apply (jump_in_step s target); trivial.
Qed.

Lemma run_in_step : forall orders steps w x, in_step w x ->
  fst (run (step_meant size ops holds M) orders steps w) =
    fst (run (step_planned ops holds M) orders steps x) /\
  in_step (snd (run (step_meant size ops holds M) orders steps w))
    (snd (run (step_planned ops holds M) orders steps x)).
Proof.
  intros orders steps. induction steps as [|k IH]; intros w x together; simpl; [auto|].
  destruct (step_in_step (orders k) w x together) as [same_seen next_together].
  destruct (step_meant size ops holds M (orders k) w) as [seen_w w1].
  destruct (step_planned ops holds M (orders k) x) as [seen_x x1]. simpl in *. subst seen_x.
  destruct (IH w1 x1 next_together) as [same_rest end_together].
  destruct (run (step_meant size ops holds M) orders k w1).
  destruct (run (step_planned ops holds M) orders k x1). simpl in *. subst. auto.
Qed.

Lemma begin_in_step : forall given meant planned at_, at_home at_ ->
  (forall e, In e (begins C) -> true_equation meant planned at_ e) ->
  in_step (begin_meant size M given meant) (begin_planned M given at_ planned).
Proof.
  intros given meant planned at_ home_at begins_true. pose proof accepted_M as passes.
  unfold accepted in passes.
  destruct (wrote size M (at_begin M C) (inputs M)) as [t|] eqn:wrote_t.
  - split; [|split]; trivial. exists t, (On t). split; [|auto]. simpl.
    eapply wrote_agree; eauto. split; [|exact begins_true].
    intros n ps. unfold Checker.where_is, at_begin. simpl.
    destruct (mem_name n (handles M)) eqn:is_handle; intros found.
    + apply lookup_in, in_map_iff in found. destruct found as [a [same a_in]].
      injection same as -> <-. simpl. left. symmetry. apply home_at. auto.
    + injection found as <-. simpl. left. symmetry. apply home_at. left.
      apply mem_name_not. trivial.
  - exfalso. destruct (code M); simpl in passes; discriminate.
Qed.

End Soundness.

(* Everywhere: all equations are claimed. *)
Definition everywhere (n : name) (p : place) : Prop := True.

(* THEOREM 1. For all operators, conditions, inputs and contents of both memories, if what the
   certificate says of the begin is true: after any number of steps, what was read is the same, and
   so is the place in the listing. A run that has come to its end reads the outputs. *)
Theorem one_method : forall size ops holds M C, accepted size M C = true ->
  forall orders steps given meant planned at_, at_home M at_ ->
  (forall e, In e (begins C) -> true_equation size everywhere meant planned at_ e) ->
  let w := run (step_meant size ops holds M) orders steps (begin_meant size M given meant) in
  let x := run (step_planned ops holds M) orders steps (begin_planned M given at_ planned) in
  fst w = fst x /\ counter (snd w) = counter (snd x).
Proof.
  intros size ops holds M C accepted_M orders steps given meant planned at_ home_at begins_true.
  simpl.
  destruct (run_in_step size ops holds M C everywhere accepted_M orders steps
              (begin_meant size M given meant) (begin_planned M given at_ planned))
    as [same [counters _]].
  - apply begin_in_step; trivial.
  - auto.
Qed.

Print Assumptions one_method.
