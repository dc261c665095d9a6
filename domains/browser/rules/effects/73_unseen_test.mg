# What is there and nobody sees: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_order.mg 44_reads.mg 44_refused.mg 44_sent.mg 45_imports.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 47_reload.mg 48_rendering.mg 49_speed.mg 50_silent.mg 51_stopped.mg 52_body_kind.mg 53_messages.mg 54_time.mg 55_kept.mg 56_paging.mg 57_wiring.mg 58_versions.mg 59_encoding.mg 60_pressed.mg 61_room.mg 62_storage.mg 63_filled.mg 72_late.mg 73_unseen.mg 74_said.mg 75_slips.mg
#: now 2026-02-19T12:00:20Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:18Z].
request("r4", "GET", "https://app.test/api/stories",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
request_path("r4", "https://app.test", "/api/stories").
request_route("r4", "/api/stories").
answer("r4", 200, "application/json")@[2026-02-19T12:00:01.050Z].
stack("r4", 0, "", "https://app.test/g.js", 4).
body_value("r4", "$.stories[].headline", "Market day").
body_value("r4", "$.stories[].slug", "market").

#: test what was answered stands there with opacity 0
veiled("article.story", "opacity: 0", "Market day Stalls open at eight", 3).
veiled_by("article.story", "/g.css: .story").
#: expect contains
suspect("veiled:article.story", "unseen_content",
        "what GET /api/stories answered stands in article.story (3 alike), and nobody sees it: article.story has opacity 0").
trouble("veiled:article.story", 54, "nothing is to be seen of what GET /api/stories answered").
change_at("veiled:article.story", "/g.css: .story",
          "the style or class that hides it, and the code that is to take it away").

#: test it takes no place, and the page waits
veiled("main#p", "hidden", "Market day market", 1).
shown("spinner", "").
#: expect contains
trouble("veiled:main#p", 54, "nothing is to be seen of what GET /api/stories answered").

#: test a panel that is closed, and a placeholder that nobody answered
veiled("div#tab2", "display: none", "Market day market", 1).
veiled("p.hint", "visibility: hidden", "Please choose a date", 1).
#: expect none suspect/3 trouble/3

#: test what is shown elsewhere as well
veiled("div#tab2", "hidden", "Market day market", 1).
shown("spinner", "").
shown("text", "Stories\nMarket day").
#: expect none suspect/3
