/* What the messages of sockets and streams are called, and whether any script of the page knows
 * the name: a message that the code has another name for is heard, and nothing comes of it. */
#include "facts.h"

#include "base/near.h"
#include "source_int.h"

#define NAMES_MOST 20
#define NAME_BYTES 48
#define UNSHOWN_NS (250 * NS_PER_MS)

struct frame_name {
    struct str request_id, path, value;
    bool shown; /* something changed after one of them */
};

struct said_name {
    struct str name, url;
    int64_t line;
    int rank; /* 0 none, 1 kin, 2 the same but for its spelling */
};

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_name_text(struct str s)
{
    bool letter = false;
    for (size_t i = 0; i < s.len; i++) {
        if (!is_name_char(s.ptr[i]) && !strchr(".:-/", s.ptr[i]))
            return false;
        letter = letter || (s.ptr[i] | 0x20) >= 'a';
    }
    return letter && s.len > 1 && s.len <= NAME_BYTES;
}

/* Letters and figures alone, small. */
static struct str spelling(struct str s, char *room)
{
    size_t len = 0;
    for (size_t i = 0; i < s.len && len < NAME_BYTES; i++)
        if (is_name_char(s.ptr[i]) && s.ptr[i] != '_' && s.ptr[i] != '$')
            room[len++] = (char)(s.ptr[i] >= 'A' && s.ptr[i] <= 'Z' ? s.ptr[i] | 0x20 : s.ptr[i]);
    return (struct str){ room, len };
}

/* The length of the first word: price of price.changed, priceChanged. */
static size_t first_word(struct str s)
{
    size_t at = 0;
    while (at < s.len && is_name_char(s.ptr[at]) && s.ptr[at] != '_' &&
           !(at > 0 && s.ptr[at] >= 'A' && s.ptr[at] <= 'Z' && s.ptr[at - 1] >= 'a'))
        at++;
    return at;
}

/* Their first words are the same. */
static bool begin_alike(struct str a, struct str b)
{
    size_t word = first_word(a);
    return word >= 4 && first_word(b) == word &&
           mgi_edit_distance((struct str){ a.ptr, word }, (struct str){ b.ptr, word }, 0) == 0;
}

static int likeness(struct str wanted, struct str other)
{
    char a[NAME_BYTES], b[NAME_BYTES];
    struct str x = spelling(wanted, a), y = spelling(other, b);
    if (str_eq(wanted, other))
        return 0;
    if (x.len >= 4 && y.len >= 4 && mgi_edit_distance(x, y, x.len >= 7 ? 2 : 1) != SIZE_MAX)
        return 2;
    return first_word(wanted) < wanted.len && first_word(other) < other.len &&
                   begin_alike(wanted, other)
               ? 1
               : 0;
}

/* ---- in scripts -------------------------------------------------------------------------------
 */

/* The name in quotes or before a colon that begins at `at`; empty: none does. */
static struct str name_said_at(struct str text, size_t at)
{
    char open = at > 0 ? text.ptr[at - 1] : ' ';
    size_t end = at;
    if (is_name_char(open) || open == '.')
        return STR_LIT("");
    while (end < text.len && end - at <= NAME_BYTES &&
           (is_name_char(text.ptr[end]) || strchr(".:-/", text.ptr[end])))
        end++;
    struct str name = { text.ptr + at, end - at };
    if (strchr("\"'`", open))
        return end < text.len && text.ptr[end] == open ? name : STR_LIT("");
    while (name.len > 0 && name.ptr[name.len - 1] == ':')
        name.len--;
    size_t next = past_blank(text, at + name.len);
    bool key = next < text.len && (text.ptr[next] == ':' || text.ptr[next] == '(');
    for (size_t i = 0; i < name.len && key; i++)
        key = is_name_char(name.ptr[i]);
    return key ? name : STR_LIT("");
}

/* Names of messages that came are meant as they are. */
static bool came(const struct frame_name *names, size_t count, struct str name)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(names[i].value, name))
            return true;
    return false;
}

/* `name` is what code calls the message: as it is, behind a prefix (room:entered) or as the method
 * that is called for it (onEntered, handle_entered). */
static bool is_name_for(struct str name, struct str message)
{
    static const char *const prefixes[] = { "on", "handle" };
    char a[NAME_BYTES], b[NAME_BYTES];
    size_t at = name.len - message.len;
    if (str_eq(name, message))
        return true;
    if (name.len <= message.len || message.len < 2)
        return false;
    if (strchr(":./", name.ptr[at - 1]) &&
        str_eq((struct str){ name.ptr + at, message.len }, message))
        return true;
    struct str x = spelling(name, a), y = spelling(message, b);
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t len = strlen(prefixes[i]);
        if (x.len == y.len + len && mgi_str_starts(x, str_of(prefixes[i])) &&
            str_eq((struct str){ x.ptr + len, y.len }, y))
            return true;
    }
    return false;
}

struct search {
    struct fact_list *list;
    const struct frame_name *names;
    size_t count;
    bool known[NAMES_MOST];
    struct said_name best[NAMES_MOST];
};

static void look_at_name(struct search *s, struct str url, struct str text, size_t at,
                         struct str name)
{
    struct place place = { text, at };
    for (size_t i = 0; i < s->count; i++) {
        s->known[i] = s->known[i] || is_name_for(name, s->names[i].value);
        int rank = s->known[i] ? 0 : likeness(s->names[i].value, name);
        if (rank > s->best[i].rank && !came(s->names, s->count, name))
            s->best[i] = (struct said_name){ name, url, mgi_place_line(&place), rank };
    }
}

