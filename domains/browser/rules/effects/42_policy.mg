# Kinds of fault of what browsers forbid: CORS, content security policy, mixed content, embedding, integrity.

# ---- CORS ---------------------------------------------------------------------------------------------

# The browser's reasons: in words, the header to mend and what it has to say.
Decl cors_reason(Reason, Words, Header, Repair) bound [/string, /string, /string, /string].
cors_reason("MissingAllowOriginHeader", "its answer does not allow the page's origin",
            "access-control-allow-origin", "name the page's origin").
cors_reason("AllowOriginMismatch", "its answer allows another origin",
            "access-control-allow-origin", "name the page's origin").
cors_reason("InvalidAllowOriginValue", "its answer names no valid origin",
            "access-control-allow-origin", "name the page's origin").
cors_reason("MultipleAllowOriginValues", "its answer allows several origins at once",
            "access-control-allow-origin", "name one origin, set it in one place only").
cors_reason("WildcardOriginNotAllowed", "it is asked with credentials, and `*` allows none",
            "access-control-allow-origin", "name the page's origin instead of `*`").
cors_reason("InvalidAllowCredentials", "it is asked with credentials, and its answer allows none",
            "access-control-allow-credentials", "say true").
cors_reason("PreflightMissingAllowOriginHeader",
            "the answer to its preflight does not allow the page's origin",
            "access-control-allow-origin", "name the page's origin in the answer to OPTIONS").
cors_reason("PreflightAllowOriginMismatch", "the answer to its preflight allows another origin",
            "access-control-allow-origin", "name the page's origin in the answer to OPTIONS").
cors_reason("PreflightInvalidAllowOriginValue", "the answer to its preflight names no valid origin",
            "access-control-allow-origin", "name the page's origin in the answer to OPTIONS").
cors_reason("PreflightMultipleAllowOriginValues",
            "the answer to its preflight allows several origins at once",
            "access-control-allow-origin", "name one origin in the answer to OPTIONS").
cors_reason("PreflightWildcardOriginNotAllowed",
            "it is asked with credentials, and `*` in the answer to its preflight allows none",
            "access-control-allow-origin", "name the page's origin in the answer to OPTIONS").
cors_reason("PreflightInvalidAllowCredentials",
            "the answer to its preflight does not allow credentials",
            "access-control-allow-credentials", "say true in the answer to OPTIONS").
cors_reason("PreflightInvalidStatus", "its preflight is answered with an error", "OPTIONS",
            "answer OPTIONS with 204").
cors_reason("PreflightDisallowedRedirect", "its preflight is redirected", "OPTIONS",
            "answer OPTIONS without a redirect").
cors_reason("MethodDisallowedByPreflightResponse", "its method is not allowed across origins",
            "access-control-allow-methods", "name the method").
cors_reason("InvalidAllowMethodsPreflightResponse", "the list of allowed methods is no list",
            "access-control-allow-methods", "name methods").
cors_reason("HeaderDisallowedByPreflightResponse",
            "a header that it sends is not allowed across origins", "access-control-allow-headers",
            "name the header").
cors_reason("InvalidAllowHeadersPreflightResponse", "the list of allowed headers is no list",
            "access-control-allow-headers", "name headers").
cors_reason("RedirectContainsCredentials", "it is redirected to an address with credentials",
            "location", "leave them out").
cors_reason("DisallowedByMode", "its mode is same-origin, its address is not", "the request",
            "another mode, or an address of the page's own").
cors_reason("CorsDisabledScheme", "its address has no scheme for that", "the request",
            "an https address").
has_cors_reason(Reason) :- cors_reason(Reason, _, _, _).

suspect(R, "cors", Text) :-
  cors_error(R, Reason, About),
  cors_reason(Reason, Words, _, _),
  request_label(R, Label),
  cors_said(Reason, About, Words, Said),
  Text = fn:string:concat(Label, " was blocked by CORS: ", Said).
suspect(R, "cors", Text) :-
  cors_error(R, Reason, _),
  !has_cors_reason(Reason),
  request_label(R, Label),
  Text = fn:string:concat(Label, " was blocked by CORS: ", Reason).

