# Kinds of fault of the network: an answer that is an error, none at all, a missing one, a cancelled one. Together with
# 42_policy.mg this gives every request that went wrong one kind by its outcome.

# ---- the answer is an error -----------------------------------------------------------------------

# What is missing, by what was asked for.
Decl missing_kind(Kind, Fault) bound [/string, /string].
missing_kind("data", "missing_route").
missing_kind("document", "missing_page").
missing_kind("frame", "missing_page").
missing_kind("script", "missing_script").
missing_kind("worker", "missing_script").
missing_kind("style", "missing_style").
missing_kind("image", "missing_file").
missing_kind("font", "missing_file").
missing_kind("media", "missing_file").
missing_kind("prefetch", "missing_file").
missing_kind("preflight", "missing_route").
missing_kind("beacon", "missing_route").
missing_kind("other", "missing_file").
missing_kind("socket", "socket_refused").
missing_kind("stream", "socket_refused").

Decl status_kind(Status, Fault) bound [/number, /string].
status_kind(400, "rejected").
status_kind(401, "not_authorized").
status_kind(402, "not_authorized").
status_kind(403, "not_authorized").
status_kind(405, "method_not_allowed").
status_kind(407, "not_authorized").
status_kind(408, "timeout").
status_kind(409, "conflict").
status_kind(412, "conflict").
status_kind(413, "too_large").
status_kind(414, "too_large").
status_kind(415, "rejected").
status_kind(419, "not_authorized").
status_kind(422, "rejected").
status_kind(428, "conflict").
status_kind(429, "rate_limited").
status_kind(431, "too_large").
status_kind(440, "not_authorized").
status_kind(498, "not_authorized").
status_kind(504, "timeout").
has_status_kind(S) :- status_kind(S, _).

is_missing(R) :- has_bad_status(R, 404).
is_missing(R) :- has_bad_status(R, 410).

Decl answer_kind(R, Fault) bound [/string, /string].
answer_kind(R, Fault) :- is_missing(R), kind_of(R, Kind), missing_kind(Kind, Fault).
answer_kind(R, Fault) :- has_bad_status(R, S), status_kind(S, Fault).
answer_kind(R, "server_error") :- has_bad_status(R, S), 500 <= S, !has_status_kind(S).
answer_kind(R, "status") :- has_bad_status(R, S), S < 500, !has_status_kind(S), !is_missing(R).

suspect(R, Fault, Text) :-
  answer_kind(R, Fault),
  has_bad_status(R, S),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered ", S).

# ---- no answer ----------------------------------------------------------------------------------------

