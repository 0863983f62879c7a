(* Theorem 2: in an accepted program, in every history of loads and calls, each read and each output
   of each call gets the bytes that are meant, and each buffer lies where the next call finds it. *)

From Sound Require Import Memory Model Checker Equations OneMethod Programs.

Lemma claimed_spec : forall n p entries, claimed n p entries = true -> In (n, p) entries.
Proof.
  intros n p entries found. apply existsb_exists in found. destruct found as [[m q] [x_in same]].
  apply andb_true_iff in same. destruct same as [same_name same]. simpl in same_name, same.
  apply N.eqb_eq in same_name. apply same_place_spec in same. subst. trivial.
Qed.

(* ---- What a call leaves alone ---- *)

Section Kept.

Variable size : name -> N.
Variable ops : operators.
Variable holds : list byte -> bool.
Variable M : method.

Lemma step_keeps : forall n j ch s, ~ In n (written M) -> j < size n -> lies s = own size ->
  let s' := snd (step_meant size ops holds M ch s) in
  get (mem s') (own size n) j = get (mem s) (own size n) j /\ lies s' = own size.
Proof.
  intros n j ch [pc at_ m] kept below own_s. simpl in own_s. subst at_. simpl.
  destruct (nth_error (code M) pc) as [i|] eqn:at_pc; [|auto].
  assert (not_by_i : ~ In n (written_by i)).
  { intros by_i. apply kept, in_or_app. right. apply in_flat_map. exists i.
    split; trivial. eapply nth_error_In; eauto. }
  destruct i as [c|c|to from|a parts|a|a|condition target]; simpl in *; split; trivial.
  - apply untouched; [|trivial]. intros a a_in. apply own_disjoint. congruence.
  - apply untouched; [|trivial]. intros a a_in. apply own_disjoint. congruence.
  - apply copied_other. intros ->. auto.
  - apply store_other. intros [same _]. simpl in same. apply not_by_i. left. congruence.
  - apply store_other. intros [same _]. simpl in same. apply not_by_i. left. congruence.
Qed.

Lemma run_keeps : forall n j chs steps s, ~ In n (written M) -> j < size n -> lies s = own size ->
  get (mem (snd (run (step_meant size ops holds M) chs steps s))) (own size n) j =
    get (mem s) (own size n) j.
Proof.
  intros n j chs steps. induction steps as [|k IH]; intros s kept below own_s; simpl; trivial.
  destruct (step_keeps n j (chs k) s kept below own_s) as [same own_s'].
  destruct (step_meant size ops holds M (chs k) s) as [seen s1]. simpl in *.
  specialize (IH s1 kept below own_s').
  destruct (run (step_meant size ops holds M) chs k s1). simpl in *. congruence.
Qed.

Lemma call_keeps : forall n j chs steps given m, ~ In n (written M) -> j < size n ->
  get (mem (snd (run (step_meant size ops holds M) chs steps (begin_meant size M given m))))
    (own size n) j = get m (own size n) j.
Proof.
  intros n j chs steps given m kept below. rewrite run_keeps; trivial. simpl.
  apply untouched; [|trivial]. intros a a_in. apply own_disjoint.
  intros ->. apply kept, in_or_app. auto.
Qed.

(* What the pass has shown of the end of a call. *)
Lemma end_true : forall C live w x, in_step size M C live w x -> ended M x = true ->
  forall n p, In (n, p) (ends C) -> live n p -> content_in size (mem w) (mem x) n p.
Proof.
  intros C live w x together at_end n p promised is_live.
  destruct (in_step_stands _ _ _ _ _ _ together) as [s [A passes]].
  apply Nat.leb_le in at_end. rewrite skipn_all2 in passes by trivial.
  apply andb_true_iff in passes. destruct passes as [_ kept]. rewrite forallb_forall in kept.
  exact (has_true _ _ _ _ _ _ _ _ A (kept _ promised) is_live).
Qed.

End Kept.

(* ---- Loads ---- *)

Section Puts.

Variable size : name -> N.
Variable stored : name -> N -> byte.
Variable at_ : name -> place.
Variable meant : memory.

Definition has_stored (n : name) : Prop :=
  forall j, j < size n -> get meant (own size n) j = stored n j.

(* Either the same value in the same place, or other bytes. *)
Definition harmless (n : name) (p : place) (a : name) : Prop :=
  (a = n /\ p = at_ a /\ len p = size n /\ has_stored n) \/ disjoint p (at_ a).

Lemma store_makes : forall n planned, len (at_ n) = size n -> has_stored n ->
  content_in size meant (store (at_ n) (stored n) planned) n (at_ n).
Proof.
  intros n planned length fresh. split; trivial. intros j below. unfold store.
  rewrite store_inside by lia. auto.
Qed.

Lemma put_keeps : forall n p names planned, (forall a, In a names -> harmless n p a) ->
  content_in size meant planned n p -> content_in size meant (put at_ stored names planned) n p.
Proof.
  intros n p names. induction names as [|a rest IH]; intros planned fits lies_there; simpl; trivial.
  apply IH; [intros b b_in; apply fits; simpl; auto|].
  destruct (fits a (or_introl eq_refl)) as [[-> [-> [length fresh]]]|apart].
  - apply store_makes; trivial.
  - destruct lies_there as [length equal]. split; trivial. intros j below.
    rewrite equal by trivial. symmetry. apply store_other. intros in_a.
    apply (apart _ _ (inside_get p j ltac:(lia)) in_a).
Qed.

Lemma put_makes : forall n names planned, (forall a, In a names -> harmless n (at_ n) a) ->
  len (at_ n) = size n -> has_stored n -> In n names ->
  content_in size meant (put at_ stored names planned) n (at_ n).
Proof.
  intros n names. induction names as [|a rest IH]; intros planned fits length fresh n_in; simpl.
  - contradiction.
  - assert (fits_rest : forall b, In b rest -> harmless n (at_ n) b).
    { intros b b_in. apply fits. simpl. auto. }
    destruct (in_dec N.eq_dec n rest) as [later|not_later]; [apply IH; trivial|].
    destruct n_in as [->|later]; [|contradiction].
    apply put_keeps; trivial. apply store_makes; trivial.
Qed.

End Puts.

(* ---- Histories ---- *)

Section SeveralMethods.

Variable P : policy.
Variable Q : program.
Variable C : state_certificate.
Variable ops : operators.
Variable holds : list byte -> bool.
Variable stored : name -> N -> byte.

Hypothesis accepted_Q : program_accepted P Q C = true.

Notation sz := (size Q).
Notation planned_at := (planned_at P Q).

(* What a loader makes of a program: each method is loaded at most once, and before it is called. *)
Inductive orderly : list nat -> list nat -> list event -> Prop :=
| nothing_more : forall loaded called, orderly loaded called []
| a_load : forall loaded called k rest,
    (k < length (methods Q))%nat -> ~ In k loaded -> (all_first C = true -> called = []) ->
    orderly (k :: loaded) called rest -> orderly loaded called (Load k :: rest)
| a_call : forall loaded called k at_ given chs steps rest,
    In k loaded -> at_home (planned_at k) at_ -> complete_orders sz (planned_at k) chs ->
    orderly loaded (k :: called) rest ->
    orderly loaded called (Run k at_ given chs steps :: rest).

(* Equations that hold by now: those that were there before, or that a load has made. *)
Definition live (loaded : list nat) (n : name) (p : place) : Prop :=
  In (n, p) (before C) \/
  exists k, In k loaded /\ In n (loads (method_at Q k)) /\ p = home (planned_at k) n.

Record between_calls (loaded called : list nat) (meant planned : memory) : Prop := {
  lying : forall n p, In (n, p) (between C) -> live loaded n p -> content_in sz meant planned n p;
  fresh : forall n, (exists k, (k < length (methods Q))%nat /\ In n (loads (method_at Q k))) ->
    (forall k, In k called -> ~ In n (written (body (method_at Q k)))) ->
    has_stored sz stored meant n;
  are_methods : forall k, In k loaded -> (k < length (methods Q))%nat;
  are_loaded : forall k, In k called -> In k loaded }.

Lemma accepted_at : forall k, (k < length (methods Q))%nat -> method_accepted P Q C k = true.
Proof.
  intros k below. unfold program_accepted in accepted_Q. rewrite forallb_forall in accepted_Q.
  apply accepted_Q, in_seq. lia.
Qed.

Lemma load_fits_at : forall k n p a, (k < length (methods Q))%nat -> In (n, p) (between C) ->
  In a (loads (method_at Q k)) -> load_fits P Q C k a (n, p) = true.
Proof.
  intros k n p a below np_in a_in. pose proof (accepted_at k below) as tests.
  unfold method_accepted in tests. rewrite !andb_true_iff in tests. destruct tests as [_ fits].
  rewrite forallb_forall in fits. specialize (fits a a_in). rewrite forallb_forall in fits. auto.
Qed.

Section Loading.

Variables (k : nat) (loaded called : list nat) (meant planned : memory).
Hypothesis below : (k < length (methods Q))%nat.
Hypothesis new : ~ In k loaded.
Hypothesis first_all : all_first C = true -> called = [].
Hypothesis B : between_calls loaded called meant planned.

Lemma load_same : forall n, In (n, home (planned_at k) n) (between C) ->
  In n (loads (method_at Q k)) ->
  len (home (planned_at k) n) = sz n /\ has_stored sz stored meant n.
Proof.
  intros n np_in n_in. pose proof (load_fits_at k n _ n below np_in n_in) as fits.
  unfold load_fits in fits. rewrite N.eqb_refl in fits.
  replace (same_place _ _) with true in fits by (symmetry; apply same_place_spec; trivial).
  simpl in fits. apply andb_true_iff in fits. destruct fits as [length unstored].
  apply N.eqb_eq in length. split; trivial. apply (fresh _ _ _ _ B); [eauto|]. intros j j_called.
  apply orb_true_iff in unstored. destruct unstored as [first|unstored].
  - rewrite (first_all first) in j_called. contradiction.
  - rewrite forallb_forall in unstored. pose proof (are_loaded _ _ _ _ B _ j_called) as j_loaded.
    assert (j_method : In j (all_methods Q)).
    { apply in_seq. pose proof (are_methods _ _ _ _ B _ j_loaded). lia. }
    specialize (unstored j j_method). apply orb_true_iff in unstored.
    destruct unstored as [is_k|unstored].
    + apply Nat.eqb_eq in is_k. subst j. contradiction.
    + apply negb_true_iff, mem_name_not in unstored. trivial.
Qed.

Lemma load_harmless : forall n p a, In (n, p) (between C) -> In a (loads (method_at Q k)) ->
  harmless sz stored (home (planned_at k)) meant n p a.
Proof.
  intros n p a np_in a_in. pose proof (load_fits_at k n p a below np_in a_in) as fits.
  unfold load_fits in fits.
  destruct ((a =? n) && same_place p (home (planned_at k) a)) eqn:same.
  - left. apply andb_true_iff in same. destruct same as [same_name same].
    apply N.eqb_eq in same_name. apply same_place_spec in same. subst a p.
    destruct (load_same n np_in a_in). auto.
  - right. apply meets_not, negb_true_iff, fits.
Qed.

Lemma load_between : between_calls (k :: loaded) called meant
  (put (home (planned_at k)) stored (loads (method_at Q k)) planned).
Proof.
  destruct B as [lying_B fresh_B methods_B loaded_B]. split; trivial.
  - intros n p np_in is_live. destruct is_live as [there|[j [[<-|j_in] [n_in ->]]]].
    + apply put_keeps; [intros; apply load_harmless; trivial|]. apply lying_B; trivial.
      left. trivial.
    + destruct (load_same n np_in n_in).
      apply put_makes; trivial. intros. apply load_harmless; trivial.
    + apply put_keeps; [intros; apply load_harmless; trivial|]. apply lying_B; trivial.
      right. eauto.
  - intros j [<-|j_in]; auto.
  - intros j j_called. right. auto.
Qed.

End Loading.

(* One call, from begin to end. *)
Lemma call_between : forall k at_ given chs steps loaded called meant planned,
  In k loaded -> at_home (planned_at k) at_ -> complete_orders sz (planned_at k) chs ->
  truthful sz ops holds (planned_at k) chs steps (begin_planned (planned_at k) given at_ planned) ->
  between_calls loaded called meant planned ->
  let M := body (method_at Q k) in
  let w := run (step_meant sz ops holds M) chs steps (begin_meant sz M given meant) in
  let x := run (step_planned sz ops holds (planned_at k)) chs steps
             (begin_planned (planned_at k) given at_ planned) in
  fst w = fst x /\ ended M (snd w) = ended (planned_at k) (snd x) /\
  (ended M (snd w) = true -> between_calls loaded (k :: called) (mem (snd w)) (mem (snd x))).
Proof.
  intros k at_ given chs steps loaded called meant planned k_loaded home_at all found B M w x.
  pose proof (are_methods _ _ _ _ B _ k_loaded) as below.
  pose proof (accepted_at k below) as tests. unfold method_accepted in tests.
  rewrite !andb_true_iff in tests. destruct tests as [[[accepted_k begin_k] end_k] _].
  rewrite forallb_forall in begin_k, end_k.
  assert (start : in_step sz (planned_at k) (certificate_at C k) (live loaded)
                    (begin_meant sz (planned_at k) given meant)
                    (begin_planned (planned_at k) given at_ planned)).
  { apply begin_in_step; trivial. intros e e_in. specialize (begin_k e e_in).
    destruct e as [n|n p]; simpl in begin_k.
    - rewrite !andb_true_iff in begin_k. destruct begin_k as [[stays_home there] in_time].
      apply claimed_spec in there. simpl.
      assert (at_n : at_ n = home (planned_at k) n).
      { apply home_at. apply orb_true_iff in stays_home. destruct stays_home as [plain|settled_n].
        - left. apply mem_name_not, negb_true_iff, plain.
        - right. apply mem_name_spec, settled_n. }
      rewrite at_n. apply (lying _ _ _ _ B); trivial.
      apply orb_true_iff in in_time. destruct in_time as [here_before|put_there].
      + left. apply claimed_spec, here_before.
      + right. exists k. split; trivial. split; trivial. apply mem_name_spec, put_there.
    - simpl. intros is_live. apply (lying _ _ _ _ B); trivial. apply claimed_spec, begin_k. }
  destruct (run_in_step sz ops holds (planned_at k) (certificate_at C k) (live loaded) accepted_k
              chs steps _ _ all found start) as [same together].
  (* What is meant does not depend on the policy. *)
  change (fst w = fst x) in same.
  change (in_step sz (planned_at k) (certificate_at C k) (live loaded) (snd w) (snd x)) in together.
  split; trivial. destruct together as [counters rest].
  assert (same_end : ended M (snd w) = ended (planned_at k) (snd x)).
  { unfold ended. simpl. rewrite counters. trivial. }
  split; trivial. intros at_end. rewrite same_end in at_end. split.
  - intros n p np_in is_live. apply (end_true sz (planned_at k) (certificate_at C k) (live loaded));
      trivial; [split; trivial|]. specialize (end_k _ np_in). apply claimed_spec in end_k. trivial.
  - intros n has_load unwritten j below_j. unfold w.
    rewrite call_keeps; trivial; [|apply unwritten; simpl; auto].
    apply (fresh _ _ _ _ B); trivial. intros i i_in. apply unwritten. simpl. auto.
  - apply (are_methods _ _ _ _ B).
  - intros j [<-|j_in]; trivial. apply (are_loaded _ _ _ _ B), j_in.
Qed.

(* Both memories at the end: buffers lie in their places. *)
Definition buffers_agree (loaded : list nat) (meant planned : option memory) : Prop :=
  match meant, planned with
  | Some m, Some m' =>
    forall n p, In (n, p) (between C) -> live loaded n p -> content_in sz m m' n p
  | None, None => True
  | _, _ => False
  end.

Lemma history_same : forall loaded called events, orderly loaded called events ->
  forall meant planned, between_calls loaded called meant planned ->
  truthful_history Q ops holds stored P events planned ->
  let w := history_meant Q ops holds events meant in
  let x := history_planned Q ops holds stored P events planned in
  fst w = fst x /\ buffers_agree (loaded_after loaded events) (snd w) (snd x).
Proof.
  intros loaded called events in_order. induction in_order as
    [loaded called|loaded called k rest below new first _ IH
    |loaded called k at_ given chs steps rest k_loaded home_at all _ IH];
    intros meant planned B found; simpl.
  - split; trivial. apply (lying _ _ _ _ B).
  - apply IH; [apply (load_between k loaded); trivial|exact found].
  - destruct found as [found_now found_later].
    destruct (call_between k at_ given chs steps loaded called meant planned k_loaded home_at all
                found_now B) as [same [same_end next]].
    destruct (run (step_meant sz ops holds (body (method_at Q k))) chs steps _) as [seen w].
    destruct (run (step_planned sz ops holds (planned_at k)) chs steps _) as [seen_x x].
    simpl in *. subst seen_x. rewrite <- same_end.
    destruct (ended (body (method_at Q k)) w); simpl; [|auto].
    destruct (IH _ _ (next eq_refl) (found_later (eq_sym same_end))) as [same_more agree].
    destruct (history_meant Q ops holds rest (mem w)).
    destruct (history_planned Q ops holds stored P rest (mem x)). simpl in *.
    split; [congruence|trivial].
Qed.

End SeveralMethods.

(* Before the first load: buffers mean their stored values, and what is there before lies there. *)
Definition starts (Q : program) (C : state_certificate) (stored : name -> N -> byte)
    (meant planned : memory) : Prop :=
  (forall k n, (k < length (methods Q))%nat -> In n (loads (method_at Q k)) ->
     has_stored (size Q) stored meant n) /\
  (forall n p, In (n, p) (before C) -> content_in (size Q) meant planned n p).

(* Whatever else a history is, it has truthful choices. *)
Inductive same_but_anything : list event -> list event -> Prop :=
| same_end : same_but_anything [] []
| same_load : forall k rest rest', same_but_anything rest rest' ->
    same_but_anything (Load k :: rest) (Load k :: rest')
| same_call : forall k at_ given chs chs' steps rest rest',
    (forall i, order (chs' i) = order (chs i)) -> same_but_anything rest rest' ->
    same_but_anything (Run k at_ given chs steps :: rest) (Run k at_ given chs' steps :: rest').

Lemma truthful_history_exists : forall Q ops holds stored P events planned,
  exists events', same_but_anything events events' /\
    truthful_history Q ops holds stored P events' planned.
Proof.
  intros Q ops holds stored P events.
  induction events as [|[k|k at_ given chs steps] rest IH]; intros planned.
  - exists []. split; [constructor|exact I].
  - destruct (IH (put (home (planned_at P Q k)) stored (loads (method_at Q k)) planned))
      as [rest' [same found]].
    exists (Load k :: rest'). split; [constructor; trivial|exact found].
  - set (M := planned_at P Q k). set (x := begin_planned M given at_ planned).
    destruct (truthful_exists (size Q) ops holds M (fun i => order (chs i)) steps x)
      as [chs' [same found]].
    destruct (IH (mem (snd (run (step_planned (size Q) ops holds M) chs' steps x))))
      as [rest' [same_rest found_rest]].
    exists (Run k at_ given chs' steps :: rest'). split; [constructor; trivial|].
    simpl. split; [exact found|intros _; exact found_rest].
Qed.

Lemma same_orderly : forall P Q C loaded called events, orderly P Q C loaded called events ->
  forall events', same_but_anything events events' -> orderly P Q C loaded called events'.
Proof.
  intros P Q C loaded called events in_order. induction in_order; intros events' same;
    inversion same; subst; constructor; auto.
  intros i c c_in. match goal with H : forall i, order _ = _ |- _ => rewrite H end. auto.
Qed.

(* THEOREM 2. Under each policy: for all operators, conditions, stored values, inputs and contents
   of both memories, in each orderly history, each call reads and returns the same.
   If all calls have ended, the buffers lie where the next calls find them. *)
Theorem several_methods : forall P Q C, program_accepted P Q C = true ->
  forall ops holds stored meant planned events, starts Q C stored meant planned ->
  orderly P Q C [] [] events -> truthful_history Q ops holds stored P events planned ->
  let w := history_meant Q ops holds events meant in
  let x := history_planned Q ops holds stored P events planned in
  fst w = fst x /\ buffers_agree P Q C (loaded_after [] events) (snd w) (snd x).
Proof.
  intros P Q C accepted_Q ops holds stored meant planned events [stored_meant there] order found.
  apply (history_same P Q C ops holds stored accepted_Q [] []); trivial. split.
  - intros n p np_in [here_before|[k [[] _]]]. auto.
  - intros n [k [below n_in]] _. eauto.
  - contradiction.
  - contradiction.
Qed.

