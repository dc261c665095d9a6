# What could not be kept: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_order.mg 44_reads.mg 44_sent.mg 45_imports.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg 50_silent.mg 51_stopped.mg 52_body_kind.mg 53_messages.mg 54_time.mg 55_kept.mg 56_paging.mg 57_wiring.mg 62_storage.mg 63_filled.mg 60_pressed.mg 61_room.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:08Z].

#: test a draft that a click was to keep, and who had filled the storage
store_refused("k1", "local", "draft", "QuotaExceededError")@[2026-02-19T12:00:02Z].
stack("k1", 0, "write", "https://app.test/form.js", 10).
click_was_to_keep("k1").
store_filled("k2", "local", "index.0", 5200000).
stack("k2", 0, "build", "https://app.test/index.js", 22).
#: expect contains
suspect("k1", "quota",
        "the local storage is full (QuotaExceededError): /form.js:10 could not keep draft").
trouble("k1", 55, "what was to be kept as draft in local storage is lost").
change_at("k1", "/form.js:10", "expect that writing fails, and say so").
change_at("k1", "/index.js:22", "write less: most of what fills the storage comes from here").

#: test what an earlier visit could not keep is looked for and is not there
store_refused("k1", "session", "basket", "QuotaExceededError")@[2026-02-19T11:59:50Z].
stack("k1", 0, "put", "https://app.test/basket.js", 4).
storage_read("k2", "session", "basket", "none")@[2026-02-19T12:00:01Z].
stack("k2", 0, "take", "https://app.test/basket.js", 9).
#: expect contains
trouble("k1", 55, "what was to be kept as basket in session storage is lost").

#: test the same, though the page asks its server for something else
store_refused("k1", "local", "notes", "NS_ERROR_DOM_QUOTA_REACHED")@[2026-02-19T11:59:50Z].
stack("k1", 0, "put", "https://app.test/notes.js", 4).
storage_read("k2", "local", "notes", "none")@[2026-02-19T12:00:01Z].
stack("k2", 0, "take", "https://app.test/notes.js", 9).
stack("k2", 1, "restore", "https://app.test/notes.js", 14).
stack("k2", 2, "start", "https://app.test/notes.js", 20).
request("r1", "GET", "https://app.test/api/user",
        "data")@[2026-02-19T12:00:01.050Z, 2026-02-19T12:00:01.100Z].
request_path("r1", "https://app.test", "/api/user").
stack("r1", 0, "start", "https://app.test/notes.js", 21).
#: expect contains
trouble("k1", 55, "what was to be kept as notes in local storage is lost").

#: test a copy that is asked for anew
store_refused("k1", "local", "rates", "QuotaExceededError")@[2026-02-19T11:59:50Z].
stack("k1", 0, "rates", "https://app.test/rates.js", 4).
storage_read("k2", "local", "rates", "none")@[2026-02-19T12:00:01Z].
stack("k2", 0, "rates", "https://app.test/rates.js", 2).
request("r1", "GET", "https://app.test/api/rates",
        "data")@[2026-02-19T12:00:01.050Z, 2026-02-19T12:00:01.100Z].
request_path("r1", "https://app.test", "/api/rates").
stack("r1", 0, "rates", "https://app.test/rates.js", 3).
#: expect none suspect/3 trouble/3

#: test a copy that code goes on without, caught
store_refused("k1", "local", "rates", "QuotaExceededError")@[2026-02-19T12:00:02Z].
stack("k1", 0, "rates", "https://app.test/rates.js", 4).
caught("c1", "QuotaExceededError",
       "Setting the value of 'rates' exceeded the quota.")@[2026-02-19T12:00:01.900Z].
stack("c1", 0, "rates", "https://app.test/rates.js", 4).
storage_failed("c1", "local").
#: expect none suspect/3 trouble/3

#: test there was room the second time, or elsewhere
store_refused("k1", "local", "draft", "QuotaExceededError")@[2026-02-19T12:00:02Z].
stack("k1", 0, "write", "https://app.test/form.js", 10).
click_was_to_keep("k1").
stored("k2", "local", "draft", "json object text")@[2026-02-19T12:00:02.010Z].
store_refused("k3", "local", "photo", "QuotaExceededError")@[2026-02-19T12:00:05Z].
stack("k3", 0, "write", "https://app.test/form.js", 20).
click_was_to_keep("k3").
database_opened("k4", "photos", 1)@[2026-02-19T12:00:05.100Z].
#: expect none suspect/3 trouble/3

#: test a database that another line had made newer
database_opened("k1", "app", 3)@[2026-02-19T12:00:01Z].
stack("k1", 0, "", "https://app.test/db.js", 6).
database_refused("k2", "app", 2, "open",
                 "VersionError: The requested version (2) is less.")@[2026-02-19T12:00:02Z].