Decl failure_kind(Reason, Fault, Words) bound [/string, /string, /string].
failure_kind("net::ERR_CONNECTION_REFUSED", "unreachable", "nobody listens at its host and port").
failure_kind("net::ERR_NAME_NOT_RESOLVED", "unreachable", "its host has no address (DNS)").
failure_kind("net::ERR_NAME_RESOLUTION_FAILED", "unreachable", "its host has no address (DNS)").
failure_kind("net::ERR_ADDRESS_UNREACHABLE", "unreachable", "its host cannot be reached").
failure_kind("net::ERR_ADDRESS_INVALID", "unreachable", "its address is invalid").
failure_kind("net::ERR_INTERNET_DISCONNECTED", "unreachable", "the browser is offline").
failure_kind("net::ERR_NETWORK_CHANGED", "unreachable", "the network changed").
failure_kind("net::ERR_CONNECTION_RESET", "unreachable", "the connection was reset").
failure_kind("net::ERR_CONNECTION_CLOSED", "unreachable", "the connection was closed").
failure_kind("net::ERR_CONNECTION_ABORTED", "unreachable", "the connection was aborted").
failure_kind("net::ERR_CONNECTION_FAILED", "unreachable", "no connection").
failure_kind("net::ERR_EMPTY_RESPONSE", "unreachable", "the server hung up without an answer").
failure_kind("net::ERR_SOCKET_NOT_CONNECTED", "unreachable", "no connection").
failure_kind("net::ERR_TUNNEL_CONNECTION_FAILED", "unreachable", "the proxy did not get there").
failure_kind("net::ERR_PROXY_CONNECTION_FAILED", "unreachable", "the proxy does not answer").
failure_kind("net::ERR_UNSAFE_PORT", "unreachable", "browsers refuse its port").
failure_kind("net::ERR_INVALID_URL", "unreachable", "its address is invalid").
failure_kind("net::ERR_UNKNOWN_URL_SCHEME", "unreachable", "its scheme is unknown").
failure_kind("net::ERR_CONNECTION_TIMED_OUT", "timeout", "no connection in time").
failure_kind("net::ERR_TIMED_OUT", "timeout", "no answer in time").
failure_kind("net::ERR_TOO_MANY_REDIRECTS", "redirect_loop", "it is redirected without end").
failure_kind("net::ERR_INCOMPLETE_CHUNKED_ENCODING", "cut_off", "the answer broke off").
failure_kind("net::ERR_CONTENT_LENGTH_MISMATCH", "cut_off", "the answer is shorter than it says").
failure_kind("net::ERR_CONTENT_DECODING_FAILED", "cut_off", "the answer is not encoded as it says").
failure_kind("net::ERR_HTTP2_PROTOCOL_ERROR", "cut_off", "the server broke the protocol").
failure_kind("net::ERR_QUIC_PROTOCOL_ERROR", "cut_off", "the server broke the protocol").
failure_kind("net::ERR_INVALID_HTTP_RESPONSE", "cut_off", "the answer is not HTTP").
failure_kind("net::ERR_RESPONSE_HEADERS_TRUNCATED", "cut_off", "the head of the answer broke off").
failure_kind("net::ERR_SSL_PROTOCOL_ERROR", "certificate", "no TLS at its port").
failure_kind("net::ERR_SSL_VERSION_OR_CIPHER_MISMATCH", "certificate", "no TLS that both know").
failure_kind("net::ERR_BLOCKED_BY_CLIENT", "blocked_by_client",
             "something in the browser blocked it").
failure_kind("net::ERR_BLOCKED_BY_ADMINISTRATOR", "blocked_by_client",
             "a policy of the browser blocked it").
failure_kind("net::ERR_BLOCKED_BY_ORB", "blocked",
             "its type is none that pages of other sites may read").
has_failure_kind(Reason) :- failure_kind(Reason, _, _).
failure_kind(Reason, "certificate", "its certificate is not good") :-
  no_answer(_, Reason),
  :string:starts_with(Reason, "net::ERR_CERT_").
failure_of(R, Fault, Words) :- no_answer(R, Reason), failure_kind(Reason, Fault, Words).

# Refused by a policy (42_policy.mg), whatever the browser calls the failure.
Decl is_refused(R) bound [/string].
is_refused(R) :- request_blocked(R, _).
is_refused(R) :- cors_error(R, _, _).

suspect(R, Fault, Text) :-
  failure_of(R, Fault, Words),
  !is_refused(R),
  !is_socket(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " failed: ", Words).

# Of a failure that no row names the browser's word is all there is to say.
suspect(R, "unreachable", Text) :-
  no_answer(R, Reason),
  !has_failure_kind(Reason),
  Reason != "net::ERR_ABORTED",
  !is_refused(R),
  !is_cancelled(R),
  !is_socket(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " failed: ", Reason).

# The same host for several: it is the host.
Decl dead_host(Origin, Reason) bound [/string, /string].
host_failed(Origin, R, Words) :-
  failure_of(R, "unreachable", Words),
  !is_refused(R),
  request_path(R, Origin, _).
hosts_failures(Origin, Words, N) :- host_failed(Origin, R, Words)
  |> do fn:group_by(Origin, Words), let N = fn:count().
