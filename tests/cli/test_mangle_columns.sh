# Column files on the command line: --facts x.sc, --out x.sc, mangle columns; compressed ones, too.
. tests/support/mangle_cli.sh

run() {
    says "$@"
}

cat >path.mg <<'END'
path(X, Y) :- edge(X, Y).
path(X, Z) :- edge(X, Y), path(Y, Z).
END
printf '2\non 0 1\nedge 2 2\n/a\n/b\n/b\n/c\n' >edge.sc
answers='path(/a,/b).
path(/a,/c).
path(/b,/c).
status 0'

# M-IO-40
is "a column file is facts" "$(run run path.mg --facts edge.sc)" "$answers"
python3 - <<'END'
import gzip
text = open("edge.sc", "rb").read()
open("edge.sc.gz", "wb").write(gzip.compress(text))
open("two.sc.gz", "wb").write(gzip.compress(text[:10]) + gzip.compress(text[10:]))
open("cut.sc.gz", "wb").write(gzip.compress(text)[:-9])
open("fake.sc.gz", "wb").write(text)
open("fake.sc.zst", "wb").write(text)
END
is "gzip is known by the name" "$(run run path.mg --facts edge.sc.gz)" "$answers"
is "gzip members are one file" "$(run run path.mg --facts two.sc.gz)" "$answers"
is "cut gzip is refused" "$(run run path.mg --facts cut.sc.gz)" \
    'error: cannot read facts from cut.sc.gz: its gzip data ends too early
status 2'
is "no gzip is refused" "$(run run path.mg --facts fake.sc.gz)" \
    'error: cannot read facts from fake.sc.gz: it is not gzip, or damaged
status 2'
is "no zstd is refused" "$(run run path.mg --facts fake.sc.zst)" \
    'error: cannot read facts from fake.sc.zst: it is not zstd, or damaged
status 2'
is "a faulty value is shown with its line" "$(printf '1\nedge 2 1\n/a\nX\n' >bad.sc; run run path.mg --facts bad.sc)" \
    'bad.sc:4:1: error: a variable has no value here [VAR_UNBOUND]
    X
    ^
  hint: Facts hold values only.
status 1'

# M-IO-41: what would be printed, in the order of the hashes; the hash of path(/b,/c) is the smallest
want='1
path 2 3
/b
/a
/a
/c
/c
/b'
is "--out writes what is derived" "$(run run path.mg --facts edge.sc --out out.sc; cat out.sc)" "status 0
$want"
for end in gz zst zstd; do
    is "--out out.sc.$end is read again" "$(run run path.mg --facts edge.sc --out out.sc.$end
        echo 'Decl path(X, Y). back(X, Y) :- path(X, Y).' >back.mg
        run run back.mg --facts out.sc.$end)" 'status 0
back(/a,/b).
back(/a,/c).
back(/b,/c).
status 0'
done
is "gzip reads what is written" "$(gzip -dc out.sc.gz)" "$want"
if command -v zstd >/dev/null; then
    is "zstd reads what is written" "$(zstd -dcq out.sc.zst)" "$want"
else
    skip "zstd reads what is written" "no zstd here"
fi
is "writing again gives the same bytes" "$(for end in gz zst; do cp out.sc.$end first
    "$mangle" run path.mg --facts edge.sc --out out.sc.$end; cmp first out.sc.$end; done)" ""
is "--query says which predicates, empty ones too" \
    "$(run run path.mg --facts edge.sc --query on --query edge --query on --out q.sc; cat q.sc)" 'status 0
2
on 0 1
edge 2 2
/a
/b
/b
/c'
is "--query is a name then" "$(run run path.mg --facts edge.sc --query 'edge(X, Y)' --out q.sc)" \
    'error: there is no predicate "edge(X, Y)"
  hint: A column file holds whole predicates: with --out, --query takes a name.
status 1'
is "--out is a column file" "$(run run path.mg --facts edge.sc --out q.csv)" \
    'error: --out q.csv: the name does not end in .sc, .sc.gz or .sc.zst
status 2'
# M-IO-44; the file that was there stays as it was
echo 'n(X, Y) :- m(X, Y). m(/a., 1).' >dot.mg
is "what cannot be written leaves the file alone" "$(echo old >n.sc; run run dot.mg --out n.sc; cat n.sc; ls n.sc*)" \
    'error: cannot write n.sc: argument 1 of n(/a.,1) cannot be written: a name that no program text can hold
status 1
old
n.sc'
is "a folder that is not there" "$(run run path.mg --facts edge.sc --out no/n.sc)" \
    'error: cannot write no/n.sc: No such file or directory
status 2'
is "a file keeps its mode" "$(chmod 640 n.sc; run run path.mg --facts edge.sc --out n.sc; stat -c %a n.sc)" 'status 0
640'

# M-IO-29
table='
PREDICATE  ARITY       FACTS
on             0           1
edge           2           2
status 0'
is "columns says what a file holds" "$(run columns edge.sc)" "file         edge.sc
bytes        30
compression  none
predicates   2
facts        3
$table"
is "columns of a compressed file" "$(run columns edge.sc.gz)" "file         edge.sc.gz
bytes        $(stat -c %s edge.sc.gz)
compression  gzip
predicates   2
facts        3
$table"
is "columns of zstd" "$(run columns out.sc.zstd | sed -n 3p)" "compression  zstd"
is "columns of nothing" "$(printf '0\n' >none.sc; run columns none.sc)" "file         none.sc
bytes        2
compression  none
predicates   0
facts        0
status 0"
is "columns without a file is a usage error" "$(run columns | tail -1)" 'status 2'
is "columns with two files, too" "$(run columns edge.sc edge.sc | tail -1)" 'status 2'
is "a file that is not there is another" "$(run columns no.sc)" \
    'error: cannot read no.sc: No such file or directory
status 1'
is "a file that is none is another" "$(run columns path.mg)" \
    'path.mg:1:1: error: expected the number of predicates [COLUMN_FILE]
    path(X, Y) :- edge(X, Y).
    ^~~~~~~~~~~~~~~~~~~~~~~~~
  hint: The first line of a column file is that number.
status 1'
is "damaged data is another" "$(run columns fake.sc.gz)" \
    'error: cannot read fake.sc.gz: it is not gzip, or damaged
status 1'
echo "1..$count"
