/* Reading network.har: HAR 1.2, as browsers export it.
 *
 * What an export must have is an array log.entries whose members say when, what and how it ended;
 * everything else may be missing. What browsers add with an underscore (_initiator, _resourceType,
 * _error) is used where it is there, and replaced by guesses from type and address where it is not.
 */
#include "browser.h"

#include <math.h>
#include <stdlib.h>

/* Initiators nest one level for each asynchronous call that led to the request. */
#define HAR_MAX_DEPTH    200
#define INITIATOR_FRAMES 24
/* No single request took longer than a day; what says so is wrong about it, not about the rest. */
#define LONGEST_MS (24 * 3600 * 1000.0)

/* A length in milliseconds; HAR says -1 for "does not apply". */
static double ms_of(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    double ms = v && v->type == JSON_INT     ? (double)v->integer
                : v && v->type == JSON_FLOAT ? v->number
                                             : 0;
    return ms > 0 && ms <= LONGEST_MS ? ms : 0;
}

static int64_t integer_of(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    if (v && v->type == JSON_FLOAT && fabs(v->number) < 1e9)
        return (int64_t)v->number;
    return v && v->type == JSON_INT ? v->integer : 0;
}

/* A place in a script, counted from 0 there and from 1 here; 0: none. */
static int64_t place_from_1(const struct json *frame, const char *name)
{
    int64_t n = integer_of(frame, name);
    return n >= 0 && n < 1000000000 ? n + 1 : 0;
}

static int64_t ns_of_ms(double ms)
{
    return (int64_t)(ms * (double)NS_PER_MS);
}

/* ---- who asked ----------------------------------------------------------------------------------
 */

static size_t count_frames(const struct json *stack)
{
    size_t count = 0;
    for (; stack && count < INITIATOR_FRAMES; stack = mgi_json_get(stack, "parent")) {
        const struct json *frames = mgi_json_get(stack, "callFrames");
        if (frames && frames->type == JSON_ARRAY)
            count += frames->count;
    }
    return count < INITIATOR_FRAMES ? count : INITIATOR_FRAMES;
}

static void read_initiator(struct job *job, struct request *r)
{
    const struct json *stack = mgi_json_get(mgi_json_get(r->entry, "_initiator"), "stack");
    size_t count = count_frames(stack);
    struct frame *frames = mgi_arena_calloc(job->arena, count, sizeof *frames);
    if (count == 0 || !frames)
        return;
    r->frames = frames;
    for (; stack && r->frame_count < count; stack = mgi_json_get(stack, "parent")) {
        const struct json *given = mgi_json_get(stack, "callFrames");
        size_t more = given && given->type == JSON_ARRAY ? given->count : 0;
        for (size_t i = 0; i < more && r->frame_count < count; i++) {
            const struct json *f = &given->items[i];
            frames[r->frame_count++] = (struct frame){
                .function = mgi_member_string(f, "functionName"),
                .url = mgi_mask_kept_url(job->arena, mgi_member_string(f, "url")),
                .line = place_from_1(f, "lineNumber"),
                .column = place_from_1(f, "columnNumber"),
            };
        }
    }
}

/* ---- what it is, and what is wrong with it
 * ------------------------------------------------------- */

static bool ends_with_any(struct str file, const char *const *endings)
{
    for (; *endings; endings++) {
        size_t n = strlen(*endings);
        if (file.len >= n && mgi_contains((struct str){ file.ptr + file.len - n, n }, *endings))
            return true;
    }
    return false;
}

