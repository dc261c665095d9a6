/* relay: a program of whatever language that speaks the toolhost's lines, as a plugin.
 *
 * At init the program is asked what it offers (`PROGRAM --list`), unless the settings say it. The
 * first call starts `PROGRAM --serve`, which stays for the calls after it. A call is a request line
 * and lines back: events, then the answer.
 *
 * A program is trusted with nothing. Whatever else than that it does (dies, floods, answers twice,
 * late, for another request, with what is no JSON, closes its pipes) is one error of this call; the
 * program is killed with its whole process group, and the next call starts another.
 *
 * Cancelling, or a deadline: SIGINT to the program, which may answer within GRACE_MS, less than the
 * host gives the worker; then it is killed, and the worker lives on. */
#include <stdio.h>
#include <string.h>

#include "answer.h"
#include "base/lines.h"
#include "base/utf8.h"
#include "program.h"
#include "settings.h"

#define LIST_MS    8000  /* the host gives init 10 s */
#define GRACE_MS   180   /* the host gives a cancelled tool 250 ms */
#define OVERDUE_MS 50    /* the host sets the flag at the deadline; if it does not, we do */
#define SLICE_MS   5     /* how often the cancel flag is looked at, which nothing wakes us for */
#define DEATH_MS   100   /* for a program that closed its output to end by itself */
#define FINI_MS    600   /* the host gives fini 1000 ms */
#define MAX_LOGGED 65536 /* bytes of standard error that one call passes on */
#define MAX_REMARK 1000  /* bytes of one line of it */
#define MAX_TRACE  4000  /* bytes of where a call failed */
#define MAX_LINES  40    /* of it */
#define MAX_ID     128

static struct relay {
    const th_host *host;
    const th_outcome_v1 *outcome; /* or NULL: an older host */
    struct arena life;            /* of the worker: settings and tools */
    struct arena call;            /* reset after each call */
    struct relay_settings settings;
    struct relay_program program;
    struct lines lines; /* of its output */
    uint64_t calls;
} self; /* a worker has one, and calls its tools one at a time, on one thread */

/* A running call. */
struct exchange {
    th_call *call;
    const char *aid;
    struct str id; /* of the request, which the answer repeats */
    struct buf request;
    size_t written;
    bool began;            /* some of it was written: it may be at work */
    int64_t give_up_at_ms; /* 0: it was not interrupted yet */
    int64_t deaf_at_ms;    /* 0: it takes what is written */
    char remark[MAX_REMARK];
    size_t remark_len, logged, dropped;
    bool answered;
    struct relay_answer answer;
    const char *failed; /* why there is no answer */
    uint32_t lost;      /* TH_LOST_...: so nobody knows what it did */
};

static th_str th_str_of(struct str s)
{
    return (th_str){ s.ptr, s.len };
}

static struct str str_of_th(th_str s)
{
    return (struct str){ s.ptr, s.len };
}

/* ---- standard error ------------------------------------------------------------------------ */

static void log_remark(struct exchange *x)
{
    if (x->remark_len == 0)
        return;
    if (x->logged + x->remark_len > MAX_LOGGED)
        x->dropped += x->remark_len;
    else
        self.host->log(x->call, 2, x->remark, x->remark_len);
    x->logged += x->dropped ? 0 : x->remark_len;
    x->remark_len = 0;
}

static void log_bytes(struct exchange *x, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (bytes[i] != '\n')
            x->remark[x->remark_len++] = bytes[i];
        if (bytes[i] == '\n' || x->remark_len == sizeof x->remark)
            log_remark(x);
    }
}

/* At most what a pipe holds at a time: a program that never stops must not keep us from its output.
 */
static bool read_errors(struct exchange *x)
{
    char chunk[4096];
    ssize_t n = 0;
    int i = 0;
    while (i < 16 && (n = relay_program_read_errors(&self.program, chunk, sizeof chunk)) > 0) {
        log_bytes(x, chunk, (size_t)n);
        i++;
    }
    return i > 0;
}

static void end_log(struct exchange *x)
{
    log_remark(x);
    if (x->dropped) {
        char text[80];
        int n = snprintf(text, sizeof text, "%zu bytes more were dropped", x->dropped);
        self.host->log(x->call, 1, text, (size_t)n);
    }
}

/* ---- the request --------------------------------------------------------------------------- */

