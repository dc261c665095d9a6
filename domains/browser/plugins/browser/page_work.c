/* What is told of work that a page does for long: scripts that a frame waited for, what ran while
 * the page was looked at, what made objects that stay. */
#include "browser.h"

#define SCRIPTS_MOST 200
#define LOOKS_MOST   200
#define HELD_MOST    60

static int64_t ms_member(const struct json *told, const char *name)
{
    double ms = mgi_member_number(told, name, 0);
    return ms > 0 && ms < 1e9 ? (int64_t)ms : 0;
}

static bool add_script(struct page *p, const struct json *told, int64_t laid_ms)
{
    struct page_more *more = &p->capture->more;
    int64_t at_ns = mgi_page_ns(mgi_member_number(told, "start", 0)), ms = ms_member(told, "ms");
    struct long_script *s = at_ns > 0 && more->long_scripts.count < SCRIPTS_MOST
                                ? mgi_list_add(p->job->arena, &more->long_scripts)
                                : NULL;
    if (s)
        *s = (struct long_script){
            .at_ns = at_ns,
            .end_ns = at_ns + ms * NS_PER_MS,
            .url = mgi_member_string(told, "url"),
            .function = mgi_utf8_prefix(mgi_member_string(told, "name"), 100),
            .by = mgi_utf8_prefix(mgi_member_string(told, "by"), 200),
            .type = mgi_utf8_prefix(mgi_member_string(told, "type"), 40),
            .char_at = mgi_member_whole(told, "at", -1),
            .layout_ms = ms_member(told, "layout"),
            .paused_ms = ms_member(told, "paused"),
            .laid_ms = laid_ms,
        };
    return !p->job->arena->oom;
}

/* The script that ran longest comes first, and what was laid out then is its. */
static bool add_scripts(struct page *p, const struct json *told)
{
    const struct json *all = mgi_json_get(told, "scripts");
    int64_t laid_ms = ms_member(told, "laid");
    for (uint32_t i = 0; all && all->type == JSON_ARRAY && i < all->count; i++)
        if (!add_script(p, &all->items[i], i == 0 ? laid_ms : 0))
            return false;
    return true;
}

static struct str url_of_script(const struct page *p, struct str id)
{
    const struct page_more *more = &p->capture->more;
    for (size_t i = more->scripts.count; i-- > 0;)
        if (str_eq(more->scripts.items[i].id, id))
            return more->scripts.items[i].url;
    return STR_LIT("");
}

/* Of what has an address: the rest is no code of the page's. */
static bool frames_of_look(struct page *p, const struct json *told, struct code_seen *s)
{
    const struct json *all = mgi_json_get(told, "frames");
    size_t most = all && all->type == JSON_ARRAY ? all->count : 0;
    struct frame *frames = mgi_arena_calloc(p->job->arena, most + 1, sizeof *frames);
    for (size_t i = 0; frames && i < most; i++) {
        const struct json *f = &all->items[i];
        struct str url = url_of_script(p, mgi_member_string(f, "script"));
        if (url.len > 0)
            frames[s->frame_count++] = (struct frame){
                .function = mgi_member_string(f, "name"),
                .url = url,
                .line = mgi_member_whole(f, "line", -1) + 1,
                .column = mgi_member_whole(f, "column", -1) + 1,
            };
    }
    s->frames = frames;
    return frames != NULL;
}

static bool add_look(struct page *p, int64_t at_ns, const struct json *told)
{
    struct page_more *more = &p->capture->more;
    struct code_seen *s =
        more->looks.count < LOOKS_MOST ? mgi_list_add(p->job->arena, &more->looks) : NULL;
    if (!s)
        return !p->job->arena->oom;
    s->at_ns = at_ns;
    return frames_of_look(p, told, s);
}

static bool add_held(struct page *p, int64_t at_ns, const struct json *told)
{
    struct page_more *more = &p->capture->more;
    struct code_seen *s =
        more->held.count < HELD_MOST ? mgi_list_add(p->job->arena, &more->held) : NULL;
    if (!s)
        return !p->job->arena->oom;
    s->at_ns = at_ns;
    s->bytes = mgi_member_whole(told, "bytes", 0);
    return mgi_stack_read(p->job, mgi_json_get(told, "stackTrace"), &s->frames, &s->frame_count);
}

static bool add_spent(struct page *p, int64_t at_ns, const struct json *told)
{
    struct page_more *more = &p->capture->more;
    struct time_spent *s =
        more->spent.count < LOOKS_MOST ? mgi_list_add(p->job->arena, &more->spent) : NULL;
    if (s)
        *s = (struct time_spent){ .at_ns = at_ns,
                                  .clock_ms = mgi_member_whole(told, "at", 0),
                                  .layout_ms = mgi_member_whole(told, "layout", 0),
                                  .layouts = mgi_member_whole(told, "layouts", 0) };
    return !p->job->arena->oom;
}

bool mgi_page_work(struct page *p, int64_t at_ns, const struct json *told, struct str kind)
{
    if (str_is(kind, "frame"))
        return add_scripts(p, told);
    if (str_is(kind, "spent"))
        return add_spent(p, at_ns, told);
    return str_is(kind, "busy") ? add_look(p, at_ns, told) : add_held(p, at_ns, told);
}
