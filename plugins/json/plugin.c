/* The json plugin's door and its three actions. */
#include "plugins/json/json_plugin.h"

#include <stdio.h>

#define LIMIT_NODES_DEFAULT 1000
#define STEPS_MOST          100
#define TAIL_BYTES          4096

/* ---- what all have -------------------------------------------------------------------------- */

/* Always false. */
static bool fail_work(struct action *a, const char *what, const struct work *w,
                      const struct buf *why)
{
    if (a->stopped)
        return false;
    if (w->fault)
        return mgi_action_fail(a, "%s%s%s", what, *what ? ": " : "", w->fault);
    return mgi_action_fail(a, "%s%s%.*s", what, *what ? ": " : "", STR_ARG(mgi_buf_view(why)));
}

/* The document of an argument: any value, or with "<name>_text" its text. */
static bool read_document(struct action *a, const char *name, const char *text_name,
                          struct json *out)
{
    static const struct json_options options = { .max_depth = JSON_DEPTH };
    struct json_error fault;
    th_str raw;
    struct str text = { NULL, 0 };
    bool direct = th_json_member(a->input, name, &raw); /* null is a document, too */
    bool by_text = mgi_arg_text(a, text_name, SIZE_MAX, &text);
    if (direct == by_text)
        return mgi_action_fail(a, "%s, %s: say one of them", name, text_name);
    if (direct)
        text = (struct str){ raw.ptr, raw.len };
    enum json_fault code = mgi_json_parse(&a->arena, text, &options, out, &fault);
    if (code == JSON_NOMEM)
        return mgi_action_nomem(a);
    if (code)
        return mgi_action_fail(a, "%s: line %u, column %u: %s", by_text ? text_name : name,
                               fault.line, fault.column, fault.message);
    return true;
}

/* The size is not known before it is written: shared values count each time. */
static bool put_value(struct action *a, struct work *w, const char *name, const struct json *v)
{
    if (!mgi_json_fits(w, v))
        return fail_work(a, name, w, NULL);
    mgi_jw_key_str(&a->out, str_of(name));
    a->answer.limit = (size_t)4 * 1024 * 1024;
    mgi_jw_value(&a->out, v);
    if (a->answer.full || a->answer.len > ANSWER_ROOM_BYTES)
        return mgi_action_fail(a, "%s: has more than %u bytes: ask for less", name,
                               ANSWER_ROOM_BYTES);
    return true;
}

/* ---- query ---------------------------------------------------------------------------------- */

static bool select_nodes(struct action *a, struct work *w, const struct json *document,
                         struct path_nodes *nodes)
{
    struct str text;
    struct path path;
    struct buf why;
    if (!mgi_arg_text(a, "path", PATH_MOST_BYTES, &text))
        return mgi_action_fail(a, "path: missing");
    mgi_buf_init(&why);
    bool ok =
        mgi_path_parse(&a->arena, text, &path, &why) && mgi_path_select(w, &path, document, nodes);
    if (!ok)
        fail_work(a, "path", w, &why);
    mgi_buf_fini(&why);
    return ok;
}

static bool put_nodes(struct action *a, struct work *w, const struct path_nodes *nodes,
                      int64_t limit)
{
    struct buf paths;
    size_t shown = 0;
    mgi_buf_init(&paths);
    struct json_writer list;
    mgi_json_writer_init(&list, &paths, 0);
    mgi_jw_begin_array(&list);
    mgi_jw_key(&a->out, "values");
    mgi_jw_begin_array(&a->out);
    for (; shown < nodes->count && shown < (size_t)limit; shown++) {
        struct buf path;
        size_t before = a->answer.len;
        mgi_buf_init(&path);
        mgi_path_put(&path, nodes->items[shown]);
        a->answer.limit = (size_t)4 * 1024 * 1024;
        if (mgi_json_fits(w, nodes->items[shown]->value))
            mgi_jw_value(&a->out, nodes->items[shown]->value);
        bool fits = !w->fault && !a->answer.oom &&
                    a->answer.len + paths.len + 2 * path.len + TAIL_BYTES < ANSWER_ROOM_BYTES;
        if (fits)
            mgi_jw_string(&list, mgi_buf_view(&path));
        mgi_buf_fini(&path);
        if (!fits) { /* take the value back */
            a->answer.len = before;
            a->out.need_comma = shown > 0;
            break;
        }
    }
    mgi_jw_end_array(&a->out);
    mgi_jw_end_array(&list);
    mgi_jw_key(&a->out, "paths");
    mgi_jw_raw(&a->out, mgi_buf_view(&paths));
    bool oom = paths.oom;
    mgi_buf_fini(&paths);
    mgi_jw_member_int(&a->out, "count", (int64_t)nodes->count);
    mgi_jw_member_bool(&a->out, "truncated", shown < nodes->count);
    return w->fault ? fail_work(a, "", w, NULL) : !oom || mgi_action_nomem(a);
}

