/* The functions that plugins call: see toolhost.h for what they promise. Arguments come from
 * foreign code, so pointers and lengths are checked before they are used. */
#include "toolhost/processes.h"
#include "toolhost/api.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/time.h"
#include "base/utf8.h"
#include "toolhost/frame.h"
#include "toolhost/sizes.h"
#include "sys/clock.h"

static struct str str_of_th(th_str s)
{
    return (struct str){ s.ptr ? s.ptr : "", s.ptr ? s.len : 0 };
}

static th_str th_of_str(struct str s)
{
    return (th_str){ s.ptr, s.len };
}

static bool is_sound(const char *bytes, size_t len)
{
    return bytes || len == 0;
}

/* ---- registration ------------------------------------------------------------------------- */

static struct str copy_text(th_reg *reg, const char *z)
{
    return mgi_arena_str(&reg->arena, str_of(z ? z : ""));
}

static struct str copy_schema(th_reg *reg, const char *z)
{
    return z ? copy_text(reg, z) : (struct str){ NULL, 0 };
}

static struct str_list copy_list(th_reg *reg, const char *const *list)
{
    struct str_list l = { NULL, 0 };
    while (list && list[l.count])
        l.count++;
    l.items = mgi_arena_calloc(&reg->arena, l.count + 1, sizeof *l.items);
    for (size_t i = 0; l.items && i < l.count; i++)
        l.items[i] = copy_text(reg, list[i]);
    return l;
}

static void copy_tool(th_reg *reg, const th_tool *from, struct tool *to)
{
    *to = (struct tool){
        .aid = copy_text(reg, from->aid),
        .name = copy_text(reg, from->name),
        .description = copy_text(reg, from->description),
        .tags = copy_list(reg, from->tags),
        .side_effects = copy_list(reg, from->side_effects),
        .replay_inputs = copy_list(reg, from->replay_inputs),
        .input_schema = copy_schema(reg, from->input_schema),
        .output_schema = copy_schema(reg, from->output_schema),
        .flags = from->flags,
        .timeout_ms = from->timeout_ms,
        .min_tier = from->min_tier,
    };
}

static th_rc reject(th_reg *reg, th_rc rc, const char *aid, const char *why)
{
    char index[32];
    snprintf(index, sizeof index, "%zu", reg->attempts - 1);
    if (!reg->fault)
        reg->fault = mgi_arena_printf(&reg->arena, "plugin registered a bad tool: %.128s: %s",
                                      aid && *aid ? aid : index, why);
    if (!reg->fault)
        reg->fault = "plugin registered a bad tool";
    return rc;
}

static bool is_registered(const th_reg *reg, struct str aid)
{
    for (size_t i = 0; i < reg->count; i++)
        if (str_eq(reg->items[i].tool.aid, aid))
            return true;
    return false;
}

static th_rc register_tool(th_reg *reg, const th_tool *offered)
{
    if (!reg || reg->over)
        return TH_RC_INVALID;
    reg->attempts++;
    if (!offered)
        return reject(reg, TH_RC_INVALID, NULL, "no description");

    /* T-ABI-4: what the plugin's header did not have counts as zero. */
    th_tool known = { 0 };
    size_t size = offered->struct_size < sizeof known ? offered->struct_size : sizeof known;
    if (size < offsetof(th_tool, fn) + sizeof known.fn)
        return reject(reg, TH_RC_INVALID, NULL, "struct_size is too small");
    memcpy(&known, offered, size);

    struct plugin_tool t = { .fn = known.fn, .user = known.user };
    copy_tool(reg, &known, &t.tool);
    if (reg->arena.oom)
        return reject(reg, TH_RC_NOMEM, NULL, "out of memory");
    const char *fault = mgi_tool_fault(&t.tool, &reg->arena);
    if (fault)
        return reject(reg, TH_RC_INVALID, known.aid, fault);
    if (!known.fn)
        return reject(reg, TH_RC_INVALID, known.aid, "no function");
    if (is_registered(reg, t.tool.aid))
        return reject(reg, TH_RC_DUP, known.aid, "registered twice");
    if (reg->count >= MAX_TOOLS)
        return reject(reg, TH_RC_LIMIT, known.aid, "too many tools");
    if (!mgi_arena_grow(&reg->arena, &reg->items, &reg->cap, reg->count + 1, sizeof *reg->items))
        return reject(reg, TH_RC_NOMEM, known.aid, "out of memory");
    reg->items[reg->count++] = t;
    return TH_RC_OK;
}

static void init_error(th_reg *reg, const char *msg, size_t len)
{
    if (reg && !reg->over && is_sound(msg, len))
        reg->error = mgi_arena_printf(&reg->arena, "%.*s", len < 1024 ? (int)len : 1024, msg);
}

