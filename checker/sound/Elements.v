(* Results over operands: a call that goes element by element, in any order, reads and makes what it
   would if it read all first, even where results lie over operands that are read by elements.

   The invariant, when the elements `done` are done: their bytes of the results are made; all other
   bytes are as before the call. So an operand that is read by elements still has the elements that
   are not done. *)

From Sound Require Import Memory Model.

(* Whatever a call makes, and in whatever order, it writes only to the places of its results. *)
Lemma by_elements_other : forall ops at_ c before b o order m,
  (forall n, In n (map fst (results c)) -> ~ inside (at_ n) b o) ->
  snd (by_elements ops at_ c before order m) b o = m b o.
Proof.
  intros ops at_ c before b o order. induction order as [|i rest IH]; intros m out; simpl; trivial.
  set (m1 := element_called ops at_ c (views_again at_ m c before i) i m). specialize (IH m1 out).
  destruct (by_elements ops at_ c before rest m1) as [more m2]. simpl in *. rewrite IH.
  apply store_chosen_other. trivial.
Qed.

Section Elements.

Variable size : name -> N.
Variable ops : operators.
Variable at_ : name -> place.
Variable c : call.
Variable m0 : memory.  (* before the call *)

Notation names := (map fst (results c)).
Notation made_j := (made_of ops (views at_ m0 c) c).

Hypothesis results_apart : all_apart at_ names.
Hypothesis fits : forall n u, In (n, u) (results c) -> len (at_ n) = size n.
Hypothesis no_hazard : forall v how n u, In (v, how) (operands c) -> In (n, u) (results c) ->
  disjoint (at_ v) (at_ n) \/ (how = By u /\ at_ v = at_ n).

Definition is_done (done : list N) (i : N) : bool := existsb (N.eqb i) done.

Lemma is_done_not : forall done i, ~ In i done -> is_done done i = false.
Proof.
  intros done i new. apply not_true_iff_false. intros found. apply existsb_exists in found.
  destruct found as [j [j_in same]]. apply N.eqb_eq in same. subst. contradiction.
Qed.

Record half_made (done : list N) (m : memory) : Prop := {
  half_results : forall k n u j, nth_error (results c) k = Some (n, u) -> j < len (at_ n) ->
    get m (at_ n) j = if is_done done (j / u) then made_j k j else get m0 (at_ n) j;
  half_others : forall b o, (forall n, In n names -> ~ inside (at_ n) b o) -> m b o = m0 b o }.

Lemma in_a_result : forall b o,
  (exists k n u, nth_error (results c) k = Some (n, u) /\ inside (at_ n) b o) \/
  (forall n, In n names -> ~ inside (at_ n) b o).
Proof.
  intros b o. destruct (existsb (fun x => is_inside (at_ (fst x)) b o) (results c)) eqn:test.
  - left. apply existsb_exists in test. destruct test as [[n u] [x_in within]].
    apply is_inside_spec in within. destruct (In_nth_error _ _ x_in) as [k found].
    exists k, n, u. auto.
  - right. intros n n_in within. apply not_true_iff_false in test. apply test.
    apply in_map_iff in n_in. destruct n_in as [x [<- x_in]].
    apply existsb_exists. exists x. split; trivial. apply is_inside_spec, within.
Qed.

Lemma inside_part : forall p from count j, j < len (part p from count) -> from + j < len p.
Proof. intros. simpl in *. lia. Qed.

(* The unread elements of an operand are as before. *)
Lemma view_kept : forall done m v how i, half_made done m -> ~ In i done ->
  In (v, how) (operands c) -> view m (at_ v) how i = view m0 (at_ v) how i.
Proof.
  intros done m v how i H new v_in. destruct how as [|u]; simpl; apply bytes_equal; trivial;
    intros j below; unfold get; simpl.
  - destruct (in_a_result (bank_of (at_ v)) (lo (at_ v) + j)) as [[k [n [w [found within]]]]|out].
    + exfalso. destruct (no_hazard _ _ _ _ v_in (nth_error_In _ _ found)) as [apart|[by_w _]].
      * exact (apart _ _ (inside_get _ _ below) within).
      * discriminate.
    + apply (half_others _ _ H). trivial.
  - pose proof (inside_part _ _ _ _ below) as below_v. simpl in below.
    rewrite <- N.add_assoc.
    destruct (in_a_result (bank_of (at_ v)) (lo (at_ v) + (i * u + j)))
      as [[k [n [w [found within]]]]|out].
    + destruct (no_hazard _ _ _ _ v_in (nth_error_In _ _ found)) as [apart|[by_w same]].
      * exfalso. exact (apart _ _ (inside_get _ _ below_v) within).
      * injection by_w as <-. rewrite same in below_v |- *.
        pose proof (half_results _ _ H k n u (i * u + j) found below_v) as kept.
        replace ((i * u + j) / u) with i in kept.
        -- rewrite is_done_not in kept by trivial. exact kept.
        -- apply (N.div_unique _ _ _ j); lia.
    + apply (half_others _ _ H). trivial.
