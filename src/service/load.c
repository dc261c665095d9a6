/* Loading on a thread: see the header.
 *
 * `busy` belongs to the thread while it runs; what both sides touch is under the mutex: who is
 * first, the end of the work or the owner's change of mind. */
#include "service/load.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "actions/toolpool.h"
#include "base/alloc.h"
#include "domain/provider.h"
#include "base/time.h"
#include "sys/clock.h"
#include "sys/random.h"

#define AUTH_FILE_MAX ((off_t)1 << 20)
#define ABANDON_MS    500 /* that an abandoned load is waited for all the same */

struct loading_thread {
    struct load load; /* the first member: load.h hands out its address */
    pthread_t thread;
    pthread_mutex_t mutex;
    uv_async_t *async; /* on the loop; NULL: there is no thread */
    bool finished, abandoned;
    void (*done)(void *context, struct load *load);
    void *context;
};

/* ---- credentials ----------------------------------------------------------------------------- */

const char *mgi_load_small_file(const char *path, struct buf *out)
{
    struct stat st;
    const char *why = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return strerror(errno);
    if (fstat(fd, &st) != 0)
        why = strerror(errno);
    else if (!S_ISREG(st.st_mode))
        why = "it is not a regular file";
    else if (st.st_size > AUTH_FILE_MAX)
        why = "it is larger than 1 MiB";
    char chunk[16384];
    ssize_t n = 1;
    while (!why && n > 0) {
        n = read(fd, chunk, sizeof chunk);
        if (n > 0)
            mgi_buf_append(out, chunk, (size_t)n);
        else if (n < 0)
            why = strerror(errno);
        if (out->oom || out->len > (size_t)AUTH_FILE_MAX)
            why = out->oom ? "out of memory" : "it is larger than 1 MiB";
    }
    (void)close(fd);
    return why;
}

/* Each line of `why`, with the name of what it is about. */
static void print_auth_faults(struct buf *text, const char *name, const char *why)
{
    bool of_lines = strncmp(why, "line ", 5) == 0;
    for (const char *line = why; *line;) {
        size_t len = strcspn(line, "\n");
        mgi_buf_printf(text, "%s: error: %.*s\n", name, (int)len, line);
        line += len + (line[len] == '\n');
    }
    if (of_lines)
        mgi_buf_puts(text, "  hint: manglecp token prints the lines of this file.\n");
}

struct auth *mgi_load_auth(const char *token, const char *file, struct buf *text)
{
    struct buf content = { 0 };
    struct arena scratch;
    struct auth *auth = NULL;
    const char *why = NULL;
    if (token && token[0] && !mgi_auth_is_token(token)) {
        print_auth_faults(
            text, "MANGLECP_TOKEN",
            "a token is one word of printable ASCII characters: no client can send this");
        return NULL;
    }
    mgi_arena_init(&scratch, 0);
    if (file)
        why = mgi_load_small_file(file, &content);
    if (!why)
        auth =
            mgi_auth_new(token && token[0] ? token : NULL, mgi_buf_view(&content), &scratch, &why);
    if (!auth)
        print_auth_faults(text, file ? file : "MANGLECP_TOKEN", why ? why : "out of memory");
    mgi_buf_fini(&content);
    mgi_arena_fini(&scratch);
    return auth;
}

/* The keys of another issuer. */
static bool load_issuer_keys(struct load *l)
{
    const char *path = l->plan.issuer_keys;
    struct buf content = { 0 };
    const char *why = path ? mgi_load_small_file(path, &content) : NULL;
    if (path && !why)
        l->issuer_keys = mgi_jwks_new(mgi_buf_view(&content), &why);
    if (why)
        mgi_buf_printf(&l->text, "%s: error: %s\n", path, why);
    mgi_buf_fini(&content);
    return !why;
}

