"""All pages, by prefix and by id, and what every one of them has."""
from apps import account, chat, dashboard, editor, shop
from faults import FAULTS
from healthy import HEALTHY
from replies import empty, fail

APPS = {"shop": shop, "editor": editor, "chat": chat, "account": account, "dashboard": dashboard}

# What other companies answer, and what nobody misses.
COMMON = {
    "POST /api/collect": empty(),
    "GET other:/px": empty(headers=[("Set-Cookie", "adid=77c0; Path=/; SameSite=None")]),
    "GET other:/ads/tag.js": fail(404),
    "GET other:/ads/bid": empty(),
}

PAGES = FAULTS + HEALTHY
BY_PREFIX = {page.prefix: page for page in PAGES}
BY_ID = {page.id: page for page in PAGES}
assert len(BY_PREFIX) == len(BY_ID) == len(PAGES), "an id or a prefix occurs twice"