stack("k2", 0, "open", "https://app.test/sync.js", 2).
#: expect contains
suspect("k2", "database_refused",
        "/sync.js:2 opens the IndexedDB database app with version 2, which is older than what is there. VersionError: The requested version (2) is less.").
trouble("k2", 53, "the IndexedDB database or store app is not there for code").
change_at("k2", "/db.js:6", "another version is made here: one place has to open it for both").

#: test one that waits for others, a store that is not there, a record without a key
database_refused("k1", "app", 2, "upgrade", "blocked")@[2026-02-19T12:00:02Z].
stack("k1", 0, "open", "https://app.test/db.js", 2).
database_refused("k2", "notes", 1, "transaction",
                 "NotFoundError: One of the stores was not found.")@[2026-02-19T12:00:03Z].
stack("k2", 0, "list", "https://app.test/list.js", 5).
database_refused("k3", "items", 0, "put", "DataError: No key.")@[2026-02-19T12:00:04Z].
stack("k3", 0, "keep", "https://app.test/keep.js", 7).
#: expect contains
trouble("k1", 53, "the IndexedDB database or store app is not there for code").
trouble("k2", 53, "the IndexedDB database or store notes is not there for code").
trouble("k3", 53, "the IndexedDB database or store items is not there for code").

#: test the error that came of it
database_refused("k2", "app", 2, "open",
                 "VersionError: The requested version (2) is less.")@[2026-02-19T12:00:02Z].
stack("k2", 0, "open", "https://app.test/sync.js", 2).
error("console-error-1", "VersionError", "The requested version (2) is less.",
      "rejection")@[2026-02-19T12:00:02.005Z].
#: expect contains
causes("console-error-1", "k2", "the database was not there for it").

#: test a version that the same file opens then, one that was blocked for a moment, a record that is there
database_refused("k1", "app", 2, "open",
                 "VersionError: The requested version (2) is less.")@[2026-02-19T12:00:02Z].
stack("k1", 0, "open", "https://app.test/db.js", 2).
database_opened("k2", "app", 3)@[2026-02-19T12:00:02.100Z].
stack("k2", 0, "open", "https://app.test/db.js", 2).
database_refused("k3", "other", 2, "upgrade", "blocked")@[2026-02-19T12:00:03Z].
stack("k3", 0, "open", "https://app.test/db.js", 2).
database_opened("k4", "other", 2)@[2026-02-19T12:00:03.300Z].
stack("k4", 0, "open", "https://app.test/db.js", 2).
database_refused("k5", "seen", 0, "add",
                 "ConstraintError: Key already exists.")@[2026-02-19T12:00:04Z].
stack("k5", 0, "note", "https://app.test/seen.js", 7).
#: expect none suspect/3 trouble/3

#: test what an earlier visit wrote as no JSON
stored_before("k1", "local", "prefs", "word [object Object]")@[2026-02-19T11:59:50Z].
stack("k1", 0, "save", "https://app.test/prefs.js", 18).
storage_read("k2", "local", "prefs", "word [object Object]")@[2026-02-19T12:00:01Z].
stack("k2", 0, "load", "https://app.test/prefs.js", 7).
read_as("k2", "json").
caught("c1", "SyntaxError", "\"[object Object]\" is not valid JSON")@[2026-02-19T12:00:01.002Z].
stack("c1", 0, "load", "https://app.test/prefs.js", 10).
error_awaits("c1", "r0").
#: expect contains
suspect("k1", "corrupt_storage",
        "/prefs.js:18 puts an object into local storage as it is, and what is kept there as `prefs` is [object Object]").
trouble("k1", 54, "what was to be kept as `prefs` in local storage is lost: [object Object]").
causes("c1", "k1", "what it reads was kept in another form").

#: test an old form that the code drops, or writes anew
stored("k0", "local", "a", "text")@[2026-02-19T12:00:00.100Z].
stack("k0", 0, "", "https://app.test/page.js", 1).
storage_read("k1", "local", "a", "text")@[2026-02-19T12:00:01Z].
stack("k1", 0, "load", "https://app.test/c.js", 3).
read_as("k1", "json").
caught("c1", "SyntaxError", "Unexpected token 'v'")@[2026-02-19T12:00:01.002Z].
stack("c1", 0, "load", "https://app.test/c.js", 3).
stored("k2", "local", "a", "none")@[2026-02-19T12:00:01.003Z].
stack("k2", 0, "load", "https://app.test/c.js", 6).
storage_read("k3", "local", "b", "text")@[2026-02-19T12:00:02Z].
stack("k3", 0, "load", "https://app.test/c.js", 3).
read_as("k3", "json").
caught("c3", "SyntaxError", "Unexpected token 'v'")@[2026-02-19T12:00:02.002Z].
stack("c3", 0, "load", "https://app.test/c.js", 3).
stored("k4", "local", "b", "json object mail")@[2026-02-19T12:00:02.003Z].
stack("k4", 0, "load", "https://app.test/c.js", 6).
#: expect none trouble/3
