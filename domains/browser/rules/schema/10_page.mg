# What is known of a page. Clients send these facts; observe_page and diagnose_causal_chain bring them
# in their state deltas, with the instants at which they held. Timestamps are milliseconds since 1970
# UTC and repeat the annotation, for clients that cannot keep one.

Decl current_url(Url)
  descr [doc("The page that is looked at: observe_page, diagnose_page and find_elements bring it."),
         direction("both")]
  bound [/string].

Decl console_event(SessionId, Level, Message, Timestamp) temporal
  descr [doc("A message on the console. Level is error, warning, info, log or debug."),
         direction("both")]
  bound [/string, /string, /string, /number].

Decl console_error(SessionId, ErrorId, Message, Timestamp) temporal
  descr [doc("A console error under the id that tools know it by."), direction("both")]
  bound [/string, /string, /string, /number].

Decl net_request(SessionId, RequestId, Method, Url, Timestamp) temporal
  descr [doc("The page asked for Url."), direction("both")]
  bound [/string, /string, /string, /string, /number].

Decl net_response(SessionId, RequestId, Status, Timestamp) temporal
  descr [doc("The answer to that request. Status 0: there was none."), direction("both")]
  bound [/string, /string, /number, /number].

Decl dom_error(SessionId, Component, Message) temporal
  descr [doc("A component of the page threw."), direction("both")]
  bound [/string, /string, /string].

Decl capture_rollup(SessionId, LeftOut)
  descr [doc("An observation left out this many facts, the least important ones."),
         direction("both")]
  bound [/string, /number].

Decl undiagnosed_error(ErrorId)
  descr [doc("Nobody has looked into this error yet."), direction("both")]
  bound [/string].

Decl diagnosed_error(ErrorId, Cause)
  descr [doc("The error was looked into. Cause is a kind of fault: missing_route, server_error, ..., unconnected."),
         direction("both")]
  bound [/string, /string].

Decl fix_candidate(Target, Kind)
  descr [doc("A change there may put it right. Target is an endpoint or a line of code, Kind the kind of fault."),
         direction("both")]
  bound [/string, /string].

Decl page_seen(At)
  descr [doc("Up to this instant the page was looked at. explain_change tells what came later."),
         direction("both")]
  bound [/string].
