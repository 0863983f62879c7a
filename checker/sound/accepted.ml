(* accepted TRACE...: whether the proved rules (Extract.v) accept programs, from the text of what a checker has read
   (pteproof_checker.py --trace).

   A trace is of one program under one policy. Names are numbers, of the program and not of a method; so a buffer has one
   name, and its copy that a policy keeps apart has another. One line a fact, words between blanks:

     policy private|share-1-2|share-all
     all-first                   all methods are loaded before the first call
     size N BYTES                of each name
     between N PLACE             between calls the content of N lies there
     before N PLACE              ... and did before the first load
     method                      the lines below, up to the next `method`, are of it
     home N PLACE                where the plan puts a value
     handle N                    a move gives it its place
     settled N                   a handle that lies at home when a call begins
     input N   output N   load N in order; load: its stored value, into its home
     begin N [PLACE]             what the pass starts with: N lies where it lies, or in the place
     end N PLACE                 what it has to leave
     call OP WORD...             r N: read whole; e N U: by elements of U bytes; u N U: updated; w N U: made, elements of U bytes
     idle OP WORD...             a call whose results nothing needs
     move TO FROM
     born N [SOURCE FROM COUNT]...
     anything N                  what lies in its place is what N means
     forget N
     jump NAME PC   goto PC      to an instruction: the number of instructions before it
     at PC                       the three lines below, up to the next `at` or `method`, are of the invariant at PC
     spot N PLACE...             a handle lies in one of these
     here N   there N PLACE

   A PLACE is BANK@METHOD:FIRST:BYTES, a bank as that method sees it (methods count from 0), or aNAME:FIRST:BYTES, memory of
   that value alone. Exit codes: 0 all accepted, 1 one refused, 2 a trace is malformed. *)

open Rules

exception Malformed of string

type listing = {
  mutable code : instruction list;  (* last first, as all lists here *)
  homes : (int, place) Hashtbl.t;
  mutable handles : int list;
  mutable settled : int list;
  mutable inputs : int list;
  mutable outputs : int list;
  mutable loads : int list;
  mutable begins : equation list;
  mutable ends : (int * place) list;
  mutable invariants : (int * knowledge) list;
}

type trace = {
  mutable policy : policy;
  mutable all_first : bool;
  sizes : (int, int) Hashtbl.t;
  mutable between : (int * place) list;
  mutable before : (int * place) list;
  mutable listings : listing list;
}

let place_of policy text =
  match String.split_on_char ':' text with
  | [ bank; first; bytes ] ->
      let lo = int_of_string first and len = int_of_string bytes in
      if bank.[0] = 'a' then
        { bank_of = Apart (int_of_string (String.sub bank 1 (String.length bank - 1))); lo; len }
      else Scanf.sscanf bank "%d@%d" (fun b k -> physical policy k { bank_of = Planned (None, b); lo; len })
  | _ -> raise (Malformed text)

let no_words operator = { operator; operands = []; updated = []; made = [] }

let rec words_of_call c = function
  | [] -> { c with operands = List.rev c.operands; updated = List.rev c.updated; made = List.rev c.made }
  | "r" :: n :: rest -> words_of_call { c with operands = (int_of_string n, Whole) :: c.operands } rest
  | "e" :: n :: u :: rest ->
      words_of_call { c with operands = (int_of_string n, By (int_of_string u)) :: c.operands } rest
  | "u" :: n :: u :: rest -> words_of_call { c with updated = (int_of_string n, int_of_string u) :: c.updated } rest
  | "w" :: n :: u :: rest -> words_of_call { c with made = (int_of_string n, int_of_string u) :: c.made } rest
  | word :: _ -> raise (Malformed word)

let rec parts_of = function
  | [] -> []
  | s :: from :: count :: rest -> ((int_of_string s, int_of_string from), int_of_string count) :: parts_of rest
  | word :: _ -> raise (Malformed word)

let new_listing () =
  { code = []; homes = Hashtbl.create 64; handles = []; settled = []; inputs = []; outputs = []; loads = []; begins = [];
    ends = []; invariants = [] }

let know l change =
  match l.invariants with
  | (pc, k) :: rest -> l.invariants <- (pc, change k) :: rest
  | [] -> raise (Malformed "no `at` before an equation")

