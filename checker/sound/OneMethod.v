(* Theorem 1: in an accepted method, each read and each output of the planned run gets the bytes
   that it gets in the run that is meant, on every path. *)

From Sound Require Import Memory Model Elements Checker Equations.

Section Soundness.

Variable size : name -> N.
Variable ops : operators.
Variable holds : list byte -> bool.
Variable M : method.
Variable C : certificate.
Variable live : name -> place -> Prop.

Notation own := (own size).
Notation agree := (agree size M live).
Notation at_home := (at_home M).

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

Lemma enter_agree : forall pc s v meant planned at_, agree s meant planned at_ ->
  (v = On s \/ invariant_at pc (invariants C) = Some s) -> enter M C pc v <> Refused ->
  exists t, enter M C pc v = On t /\ agree t meant planned at_.
Proof.
  intros pc s v meant planned at_ A known goes_on. unfold enter in *.
  destruct known as [->|inv].
  - destruct (invariant_at pc (invariants C)) as [t|]; [|eauto].
    destruct (implies M s t) eqn:follows; [|congruence].
    exists t. split; trivial. eapply implies_agree; eauto.
  - rewrite inv in *. destruct v as [| |t]; try congruence; [eauto|].
    destruct (implies M t s); [eauto|congruence].
Qed.

Lemma in_step_stands : forall w x, in_step w x -> exists s, stands s w x.
Proof.
  intros w x [_ [_ [s [v [A [passes known]]]]]]. unfold stands.
  destruct (enter_agree (counter x) s v (mem w) (mem x) (lies x) A known) as [t [entered A_t]].
  - intros refused. destruct (skipn (counter x) (code M)); simpl in passes;
      rewrite refused in passes; discriminate.
  - exists t. split; trivial.
    destruct (skipn (counter x) (code M)); simpl in passes; rewrite entered in passes; trivial.
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
  exact (has_true _ _ _ _ _ _ _ _ A (known n n_in)).
Qed.

(* The heart: both runs read the same, and the pass goes on with them. *)
Lemma step_in_step : forall ch w x,
  (forall c, In (Calls c) (code M) -> complete size c (order ch c)) -> finds M ch x ->
  in_step w x ->
  fst (step_meant size ops holds M ch w) = fst (step_planned size ops holds M ch x) /\
  in_step (snd (step_meant size ops holds M ch w)) (snd (step_planned size ops holds M ch x)).
Proof.
  intros ch [pc at_w m] [pc_x at_x m_x] all found together.
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
    unfold finds in found. simpl in found. rewrite at_pc in found.
    destruct i as [c|c|to from|n parts|n|n|[n|] target]; simpl in passes |- *.
    + destruct (forallb _ (map fst (operands c) ++ map fst (updated c)) && no_hazard M s c)
        eqn:tests; [|destruct more; discriminate].
      apply andb_true_iff in tests. destruct tests as [known hazards].
      destruct (wrote size M s (map fst (results c))) as [t|] eqn:wrote_t;
        [|destruct more; discriminate].
      destruct (call_agree size M live ops s t c (order ch c) m m_x at_x)
        as [seen agree_t]; trivial.
      { apply all. eapply nth_error_In; eauto. }
      destruct (by_elements ops at_x c (updated_before at_x c m_x) (order ch c) m_x) as [seen_x m1].
      simpl in *. split; [congruence|]. apply (goes_on t); trivial.
    + destruct (spoiled size M s (map fst (results c))) as [t|] eqn:spoiled_t;
        [|destruct more; discriminate].
      split; trivial. apply (goes_on t); trivial. eapply spoiled_agree; eauto.
      intros b o out. apply by_elements_other. trivial.
    + destruct (renamed size M s to from) as [t|] eqn:renamed_t;
        [|destruct more; discriminate].
      split; trivial. apply (goes_on t); trivial. eapply renamed_agree; eauto.
    + destruct (bears size M s n parts) as [t|] eqn:bears_t; [|destruct more; discriminate].
      split; trivial. apply (goes_on t); trivial. eapply bears_agree; eauto.
    + destruct (renewed size M s n) as [t|] eqn:renewed_t; [|destruct more; discriminate].
      split; trivial. apply (goes_on t); trivial. eapply renewed_agree; eauto.
    + split; trivial. apply (goes_on (forgot s n)); trivial. apply forgot_agree. trivial.
    + destruct (has M s (Here n) && enters M C s target) eqn:tests;
        [|destruct more; discriminate].
      apply andb_true_iff in tests. destruct tests as [known enters_t].
      assert (same : bytes m (own n) = bytes m_x (at_x n)).
      { apply content_bytes. exact (has_true _ _ _ _ _ _ _ _ A known). }
      split; [rewrite same; trivial|]. rewrite same. destruct (holds (bytes m_x (at_x n))).
      * apply (jump_in_step s target); trivial.
      * apply (goes_on s); trivial.
    + destruct (enters M C s target) eqn:enters_t; [|destruct more; discriminate].
      split; trivial. apply (jump_in_step s target); trivial.