host_answered(Origin) :- status_of(R, _), request_path(R, Origin, _).
dead_host(Origin, Words) :- hosts_failures(Origin, Words, N), 2 <= N, !host_answered(Origin).
change_at(R, Origin, "start it, or correct its address: nothing there answers") :-
  dead_host(Origin, _),
  host_failed(Origin, R, _).

# ---- never answered, given up ----------------------------------------------------------------------

Decl has_to_answer(Kind) bound [/string].
has_to_answer("data").
has_to_answer("document").
has_to_answer("frame").
has_to_answer("script").
has_to_answer("style").

Decl never_answered(R, Ms) bound [/string, /number].
never_answered(R, Ms) :-
  waits(R, Ms),
  2000 <= Ms,
  kind_of(R, Kind),
  has_to_answer(Kind),
  !is_long_poll(R),
  !earlier_document(R),
  !is_cancelled(R).
suspect(R, "never_answered", Text) :-
  never_answered(R, Ms),
  request_label(R, Label),
  seconds(Ms, For),
  Text = fn:string:concat(Label, " was not answered within ", For).

# A change that is not answered was somebody's wish. Of questions many wait for news or are soon forgotten: they are
# missed where the page says that it waits (31_troubles.mg).
missed(R) :- never_answered(R, _), is_change(R), !third_party(R), !is_tracker(R).
trouble(R, 55, Text) :-
  missed(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " is not answered").

# Somebody gave it up while it waited. After a second or more that is a limit of time, not a change of mind.
Decl gave_up(R, Ms) bound [/string, /number].
gave_up(R, Ms) :-
  is_cancelled(R),
  !has_bad_status(R, _),
  !is_refused(R),
  !was_superseded(R),
  !left_by_navigation(R),
  !is_long_poll(R),
  kind_of(R, Kind),
  has_to_answer(Kind),
  sent_at(R, S),
  failed_at(R, E),
  Ms = fn:minus(E, S).
left_by_navigation(R) :- request_cancelled(R, "navigation").
left_by_navigation(R) :- earlier_document(R), waits(R, _).
# Somebody did something, and that ended it.
is_deed("click").
is_deed("submit").
is_deed("key").
is_deed("change").
ended_by_deed(R) :-
  gave_up(R, _),
  failed_at(R, End),
  sent_at(R, Sent),
  input(_, Type, _, _)@[T, _],
  is_deed(Type),
  ms(T, At),
  fn:plus(Sent, 200) <= At,
  At <= fn:plus(End, 20),
  End <= fn:plus(At, 300).
is_given_up_by_timer(R) :-
  gave_up(R, Ms),
  !ended_by_deed(R),
  1000 <= Ms,
  own_data(R),
  method_of(R, "GET"),
  request_cancelled(R, Who),
  :string:starts_with(Who, "script:"),
  !has_begun(R).
# Its answer is a stream that was left when enough of it had come.
has_begun(R) :- answer(R, _, _)@[T, _].
suspect(R, "timeout", Text) :-
  gave_up(R, Ms),
  !ended_by_deed(R),
  1000 <= Ms,
  request_label(R, Label),
  seconds(Ms, For),
  Text = fn:string:concat(Label, " had no answer after ", For, " and was given up").
early(R) :- gave_up(R, Ms), Ms < 1000.
early(R) :- ended_by_deed(R).
suspect(R, "cancelled", Text) :-
  early(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " was cancelled before its answer came").
change_at(R, Where, "do not abort what is still needed") :-
  early(R),
  request_cancelled(R, Who),
  :string:starts_with(Who, "script:"),
  Where = fn:string:replace(Who, "script:", "", 1).

# The page sent a change and went to another address at once, before that was answered: the browser ends it.
cut_by_leaving(R, Where) :-
  waits(R, _),
  earlier_document(R),
  is_change(R),
  own_data(R),
  !is_tracker(R),
  sent_at(R, S),
  navigation(_, Url, "script")@[T, _],
  ms(T, Left),
  S <= fn:plus(Left, 20),
  Left <= fn:plus(S, 300),
  kind_of(Document, "document"),
  url_of(Document, Url),
  request_label(Document, Where).