change_at(R, Where, What) :-
  cors_error(R, Reason, About),
  cors_reason(Reason, _, Header, Repair),
  request_label(R, Label),
  Where = fn:string:concat(Header, " of ", Label),
  cors_repair(About, Repair, What).
# Which of those that were sent.
Decl cors_said(Reason, About, Words, Said)
  descr [mode('+', '+', '+', '-'), deferred()]
  bound [/string, /string, /string, /string].
cors_said(Reason, About, Words, Words) :-
  About = About,
  Reason != "HeaderDisallowedByPreflightResponse".
cors_said("HeaderDisallowedByPreflightResponse", About, Words, Said) :-
  cors_repair(About, Words, Said).
Decl cors_repair(About, Repair, What)
  descr [mode('+', '+', '-'), deferred()]
  bound [/string, /string, /string].
cors_repair(About, Repair, What) :- :string:starts_with(About, "access-control-"), What = Repair.
cors_repair("", Repair, What) :- What = Repair.
cors_repair(About, Repair, What) :-
  About != "",
  !:string:starts_with(About, "access-control-"),
  What = fn:string:concat(Repair, " (", About, ")").

# A preflight that went wrong is why the request that it was for could not be sent.
causes(R, P, "its preflight was not answered well") :-
  cors_error(R, Reason, _),
  :string:starts_with(Reason, "Preflight"),
  kind_of(P, "preflight"),
  url_of(R, Url),
  url_of(P, Url),
  has_bad_status(P, _),
  sent_at(P, A),
  known_at(R, B),
  A <= B.

# ---- content security policy ----------------------------------------------------------------------

# A request that the policy stopped names the directive; a fetch that it stopped was never a request.
csp_request(R, X, Directive) :-
  csp_violation(X, Directive, Url),
  request_blocked(R, "csp"),
  url_of(R, Url).
csp_has_request(X) :- csp_request(_, X, _).
csp_has_directive(R) :- csp_request(R, _, _).

suspect(R, "csp", Text) :-
  csp_request(R, _, Directive),
  request_label(R, Label),
  Text = fn:string:concat(Label, " was blocked by the page's content security policy: ", Directive).
suspect(R, "csp", Text) :-
  request_blocked(R, "csp"),
  !csp_has_directive(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " was blocked by the page's content security policy").
csp_once(X, Directive, Blocked) :- csp_violation(Y, Directive, Blocked), !csp_has_request(Y)
  |> do fn:group_by(Directive, Blocked), let X = fn:pick_any(Y).
suspect(X, "csp", Text) :-
  csp_once(X, Directive, Blocked),
  Blocked != "",
  Text = fn:string:concat("the page's content security policy blocked ", Blocked, ": ", Directive).

csp_node(X, Directive) :- csp_once(X, Directive, _).
csp_node(R, Directive) :- csp_request(R, _, Directive).
change_at(X, Where, "allow it there, if it is wanted") :-
  csp_node(X, Directive),
  Where = fn:string:concat("header content-security-policy, ", Directive).

Decl issue_at(X, Ms) bound [/string, /number].
issue_at(X, Ms) :- issue(X, _, _, _)@[T, _], ms(T, Ms).

# What code asked for and never went out: the error follows at once.
csp_stops_data(X) :- csp_once(X, "connect-src", _).
csp_stops_data(X) :- csp_once(X, "default-src", _).
causes(E, X, "the content security policy let nothing be sent") :-
  csp_stops_data(X),
  fetch_error(E),
  issue_at(X, A),
  error_at(E, B),
  A <= fn:plus(B, 50),
  B <= fn:plus(A, 1000),
  !error_awaits_sent(E).
error_awaits_sent(E) :- error_awaits(E, R), went_wrong(R).
causes(E, X, "the content security policy forbids eval") :-
  csp_violation(X, _, "eval"),
  error_name(E, "EvalError").
