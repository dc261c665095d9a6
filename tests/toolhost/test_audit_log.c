/* The audit log: its file by itself, with small limits and a clock that can be set, then what a
 * host writes into it (toolhost.md 7.8). */
#include "host_session.h"

#include "sys/digest.h"
#include "toolhost/audit_file.c"

#define ZEROS "0000000000000000000000000000000000000000000000000000000000000000"

/* ---- reading ------------------------------------------------------------------------------- */

static struct buf read_file(const char *path)
{
    struct buf text = { 0 };
    char chunk[65536];
    ssize_t n;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    while ((n = read(fd, chunk, sizeof chunk)) > 0)
        mgi_buf_append(&text, chunk, (size_t)n);
    close(fd);
    return text;
}

/* T-AUD-2: members sorted by name at every level. */
static void assert_sorted(const struct json *v)
{
    for (uint32_t i = 0; i < v->count; i++) {
        if (v->type == JSON_OBJECT && i > 0)
            assert_true(mgi_str_compare(v->members[i - 1].name, v->members[i].name) < 0);
        assert_sorted(v->type == JSON_OBJECT ? &v->members[i].value : &v->items[i]);
    }
}

/* Does the record, a line, fit its own hash? *prev, *hash: 64 digits each, in the line. */
static bool fits_its_hash(const char *line, size_t len, const char **prev, const char **hash)
{
    struct buf text = { 0 };
    uint8_t sum[SHA256_BYTES];
    char want[65];
    const size_t head = strlen("{\"chain_hash\":\"" ZEROS "\",\"chain_prev\":\"" ZEROS "\",");
    assert_true(len > head);
    *hash = line + strlen("{\"chain_hash\":\"");
    *prev = *hash + 64 + strlen("\",\"chain_prev\":\"");
    mgi_buf_append(&text, *prev, 64);
    mgi_buf_putc(&text, '{');
    mgi_buf_append(&text, line + head, len - head);
    assert_true(mgi_sha256(text.ptr, text.len, sum));
    mgi_hex(sum, sizeof sum, want);
    mgi_buf_fini(&text);
    return memcmp(want, *hash, 64) == 0;
}

/* The chain of a file, from `last` (64 digits) on, which is moved to its end. How many records do
 * not fit: their own hash, or the record before. */
static int breaks_of(struct str text, char last[65], int *records)
{
    int breaks = 0;
    *records = 0;
    for (const char *at = text.ptr, *lf;
         (lf = memchr(at, '\n', (size_t)(text.ptr + text.len - at))); at = lf + 1) {
        const char *prev, *hash;
        breaks += !fits_its_hash(at, (size_t)(lf - at), &prev, &hash);
        breaks += memcmp(prev, last, 64) != 0;
        memcpy(last, hash, 64);
        ++*records;
    }
    return breaks;
}

/* ---- the file ------------------------------------------------------------------------------- */

static const char *audit_folder(void)
{
    static char folder[64];
    strcpy(folder, "/tmp/toolhost-audit-XXXXXX");
    assert_non_null(mkdtemp(folder));
    return folder;
}

static void remove_folder(const char *folder)
{
    char path[PATH_MAX];
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));) {
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        unlink(path);
    }
    closedir(dir);
    assert_int_equal(rmdir(folder), 0);
}

/* How many rotated files there are; their chain, oldest first, and the current one behind it, holds
 * from `first` on. */
