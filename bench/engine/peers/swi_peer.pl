% SWI-Prolog with tabling: swipl -g main swi_peer.pl -- PROGRAM FOLDER OUT ANSWER RELATION...
:- module(swi_peer, [main/0]).
:- use_module(library(aggregate)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(readutil)).
:- set_prolog_flag(table_space, 8_000_000_000).
:- set_prolog_flag(stack_limit, 8_000_000_000).

signature(Text, Name, Types) :-
    split_string(Text, ":", "@", [NameText, TypeText]),
    atom_string(Name, NameText),
    string_chars(TypeText, Types).

value(i, Text, Number) :- number_string(Number, Text).
value(s, Text, Atom) :- atom_string(Atom, Text).

load(Folder, Text) :-
    signature(Text, Name, Types),
    format(atom(Path), "~w/~w.tsv", [Folder, Name]),
    length(Types, Columns),
    dynamic(user:Name/Columns),
    setup_call_cleanup(open(Path, read, In), rows(In, Name, Types), close(In)).

rows(In, Name, Types) :-
    repeat,
    read_line_to_string(In, Line),
    (   Line == end_of_file
    ->  !
    ;   split_string(Line, "\t", "", Fields),
        maplist(value, Types, Fields, Values),
        Fact =.. [Name|Values],
        assertz(user:Fact),
        fail
    ).

write_row(Out, Goal) :-
    Goal =.. [_|Values],
    atomic_list_concat(Values, '\t', Line),
    format(Out, "~w~n", [Line]).

cpu(Seconds) :- statistics(cputime, Seconds).

peak(Kib) :-
    setup_call_cleanup(open('/proc/self/status', read, In), read_string(In, _, Text), close(In)),
    split_string(Text, "\n", "", Lines),
    member(Line, Lines),
    split_string(Line, ":", " \tkB", ["VmHWM", Size]),
    !,
    number_string(Kib, Size).

main :-
    current_prolog_flag(argv, [Program, Folder, Out, Answer|Relations]),
    cpu(Begun),
    maplist(load(Folder), Relations),
    cpu(Loaded),
    load_files(user:Program, [silent(true)]),
    signature(Answer, Name, Types),
    length(Types, Columns),
    functor(Goal, Name, Columns),
    findall(Goal, user:Goal, Repeated),
    sort(Repeated, Rows),
    cpu(Ended),
    peak(Kib),
    Load is Loaded - Begun,
    Eval is Ended - Loaded,
    format("{\"load\": ~6f, \"eval\": ~6f, \"kib\": ~d}~n", [Load, Eval, Kib]),
    setup_call_cleanup(open(Out, write, Stream), maplist(write_row(Stream), Rows), close(Stream)),
    halt.
