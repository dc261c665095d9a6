/* Errors and messages as facts. */
#include "facts.h"

#define STACK_TOLD_DEEP 10
#define MENTIONS_TOLD   8
/* Chatter of pages is worth little, and less the more there is of it. */
#define MESSAGES_TOLD 60
#define MESSAGES_MOST 600

static struct str name_of_message(const struct message *m)
{
    if (m->name.len > 0)
        return m->name;
    size_t colon = mgi_str_find(m->text, STR_LIT(": ")), from = colon;
    if (colon == SIZE_MAX)
        return STR_LIT("");
    while (from > 0 && (m->text.ptr[from - 1] | 0x20) >= 'a' &&
           (m->text.ptr[from - 1] | 0x20) <= 'z')
        from--;
    struct str word = { m->text.ptr + from, colon - from };
    return mgi_str_ends(word, STR_LIT("Error")) ? word : STR_LIT("");
}

/* "Uncaught (in promise) TypeError: x" -> "x" */
static struct str without_name(const struct message *m)
{
    static const char *const begins[] = { "Uncaught ", "(in promise) ", "Error: " };
    struct str s = m->text;
    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
        if (mgi_str_starts(s, str_of(begins[i])))
            s = (struct str){ s.ptr + strlen(begins[i]), s.len - strlen(begins[i]) };
    struct str name = name_of_message(m);
    if (name.len > 0 && mgi_str_starts(s, name) && s.len > name.len + 1 && s.ptr[name.len] == ':')
        s = mgi_str_trim((struct str){ s.ptr + name.len + 1, s.len - name.len - 1 }, " ");
    return s;
}

static struct str said_by(const struct message *m)
{
    size_t colon = mgi_str_find(m->text, STR_LIT("Error: "));
    return mgi_str_starts(m->text, STR_LIT("Uncaught")) && colon != SIZE_MAX
               ? (struct str){ m->text.ptr + colon + 7, m->text.len - colon - 7 }
               : m->text;
}

/* A console.jsonl says no more than where a line came from; the text says the rest. */
static struct str kind_of_message(const struct message *m)
{
    static const char *const known[] = { "exception", "rejection", "console", "network",
                                         "security",  "rendering", "worker",  "deprecation" };
    if (mgi_str_starts(m->text, STR_LIT("Uncaught (in promise)")))
        return STR_LIT("rejection");
    if (mgi_str_starts(m->text, STR_LIT("Uncaught ")))
        return STR_LIT("exception");
    struct str kind = m->kind.len > 0 ? m->kind : m->source;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (str_is(kind, known[i]))
            return str_of(known[i]);
    return str_is(kind, "javascript") ? STR_LIT("console") : STR_LIT("other");
}

/* ---- what a text mentions ------------------------------------------------------------------ */

static bool ends_path(char c)
{
    return c == '\0' || strchr(" \t\n\r\"'`<>(),;", c) != NULL;
}

/* "/api/users" and "https://host/path", and what stands in quotes, and statuses. */
static void facts_of_mentions(struct fact_list *list, struct str id, struct str text)
{
    size_t told = 0;
    for (size_t i = 0; i < text.len && told < MENTIONS_TOLD; i++) {
        char c = text.ptr[i], before = i > 0 ? text.ptr[i - 1] : ' ';
        size_t end = i + 1;
        if (c == '/' && ends_path(before) && i + 2 < text.len && text.ptr[i + 1] != '/') {
            while (end < text.len && !ends_path(text.ptr[end]))
                end++;
        } else if (c == 'h' &&
                   mgi_str_starts((struct str){ text.ptr + i, text.len - i }, STR_LIT("http"))) {
            while (end < text.len && !ends_path(text.ptr[end]))
                end++;
            if (mgi_url_origin((struct str){ text.ptr + i, end - i }).len == 0)
                continue;
        } else if (c == '\'' || c == '"' || c == '`') {
            while (end < text.len && text.ptr[end] != c && end - i < 80)
                end++;
            if (end >= text.len || text.ptr[end] != c || end == i + 1)
                continue;
            mgi_fact(list, RANK_USUAL, "error_mentions", NO_TIME, 0, "ss", id,
                     (struct str){ text.ptr + i + 1, end - i - 1 });
            told++;
            i = end;
            continue;
        } else if (c >= '1' && c <= '5' && ends_path(before)) {
            while (end < text.len && text.ptr[end] >= '0' && text.ptr[end] <= '9')
                end++;
            if (end - i != 3 || (end < text.len && !ends_path(text.ptr[end]) &&
                                 text.ptr[end] != '.' && text.ptr[end] != ':'))
                continue;
        } else {
            continue;
        }
        while (end > i + 1 && (text.ptr[end - 1] == '.' || text.ptr[end - 1] == ':'))
            end--;
        mgi_fact(list, RANK_USUAL, "error_mentions", NO_TIME, 0, "ss", id,
                 (struct str){ text.ptr + i, end - i });
        told++;
        i = end - 1;
    }
}

