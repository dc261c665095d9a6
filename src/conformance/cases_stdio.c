/* What standard input and output add: lines, the beginning, the end. */
#include "conformance/conformance_int.h"
#include "base/time.h"
#include "sys/clock.h"

#define START_MS 10000 /* 2 s are asked for; a machine under load gets more */
#define END_MS   10000

static void play_manifest_line(struct probe *p)
{
    struct buf why = { 0 };
    struct wire *w = mgi_wire_spawn(p->command, &why);
    mgi_probe_is(p, mgi_probe_hear(p, w, START_MS, NULL), "manifest");
    mgi_wire_close(w);
    mgi_buf_fini(&why);
}

static struct wire *fresh_line(struct probe *p)
{
    return mgi_probe_fresh(p, p->options->token);
}

static void expect_exit(struct probe *p, struct wire *w)
{
    int status = -1;
    bool ended = w && mgi_wire_exited(w, END_MS, &status);
    mgi_probe_expect(p, ended && status == 0, ended ? "exit status %d" : "it goes on (%d)", status);
}

static void play_end(struct probe *p)
{
    enum heard end = HEARD_NOTHING;
    struct wire *w = fresh_line(p);
    if (w)
        mgi_wire_end_input(w);
    mgi_probe_expect(p, !mgi_probe_hear(p, w, END_MS, &end) && end == HEARD_END,
                     "it wrote something more, or did not end");
    expect_exit(p, w);
    mgi_wire_close(w);
}

static void play_owed(struct probe *p)
{
    enum heard end = HEARD_NOTHING;
    struct wire *w = fresh_line(p);
    for (int i = 0; i < 3 && w; i++)
        (void)mgi_probe_say(p, w, GOOD);
    if (w)
        mgi_wire_end_input(w);
    for (int i = 0; i < 3 && w; i++)
        mgi_probe_is(p, mgi_probe_hear(p, w, p->options->timeout_ms, &end), "intent_response");
    mgi_probe_expect(p, !mgi_probe_hear(p, w, END_MS, &end) && end == HEARD_END, "a fourth answer");
    expect_exit(p, w);
    mgi_wire_close(w);
}

/* Raw lines: `text` as it is, and so many answers. */
static void lines(struct probe *p, const char *text, int answers, const char *code)
{
    size_t len;
    struct wire *w = mgi_probe_wire(p);
    const char *bytes = mgi_probe_expand(p, text, &len);
    bool good = w && mgi_wire_send_raw(w, (struct str){ bytes, len }, p->options->timeout_ms);
    mgi_probe_expect(p, good, "it does not read");
    for (int i = 0; i < answers && good && !p->failed; i++) {
        const struct json *answer = mgi_probe_answer(p, w);
        if (code)
            mgi_probe_refused(p, answer, code);
        else
            mgi_probe_is(p, answer, "intent_response");
    }
    mgi_probe_is(p, mgi_probe_ask(p, GOOD), "intent_response");
}

static void play_pretty(struct probe *p)
{
    lines(p, "{\n'type': 'intent_request',\n'id': 'x'\n}\n", 4, "malformed_message");
}

static void play_blank(struct probe *p)
{
    lines(p, "\n  \n" GOOD "\r\n\n", 1, NULL);
}

static void play_last_line(struct probe *p)
{
    size_t len;
    struct wire *w = fresh_line(p);
    const char *bytes = mgi_probe_expand(p, GOOD, &len);
    if (w && mgi_wire_send_raw(w, (struct str){ bytes, len }, p->options->timeout_ms))
        mgi_wire_end_input(w);
    mgi_probe_is(p, mgi_probe_hear(p, w, p->options->timeout_ms, NULL), "intent_response");
    mgi_wire_close(w);
}

static void play_long_line(struct probe *p)
{
    int64_t max = mgi_int_at(&p->manifest, "/limits/max_message_bytes");
    struct wire *w = mgi_probe_wire(p);
    char *line =
        max > 0 && max < (int64_t)64 << 20 ? mgi_arena_alloc(&p->memory, (size_t)max + 4097) : NULL;
    if (!line) {
        mgi_probe_skip(p, "the server takes more than 64 MiB");
        return;
    }
    memset(line, ' ', (size_t)max + 4096);
    line[max + 4096] = '\n';
    bool good =
        w && mgi_wire_send_raw(w, (struct str){ line, (size_t)max + 4097 }, p->options->timeout_ms);
    mgi_probe_expect(p, good, "it does not read");
    mgi_probe_refused(p, good ? mgi_probe_answer(p, w) : NULL, "message_too_large");
    mgi_probe_is(p, mgi_probe_ask(p, GOOD), "intent_response");
}

static void play_local(struct probe *p)
{
    if (p->options->token) {
        mgi_probe_skip(p, "--token is given");
        return;
    }
    mgi_probe_expect(p, mgi_is_at(&p->manifest, "/auth/required", "false"), "auth.required");
    mgi_probe_is(p, mgi_probe_ask(p, GOOD), "intent_response");
}

static void play_token_on_stdio(struct probe *p)
{
    struct wire *w = mgi_probe_fresh(p, NULL);
    if (w && mgi_probe_say(p, w, GOOD))
        mgi_probe_refused(p, mgi_probe_answer(p, w), "auth_required");
    mgi_wire_close(w);
}

const struct test_case mgi_cases_stdio[] = {
    { "P-STDIO-4 P-STDIO-1 P-MAN-3", "the manifest is written before anything is read", OVER_STDIO,
      0, play_manifest_line },
    { "P-STDIO-5 P-STDIO-6", "the end of input ends it, and nothing is written", OVER_STDIO, 0,
      play_end },
    { "P-STDIO-6", "after the end of input come the answers that are owed", OVER_STDIO, 0,
      play_owed },
    { "P-STDIO-2", "each piece of a message over four lines is a message", OVER_STDIO, 0,
      play_pretty },
    { "P-STDIO-2", "blank lines are nothing, and CR is let be", OVER_STDIO, 0, play_blank },
    { "P-STDIO-2 P-STDIO-1", "a last line without its end counts", OVER_STDIO, 0, play_last_line },
    { "P-ENV-17", "a line that is too long is skipped", OVER_STDIO, 0, play_long_line },
    { "P-STDIO-7", "without a token nobody has to log in", OVER_STDIO, 0, play_local },
    { "P-STDIO-8", "with a token somebody has to", OVER_STDIO, NEEDS_AUTH, play_token_on_stdio },
    { 0 },
};
