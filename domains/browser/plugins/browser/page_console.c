/* Console events: what was printed and what was thrown, as the console shows it. */
#include "browser.h"

#include <stdlib.h>

/* Texts are as long as a page makes them. */
#define MESSAGE_BYTES 4000

/* ---- values as text ------------------------------------------------------------------------ */

static void put_preview(struct buf *out, const struct json *preview)
{
    const struct json *properties = mgi_json_get(preview, "properties");
    bool array = str_is(mgi_member_string(preview, "subtype"), "array");
    mgi_buf_putc(out, array ? '[' : '{');
    for (size_t i = 0; properties && properties->type == JSON_ARRAY && i < properties->count; i++) {
        const struct json *one = &properties->items[i];
        if (i > 0)
            mgi_buf_puts(out, ", ");
        if (!array) {
            mgi_buf_str(out, mgi_member_string(one, "name"));
            mgi_buf_puts(out, ": ");
        }
        mgi_buf_str(out, mgi_member_string(one, "value"));
    }
    mgi_buf_putc(out, array ? ']' : '}');
}

static void put_value_text(struct buf *out, const struct json *arg)
{
    const struct json *value = mgi_json_get(arg, "value");
    const struct json *preview = mgi_json_get(arg, "preview");
    struct str subtype = mgi_member_string(arg, "subtype");
    if (value && value->type == JSON_STRING)
        mgi_buf_str(out, value->string);
    else if (value)
        mgi_buf_str(out, value->text);
    else if (preview && !str_is(subtype, "error"))
        put_preview(out, preview);
    else if (mgi_json_get(arg, "unserializableValue"))
        mgi_buf_str(out, mgi_member_string(arg, "unserializableValue"));
    else if (mgi_json_get(arg, "description"))
        mgi_buf_str(out, mgi_member_string(arg, "description"));
    else
        mgi_buf_str(out, mgi_member_string(arg, "type"));
}

/* console.log("%s is %d", ...): puts the format filled in; the number of arguments it used. */
static size_t put_format(struct buf *out, struct str format, const struct json *args, size_t count)
{
    size_t used = 1;
    for (size_t i = 0; i < format.len; i++) {
        char c = format.ptr[i], next = i + 1 < format.len ? format.ptr[i + 1] : '\0';
        if (c == '%' && next == '%') {
            mgi_buf_putc(out, '%');
            i++;
        } else if (c == '%' && next != '\0' && strchr("sdifoOc", next) && used < count) {
            if (next != 'c') /* style, for the eye only */
                put_value_text(out, &args[used]);
            used++;
            i++;
        } else {
            mgi_buf_putc(out, c);
        }
    }
    return used;
}

/* Kept in the arena, without the stack that an error carries in its text, cut. */
static struct str keep_text(struct page *p, struct buf *text)
{
    struct str s = mgi_buf_view(text);
    size_t stack = mgi_str_find(s, STR_LIT("\n    at "));
    if (stack != SIZE_MAX)
        s.len = stack;
    s = mgi_arena_str(p->job->arena, mgi_utf8_prefix(s, MESSAGE_BYTES));
    p->job->arena->oom |= text->oom;
    mgi_buf_fini(text);
    return s.ptr ? s : STR_LIT("");
}

static struct str text_of_args(struct page *p, const struct json *args)
{
    struct buf text = { .limit = 16 * MESSAGE_BYTES };
    size_t count = args && args->type == JSON_ARRAY ? args->count : 0, i = 0;
    if (count > 1 && mgi_member_string(&args->items[0], "value").len > 0)
        i = put_format(&text, mgi_member_string(&args->items[0], "value"), args->items, count);
    for (; i < count; i++) {
        if (text.len > 0)
            mgi_buf_putc(&text, ' ');
        put_value_text(&text, &args->items[i]);
    }
    text.oom = text.oom && !text.full; /* what is longer is cut anyway */
    return keep_text(p, &text);
}

/* ---- the error in it ----------------------------------------------------------------------- */

