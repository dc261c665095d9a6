/* The door of the product's plugins: settings, descriptors, and the frame around every call. */
#include "plugins/support/action.h"

#include <stdarg.h>
#include <stdio.h>

/* A worker has a gigabyte; what one call takes ends with an error before that. */
#define CALL_MEMORY_BYTES ((size_t)700 * 1024 * 1024)

/* An error text is at most 4096 bytes (toolhost.h): later faults are counted, not told. */
#define ERROR_ROOM_BYTES 3500

/* What `user` of a tool points at. */
struct offered {
    const th_host *host;
    const struct action_plugin *plugin;
    const struct action_row *row;
};

/* Static, for the functions must stay valid as long as the worker lives, and init runs once. */
#define OFFERED_MOST 64
static struct offered offers[OFFERED_MOST];

/* ---- the course of a call ------------------------------------------------------------------- */

bool mgi_action_fail(struct action *a, const char *format, ...)
{
    va_list args;
    if (a->faults++ > 0 && a->error.len < ERROR_ROOM_BYTES)
        mgi_buf_puts(&a->error, "; ");
    if (a->error.len < ERROR_ROOM_BYTES) {
        va_start(args, format);
        mgi_buf_vprintf(&a->error, format, args);
        va_end(args);
    }
    return false;
}

bool mgi_action_nomem(struct action *a)
{
    return mgi_action_fail(a, "out of memory");
}

bool mgi_action_stops(struct action *a)
{
    const char *why = a->host->cancelled(a->call)           ? "cancelled"
                      : a->host->remaining_ms(a->call) <= 0 ? "the time is over"
                                                            : NULL;
    if (why && !a->stopped)
        mgi_action_fail(a, "%s", why);
    a->stopped |= why != NULL;
    return a->stopped;
}

/* Each byte is looked at once, unless an element is taken back. */
size_t mgi_action_room(struct action *a)
{
    for (; a->counted < a->answer.len; a->counted++)
        a->escapes += a->answer.ptr[a->counted] == '"' || a->answer.ptr[a->counted] == '\\';
    size_t used = a->answer.len + a->escapes;
    return used >= ANSWER_ROOM_BYTES ? 0 : ANSWER_ROOM_BYTES - used;
}

bool mgi_action_reserve(struct action *a, size_t bytes)
{
    return mgi_buf_reserve(&a->answer, bytes) || mgi_action_nomem(a);
}

struct action_mark mgi_action_mark(struct action *a)
{
    (void)mgi_action_room(a);
    return (struct action_mark){ a->answer.len, a->escapes, a->out };
}

void mgi_action_take_back(struct action *a, struct action_mark mark)
{
    a->answer.len = a->counted = mark.len;
    a->escapes = mark.escapes;
    a->out = mark.out;
}

bool mgi_action_fits(struct action *a, struct action_mark mark)
{
    if (mgi_action_room(a) >= ACTION_TAIL_BYTES)
        return true;
    mgi_action_take_back(a, mark);
    return false;
}

static void action_init(struct action *a, const th_host *host, th_call *call, th_str input)
{
    *a = (struct action){ .host = host, .call = call, .input = input };
    mgi_arena_init(&a->arena, CALL_MEMORY_BYTES);
    mgi_buf_init(&a->answer);
    mgi_buf_init(&a->error);
    mgi_json_writer_init(&a->out, &a->answer, 0);
}

static void action_fini(struct action *a)
{
    mgi_buf_fini(&a->error);
    mgi_buf_fini(&a->answer);
    mgi_arena_fini(&a->arena);
}

/* One line for a log: names of files and the like may hold anything. */
static void tell_error(struct action *a)
{
    static const char none[] = "out of memory";
    if (a->error.oom || a->error.len == 0) {
        a->host->set_error(a->call, none, sizeof none - 1);
        return;
    }
    for (size_t i = 0; i < a->error.len; i++)
        if ((unsigned char)a->error.ptr[i] < 0x20 || a->error.ptr[i] == 0x7f)
            a->error.ptr[i] = ' ';
    a->host->set_error(a->call, a->error.ptr, a->error.len);
}

static bool run_row(struct action *a, const struct action_row *row)
{
    mgi_jw_begin_object(&a->out);
    if (!row->run(a) || a->faults > 0)
        return false;
    mgi_jw_end_object(&a->out);
    if (a->answer.oom || a->arena.oom)
        return mgi_action_nomem(a);
    if (a->host->set_output(a->call, a->answer.ptr, a->answer.len) != TH_RC_OK)
        return mgi_action_fail(a, "the answer of %zu bytes is too large: ask for less",
                               a->answer.len);
    return true;
}

static th_status call_action(th_call *call, th_str input, void *user)
{
    const struct offered *offered = user;
    struct action a;
    action_init(&a, offered->host, call, input);
    a.settings = offered->plugin->settings;
    th_status status = TH_OK;
    if (!run_row(&a, offered->row)) {
        tell_error(&a);
        status = TH_TOOL_ERROR;
    }
    action_fini(&a);
    return status;
}

/* ---- descriptors ---------------------------------------------------------------------------- */

