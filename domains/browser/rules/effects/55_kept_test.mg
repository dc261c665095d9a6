# What a page keeps: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_order.mg 44_reads.mg 44_sent.mg 45_imports.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg 50_silent.mg 51_stopped.mg 52_body_kind.mg 53_messages.mg 54_time.mg 55_kept.mg 56_paging.mg 57_wiring.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:08Z].
# Written at line 1, read at line 3 of the same script.
Decl kept(W, K, Key, Form) bound [/string, /string, /string, /string].
stored(W, "local", Key, Form)@[2026-02-19T12:00:01Z] :- kept(W, _, Key, Form).
stack(W, 0, "save", "https://app.test/c.js", 1) :- kept(W, _, _, _).
storage_read(K, "local", Key, Form)@[2026-02-19T12:00:01.100Z] :- kept(_, K, Key, Form).
stack(K, 0, "load", "https://app.test/c.js", 3) :- kept(_, K, _, _).

#: test a list with commas that is read as JSON
kept("k1", "k2", "recent", "list").
read_as("k2", "json").
error("console-error-1", "SyntaxError", "Unexpected token 'a'",
      "exception")@[2026-02-19T12:00:01.101Z].
stack("console-error-1", 0, "load", "https://app.test/c.js", 3).
#: expect
kept_misread("k1", "k2", "list", "json").
causes("console-error-1", "k1", "what it reads was kept in another form").

#: test true and 1, a date and a number, quotes and none
kept("k1", "k2", "compact", "word true").
read_as("k2", "word 1").
kept("k3", "k4", "seen", "date").
read_as("k4", "number").
kept("k5", "k6", "theme", "json text").
read_as("k6", "word dark").
#: expect
trouble("k1", 52, "what is kept under compact is read as something else").
trouble("k3", 52, "what is kept under seen is read as something else").
trouble("k5", 52, "what is kept under theme is read as something else").

#: test undefined is kept and read
kept("k1", "k2", "token", "word undefined").
#: expect
trouble("k1", 54, "what was to be kept as `token` in local storage is lost: undefined").

#: test an object that is put there as it is, and read
kept("k1", "k2", "prefs", "word [object Object]").
read_as("k2", "json").
#: expect
suspect("k1", "corrupt_storage",
        "/c.js:1 puts an object into local storage as it is, and what is kept there as `prefs` is [object Object]").
trouble("k1", 54, "what was to be kept as `prefs` in local storage is lost: [object Object]").
change_at("k1", "/c.js:1", "JSON.stringify before it is kept").

#: test a promise that is put there as it is, and read by nobody yet
stored("k1", "session", "user", "word [object Promise]")@[2026-02-19T12:00:01Z].
stack("k1", 0, "save", "https://app.test/c.js", 1).
#: expect
suspect("k1", "corrupt_storage",
        "/c.js:1 puts an object into session storage as it is, and what is kept there as `user` is [object Promise]").
trouble("k1", 46, "what was to be kept as `user` in session storage is lost: [object Promise]").

#: test what cannot be read leads to who put it there, though its reading was not seen
stored("k1", "local", "prefs", "word [object Object]")@[2026-02-19T12:00:01Z].
stack("k1", 0, "save", "https://app.test/c.js", 1).
error("e1", "SyntaxError", "\"[object Object]\" is not valid JSON",
      "exception")@[2026-02-19T12:00:02Z].
stack("e1", 0, "read", "https://app.test/storage.js", 7).
#: expect contains
cause_of("e1", "k1").

#: test another layout
kept("k1", "k2", "basket", "json object v lines").
read_as("k2", "json").
error("console-error-1", "TypeError", "basket.map is not a function",
      "exception")@[2026-02-19T12:00:01.101Z].
stack("console-error-1", 0, "load", "https://app.test/c.js", 5).
#: expect
layout_misread("k1", "console-error-1").
causes("console-error-1", "k1", "what it reads was kept in another layout").

#: test what an earlier visit has left
storage_read("k1", "local", "seen", "date")@[2026-02-19T12:00:01.100Z].
stack("k1", 0, "load", "https://app.test/c.js", 3).
read_as("k1", "number").
#: expect
suspect("k1", "corrupt_storage",
        "what is kept under seen is date, and /c.js:3 takes it as a number").
trouble("k1", 51, "what is kept under seen is read as something else").

#: test JSON that is parsed, a flag that is looked for as it is, a number read as a number
kept("k1", "k2", "cart", "json array").
read_as("k2", "json").
kept("k3", "k4", "compact", "word true").
read_as("k4", "word true").
kept("k5", "k6", "count", "number").
read_as("k6", "number").
kept("k7", "k8", "off", "word false").
read_as("k8", "word true").
#: expect none suspect/3

#: test a text that is tried as JSON and taken as it is then
kept("k1", "k2", "name", "text").
read_as("k2", "json").
#: expect none trouble/3

#: test an error of an answer, an error far from what was read, nothing that was kept
kept("k1", "k2", "prefs", "json object theme").
read_as("k2", "json").
error("console-error-1", "TypeError", "Cannot read properties of undefined (reading 'x')",
      "exception")@[2026-02-19T12:00:01.101Z].