struct signing_keys *mgi_load_signing(const char *file, struct buf *text)
{
    struct buf content = { 0 };
    struct signing_fault fault = { 0, "the system has no randomness" };
    struct signing_keys *keys = NULL;
    const char *why = NULL;
    uint8_t key[32];
    if (!file && mgi_random(key, sizeof key))
        keys = mgi_signing_keys_new(key, sizeof key);
    else if (file && (why = mgi_load_small_file(file, &content)) != NULL)
        fault.message = why;
    else if (file)
        keys = mgi_signing_keys_read(mgi_buf_view(&content), &fault);
    explicit_bzero(key, sizeof key);
    if (content.ptr)
        explicit_bzero(content.ptr, content.len);
    mgi_buf_fini(&content);
    if (keys)
        return keys;
    mgi_buf_printf(text, "%s", file ? file : "signing keys");
    if (fault.line)
        mgi_buf_printf(text, ":%u", fault.line);
    mgi_buf_printf(text, ": error: %s\n", fault.message);
    if (fault.line)
        mgi_buf_puts(text, "  hint: manglecp token --signing-key prints a line of this file.\n");
    return NULL;
}

bool mgi_load_is_open_secret(const char *file, const char *word)
{
    struct buf content = { 0 };
    struct stat st;
    bool open_to_others = stat(file, &st) == 0 && (st.st_mode & (S_IRGRP | S_IROTH)) != 0;
    bool found = open_to_others && !mgi_load_small_file(file, &content) &&
                 mgi_str_find(mgi_buf_view(&content), str_of(word)) != SIZE_MAX;
    if (content.ptr)
        explicit_bzero(content.ptr, content.len);
    mgi_buf_fini(&content);
    return found;
}

/* ---- the work -------------------------------------------------------------------------------- */

static bool load_domain(struct load *l)
{
    const struct load_plan *p = &l->plan;
    struct findings *findings = mgi_findings_new();
    if (!findings) {
        l->nomem = true;
        return false;
    }
    struct action_source actions = mgi_toolpool_actions(p->toolhost);
    actions.farewells = p->farewells;
    struct domain_options options = { .set = p->set,
                                      .set_count = p->set_count,
                                      .plugin_paths = p->plugin_paths,
                                      .plugin_path_count = p->plugin_path_count,
                                      .actions = &actions,
                                      .prepared = p->snapshot_file,
                                      .prepared_text = &l->remarks };
    l->snapshot = mgi_domain_load(p->domain, &options, findings);
    if (l->snapshot && !l->snapshot->linted)
        mgi_domain_lint(l->snapshot, findings);
    if (mgi_findings_errors(findings) > 0) {
        mgi_snapshot_unref(l->snapshot);
        l->snapshot = NULL;
    }
    for (size_t i = 0; !l->snapshot && i < mgi_findings_count(findings); i++) {
        const struct finding *one = mgi_findings_get(findings, i);
        mgi_finding_print(one->severity == MANGLE_ERROR ? &l->text : &l->warnings, one);
    }
    l->nomem |= !l->snapshot && mgi_findings_nomem(findings);
    mgi_findings_free(findings);
    return l->snapshot != NULL;
}

static void print_warnings(const struct tls_report *report, struct buf *out)
{
    mgi_buf_str(out, mgi_buf_view(&report->warnings));
    if (report->warnings.len > 0)
        mgi_buf_putc(out, '\n');
}

static bool load_tls(struct load *l)
{
    const struct load_plan *p = &l->plan;
    bool ok = true;
    l->tls = mgi_arena_calloc(&l->arena, p->tls_count + 1, sizeof *l->tls);
    for (size_t i = 0; l->tls && i < p->tls_count; i++) {
        struct tls_report report = { 0 };
        if (!p->tls[i].certificate)
            continue;
        l->tls[i] = mgi_tls_server_load(&p->tls[i], mgi_clock_real_ns(), &report);
        mgi_tls_report_print(&report, &l->text);
        print_warnings(&report, &l->warnings);
        ok = ok && l->tls[i];
        mgi_tls_report_fini(&report);
    }
    return ok && l->tls;
}

static bool load_store(struct load *l)
{
    struct buf why = { 0 };
    bool ok = true;
    if (l->plan.open_store && l->plan.store_sqlite)
        ok = mgi_store_sqlite(l->plan.store_sqlite, 0, &l->store, &why);
    else if (l->plan.open_store)
        ok = mgi_store_memory(LOAD_STORE_BYTES, &l->store);
    if (!ok)
        mgi_buf_printf(&l->text, "%s: error: %.*s\n",
                       l->plan.store_sqlite ? l->plan.store_sqlite : "store",
                       STR_ARG(why.len ? mgi_buf_view(&why) : STR_LIT("out of memory")));
    mgi_buf_fini(&why);
    return ok;
}