/* ---- one by one ---------------------------------------------------------------------------- */

static void facts_of_stack(struct fact_list *list, struct str id, const struct message *m,
                           enum rank rank)
{
    for (size_t i = 0; i < m->frame_count && i < STACK_TOLD_DEEP; i++)
        mgi_fact(list, i < 4 ? rank : rank + 1, "stack", NO_TIME, 0, "snssn", id, (int64_t)i,
                 mgi_frame_function(list, &m->frames[i]), m->frames[i].url, m->frames[i].line);
    if (m->frame_count == 0 && m->url.len > 0 && m->line > 0 && m->request_id.len == 0)
        mgi_fact(list, rank, "stack", NO_TIME, 0, "snssn", id, (int64_t)0, STR_LIT(""), m->url,
                 m->line);
}

static void fact_of_repetition(struct fact_list *list, struct str id, const struct message *m)
{
    if (m->count > 1)
        mgi_fact(list, RANK_HIGH, "repeated", NO_TIME, 0, "snn", id, m->count, m->per_second);
}

/* Writing into storage failed; which storage is not always said. */
static void fact_of_storage(struct fact_list *list, struct str id, const struct message *m)
{
    bool quota = str_is(m->name, "QuotaExceededError") || mgi_contains(m->text, "QuotaExceeded") ||
                 mgi_contains(m->text, "exceeded the quota");
    if (!quota)
        return;
    mgi_fact(list, RANK_HIGH, "storage_failed", NO_TIME, 0, "sz", id,
             mgi_contains(m->text, "sessionStorage") ? "session"
             : mgi_contains(m->text, "'Storage'") || mgi_contains(m->text, "localStorage") ||
                     mgi_contains(m->text, "Setting the value of")
                 ? "local"
             : mgi_contains(m->text, "IDB") || mgi_contains(m->text, "indexedDB") ? "indexeddb"
             : mgi_contains(m->text, "Cache")                                     ? "cache"
                                                                                  : "");
}

/* Reports of the browser's own that name an address in their text. */
static struct str address_in_report(const struct message *m)
{
    static const char *const begins[] = {
        "Access to ",        "Mixed Content:",      "Loading module from ",
        "Refused to ",       "Loading failed for ", "WebSocket connection to ",
        "Fetch API cannot ", "EventSource's ",      "XMLHttpRequest cannot ",
        "Connecting to ",    "Loading the ",        "Failed to fetch dynamically imported module",
    };
    bool report = false;
    struct str text = said_by(m);
    for (size_t i = 0; i < sizeof begins / sizeof begins[0] && !report; i++)
        report = mgi_str_starts(text, str_of(begins[i]));
    for (size_t i = 0; report && i + 5 < text.len; i++) {
        struct str rest = { text.ptr + i, text.len - i };
        size_t end = 0;
        if (!mgi_str_starts(rest, STR_LIT("http")) && !mgi_str_starts(rest, STR_LIT("ws")))
            continue;
        while (end < rest.len && !ends_path(rest.ptr[end]))
            end++;
        if (mgi_url_origin((struct str){ rest.ptr, end }).len > 0)
            return mgi_str_trim((struct str){ rest.ptr, end }, ".");
    }
    return STR_LIT("");
}

/* Without DevTools' word: the browser's report names the address, and came after the request. */
static const struct request *reported_request(const struct fact_list *list, const struct message *m)
{
    const struct capture *c = list->capture;
    const struct request *found = mgi_told_request(list, mgi_request_by_id(c, m->request_id));
    bool network = str_is(m->source, "network");
    struct str url = network && m->url.len > 0 ? m->url : address_in_report(m);
    if (found || m->request_id.len > 0 || url.len == 0)
        return found;
    for (size_t i = 0; i < c->request_count; i++) {
        const struct request *r = &c->requests[i];
        if (list->looked_at[i] && str_eq(r->url, url) && r->start_ns <= m->at_ns &&
            (r->fault != FAULT_NONE || !network))
            found = r;
    }
    return found;
}

static void facts_of_one_error(struct fact_list *list, const struct message *m)
{
    struct str id = mgi_message_id(list, m), text = without_name(m);
    const struct request *about = reported_request(list, m);
    int64_t last = m->last_ns > 0 ? m->last_ns : m->at_ns;
    struct str kind = kind_of_message(m);
    if (str_is(m->kind, "javascript")) /* the browser's word, not the page's */
        kind = about ? STR_LIT("network") : STR_LIT("other");
    mgi_fact(list, RANK_CORE, "error", m->at_ns, last, "ssss", id, name_of_message(m), text, kind);
    if (about)
        mgi_fact(list, RANK_CORE, "error_about_request", NO_TIME, 0, "ss", id,
                 mgi_fact_id(list, "r", about->number));
    facts_of_stack(list, id, m, RANK_HIGH);
    facts_of_mentions(list, id, m->text);
    fact_of_repetition(list, id, m);
    fact_of_storage(list, id, m);
}

