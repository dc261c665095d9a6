/* What a plugin offers: `toolhost --list PLUGIN`, run to its end while a domain is loaded.
 *
 * The plugin is opened in the host's process, never in ours. A loop of our own keeps the time. */
#include "actions/ask_int.h"
#include "actions/toolpool_int.h"

#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "confine/confine.h"
#include "domain/provider.h"
#include "base/utf8.h"
#include "protocol/schema.h"

#define LIST_MS        15000
#define LIST_MAX_BYTES (16u << 20)

/* ---- running it ------------------------------------------------------------------------------ */

struct listing {
    uv_loop_t loop;
    int started; /* what uv_spawn said */
    uv_process_t process;
    uv_pipe_t out, err;
    uv_timer_t timer;
    struct buf text, remarks;
    bool late, flooded;
    int64_t exit_status;
    char chunk[16384];
};

static void list_chunk(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
    struct listing *l = handle->data;
    (void)suggested;
    *buf = uv_buf_init(l->chunk, sizeof l->chunk);
}

static void list_read(uv_stream_t *stream, ssize_t len, const uv_buf_t *buf)
{
    struct listing *l = stream->data;
    struct buf *into = stream == (uv_stream_t *)&l->out ? &l->text : &l->remarks;
    if (len < 0) {
        uv_close((uv_handle_t *)stream, NULL);
    } else if (into->len + (size_t)len > LIST_MAX_BYTES) {
        l->flooded = true;
        uv_process_kill(&l->process, SIGKILL);
    } else {
        mgi_buf_append(into, buf->base, (size_t)len);
    }
}

static void list_exit(uv_process_t *process, int64_t exit_status, int signal)
{
    struct listing *l = process->data;
    l->exit_status = signal ? 128 + signal : exit_status;
    uv_close((uv_handle_t *)process, NULL);
    uv_close((uv_handle_t *)&l->timer, NULL);
}

static void list_late(uv_timer_t *timer)
{
    struct listing *l = timer->data;
    l->late = true;
    uv_process_kill(&l->process, SIGKILL);
}

static int list_spawn(struct listing *l, const char *toolhost, const struct action_provider *p)
{
    uv_loop_t *loop = &l->loop;
    char plugin[PATH_MAX];
    snprintf(plugin, sizeof plugin, "%.*s", STR_ARG(p->plugin));
    int document = mgi_provider_file(p);
    char *args[] = { (char *)(uintptr_t)toolhost,      "--list",    plugin,
                     document < 0 ? NULL : "--config", "/dev/fd/3", NULL };
    uv_stdio_container_t stdio[] = {
        { .flags = UV_IGNORE },
        { .flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&l->out },
        { .flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&l->err },
        { .flags = UV_INHERIT_FD, .data.fd = document },
    };
    char **env = mgi_host_environment(true, false);
    uv_process_options_t options = { .exit_cb = list_exit,
                                     .file = toolhost,
                                     .args = args,
                                     .env = env,
                                     .stdio_count = document < 0 ? 3 : 4,
                                     .stdio = stdio };
    uv_pipe_init(loop, &l->out, 0);
    uv_pipe_init(loop, &l->err, 0);
    uv_timer_init(loop, &l->timer);
    l->process.data = l->out.data = l->err.data = l->timer.data = l;
    int result = document == PROVIDER_FILE_FAILED ? UV_ENFILE : !env ? UV_ENOMEM : 0;
    bool spawns = result == 0;
    if (spawns)
        result = uv_spawn(loop, &l->process, &options);
    mgi_free(env);
    if (document >= 0)
        close(document);
    if (result == 0) {
        uv_read_start((uv_stream_t *)&l->out, list_chunk, list_read);
        uv_read_start((uv_stream_t *)&l->err, list_chunk, list_read);
        uv_timer_start(&l->timer, list_late, LIST_MS, 0);
    } else {
        if (spawns) /* uv_spawn() makes it a handle even when it fails */
            uv_close((uv_handle_t *)&l->process, NULL);
        uv_close((uv_handle_t *)&l->out, NULL);
        uv_close((uv_handle_t *)&l->err, NULL);
        uv_close((uv_handle_t *)&l->timer, NULL);
    }
    return result;
}

/* Start the process; it runs while the caller does other things. */
static void *list_begin(void *toolhost, const struct action_provider *provider)
{
    struct listing *l = mgi_calloc(1, sizeof *l);
    if (!l || uv_loop_init(&l->loop) != 0) {
        mgi_free(l);
        return NULL;
    }
    l->started = list_spawn(l, toolhost, provider);
    return l;
}

static void list_free(struct listing *l)
{
    uv_loop_close(&l->loop);
    mgi_buf_fini(&l->text);
    mgi_buf_fini(&l->remarks);
    mgi_free(l);
}