/* "TypeError: x is null" -> "TypeError"; empty if the text does not begin so. */
static struct str error_name(struct str description)
{
    size_t end = 0;
    while (end < description.len &&
           ((description.ptr[end] | 0x20) >= 'a' && (description.ptr[end] | 0x20) <= 'z'))
        end++;
    struct str name = { description.ptr, end };
    bool ends = mgi_str_ends(name, STR_LIT("Error")) || mgi_str_ends(name, STR_LIT("Exception"));
    return ends ? name : STR_LIT("");
}

/* "at Array.map (<anonymous>)" is no place. */
bool mgi_stack_of_text(struct job *job, struct str text, struct frame *frames, size_t *count)
{
    for (size_t at = 0; at < text.len && *count < STACK_FRAMES_MOST;) {
        const char *end = memchr(text.ptr + at, '\n', text.len - at);
        size_t len = end ? (size_t)(end - (text.ptr + at)) : text.len - at;
        struct str line = mgi_str_trim((struct str){ text.ptr + at, len }, " \t\r");
        if (mgi_str_starts(line, STR_LIT("at ")) && mgi_frame_parse(line, &frames[*count]) &&
            mgi_url_origin(frames[*count].url).len > 0)
            (*count)++;
        at += len + 1;
    }
    return !job->arena->oom;
}

/* An error that is printed was thrown elsewhere: its own stack first, then who printed it. */
static bool frames_of_printed(struct page *p, const struct json *args, struct message *m)
{
    for (size_t i = 0; args && args->type == JSON_ARRAY && i < args->count; i++) {
        const struct json *arg = &args->items[i];
        if (!str_is(mgi_member_string(arg, "subtype"), "error"))
            continue;
        struct str description = mgi_member_string(arg, "description");
        struct frame *frames = mgi_arena_calloc(p->job->arena, STACK_FRAMES_MOST, sizeof *frames);
        size_t count = 0;
        if (!frames || !mgi_stack_of_text(p->job, description, frames, &count))
            return false;
        m->name = error_name(description);
        if (m->name.len == 0)
            m->name = mgi_member_string(arg, "className");
        if (count == 0)
            return true;
        for (size_t j = 0; j < m->frame_count && count < STACK_FRAMES_MOST; j++)
            frames[count++] = m->frames[j];
        m->frames = frames;
        m->frame_count = count;
        return true;
    }
    return true;
}

/* ---- events -------------------------------------------------------------------------------- */

static uint64_t key_add(uint64_t key, struct str s, bool fold)
{
    for (size_t i = 0; i < s.len; i++) {
        bool digit = s.ptr[i] >= '0' && s.ptr[i] <= '9';
        if (fold && digit && i > 0 && s.ptr[i - 1] >= '0' && s.ptr[i - 1] <= '9')
            continue;
        key = (key ^ (unsigned char)(fold && digit ? '#' : s.ptr[i])) * UINT64_C(1099511628211);
    }
    return key;
}

/* The same for messages with the same text from the same place. Numbers in what is no error do not
 * count: "tick 1" and "tick 2" are one message. */
static uint64_t key_of(const struct message *m)
{
    uint64_t key = key_add(UINT64_C(14695981039346656037) + (uint64_t)m->level, m->text,
                           m->level != LEVEL_ERROR);
    key = key_add(key, m->url, false);
    key = (key ^ (uint64_t)m->line) * UINT64_C(1099511628211);
    return key_add((key ^ (uint64_t)m->column) * UINT64_C(1099511628211), m->request_id, false);
}

static bool add_message(struct page *p, struct message *m)
{
    if (m->frame_count > 0 && m->line == 0) {
        m->url = m->frames[0].url;
        m->line = m->frames[0].line;
        m->column = m->frames[0].column;
    }
    if (m->key == 0)
        m->key = key_of(m);
    struct message *slot = mgi_list_add(p->job->arena, &p->messages);
    if (!slot)
        return false;
    *slot = *m;
    return true;
}