# Nobody may say a word about it. It counts where somebody had asked for it just before, or the page says that something is
# wrong.
blocked_word(X) :- csp_once(X, _, Blocked), tracker_word(Word), :string:contains(Blocked, Word).
wanted_by_user(X) :-
  csp_stops_data(X),
  node_at(X, At),
  input(_, Type, _, _)@[T, _],
  is_deed(Type),
  ms(T, Before),
  Before <= At,
  At <= fn:plus(Before, 1500).
missed_data(X) :- wanted_by_user(X), !blocked_word(X).
missed_data(X) :- csp_stops_data(X), shown("alert", _), !blocked_word(X).
missed_data(X) :- csp_stops_data(X), shown("error", _), !blocked_word(X).
# Or where code of the page's own had to catch it, and goes on with less.
caught_where_stopped(X) :-
  csp_stops_data(X),
  issue_at(X, A),
  caught(C, _, Said)@[T, _],
  :string:contains(Said, "fetch"),
  has_own_frame(C),
  ms(T, B),
  A <= fn:plus(B, 50),
  B <= fn:plus(A, 500).
missed_data(X) :- caught_where_stopped(X), !blocked_word(X), !reports_word(X).
reports_word(X) :- csp_once(X, _, Blocked), report_part(Part), :string:contains(Blocked, Part).
report_part("stats").
report_part("/hit").
report_part("/log").
report_part("/ping").
report_part("/event").
report_part("insight").
report_part("measure").
report_part("/count").
report_part("/vitals").
report_part("/rum").
report_part("/perf").
report_part("/report").
trouble(X, 45, Text) :-
  missed_data(X),
  csp_once(X, _, Blocked),
  Text = fn:string:concat(Blocked, " could not be asked: the content security policy forbids it").
# Code within the page that did not run defines nothing.
csp_stops_code(X) :- csp_violation(X, "script-src", "inline").
csp_stops_code(X) :- csp_violation(X, "script-src-elem", "inline").
change_at(X, Where, "give the script the nonce of the policy, or put it into a file") :-
  csp_stops_code(X),
  place_of(X, Where).
causes(E, X, "the code that defines it was not run") :-
  csp_stops_code(X),
  error_about_name(E, _),
  error_name(E, "ReferenceError").

# Nor does it put anything where other code looks for it: what that code reads of nothing, and of no answer.
causes(E, X, "what it reads was to be set by code that was not run") :-
  csp_stops_code(X),
  error_name(E, "TypeError"),
  speaks_of(E, "missing"),
  is_thrown(E),
  !reads_an_answer(E),
  issue_at(X, A),
  error_at(E, B),
  A <= B,
  B <= fn:plus(A, 10000).
reads_an_answer(E) :- data_from(E, _, _).
reads_an_answer(E) :- error_awaits(E, _).

# ---- headers that are not shown to code -----------------------------------------------------------------------

# Marks of requests, limits and the like are read by the way, and done without.
Decl read_by_the_way(Part) bound [/string].
read_by_the_way("request-id").
read_by_the_way("requestid").
read_by_the_way("trace").
read_by_the_way("correlation").
read_by_the_way("timing").
read_by_the_way("limit").
read_by_the_way("x-rate").
read_by_the_way("retry").
read_by_the_way("server").
read_by_the_way("runtime").
read_by_the_way("cache").
read_by_the_way("deprecat").
read_by_the_way("sunset").
read_by_the_way("warning").
read_by_the_way("etag").
is_by_the_way("date").
is_by_the_way(Name) :-
  header_kept_from(_, _, Name),
  read_by_the_way(Part),
  :string:contains(Name, Part).
hidden_header(K, R, Name) :-
  header_kept_from(K, R, Name),
  !is_by_the_way(Name),
  is_data(R),
  went_well(R),
  !is_tracker(R),
  has_own_frame(K).
hidden_text(R, Text) :-
  hidden_header(_, R, Name),
  request_label(R, Label),
  T = fn:string:concat("code asks for ", Name, " of ", Label,
                       " and gets nothing: it came, but Access-Control-Expose-Headers does not name it")
  |> do fn:group_by(R), let Text = fn:pick_any(T).
