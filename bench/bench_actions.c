/* What one trivial action costs from the server's side: from the call of a session to its answer on
 * the loop, the host warm. One process of each kind, one call after the other.
 *
 *   bench_actions          the figures
 *   bench_actions N        N calls of each kind (10000 if not said) */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "actions/toolpool.h"
#include "base/time.h"
#include "domain/provider.h"
#include "sys/clock.h"

#define WARM   200
#define PLUGIN MGI_BUILD_DIR "/test-plugins/ok.so"

struct bench {
    uv_loop_t loop;
    struct toolpool *pool;
    struct toolsession *session;
    struct arena arena;
    bool told;
    enum tool_outcome outcome;
    struct str error;
};

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void wait_for(struct bench *b)
{
    while (!b->told)
        uv_run(&b->loop, UV_RUN_ONCE);
    b->told = false;
}

static void ready(void *context, struct toolsession *session, enum toolsession_refusal refusal,
                  const char *why)
{
    struct bench *b = context;
    (void)refusal;
    b->session = session;
    b->told = true;
    if (!session)
        fprintf(stderr, "no session: %s\n", why);
}

static void done(void *context, const struct tool_result *result)
{
    struct bench *b = context;
    b->outcome = result->outcome;
    b->error = result->error;
    b->told = true;
}

static void closed(void *context)
{
    ((struct bench *)context)->told = true;
}

static bool call(struct bench *b, struct str aid, uint32_t step)
{
    struct tool_inputs inputs;
    mgi_arena_reset(&b->arena);
    if (!mgi_tool_inputs(&b->arena, STR_LIT("{}"), false, &inputs))
        return false;
    const struct tool_request request = { .arena = &b->arena,
                                          .aid = aid,
                                          .inputs = &inputs,
                                          .invocation_id = STR_LIT("bench"),
                                          .step = step,
                                          .issuer = "policy",
                                          .kept = step > 0 };
    mgi_toolsession_call(b->session, &request, done, b);
    wait_for(b);
    if (b->outcome != TOOL_OK)
        fprintf(stderr, "%.*s: %.*s\n", STR_ARG(aid), STR_ARG(b->error));
    return b->outcome == TOOL_OK;
}

/* The median of `n` calls, in nanoseconds; negative: it does not work. */
static int64_t measure(const struct action_provider *p, struct str aid, size_t n, int64_t *start_ns)
{
    struct bench b = { .told = false };
    int64_t *took = malloc(n * sizeof *took), median = -1;
    uv_loop_init(&b.loop);
    mgi_arena_init(&b.arena, 0);
    const struct toolpool_options options = { .toolhost = MGI_BUILD_DIR "/bin/toolhost" };
    b.pool = mgi_toolpool_new(&b.loop, &options);
    const struct toolwish wish = { .provider = p, .wait_ms = 5000, .ready = ready, .context = &b };
    if (took && b.pool && mgi_toolsession_take(b.pool, &wish)) {
        wait_for(&b);
        int64_t begun = mgi_clock_mono_ns();
        bool good = b.session && call(&b, aid, 0);
        *start_ns = mgi_clock_mono_ns() - begun;
        for (uint32_t i = 0; good && i < WARM + n; i++) {
            int64_t before = mgi_clock_mono_ns();
            good = call(&b, aid, i + 1);
            if (i >= WARM)
                took[i - WARM] = mgi_clock_mono_ns() - before;
        }
        if (good) {
            qsort(took, n, sizeof *took, compare);
            median = took[n / 2];
        }
        if (b.session)
            mgi_toolsession_release(b.session);
    }
    mgi_toolpool_close(b.pool, closed, &b);
    wait_for(&b);
    uv_run(&b.loop, UV_RUN_DEFAULT);
    uv_loop_close(&b.loop);
    mgi_arena_fini(&b.arena);
    free(took);
    return median;
}

static void report(const char *what, const struct action_provider *p, const char *aid, size_t n)
{
    int64_t start_ns, median = measure(p, str_of(aid), n, &start_ns);
    if (median >= 0)
        printf("%s: %.1f us (median of %zu warm calls; the first took %.1f ms)\n", what,
               (double)median / 1000, n, (double)start_ns / 1e6);
}

int main(int argc, char **argv)
{
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000;
    static const struct action_provider plugin = { .kind = "plugins",
                                                   .name = { "ok", 2 },
                                                   .plugin = { PLUGIN, sizeof PLUGIN - 1 } };
    report("an action of a plugin", &plugin, "AID.TEST.STATUS.v1", n ? n : 1);
    return 0;
}
