# M-LEX-5 SYNTAX
p([/part00, /part01, /part02, /part03, /part04, /part05, /part06, /part07, /part08, /part09, /part10, /part11, /part12, /part13, /part14, /part15, /part16, /part17, /part18, /part19, /end]) :- q([/part00, /part01, /part02, /part03, /part04, /part05, /part06, /part07, /part08, /part09, /part10, /part11, /part12, /part13, /part14, /part15, /part16, /part17, /part18, /part19, ;], X), r([/part00, /part01, /part02, /part03, /part04, /part05, /part06, /part07, /part08, /part09, /part10, /part11, /part12, /part13, /part14, /part15, /part16, /part17, /part18, /part19, /end]).
p(;[/part00, /part01, /part02, /part03, /part04, /part05, /part06, /part07, /part08, /part09, /part10, /part11, /part12, /part13, /part14, /part15, /part16, /part17, /part18, /part19, /end]).
p([/part00, /part01, /part02, /part03, /part04, /part05, /part06, /part07, /part08, /part09, /part10, /part11, /part12, /part13, /part14, /part15, /part16, /part17, /part18, /part19, /end];).
	p(	"tab";).