static bool hears_messages(struct str text)
{
    return mgi_contains(text, "WebSocket") || mgi_contains(text, "EventSource") ||
           mgi_contains(text, "onmessage") || mgi_contains(text, "'message'") ||
           mgi_contains(text, "\"message\"");
}

static void search_text(struct search *s, struct str url, struct str text)
{
    bool hears = hears_messages(text);
    for (size_t at = 0; at < text.len; at++) {
        if (!is_name_char(text.ptr[at]) || (at > 0 && is_name_char(text.ptr[at - 1])))
            continue;
        struct str name = name_said_at(text, at);
        for (size_t i = 0; name.len > 1 && !hears && i < s->count; i++)
            s->known[i] = s->known[i] || is_name_for(name, s->names[i].value);
        if (name.len > 1 && hears)
            look_at_name(s, url, text, at, name);
    }
}

static void search_scripts(struct search *s)
{
    for (size_t i = 0; i < s->list->code_count; i++)
        search_text(s, s->list->code[i].url, s->list->code[i].text);
}

/* ---- in messages ------------------------------------------------------------------------------
 */

static bool changed_soon(const struct page_more *more, int64_t at_ns)
{
    for (size_t i = 0; i < more->changes.count; i++)
        if (more->changes.items[i].at_ns >= at_ns && more->changes.items[i].count > 0 &&
            more->changes.items[i].at_ns <= at_ns + UNSHOWN_NS)
            return true;
    return false;
}

static void take_name(struct frame_name *names, size_t *count, struct str request_id,
                      struct str path, struct str value, bool shown)
{
    for (size_t i = 0; i < *count; i++)
        if (str_eq(names[i].request_id, request_id) && str_eq(names[i].value, value)) {
            names[i].shown = names[i].shown || shown;
            return;
        }
    if (*count < NAMES_MOST && is_name_text(value))
        names[(*count)++] = (struct frame_name){ request_id, path, value, shown };
}

static size_t names_of_frames(struct fact_list *list, struct frame_name *names)
{
    static const char *const paths[] = { "$.type",    "$.event", "$.kind", "$.op",   "$.action",
                                         "$.channel", "$.topic", "$.room", "$.name", "$.t" };
    const struct page_more *more = &list->capture->more;
    size_t count = 0;
    for (size_t i = 0; i < more->frames.count && i < 400; i++) {
        const struct socket_frame *f = &more->frames.items[i];
        struct shape shape = { 0 };
        if (f->what != FRAME_RECEIVED || mgi_is_past(list, f->at_ns) || f->text.len == 0 ||
            f->text.ptr[0] != '{' || !mgi_shape_read(list->job, f->text, false, &shape))
            continue;
        bool shown = changed_soon(more, f->at_ns);
        for (size_t j = 0; j < sizeof paths / sizeof *paths; j++) {
            const struct shape_path *p = mgi_shape_find(&shape, str_of(paths[j]));
            if (p && p->values[0].ptr)
                take_name(names, &count, f->request_id, str_of(paths[j]), p->values[0], shown);
        }
    }
    return count;
}

/* Others that begin with the same word come, and the code knows them: it leaves this one aside. */
static bool is_left_aside(const struct search *s, size_t i)
{
    for (size_t j = 0; j < s->count; j++)
        if (s->known[j] && begin_alike(s->names[i].value, s->names[j].value))
            return true;
    return false;
}

static void facts_of_name(struct search *s, size_t i)
{
    const struct frame_name *n = &s->names[i];
    const struct request *r =
        mgi_told_request(s->list, mgi_request_by_id(s->list->capture, n->request_id));
    if (!r)
        return;
    struct str id = mgi_fact_id(s->list, "r", r->number);
    mgi_fact(s->list, RANK_USUAL, "frame_name", NO_TIME, 0, "sss", id, n->path, n->value);
    if (!n->shown && s->list->capture->more.watches_changes)
        mgi_fact(s->list, RANK_HIGH, "frame_unshown", NO_TIME, 0, "ss", id, n->value);
    if (s->known[i])
        return;
    mgi_fact(s->list, RANK_HIGH, "frame_name_unknown", NO_TIME, 0, "ss", id, n->value);
    if (s->best[i].rank > 1 || (s->best[i].rank > 0 && !is_left_aside(s, i)))
        mgi_fact(s->list, RANK_HIGH, "frame_name_like", NO_TIME, 0, "ssszsn", id, n->value,
                 s->best[i].name, s->best[i].rank > 1 ? "same" : "kin", s->best[i].url,
                 s->best[i].line);
}

void mgi_facts_frame_names(struct fact_list *list)
{
    struct frame_name *names = mgi_arena_calloc(list->job->arena, NAMES_MOST, sizeof *names);
    struct search *search = mgi_arena_calloc(list->job->arena, 1, sizeof *search);
    if (!names || !search)
        return;
    search->list = list;
    search->names = names;
    search->count = names_of_frames(list, names);
    if (search->count == 0)
        return;
    search_scripts(search);
    for (size_t i = 0; i < search->count; i++)
        facts_of_name(search, i);
}