/* Its plugin, and what else makes it what it is. */
static bool list_provider(struct load *l, const struct action_provider *p)
{
    struct str plugin = mgi_arena_str(&l->arena, p->plugin);
    bool ok = plugin.ptr && mgi_watch_list_file(&l->arena, &l->watch, plugin.ptr);
    for (size_t i = 0; ok && p->files && p->files[i]; i++)
        ok = mgi_watch_list_file(&l->arena, &l->watch, p->files[i]);
    return ok;
}

/* The domain's folders, the files that the configuration names, and the plugins in use. */
static bool list_watches(struct load *l)
{
    const struct load_plan *p = &l->plan;
    struct arena *a = &l->arena;
    bool ok = mgi_watch_list_domain(a, &l->watch, p->domain);
    if (ok && p->auth_file)
        ok = mgi_watch_list_file(a, &l->watch, p->auth_file);
    if (ok && p->issuer_keys)
        ok = mgi_watch_list_file(a, &l->watch, p->issuer_keys);
    for (size_t i = 0; ok && i < p->tls_count; i++) {
        const char *const files[] = { p->tls[i].certificate, p->tls[i].key, p->tls[i].client_ca };
        for (size_t k = 0; ok && k < 3; k++)
            ok = !files[k] || mgi_watch_list_file(a, &l->watch, files[k]);
    }
    const struct snapshot *s = l->snapshot;
    for (size_t i = 0; ok && s && i < s->action_count; i++) /* sorted by action: twins may come */
        if (i == 0 || s->actions[i].provider != s->actions[i - 1].provider)
            ok = list_provider(l, s->actions[i].provider);
    return ok;
}

static void forget_outcome(struct load *l)
{
    mgi_snapshot_unref(l->snapshot);
    mgi_auth_unref(l->auth);
    mgi_jwks_unref(l->issuer_keys);
    for (size_t i = 0; l->tls && i < l->plan.tls_count; i++)
        mgi_tls_context_unref(l->tls[i]);
    mgi_store_close(&l->store);
    l->snapshot = NULL;
    l->auth = NULL;
    l->issuer_keys = NULL;
    l->tls = NULL;
}

/* Everything is tried, so that everything that is wrong is said at once. */
static void load_all(struct load *l)
{
    l->good = l->domain_good = load_domain(l);
    l->auth = mgi_load_auth(l->plan.token, l->plan.auth_file, &l->text);
    l->good = l->auth && l->good;
    l->good = load_issuer_keys(l) && l->good;
    l->good = load_tls(l) && l->good;
    l->good = l->good && load_store(l); /* last: nobody else may have it open meanwhile */
    if (l->plan.watch && !list_watches(l))
        l->good = false;
    if (!l->good && l->text.len == 0)
        mgi_buf_puts(&l->text, "error: out of memory\n");
    if (!l->good) {
        struct watch_list kept = l->watch; /* a broken folder is watched until it is mended */
        forget_outcome(l);
        l->watch = kept;
    }
}

/* ---- the plan, copied ------------------------------------------------------------------------ */

static bool copy_text(struct arena *a, const char **text)
{
    return !*text || (*text = mgi_arena_strdup(a, *text)) != NULL;
}

static bool copy_texts(struct arena *a, const char *const **items, size_t count)
{
    const char **copy = mgi_arena_calloc(a, count + 1, sizeof *copy);
    bool ok = copy != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        copy[i] = (*items)[i];
        ok = copy_text(a, &copy[i]);
    }
    *items = copy;
    return ok;
}

static bool copy_tls(struct arena *a, struct load_plan *p)
{
    struct tls_server_files *copy = mgi_arena_calloc(a, p->tls_count + 1, sizeof *copy);
    bool ok = copy != NULL;
    for (size_t i = 0; ok && i < p->tls_count; i++) {
        copy[i] = p->tls[i];
        ok = copy_text(a, &copy[i].certificate) && copy_text(a, &copy[i].key) &&
             copy_text(a, &copy[i].client_ca);
    }
    p->tls = copy;
    return ok;
}