/* The caller's id, made unique, so that no answer but the right one has it. */
static struct str make_id(const th_call *call)
{
    th_str given = self.host->request_id((th_call *)(uintptr_t)call);
    int room = MAX_ID - 22, len = given.len < (size_t)room ? (int)given.len : room;
    char *id = mgi_arena_printf(&self.call, "%.*s#%llu", len, given.ptr ? given.ptr : "",
                                (unsigned long long)++self.calls);
    return str_of(id);
}

static void write_state(struct json_writer *w, th_call *call)
{
    const th_host *host = self.host;
    uint32_t used = host->state_mask(call);
    if (!used)
        return;
    mgi_jw_key(w, "ds_state");
    mgi_jw_begin_object(w);
    mgi_jw_key(w, "slots");
    mgi_jw_begin_object(w);
    for (unsigned slot = 0; slot < 8; slot++) {
        const char key[] = { (char)('0' + slot), '\0' };
        th_artifact a;
        if (!(used & 1u << slot) || host->state_get(call, slot, &a) != TH_RC_OK)
            continue;
        mgi_jw_key_str(w, (struct str){ key, 1 });
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "type", str_of_th(a.type));
        mgi_jw_member_str(w, "provenance", str_of_th(a.provenance));
        mgi_jw_member_str(w, "content_json", str_of_th(a.content_json));
        mgi_jw_member_int(w, "size_bytes", (int64_t)a.size_bytes);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_object(w);
    mgi_jw_end_object(w);
}

/* The input goes as it stands, but for line breaks, which between values are blanks as well and
 * inside of strings cannot be. */
static void write_input(struct json_writer *w, th_str input)
{
    size_t from = w->out->len;
    mgi_jw_key(w, "inputs");
    mgi_jw_raw(w, str_of_th(input));
    for (size_t i = from; i < w->out->len && !w->out->oom; i++)
        if (w->out->ptr[i] == '\n' || w->out->ptr[i] == '\r')
            w->out->ptr[i] = ' ';
}

static bool write_request(struct exchange *x, th_str input)
{
    struct json_writer w;
    int64_t left = self.host->remaining_ms(x->call);
    mgi_json_writer_init(&w, &x->request, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "aid", x->aid);
    write_input(&w, input);
    write_state(&w, x->call);
    mgi_jw_member_str(&w, "request_id", x->id);
    mgi_jw_member_int(&w, "timeout_ms", left > 0 ? left : 1);
    mgi_jw_member_bool(&w, "progress", true);
    mgi_jw_end_object(&w);
    mgi_buf_putc(&x->request, '\n');
    return !x->request.oom;
}

/* ---- its lines ----------------------------------------------------------------------------- */

static void fail(struct exchange *x, uint32_t lost, const char *why)
{
    x->failed = why;
    x->lost = lost;
}

static void fail_line(struct exchange *x, const char *why)
{
    char *text = mgi_arena_printf(&self.call, "the program's line is not usable: %s", why);
    fail(x, TH_LOST_BAD_OUTPUT, text ? text : why);
}

static void take_line(struct exchange *x, struct str line)
{
    const char *why = NULL;
    struct relay_answer found;
    struct arena_mark mark = mgi_arena_mark(&self.call);
    struct str kept = mgi_arena_str(&self.call, line); /* answers point into it */
    if (!kept.ptr) {
        fail(x, TH_LOST_BAD_OUTPUT, "out of memory");
        return;
    }
    switch (relay_line_read(&self.call, kept, x->id, &found, &why)) {
    case RELAY_EVENT:
        if (found.has_progress && !x->answered)
            self.host->progress(x->call, found.percent, found.detail.ptr, found.detail.len);
        mgi_arena_rewind(&self.call, mark);
        break;
    case RELAY_ANSWER:
        x->answer = found;
        x->answered = true;
        break;
    case RELAY_WRONG:
        fail_line(x, why);
        break;
    }
}

static void take_bytes(struct exchange *x, struct str bytes)
{
    struct str line;
    while (!x->failed) {
        switch (mgi_lines_next(&self.lines, &bytes, &line)) {
        case LINE_NONE:
            if (x->answered && self.lines.kept.len > 0)
                fail(x, TH_LOST_BAD_OUTPUT, "the program goes on after its answer");
            return;
        case LINE_TEXT:
            if (x->answered)
                fail(x, TH_LOST_BAD_OUTPUT, "the program answered twice");
            else
                take_line(x, line);
            break;
        case LINE_TOO_LONG:
            fail(x, TH_LOST_TOO_LARGE, "the program's line is longer than 1048576 bytes");
            break;
        case LINE_NOMEM:
            fail(x, TH_LOST_BAD_OUTPUT, "out of memory");
            break;
        }
    }
}