static void facts_of_one_message(struct fact_list *list, const struct message *m, bool rest)
{
    enum rank rank = m->level == LEVEL_WARNING ? RANK_USUAL : rest ? RANK_LEAST : RANK_LOW;
    struct str id = mgi_message_id(list, m);
    int64_t last = m->last_ns > 0 ? m->last_ns : m->at_ns;
    const struct request *about =
        mgi_told_request(list, mgi_request_by_id(list->capture, m->request_id));
    mgi_fact(list, rank, "message", m->at_ns, last, "szs", id, mgi_level_name(m->level), m->text);
    if (about)
        mgi_fact(list, rank, "error_about_request", NO_TIME, 0, "ss", id,
                 mgi_fact_id(list, "r", about->number));
    if (m->level == LEVEL_WARNING) {
        facts_of_stack(list, id, m, RANK_LOW);
        facts_of_mentions(list, id, m->text);
    }
    fact_of_repetition(list, id, m);
}

bool mgi_error_looked_at(const struct fact_list *list, const struct message *m)
{
    return m->error_number > list->past_errors &&
           m->error_number <= list->past_errors + ERRORS_LOOKED_AT;
}

/* The browser stops at an exception, and tells it again when nobody catches it. */
bool mgi_was_thrown(const struct fact_list *list, const struct message *caught)
{
    const struct capture *c = list->capture;
    for (size_t i = 0; i < c->message_count; i++)
        if (c->messages[i].error_number > 0 && mgi_str_ends(c->messages[i].text, caught->text) &&
            c->messages[i].at_ns + NS_PER_SEC >= caught->at_ns)
            return true;
    return false;
}

#define CAUGHT_TOLD 40

/* Nothing came of it: the code gave up and told nobody. */
static bool is_quiet_after(const struct page_more *more, int64_t at_ns)
{
    int64_t until = at_ns + NS_PER_SEC;
    bool quiet = more->watches_changes && until <= more->last_ns;
    for (size_t i = 0; i < more->changes.count && quiet; i++)
        quiet = more->changes.items[i].at_ns < at_ns || more->changes.items[i].at_ns > until;
    for (size_t i = 0; i < more->navigations.count && quiet; i++)
        quiet = more->navigations.items[i].begin_ns < at_ns ||
                more->navigations.items[i].begin_ns > until;
    for (size_t i = 0; i < more->dialogs.count && quiet; i++)
        quiet = more->dialogs.items[i].begin_ns < at_ns || more->dialogs.items[i].begin_ns > until;
    return quiet;
}

static void facts_of_caught(struct fact_list *list)
{
    size_t told = 0;
    for (size_t i = 0; i < list->capture->more.caught.count && told < CAUGHT_TOLD; i++) {
        const struct message *m = &list->capture->more.caught.items[i];
        if (mgi_is_past(list, m->last_ns) || mgi_was_thrown(list, m))
            continue;
        struct str id = mgi_message_id(list, m);
        told++;
        mgi_fact(list, RANK_HIGH, "caught", mgi_is_past(list, m->at_ns) ? m->last_ns : m->at_ns,
                 m->last_ns, "sss", id, name_of_message(m), without_name(m));
        facts_of_stack(list, id, m, RANK_HIGH);
        fact_of_repetition(list, id, m);
        fact_of_storage(list, id, m);
        if (is_quiet_after(&list->capture->more, m->last_ns))
            mgi_fact(list, RANK_HIGH, "quiet_after", NO_TIME, 0, "s", id);
    }
}

/* The browser's report of one of many requests alike. */
static bool is_about_left_out(const struct fact_list *list, const struct message *m)
{
    const struct request *r = mgi_request_by_id(list->capture, m->request_id);
    return r && !mgi_told_request(list, r);
}

void mgi_facts_console(struct fact_list *list)
{
    const struct capture *c = list->capture;
    size_t others = 0;
    for (size_t i = 0; i < c->message_count; i++)
        if (mgi_error_looked_at(list, &c->messages[i]) && !is_about_left_out(list, &c->messages[i]))
            facts_of_one_error(list, &c->messages[i]);
    if (c->error_count > list->past_errors + ERRORS_LOOKED_AT)
        mgi_fact(list, RANK_CORE, "lost", NO_TIME, 0, "zn", "errors",
                 (int64_t)(c->error_count - list->past_errors - ERRORS_LOOKED_AT));
    for (size_t i = 0; i < c->message_count; i++)
        if (c->messages[i].error_number == 0 && others < MESSAGES_MOST &&
            !mgi_is_past(list, c->messages[i].at_ns))
            facts_of_one_message(list, &c->messages[i], ++others > MESSAGES_TOLD);
    facts_of_caught(list);
}