static const struct {
    const char *word;
    uint32_t flag;
} flag_words[] = {
    { "deterministic", TH_TOOL_DETERMINISTIC }, { "idempotent", TH_TOOL_IDEMPOTENT },
    { "reversible", TH_TOOL_REVERSIBLE },       { "threadsafe", TH_TOOL_THREADSAFE },
    { "fast_cancel", TH_TOOL_FAST_CANCEL },
};

static uint32_t flags_of(const struct json *list)
{
    uint32_t flags = 0;
    for (uint32_t i = 0; list && list->type == JSON_ARRAY && i < list->count; i++)
        for (size_t k = 0; k < sizeof flag_words / sizeof *flag_words; k++)
            if (str_is(list->items[i].string, flag_words[k].word))
                flags |= flag_words[k].flag;
    return flags;
}

/* A string or a value's own text, with a NUL; NULL: it is missing, or memory is short. */
static const char *member_text(struct arena *arena, const struct json *file, const char *name)
{
    const struct json *v = mgi_json_get(file, name);
    if (!v)
        return NULL;
    return mgi_arena_str(arena, v->type == JSON_STRING ? v->string : v->text).ptr;
}

static const char *const *words_of(struct arena *arena, const struct json *list)
{
    size_t count = list && list->type == JSON_ARRAY ? list->count : 0;
    const char **words = mgi_arena_calloc(arena, count + 1, sizeof *words);
    for (size_t i = 0; words && i < count; i++)
        words[i] = mgi_arena_str(arena, list->items[i].string).ptr;
    return words;
}

static int64_t member_int(const struct json *file, const char *name, int64_t otherwise)
{
    const struct json *v = mgi_json_get(file, name);
    return v && v->type == JSON_INT ? v->integer : otherwise;
}

static const struct action_file *find_file(const char *name)
{
    for (size_t i = 0; i < mgi_action_files_count; i++) {
        struct str path = { mgi_action_files[i].path, strlen(mgi_action_files[i].path) };
        if (mgi_str_ends(path, STR_LIT(".json")) &&
            str_eq((struct str){ path.ptr, path.len - 5 }, str_of(name)))
            return &mgi_action_files[i];
    }
    return NULL;
}

static bool register_row(struct action *init, th_reg *reg, const struct action_row *row,
                         struct offered *offered)
{
    struct json file;
    struct json_error fault;
    const struct action_file *found = find_file(row->file);
    if (!found)
        return mgi_action_fail(init, "actions/%s.json is missing", row->file);
    if (mgi_json_parse(&init->arena, (struct str){ found->text, found->len }, NULL, &file, &fault))
        return mgi_action_fail(init, "actions/%s:%u: %s", found->path, fault.line, fault.message);
    struct arena *arena = &init->arena;
    th_tool tool = {
        .struct_size = sizeof tool,
        .flags = flags_of(mgi_json_get(&file, "flags")),
        .aid = member_text(arena, &file, "aid"),
        .name = member_text(arena, &file, "name"),
        .description = member_text(arena, &file, "description"),
        .tags = words_of(arena, mgi_json_get(&file, "tags")),
        .side_effects = words_of(arena, mgi_json_get(&file, "side_effects")),
        .input_schema = member_text(arena, &file, "input_schema"),
        .output_schema = member_text(arena, &file, "output_schema"),
        .timeout_ms = (uint32_t)member_int(&file, "timeout_ms", 0),
        .min_tier = (int32_t)member_int(&file, "min_tier", -1),
        .fn = call_action,
        .user = offered,
    };
    if (arena->oom)
        return mgi_action_nomem(init);
    if (init->host->register_tool(reg, &tool) != TH_RC_OK)
        return mgi_action_fail(init, "actions/%s was not accepted", found->path);
    return true;
}

static bool register_rows(struct action *init, th_reg *reg, const struct action_plugin *plugin,
                          bool may_write)
{
    if (plugin->count != mgi_action_files_count || plugin->count > OFFERED_MOST)
        return mgi_action_fail(init, "%zu actions, and descriptors of %zu", plugin->count,
                               mgi_action_files_count);
    for (size_t i = 0; i < plugin->count; i++) {
        if (plugin->rows[i].writes && !may_write)
            continue;
        offers[i] = (struct offered){ init->host, plugin, &plugin->rows[i] };
        if (!register_row(init, reg, &plugin->rows[i], &offers[i]))
            return false;
    }
    return true;
}

static th_str settings_text(const th_host *host)
{
    const th_config_v1 *config = host->extension ? host->extension(host, "config.v1") : NULL;
    th_str text = config ? config->settings() : (th_str){ NULL, 0 };
    return text.len ? text : (th_str){ "{}", 2 };
}

int mgi_plugin_init(const th_host *host, th_reg *reg, const struct action_plugin *plugin)
{
    struct action init;
    bool may_write = false;
    action_init(&init, host, NULL, settings_text(host));
    bool ok = plugin->configure(&init, &may_write) && init.faults == 0 &&
              register_rows(&init, reg, plugin, may_write);
    if (!ok) {
        struct str why = init.error.len ? mgi_buf_view(&init.error) : STR_LIT("out of memory");
        host->init_error(reg, why.ptr, why.len);
    }
    action_fini(&init);
    return ok ? 0 : 1;
}