static void end_of_output(struct exchange *x)
{
    bool by_itself;
    int status = relay_program_end(&self.program, DEATH_MS, &by_itself);
    const char *how = by_itself ? relay_program_epitaph(&self.program, status, &self.call)
                                : "it closed its output";
    char *text = mgi_arena_printf(&self.call, "the program ended in the middle of a call: %s", how);
    fail(x, TH_LOST_CRASH, text ? text : "the program ended in the middle of a call");
}

static bool read_output(struct exchange *x)
{
    char chunk[65536];
    ssize_t n = relay_program_read(&self.program, chunk, sizeof chunk);
    /* A process that it left behind may hold its output open, so its end counts, too; what it wrote
     * before is in the pipe by then. */
    bool ended = n < 0;
    if (n == 0 && relay_program_has_ended(&self.program)) {
        n = relay_program_read(&self.program, chunk, sizeof chunk);
        ended = n <= 0;
    }
    if (n > 0)
        take_bytes(x, (struct str){ chunk, (size_t)n });
    if (ended)
        end_of_output(x);
    return n > 0;
}

static bool send_request(struct exchange *x)
{
    struct str rest = mgi_buf_view(&x->request);
    rest.ptr += x->written;
    rest.len -= x->written;
    if (rest.len == 0)
        return false;
    ssize_t n = relay_program_write(&self.program, rest);
    if (n < 0) { /* it does not read any more: most likely it ends, and how says more */
        x->written = x->request.len;
        x->deaf_at_ms = relay_now_ms() + DEATH_MS;
        return true;
    }
    x->written += (size_t)n;
    x->began |= n > 0;
    return n > 0;
}

/* ---- a call -------------------------------------------------------------------------------- */

static void look_at_clock(struct exchange *x)
{
    if (x->deaf_at_ms && relay_now_ms() >= x->deaf_at_ms) {
        fail(x, TH_LOST_CRASH, "the program closed its input");
    } else if (!x->give_up_at_ms) {
        if (!self.host->cancelled(x->call) && self.host->remaining_ms(x->call) > -OVERDUE_MS)
            return;
        relay_program_interrupt(&self.program);
        x->give_up_at_ms = relay_now_ms() + GRACE_MS;
    } else if (relay_now_ms() >= x->give_up_at_ms) {
        fail(x, TH_LOST_CRASH, "cancelled; the program did not answer and was killed");
    }
}

static void converse(struct exchange *x)
{
    while (!x->answered && !x->failed) {
        bool moved = send_request(x);
        if (!x->failed)
            look_at_clock(x);
        if (!x->failed)
            moved |= read_errors(x);
        if (!x->failed)
            moved |= read_output(x);
        if (!moved && !x->failed)
            relay_program_wait(&self.program, x->written < x->request.len, SLICE_MS);
    }
    read_errors(x);
}

static void end_program(int grace_ms)
{
    relay_program_end(&self.program, grace_ms, NULL);
    mgi_lines_fini(&self.lines);
    mgi_lines_init(&self.lines, RELAY_MAX_LINE);
}

/* It serves many calls, and whatever else a call started ends with it. A host without the extension
 * ends nothing. */
static const char *start_program(void)
{
    const th_processes_v1 *processes = self.host->extension(self.host, "processes.v1");
    const char *why = relay_program_start(&self.program, &self.settings, "--serve", &self.call);
    if (!why && processes && processes->keep(self.program.pid) != TH_RC_OK)
        why = "the program cannot be kept across calls";
    return why;
}

static const char *make_ready(struct exchange *x)
{
    static const char late[] =
        "the program ended, or said what nobody asked for: another is started";
    if (self.program.pid > 0 && !relay_program_is_idle(&self.program)) {
        self.host->log(x->call, 1, late, sizeof late - 1);
        end_program(0);
    }
    if (self.program.pid <= 0) {
        const char *why = start_program();
        if (why)
            return why;
    }
    relay_program_allow_cpu(&self.program);
    return NULL;
}

static void note_lost(th_call *call, uint32_t how)
{
    if (how && self.outcome)
        self.outcome->lost(call, how);
}

