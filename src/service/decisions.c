/* The decision log of a service: opened before anything is served, told of by the manifest when it
 * cannot be written, written to its end when nothing is served any more. */
#include "base/encode.h"
#include "service/service_int.h"
#include "sys/digest.h"
#include "sys/random.h"

#define FLUSH_MS      2000 /* at the end, for what waits */
#define KEY_BYTES_MIN 16

/* On the log's own thread. */
static void decisions_changed(void *context)
{
    manglecp_service *s = context;
    atomic_store(&s->decisions_changed, true);
    (void)uv_async_send(&s->wake);
}

const char *mgi_load_decision_key(const char *file, struct arena *arena, struct str *out)
{
    struct buf content = { 0 };
    const char *why = mgi_load_small_file(file, &content);
    struct str key = mgi_str_trim(mgi_buf_view(&content), " \t\r\n");
    if (!why && key.len < KEY_BYTES_MIN)
        why = "a key has 16 bytes or more";
    *out = mgi_arena_str(arena, key);
    if (!why && !out->ptr)
        why = "out of memory";
    mgi_buf_fini(&content);
    return why;
}

/* The key by which values are hashed: the operator's, or one of this start. */
static bool take_key(manglecp_service *s, struct buf *text)
{
    const char *file = s->config.decision_key, *why = NULL;
    struct str *key = &s->decision_settings.key;
    if (file) {
        why = mgi_load_decision_key(file, &s->arena, key);
    } else {
        uint8_t *own = mgi_arena_alloc(&s->arena, SHA256_BYTES);
        if (!own || !mgi_random(own, SHA256_BYTES))
            why = "out of memory, or of randomness";
        *key = (struct str){ (const char *)own, SHA256_BYTES };
    }
    if (why)
        mgi_buf_printf(text, "%s: error: %s\n", file ? file : "decision log", why);
    return !why;
}

static bool open_sink(const struct service_config *c, struct decision_sink *out, struct buf *text)
{
    char why[SINK_WHY_BYTES] = "out of memory";
    bool ok = strcmp(c->decision_log, "stdout") == 0
                  ? mgi_decision_sink_descriptor(STDOUT_FILENO, out)
                  : mgi_decision_sink_file(c->decision_log, c->decision_rotate_bytes,
                                           c->decision_keep, out, why);
    if (!ok)
        mgi_buf_printf(text, "%s: error: %s\n", c->decision_log, why);
    return ok;
}

enum service_fault mgi_service_open_decisions(manglecp_service *s, struct buf *text)
{
    uint8_t random[8];
    char run[2 * sizeof random + 1];
    struct decision_sink sink;
    if (!s->config.decision_log)
        return SERVICE_FINE;
    if (!take_key(s, text) || !open_sink(&s->config, &sink, text))
        return SERVICE_WORLD_FAILED;
    bool ok = mgi_random(random, sizeof random);
    mgi_hex(random, sizeof random, run);
    struct decision_log_options options = {
        .sink = sink, .run = run, .log = &s->log, .changed = decisions_changed, .context = s
    };
    if (!ok)
        sink.operations->close(sink.self);
    s->decisions = ok ? mgi_decision_log_new(&options) : NULL;
    if (!s->decisions) {
        mgi_buf_puts(text, "decision log: error: out of memory, or of threads\n");
        return SERVICE_NOMEM;
    }
    s->decision_settings.log = s->decisions;
    s->decision_settings.digest_facts = s->config.decision_facts == DECISION_FACTS_DIGEST;
    return SERVICE_FINE;
}

void mgi_service_record_consent(manglecp_service *s, const struct principal *by,
                                struct str macro_id, const struct decision_consent *c)
{
    struct arena arena;
    struct buf line = { 0 };
    struct json_writer w;
    struct mask mask;
    char id[48];
    if (!s->decisions)
        return;
    mgi_decision_log_id(s->decisions, id);
    struct decision_head head = { .kind = DECISION_CONSENT,
                                  .id = id,
                                  .at_ns = mgi_server_now_ns(s->server),
                                  .transport = "http",
                                  .who = by,
                                  .subject = macro_id };
    mgi_arena_init(&arena, 0);
    mgi_json_writer_init(&w, &line, 0);
    mgi_mask_init(&mask, s->snapshot, &arena, s->decision_settings.key);
    mgi_decision_begin(&w, &mask, &head);
    mgi_decision_consent(&w, &mask, c);
    (void)mgi_decision_log_put(s->decisions, &line);
    mgi_mask_fini(&mask);
    mgi_buf_fini(&line);
    mgi_arena_fini(&arena);
}

void mgi_service_judge_decisions(manglecp_service *s)
{
    struct decision_log_state state;
    if (!atomic_exchange(&s->decisions_changed, false) || !s->decisions || !s->server)
        return;
    mgi_decision_log_state(s->decisions, &state);
    mgi_server_amiss(s->server, "decision_log", state.why[0] ? state.why : NULL);
}

void mgi_service_close_decisions(manglecp_service *s)
{
    mgi_decision_log_free(s->decisions, FLUSH_MS);
    s->decisions = NULL;
}