static enum resource resource_by_name(struct str type)
{
    static const struct {
        const char *name;
        enum resource is;
    } known[] = {
        { "xhr", RES_DATA },         { "fetch", RES_DATA },        { "script", RES_SCRIPT },
        { "image", RES_ASSET },      { "font", RES_ASSET },        { "media", RES_ASSET },
        { "stylesheet", RES_ASSET }, { "document", RES_DOCUMENT }, { "manifest", RES_ASSET },
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (str_is(type, known[i].name))
            return known[i].is;
    return RES_OTHER;
}

static enum resource resource_by_guess(const struct request *r)
{
    static const char *const scripts[] = { ".js", ".mjs", ".cjs", NULL };
    static const char *const assets[] = { ".css", ".png",  ".jpg", ".jpeg", ".gif",
                                          ".svg", ".webp", ".ico", ".woff", ".woff2",
                                          ".ttf", ".mp4",  ".map", NULL };
    struct str path = mgi_url_path(r->url), file = mgi_url_file(r->url);
    if (ends_with_any(file, scripts))
        return RES_SCRIPT;
    if (ends_with_any(file, assets))
        return RES_ASSET;
    if (mgi_contains(r->mime, "json") || mgi_contains(path, "/api/") ||
        mgi_contains(path, "/graphql") || !str_is(r->method, "GET"))
        return RES_DATA;
    if (mgi_contains(r->mime, "javascript"))
        return RES_SCRIPT;
    if (mgi_contains(r->mime, "image/") || mgi_contains(r->mime, "font") ||
        mgi_contains(r->mime, "text/css"))
        return RES_ASSET;
    return mgi_contains(r->mime, "html") && r->fault != FAULT_STATUS ? RES_DOCUMENT : RES_OTHER;
}

static struct str trimmed(struct str s)
{
    while (s.len > 0 && strchr(" \t\r\n", s.ptr[0]))
        s = (struct str){ s.ptr + 1, s.len - 1 };
    while (s.len > 0 && strchr(" \t\r\n", s.ptr[s.len - 1]))
        s.len--;
    return s;
}

/* A body that is null, or that has an error and no data (as GraphQL answers). */
static enum fault fault_of_body(struct job *job, struct str body)
{
    struct json value;
    if (str_is(body, "null") || str_is(body, "undefined"))
        return FAULT_EMPTY;
    if (body.len == 0 || body.ptr[0] != '{')
        return FAULT_NONE;
    struct arena_mark mark = mgi_arena_mark(job->arena);
    enum fault fault = FAULT_NONE;
    if (mgi_json_parse(job->arena, body, NULL, &value, NULL) == JSON_OK) {
        const struct json *error = mgi_json_get(&value, "errors");
        const struct json *data = mgi_json_get(&value, "data");
        if (!error)
            error = mgi_json_get(&value, "error");
        if (error && error->type != JSON_NULL && !(error->type == JSON_BOOL && !error->boolean) &&
            !(error->type == JSON_ARRAY && error->count == 0))
            fault = FAULT_ERROR_BODY;
        else if (data && data->type == JSON_NULL)
            fault = FAULT_EMPTY;
    }
    mgi_arena_rewind(job->arena, mark);
    return fault;
}

static enum fault fault_of_success(struct job *job, const struct request *r,
                                   const struct json *content)
{
    const struct json *text = mgi_json_get(content, "text");
    const struct json *size = mgi_json_get(content, "size");
    if (r->resource != RES_DATA || !str_is(r->method, "GET"))
        return text && text->type == JSON_STRING && r->resource == RES_DATA &&
                       !mgi_json_get(content, "encoding")
                   ? fault_of_body(job, trimmed(text->string))
                   : FAULT_NONE;
    if (r->status == 204 || (size && size->type == JSON_INT && size->integer == 0 && !text))
        return FAULT_EMPTY;
    if (mgi_contains(r->mime, "html"))
        return FAULT_NOT_JSON;
    if (!text || text->type != JSON_STRING || mgi_json_get(content, "encoding"))
        return FAULT_NONE;
    struct str body = trimmed(text->string);
    return body.len == 0 ? FAULT_EMPTY : fault_of_body(job, body);
}

static void classify(struct job *job, struct request *r, const struct json *content)
{
    if (r->status == 0)
        r->fault = FAULT_LOST;
    else if (r->status >= 400)
        r->fault = FAULT_STATUS;
    struct str type = mgi_member_string(r->entry, "_resourceType");
    r->resource = resource_by_name(type);
    if (r->resource == RES_OTHER)
        r->resource = resource_by_guess(r);
    if (r->status >= 200 && r->status < 300)
        r->fault = fault_of_success(job, r, content);
}

/* ---- entries
 * ------------------------------------------------------------------------------------- */

/* When the head of the answer was there: all phases but the last. */
static int64_t answer_time(const struct request *r)
{
    double receive = ms_of(mgi_json_get(r->entry, "timings"), "receive");
    int64_t at = r->end_ns - ns_of_ms(receive);
    return at < r->start_ns ? r->start_ns : at;
}

bool mgi_har_entry(struct job *job, struct problems *problems, size_t index,
                   const struct json *entry, struct request *r)
{
    const struct json *request = mgi_json_get(entry, "request");
    const struct json *response = mgi_json_get(entry, "response");
    const struct json *content = mgi_json_get(response, "content");
    struct str started = mgi_member_string(entry, "startedDateTime");
    size_t before = problems->count;
    *r = (struct request){
        .entry = entry,
        .method = mgi_member_string(request, "method"),
        .url = mgi_mask_kept_url(job->arena, mgi_member_string(request, "url")),
        .status = integer_of(response, "status"),
        .status_text = mgi_member_string(response, "statusText"),
        .mime = mgi_member_string(content, "mimeType"),
        .error = mgi_member_string(response, "_error"),
    };
    if (started.len == 0) {
        mgi_problem(problems, "network.har: log.entries[%zu].startedDateTime is missing", index);
    } else {
        enum time_parse bad =
            mgi_time_parse(started, TIME_LOWER_CASE | TIME_LEAP_SECOND, &r->start_ns);
        if (bad)
            mgi_problem(problems, "network.har: log.entries[%zu].startedDateTime: %s", index,
                        mgi_time_parse_text(bad));
    }
    if (r->url.len == 0)
        mgi_problem(problems, "network.har: log.entries[%zu].request.url is missing", index);
    if (r->method.len == 0)
        mgi_problem(problems, "network.har: log.entries[%zu].request.method is missing", index);
    if (r->status < 0 || r->status > 999)
        mgi_problem(problems, "network.har: log.entries[%zu].response.status %lld is no status",
                    index, (long long)r->status);
    if (problems->count > before)
        return false;
    int64_t took = ns_of_ms(ms_of(entry, "time"));
    r->end_ns = r->start_ns > INT64_MAX - took ? r->start_ns : r->start_ns + took;
    r->answer_ns = answer_time(r);
    classify(job, r, content);
    read_initiator(job, r);
    return true;
}

static int by_start(const void *a, const void *b)
{
    const struct request *x = a, *y = b;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number; /* as they stood in the file */
}

/* The page that was loaded: the first document, else the first thing asked for. */
static struct str page_url(const struct capture *c)
{
    for (size_t i = 0; i < c->request_count; i++)
        if (c->requests[i].resource == RES_DOCUMENT)
            return c->requests[i].url;
    return c->request_count > 0 ? c->requests[0].url : STR_LIT("");
}

static void read_page(struct capture *c, const struct json *log)
{
    const struct json *pages = mgi_json_get(log, "pages");
    const struct json *page =
        pages && pages->type == JSON_ARRAY && pages->count > 0 ? &pages->items[0] : NULL;
    c->session = mgi_member_string(page, "id");
    if (c->session.len == 0 || c->session.len > 128)
        c->session = STR_LIT("page_1");
    c->title = mgi_member_string(page, "title");
    c->creator = mgi_member_string(mgi_json_get(log, "creator"), "name");
    c->browser = mgi_member_string(mgi_json_get(log, "browser"), "name");
    c->url = page_url(c);
}

/* JavaScript strings may hold half a character, and exports write it as an escape that stands
 * alone, which no JSON reader takes. U+FFFD has the same length: it is put in its place. */
void mgi_mend_surrogates(char *text, size_t len)
{
    for (size_t i = 0; i + 6 <= len; i++) {
        if (text[i] != '\\')
            continue;
        bool surrogate = text[i + 1] == 'u' && (text[i + 2] | 0x20) == 'd';
        char third = (char)(text[i + 3] | 0x20);
        bool high = surrogate && (third == '8' || third == '9' || third == 'a' || third == 'b');
        bool low = surrogate && third >= 'c' && third <= 'f';
        bool paired = high && i + 12 <= len && text[i + 6] == '\\' && text[i + 7] == 'u' &&
                      (text[i + 8] | 0x20) == 'd' && (text[i + 9] | 0x20) >= 'c' &&
                      (text[i + 9] | 0x20) <= 'f';
        if (paired) {
            i += 11;
        } else if (high || low) {
            text[i + 2] = text[i + 3] = text[i + 4] = 'f';
            text[i + 5] = 'd';
            i += 5;
        } else {
            i += 1; /* the character that the backslash protects */
        }
    }
}

static bool parse_har(struct job *job, struct problems *problems, struct str text,
                      struct json *root)
{
    const struct json_options options = { .max_depth = HAR_MAX_DEPTH };
    struct json_error fault;
    enum json_fault bad = mgi_json_parse(job->arena, text, &options, root, &fault);
    if (bad == JSON_BAD_UTF8) {
        /* The bytes are the arena's, read by us: they may be changed. */
        mgi_mend_surrogates((char *)(uintptr_t)text.ptr, text.len);
        bad = mgi_json_parse(job->arena, text, &options, root, &fault);
    }
    if (bad)
        mgi_problem(problems, "network.har:%u:%u: %s", fault.line, fault.column, fault.message);
    return bad == JSON_OK;
}

bool mgi_har_read(struct job *job, struct problems *problems, struct str text)
{
    struct capture *c = &job->capture;
    struct json root;
    if (!parse_har(job, problems, text, &root))
        return false;
    const struct json *log = mgi_json_get(&root, "log");
    const struct json *entries = mgi_json_get(log, "entries");
    if (!entries || entries->type != JSON_ARRAY) {
        mgi_problem(problems, "network.har: log.entries is missing or no array");
        return false;
    }
    /* The DOM's root is on the stack; what the requests point to lives in the arena. */
    c->requests = mgi_arena_calloc(job->arena, (size_t)entries->count + 1, sizeof *c->requests);
    if (!c->requests)
        return false;
    for (size_t i = 0; i < entries->count; i++) {
        struct request *r = &c->requests[c->request_count];
        if (mgi_har_entry(job, problems, i, &entries->items[i], r))
            r->number = ++c->request_count;
    }
    if (c->request_count > 1)
        qsort(c->requests, c->request_count, sizeof *c->requests, by_start);
    for (size_t i = 0; i < c->request_count; i++)
        c->requests[i].number = i + 1;
    read_page(c, log);
    return true;
}