static bool put_pointed(struct action *a, struct work *w, const struct json *document)
{
    struct str at;
    if (!mgi_arg_text(a, "pointer", PATH_MOST_BYTES, &at))
        return false;
    if (!mgi_json_is_pointer(at))
        return mgi_action_fail(a,
                               "pointer: begins with / or is empty, and has ~ only as ~0 and ~1");
    const struct json *found = mgi_json_pointer_get(document, at);
    mgi_jw_key(&a->out, "values");
    mgi_jw_begin_array(&a->out);
    if (found) {
        if (!mgi_json_fits(w, found))
            return fail_work(a, "pointer", w, NULL);
        mgi_jw_value(&a->out, found);
    }
    mgi_jw_end_array(&a->out);
    mgi_jw_member_int(&a->out, "count", found ? 1 : 0);
    mgi_jw_member_bool(&a->out, "truncated", false);
    return true;
}

bool mgi_json_query(struct action *a)
{
    static const char *const known[] = { "document", "document_text", "path",
                                         "pointer",  "limit",         NULL };
    struct json document;
    struct path_nodes nodes;
    struct work w;
    int64_t limit = LIMIT_NODES_DEFAULT;
    mgi_work_init(&w, &a->arena, a);
    mgi_arg_known(a, known);
    read_document(a, "document", "document_text", &document);
    mgi_arg_int(a, "limit", 1, JSON_MOST_NODES, &limit);
    bool by_pointer = mgi_arg_given(a, "pointer");
    if (by_pointer == mgi_arg_given(a, "path"))
        mgi_action_fail(a, "path, pointer: say one of them");
    if (a->faults > 0)
        return false;
    if (by_pointer)
        return put_pointed(a, &w, &document);
    return select_nodes(a, &w, &document, &nodes) && put_nodes(a, &w, &nodes, limit);
}

/* ---- transform ------------------------------------------------------------------------------ */

static bool run_steps(struct action *a, struct work *w, const struct json *steps,
                      const struct json *document, struct json *out)
{
    struct buf why;
    const struct json *now = document;
    mgi_buf_init(&why);
    for (uint32_t i = 0; i < steps->count; i++) {
        char what[32];
        struct json *then = mgi_work_alloc(w, 1, sizeof *then);
        snprintf(what, sizeof what, "step %u", i + 1);
        if (!then || !mgi_json_transform(w, &steps->items[i], now, then, &why)) {
            fail_work(a, what, w, &why);
            break;
        }
        now = then;
    }
    mgi_buf_fini(&why);
    *out = *now;
    return a->faults == 0;
}

bool mgi_json_transform_action(struct action *a)
{
    static const char *const known[] = { "document", "document_text", "steps", NULL };
    struct json document, steps, out;
    struct json_error fault;
    struct work w;
    th_str raw;
    mgi_work_init(&w, &a->arena, a);
    mgi_arg_known(a, known);
    read_document(a, "document", "document_text", &document);
    if (!mgi_arg_raw(a, "steps", &raw))
        return mgi_action_fail(a, "steps: missing");
    if (mgi_json_parse(&a->arena, (struct str){ raw.ptr, raw.len }, NULL, &steps, &fault))
        return mgi_action_fail(a, "steps: %s", fault.message);
    if (steps.type != JSON_ARRAY || steps.count > STEPS_MOST)
        mgi_action_fail(a, "steps: not a list of at most %d", STEPS_MOST);
    return a->faults == 0 && run_steps(a, &w, &steps, &document, &out) &&
           put_value(a, &w, "value", &out);
}

/* ---- diff ----------------------------------------------------------------------------------- */

bool mgi_json_diff_action(struct action *a)
{
    static const char *const known[] = { "before", "before_text", "after", "after_text", NULL };
    struct json from, to;
    struct work w;
    size_t operations;
    mgi_work_init(&w, &a->arena, a);
    mgi_arg_known(a, known);
    read_document(a, "before", "before_text", &from);
    read_document(a, "after", "after_text", &to);
    if (a->faults > 0)
        return false;
    mgi_jw_key(&a->out, "patch");
    if (!mgi_json_diff(&w, &from, &to, &a->out, &operations))
        return fail_work(a, "", &w, NULL);
    mgi_jw_member_bool(&a->out, "equal", operations == 0);
    mgi_jw_member_int(&a->out, "operations", (int64_t)operations);
    return true;
}

/* ---- the door ------------------------------------------------------------------------------- */

static bool configure(struct action *settings, bool *may_write)
{
    static const char *const none[] = { NULL };
    *may_write = false;
    mgi_arg_known(settings, none);
    return settings->faults == 0;
}

static const struct action_row actions[] = {
    { "query", mgi_json_query, false },
    { "transform", mgi_json_transform_action, false },
    { "diff", mgi_json_diff_action, false },
};

static const struct action_plugin plugin = { .rows = actions,
                                             .count = sizeof actions / sizeof *actions,
                                             .configure = configure };

uint32_t toolhost_plugin_abi(void)
{
    return TH_ABI_VERSION;
}

uint32_t toolhost_plugin_caps(void)
{
    return 0;
}

int toolhost_plugin_init(const th_host *host, th_reg *reg)
{
    return mgi_plugin_init(host, reg, &plugin);
}