static th_status failed_call(th_call *call, const char *why)
{
    self.host->set_error(call, why, strlen(why));
    return TH_TOOL_ERROR;
}

/* ---- what an answer says ------------------------------------------------------------------- */

static struct str member_text(const struct json *v, const char *name)
{
    const struct json *m = mgi_json_get(v, name);
    return m && m->type == JSON_STRING ? m->string : (struct str){ "", 0 };
}

static bool put_slots(th_call *call, const struct json *slots, uint32_t *put)
{
    for (uint32_t i = 0; i < slots->count; i++) {
        const struct json_member *m = &slots->members[i];
        if (m->name.len != 1 || m->name.ptr[0] < '0' || m->name.ptr[0] > '7' ||
            m->value.type != JSON_OBJECT)
            return false;
        unsigned slot = (unsigned)(m->name.ptr[0] - '0');
        const th_artifact a = { .type = th_str_of(member_text(&m->value, "type")),
                                .provenance = th_str_of(member_text(&m->value, "provenance")),
                                .content_json = th_str_of(member_text(&m->value, "content_json")) };
        if (self.host->state_put(call, slot, &a) != TH_RC_OK)
            return false;
        *put |= 1u << slot;
    }
    return true;
}

static bool remove_slots(th_call *call, const struct json *removed, uint32_t put)
{
    for (uint32_t i = 0; removed && i < removed->count; i++) {
        const struct json *v = &removed->items[i];
        if (v->type != JSON_INT || v->integer < 0 || v->integer > 7 || (put & 1u << v->integer))
            return false;
        self.host->state_del(call, (unsigned)v->integer);
    }
    return true;
}

/* A delta, or the full form, in which what is not named is gone (T-STATE-6, T-STATE-7). */
static bool apply_state(th_call *call, const struct json *state)
{
    const struct json *delta = mgi_json_get(state, "delta"), *slots = mgi_json_get(state, "slots");
    const struct json *removed = mgi_json_get(state, "removed_slots");
    bool is_delta = delta && delta->type == JSON_BOOL && delta->boolean;
    uint32_t put = 0, used = self.host->state_mask(call);
    if ((slots && slots->type != JSON_OBJECT) || (removed && removed->type != JSON_ARRAY))
        return false;
    if (slots && !put_slots(call, slots, &put))
        return false;
    for (unsigned slot = 0; slot < 8 && !is_delta; slot++)
        if (used & ~put & 1u << slot)
            self.host->state_del(call, slot);
    return !is_delta || remove_slots(call, removed, put);
}

/* A warning, so that whoever runs the server sees it: programs say by it where they failed, and
 * leave values out. */
static void log_trace(th_call *call, struct str trace)
{
    struct str rest = mgi_utf8_prefix(trace, MAX_TRACE);
    for (int i = 0; rest.len > 0 && i < MAX_LINES; i++) {
        const char *end = memchr(rest.ptr, '\n', rest.len);
        size_t len = end ? (size_t)(end - rest.ptr) : rest.len;
        struct buf shown = { 0 };
        mgi_utf8_show(&shown, (struct str){ rest.ptr, len });
        if (!shown.oom && shown.len > 0)
            self.host->log(call, 1, shown.ptr, shown.len);
        mgi_buf_fini(&shown);
        len += end != NULL;
        rest = (struct str){ rest.ptr + len, rest.len - len };
    }
}

static th_status use_answer(struct exchange *x)
{
    const struct relay_answer *a = &x->answer;
    if (a->status == TH_OK && a->state.type == JSON_OBJECT && !apply_state(x->call, &a->state)) {
        note_lost(x->call, TH_LOST_BAD_OUTPUT);
        return failed_call(x->call, "the program's answer is not usable: invalid ds_state");
    }
    note_lost(x->call, a->lost);
    if (a->output.ptr && a->output.len > 0)
        self.host->set_output(x->call, a->output.ptr, a->output.len);
    if (a->status != TH_OK) {
        self.host->set_error(x->call, a->error.ptr, a->error.len);
        log_trace(x->call, a->trace);
    }
    return a->status;
}