is_cut_by_leaving(R) :- cut_by_leaving(R, _).
suspect(R, "cancelled", Text) :-
  cut_by_leaving(R, Where),
  request_label(R, Label),
  Text = fn:string:concat(Label, " was cancelled: right after it was sent the page went to ", Where,
                          ", and waited for no answer").
trouble(R, 58, Text) :-
  is_cut_by_leaving(R),
  request_label(R, Label),
  Text = fn:string:concat("what ", Label,
                          " was to change is lost: the page was left before it was answered").
change_at(R, Where,
          "wait for the answer before the page goes elsewhere, or send it with keepalive") :-
  is_cut_by_leaving(R),
  place_of(R, Where).

is_aborted_by_code(R) :- request_cancelled(R, Who), :string:starts_with(Who, "script:").
change_at(R, Where, "do not abort what is still needed") :-
  early(R),
  !is_aborted_by_code(R),
  place_of(R, Where).

cleared(R, "a newer request took its place") :- was_superseded(R).
cleared(R, "the page was left while it waited") :- left_by_navigation(R), !is_cut_by_leaving(R).
cleared(R, "a long poll: it waits on purpose, and is asked again") :- is_long_poll(R).

# ---- repair and check ---------------------------------------------------------------------------------

repair("missing_route", "endpoint", "serve this route, or ask for one that is there").
repair("missing_route", "code", "the address that is asked for").
repair("missing_page", "endpoint", "serve this page, or link to one that is there").
repair("missing_script", "endpoint", "deliver the file, or correct its address in the page").
repair("missing_style", "endpoint", "deliver the file, or correct its address in the page").
repair("missing_file", "endpoint", "deliver the file, or correct its address").
repair("not_authorized", "endpoint", "send a credential that it accepts, or allow the caller").
repair("method_not_allowed", "endpoint", "allow the method there").
repair("method_not_allowed", "code", "the method that is used").
repair("rejected", "endpoint", "send what it asks for: its answer says what it refused").
repair("rejected", "code", "what is sent").
repair("conflict", "endpoint", "send the state that the server has, then repeat").
repair("too_large", "endpoint", "send less, or raise the limit").
repair("rate_limited", "endpoint", "ask less often, or wait as retry-after says").
repair("server_error", "endpoint", "the server's own error, see its log").
repair("status", "endpoint", "see why the server refuses it").
repair("unreachable", "endpoint", "start what serves it, or correct its host").
repair("timeout", "endpoint", "answer in time").
repair("timeout", "code", "the limit of time, and what happens after it").
repair("certificate", "endpoint", "a certificate that is valid for this host").
repair("redirect_loop", "endpoint", "end the circle of redirects").
repair("cut_off", "endpoint", "send the answer whole").
repair("blocked_by_client", "endpoint", "do without it, or serve it under another address").
repair("never_answered", "endpoint", "answer, if only with an error").
repair("never_answered", "code", "a limit of time, and what to show after it").
repair("cancelled", "abort", "do not abort what is still needed").

check("missing_route", "answers 200").
check("missing_page", "answers 200").
check("missing_script", "answers 200 with a script").
check("missing_style", "answers 200").
check("missing_file", "answers 200").
check("not_authorized", "answers 200 after signing in").
check("method_not_allowed", "answers below 400").
check("rejected", "answers below 400").
check("conflict", "answers below 400").
check("too_large", "answers below 400").
check("rate_limited", "answers below 400 each time").
check("server_error", "answers below 400").
check("status", "answers below 400").
check("unreachable", "is answered").
check("timeout", "is answered in time").
check("certificate", "is answered").
check("redirect_loop", "ends with an answer").
check("cut_off", "arrives whole").
check("blocked_by_client", "is answered, or not asked any more").
check("never_answered", "is answered").
check("cancelled", "runs to its end").