/* ---- memory and result -------------------------------------------------------------------- */

static void *alloc(th_call *call, size_t size)
{
    return call ? mgi_arena_calloc(&call->memory, 1, size) : NULL;
}

/* The output would be `total` bytes: remember that it was refused (T-ABI-16). */
static th_rc too_large(th_call *call, size_t total)
{
    call->lost = total;
    return TH_RC_LIMIT;
}

static th_rc append_output(th_call *call, const char *bytes, size_t len)
{
    if (!call || !is_sound(bytes, len))
        return TH_RC_INVALID;
    if (len > MAX_OUTPUT_BYTES - call->output.len)
        return too_large(call, call->output.len + len);
    if (!mgi_buf_reserve(&call->output, len)) {
        call->output.oom = false; /* nothing is lost: what is there stays */
        return TH_RC_NOMEM;
    }
    mgi_buf_append(&call->output, bytes, len);
    return TH_RC_OK;
}

static th_rc set_output(th_call *call, const char *json, size_t len)
{
    if (!call || !is_sound(json, len))
        return TH_RC_INVALID;
    if (len > MAX_OUTPUT_BYTES)
        return too_large(call, len);
    if (len > call->output.len && !mgi_buf_reserve(&call->output, len - call->output.len)) {
        call->output.oom = false;
        return TH_RC_NOMEM;
    }
    mgi_buf_clear(&call->output);
    call->lost = 0;
    mgi_buf_append(&call->output, json, len);
    return TH_RC_OK;
}

/* A few bytes more than the host keeps, so that it can cut at a character. */
static th_rc set_error(th_call *call, const char *msg, size_t len)
{
    size_t kept = len < MAX_ERROR_BYTES + 8 ? len : MAX_ERROR_BYTES + 8;
    if (!call || !is_sound(msg, len))
        return TH_RC_INVALID;
    mgi_buf_clear(&call->error);
    mgi_buf_append(&call->error, msg, kept);
    return call->error.oom ? TH_RC_NOMEM : TH_RC_OK;
}

/* ---- state -------------------------------------------------------------------------------- */

static uint32_t state_mask(th_call *call)
{
    return call ? mgi_ds_used(&call->state) : 0;
}

static th_rc state_get(th_call *call, unsigned slot, th_artifact *out)
{
    struct str type, provenance, content;
    if (!call || !out || slot >= DS_SLOTS)
        return TH_RC_INVALID;
    if (!mgi_ds_get(&call->state, slot, &type, &provenance, &content))
        return TH_RC_ABSENT;
    *out = (th_artifact){ th_of_str(type), th_of_str(provenance), th_of_str(content), content.len };
    return TH_RC_OK;
}

static th_rc state_put(th_call *call, unsigned slot, const th_artifact *a)
{
    static const th_rc codes[] = {
        [DS_OK] = TH_RC_OK,
        [DS_INVALID] = TH_RC_INVALID,
        [DS_LIMIT] = TH_RC_LIMIT,
        [DS_NOMEM] = TH_RC_NOMEM,
    };
    if (!call || !a || slot >= DS_SLOTS)
        return TH_RC_INVALID;
    if (!is_sound(a->type.ptr, a->type.len) || !is_sound(a->provenance.ptr, a->provenance.len) ||
        !is_sound(a->content_json.ptr, a->content_json.len))
        return TH_RC_INVALID;
    enum ds_result rc = mgi_ds_put(&call->state, slot, str_of_th(a->type), str_of_th(a->provenance),
                                   str_of_th(a->content_json), &call->scratch, NULL);
    return codes[rc];
}

static th_rc state_del(th_call *call, unsigned slot)
{
    if (!call || slot >= DS_SLOTS)
        return TH_RC_INVALID;
    mgi_ds_del(&call->state, slot);
    return TH_RC_OK;
}

/* ---- time, cancellation, diagnostics ------------------------------------------------------ */

static int64_t remaining_ms(th_call *call)
{
    if (!call)
        return 0;
    int64_t left_ns = atomic_load(&call->deadline_ns) - mgi_clock_mono_ns();
    return left_ns > 0 ? (left_ns + NS_PER_MS - 1) / NS_PER_MS : left_ns / NS_PER_MS;
}

static int cancelled(th_call *call)
{
    if (!call)
        return 1;
    uint64_t number = atomic_load(&call->number);
    return number == 0 || atomic_load(&call->page->cancelled_call) == number;
}

static void put_progress(struct buf *out, uint64_t number, double percent, struct str detail)
{
    uint64_t bits;
    memcpy(&bits, &percent, sizeof bits);
    size_t begun = mgi_frame_begin(out, FRAME_PROGRESS);
    mgi_frame_u64(out, number);
    mgi_frame_u64(out, bits);
    mgi_frame_str(out, detail);
    mgi_frame_end(out, begun);
}