static size_t assert_one_chain(const char *folder, const char *first, int *records)
{
    char path[PATH_MAX], last[65];
    int64_t epoch = 0;
    size_t count = 0;
    memcpy(last, first, 65);
    *records = 0;
    for (bool more = true; more;) {
        int64_t next = INT64_MAX;
        int n;
        DIR *dir = opendir(folder);
        assert_non_null(dir);
        for (struct dirent *e; (e = readdir(dir));) {
            int64_t at = mgi_audit_rotated_epoch(STR_LIT("audit"), str_of(e->d_name));
            next = at > epoch && at < next ? at : next;
        }
        closedir(dir);
        more = next != INT64_MAX;
        if (more)
            snprintf(path, sizeof path, "%s/audit.%lld.jsonl", folder, (long long)next);
        else
            snprintf(path, sizeof path, "%s/audit.jsonl", folder);
        struct buf text = read_file(path);
        if (count == 0 && more && memcmp(last, "?", 1) == 0) { /* begin where it begins */
            const char *prev, *hash;
            fits_its_hash(text.ptr, strcspn(text.ptr, "\n"), &prev, &hash);
            memcpy(last, prev, 64);
        }
        assert_int_equal(breaks_of(mgi_buf_view(&text), last, &n), 0);
        assert_true(n > 0);
        mgi_buf_fini(&text);
        *records += n;
        count += more;
        epoch = next;
    }
    return count;
}

#define RECORD "{\"event\":\"x\",\"ts\":\"2026-01-02T03:04:05Z\"}"
enum { RECORD_LINE = 202 }; /* with the chain and its line end: asserted below */

static void test_a_chain_goes_on_over_files_and_processes(void **state)
{
    (void)state;
    char path[PATH_MAX], last[65] = ZEROS;
    const char *folder = audit_folder();
    struct audit_file one, other;
    struct stat about;
    int records;
    snprintf(path, sizeof path, "%s/audit.jsonl", folder);
    mgi_audit_file_init(&one, path, true);
    mgi_audit_file_init(&other, path, false);
    for (int i = 0; i < 10; i++) { /* T-AUD-3: two writers, one chain */
        assert_true(mgi_audit_file_append(i % 3 ? &one : &other, STR_LIT(RECORD), 1000));
    }
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600); /* T-AUD-1 */
    assert_int_equal(about.st_size, 10 * RECORD_LINE);
    mgi_audit_file_fini(&one);
    mgi_audit_file_fini(&other);

    mgi_audit_file_init(&one, path, false); /* a host that comes later */
    assert_true(mgi_audit_file_append(&one, STR_LIT(RECORD), 1000));
    struct buf text = read_file(path);
    assert_int_equal(breaks_of(mgi_buf_view(&text), last, &records), 0); /* C-194 T-AUD-3 */
    assert_int_equal(records, 11);

    memcpy(last, ZEROS, 65); /* C-194: a byte altered */
    text.ptr[3 * RECORD_LINE + RECORD_LINE - 10]++;
    assert_int_equal(breaks_of(mgi_buf_view(&text), last, &records), 1);
    text.ptr[3 * RECORD_LINE + RECORD_LINE - 10]--;
    memmove(text.ptr + 5 * RECORD_LINE, text.ptr + 6 * RECORD_LINE,
            text.len - 6 * RECORD_LINE); /* C-194: a record removed */
    text.len -= RECORD_LINE;
    memcpy(last, ZEROS, 65);
    assert_int_equal(breaks_of(mgi_buf_view(&text), last, &records), 1);
    mgi_buf_fini(&text);
    mgi_audit_file_fini(&one);
    remove_folder(folder);
}