static void list_forget(void *begun)
{
    struct listing *l = begun;
    if (l->started == 0)
        uv_process_kill(&l->process, SIGKILL);
    uv_run(&l->loop, UV_RUN_DEFAULT);
    list_free(l);
}

/* Wait for its end. */
static bool list_finish(struct listing *l, const char *toolhost, struct arena *arena,
                        const char **why)
{
    uv_run(&l->loop, UV_RUN_DEFAULT);
    if (l->started != 0)
        *why = mgi_arena_printf(arena, "\"%s\" could not be started: %s", toolhost,
                                uv_strerror(l->started));
    else if (l->late)
        *why = "the plugin did not list its actions within 15 seconds";
    else if (l->flooded)
        *why = "the list of the plugin's actions is too long";
    else if (!l->text.oom)
        return true;
    return false;
}

/* ---- side effects ---------------------------------------------------------------------------- */

/* toolhost.md 11.4; a name that is not here becomes "x-name". The categories of the protocol do not
 * tell reading from writing: a mark beside them does, unless the action does more than read. */
static const struct effect_row {
    const char *effect, *first, *second;
    bool reads; /* `second` is the mark */
} effect_rows[] = {
    { "none", "none", NULL, false },
    { "gpu_probe", "none", NULL, false },
    { "process_introspection", "none", NULL, false },
    { "filesystem", "filesystem", NULL, false },
    { "filesystem_read", "filesystem", "x-filesystem-read", true },
    { "filesystem_write", "filesystem", NULL, false },
    { "filesystem_delete", "filesystem", "destructive", false },
    { "database", "database", NULL, false },
    { "database_read", "database", "x-database-read", true },
    { "database_write", "database", NULL, false },
    { "browser", "browser", NULL, false },
    { "browser_read", "browser", NULL, false },
    { "network", "network", NULL, false },
    { "network_io", "network", NULL, false },
    { "process", "process", NULL, false },
    { "process_spawn", "process", NULL, false },
    { "proc_exec", "process", NULL, false },
    { "authentication", "authentication", NULL, false },
    { "dynamic_library_load", "process", "x-dynamic-code", false },
    { "payments", "payments", NULL, false },
    { "destructive", "destructive", NULL, false },
};

struct effects {
    struct str *items;
    size_t count, cap;
};

static void add_effect(struct arena *arena, struct effects *e, struct str category)
{
    for (size_t i = 0; i < e->count; i++)
        if (str_eq(e->items[i], category))
            return;
    if (mgi_arena_grow(arena, &e->items, &e->cap, e->count + 1, sizeof *e->items))
        e->items[e->count++] = category;
}

static struct str custom_category(struct arena *arena, struct str effect)
{
    char *text = mgi_arena_printf(arena, "x-%.*s", STR_ARG(effect));
    if (!text)
        return STR_LIT("x-unknown");
    if (mgi_str_starts(effect, STR_LIT("x-")))
        text += 2;
    for (char *c = text; *c; c++)
        if (!(*c >= 'a' && *c <= 'z') && !(*c >= '0' && *c <= '9'))
            *c = '-';
    return str_of(text);
}

static const struct effect_row *row_of(struct str effect)
{
    for (size_t i = 0; i < sizeof effect_rows / sizeof *effect_rows; i++)
        if (str_is(effect, effect_rows[i].effect))
            return &effect_rows[i];
    return NULL;
}

/* Does one of the effects in `list` do more in the category than read? */
static bool does_more(const struct json *list, const char *category)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const struct effect_row *row =
            list->items[i].type == JSON_STRING ? row_of(list->items[i].string) : NULL;
        if (row && !row->reads && strcmp(row->first, category) == 0)
            return true;
    }
    return false;
}

static void map_effect(struct arena *arena, struct effects *e, const struct json *list,
                       struct str effect)
{
    const struct effect_row *row = row_of(effect);
    if (!row) {
        add_effect(arena, e, custom_category(arena, effect));
        return;
    }
    add_effect(arena, e, str_of(row->first));
    if (row->second && !(row->reads && does_more(list, row->first)))
        add_effect(arena, e, str_of(row->second));
}

static int compare_effects(const void *a, const void *b)
{
    return mgi_str_compare(*(const struct str *)a, *(const struct str *)b);
}

/* T-MCP-13: sorted, and "none" only alone. */
static void read_effects(struct arena *arena, const struct json *list, struct action *out)
{
    struct effects e = { 0 };
    for (uint32_t i = 0; list && list->type == JSON_ARRAY && i < list->count; i++)
        if (list->items[i].type == JSON_STRING)
            map_effect(arena, &e, list, list->items[i].string);
    if (e.count > 1) {
        size_t kept = 0;
        for (size_t i = 0; i < e.count; i++)
            if (!str_is(e.items[i], "none"))
                e.items[kept++] = e.items[i];
        e.count = kept;
        qsort(e.items, e.count, sizeof *e.items, compare_effects);
    }
    out->effects = e.items;
    out->effect_count = e.count;
}