static enum level level_of_call(struct str type)
{
    static const struct {
        const char *type;
        enum level level;
    } known[] = { { "error", LEVEL_ERROR }, { "assert", LEVEL_ERROR }, { "warning", LEVEL_WARNING },
                  { "info", LEVEL_INFO },   { "debug", LEVEL_DEBUG },  { "verbose", LEVEL_DEBUG } };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (str_is(type, known[i].type))
            return known[i].level;
    return LEVEL_LOG;
}

/* A wall clock in milliseconds, which is what these events carry. */
static int64_t own_time(const struct event *e, const struct json *of)
{
    int64_t at = mgi_page_ns(mgi_member_number(of, "timestamp", 0));
    return at > 0 ? at : mgi_page_ns(e->t_ms);
}

/* The key under which a trace counted this line; 0: it did not. */
static uint64_t key_in(const struct event *e)
{
    struct str text = mgi_member_string(e->params, "key");
    uint64_t key = 0;
    for (size_t i = 0; i < text.len && text.len == 16; i++) {
        char c = text.ptr[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
            return 0;
        key = key << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return key;
}

/* What a trace counted instead of keeping it. */
bool mgi_page_repeated(struct page *p, const struct event *e)
{
    struct message *slot = mgi_list_add(p->job->arena, &p->repeats);
    if (!slot)
        return false;
    double count = mgi_member_number(e->params, "count", 0);
    double densest = mgi_member_number(e->params, "per_second", 0);
    *slot = (struct message){
        .key = key_in(e),
        .last_ns = mgi_page_ns(mgi_member_number(e->params, "last", 0)),
        .count = count > 0 && count < 1e15 ? (int64_t)count : 0,
        .per_second = densest > 0 && densest < 1e15 ? (int64_t)densest : 0,
    };
    return true;
}

static bool printed(struct page *p, const struct event *e)
{
    struct str type = mgi_member_string(e->params, "type");
    const struct json *args = mgi_json_get(e->params, "args");
    if (str_is(type, "endGroup") || str_is(type, "clear"))
        return true;
    struct message m = { .key = key_in(e),
                         .at_ns = own_time(e, e->params),
                         .level = level_of_call(type),
                         .source = STR_LIT("javascript"),
                         .kind = STR_LIT("console"),
                         .text = text_of_args(p, args) };
    return mgi_stack_read(p->job, mgi_json_get(e->params, "stackTrace"), &m.frames,
                          &m.frame_count) &&
           frames_of_printed(p, args, &m) && add_message(p, &m);
}

static bool thrown(struct page *p, const struct event *e)
{
    const struct json *details = mgi_json_get(e->params, "exceptionDetails");
    const struct json *exception = mgi_json_get(details, "exception");
    struct str how = mgi_member_string(details, "text");
    struct str description = mgi_member_string(exception, "description");
    struct buf text = { .limit = 16 * MESSAGE_BYTES };
    mgi_buf_str(&text, how);
    if (exception) {
        mgi_buf_putc(&text, ' ');
        put_value_text(&text, exception);
    }
    text.oom = text.oom && !text.full;
    struct message m = {
        .key = key_in(e),
        .at_ns = own_time(e, e->params),
        .level = LEVEL_ERROR,
        .source = STR_LIT("javascript"),
        .kind = mgi_contains(how, "in promise") ? STR_LIT("rejection") : STR_LIT("exception"),
        .name = mgi_member_string(exception, "className"),
        .url = mgi_member_string(details, "url"),
        .exception_id = mgi_member_whole(details, "exceptionId", 0),
        .text = keep_text(p, &text),
    };
    struct str said = error_name(description);
    m.name = said.len > 0 ? said : m.name;
    double line = mgi_member_number(details, "lineNumber", -1);
    double column = mgi_member_number(details, "columnNumber", -1);
    m.line = line >= 0 && line < 1e9 ? (int64_t)line + 1 : 0;
    m.column = column >= 0 && column < 1e9 ? (int64_t)column + 1 : 0;
    if (!mgi_stack_read(p->job, mgi_json_get(details, "stackTrace"), &m.frames, &m.frame_count))
        return false;
    if (m.frame_count == 0) { /* a rejection carries its stack only in the error's text */
        struct frame *frames = mgi_arena_calloc(p->job->arena, STACK_FRAMES_MOST, sizeof *frames);
        if (!frames || !mgi_stack_of_text(p->job, description, frames, &m.frame_count))
            return false;
        m.frames = frames;
        if (m.frame_count > 0)
            m.line = 0; /* the place is where it was thrown */
    }
    return add_message(p, &m);
}

/* Its own stack is in its text, and ends where code was waited for; who waited is told beside it.
 */
static bool frames_of_caught(struct page *p, const struct json *told, struct message *m)
{
    const struct frame *waiting = NULL;
    size_t count = 0;
    struct frame *frames = mgi_arena_calloc(p->job->arena, STACK_FRAMES_MOST, sizeof *frames);
    if (!frames ||
        !mgi_stack_of_text(p->job, mgi_member_string(told, "description"), frames,
                           &m->frame_count) ||
        !mgi_stack_read(p->job, mgi_json_get(told, "stackTrace"), &waiting, &count))
        return false;
    for (size_t i = 0; i < count && m->frame_count < STACK_FRAMES_MOST; i++)
        frames[m->frame_count++] = waiting[i];
    m->frames = frames;
    return true;
}

#define CAUGHT_MOST 200

/* An exception that code caught, or may have. Thrown on, it is the same. */
bool mgi_page_caught(struct page *p, int64_t at_ns, const struct json *told)
{
    struct page_more *more = &p->capture->more;
    struct buf text = { .limit = 16 * MESSAGE_BYTES };
    struct str description = mgi_member_string(told, "description");
    mgi_buf_str(&text, description);
    text.oom = text.oom && !text.full;
    struct message m = { .at_ns = at_ns,
                         .last_ns = at_ns,
                         .count = 1,
                         .level = LEVEL_ERROR,
                         .name = error_name(description),
                         .text = keep_text(p, &text) };
    if (m.name.len == 0)
        m.name = mgi_member_string(told, "name");
    if (!frames_of_caught(p, told, &m))
        return false;
    for (size_t i = 0; i < more->caught.count; i++) {
        struct message *known = &more->caught.items[i];
        if (!str_eq(known->text, m.text) || known->frame_count == 0 || m.frame_count == 0 ||
            known->frames[0].line != m.frames[0].line)
            continue;
        known->last_ns = at_ns;
        known->count++;
        return true;
    }
    struct message *slot = m.frame_count > 0 && more->caught.count < CAUGHT_MOST
                               ? mgi_list_add(p->job->arena, &more->caught)
                               : NULL;
    m.caught_number = more->caught.count;
    if (slot)
        *slot = m;
    return !p->job->arena->oom;
}

/* A rejection that was handled after all is no error. */
static void handle_after_all(struct page *p, int64_t id)
{
    for (size_t i = 0; id > 0 && i < p->messages.count; i++)
        if (p->messages.items[i].exception_id == id)
            p->messages.items[i].at_ns = 0;
}

static bool logged(struct page *p, const struct event *e)
{
    const struct json *entry = mgi_json_get(e->params, "entry");
    struct str source = mgi_member_string(entry, "source");
    struct message m = {
        .key = key_in(e),
        .at_ns = own_time(e, entry),
        .level = level_of_call(mgi_member_string(entry, "level")),
        .source = source,
        .kind = source,
        .text = mgi_utf8_prefix(mgi_member_string(entry, "text"), MESSAGE_BYTES),
        .url = mgi_member_string(entry, "url"),
        .request_id = mgi_member_string(entry, "networkRequestId"),
    };
    double line = mgi_member_number(entry, "lineNumber", -1);
    m.line = line >= 0 && line < 1e9 ? (int64_t)line + 1 : 0;
    return mgi_stack_read(p->job, mgi_json_get(entry, "stackTrace"), &m.frames, &m.frame_count) &&
           add_message(p, &m);
}

bool mgi_page_console(struct page *p, const struct event *e)
{
    if (str_is(e->method, "Runtime.consoleAPICalled"))
        return printed(p, e);
    if (str_is(e->method, "Runtime.exceptionThrown"))
        return thrown(p, e);
    if (str_is(e->method, "Runtime.exceptionRevoked"))
        handle_after_all(p, mgi_member_whole(e->params, "exceptionId", 0));
    if (str_is(e->method, "Log.entryAdded"))
        return logged(p, e);
    return str_is(e->method, "Runtime.bindingCalled") ? mgi_page_other(p, e) : true;
}

/* ---- in order ------------------------------------------------------------------------------ */

static int by_key_time(const void *a, const void *b)
{
    const struct message *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->at_ns < y->at_ns ? -1 : x->at_ns > y->at_ns; /* and so by visit, too */
}

static int by_first(const void *a, const void *b)
{
    const struct message *x = a, *y = b;
    if (x->at_ns != y->at_ns)
        return x->at_ns < y->at_ns ? -1 : 1;
    return x->key < y->key ? -1 : x->key > y->key;
}

/* Those of one key and visit become one, with first, last, count and how many there were in the
 * densest second. `items` are sorted by key and time. */
static size_t fold_repeated(struct message *items, size_t count)
{
    size_t kept = 0, window = 0;
    for (size_t i = 0; i < count; i++) {
        if (items[i].at_ns == 0)
            continue;
        struct message *last = kept > 0 ? &items[kept - 1] : NULL;
        if (!last || last->key != items[i].key || last->visit != items[i].visit) {
            items[kept] = items[i];
            items[kept].last_ns = items[i].at_ns;
            items[kept].count = items[kept].per_second = 1;
            window = i;
            kept++;
            continue;
        }
        while (items[window].at_ns <= items[i].at_ns - NS_PER_SEC)
            window++;
        last->count++;
        last->last_ns = items[i].at_ns;
        if ((int64_t)(i - window + 1) > last->per_second)
            last->per_second = (int64_t)(i - window + 1);
    }
    return kept;
}

static void apply_count(struct message *items, size_t count, size_t visits,
                        const struct message *counted)
{
    for (size_t i = 0; i < count; i++) {
        struct message *m = &items[i];
        if (m->key != counted->key || counted->key == 0 || m->visit != visits)
            continue; /* a trace counts anew when the page is gone to */
        m->count = counted->count > m->count ? counted->count : m->count;
        m->last_ns = counted->last_ns > m->last_ns ? counted->last_ns : m->last_ns;
        m->per_second = counted->per_second > m->per_second ? counted->per_second : m->per_second;
    }
}

/* How often the page had been gone to. */
static size_t visits_until(const struct page *p, int64_t at_ns)
{
    const struct page_more *more = &p->capture->more;
    size_t count = 0;
    for (size_t i = 0; i < more->navigations.count; i++)
        count += mgi_begins_visit(&more->navigations.items[i]) &&
                 more->navigations.items[i].begin_ns - VISIT_SLACK_NS <= at_ns;
    return count;
}

bool mgi_page_messages(struct page *p)
{
    struct capture *c = p->capture;
    struct message *items = p->messages.items;
    size_t count = p->messages.count, visits = visits_until(p, INT64_MAX);
    for (size_t i = 0; i < count; i++)
        items[i].visit = visits_until(p, items[i].at_ns);
    if (count > 1)
        qsort(items, count, sizeof *items, by_key_time);
    count = fold_repeated(items, count);
    for (size_t i = 0; i < p->repeats.count; i++)
        apply_count(items, count, visits, &p->repeats.items[i]);
    if (count > 1)
        qsort(items, count, sizeof *items, by_first);
    size_t others = 0;
    for (size_t i = 0; i < count; i++) {
        bool error = items[i].level == LEVEL_ERROR;
        items[i].error_number = error ? ++c->error_count : 0;
        items[i].message_number = error ? 0 : ++others;
    }
    c->messages = items;
    c->message_count = count;
    return true;
}