static void test_a_file_is_rotated_by_size_and_by_age(void **state)
{
    (void)state;
    char path[PATH_MAX];
    const char *folder = audit_folder();
    struct audit_file f, other;
    int records;
    snprintf(path, sizeof path, "%s/audit.jsonl", folder);
    mgi_audit_file_init(&f, path, false);
    mgi_audit_file_init(&other, path, false);
    f.limits.file_bytes = other.limits.file_bytes = 3 * RECORD_LINE;
    for (int i = 0; i < 7; i++) /* C-197 T-AUD-4; all in one millisecond, and by two writers */
        assert_true(mgi_audit_file_append(i % 2 ? &f : &other, STR_LIT(RECORD), 5000));
    assert_int_equal(assert_one_chain(folder, ZEROS, &records), 2);
    assert_int_equal(records, 7);

    f.limits.file_bytes = 1 << 20;
    assert_true(mgi_audit_file_append(&f, STR_LIT(RECORD), 6000));
    f.limits.file_ms = 3600000; /* the first record of the file says 03:04:05 */
    int64_t first;
    assert_int_equal(mgi_time_parse(STR_LIT("2026-01-02T03:04:05Z"), 0, &first), TIME_OK);
    mgi_audit_file_fini(&f); /* so that it is read */
    assert_true(mgi_audit_file_append(&f, STR_LIT(RECORD), first / NS_PER_MS + 3599999));
    assert_int_equal(assert_one_chain(folder, ZEROS, &records), 2);
    assert_true(mgi_audit_file_append(&f, STR_LIT(RECORD), first / NS_PER_MS + 3600000));
    assert_int_equal(assert_one_chain(folder, ZEROS, &records), 3); /* T-AUD-4: an hour */
    assert_int_equal(records, 10);
    mgi_audit_file_fini(&f);
    mgi_audit_file_fini(&other);
    remove_folder(folder);
}