static struct loading_thread *prepare(const struct load_plan *plan)
{
    struct loading_thread *t = mgi_calloc(1, sizeof *t);
    if (!t)
        return NULL;
    struct load *l = &t->load;
    mgi_arena_init(&l->arena, 0);
    l->plan = *plan;
    if (copy_text(&l->arena, &l->plan.domain) && copy_text(&l->arena, &l->plan.toolhost) &&
        copy_text(&l->arena, &l->plan.auth_file) && copy_text(&l->arena, &l->plan.token) &&
        copy_text(&l->arena, &l->plan.issuer_keys) && copy_text(&l->arena, &l->plan.store_sqlite) &&
        copy_text(&l->arena, &l->plan.snapshot_file) &&
        copy_texts(&l->arena, &l->plan.set, l->plan.set_count) &&
        copy_texts(&l->arena, &l->plan.plugin_paths, l->plan.plugin_path_count) &&
        copy_tls(&l->arena, &l->plan))
        return t;
    mgi_load_free(l);
    return NULL;
}

/* ---- the thread ------------------------------------------------------------------------------ */

static void free_async(uv_handle_t *handle)
{
    mgi_free(handle);
}

static void *load_on_thread(void *context)
{
    struct loading_thread *t = context;
    load_all(&t->load);
    pthread_mutex_lock(&t->mutex);
    t->finished = true;
    bool nobody = t->abandoned;
    if (!nobody)
        (void)uv_async_send(t->async);
    pthread_mutex_unlock(&t->mutex);
    if (nobody)
        mgi_load_free(&t->load);
    return NULL;
}

static void thread_is_over(uv_async_t *async)
{
    struct loading_thread *t = async->data;
    pthread_join(t->thread, NULL); /* it has nothing left to do */
    uv_close((uv_handle_t *)async, free_async);
    t->async = NULL;
    t->done(t->context, &t->load);
}

static bool start_thread(struct loading_thread *t, uv_loop_t *loop)
{
    t->async = mgi_calloc(1, sizeof *t->async);
    if (!t->async)
        return false;
    if (uv_async_init(loop, t->async, thread_is_over) != 0) {
        mgi_free(t->async);
        return false;
    }
    t->async->data = t;
    if (pthread_create(&t->thread, NULL, load_on_thread, t) == 0)
        return true;
    uv_close((uv_handle_t *)t->async, free_async);
    return false;
}

struct load *mgi_load_begin(uv_loop_t *loop, const struct load_plan *plan,
                            void (*done)(void *context, struct load *load), void *context)
{
    struct loading_thread *t = prepare(plan);
    if (!t)
        return NULL;
    t->done = done;
    t->context = context;
    pthread_mutex_init(&t->mutex, NULL);
    if (start_thread(t, loop))
        return &t->load;
    t->async = NULL;
    mgi_load_free(&t->load);
    return NULL;
}

struct load *mgi_load_now(const struct load_plan *plan)
{
    struct loading_thread *t = prepare(plan);
    if (!t)
        return NULL;
    load_all(&t->load);
    return &t->load;
}

/* Most loads are over in a moment; then nothing is left behind. */
static bool ends_soon(struct loading_thread *t)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += ABANDON_MS * NS_PER_MS;
    until.tv_sec += until.tv_nsec / NS_PER_SEC;
    until.tv_nsec %= NS_PER_SEC;
    return pthread_timedjoin_np(t->thread, NULL, &until) == 0;
}

bool mgi_load_abandon(struct load *load)
{
    struct loading_thread *t = (struct loading_thread *)load;
    if (ends_soon(t)) {
        uv_close((uv_handle_t *)t->async, free_async);
        mgi_load_free(load);
        return false;
    }
    pthread_mutex_lock(&t->mutex);
    pthread_t thread = t->thread;
    bool finished = t->finished;
    t->abandoned = true;
    uv_close((uv_handle_t *)t->async, free_async);
    pthread_mutex_unlock(&t->mutex); /* from here on the thread may free it all */
    if (finished) {
        pthread_join(thread, NULL);
        mgi_load_free(load);
    } else {
        pthread_detach(thread);
    }
    return !finished;
}

void mgi_load_free(struct load *load)
{
    if (!load)
        return;
    struct loading_thread *t = (struct loading_thread *)load;
    forget_outcome(load);
    mgi_buf_fini(&load->text);
    mgi_buf_fini(&load->warnings);
    mgi_buf_fini(&load->remarks);
    mgi_arena_fini(&load->arena);
    mgi_free(t);
}
