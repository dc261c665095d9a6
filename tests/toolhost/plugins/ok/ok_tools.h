/* The tools of the fixture plugin `ok`, shared with `hostile`, which offers them too: eight small
 * tools that behave (toolhost.md 12.1). Included once per plugin; all static. */
#ifndef OK_TOOLS_H
#define OK_TOOLS_H

#include "toolhost.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/json.h"

static const th_host *host;

static th_str text(const char *z)
{
    return (th_str){ z, strlen(z) };
}

static th_status output(th_call *call, const char *z)
{
    return host->set_output(call, z, strlen(z)) == TH_RC_OK ? TH_OK : TH_TOOL_ERROR;
}

static th_status error(th_call *call, const char *z)
{
    host->set_error(call, z, strlen(z));
    return TH_TOOL_ERROR;
}

static void sleep_ms(long ms)
{
    struct timespec t = { ms / 1000, ms % 1000 * 1000000 };
    nanosleep(&t, NULL);
}

/* A member of the input as an integer; `absent` if it is not there. */
static int64_t number(th_str in, const char *name, int64_t absent)
{
    struct arena arena;
    struct json v;
    int64_t n = absent;
    mgi_arena_init(&arena, 0);
    if (mgi_json_parse(&arena, (struct str){ in.ptr, in.len }, NULL, &v, NULL) == JSON_OK) {
        const struct json *m = mgi_json_get(&v, name);
        if (m && m->type == JSON_INT)
            n = m->integer;
        if (m && m->type == JSON_BOOL)
            n = m->boolean;
    }
    mgi_arena_fini(&arena);
    return n;
}

/* A string member, cut at the buffer's size; empty if it is not there. */
static size_t string(th_str in, const char *name, char *out, size_t cap)
{
    struct arena arena;
    struct json v;
    size_t len = 0;
    mgi_arena_init(&arena, 0);
    if (mgi_json_parse(&arena, (struct str){ in.ptr, in.len }, NULL, &v, NULL) == JSON_OK) {
        const struct json *m = mgi_json_get(&v, name);
        if (m && m->type == JSON_STRING) {
            len = m->string.len < cap - 1 ? m->string.len : cap - 1;
            memcpy(out, m->string.ptr, len);
        }
    }
    out[len] = '\0';
    mgi_arena_fini(&arena);
    return len;
}

static th_status echo(th_call *call, th_str in, void *user)
{
    (void)user;
    char *copy = host->alloc(call, in.len + 10);
    if (!copy)
        return error(call, "no memory");
    size_t len = 0;
    memcpy(copy, "{\"echo\":", 8);
    len = 8;
    memcpy(copy + len, in.ptr, in.len);
    len += in.len;
    copy[len++] = '}';
    th_artifact a = { .type = text("echo"),
                      .provenance = text("test"),
                      .content_json = { copy, len } };
    if (host->state_put(call, 6, &a) != TH_RC_OK)
        return error(call, "state_put failed");
    host->set_output(call, in.ptr, in.len);
    return TH_OK;
}

static th_status count(th_call *call, th_str in, void *user)
{
    (void)user;
    const char *path = getenv("MACHINA_TEST_COUNT");
    struct stat about;
    char json[48];
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
    if (fd < 0 || write(fd, "x", 1) != 1 || fstat(fd, &about) != 0)
        return error(call, "cannot count");
    close(fd);
    sleep_ms((long)number(in, "ms", 0));
    snprintf(json, sizeof json, "{\"n\":%lld}", (long long)about.st_size);
    return output(call, json);
}

static th_status fail(th_call *call, th_str in, void *user)
{
    (void)in;
    (void)user;
    th_artifact a = { .type = text("partial"), .content_json = text("{\"half\":1}") };
    host->state_put(call, 3, &a);
    host->state_del(call, 6);
    output(call, "{\"partial\":true}");
    return error(call, "boom");
}

static th_status status(th_call *call, th_str in, void *user)
{
    (void)call;
    (void)user;
    return (th_status)number(in, "status", 0);
}