/* ---- actions --------------------------------------------------------------------------------- */

static void schema_release(void *schema)
{
    mgi_schema_free(schema);
}

static bool read_schema(struct arena *arena, const struct json *entry, const char *name,
                        struct str aid, const struct schema **out, const char **why)
{
    const struct json *source = mgi_json_get(entry, name);
    if (!source || source->type == JSON_NULL)
        return true;
    struct schema_issues issues;
    mgi_schema_issues_init(&issues, arena, 0);
    struct schema *schema = mgi_schema_compile(source, 0, &issues);
    if (!schema) {
        if (issues.count > 0)
            *why = mgi_arena_printf(arena, "%s of %.*s: \"%s\" at \"%s\": %s", name, STR_ARG(aid),
                                    issues.items[0].keyword, issues.items[0].path,
                                    issues.items[0].message);
        return false;
    }
    if (!mgi_arena_defer(arena, schema_release, schema))
        return false;
    *out = schema;
    return true;
}

static struct str text_of_entry(struct arena *arena, const struct json *entry, const char *name)
{
    const struct json *v = mgi_json_get(entry, name);
    return mgi_arena_str(arena, v && v->type == JSON_STRING ? v->string : STR_LIT(""));
}

/* As the host told it: one line. */
static struct str schema_text_of(struct arena *arena, const struct json *entry, const char *name)
{
    const struct json *v = mgi_json_get(entry, name);
    return mgi_arena_str(arena, v && v->type == JSON_OBJECT ? v->text : STR_LIT(""));
}

static bool flag_of_entry(const struct json *entry, const char *name)
{
    const struct json *v = mgi_json_get(entry, name);
    return v && v->type == JSON_BOOL && v->boolean;
}

static int64_t number_of_entry(const struct json *entry, const char *name, int64_t otherwise)
{
    const struct json *v = mgi_json_get(entry, name);
    return v && v->type == JSON_INT ? v->integer : otherwise;
}

/* Texts alone; what else stands there is no tag. False: memory. */
static bool read_tags(struct arena *arena, const struct json *list, struct action *out)
{
    uint32_t count = list && list->type == JSON_ARRAY ? list->count : 0;
    struct str *tags = mgi_arena_calloc(arena, count + 1, sizeof *tags);
    out->tags = tags;
    for (uint32_t i = 0; tags && i < count; i++)
        if (list->items[i].type == JSON_STRING)
            tags[out->tag_count++] = mgi_arena_str(arena, list->items[i].string);
    return tags != NULL;
}

static bool read_action(struct arena *arena, const struct action_provider *provider,
                        const struct json *entry, struct action *out, const char **why)
{
    int64_t timeout_ms = number_of_entry(entry, "timeout_ms", 0);
    *out = (struct action){
        .aid = text_of_entry(arena, entry, "aid"),
        .name = text_of_entry(arena, entry, "name"),
        .provider = provider,
        .description = text_of_entry(arena, entry, "description"),
        .input_schema_text = schema_text_of(arena, entry, "input_schema"),
        .tier = (int)number_of_entry(entry, "tier", 3), /* unknown means not safe */
        .deterministic = flag_of_entry(entry, "deterministic"),
        .idempotent = flag_of_entry(entry, "idempotent"),
        .reversible = flag_of_entry(entry, "reversible"),
        .timeout_ms = timeout_ms > 0 && timeout_ms <= UINT32_MAX ? (uint32_t)timeout_ms : 0,
    };
    const struct json *effects = mgi_json_get(entry, "side_effects");
    if (out->aid.len == 0 || out->tier < 0 || out->tier > 3) {
        *why = "the plugin lists an action without a usable aid or tier";
        return false;
    }
    read_effects(arena, effects, out);
    if (out->effect_count == 0) { /* T-LEASE-2: the host refuses such a plugin; so do we */
        *why = mgi_arena_printf(arena, "the action %.*s lists no side effects", STR_ARG(out->aid));
        return false;
    }
    return read_tags(arena, mgi_json_get(entry, "tags"), out) &&
           read_schema(arena, entry, "input_schema", out->aid, &out->input_schema, why) &&
           read_schema(arena, entry, "output_schema", out->aid, &out->output_schema, why);
}

