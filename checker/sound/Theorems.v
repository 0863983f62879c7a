(* The rules of the certificate's checker are sound: the three theorems, in one place.

   What is shown. A plan gives each value of a program a place: bytes of a bank, which it may share
   with others. A program has two runs: one in which each value has bytes of its own (that is what
   it means), and one in the banks as planned. The checker (Checker.v, Programs.v) is a function: it
   goes over each method once, with a list of equations "the content of value n lies in these
   bytes"; the certificate gives the equations at targets of jumps and between calls. If the checker
   accepts,

     1. in one method, on each path, each read and each output of the planned run gets the bytes
        that it gets in the run that is meant;
     2. so it is for several methods with buffers, under each policy of a loader, in each order of
        loads and calls; and the buffers lie where later calls find them;
     3. a value that no instruction writes, and that is a view, a slice or a concatenation of
        others, has the bytes that this means; and a call may go over its elements in any order,
        though its results lie over operands that it reads by elements. Both belong to the runs of 1
        and 2.

   For all operators, conditions, inputs, stored values and contents of the memories. No axioms: see
   what Print Assumptions says of each. Choices that a run leaves open: the orders of elements, and
   what a value means before a call fills a part of it; `truthful` says that this is what the
   planned run finds, and such choices exist for each history (truthful_history_exists).

   Memory.v          places, memories, writes
   Model.v           methods and their two runs
   Elements.v        calls that go element by element
   Checker.v         the rules for one method, as a function
   Equations.v       each rule keeps the equations true
   OneMethod.v       theorem 1
   Programs.v        several methods: runs, policies, loads, rules
   SeveralMethods.v  theorem 2
   Examples.v        accepted and refused examples, with runs that show why
   Extract.v         the function as a program, accepted.ml, which reads traces *)

From Sound Require Import Memory Model Elements Checker Equations OneMethod Programs SeveralMethods.

(* ---- 1 ---- *)

Definition theorem_1 := one_method.

(* ---- 2 ---- *)

Definition theorem_2 := several_methods.

(* ---- 3 ---- *)

(* A birth that the rules admit: the bytes of the value's place are the parts, one behind the other,
   of what the sources mean, although nothing was copied. *)
Lemma derived_names : forall size M s t n parts meant planned at_,
  agree size M everywhere s meant planned at_ -> bears size M s n parts = Some t ->
  forall j, j < size n -> get planned (at_ n) j = joined size meant parts j.
Proof.
  intros size M s t n parts meant planned at_ A bears_t j below.
  pose proof (bears_agree size M everywhere s t n parts meant planned at_ A bears_t) as A_t.
  assert (known_n : In (Here n) (known t)).
  { unfold bears in bears_t. destruct (where_is M s n) as [[|p [|]]|]; try discriminate.
    destruct ((len p =? size n) && tiled size M s p 0 parts)%bool; [|discriminate].
    injection bears_t as <-. simpl. auto. }
  destruct (known_true _ _ _ _ _ _ _ A_t _ known_n) as [_ equal].
  rewrite <- equal by trivial. unfold born, store. rewrite store_inside by trivial. trivial.
Qed.

(* A call that the rules admit: in each complete order of its elements it reads what is meant, and
   makes what is meant; all other equations that the pass keeps stay true. *)
Lemma results_over_operands : forall ops size M s t c order meant planned at_,
  agree size M everywhere s meant planned at_ ->
  after size M (Certificate [] [] []) s (Calls c) = On t -> complete size c order ->
  let r := by_elements ops at_ c (updated_before at_ c planned) order planned in
  fst r = observed (own size) meant c order /\
  agree size M everywhere t (called ops (own size) c meant) (snd r) at_.
Proof.
  intros ops size M s t c order meant planned at_ A on_t all. simpl in on_t.
  destruct (forallb _ _ && no_hazard M s c)%bool eqn:tests; [|discriminate].
  apply andb_prop in tests. destruct tests as [known hazards].
  destruct (wrote size M s (map fst (results c))) as [u|] eqn:wrote_u; [|discriminate].
  injection on_t as <-. eapply call_agree; eauto.
Qed.

Definition theorem_3 := conj derived_names results_over_operands.

Check one_method.
Check several_methods.
Check derived_names.
Check results_over_operands.
Print Assumptions theorem_1.
Print Assumptions theorem_2.
Print Assumptions theorem_3.
