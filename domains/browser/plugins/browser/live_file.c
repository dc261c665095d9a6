/* The optional files of a capture, made of the live page in the format of captures/README.md.
 * Values that let their reader act as somebody else are not in them. */
#include "live_int.h"
#include "trace_int.h"

#define COOKIES_MS    3000
#define COOKIES_SHOWN 200
#define HIDDEN        "(hidden)"

static void put_store(struct json_writer *w, const char *name, const struct json *store)
{
    mgi_jw_key(w, name);
    mgi_jw_begin_object(w);
    for (uint32_t i = 0; store && store->type == JSON_OBJECT && i < store->count; i++) {
        const struct json_member *m = &store->members[i];
        mgi_jw_key_str(w, m->name);
        if (mgi_is_secret(m->name))
            mgi_jw_cstring(w, HIDDEN);
        else
            mgi_jw_value(w, &m->value);
    }
    mgi_jw_end_object(w);
}

static void put_cookie(struct json_writer *w, const struct json *cookie)
{
    static const char *const names[] = { "name",   "domain",   "path",   "httpOnly",
                                         "secure", "sameSite", "session" };
    mgi_jw_begin_object(w);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct json *v = mgi_json_get(cookie, names[i]);
        if (v) {
            mgi_jw_key(w, names[i]);
            mgi_jw_value(w, v);
        }
    }
    mgi_jw_member_cstr(w, "value", HIDDEN);
    mgi_jw_end_object(w);
}

static bool write_storage(struct job *job, struct buf *text)
{
    struct json stores, reply;
    struct json_writer w;
    if (!mgi_live_run(job, mgi_live_storage_script, STR_LIT(""), &stores) ||
        !mgi_live_ask(job, LIVE_SESSION(&mgi_live), "Network.getCookies", STR_LIT(""), COOKIES_MS,
                      &reply))
        return false;
    const struct json *cookies = mgi_json_get(&reply, "cookies");
    mgi_json_writer_init(&w, text, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_str(&w, "origin", mgi_member_string(&stores, "origin"));
    put_store(&w, "local", mgi_json_get(&stores, "local"));
    put_store(&w, "session", mgi_json_get(&stores, "session"));
    mgi_jw_key(&w, "cookies");
    mgi_jw_begin_array(&w);
    for (uint32_t i = 0;
         cookies && cookies->type == JSON_ARRAY && i < cookies->count && i < COOKIES_SHOWN; i++)
        put_cookie(&w, &cookies->items[i]);
    mgi_jw_end_array(&w);
    mgi_jw_end_object(&w);
    return true;
}

static bool write_answer(struct job *job, const char *script, struct buf *text)
{
    struct json value;
    if (!mgi_live_run(job, script, STR_LIT(""), &value))
        return false;
    mgi_mask_body(text, value.text);
    return true;
}

bool mgi_live_file(struct job *job, const char *name, struct str *text)
{
    struct buf out;
    bool good;
    mgi_buf_init(&out);
    if (strcmp(name, "dom.json") == 0)
        good = write_answer(job, mgi_live_dom_script, &out);
    else if (strcmp(name, "storage.json") == 0)
        good = write_storage(job, &out);
    else if (strcmp(name, "performance.json") == 0)
        good = write_answer(job, mgi_live_timing_script, &out);
    else
        good = mgi_job_fail(job, "a live page has no %s", name);
    if (good)
        *text = mgi_arena_str(job->arena, mgi_buf_view(&out));
    if (good && (out.oom || !text->ptr))
        good = mgi_job_no_memory(job);
    mgi_buf_fini(&out);
    return good;
}