/* What the host said, in the arena. */
static bool read_list(struct arena *arena, struct str said, int64_t exit_status,
                      const struct action_provider *provider, struct action **actions,
                      size_t *count, const char **why)
{
    struct json answer;
    if (mgi_json_parse(arena, said, NULL, &answer, NULL) != JSON_OK) {
        *why = mgi_arena_printf(arena, "the tool host ended with status %d and listed nothing",
                                (int)exit_status);
        return false;
    }
    const struct json *error = mgi_json_get(&answer, "error");
    const struct json *tools = mgi_json_get(&answer, "tools");
    if (!tools || tools->type != JSON_ARRAY) {
        *why = error && error->type == JSON_STRING
                   ? mgi_arena_printf(arena, "%.*s", STR_ARG(error->string))
                   : "the tool host's list is unusable";
        return false;
    }
    struct action *items = mgi_arena_calloc(arena, *count + tools->count + 1, sizeof *items);
    if (!items)
        return false;
    if (*count > 0)
        memcpy(items, *actions, *count * sizeof *items);
    for (uint32_t i = 0; i < tools->count; i++)
        if (!read_action(arena, provider, &tools->items[i], &items[*count + i], why))
            return false;
    *actions = items;
    *count += tools->count;
    return !arena->oom;
}

/* ---- what it said besides -------------------------------------------------------------------- */

#define SAID_LINES 8
#define SAID_BYTES 800

/* The last lines that the plugin, or a program behind it, wrote on standard error, as one. */
static void add_remarks(struct arena *arena, const struct listing *l, const char **why)
{
    const struct str mark = STR_LIT("[plugin] ");
    struct str text = mgi_buf_view(&l->remarks), lines[SAID_LINES];
    size_t count = 0, bytes = 0;
    for (size_t i = text.len, end = text.len;
         i-- > 0 && count < SAID_LINES && bytes < SAID_BYTES;) {
        if (i > 0 && text.ptr[i - 1] != '\n')
            continue;
        struct str line = mgi_str_trim((struct str){ text.ptr + i, end - i }, " \t\r\n");
        end = i;
        if (!mgi_str_starts(line, mark) || line.len == mark.len)
            continue;
        line = mgi_str_trim((struct str){ line.ptr + mark.len, line.len - mark.len }, " \t");
        if (mgi_str_starts(line, STR_LIT("at "))) /* a frame of a stack: who called is not asked */
            continue;
        lines[count++] = mgi_utf8_prefix(line, 200);
        bytes += line.len;
    }
    struct buf said = { 0 };
    if (count > 0)
        mgi_buf_printf(&said, "%s\nIt said: ", *why);
    for (size_t i = count; i-- > 0;)
        mgi_buf_printf(&said, "%.*s%s", STR_ARG(lines[i]), i ? " | " : "");
    struct str kept = mgi_arena_str(arena, mgi_buf_view(&said));
    if (count > 0 && !said.oom && kept.ptr)
        *why = kept.ptr;
    mgi_buf_fini(&said);
}

static bool list_actions(void *context, void *begun, struct arena *arena,
                         const struct action_provider *provider, struct action **actions,
                         size_t *count, const char **why)
{
    *why = NULL;
    if (provider->known.ptr && read_list(arena, provider->known, 0, provider, actions, count, why))
        return true;
    *why = NULL; /* what was known is no list: ask */
    struct listing *l = begun ? begun : list_begin(context, provider);
    bool good = l && list_finish(l, context, arena, why);
    struct str said = good ? mgi_arena_str(arena, mgi_buf_view(&l->text)) : (struct str){ 0 };
    good = good && read_list(arena, said, l->exit_status, provider, actions, count, why);
    if (good && provider->said)
        *provider->said = said;
    if (good)
        *why = NULL;
    else if (!*why)
        *why = "short of memory";
    else if (l)
        add_remarks(arena, l, why);
    if (l)
        list_free(l);
    return good;
}

/* Whatever capabilities the actions ask for: what is loaded may change, the kernel does not. */
static void ask_kernel(struct action_source *source)
{
    struct confine_features features;
    mgi_confine_probe(&features);
    unsigned lacks = mgi_confine_lacks(&features, CONFINE_SPAWN | CONFINE_WRITE);
    size_t count = 0;
    for (unsigned lack = 1; lack <= CONFINE_LACK_LAST; lack <<= 1)
        if (lacks & lack)
            source->unenforced[count++] = mgi_confine_lack_text((enum confine_lack)lack);
}

struct action_source mgi_toolpool_actions(const char *toolhost)
{
    struct action_source source = { .list = list_actions,
                                    .context = (void *)(uintptr_t)toolhost,
                                    .begin = list_begin,
                                    .forget = list_forget,
                                    .ask = mgi_toolhost_ask,
                                    .keep = mgi_kept_new,
                                    .let_go = mgi_kept_free,
                                    .program = toolhost,
                                    .kinds = mgi_action_kinds };
    ask_kernel(&source);
    return source;
}