stack("console-error-1", 0, "draw", "https://app.test/c.js", 80).
error("console-error-2", "TypeError", "Cannot read properties of undefined (reading 'y')",
      "exception")@[2026-02-19T12:00:01.102Z].
stack("console-error-2", 0, "draw", "https://app.test/c.js", 5).
error_awaits("console-error-2", "r0").
storage_read("k3", "local", "theme", "none")@[2026-02-19T12:00:01.100Z].
stack("k3", 0, "load", "https://app.test/c.js", 60).
read_as("k3", "json").
#: expect none kept_misread/4
#: expect none layout_misread/2
#: expect none misread_of_old/3
#: expect none layout_of_old/2

#: test an old form is read as what it is, and written anew
kept("k1", "k2", "sound", "text").
read_as("k2", "json").
storage_read("k3", "local", "sound", "text")@[2026-02-19T12:00:01.110Z].
stack("k3", 0, "old", "https://app.test/c.js", 5).
stored("k4", "local", "sound", "json object v")@[2026-02-19T12:00:01.200Z].
stack("k4", 0, "save", "https://app.test/c.js", 9).
#: expect none kept_misread/4 trouble/3

#: test what could not be read is written over
kept("k1", "k2", "sound", "text").
read_as("k2", "json").
stored("k4", "local", "sound", "json object v")@[2026-02-19T12:00:01.200Z].
stack("k4", 0, "save", "https://app.test/c.js", 9).
#: expect
kept_misread("k1", "k2", "text", "json").

#: test it is read as JSON twice, in vain
kept("k1", "k2", "sound", "text").
read_as("k2", "json").
storage_read("k3", "local", "sound", "text")@[2026-02-19T12:00:01.110Z].
stack("k3", 0, "old", "https://app.test/c.js", 5).
read_as("k3", "json").
stored("k4", "local", "sound", "json object v")@[2026-02-19T12:00:01.200Z].
stack("k4", 0, "save", "https://app.test/c.js", 9).
#: expect
kept_misread("k1", "k2", "text", "json").
kept_misread("k1", "k3", "text", "json").

#: test code fails, elsewhere, on a member that what was read has and no answer does
stored_before("k1", "local", "view", "json object columns sort")@[2026-02-19T11:59:00Z].
stack("k1", 0, "", "https://app.test/old.js", 1).
storage_read("k2", "local", "view", "json object columns sort")@[2026-02-19T12:00:01Z].
stack("k2", 0, "loadView", "https://app.test/settings.js", 4).
stack("k2", 1, "", "https://app.test/app.js", 4).
error("c1", "TypeError", "view.columns.map is not a function", "exception")@[2026-02-19T12:00:03Z].
stack("c1", 0, "", "https://app.test/app.js", 7).
error_about_name("c1", "view.columns.map").
reads_path("c1", "columns").
#: expect contains
suspect("k1", "corrupt_storage",
        "/old.js:1 keeps view as json object columns sort, and /app.js:7 expects another layout").
change_at("k1", "/settings.js:4", "or take it as it is kept").

#: test a member of that name was answered, too
stored_before("k1", "local", "view", "json object columns sort")@[2026-02-19T11:59:00Z].
stack("k1", 0, "", "https://app.test/old.js", 1).
storage_read("k2", "local", "view", "json object columns sort")@[2026-02-19T12:00:01Z].
stack("k2", 0, "", "https://app.test/app.js", 4).
request("r7", "GET", "https://app.test/api/grid",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r7", "https://app.test", "/api/grid").
request_route("r7", "/api/grid").
answer("r7", 200, "application/json")@[2026-02-19T12:00:01.100Z].
body_type("r7", "$.columns", "string").
error("c1", "TypeError", "grid.columns.map is not a function", "exception")@[2026-02-19T12:00:03Z].
stack("c1", 0, "", "https://app.test/app.js", 7).
error_about_name("c1", "grid.columns.map").
reads_path("c1", "columns").
#: expect none corrupt/2

#: test text that is read as JSON, which the code foresees and warns of
kept("k1", "k2", "last", "text").
read_as("k2", "json").
caught("c1", "SyntaxError",
       "Unexpected token 'B'")@[2026-02-19T12:00:01.101Z, 2026-02-19T12:00:01.101Z].
stack("c1", 0, "load", "https://app.test/c.js", 3).
message("m1", "warning", "kept in the old way: Unexpected token 'B'")@[2026-02-19T12:00:01.110Z].
#: expect none trouble/3

#: test the same without a word of it is a fault
kept("k1", "k2", "last", "text").
read_as("k2", "json").
caught("c1", "SyntaxError",
       "Unexpected token 'B'")@[2026-02-19T12:00:01.101Z, 2026-02-19T12:00:01.101Z].
stack("c1", 0, "load", "https://app.test/c.js", 3).
#: expect contains
trouble("k1", 51, "what is kept under last cannot be read").