Qed.

Lemma run_in_step : forall chs steps w x, complete_orders size M chs ->
  truthful size ops holds M chs steps x -> in_step w x ->
  fst (run (step_meant size ops holds M) chs steps w) =
    fst (run (step_planned size ops holds M) chs steps x) /\
  in_step (snd (run (step_meant size ops holds M) chs steps w))
    (snd (run (step_planned size ops holds M) chs steps x)).
Proof.
  intros chs steps. induction steps as [|k IH]; intros w x all found together; simpl; [auto|].
  destruct found as [found_now found_later].
  destruct (step_in_step (chs k) w x (all k) found_now together) as [same_seen next_together].
  destruct (step_meant size ops holds M (chs k) w) as [seen_w w1].
  destruct (step_planned size ops holds M (chs k) x) as [seen_x x1]. simpl in *. subst seen_x.
  destruct (IH w1 x1 all found_later next_together) as [same_rest end_together].
  destruct (run (step_meant size ops holds M) chs k w1).
  destruct (run (step_planned size ops holds M) chs k x1). simpl in *. subst. auto.
Qed.

Lemma begin_in_step : forall given meant planned at_, at_home at_ ->
  (forall e, In e (begins C) -> true_equation size live meant planned at_ e) ->
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

(* Whatever the orders are, there are truthful choices. *)
Lemma truthful_same : forall size ops holds M steps chs chs' x,
  (forall k, (k < steps)%nat -> chs k = chs' k) ->
  truthful size ops holds M chs steps x -> truthful size ops holds M chs' steps x.
Proof.
  intros size ops holds M steps. induction steps as [|k IH]; intros chs chs' x same; simpl; trivial.
  rewrite <- same by lia. intros [now later]. split; trivial. apply (IH chs); auto.
Qed.

Lemma truthful_exists : forall size ops holds M orders steps x,
  exists chs, (forall k, order (chs k) = orders k) /\ truthful size ops holds M chs steps x.
Proof.
  intros size ops holds M orders steps. induction steps as [|k IH]; intros x.
  - exists (fun k => Choice (orders k) (fun _ => x00)). simpl. auto.
  - set (now := Choice (orders k) (fun j =>
      match nth_error (code M) (counter x) with
      | Some (Anything n) => get (mem x) (lies x n) j
      | _ => x00
      end)).
    destruct (IH (snd (step_planned size ops holds M now x))) as [chs [same later]].
    exists (fun i => if Nat.eqb i k then now else chs i). split.
    + intros i. destruct (Nat.eqb i k) eqn:is_k; [|apply same].
      apply Nat.eqb_eq in is_k. subst. trivial.
    + simpl. rewrite Nat.eqb_refl. split.
      * unfold finds, now. simpl. destruct (nth_error (code M) (counter x)) as [[]|]; auto.
      * apply (truthful_same _ _ _ _ _ chs); trivial. intros i below.
        destruct (Nat.eqb i k) eqn:is_k; trivial. apply Nat.eqb_eq in is_k. lia.
Qed.

(* Everywhere: all equations are claimed. *)
Definition everywhere (n : name) (p : place) : Prop := True.

(* THEOREM 1. For all operators, conditions, inputs and contents of both memories, if what the
   certificate says of the begin is true: after any number of steps, what was read is the same, and
   so is the place in the listing. A run that has come to its end reads the outputs. *)
Theorem one_method : forall size ops holds M C, accepted size M C = true ->
  forall chs steps given meant planned at_, complete_orders size M chs -> at_home M at_ ->
  (forall e, In e (begins C) -> true_equation size everywhere meant planned at_ e) ->
  truthful size ops holds M chs steps (begin_planned M given at_ planned) ->
  let w := run (step_meant size ops holds M) chs steps (begin_meant size M given meant) in
  let x := run (step_planned size ops holds M) chs steps (begin_planned M given at_ planned) in
  fst w = fst x /\ counter (snd w) = counter (snd x).
Proof.
  intros size ops holds M C accepted_M chs steps given meant planned at_
    all home_at begins_true found.
  simpl.
  destruct (run_in_step size ops holds M C everywhere accepted_M chs steps
              (begin_meant size M given meant) (begin_planned M given at_ planned))
    as [same [counters _]].
  - trivial.
  - trivial.
  - apply begin_in_step; trivial.
  - auto.
Qed.