/* It never blocks (T-ABI-20): what finds no room in the socket waits for the next report, which
 * takes its place, or for the result. A frame this small is sent whole or not at all; should a part
 * be sent all the same, the rest is, too. */
static void send_report(th_call *call)
{
    struct buf *b = &call->unsent;
    size_t sent = 0;
    while (!b->oom && sent < b->len) {
        ssize_t n = send(WORKER_SOCKET, b->ptr + sent, b->len - sent,
                         MSG_NOSIGNAL | (sent ? 0 : MSG_DONTWAIT));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return;
        sent += (size_t)n;
    }
    mgi_buf_clear(b);
}

static th_rc progress(th_call *call, double percent, const char *detail, size_t len)
{
    if (!call || !is_sound(detail, len) || !(percent <= 100))
        return TH_RC_INVALID;
    struct str text = mgi_utf8_prefix((struct str){ len ? detail : "", len }, MAX_DETAIL_BYTES);
    pthread_mutex_lock(&call->reporting);
    if (call->wants_progress) {
        mgi_buf_clear(&call->unsent);
        put_progress(&call->unsent, atomic_load(&call->number), percent, text);
        send_report(call);
    }
    pthread_mutex_unlock(&call->reporting);
    return TH_RC_OK;
}

void mgi_call_begin_progress(struct th_call *call, bool wanted)
{
    pthread_mutex_lock(&call->reporting);
    call->wants_progress = wanted;
    pthread_mutex_unlock(&call->reporting);
}

void mgi_call_end_progress(struct th_call *call, struct buf *out)
{
    pthread_mutex_lock(&call->reporting);
    call->wants_progress = false;
    if (!call->unsent.oom)
        mgi_buf_str(out, mgi_buf_view(&call->unsent));
    mgi_buf_clear(&call->unsent);
    pthread_mutex_unlock(&call->reporting);
}

/* One write to standard error, whose other end the host reads. */
static void log_line(th_call *call, int level, const char *msg, size_t len)
{
    static const char *const words[] = { "error", "warn", "info", "debug" };
    char line[2048];
    if (!call || !is_sound(msg, len))
        return;
    const char *word = words[level >= 0 && level <= 3 ? level : 2];
    int head = snprintf(line, sizeof line, "%s: ", word);
    size_t room = sizeof line - (size_t)head - 1;
    size_t kept = len < room ? len : room;
    for (size_t i = 0; i < kept; i++)
        line[(size_t)head + i] = msg[i] == '\n' ? ' ' : msg[i];
    line[(size_t)head + kept] = '\n';
    ssize_t written = write(STDERR_FILENO, line, (size_t)head + kept + 1);
    (void)written;
}

static th_str request_id(th_call *call)
{
    return th_of_str(call ? call->request_id : STR_LIT(""));
}

static th_str idempotency_key(th_call *call)
{
    return th_of_str(call ? call->key : STR_LIT(""));
}

static char *configured; /* of the worker's one plugin; ends with a NUL */
static size_t configured_len;

bool mgi_api_configure(struct str settings)
{
    configured = mgi_alloc(settings.len + 1);
    if (!configured)
        return false;
    memcpy(configured, settings.ptr, settings.len);
    configured[settings.len] = '\0';
    configured_len = settings.len;
    return true;
}

static th_str config_settings(void)
{
    return (th_str){ configured, configured_len };
}

static const th_config_v1 config_v1 = { sizeof(th_config_v1), config_settings };

static th_rc lost(th_call *call, uint32_t how)
{
    if (!call || how > TH_LOST_TOO_LARGE)
        return TH_RC_INVALID;
    call->lost_how = how;
    return TH_RC_OK;
}

static const th_outcome_v1 outcome_v1 = { sizeof(th_outcome_v1), lost };

static const void *extension(const th_host *host, const char *name)
{
    (void)host;
    if (name && strcmp(name, "config.v1") == 0)
        return &config_v1;
    if (name && strcmp(name, "outcome.v1") == 0)
        return &outcome_v1;
    return name && strcmp(name, "processes.v1") == 0 ? &mgi_processes_v1 : NULL;
}

const th_host mgi_th_host = {
    .struct_size = sizeof(th_host),
    .abi_version = TH_ABI_VERSION,
    .register_tool = register_tool,
    .init_error = init_error,
    .alloc = alloc,
    .set_output = set_output,
    .append_output = append_output,
    .set_error = set_error,
    .state_mask = state_mask,
    .state_get = state_get,
    .state_put = state_put,
    .state_del = state_del,
    .remaining_ms = remaining_ms,
    .cancelled = cancelled,
    .progress = progress,
    .log = log_line,
    .request_id = request_id,
    .idempotency_key = idempotency_key,
    .extension = extension,
};