suspect(R, "header_not_exposed", Text) :- hidden_text(R, Text).
trouble(R, 52, Text) :- hidden_text(R, Text), !unchanged_after(R).
change_at(R, Where, "what is done without the header") :-
  hidden_header(K, R, _),
  place_of(K, Where).

# ---- mixed content, embedding, integrity -----------------------------------------------------------

suspect(R, "mixed_content", Text) :-
  request_blocked(R, "mixed-content"),
  request_label(R, Label),
  Text = fn:string:concat(Label, " was blocked: a page over https asks for it over http").

Decl embed_block(Why) bound [/string].
embed_block(Why) :- request_blocked(_, Why), :string:contains(Why, "corp").
embed_block(Why) :- request_blocked(_, Why), :string:contains(Why, "coep").
embed_block(Why) :- request_blocked(_, Why), :string:contains(Why, "coop").
suspect(R, "corp", Text) :-
  request_blocked(R, Why),
  embed_block(Why),
  request_label(R, Label),
  Text = fn:string:concat(Label, " may not be used by this page: ", Why).

suspect(R, "blocked_by_client", Text) :-
  request_blocked(R, "inspector"),
  request_label(R, Label),
  Text = fn:string:concat(Label, " was blocked by a tool or an extension").
suspect(R, "blocked_by_client", Text) :-
  request_blocked(R, "subresource-filter"),
  request_label(R, Label),
  Text = fn:string:concat(Label, " was blocked as advertising").

suspect(R, "frame_refused", Text) :-
  kind_of(R, "frame"),
  request_blocked(R, _),
  no_answer(R, "net::ERR_BLOCKED_BY_RESPONSE"),
  request_label(R, Label),
  Text = fn:string:concat(Label, " does not allow to be shown in a frame").

# Whatever else the browser blocked.
Decl known_block(R) bound [/string].
known_block(R) :- request_blocked(R, "csp").
known_block(R) :- request_blocked(R, "mixed-content").
known_block(R) :- request_blocked(R, "inspector").
known_block(R) :- request_blocked(R, "subresource-filter").
known_block(R) :- request_blocked(R, Why), embed_block(Why).
known_block(R) :- cors_error(R, _, _).
known_block(R) :- kind_of(R, "frame"), no_answer(R, "net::ERR_BLOCKED_BY_RESPONSE").
suspect(R, "blocked", Text) :-
  request_blocked(R, Why),
  !known_block(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " was blocked by the browser: ", Why).

# A file that is not the one whose checksum the page names does not run, and no request fails: the console alone
# says so.
integrity_error(E, R) :-
  error_text(E, Text),
  :string:contains(Text, "valid digest in the 'integrity'"),
  kind_of(R, Kind),
  integrity_kind(Kind),
  url_of(R, Url),
  Quoted = fn:string:concat("'", Url, "'"),
  :string:contains(Text, Quoted).
Decl integrity_kind(Kind) bound [/string].
integrity_kind("script").
integrity_kind("style").
suspect(R, "integrity", Text) :-
  integrity_error(_, R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " is not the file whose checksum the page names: it was not run").
causes(E, R, "the browser says so") :- integrity_error(E, R).

repair("csp", "policy", "allow it there, if it is wanted").
repair("csp", "endpoint", "serve it from where the policy allows, or extend the policy").
repair("header_not_exposed", "endpoint",
       "answer Access-Control-Expose-Headers with the name of the header").
repair("header_not_exposed", "place", "what is done without the header").
check("header_not_exposed", "is answered with a header that code can read").
repair("mixed_content", "endpoint", "ask for it over https").
repair("corp", "endpoint",
       "send cross-origin-resource-policy: cross-origin, or load it with crossorigin").
repair("frame_refused", "endpoint", "let this page embed it: frame-ancestors, x-frame-options").
repair("blocked", "endpoint", "see why the browser blocks it").
repair("integrity", "endpoint", "name the checksum of the file that is delivered").

check("cors", "is answered, and code can read it").
check("csp", "is loaded, and no violation is reported").
check("mixed_content", "is loaded over https").
check("corp", "is loaded").
check("frame_refused", "is shown").
check("blocked", "is loaded").
check("integrity", "runs").