Qed.

Lemma views_kept : forall done m i, half_made done m -> ~ In i done ->
  views_again at_ m c (updated_before at_ c m0) i = views at_ m0 c i.
Proof.
  intros done m i H new. unfold views_again, views, updated_before. f_equal.
  apply map_ext_in. intros [v how] v_in. simpl. eapply view_kept; eauto.
Qed.

Lemma nth_error_names : forall k n u, nth_error (results c) k = Some (n, u) ->
  nth_error names k = Some n.
Proof. intros. rewrite nth_error_map, H. trivial. Qed.

Lemma unit_of_result : forall k n u, nth_error (results c) k = Some (n, u) -> unit_of c k = u.
Proof.
  intros k n u found. apply nth_error_nth. rewrite nth_error_map, found. trivial.
Qed.

Lemma element_half_made : forall done m i, half_made done m -> ~ In i done ->
  half_made (i :: done) (element_called ops at_ c (views at_ m0 c i) i m).
Proof.
  intros done m i H new. split.
  - intros k n u j found below. unfold element_called.
    pose proof (nth_error_names _ _ _ found) as named.
    rewrite (store_chosen_result _ _ _ _ results_apart k 0 m n j named below).
    simpl. unfold is_of, made_of. rewrite (unit_of_result k n u found).
    destruct (j / u =? i) eqn:is_i.
    + apply N.eqb_eq in is_i. rewrite is_i. trivial.
    + rewrite (half_results _ _ H k n u j found below). unfold made_of.
      rewrite (unit_of_result k n u found). trivial.
  - intros b o out. unfold element_called. rewrite store_chosen_other by trivial.
    apply (half_others _ _ H). trivial.
Qed.

Lemma by_elements_half_made : forall order done m, half_made done m -> NoDup order ->
  (forall i, In i order -> ~ In i done) ->
  let r := by_elements ops at_ c (updated_before at_ c m0) order m in
  fst r = observed at_ m0 c order /\ half_made (rev order ++ done) (snd r).
Proof.
  induction order as [|i rest IH]; intros done m H once new; simpl; [auto|].
  inversion once as [|x y i_once once_rest]; subst.
  rewrite (views_kept done) by (trivial; apply new; simpl; auto).
  assert (H1 : half_made (i :: done) (element_called ops at_ c (views at_ m0 c i) i m)).
  { apply element_half_made; trivial. apply new. simpl. auto. }
  destruct (IH (i :: done) _ H1 once_rest) as [same half].
  { intros j j_in [<-|j_done]; [contradiction|]. apply (new j); simpl; auto. }
  destruct (by_elements ops at_ c (updated_before at_ c m0) rest _) as [more m1]. simpl in *.
  rewrite same, <- app_assoc. auto.
Qed.

(* Element by element, in any complete order, is the same as all at once. *)
Theorem element_by_element : forall order, complete size c order ->
  let r := by_elements ops at_ c (updated_before at_ c m0) order m0 in
  fst r = observed at_ m0 c order /\ forall b o, snd r b o = called ops at_ c m0 b o.
Proof.
  intros order [once all].
  assert (start : half_made [] m0) by (split; trivial).
  destruct (by_elements_half_made order [] m0 start once) as [same half]; [auto|].
  simpl. split; trivial. intros b o. unfold called.
  destruct (in_a_result b o) as [[k [n [u [found [bank_n within]]]]]|out].
  - replace o with (lo (at_ n) + (o - lo (at_ n))) by lia. set (j := o - lo (at_ n)).
    assert (below : j < len (at_ n)) by lia.
    pose proof (half_results _ _ half k n u j found below) as made_now. subst b.
    pose proof (store_all_result at_ made_j names results_apart k 0 m0 n j
                  (nth_error_names _ _ _ found) below) as made_once.
    unfold get in made_now, made_once. rewrite made_once, made_now. simpl.
    replace (is_done (rev order ++ []) (j / u)) with true; trivial. symmetry.
    apply existsb_exists. exists (j / u). split; [|apply N.eqb_refl].
    rewrite app_nil_r. apply in_rev. rewrite rev_involutive. pose proof (nth_error_In _ _ found).
    apply (all n u); trivial. rewrite <- (fits n u); trivial.
  - rewrite (half_others _ _ half) by trivial. symmetry. apply store_chosen_other. trivial.
Qed.

End Elements.