static th_status sleeps(th_call *call, th_str in, void *user)
{
    (void)user;
    int64_t ms = number(in, "ms", 0);
    bool poll = number(in, "poll", 0) != 0;
    for (; ms > 0; ms -= 5) {
        if (poll && host->cancelled(call))
            return error(call, "told to stop");
        sleep_ms(5);
    }
    return TH_OK;
}

static th_status spawn(th_call *call, th_str in, void *user)
{
    (void)in;
    (void)user;
    return output(call, "{}");
}

static th_status put(th_call *call, th_str in, void *user)
{
    (void)user;
    char type[256], content[4096], json[48];
    string(in, "type", type, sizeof type);
    string(in, "content", content, sizeof content);
    th_artifact a = { .type = text(type), .content_json = text(content) };
    int rc = host->state_put(call, (unsigned)number(in, "slot", 0), &a);
    snprintf(json, sizeof json, "{\"rc\":%d}", rc);
    output(call, json);
    return number(in, "fail", 0) ? error(call, "as asked") : TH_OK;
}

static th_status blob(th_call *call, th_str in, void *user)
{
    (void)user;
    char c[8];
    size_t len = (size_t)number(in, "count", 1);
    string(in, "char", c, sizeof c);
    bool escape = c[0] == '"' || c[0] == '\\';
    char *json = host->alloc(call, 2 * len + 2);
    if (!json)
        return error(call, "no memory");
    size_t at = 0;
    json[at++] = '"';
    for (size_t i = 0; i < len; i++) {
        if (escape)
            json[at++] = '\\';
        json[at++] = c[0];
    }
    json[at++] = '"';
    host->set_output(call, json, at);
    return TH_OK;
}

/* Says what the call knows of itself. */
static th_status facts(th_call *call, th_str in, void *user)
{
    (void)user;
    char json[512], cwd[256];
    mode_t mask = umask(077);
    th_str id = host->request_id(call), key = host->idempotency_key(call);
    int nul = in.ptr[in.len];
    if (!getcwd(cwd, sizeof cwd))
        cwd[0] = '\0';
    snprintf(json, sizeof json,
             "{\"request_id\":\"%.*s\",\"key\":\"%.*s\",\"in_time\":%d,\"mask\":%d,\"nul\":%d,"
             "\"extension\":%d,\"cwd\":\"%s\",\"state\":%u}",
             (int)id.len, id.ptr, (int)key.len, key.ptr,
             host->remaining_ms(call) > 0 && host->remaining_ms(call) <= 30000, (int)mask, nul,
             host->extension(host, "none.v1") != NULL, cwd, host->state_mask(call));
    host->progress(call, 50, "half", 4);
    return output(call, json);
}

/* Reads two slots around a write of a third one (T-ABI-14). */
static th_status borrow(th_call *call, th_str in, void *user)
{
    (void)in;
    (void)user;
    th_artifact first, again, other = { .type = text("o"), .content_json = text("[0]") };
    if (host->state_get(call, 0, &first) != TH_RC_OK ||
        host->state_put(call, 1, &other) != TH_RC_OK ||
        host->state_get(call, 0, &again) != TH_RC_OK ||
        host->state_get(call, 5, &again) != TH_RC_ABSENT ||
        host->state_get(call, 8, &again) != TH_RC_INVALID)
        return error(call, "unexpected return value");
    host->set_output(call, first.content_json.ptr, first.content_json.len);
    return TH_OK;
}

/* Uses 10 MB that the host is to give back, and says how much the process holds. */
static th_status memory(th_call *call, th_str in, void *user)
{
    (void)in;
    (void)user;
    char *block = host->alloc(call, 10 << 20);
    char json[48];
    long pages = 0;
    FILE *statm = fopen("/proc/self/statm", "r");
    if (!block || !statm || fscanf(statm, "%*d %ld", &pages) != 1)
        pages = -1;
    if (statm)
        fclose(statm);
    if (block)
        memset(block, 1, 10 << 20);
    snprintf(json, sizeof json, "{\"mb\":%ld}", pages * 4096 >> 20);
    return output(call, json);
}