static void test_only_so_many_files_are_kept(void **state)
{
    (void)state;
    char path[PATH_MAX], other[PATH_MAX];
    const char *folder = audit_folder();
    struct audit_file f;
    int records;
    snprintf(path, sizeof path, "%s/audit.jsonl", folder);
    snprintf(other, sizeof other, "%s/audit.old.jsonl", folder); /* of somebody else */
    int fd = open(other, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    close(fd);
    mgi_audit_file_init(&f, path, false);
    f.limits.file_bytes = RECORD_LINE;
    for (int i = 0; i < 30; i++)
        assert_true(mgi_audit_file_append(&f, STR_LIT(RECORD), 5000 + i));
    assert_int_equal(assert_one_chain(folder, "?", &records), 9); /* C-197 T-AUD-4: 10 with it */
    f.limits.total_bytes = 5 * RECORD_LINE;
    assert_true(mgi_audit_file_append(&f, STR_LIT(RECORD), 9000));
    assert_int_equal(assert_one_chain(folder, "?", &records), 4); /* T-AUD-4: and 5 of it */
    assert_int_equal(access(other, F_OK), 0);
    mgi_audit_file_fini(&f);
    remove_folder(folder);
}

static void test_what_was_torn_stays_on_its_own_line(void **state)
{
    (void)state;
    char path[PATH_MAX];
    const char *folder = audit_folder();
    struct audit_file f;
    const char *prev, *hash;
    snprintf(path, sizeof path, "%s/audit.jsonl", folder);
    mgi_audit_file_init(&f, path, false);
    assert_true(mgi_audit_file_append(&f, STR_LIT(RECORD), 1));
    assert_int_equal(truncate(path, RECORD_LINE), 0);
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    assert_int_equal(write(fd, "{\"chain_hash\":\"12", 17), 17); /* power was lost */
    close(fd);
    assert_true(mgi_audit_file_append(&f, STR_LIT(RECORD), 1));
    struct buf text = read_file(path);
    char *first = text.ptr, *third = text.ptr + RECORD_LINE + 18;
    assert_true(fits_its_hash(third, RECORD_LINE - 1, &prev, &hash));
    assert_memory_equal(prev, first + strlen("{\"chain_hash\":\""), 64);
    mgi_buf_fini(&text);
    mgi_audit_file_fini(&f);
    remove_folder(folder);
}

static void test_somebody_who_holds_the_lock_is_not_waited_for(void **state)
{
    (void)state;
    char path[PATH_MAX];
    const char *folder = audit_folder();
    struct audit_file f;
    snprintf(path, sizeof path, "%s/audit.jsonl", folder);
    mgi_audit_file_init(&f, path, false);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    int64_t before = test_now_ms();
    assert_false(mgi_audit_file_append(&f, STR_LIT(RECORD), 1));
    assert_true(test_now_ms() - before < 1000);
    close(fd);
    assert_true(mgi_audit_file_append(&f, STR_LIT(RECORD), 1));
    mgi_audit_file_fini(&f);
    remove_folder(folder);
}

static void test_names_of_rotated_files(void **state)
{
    (void)state;
    static const struct {
        const char *stem, *name;
        int64_t want;
    } rows[] = {
        { "audit", "audit.17.jsonl", 17 },    { "audit", "audit.jsonl", -1 },
        { "audit", "audit..jsonl", -1 },      { "audit", "audit.1x.jsonl", -1 },
        { "audit", "audit.17.jsonl.gz", -1 }, { "audit", "audit.99999999999999999999.jsonl", -1 },
        { "audit", "audit2.17.jsonl", -1 },   { "", ".17.jsonl", 17 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) /* T-AUD-4 */
        assert_int_equal(mgi_audit_rotated_epoch(str_of(rows[i].stem), str_of(rows[i].name)),
                         rows[i].want);
}

/* ---- what a host writes --------------------------------------------------------------------- */

struct log_session {
    struct session s;
    char path[512], setting[600];
};

static void log_start(struct log_session *l, const char *plugin, const char *const *more,
                      enum session_options options)
{
    const char *env[16];
    size_t n = 0;
    snprintf(l->path, sizeof l->path, "%s", test_path("audit"));
    snprintf(l->setting, sizeof l->setting, "MACHINA_TOOLHOST_AUDIT=%s", l->path);
    env[n++] = l->setting;
    for (; more && *more; more++)
        env[n++] = *more;
    env[n] = NULL;
    session_start(&l->s, plugin, env, options);
}

/* End the session; the log's text. */
static struct buf log_end(struct log_session *l)
{
    assert_int_equal(session_end(&l->s), 0);
    struct buf text = read_file(l->path);
    unlink(l->path);
    return text;
}

/* The number of records of `event`; the last one is *found. All are sound and in one chain. */
static int count_events(struct arena *arena, struct str text, const char *event, struct json *found)
{
    char last[65] = ZEROS;
    int records, count = 0;
    assert_int_equal(breaks_of(text, last, &records), 0);
    for (const char *at = text.ptr, *lf;
         (lf = memchr(at, '\n', (size_t)(text.ptr + text.len - at))); at = lf + 1) {
        struct json v;
        assert_int_equal(
            mgi_json_parse(arena, (struct str){ at, (size_t)(lf - at) }, NULL, &v, NULL), JSON_OK);
        assert_sorted(&v);
        if (!str_is(mgi_json_get(&v, "event")->string, event))
            continue;
        *found = v;
        count++;
    }
    return count;
}

static void check_payload(const struct json *record, const char *name, const char *want)
{
    const struct json *payload = mgi_json_get(record, "payload");
    const struct json *m = payload ? mgi_json_get(payload, name) : NULL;
    char got[512] = "(absent)";
    if (m)
        snprintf(got, sizeof got, "%.*s", STR_ARG(m->text));
    check_text(name, "", got, want);
}

static void test_every_event_is_recorded(void **state)
{
    (void)state;
    struct log_session l;
    struct arena arena;
    struct json r;
    mgi_arena_init(&arena, 0);
    log_start(&l, "hostile.so", NULL, PLAIN);
    check(&l.s, "C-193", ASK_WITH("ECHO", "\"run_id\":\"run-7\",\"step\":3,\"request_id\":\"q\""),
          "{\"ok\":true*"); /* C-231 */
    check(&l.s, "C-193", ASK("FAIL"), "~boom");
    check(&l.s, "C-193", ASK_HOSTILE("SEGV"), "~signal 11");
    check(&l.s, "C-193", "{\"aid\":\"AID.NOPE.v1\"}", "~tool not found");
    check(&l.s, "C-193", "{\"aid\":\"an odd\\u0000 name\"}", "~tool not found");
    check(&l.s, "C-193", "[]", "~request must be a JSON object");
    check(&l.s, "T-AUD-2", ASK_WITH("ECHO", "\"idempotency_key\":\"k\""), "{\"ok\":true*");
    check(&l.s, "T-AUD-2", ASK_WITH("ECHO", "\"idempotency_key\":\"k\""), "~idempotent_hit");
    struct stat about;
    assert_int_equal(stat(l.path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600); /* C-193 T-AUD-1 */
    pid_t host = l.s.pid;
    struct buf text = log_end(&l);
    struct str log = mgi_buf_view(&text);
    char pid[16];
    snprintf(pid, sizeof pid, "%d", (int)host);

    assert_int_equal(count_events(&arena, log, "toolhost_start", &r), 1);
    check_payload(&r, "mode", "\"serve\"");
    check_payload(&r, "pid", pid);
    check_payload(&r, "enforcement", "false");
    assert_int_equal(mgi_json_get(&r, "run_id")->string.len, 32); /* T-AUD-2 T-RUN-1 */
    assert_true(str_is(mgi_json_get(&r, "spec_version")->string, "1.4.2"));
    assert_true(str_is(mgi_json_get(&r, "profile_id")->string, "A"));
    assert_int_equal(mgi_json_get(&r, "step")->integer, 0);
    assert_null(mgi_json_get(&r, "request_id"));
    assert_int_equal(mgi_json_get(&r, "ts")->string.len, strlen("2026-01-02T03:04:05Z"));
    assert_int_equal(count_events(&arena, log, "plugin_loaded", &r), 1);
    check_payload(&r, "abi", "\"2.0\"");
    check_payload(&r, "caps", "\"0xffffffff\""); /* it has no toolhost_plugin_caps */
    assert_int_equal(count_events(&arena, log, "worker_started", &r), 2);
    check_payload(&r, "restarts", "2");
    assert_int_equal(count_events(&arena, log, "worker_ended", &r), 2);
    check_payload(&r, "exit", "0"); /* at the end of the session */

    assert_int_equal(count_events(&arena, log, "tool_ok", &r), 2);
    check_payload(&r, "input_sha256",
                  "\"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a\"");
    check_payload(&r, "output_bytes", "2");
    check_payload(&r, "tx_patch", "[]"); /* the same content once more (T-TX-4) */
    assert_int_equal(count_events(&arena, log, "tool_error", &r), 2);
    check_payload(&r, "code", "\"crash\"");
    check_payload(&r, "err", "\"tool crashed: signal 11 (SIGSEGV)\"");
    assert_int_equal(count_events(&arena, log, "request_refused", &r), 3);
    check_payload(&r, "code", "\"bad_request\"");
    check_payload(&r, "aid", "(absent)");
    assert_int_equal(count_events(&arena, log, "idempotent_hit", &r), 1);
    check_payload(&r, "key_sha256", /* of "k" */
                  "\"8254c329a92850f6d539dd376f4816ee2764517da5e0235514af433164480d7a\"");
    assert_int_equal(count_events(&arena, log, "toolhost_stop", &r), 1);
    check_payload(&r, "reason", "\"end of input\"");
    check_payload(&r, "totals",
                  "{\"calls\":4,\"cancelled\":0,\"crashes\":1,\"idempotent_hits\":1,"
                  "\"ok_calls\":2,\"timeouts\":0}");
    mgi_buf_fini(&text);
    mgi_arena_fini(&arena);
}

static void test_a_record_says_whose_it_is_and_what_changed(void **state)
{
    (void)state;
    static const char *const env[] = { "MACHINA_DETERMINISTIC_RUN_ID=1", NULL };
    struct log_session l;
    struct arena arena;
    struct json r;
    mgi_arena_init(&arena, 0);
    log_start(&l, "ok.so", env, PLAIN);
    check(&l.s, "C-231",
          ASK_WITH("ECHO",
                   "\"run_id\":\"run-7\",\"step\":3,\"request_id\":\"q\",\"inputs\":{\"a\":1},"
                   "\"ds_state\":{\"slots\":{\"6\":{\"content_json\":\"[]\"}}}"),
          "{\"ok\":true*");
    struct buf text = log_end(&l);
    assert_int_equal(count_events(&arena, mgi_buf_view(&text), "tool_ok", &r), 1);
    assert_true(str_is(mgi_json_get(&r, "run_id")->string, "run-7")); /* C-231 T-RUN-3 */
    assert_true(str_is(mgi_json_get(&r, "request_id")->string, "q"));
    assert_int_equal(mgi_json_get(&r, "step")->integer, 3);
    check_payload(&r, "tier", "0");
    check_payload(&r, "tx_patch", /* T-TX-9: what, and not the thing itself */
                  "[{\"content_sha256\":"
                  "\"d4632760e154a2b368fc3a760a0a60c208ae575f4c00130e8e07031f7e91a831\","
                  "\"op\":\"replace\",\"path\":\"/slots/6\",\"size_bytes\":16}]");
    check_payload(&r, "ds_digest_fast", "~\"");
    assert_int_equal(count_events(&arena, mgi_buf_view(&text), "toolhost_start", &r), 1);
    assert_true(str_is(mgi_json_get(&r, "run_id")->string, /* C-232 T-RUN-2 */
                       "00000000000000000000000000000001"));
    mgi_buf_fini(&text);
    mgi_arena_fini(&arena);
}

static void test_nothing_of_inputs_outputs_and_tokens_is_recorded(void **state)
{
    (void)state;
    static const char *const env[] = { "MACHINA_LEASE_ENFORCE=1", NULL };
    struct log_session l;
    struct arena arena;
    struct json r;
    char token[64], line[512], used[64];
    mgi_arena_init(&arena, 0);
    log_start(&l, "ok.so", env, WITH_CONTROL);
    check(&l.s, "C-195", ASK_WITH("ECHO", "\"inputs\":{\"needle\":1}"), "~needle");
    check(&l.s, "C-195",
          ASK_WITH("ECHO", "\"idempotency_key\":\"needle\",\"inputs\":{\"needle\":2}"), "~needle");
    check(&l.s, "C-195",
          ASK_WITH("PUT",
                   "\"inputs\":{\"slot\":1,\"type\":\"needle\",\"content\":\"\\\"needle\\\"\"}"),
          "~needle");
    check(&l.s, "C-195", ASK_WITH("SPAWN", "\"_lease_token\":\"needle\""), "~not found");
    check(&l.s, "C-195", "{\"aid\":\"needle needle\"}", "~tool not found");
    test_member(ask_control(&l.s, "{\"aid\":\"_lease.issue\",\"tool_aid\":\"AID.TEST.SPAWN.v1\","
                                  "\"issuer\":\"confirmation\"}"),
                "token_id", token, sizeof token);
    snprintf(line, sizeof line, ASK_WITH("SPAWN", "\"_lease_token\":\"%s\""), token);
    check(&l.s, "C-195", line, OUTPUT("{}"));
    struct buf text = log_end(&l);
    struct str log = mgi_buf_view(&text);
    assert_null(strstr(text.ptr, "needle")); /* C-195 T-AUD-6 */
    assert_null(strstr(text.ptr, token));    /* C-195 T-LEASE-14 */
    assert_null(strstr(text.ptr, token + 6));

    assert_int_equal(count_events(&arena, log, "lease_issued", &r), 1); /* C-186 */
    check_payload(&r, "issuer", "\"confirmation\"");
    check_payload(&r, "tier", "2");
    check_payload(&r, "ttl_ms", "10000");
    check_payload(&r, "tool_aid", "\"AID.TEST.SPAWN.v1\"");
    snprintf(used, sizeof used, "%.*s",
             STR_ARG(mgi_json_get(mgi_json_get(&r, "payload"), "token8")->text));
    assert_int_equal(strlen(used), 10); /* T-LEASE-14: 8 digits */
    assert_int_equal(count_events(&arena, log, "lease_consumed", &r), 1);
    check_payload(&r, "token8", used);
    assert_int_equal(count_events(&arena, log, "lease_rejected", &r), 1);
    check_payload(&r, "reason", "\"not found\"");
    mgi_buf_fini(&text);
    mgi_arena_fini(&arena);
}

static void test_an_evicted_promise_is_recorded(void **state)
{
    (void)state;
    struct log_session l;
    struct arena arena;
    struct json r;
    char line[128];
    mgi_arena_init(&arena, 0);
    log_start(&l, "ok.so", NULL, WITH_CONTROL);
    for (int i = 0; i < 1026; i++) {
        snprintf(line, sizeof line, ASK_WITH("SPAWN", "\"idempotency_key\":\"k%d\""), i);
        check(&l.s, "T-IDEMP-8", line, OUTPUT("{}"));
    }
    check_control(&l.s, "C-090 T-IDEMP-6", "{\"aid\":\"_stats\"}", "~\"cache_entries\":1024,");
    check(&l.s, "C-090", ASK_WITH("SPAWN", "\"idempotency_key\":\"k0\""), OUTPUT("{}"));
    check(&l.s, "C-090", ASK_WITH("SPAWN", "\"idempotency_key\":\"k1025\""), "~idempotent_hit");
    struct buf text = log_end(&l);
    assert_int_equal(count_events(&arena, mgi_buf_view(&text), "idempotent_evicted", &r), 3);
    check_payload(&r, "aid", "\"AID.TEST.SPAWN.v1\""); /* T-IDEMP-8 */
    mgi_buf_fini(&text);
    mgi_arena_fini(&arena);
}

static void test_a_breaker_and_a_rejected_plugin_are_recorded(void **state)
{
    (void)state;
    static const char *const env[] = { "MACHINA_TOOLHOST_BREAKER_COOLDOWN_MS=200", NULL };
    struct log_session l;
    struct arena arena;
    struct json r;
    mgi_arena_init(&arena, 0);
    log_start(&l, "hostile.so", env, PLAIN);
    for (int i = 0; i < 3; i++)
        check(&l.s, "T-BRK-2", ASK_HOSTILE("BADJSON"), "~invalid JSON output");
    test_sleep_ms(250);
    check(&l.s, "T-BRK-3", ASK_HOSTILE("BADJSON"), "~invalid JSON output");
    struct buf text = log_end(&l);
    assert_int_equal(count_events(&arena, mgi_buf_view(&text), "breaker_opened", &r), 2);
    check_payload(&r, "aid", "\"AID.HOSTILE.BADJSON.v1\"");
    check_payload(&r, "failures", "4");
    mgi_buf_fini(&text);

    snprintf(l.path, sizeof l.path, "%s", test_path("audit"));
    snprintf(l.setting, sizeof l.setting, "MACHINA_TOOLHOST_AUDIT=%s", l.path);
    const char *const settings[] = { l.setting, NULL };
    const struct run_row row = { "T-AUD-2",
                                 { "--list", "@bad_noinit.so" },
                                 "",
                                 REFUSAL("plugin lacks toolhost_plugin_init"),
                                 3 };
    check_run(&row, settings);
    text = read_file(l.path);
    unlink(l.path);
    assert_int_equal(count_events(&arena, mgi_buf_view(&text), "plugin_rejected", &r), 1);
    check_payload(&r, "reason", "\"plugin lacks toolhost_plugin_init\"");
    mgi_buf_fini(&text);
    mgi_arena_fini(&arena);
}

static int count_text(const char *in, const char *what)
{
    int count = 0;
    for (const char *at = in; (at = strstr(at, what)); at += strlen(what))
        count++;
    return count;
}

static void test_a_log_that_cannot_be_written(void **state)
{
    (void)state;
    static const char *const optional[] = { "MACHINA_TOOLHOST_AUDIT=/dev/full", NULL };
    static const char *const required[] = { "MACHINA_TOOLHOST_AUDIT=/dev/full",
                                            "MACHINA_TOOLHOST_AUDIT_REQUIRED=1", NULL };
    static const char want[] = "toolhost: error: the audit log cannot be written: No space left";
    struct session s;
    session_start(&s, "ok.so", optional, PLAIN);
    for (int i = 0; i < 5; i++)
        check(&s, "C-196 T-AUD-5", ASK("SPAWN"), OUTPUT("{}"));
    session_close_input(&s);
    assert_int_equal(session_wait_end(&s, 5000), 0);
    assert_int_equal(count_text(s.err_bytes.ptr, want), 1); /* C-196 T-AUD-5: once a minute */
    session_free(&s);

    session_start(&s, "ok.so", required, PLAIN);
    check(&s, "C-196 T-AUD-5", ASK("SPAWN"), FAILURE("worker unavailable: audit log"));
    check_alive(&s, "C-196: tier 0 goes on");
    check(&s, "C-196 T-RSP-10", ASK_WITH("SPAWN", "\"request_id\":\"r\""),
          "~\"code\":\"unavailable\"");
    assert_int_equal(session_end(&s), 0);
    const struct run_row row = { "C-196 T-AUD-5",
                                 { "--run", "@ok.so", "AID.TEST.SPAWN.v1" },
                                 "{}",
                                 "{\"ok\":false,\"status\":\"TOOL_ERROR\",\"output_json\":\"{}\","
                                 "\"error\":\"worker unavailable: audit log\",\"ds_state\":{"
                                 "\"slots\":{}}}",
                                 1 };
    check_run(&row, required);
}

static void test_a_log_that_can_be_written_again(void **state)
{
    (void)state;
    static const char *const env[] = { "MACHINA_TOOLHOST_AUDIT_REQUIRED=1", NULL };
    struct log_session l;
    log_start(&l, "ok.so", env, PLAIN);
    check(&l.s, "T-AUD-5", ASK("SPAWN"), OUTPUT("{}"));
    char aside[600];
    snprintf(aside, sizeof aside, "%s.aside", l.path);
    assert_int_equal(rename(l.path, aside), 0);
    assert_int_equal(mkdir(l.path, 0700), 0); /* nothing can be opened there */
    check(&l.s, "T-AUD-5: noticed by the record of this one", ASK("SPAWN"), OUTPUT("{}"));
    check(&l.s, "T-AUD-5", ASK("SPAWN"), FAILURE("worker unavailable: audit log"));
    assert_int_equal(rmdir(l.path), 0);
    check(&l.s, "T-AUD-5: its record is the next try", ASK("SPAWN"),
          FAILURE("worker unavailable: audit log"));
    check(&l.s, "T-AUD-5", ASK("SPAWN"), OUTPUT("{}"));
    unlink(aside);
    struct buf text = log_end(&l);
    mgi_buf_fini(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_chain_goes_on_over_files_and_processes),
        cmocka_unit_test(test_a_file_is_rotated_by_size_and_by_age),
        cmocka_unit_test(test_only_so_many_files_are_kept),
        cmocka_unit_test(test_what_was_torn_stays_on_its_own_line),
        cmocka_unit_test(test_somebody_who_holds_the_lock_is_not_waited_for),
        cmocka_unit_test(test_names_of_rotated_files),
        cmocka_unit_test(test_every_event_is_recorded),
        cmocka_unit_test(test_a_record_says_whose_it_is_and_what_changed),
        cmocka_unit_test(test_nothing_of_inputs_outputs_and_tokens_is_recorded),
        cmocka_unit_test(test_an_evicted_promise_is_recorded),
        cmocka_unit_test(test_a_breaker_and_a_rejected_plugin_are_recorded),
        cmocka_unit_test(test_a_log_that_cannot_be_written),
        cmocka_unit_test(test_a_log_that_can_be_written_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
