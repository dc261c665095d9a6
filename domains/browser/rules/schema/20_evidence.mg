# What was gathered of a page, live or from a recording, for the rules that find causes. Actions tell these
# facts; clients neither send nor see them. C measures, it judges nothing: what is a fault, what led to what
# and what is to blame is said by rules (rules/effects).
#
# Things have ids that hold within one page: "r3" a request, "console-error-2" an error on the console or one
# that code threw (the name that tools use, too), "m7" another message, "s4" a script, "n1" a navigation, "i5" an
# input of the user, "d1" a dialog, "x2" a report of the browser (an issue). Requests are numbered in the order in
# which they were sent, across navigations. Intervals are when something lasted; an instant is when it was seen.

# ---- the page ---------------------------------------------------------------------------------------

Decl page(Url, Title, State)
  descr [doc("The page as it is now. State is loaded, loading, failed, crashed or empty."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl navigation(N, Url, Why) temporal
  descr [doc("From when it began until the page was loaded, or open. Why is address, link, form, script, reload, history, redirect or other."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl navigation_failed(N, Reason) temporal
  descr [doc("It did not come about, in the words of the browser: net::ERR_CONNECTION_REFUSED."),
         direction("evidence")]
  bound [/string, /string].

Decl watched(Page) temporal
  descr [doc("The span of time in which the page was observed; Page is its url."),
         direction("evidence")]
  bound [/string].

Decl visible(State) temporal
  descr [doc("The document was visible or hidden."), direction("evidence")]
  bound [/string].

Decl focused(Target) temporal
  descr [doc("The element had the focus."), direction("evidence")]
  bound [/string].

Decl shown(Kind, Text)
  descr [doc("What a reader sees now: Kind is alert, error, spinner, waiting (a line that says what is being done: Looking up...), empty, heading, dialog, stuck (a button that sends a form and is disabled, though all that can be seen of the form is filled in and valid) or text."),
         direction("evidence")]
  bound [/string, /string].

Decl lost(What, Count)
  descr [doc("So many of What (console, frames, requests, alike for those of one endpoint, facts, bodies) were seen and not kept."),
         direction("evidence")]
  bound [/string, /number].

# ---- requests ---------------------------------------------------------------------------------------

Decl request(R, Method, Url, Kind) temporal
  descr [doc("From when it was sent until it ended, open if it never did. Kind is document, frame, data, script, style, image, font, media, beacon, prefetch, preflight, socket, stream, worker or other."),
         direction("evidence")]
  bound [/string, /string, /string, /string].

Decl request_path(R, Origin, Path)
  descr [doc("Its address in parts, without query."), direction("evidence")]
  bound [/string, /string, /string].

Decl request_route(R, Route)
  descr [doc("Its path with what looks like an id replaced: /api/users/{id}. Requests of one method and route ask the same endpoint."),
         direction("evidence")]
  bound [/string, /string].

Decl request_query(R, Name, Value)
  descr [doc("A parameter of its address."), direction("evidence")]
  bound [/string, /string, /string].

Decl earlier_document(R)
  descr [doc("It belongs to a document that is gone: the page went elsewhere since."),
         direction("evidence")]
  bound [/string].

Decl third_party(R)
  descr [doc("It went to another site than the page's."), direction("evidence")]
  bound [/string].

Decl asked_by(R, Initiator)
  descr [doc("Initiator is parser, script, preload, redirect, preflight, user or other."),
         direction("evidence")]
  bound [/string, /string].

Decl asked_after_input(R, I)
  descr [doc("It was sent within a second after this input, by code that the input ran."),
         direction("evidence")]
  bound [/string, /string].

Decl answer(R, Status, Mime) temporal
  descr [doc("The instant at which the head of the answer came."), direction("evidence")]
  bound [/string, /number, /string].

Decl changed_after(R)
  descr [doc("Within a second after it was answered the document was changed. Not known from recordings that do not watch for changes."),
         direction("evidence")]
  bound [/string].

Decl unchanged_after(R)
  descr [doc("It was answered, and within a second after it nothing in the document was changed."),
         direction("evidence")]
  bound [/string].

Decl answer_from(R, Where)
  descr [doc("Where is network, disk_cache, memory_cache, service_worker or prefetch."),
         direction("evidence")]
  bound [/string, /string].

Decl answer_header(R, Name, Value)
  descr [doc("Headers that decide: content-type, location, retry-after, allow, www-authenticate kind, cache-control, access-control-*, content-security-policy, set-cookie names; of data etag, last-modified and vary, too. Never a credential's value."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl request_failed(R, Reason) temporal
  descr [doc("No answer, or not all of it: net::ERR_CONNECTION_REFUSED and the like; also blocked, canceled."),
         direction("evidence")]
  bound [/string, /string].

Decl request_blocked(R, Why)
  descr [doc("The browser refused to send or to read it: csp, mixed-content, origin, cors, inspector, subresource-filter, coep, corp and others, as blockedReason says."),
         direction("evidence")]
  bound [/string, /string].

Decl request_cancelled(R, Who)
  descr [doc("Who is script:FILE:LINE (an abort by code), navigation, page or unknown."),
         direction("evidence")]
  bound [/string, /string].

Decl cors_error(R, Reason, Header)
  descr [doc("The browser's CORS error for it (MissingAllowOriginHeader ...) and the header that it is about, empty if none."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl redirected(R, Step, Status, From, To)
  descr [doc("The request R was sent on, Step from 1."), direction("evidence")]
  bound [/string, /number, /number, /string, /string].

Decl request_timing(R, Waited, Received)
  descr [doc("Milliseconds until the head of the answer came, and from there to its end."),
         direction("evidence")]
  bound [/string, /number, /number].

Decl request_size(R, Sent, Received)
  descr [doc("Bytes of the bodies."), direction("evidence")]
  bound [/string, /number, /number].

Decl credential_sent(R, Kind)
  descr [doc("Kind is cookie:NAME, bearer, basic, api-key or csrf; none if it went without any."),
         direction("evidence")]
  bound [/string, /string].

Decl credential_empty(R, Kind)
  descr [doc("A credential of this kind was sent without a value, or with undefined or null as one."),
         direction("evidence")]
  bound [/string, /string].

Decl cookie_set(R, Name)
  descr [doc("The answer set this cookie, and the browser took it."), direction("evidence")]
  bound [/string, /string].

Decl cookie_hidden(R, Name)
  descr [doc("The answer set this cookie so that code cannot read it (HttpOnly)."),
         direction("evidence")]
  bound [/string, /string].

Decl cookie_elsewhere(R, Name, Path)
  descr [doc("The answer set this cookie for addresses below Path, and the page's is not: code there does not see it."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl cookie_path(R, Name, Path)
  descr [doc("The answer set this cookie, and the browser took it, for addresses below Path alone, which is not all of the site."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl cookie_over(R, Name)
  descr [doc("The answer set this cookie so that it is over at once: Max-Age=0, Expires long ago."),
         direction("evidence")]
  bound [/string, /string].

Decl cookie_refused(R, Name, Reason, When)
  descr [doc("The browser did not keep (When set) or did not send (When sent) this cookie: SameSiteLax, SecureOnly ..."),
         direction("evidence")]
  bound [/string, /string, /string, /string].

# ---- bodies -----------------------------------------------------------------------------------------

Decl body_kind(R, Kind)
  descr [doc("Of the answer: json, html, text, script, empty, invalid_json, binary; none if it is not known."),
         direction("evidence")]
  bound [/string, /string].

Decl body_type(R, Path, Type)
  descr [doc("Path is $, $.user.name, $.items[].price; Type is null, boolean, number, string, array or object; missing where only some objects of an array have it. Of members of an array every type that occurs."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl body_empty(R, Path)
  descr [doc("An array, object or text without content, or null, stands there."),
         direction("evidence")]
  bound [/string, /string].

Decl body_value(R, Path, Value)
  descr [doc("A short plain value of the answer (ids, codes, words), as text; credentials are left out."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl id_word(Path, Word)
  descr [doc("A member of an answer, or of what was sent, is named as the id of something: slot of $.visits[].slotId. In small letters."),
         direction("evidence")]
  bound [/string, /string].

Decl sent_value(R, Path, Value)
  descr [doc("The same of what was sent: body or query. Path as above."), direction("evidence")]
  bound [/string, /string, /string].

Decl sent_type(R, Path, Type)
  descr [doc("As body_type, of what was sent."), direction("evidence")]
  bound [/string, /string, /string].

Decl sent_empty(R, Path)
  descr [doc("As body_empty, of what was sent."), direction("evidence")]
  bound [/string, /string].

Decl written_number(R, Path, Value)
  descr [doc("A text in the answer that people read as a number and code does not: 31,50."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl body_says_error(R, Path, Text)
  descr [doc("A member named error, errors, message, detail or the like beside a success says Text."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl refusal_says(R, Number, Where, Text)
  descr [doc("An answer that is an error, in its own words: Where is errors.title, message, title of an error page, or empty. Short, on one line, without credentials."),
         direction("evidence")]
  bound [/string, /number, /string, /string].

Decl refusal_about(R, Name)
  descr [doc("An answer that is an error names this member of what was sent, or of what should have been."),
         direction("evidence")]
  bound [/string, /string].

Decl refusal_quotes(R, Path, Value, Said)
  descr [doc("An answer that is an error has, in its words Said, the very Value that was sent at Path."),
         direction("evidence")]
  bound [/string, /string, /string, /string].

Decl sent_near(R, Path, Name)
  descr [doc("The refusal names Name, and what was sent has no such member, but at Path one that is spelled nearly so: dueDate for due_date."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl body_changed(R, Before, Path, From, To)
  descr [doc("The same endpoint answered Before with another type at Path; missing is a type here."),
         direction("evidence")]
  bound [/string, /string, /string, /string, /string].

Decl came_instead(R, Path, New)
  descr [doc("Of what body_changed tells as missing: the one member of its type that stands beside where it stood, and did not before."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl json_breaks_off(R, Bytes, Beyond)
  descr [doc("The answer is JSON that ends too early, after so many bytes; so many of these are more than it has characters."),
         direction("evidence")]
  bound [/string, /number, /number].

Decl code_takes(R, Path, Url, Line)
  descr [doc("The code behind the request reads this member of its answer, there. By the text of the script, as far as it could be followed; Path as above, $.items[] where the members of a list are gone through."),
         direction("evidence")]
  bound [/string, /string, /string, /number].

Decl code_misses(R, Path, Url, Line)
  descr [doc("The same of a member that the answer does not have, although it has the object for it."),
         direction("evidence")]
  bound [/string, /string, /string, /number].

Decl code_asks_for(R, Path, Url, Line)
  descr [doc("As code_misses, where the code asks whether it is there: a.b || c, a.b ? c : d, if (a.b)."),
         direction("evidence")]
  bound [/string, /string, /string, /number].

Decl near_name(R, Path, Near)
  descr [doc("Beside what code_misses or code_asks_for tell stands one that is spelled nearly so, or the same but for case and _."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl name_unread(R, Path)
  descr [doc("No script of the page knows the name of this member; near_name tells what one reads in its place."),
         direction("evidence")]
  bound [/string, /string].

Decl choice_unknown(R, Path, Value, How, Other)
  descr [doc("Of the words by which the items of a list differ at Path, this is the only one that no script of the page knows, in any case of letters; Other is one that is known. How is unshown (of items that have it the page shows nothing, of all others it shows something) or shown."),
         direction("evidence")]
  bound [/string, /string, /string, /string, /string].

Decl word_unknown(R, Path, Value)
  descr [doc("The same of one thing, whose state or kind is this word: no script of the page knows it."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl shown_whole(R, Path, Value)
  descr [doc("A member whose name says that it counts hundredths (price_cents), and the page shows it as whole: 1,250.00 for 1250."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl shown_key(Key, Count)
  descr [doc("So many lines of what is shown are keys of texts, shop.title, that stand so in the page's files; the first."),
         direction("evidence")]
  bound [/string, /number].

Decl name_elsewhere(R, Path, There)
  descr [doc("The answer has a member of the name that code_misses or code_asks_for tell, once, at another place."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl code_reads_as(R, Path, As, Url, Line)
  descr [doc("The code makes of this member, there, a date or a number; or it holds it to be the very same as something else (same), a text (same text) or a number (same number); or adds a number that is a text with + (sum); or takes it if it is a list, and nothing else (list)."),
         direction("evidence")]
  bound [/string, /string, /string, /string, /number].

Decl unreadable_date(R, Path, Value)
  descr [doc("Of what code_reads_as tells that a date is made of it: a text of which none can be made."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl code_reads_json(R)
  descr [doc("The code reads its answer as JSON, whatever came."), direction("evidence")]
  bound [/string].

Decl code_may_read_json(R)
  descr [doc("The same, after a look at whether it is some."), direction("evidence")]
  bound [/string].

Decl code_goes_by_type(R)
  descr [doc("Whether it reads its answer as JSON depends on what the Content-Type says."),
         direction("evidence")]
  bound [/string].

Decl code_does_without(R, With)
  descr [doc("Where the request fails, the code that asked catches it and goes on with a value of its own, with nothing, or takes the place away that was to show it: value, nothing, place."),
         direction("evidence")]
  bound [/string, /string].

Decl sent_grown(R, Path, Old, Tail, Url, Line)
  descr [doc("The number that R sent at Path is one that an answer or a request before had by that name, Old, with the figures Tail behind it; nobody had written or pressed it, and no answer had it. Code behind the request adds something at this line."),
         direction("evidence")]
  bound [/string, /string, /string, /string, /string, /number].

Decl added_to_text(Url, Line, Tail, Shown)
  descr [doc("At this line a script adds the number Tail to what is always a text (an attribute, the text of an element, what is kept), and the page shows a number, Shown, that ends so; or the value of a field (Tail) to another field's, and Shown is what a user had put into two fields, one behind the other."),
         direction("evidence")]
  bound [/string, /number, /string, /string].

Decl asked_together(R, Url, Line)
  descr [doc("Code waits there for its answer and those of others together, by Promise.all or the like, and catches the failure of none by itself. Only where a request of the page failed."),
         direction("evidence")]
  bound [/string, /string, /number].

Decl values_shown(R, Shown, Count)
  descr [doc("Of a well answer of asked_together: of Count texts and numbers in it, so many stand on the page."),
         direction("evidence")]
  bound [/string, /number, /number].

Decl code_says_instead(R, Text)
  descr [doc("It failed, and what the code that asked has to say of that, Text, stands on the page."),
         direction("evidence")]
  bound [/string, /string].

Decl code_expects(R, Status)
  descr [doc("The code that asked compares the status of the answer with just the one that came, an error."),
         direction("evidence")]
  bound [/string, /number].

Decl same_answer(R, Before)
  descr [doc("It was answered, to the letter, what the same address was answered Before."),
         direction("evidence")]
  bound [/string, /string].

Decl asked_rounded(R, Before, Written, Read)
  descr [doc("It was asked with the number Read, which is how code reads Written in the answer of Before: a number beyond 2^53 loses its last digits."),
         direction("evidence")]
  bound [/string, /string, /string, /string].

Decl asks_further(Older, Newer)
  descr [doc("Of two questions to one endpoint, the older of which was answered last: they differ in one value of their query, and that of the older is the beginning of that of the newer, with a letter in it: q=am and q=amoxi."),
         direction("evidence")]
  bound [/string, /string].

Decl shows_older(Older, Newer)
  descr [doc("Of two questions to one endpoint, the older of which was answered last: what of the answers only the older has stands on the page, once and in its order, and nothing of what only the newer has. Of what both have nothing stands there for itself."),
         direction("evidence")]
  bound [/string, /string].

Decl sent_unencoded(R, Name, Typed, Got, Sign)
  descr [doc("A user typed this, and code put it unencoded into the query of R, as Name, or into its path: what the server has of it is Got. Sign is # (nothing behind it was sent), & (what is behind it is another parameter), + (a space there) or % (begins what is encoded)."),
         direction("evidence")]
  bound [/string, /string, /string, /string, /string].

Decl puts_unencoded(R, Url, Line)
  descr [doc("Of sent_unencoded: a script puts something into an address there, as a parameter of that name, and does not encode it."),
         direction("evidence")]
  bound [/string, /string, /number].

Decl holds_all_of(R, Part)
  descr [doc("What is kept of the answer of Part, another question to the same endpoint, stands in that of R, too."),
         direction("evidence")]
  bound [/string, /string].

Decl shown_joined(R, Path, Text)
  descr [doc("The page shows Text, which is what the answer has at Path (of a list, one member after the other, also behind a 0; of an object, another member behind it): numbers, written as texts there."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl lacks_sent(Get, R, Path, Value)
  descr [doc("The first answer of its own address after the change R does not have the text that R sent at Path."),
         direction("evidence")]
  bound [/string, /string, /string, /string].

Decl imports(Url, Other)
  descr [doc("The script imports the other one, by their addresses."), direction("evidence")]
  bound [/string, /string].

Decl prevents_late(Url, Line)
  descr [doc("A listener of submit waits for something before it keeps the browser from sending the form, there."),
         direction("evidence")]
  bound [/string, /number].

Decl asked_at(R, Url, Line)
  descr [doc("Of the functions that asked, the innermost whose call says what for: not the wrapper around fetch."),
         direction("evidence")]
  bound [/string, /string, /number].

Decl answers_asked(R, Path)
  descr [doc("At Path its answer has the id that it was asked for, the last part of its path: the same, or with a prefix (BK-4417 for 4417), in other letters, with zeros before it."),
         direction("evidence")]
  bound [/string, /string].

Decl cached_for_other(R, Before, Name, Was)
  descr [doc("A cache answered it with what Before, of the same address, had been answered; but Before was sent another value of the header Name, Was (empty: none), and the answer does not name it as Vary."),
         direction("evidence")]
  bound [/string, /string, /string, /string].

Decl same_mark(R, Before, Name)
  descr [doc("It was sent the same value of the header Name, which says that a change is the same one (Idempotency-Key), as Before to the same endpoint, but with another body."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl goes_without(R)
  descr [doc("Right after it failed elements of the page were taken away or hidden, and nothing was put there; or, of a frame, it was taken out of the document. Not known from recordings that do not watch for changes."),
         direction("evidence")]
  bound [/string].

Decl code_tells_reason(R, Reason, Text)
  descr [doc("It was refused with Reason, a name, and what the page's code has to say for that name, Text, stands on the page."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl code_has_words_for(R, Reason, Text)
  descr [doc("It was refused with Reason, a name, for which the page's code has something to say, Text, that does not stand on the page now."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl code_discards(R)
  descr [doc("The code that asked does nothing with its answer: a statement of its own, which at most catches what fails."),
         direction("evidence")]
  bound [/string].

Decl same_for_other(R, Before)
  descr [doc("It is answered, byte for byte, what another question to the same endpoint was answered before."),
         direction("evidence")]
  bound [/string, /string].

Decl odd_date(K, Value)
  descr [doc("Code showed or took apart a date that is so many milliseconds behind the beginning of 1970, in its January: as many seconds are a day of our time. A stack of K is where. Not known from recordings that do not look."),
         direction("evidence")]
  bound [/string, /number].

Decl date_from(K, R, Path)
  descr [doc("The answer has the number of the odd date, at Path."), direction("evidence")]
  bound [/string, /string, /string].

Decl not_waited_for(R, Url, Line)
  descr [doc("It is asked for in an async function that is handed to forEach(), which waits for none."),
         direction("evidence")]
  bound [/string, /string, /number].

Decl form_checked(Form, Url, Line)
  descr [doc("A script has a table of checks there, by the names of this form's fields."),
         direction("evidence")]
  bound [/string, /string, /number].

Decl form_check_lacks(Form, Name, Url, Line)
  descr [doc("What the script checks there of a form's fields has a Name of which the form has none."),
         direction("evidence")]
  bound [/string, /string, /string, /number].

Decl form_check_refuses(Form, Name, Value, Pattern, Url, Line)
  descr [doc("What the field of that Name held when the form was sent does not fit the regular expression that the script has for it there."),
         direction("evidence")]
  bound [/string, /string, /string, /string, /string, /number].

Decl inline_gives(Name, Url, Line)
  descr [doc("A script within the document sets the global Name, and a script of its own file asks for it, first there."),
         direction("evidence")]
  bound [/string, /string, /number].

Decl answered_elsewhere(R, Other)
  descr [doc("It went wrong, and the same line of code then asked for the same file of another place, and had an answer."),
         direction("evidence")]
  bound [/string, /string].

Decl page_is_of(R, Word)
  descr [doc("It went wrong, and the page is of what was asked for: its address or a heading has the Word that the request's address ends with."),
         direction("evidence")]
  bound [/string, /string].

Decl submit_listener(Url, How, Line)
  descr [doc("The only listener of submit in the page's scripts: How is guarded (this line has its first condition, behind which it may leave) or all (it has none; where it is added)."),
         direction("evidence")]
  bound [/string, /string, /number].

Decl button_enabled(Url, Line)
  descr [doc("Of scripts that set whether something is disabled by a condition, the only place, where a button is stuck."),
         direction("evidence")]
  bound [/string, /number].

Decl said_by_listener(Kind)
  descr [doc("What is shown as Kind (alert, error) is a text of a listener of submit, or of what that calls."),
         direction("evidence")]
  bound [/string].

Decl veiled_by_listener(Target)
  descr [doc("The text of this veiled element is one of a listener of submit, or of what that calls."),
         direction("evidence")]
  bound [/string].

Decl asked_with_id_of(R, Kind, Id, Answer, Name)
  descr [doc("A thing of this Kind, a word of the address, was asked for with an Id that the Answer before has as the Name of something else. No answer knows it as one of that kind, and id_was_there tells which is."),
         direction("evidence")]
  bound [/string, /string, /string, /string, /string].

Decl id_was_there(R, Name, Id)
  descr [doc("Of asked_with_id_of: what the same object has as the id of that kind."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl answered_other(R, Meant, Other)
  descr [doc("Of asked_with_id_of: the thing with the right id is called Meant, by the answer before, and R was answered a thing that is called Other."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl answered_another(R, Asked, Id)
  descr [doc("The address asks for the thing with the id Asked, and the answer calls itself by another one of the same form, Id."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl asked_for_part(R, Name)
  descr [doc("Of an entry that was clicked R asked for the id of what stands in it as Name, as if it were its own."),
         direction("evidence")]
  bound [/string, /string].

Decl number_or_text(R, Path)
  descr [doc("At Path a list in its answer has numbers in some items and texts that are numbers in others."),
         direction("evidence")]
  bound [/string, /string].

Decl drawn_by(Target, Url, Line)
  descr [doc("Code draws into a canvas of no size there."), direction("evidence")]
  bound [/string, /string, /number].

Decl list_shown(R, Path, Shown, Count, First)
  descr [doc("Of the Count items of a list in its answer, each with a text of its own, Shown are on the page at the end, and the item with the number First (from 0) is the first that is not; -1: all are."),
         direction("evidence")]
  bound [/string, /string, /number, /number, /number].

Decl overwritten(R, Path, Other, OtherPath, Lost, Count)
  descr [doc("Two lists of answers have ids in common. Of the Count items of the first those that are not on the page, Lost, are just those whose id an item of the other list has, which are all on the page; and a script keeps things by their id."),
         direction("evidence")]
  bound [/string, /string, /string, /string, /number, /number].

Decl none_line(Line)
  descr [doc("The page says in this line at the end that there is none of something."),
         direction("evidence")]
  bound [/string].

Decl said_none(R, Line, Word)
  descr [doc("The page says at the end that there is none of something, in a line that has a Word of its address or of a list in its answer; or denies anything, in a line that the script has where it asks for this (Word is empty)."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl garbled(R, Word)
  descr [doc("The answer has letters that were encoded twice or could not be read, first in this word: M\u{00c3}\u{00bc}ller."),
         direction("evidence")]
  bound [/string, /string].

Decl header_kept_from(K, R, Name)
  descr [doc("Code asked for this header (in small letters) of the answer and was told that there is none: it came, from another origin, and access-control-expose-headers does not name it. A stack of K is where. Not known from recordings that do not look."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl header_read_in_vain(K, R, Name)
  descr [doc("The same of a header that the answer does not have."), direction("evidence")]
  bound [/string, /string, /string].

Decl code_hands_on(R, Path)
  descr [doc("This part of the answer, $ for all of it, goes to code that was not followed."),
         direction("evidence")]
  bound [/string, /string].

# ---- code -------------------------------------------------------------------------------------------

Decl script(S, Url, How) temporal
  descr [doc("From when it was asked for until it ran, open if never. How is inline, blocking, async, defer, module, injected or eval."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl script_request(S, R)
  descr [doc("The request that brought it."), direction("evidence")]
  bound [/string, /string].

Decl error(E, Name, Message, Source) temporal
  descr [doc("Name is TypeError ... or empty; Source is exception, rejection, console, network, security, rendering, worker, deprecation or other. The interval is first to last of those with the same text and stack."),
         direction("evidence")]
  bound [/string, /string, /string, /string].

Decl message(M, Level, Text) temporal
  descr [doc("Another message on the console, first to last of the same."), direction("evidence")]
  bound [/string, /string, /string].

Decl repeated(X, Count, PerSecond)
  descr [doc("An error or message came so often, or a request and others of the same method and route, of which X is the first; and how many came in the densest second."),
         direction("evidence")]
  bound [/string, /number, /number].

Decl stack(X, Depth, Function, Url, Line)
  descr [doc("Who ran when X (an error, message, request, script, input) came about: Depth from 0, asynchronous callers follow."),
         direction("evidence")]
  bound [/string, /number, /string, /string, /number].

Decl error_expression(E, Expression, Property)
  descr [doc("What the code read when it failed, from the script's text at that place: data.user and name for `data.user.name`; Property may be empty."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl error_about_name(E, Name)
  descr [doc("The name that nobody defined, or the value that is no function."),
         direction("evidence")]
  bound [/string, /string].

Decl error_about_request(E, R)
  descr [doc("The browser itself says that this error is about this request."),
         direction("evidence")]
  bound [/string, /string].

Decl error_mentions(E, What)
  descr [doc("Paths, statuses and words in quotes that the text of the error or message holds."),
         direction("evidence")]
  bound [/string, /string].

Decl shares_word(E, R, Word)
  descr [doc("The error, in its text or the names of functions and files of its stack, and the path of the request have a telling word in common: UserList and /api/users."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl error_awaits(E, R)
  descr [doc("The code that failed had awaited this request: it is in the asynchronous stack of the error, or its answer is where the failed value came from. Without asynchronous stacks: the last that the same script asked for and that ended just before."),
         direction("evidence")]
  bound [/string, /string].

Decl name_in_file(E, R)
  descr [doc("The name that error_about_name tells is in the file name of this script's request, in any case of letters; $ is jquery."),
         direction("evidence")]
  bound [/string, /string].

Decl reads_body(E, Path)
  descr [doc("The value that failed, as a path in an answer ($.user, $.items[].price): followed back through the script to what a request brought. error_awaits tells which request."),
         direction("evidence")]
  bound [/string, /string].

Decl data_from(E, R, Path)
  descr [doc("The value that failed is what this request's answer has at Path: where the script takes it, it is R that is asked for."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl defines(S, Name)
  descr [doc("The script defines this global name, of those that errors are about."),
         direction("evidence")]
  bound [/string, /string].

Decl own_path(E, Path)
  descr [doc("Of reads_path: it begins with a field that the page's scripts make themselves, of something else than a member of that name."),
         direction("evidence")]
  bound [/string, /string].

Decl reads_path(E, Path)
  descr [doc("A path of names that leads to the failed place, without its first variable, and each of its beginnings: user, user.name for data.user.name. What was read and failed is the longest, if its name is known."),
         direction("evidence")]
  bound [/string, /string].

Decl caught(C, Name, Message) temporal
  descr [doc("An exception that code caught, first to last of the same; c1 and on. Not known from recordings that do not stop at exceptions."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl quiet_after(C)
  descr [doc("Within a second after code caught it, the document was not changed, nobody went elsewhere and no dialog was opened."),
         direction("evidence")]
  bound [/string].

Decl element_missing(Q, Selector) temporal
  descr [doc("Code looked for this element, and there was none; q1 and on, once a selector. Not known from recordings that do not look."),
         direction("evidence")]
  bound [/string, /string].

Decl element_came(Q)
  descr [doc("Now there is an element of that id or class."), direction("evidence")]
  bound [/string].

Decl event_unheard(Q, Type) temporal
  descr [doc("Code dispatched an event of its own to which nobody had listened anywhere; q1 and on, once a type."),
         direction("evidence")]
  bound [/string, /string].

Decl timer_again(Q, Count) temporal
  descr [doc("An interval was started once more by the same callers, and none of theirs ended: so many run by then; q1 and on."),
         direction("evidence")]
  bound [/string, /number].

Decl element_undefined(Name, Near, Q)
  descr [doc("The document has elements of this name of its own, empty, and no code defined it. Near is one that code defined and that is called nearly so, with Q where; both may be empty."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl defines_elements()
  descr [doc("Code of the page defined elements of its own."), direction("evidence")].

Decl loaded_again(S, Url, First)
  descr [doc("The script S is another copy of one that had run, First: the same file, or another build of it."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl nearly(X, Name)
  descr [doc("There is one that is called nearly so: an id or class of an element, a type of events that somebody listens to."),
         direction("evidence")]
  bound [/string, /string].

Decl listener_again(Q, Type, Target, Count) temporal
  descr [doc("A listener of the same text was added to the same element once more, and none taken away: so often by then; q1 and on."),
         direction("evidence")]
  bound [/string, /string, /string, /number].

# ---- sockets, streams -------------------------------------------------------------------------------

Decl socket_frame(R, Number, Direction, Text) temporal
  descr [doc("A frame of a WebSocket or an event of an EventSource. Direction is sent or received."),
         direction("evidence")]
  bound [/string, /number, /string, /string].

Decl stream_heard(R, Name)
  descr [doc("Events of this name came on the stream, and the page listens to them."),
         direction("evidence")]
  bound [/string, /string].

Decl stream_unheard(R, Name)
  descr [doc("Events of this name came on the stream, and the page listens to none of that name there."),
         direction("evidence")]
  bound [/string, /string].

Decl frame_sort(R, Direction, Sort, Number, Count) temporal
  descr [doc("So many messages of this sort went over the socket, first to last of them; Number is the first. Sort is what a message says that it is (type subscribe), the words at the head of a list or text, or the names of its members; in small letters."),
         direction("evidence")]
  bound [/string, /string, /string, /number, /number].

Decl frame_misses(R, Member, Url, Line)
  descr [doc("The script that opened the socket tells its messages apart by this member, there (switch, ===, handlers[...]), and none of those that came has it."),
         direction("evidence")]
  bound [/string, /string, /string, /number].

Decl frame_refuses(R, Number, To, Says) temporal
  descr [doc("Message Number of the server refuses what the page sent with message To, right before: it is an error, a reply that says no; Says is its own word for why."),
         direction("evidence")]
  bound [/string, /number, /number, /string].

Decl frame_noticed(R, Number, Noticed)
  descr [doc("Right after a message of frame_refuses something in the document was changed (true) or nothing (false). Not known from recordings that do not watch for changes."),
         direction("evidence")]
  bound [/string, /number, /string].

Decl sent_from(R, Number, F)
  descr [doc("The stack of F is where code sent this message. Not known from recordings that do not look."),
         direction("evidence")]
  bound [/string, /number, /string].

Decl socket_closed(R, Code, Reason) temporal
  descr [doc("Code 0: it is not known, as DevTools do not tell it."), direction("evidence")]
  bound [/string, /number, /string].

Decl socket_failed(R, Reason) temporal
  descr [doc("It could not be opened, or broke."), direction("evidence")]
  bound [/string, /string].

# ---- the user, dialogs ------------------------------------------------------------------------------

Decl input(I, Type, Target, Text) temporal
  descr [doc("click, submit, change, key, upload, drop; Target is a selector, Text what it says."),
         direction("evidence")]
  bound [/string, /string, /string, /string].

Decl submitted(I, Form, Method, Action, Prevented)
  descr [doc("A form was submitted; Prevented: true if code kept the browser from sending it itself."),
         direction("evidence")]
  bound [/string, /string, /string, /string, /string].

Decl invalid(I, Field, Message, Shown)
  descr [doc("Validation refused a field; Shown: true if a reader could see why."),
         direction("evidence")]
  bound [/string, /string, /string, /string].

Decl still_invalid(Field, Message, Shown)
  descr [doc("At the end the browser holds this field to be invalid, whether or not anybody asked; Shown: true if the field can be seen."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl heard(I, How)
  descr [doc("Who hears the click: own (the element, or one around it), above (the document or window), native (the browser itself), lost (nobody, but one of that name had a listener before), none. A stack of I is where that listener was added."),
         direction("evidence")]
  bound [/string, /string].

Decl input_without_effect(I)
  descr [doc("Within two seconds after it nothing was asked for, changed or said."),
         direction("evidence")]
  bound [/string].

Decl dialog(D, Kind, Text) temporal
  descr [doc("alert, confirm, prompt or beforeunload, while it was open."), direction("evidence")]
  bound [/string, /string, /string].

# ---- what the browser says, storage, growth ---------------------------------------------------------

Decl issue(X, Code, Detail, About) temporal
  descr [doc("A DevTools issue: CookieIssue, CorsIssue, ContentSecurityPolicyIssue, MixedContentIssue ... About is the id of a request, or empty."),
         direction("evidence")]
  bound [/string, /string, /string, /string].

Decl csp_violation(X, Directive, Blocked)
  descr [doc("What the policy kept out: an address, inline or eval. Only what was kept out, not what was only reported."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl storage_use(Area, Used, Most)
  descr [doc("Bytes; Area is local, session, indexeddb, cache, all. Most 0: not known."),
         direction("evidence")]
  bound [/string, /number, /number].

Decl storage_failed(E, Area)
  descr [doc("Writing failed: QuotaExceededError and the like."), direction("evidence")]
  bound [/string, /string].

Decl sample(What, Count) temporal
  descr [doc("nodes, listeners, heap, documents, timers, sockets, layouts, mutations at that instant."),
         direction("evidence")]
  bound [/string, /number].

Decl grows(What, First, Last, PerSecond)
  descr [doc("It rose from sample to sample and never fell, a second after the last input and later; nodes, listeners, heap and documents only if garbage was collected before each sample."),
         direction("evidence")]
  bound [/string, /number, /number, /number].

Decl piles_up(Target, First, Last) temporal
  descr [doc("Second by second the element took in more elements than it gave away, and had so many after three of them and at last; a stack of pile:Target is who adds to it. Not known from recordings that do not look."),
         direction("evidence")]
  bound [/string, /number, /number].

Decl busy(Script, Milliseconds) temporal
  descr [doc("A long task; Script is where it spent its time, if that is known."),
         direction("evidence")]
  bound [/string, /number].

Decl long_script(B, By, Type, Milliseconds, Layout) temporal
  descr [doc("From when to when a script ran for 200 ms or more, the longest of what was observed. By is what called it, in the browser's words: BUTTON#go.onclick, TimerHandler:setTimeout, Response.json.then; Type is event-listener, user-callback, resolve-promise, classic-script ...; both are empty where only a long task is known. Layout: so many ms of it were layout and styles that it forced (-1: not known). A stack of B is where the page was found most often when it was looked at meanwhile, or else where the script was entered. Not known from recordings that do not look."),
         direction("evidence")]
  bound [/string, /string, /string, /number, /number].

Decl layouts_within(B, Count)
  descr [doc("While the page was looked at during long_script the document was laid out so many times."),
         direction("evidence")]
  bound [/string, /number].

Decl script_waited(B, Milliseconds)
  descr [doc("So long it stood still: in a request that holds up everything, or a dialog."),
         direction("evidence")]
  bound [/string, /number].

Decl laid_out(B, Milliseconds)
  descr [doc("After the scripts of its frame, of which it ran longest, the browser was busy with layout and drawing for so long."),
         direction("evidence")]
  bound [/string, /number].

Decl kept_alive(H, Bytes) temporal
  descr [doc("Of what code allocated since the page was seen to grow, so many bytes (by samples) were still held then; a stack of H is who made them, by the first lines of functions. Most bytes first. Not known from recordings that do not look."),
         direction("evidence")]
  bound [/string, /number].

Decl shifted(Thousandths) temporal
  descr [doc("The layout moved by so much without input."), direction("evidence")]
  bound [/number].

Decl redraws(Target, Turns)
  descr [doc("To the end of what was observed the document is changed there in so many turns a second or more, and each second what stands there is what stood there before. Not known from recordings that do not look."),
         direction("evidence")]
  bound [/string, /number].

Decl mutates(Target, PerSecond)
  descr [doc("The document is changed there without end."), direction("evidence")]
  bound [/string, /number].

# ---- what is kept, filled in, pressed, drawn: as the helper in the page sees it ------------------------

Decl store_refused(K, Area, Key, Name) temporal
  descr [doc("Writing into local or session storage was refused with this error, caught or not; also in an earlier visit of the page, for what is kept outlives it."),
         direction("evidence")]
  bound [/string, /string, /string, /string].

Decl click_was_to_keep(K)
  descr [doc("What store_refused tells came within a second after a click, and the page asked its server for nothing in that second."),
         direction("evidence")]
  bound [/string].

Decl store_filled(K, Area, Key, Bytes)
  descr [doc("When writing was refused, most of what this visit had written came from the stack of K, or, if that has none, the greatest part of all was under Key."),
         direction("evidence")]
  bound [/string, /string, /string, /number].

Decl stored_before(K, Area, Key, Form) temporal
  descr [doc("As stored, in an earlier visit, the last before this one; of what is read in this one."),
         direction("evidence")]
  bound [/string, /string, /string, /string].

Decl database_opened(K, Name, Version) temporal
  descr [doc("An IndexedDB was opened, of this version; also in an earlier visit."),
         direction("evidence")]
  bound [/string, /string, /number].

Decl database_refused(K, Name, Version, What, Said) temporal
  descr [doc("Code asked for an IndexedDB or something of it in vain: What is open (of Version, 0 for any), upgrade (others have it open), transaction, put or add (Name is the store's then); Said begins with the error's name. Caught or not, also in an earlier visit."),
         direction("evidence")]
  bound [/string, /string, /number, /string, /string].

Decl filled_in(K, Target, Name, Text) temporal
  descr [doc("A user had put Text into this field when a form was submitted or a button pressed. Name is its name, or else its id. No passwords and numbers of cards."),
         direction("evidence")]
  bound [/string, /string, /string, /string].

Decl field_left_out(K, Target, Why, Text) temporal
  descr [doc("A form was read, and this field, which has Text, is not in what was read: disabled (a user had filled it in, and it was not disabled when the button was pressed), nameless, outside (of all forms; a user had filled it in). K's stack is who read it, none if the browser did."),
         direction("evidence")]
  bound [/string, /string, /string, /string].

Decl pressed_in(I, Button)
  descr [doc("The click was on something in this button or link."), direction("evidence")]
  bound [/string, /string].

Decl target_unmatched(K, Target, Selector) temporal
  descr [doc("While a click on Target was heard, code asked whether it matches Selector: it does not, an element around it does."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl sent_as_text(R, Name, Type)
  descr [doc("A member of the JSON that was sent is a text, and this text is the JSON of an array or object."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl token_unknown(R, Path)
  descr [doc("A member of the answer is named as a token (form_token, csrf, nonce), and no script of the page has that name, nor one that differs from it by _ and capitals."),
         direction("evidence")]
  bound [/string, /string].

Decl name_as_list(R, Path, Url, Line)
  descr [doc("The answer has an object at Path and in it a list that no script reads by both names; at this line a script takes what is called as the object for a list, or else for none: Array.from(state.rows ?? []), Array.isArray(rows) ? rows : []. By the name alone."),
         direction("evidence")]
  bound [/string, /string, /string, /number].

Decl kept_short(R, I, Left, Url, Line)
  descr [doc("The function that asked keeps the answer, there, under a name in which its parameter Left is not, although the question is made with it. Later the user clicked I, and a value with which R asked stands on the page beside what I is called."),
         direction("evidence")]
  bound [/string, /string, /string, /string, /number].

Decl builtin_changed(Name, Url, Line)
  descr [doc("A script has given a built-in prototype a toJSON of its own, so that JSON.stringify makes something else of it; where, if that is known."),
         direction("evidence")]
  bound [/string, /string, /number].

Decl no_room(Target, Parent, Side, How, Children)
  descr [doc("At the end an element into which something is drawn (a canvas, or children that all stand at places of their own, cut off at its edge) has no height or width (Side), and nothing that closes it around it. How is what its styles say of that side: 100%, auto."),
         direction("evidence")]
  bound [/string, /string, /string, /string, /number].

Decl style_ignored(Target, Count, Flat)
  descr [doc("At the end so many elements have a style attribute of which the browser applies nothing; Flat of them have no height or width. Target is the first."),
         direction("evidence")]
  bound [/string, /number, /number].

Decl regexp_again(Name, Flags, Url, Line)
  descr [doc("A script gives a regular expression with the flag g or y a name outside of the function that asks it with test(), there: it begins where it matched last."),
         direction("evidence")]
  bound [/string, /string, /string, /number].

Decl asked_for_another(R, I, List, Text, Id, Other)
  descr [doc("The click I was on Text, which is of the item Id in the list that List answered, alone; R, which followed, asks for Other, which is another item of that list, and for nothing of Id."),
         direction("evidence")]
  bound [/string, /string, /string, /string, /string, /string].

Decl asked_too_early(S, Name, Url, Line)
  descr [doc("Code that had run before asks there whether Name is defined, which only the script S defines; S is loaded aside and ran later."),
         direction("evidence")]
  bound [/string, /string, /string, /number].

Decl late_for_place(S, Target, Word)
  descr [doc("The element shows nothing, and of all scripts S alone has this word of its attributes in quotes; it is loaded so that it may run when it comes, and code that looks for such attributes had run before."),
         direction("evidence")]
  bound [/string, /string, /string].

# ---- what came too late, twice, not at all, or where nobody sees it -------------------------------------

Decl event_late(K, Type) temporal
  descr [doc("Code began to listen to this event of the page's own, which had been dispatched before, when nobody listened (event_unheard). A stack of K is where."),
         direction("evidence")]
  bound [/string, /string].

Decl event_came(K, Type) temporal
  descr [doc("An event of event_late was dispatched once more after that."), direction("evidence")]
  bound [/string, /string].

Decl drawn_twice(K, Target, Text, Turns) temporal
  descr [doc("Into Target an element was added beside one of the same kind and text (Text), within 40 ms: in another turn (2), so by another listener, or in the same (1). Text is empty where a stack of K tells who adds there."),
         direction("evidence")]
  bound [/string, /string, /string, /number].

Decl drawn_twice_of(K, R, Number)
  descr [doc("What drawn_twice tells of K is of message Number of R, which came right before: it has the text once, and no other of that time has it."),
         direction("evidence")]
  bound [/string, /string, /number].

Decl listens_anew(Url, Line, Name)
  descr [doc("In a function that may run more than once code listens, there, to something of its own (bus.on('message', ...), store.subscribe(...)), and keeps nothing by which it could stop; its script never does. Name is empty if there is none. Only where something was drawn or sent twice."),
         direction("evidence")]
  bound [/string, /number, /string].

Decl observes_itself(K, Target, PerSecond) temporal
  descr [doc("A ResizeObserver, made at the stack of K, was called so often a second, three seconds on end, for Target."),
         direction("evidence")]
  bound [/string, /string, /number].

Decl target_unknown(K, Target, Selector) temporal
  descr [doc("While a click on Target was heard, code looked for Selector from there outwards: neither Target nor anything around it matches. nearly(K, ...) tells what of them is written like it."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl selector_at(K, Url, Line)
  descr [doc("A script has the Selector of target_unknown in quotes, first there."),
         direction("evidence")]
  bound [/string, /string, /number].

Decl frames_missed(R, Before, Member, Last, First)
  descr [doc("Messages of both connections to this address count up by this member; the last of Before had Last, and the first of R has First, which is not the next."),
         direction("evidence")]
  bound [/string, /string, /string, /number, /number].

Decl sorted_as_text(R, Path, Url, Line)
  descr [doc("The items of this list stand on the page in the order of the texts of this member, which are numbers (10, 2, 33), and not in that of the numbers, nor in the answer's. Url and Line: a script sorts there, by this member or by nothing."),
         direction("evidence")]
  bound [/string, /string, /string, /number].

Decl code_slip(What, Url, Line)
  descr [doc("A script of the page's own has, at this line: splice (of a list within forEach over it), comparator (sort((a, b) => a > b), which never says that one comes first), debounce (made and called at once, so that each call has its own timer), assigns (filter or find with x => x.a = b), parseInt (map(parseInt)), text_key (map.get(row.dataset.id), x.id === row.dataset.id: a text), attributes (observedAttributes with a capital)."),
         direction("evidence")]
  bound [/string, /string, /number].

Decl object_as_text(R, Path, Url, Line)
  descr [doc("The page shows [object Object], the answer has an object at Path, and a script puts a member of that name into a text there, as it is."),
         direction("evidence")]
  bound [/string, /string, /string, /number].

Decl spelt_otherwise(R, Path, Other, Url, How, Line)
  descr [doc("The page shows undefined or the like; no script reads the member Path of the answer, and at this line one reads a member Other, which no answer has and no script makes. How is same (but for its spelling) or near."),
         direction("evidence")]
  bound [/string, /string, /string, /string, /string, /number].

Decl fallback_taken(R, Path, Name, How, Url, Line)
  descr [doc("A script reads Name with something in its place (?? [], || '-', a default), which stands on the page if it can be seen; no code gets to such a member of an answer. R has what is meant at Path, of which nothing is on the page: below a member that no script knows (How is below), or under a name that means the same and that no script knows (beside), or of a list that says as little, or is what was asked for (held: data for items, beds of /ward/4/beds for items)."),
         direction("evidence")]
  bound [/string, /string, /string, /string, /string, /number].

Decl choice_cased(R, Path, Value, Other, Url, Line)
  descr [doc("Of the items of a list that have the word Value at Path nothing is on the page; scripts know it in other letters alone, as Other, with which one compares at this line."),
         direction("evidence")]
  bound [/string, /string, /string, /string, /string, /number].

Decl room_not_left(R, Room, Other, Number, Count)
  descr [doc("Over the socket the page asked for Room and later, by message Number, for Other in the same way, and said nothing more of Room. What had come of Room before does not stand on the page any more, and Count messages of it that came since do."),
         direction("evidence")]
  bound [/string, /string, /string, /number, /number].

Decl veiled(Target, How, Text, Count)
  descr [doc("At the end this element, and Count alike beside it, has a text and takes its place in the page, and nobody sees it. How is opacity: 0, visibility: hidden, color (that of what is behind it), font-size: 0, or display: none and hidden, which take no place."),
         direction("evidence")]
  bound [/string, /string, /string, /number].

Decl veiled_by(Target, Rule)
  descr [doc("The last rule of the page's styles that hides it: its sheet, or <style>, and what for. Not known of sheets from elsewhere."),
         direction("evidence")]
  bound [/string, /string].

# ---- time, what is kept, names of messages ------------------------------------------------------------

Decl timer_set(K, What, Milliseconds) temporal
  descr [doc("Code asked to be called after so long (timeout), again and again (interval), or gave a request so long (limit); k1 and on, once a place and time. Not known from recordings that do not look."),
         direction("evidence")]
  bound [/string, /string, /number].

Decl timer_without(K, What, Text) temporal
  descr [doc("Code set a timer with no number for its time, but Text (undefined, NaN): it runs at once, an interval again and again."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl notice_gone(K, Target, Text, Milliseconds) temporal
  descr [doc("A notice (a live region, a toast) said Text, and was gone after so short a time that nobody can have read it."),
         direction("evidence")]
  bound [/string, /string, /string, /number].

Decl stored(K, Area, Key, Form) temporal
  descr [doc("Code kept something under Key; Area is local or session. Form is none, empty, number, date, list, text, json array, json text, json object and its members, or word and one that is no secret: true, 0, undefined, [object Object]."),
         direction("evidence")]
  bound [/string, /string, /string, /string].

Decl storage_read(K, Area, Key, Form) temporal
  descr [doc("Code took what is kept under Key; Form as above, none if nothing is."),
         direction("evidence")]
  bound [/string, /string, /string, /string].

Decl read_as(K, How)
  descr [doc("How the script's text takes what it read: json (it is parsed), number, date, or word and what it is compared with; also where a caller does."),
         direction("evidence")]
  bound [/string, /string].

Decl clock_meets(R, Path, Op, Url, Line)
  descr [doc("At this line a script adds the member of an answer to the clock (plus), compares it with the clock (compare), or makes a date of it (date), as it is: not multiplied. Its value in R is a whole number; where a time is meant, of ten figures."),
         direction("evidence")]
  bound [/string, /string, /string, /string, /number].

Decl sent_header(R, Name, Value)
  descr [doc("What a request that is no GET said of its body, and on which condition it is to be done: content-type (none if it said nothing), if-match, if-unmodified-since. Not known where its headers are not."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl sent_form(R, Form)
  descr [doc("What its body is by its looks: json, multipart, urlencoded or text."),
         direction("evidence")]
  bound [/string, /string].

Decl frame_name(R, Path, Name)
  descr [doc("Messages of the socket or stream have this in a member that tells what they are: type, event, channel ..."),
         direction("evidence")]
  bound [/string, /string, /string].

Decl frame_name_unknown(R, Name)
  descr [doc("No script of the page has this name in quotes or as a member."),
         direction("evidence")]
  bound [/string, /string].

Decl frame_name_like(R, Name, Other, How, Url, Line)
  descr [doc("A script that hears messages has Other, which no message is called, at this line. How is same (but for its spelling) or kin (they begin with the same word, and no message whose name the code knows does)."),
         direction("evidence")]
  bound [/string, /string, /string, /string, /string, /number].

Decl frame_unshown(R, Name)
  descr [doc("Right after each message of this name nothing in the document was changed."),
         direction("evidence")]
  bound [/string, /string].

# ---- lists in parts -------------------------------------------------------------------------------------

Decl part_for_all(R, Path, How, Line, Count, Total)
  descr [doc("The answer has Count items of a list, all of them are on the page, and says at Path that there are more ($: by numbers alone); nothing more of it was asked for, and no script reads that member or goes by parts. Line is of the page: a sum over these items that no answer has (How is sum), or the number of all (total), where the page tells of no rest. Total is 0 where it is not answered."),
         direction("evidence")]
  bound [/string, /string, /string, /string, /number, /number].

Decl part_read_as(R, Path, Name, Url, Line)
  descr [doc("The same, of an answer that says at Path that there are more, where a script of that list asks at this line for Name, which means the same and which no answer has."),
         direction("evidence")]
  bound [/string, /string, /string, /string, /number].

# ---- words, months and events that scripts have otherwise -------------------------------------------------

Decl looked_up_as(R, Path, Word, Other, Url, Line)
  descr [doc("The answer has Word at Path, and a script looks up Other at this line, by the name of that member: roles.includes('admin'), LABELS[order.status] of a table that has the key. Other is the word in other letters, or without the member's name before it (ROLE_ADMIN). No code knows Word or changes letters, the page does not show it, and no answer has Other at a member of that name."),
         direction("evidence")]
  bound [/string, /string, /string, /string, /string, /number].

Decl month_off(R, Day, Other, How, Url, Line)
  descr [doc("At this line a script gives Date a month that counts from 1, or writes one of Date's, which counts from 0. How is later or earlier: the page shows no day of the answer R, and Day of it as Other, a month off; or sent later, sent earlier: R was sent from that script with Day, which is so a month off."),
         direction("evidence")]
  bound [/string, /string, /string, /string, /string, /number].

Decl told_early(Id, Topic, Url, Line)
  descr [doc("A script tells Topic over a bus of the page's own at this line (bus.emit('ready')), once, when it runs; nobody listened by then."),
         direction("evidence")]
  bound [/string, /string, /string, /number].

Decl heard_late(Id, Url, Line)
  descr [doc("Where a script that runs later listens to what told_early tells."),
         direction("evidence")]
  bound [/string, /string, /number].

Decl id_missed(R, Path, Other, OtherPath, Value, Id)
  descr [doc("Things of the list that R answered have at Path (first Value) what are ids of things of another answer at OtherPath (first Id), but for how id_missed_at says; none of them is such an id as it is, a script looks up by that member, and of what is meant nothing stands on the page, as of R's things something does. Value and Id as JSON."),
         direction("evidence")]
  bound [/string, /string, /string, /string, /string, /string].

Decl id_missed_at(R, Path, How, Url, Line)
  descr [doc("Where a script looks up by what id_missed tells. How is type (a number against a text), letters (capitals) or before (one has something before it: trainer/1, 1)."),
         direction("evidence")]
  bound [/string, /string, /string, /string, /number].

Decl denied_member(R, Path, Word, Line)
  descr [doc("The page says Line, that there are none (No seats booked), and R answered something at Path, whose name has the same Word: a number that is not 0, a list that is not empty."),
         direction("evidence")]
  bound [/string, /string, /string, /string].