static th_status logs(th_call *call, th_str in, void *user)
{
    (void)in;
    (void)user;
    host->log(call, 1, "two\nlines", 9);
    return TH_OK;
}

/* Reports 0, then `middle` times 50, then 100, and sleeps `ms` after each of the three. */
static th_status reports(th_call *call, th_str in, void *user)
{
    (void)user;
    const double steps[] = { 0, 50, 100 };
    int64_t ms = number(in, "ms", 0), middle = number(in, "middle", 1);
    for (int i = 0; i < 3; i++) {
        for (int64_t n = i == 1 ? middle : 1; n > 0; n--)
            if (host->progress(call, steps[i], "at \x1b it", 7) != TH_RC_OK)
                return error(call, "progress failed");
        sleep_ms((long)ms);
    }
    if (number(in, "unknown", 0))
        host->progress(call, -1, NULL, 0);
    if (host->progress(call, 101, "", 0) != TH_RC_INVALID ||
        host->progress(call, strtod("nan", NULL), "", 0) != TH_RC_INVALID ||
        host->progress(call, 1, NULL, 5) != TH_RC_INVALID)
        return error(call, "progress took what is none");
    return output(call, number(in, "bad", 0) ? "{" : "{}");
}

static const char *const none[] = { "none", NULL };
static const char *const writes[] = { "filesystem_write", NULL };
static const char *const spawns[] = { "process_spawn", NULL };
static const char *const test_tags[] = { "tag.test", NULL };

static th_rc offer(th_reg *reg, const char *aid, const char *name, th_tool_fn fn,
                   const char *const *effects)
{
    const th_tool tool = {
        .struct_size = sizeof(th_tool),
        .flags = TH_TOOL_DETERMINISTIC,
        .aid = aid,
        .name = name,
        .description = "A fixture.",
        .tags = test_tags,
        .side_effects = effects,
        .min_tier = -1,
        .fn = fn,
    };
    return host->register_tool(reg, &tool);
}

/* Echo, for those who keep to a schema. */
static th_rc offer_strict(th_reg *reg)
{
    const th_tool tool = {
        .struct_size = sizeof(th_tool),
        .aid = "AID.TEST.STRICT.v1",
        .name = "strict",
        .side_effects = none,
        .input_schema = "{\"type\":\"object\",\"required\":[\"path\"],\"properties\":{\"path\":"
                        "{\"type\":\"string\",\"pattern\":\"^/\"},\"n\":{\"maximum\":9}}}",
        .min_tier = -1,
        .fn = echo,
    };
    return host->register_tool(reg, &tool);
}

static int offer_ok_tools(const th_host *h, th_reg *reg)
{
    host = h;
    offer_strict(reg);
    offer(reg, "AID.TEST.PROGRESS.v1", "progress", reports, none);
    offer(reg, "AID.TEST.ECHO.v1", "echo", echo, none);
    offer(reg, "AID.TEST.COUNT.v1", "count", count, writes);
    offer(reg, "AID.TEST.FAIL.v1", "fail", fail, none);
    offer(reg, "AID.TEST.STATUS.v1", "status", status, none);
    offer(reg, "AID.TEST.SLEEP.v1", "sleep", sleeps, none);
    offer(reg, "AID.TEST.SPAWN.v1", "spawn", spawn, spawns);
    offer(reg, "AID.TEST.PUT.v1", "put", put, none);
    offer(reg, "AID.TEST.BLOB.v1", "blob", blob, none);
    offer(reg, "AID.TEST.FACTS.v1", "facts", facts, none);
    offer(reg, "AID.TEST.BORROW.v1", "borrow", borrow, none);
    offer(reg, "AID.TEST.MEMORY.v1", "memory", memory, none);
    return offer(reg, "AID.TEST.LOG.v1", "log", logs, none) == TH_RC_OK ? 0 : 1;
}

#endif
