/* Exceptions that code catches, of which DevTools tell nothing by themselves: the browser stops at
 * each, says so, and is told to go on at once. A stop costs the page a moment, so that after so
 * many of one document it stops no more. `debugger;` is for people: the page goes on there, too. */
#include <stdio.h>

#include "live_int.h"

#define STOPS_MOST        120 /* of a document */
#define DESCRIPTION_BYTES 4000

/* Its own stack is in its text; who waited for the code is told apart from it. */
static void keep_caught(struct live *l, struct str name, const struct json *params, double t)
{
    const struct json *data = mgi_json_get(params, "data");
    const struct json *uncaught = mgi_json_get(data, "uncaught");
    const struct json *waiting = mgi_json_get(params, "asyncStackTrace");
    struct buf text;
    struct json_writer w;
    struct arena arena;
    struct json told;
    mgi_buf_init(&text);
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "k", "caught");
    mgi_jw_member_str(&w, "name", mgi_member_string(data, "className"));
    mgi_jw_member_str(&w, "description",
                      mgi_utf8_prefix(mgi_member_string(data, "description"), DESCRIPTION_BYTES));
    mgi_jw_member_bool(&w, "uncaught", uncaught && uncaught->boolean);
    if (waiting) {
        mgi_jw_key(&w, "stackTrace");
        mgi_jw_value(&w, waiting);
    }
    mgi_jw_end_object(&w);
    mgi_arena_init(&arena, 1u << 20);
    if (mgi_json_take(&arena, &text, &told))
        mgi_trace_add(l->trace, t, name, STR_LIT("Machina.caught"), &told);
    mgi_arena_fini(&arena);
}

/* What the helper in the page tries and catches is nothing that the page did. */
static bool is_of_helper(const struct json *params)
{
    const struct json *frames = mgi_json_get(params, "callFrames");
    if (!frames || frames->type != JSON_ARRAY || frames->count == 0)
        return false;
    return str_is(mgi_member_string(&frames->items[0], "functionName"), LIVE_TRYING) &&
           mgi_member_string(&frames->items[0], "url").len == 0;
}

void mgi_live_stopped_at(struct live *l, struct str session, struct str name,
                         const struct json *params, double t)
{
    struct str why = mgi_member_string(params, "reason");
    pthread_mutex_lock(&l->lock);
    bool look = l->looks > 0 && str_is(why, "other");
    l->looks -= look;
    bool enough = (l->stops += !look) > STOPS_MOST;
    pthread_mutex_unlock(&l->lock);
    if (enough)
        mgi_talk_tell(l->talk, session, "Debugger.setSkipAllPauses", STR_LIT("{\"skip\":true}"));
    mgi_talk_tell(l->talk, session, "Debugger.resume", STR_LIT(""));
    if (look && name.len > 0)
        mgi_live_keep_look(l, name, params, t);
    bool error = str_is(why, "exception") || str_is(why, "promiseRejection");
    if (error && name.len > 0 && !is_of_helper(params) &&
        mgi_member_string(mgi_json_get(params, "data"), "description").len)
        keep_caught(l, name, params, t);
}

void mgi_live_stop_again(struct live *l)
{
    pthread_mutex_lock(&l->lock);
    l->looks = 0;
    pthread_mutex_unlock(&l->lock);
    mgi_talk_tell(l->talk, LIVE_SESSION(l), "Debugger.setSkipAllPauses",
                  STR_LIT("{\"skip\":false}"));
}