let in_method policy l words =
  let number = int_of_string and place = place_of policy in
  let add i = l.code <- i :: l.code in
  match words with
  | [ "home"; n; p ] -> Hashtbl.replace l.homes (number n) (place p)
  | [ "handle"; n ] -> l.handles <- number n :: l.handles
  | [ "settled"; n ] -> l.settled <- number n :: l.settled
  | [ "input"; n ] -> l.inputs <- number n :: l.inputs
  | [ "output"; n ] -> l.outputs <- number n :: l.outputs
  | [ "load"; n ] -> l.loads <- number n :: l.loads
  | [ "begin"; n ] -> l.begins <- Here (number n) :: l.begins
  | [ "begin"; n; p ] -> l.begins <- There (number n, place p) :: l.begins
  | [ "end"; n; p ] -> l.ends <- (number n, place p) :: l.ends
  | "call" :: op :: rest -> add (Calls (words_of_call (no_words (number op)) rest))
  | "idle" :: op :: rest -> add (Idle (words_of_call (no_words (number op)) rest))
  | [ "move"; a; b ] -> add (Move (number a, number b))
  | "born" :: n :: rest -> add (Born (number n, parts_of rest))
  | [ "anything"; n ] -> add (Anything (number n))
  | [ "forget"; n ] -> add (Forget (number n))
  | [ "jump"; n; pc ] -> add (Jump (Some (number n), number pc))
  | [ "goto"; pc ] -> add (Jump (None, number pc))
  | [ "at"; pc ] -> l.invariants <- (number pc, { spots = []; known = [] }) :: l.invariants
  | "spot" :: n :: ps -> know l (fun k -> { k with spots = (number n, List.map place ps) :: k.spots })
  | [ "here"; n ] -> know l (fun k -> { k with known = Here (number n) :: k.known })
  | [ "there"; n; p ] -> know l (fun k -> { k with known = There (number n, place p) :: k.known })
  | _ -> raise (Malformed (String.concat " " words))

let line t words =
  match (words, t.listings) with
  | [ "policy"; "private" ], [] -> t.policy <- Private
  | [ "policy"; "share-1-2" ], [] -> t.policy <- ShareOneTwo
  | [ "policy"; "share-all" ], [] -> t.policy <- ShareAll
  | [ "all-first" ], [] -> t.all_first <- true
  | [ "size"; n; bytes ], [] -> Hashtbl.replace t.sizes (int_of_string n) (int_of_string bytes)
  | [ "between"; n; p ], [] -> t.between <- (int_of_string n, place_of t.policy p) :: t.between
  | [ "before"; n; p ], [] -> t.before <- (int_of_string n, place_of t.policy p) :: t.before
  | [ "method" ], _ -> t.listings <- new_listing () :: t.listings
  | _, l :: _ -> in_method t.policy l words
  | _ -> raise (Malformed (String.concat " " words))

let read file =
  let t =
    { policy = Private; all_first = false; sizes = Hashtbl.create 64; between = []; before = []; listings = [] }
  in
  let channel = open_in file in
  (try
     while true do
       match List.filter (( <> ) "") (String.split_on_char ' ' (input_line channel)) with
       | [] -> ()
       | words -> line t words
     done
   with End_of_file -> close_in channel);
  t

let home l n =
  match Hashtbl.find_opt l.homes n with Some p -> p | None -> raise (Malformed (Printf.sprintf "%d has no home" n))

let method_of l =
  { body =
      { code = List.rev l.code; home = home l; handles = l.handles; settled = l.settled; inputs = List.rev l.inputs;
        outputs = List.rev l.outputs };
    loads = l.loads }

let certificate_of l = { begins = l.begins; invariants = l.invariants; ends = l.ends }

(* Words for a refusal; the verdict is program_accepted's. *)
let why t q c k =
  let m = planned_at t.policy q k and walk = certificate_at c k in
  let fails test = List.find_opt (fun x -> not (test x)) in
  let rec from pc rest s =
    match (enter m walk pc s, rest) with
    | Refused, _ -> Printf.sprintf "at instruction %d" pc
    | On s, [] ->
        let lost = fails (fun n -> has m s (Here n)) m.outputs in
        let ended = fails (fun (n, p) -> has m s (There (n, p))) walk.ends in
        let number = function Some n -> string_of_int n | None -> "-" in
        Printf.sprintf "at the end (output %s, buffer %s)" (number lost) (number (Option.map fst ended))
    | Elsewhere, [] -> "not by its pass"
    | Elsewhere, _ :: more -> from (pc + 1) more Elsewhere
    | On s, i :: more -> from (pc + 1) more (after q.size m walk s i)
  in
  if not (accepted q.size m walk) then from 0 m.code (on (wrote q.size m (at_begin m walk) m.inputs))
  else if fails (begin_follows t.policy q c k) walk.begins <> None then "at its begin"
  else if fails (end_kept c k) c.between <> None then "between calls"
  else "by its load"

let judge file =
  let t = read file in
  let listings = List.rev t.listings in
  let size n = match Hashtbl.find_opt t.sizes n with Some bytes -> bytes | None -> 0 in
  let q = { size; methods = List.map method_of listings } in
  let c =
    { walks = List.map certificate_of listings; between = t.between; before = t.before; all_first = t.all_first }
  in
  let is_accepted = program_accepted t.policy q c in
  let refused = List.find_opt (fun k -> not (method_accepted t.policy q c k)) (all_methods q) in
  (match refused with
  | None -> Printf.printf "%s: accepted\n" file
  | Some k -> Printf.printf "%s: refused, method %d %s\n" file k (why t q c k));
  is_accepted

let () =
  let files = List.tl (Array.to_list Sys.argv) in
  try if not (List.for_all Fun.id (List.map judge files)) then exit 1
  with Malformed text | Failure text | Sys_error text | Scanf.Scan_failure text ->
    prerr_endline ("malformed: " ^ text);
    exit 2