static th_status relay_call(th_call *call, th_str input, void *user)
{
    const th_tool *tool = user;
    struct exchange x = { .call = call, .aid = tool->aid, .id = make_id(call) };
    th_status status;
    if (!x.id.ptr || !write_request(&x, input))
        x.failed = "out of memory";
    if (!x.failed)
        x.failed = make_ready(&x);
    if (!x.failed)
        converse(&x);
    if (x.failed) {
        end_program(0);
        note_lost(call, x.began ? x.lost : 0);
    }
    status = x.failed ? failed_call(call, x.failed) : use_answer(&x);
    end_log(&x);
    mgi_buf_fini(&x.request);
    mgi_arena_reset(&self.call);
    return status;
}

/* ---- the list ------------------------------------------------------------------------------ */

/* What `--list` prints, up to its end, into `text`. False: it takes too long. */
static bool read_list(struct buf *text, int64_t until)
{
    char chunk[16384];
    while (text->len <= RELAY_MAX_LIST_BYTES) {
        bool ended = relay_program_has_ended(&self.program);
        ssize_t n = relay_program_read(&self.program, chunk, sizeof chunk);
        if (n < 0 || (n == 0 && ended))
            return true;
        mgi_buf_append(text, chunk, (size_t)n);
        relay_program_read_errors(&self.program, chunk, sizeof chunk);
        if (relay_now_ms() >= until)
            return false;
        if (n == 0)
            relay_program_wait(&self.program, false, SLICE_MS);
    }
    return true;
}

/* NULL, or what went wrong. */
static const char *listed(struct buf *text)
{
    bool by_itself;
    const char *why = relay_program_start(&self.program, &self.settings, "--list", &self.life);
    if (why)
        return why;
    bool in_time = read_list(text, relay_now_ms() + LIST_MS);
    int status = relay_program_end(&self.program, in_time ? DEATH_MS : 0, &by_itself);
    if (text->oom)
        return "out of memory";
    if (text->len > RELAY_MAX_LIST_BYTES)
        return "--list printed more than 4194304 bytes";
    if (!in_time)
        return "--list did not end within 8000 ms";
    if (by_itself && status == 0)
        return NULL;
    why = by_itself ? relay_program_epitaph(&self.program, status, &self.life)
                    : "it closed its output and did not end";
    relay_program_pass_remarks(&self.program);
    char *said = mgi_arena_printf(&self.life, "--list failed: %s", why);
    return said ? said : why;
}

/* NULL, or what went wrong. */
static const char *find_tools(th_tool **tools, size_t *count)
{
    const char *why = NULL;
    struct json list = self.settings.tools;
    if (list.type != JSON_ARRAY) {
        struct buf text = { 0 };
        why = listed(&text);
        if (!why)
            relay_list_read(&self.life, mgi_buf_view(&text), &list, &why);
        mgi_buf_fini(&text);
    }
    if (!why)
        relay_tools_read(&self.life, &list, tools, count, &why);
    return why;
}

/* ---- the plugin ---------------------------------------------------------------------------- */

static const char *prepare(th_tool **tools, size_t *count)
{
    const th_config_v1 *config = self.host->extension(self.host, "config.v1");
    const char *why = NULL;
    if (!config)
        return "this toolhost has no --config";
    if (!relay_settings_read(&self.life, str_of_th(config->settings()), &self.settings, &why))
        return why;
    return find_tools(tools, count);
}

static int give_up(th_reg *reg, const char *why)
{
    self.host->init_error(reg, why, strlen(why));
    return 1;
}

uint32_t toolhost_plugin_abi(void)
{
    return TH_ABI_VERSION;
}

int toolhost_plugin_init(const th_host *host, th_reg *reg)
{
    th_tool *tools = NULL;
    size_t count = 0;
    self.host = host;
    self.outcome = host->extension(host, "outcome.v1");
    mgi_arena_init(&self.life, 0);
    mgi_arena_init(&self.call, 0);
    mgi_lines_init(&self.lines, RELAY_MAX_LINE);
    const char *why = prepare(&tools, &count);
    if (why)
        return give_up(reg, why);
    for (size_t i = 0; i < count; i++) {
        tools[i].fn = relay_call;
        tools[i].user = &tools[i];
        if (host->register_tool(reg, &tools[i]) != TH_RC_OK)
            return 1; /* the host says what is wrong with it */
    }
    return 0;
}

void toolhost_plugin_fini(void)
{
    end_program(FINI_MS);
    mgi_lines_fini(&self.lines);
    mgi_arena_fini(&self.call);
    mgi_arena_fini(&self.life);
}
