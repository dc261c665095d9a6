/* Policy processes, hostile ones above all: each ends in one answer in time, and nothing is left of
 * it (T-POL-1 to T-POL-3, T-POL-6, T-POL-7). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <cmocka.h>

#include "select/policy.h"
#include "select/policy_confine.h"
#include "select/policy_process.h"
#include "scripts.h"
#include "sys/clock.h"

static struct scratch scratch;

struct answered {
    int times;
    enum policy_exit exit;
    int64_t status, took_ms;
    struct str out, err;
};

static void note_answer(void *context, const struct policy_answer *answer)
{
    struct answered *a = context;
    a->times++;
    a->exit = answer->exit;
    a->status = answer->status;
    a->out = mgi_arena_str(&scratch.arena, answer->out);
    a->err = mgi_arena_str(&scratch.arena, answer->err);
}

static int64_t now_ms(void)
{
    return mgi_clock_mono_ns() / 1000000;
}

static struct policy_process *start_program_for(struct answered *a, const char *payload,
                                                int64_t most_ms)
{
    struct policy_start start = { .loop = &scratch.loop,
                                  .settings = &scratch.settings,
                                  .payload = str_of(payload),
                                  .most_ms = most_ms,
                                  .done = note_answer,
                                  .context = a };
    const char *why = NULL;
    int error = 0;
    if (mgi_policy_check(&scratch.arena, &scratch.settings, &start.program, &why) != POLICY_MAY_RUN)
        fail_msg("%s", why);
    struct policy_process *p = mgi_policy_process_start(&start, &error);
    if (!p)
        fail_msg("%s", strerror(error));
    assert_int_equal(a->times, 0); /* never from inside */
    return p;
}

static struct policy_process *start_program(struct answered *a, const char *payload)
{
    return start_program_for(a, payload, 0);
}

/* Run `text` as a script of `interpreter`, with up to two more settings. */
static struct answered run_as(const char *interpreter, const char *text, const char *setting,
                              const char *another)
{
    struct answered a = { 0 };
    char *command =
        mgi_arena_printf(&scratch.arena, "MACHINA_POLICY_CMD=%s policies/policy", interpreter);
    const char *const env[] = { command, setting ? setting : "MACHINA_X=", another, NULL };
    script(&scratch, "policy", text);
    settings(&scratch, env);
    start_program(&a, "{\"payload\":1}\n");
    int64_t begun = now_ms();
    uv_run(&scratch.loop, UV_RUN_DEFAULT);
    a.took_ms = now_ms() - begun;
    assert_int_equal(a.times, 1);
    assert_nothing_left(&scratch);
    return a;
}

static struct answered run_script(const char *text)
{
    return run_as("bash", text, NULL, NULL);
}

static void assert_answer(const struct answered *a, enum policy_exit exit, int64_t status,
                          const char *out)
{
    assert_int_equal(a->exit, exit);
    assert_int_equal(a->status, status);
    if (out)
        assert_string_equal(a->out.ptr, out);
}

/* ---- the usual ------------------------------------------------------------------------------ */

static void standard_output_is_the_answer_and_nothing_else(void **state) /* C-171, T-POL-2 */
{
    (void)state;
    struct answered a =
        run_script("echo 'warning: old' >&2; echo '<PICK><SID0001><END>'; echo more >&2");
    assert_answer(&a, POLICY_EXITED, 0, "<PICK><SID0001><END>\n");
    assert_string_equal(a.err.ptr, "warning: old\nmore\n");
}

static void the_payload_is_a_private_file_that_goes(void **state) /* C-228, T-POL-1 */
{
    (void)state;
    struct answered a = run_script("cat \"$1\"; stat -c '%a %u' \"$1\" \"$(dirname \"$1\")\"; "
                                   "id -u; echo $#; pwd; umask");
    char *expected =
        mgi_arena_printf(&scratch.arena, "{\"payload\":1}\n600 %d\n700 %d\n%d\n1\n%s\n0077\n",
                         (int)getuid(), (int)getuid(), (int)getuid(), scratch.root);
    assert_answer(&a, POLICY_EXITED, 0, expected);
    /* Also after a timeout; assert_nothing_left() looks. */
    a = run_as("bash", "sleep 10", "MACHINA_POLICY_TIMEOUT_MS=50", NULL);
    assert_answer(&a, POLICY_TIMED_OUT, 50, "");
}

static void a_policy_is_confined(void **state) /* T-POL-3 */
{
    (void)state;
    int inherited = open("/dev/null", O_RDONLY); /* a descriptor that nobody marked */
    assert_true(inherited > 2);
    struct answered a =
        run_script("ulimit -t; ulimit -v; ulimit -f; ulimit -n; ulimit -c\n"
                   "grep -E 'NoNewPrivs|SigIgn|SigBlk|Seccomp:' /proc/self/status | tr -d '\\t' | "
                   "tr '\\n' ' '\n"
                   "ls /proc/self/fd | tr '\\n' ' '; readlink /proc/self/fd/0\n"
                   "ps -o pid=,pgid=,sid= -p $$ | awk '{print ($1==$2 && $2==$3)}'");
    assert_answer(&a, POLICY_EXITED, 0,
                  "2\n786432\n10240\n64\n0\n"
                  "SigBlk:0000000000000000 SigIgn:0000000000000000 NoNewPrivs:1 Seccomp:2 "
                  "0 1 2 3 /dev/null\n1\n"); /* 3 is the folder that ls reads */
    close(inherited);
}

/* Each line says what became of an attempt: "ok" or what the shell's exit status was. */
static const char attempts[] =
    "import os, socket, sys\n"
    "def attempt(name, what):\n"
    "    try: what(); print(name, 'works')\n"
    "    except OSError: print(name, 'refused')\n"
    "attempt('payload', lambda: open(sys.argv[1]).read())\n"
    "attempt('other payload', lambda: os.listdir(os.path.dirname(os.path.dirname(sys.argv[1]))))\n"
    "attempt('script', lambda: open(__file__).read())\n"
    "attempt('root', lambda: open('secret').read())\n"
    "attempt('passwd', lambda: open('/etc/shadow').close() if os.getuid() == 0 else "
    "os.listdir('/var'))\n"
    "attempt('write', lambda: open('policies/made', 'w').close())\n"
    "attempt('write payload', lambda: open(sys.argv[1], 'a').close())\n"
    "attempt('network', lambda: socket.socket().close())\n"
    "attempt('local', lambda: socket.socket(socket.AF_UNIX).close())\n"
    "attempt('environ', lambda: open('/proc/%d/environ' % os.getppid()).read())\n"
    "attempt('signal', lambda: os.kill(os.getppid(), 0))\n";

static struct answered run_attempts(const struct policy_confinement *confinement)
{
    static const char *const env[] = { "MACHINA_POLICY_CMD=python3 policies/policy",
                                       "MACHINA_POLICY_TIMEOUT_MS=60000", NULL };
    struct answered a = { 0 };
    char path[160];
    script(&scratch, "policy", attempts);
    snprintf(path, sizeof path, "%s/secret", scratch.root);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fclose(f);
    settings(&scratch, env);
    scratch.settings.confinement = *confinement;
    start_program(&a, "{}");
    uv_run(&scratch.loop, UV_RUN_DEFAULT);
    return a;
}

/* What this kernel does not confine of a policy. */
static unsigned left_open(void)
{
    struct confine_features features;
    mgi_confine_probe(&features);
    return mgi_confine_lacks(&features, CONFINE_SPAWN);
}

static void a_policy_reads_its_script_and_payload_alone(void **state) /* T-POL-3 */
{
    (void)state;
    const struct policy_confinement tight = { .on = true };
    if (left_open() & (CONFINE_LACK_FILTER | CONFINE_LACK_FILES) ||
        access("/usr/bin/python3", X_OK) != 0)
        skip();
    struct answered a = run_attempts(&tight);
    const char *signal_word = left_open() & CONFINE_LACK_SIGNALS ? "works" : "refused";
    assert_answer(&a, POLICY_EXITED, 0,
                  mgi_arena_printf(&scratch.arena,
                                   "payload works\nother payload refused\nscript works\n"
                                   "root refused\npasswd refused\nwrite refused\n"
                                   "write payload refused\nnetwork refused\nlocal refused\n"
                                   "environ refused\nsignal %s\n",
                                   signal_word));
    /* Without it all of that works: it was not something else that refused. */
    const struct policy_confinement none = { 0 };
    a = run_attempts(&none);
    assert_answer(&a, POLICY_EXITED, 0,
                  "payload works\nother payload works\nscript works\nroot works\npasswd works\n"
                  "write works\nwrite payload works\nnetwork works\nlocal works\nenviron works\n"
                  "signal works\n");
}

static void what_is_granted_works(void **state)
{
    (void)state;
    const char *const read[] = { mgi_arena_printf(&scratch.arena, "%s/secret", scratch.root) };
    const char *const write[] = { mgi_arena_printf(&scratch.arena, "%s/policies", scratch.root) };
    const struct policy_confinement some = { .on = true,
                                             .may = CONFINE_NETWORK,
                                             .read = read,
                                             .read_count = 1,
                                             .write = write,
                                             .write_count = 1 };
    if (left_open() & (CONFINE_LACK_FILTER | CONFINE_LACK_FILES) ||
        access("/usr/bin/python3", X_OK) != 0)
        skip();
    struct answered a = run_attempts(&some);
    assert_non_null(strstr(a.out.ptr, "root works\n"));
    assert_non_null(strstr(a.out.ptr, "\nwrite works\n"));
    assert_non_null(strstr(a.out.ptr, "network works\n"));
    assert_non_null(strstr(a.out.ptr, "passwd refused\n"));
    assert_non_null(strstr(a.out.ptr, "other payload refused\n"));
}

static void what_cannot_be_confined_does_not_run(void **state)
{
    (void)state;
    const char *const read[] = { "/nowhere/at/all" };
    const struct policy_confinement wrong = { .on = true, .read = read, .read_count = 1 };
    static const char *const env[] = { "MACHINA_POLICY_CMD=bash policies/policy", NULL };
    struct arena arena;
    struct policy_start start = { .loop = &scratch.loop,
                                  .settings = &scratch.settings,
                                  .payload = STR_LIT("{}") };
    const char *why;
    int error = 0;
    if (left_open() & CONFINE_LACK_FILES)
        skip();
    mgi_arena_init(&arena, 0);
    script(&scratch, "policy", "true");
    settings(&scratch, env);
    scratch.settings.confinement = wrong;
    assert_int_equal(mgi_policy_check(&arena, &scratch.settings, &start.program, &why),
                     POLICY_MAY_RUN);
    assert_null(mgi_policy_process_start(&start, &error));
    assert_int_equal(error, ENOENT);
    mgi_arena_fini(&arena);
}

static void a_call_may_have_less_time_than_the_settings_give(void **state)
{
    (void)state;
    static const char *const env[] = { "MACHINA_POLICY_CMD=bash policies/policy",
                                       "MACHINA_POLICY_TIMEOUT_MS=60000", NULL };
    struct answered a = { 0 };
    script(&scratch, "policy", "sleep 20");
    settings(&scratch, env);
    start_program_for(&a, "{}", 40);
    uv_run(&scratch.loop, UV_RUN_DEFAULT);
    assert_answer(&a, POLICY_TIMED_OUT, 40, "");
}

/* How many processes a policy could start, at most 200; as an ordinary user. */
static int processes_of_ordinary_user(void)
{
    static const char *const env[] = { "MACHINA_POLICY_CMD=python3 policies/policy",
                                       "MACHINA_POLICY_TIMEOUT_MS=20000", NULL };
    struct answered a = { 0 };
    if (getuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
        return -1;
    script(&scratch, "policy",
           "import os, signal\n"
           "n = 0\n"
           "try:\n"
           "    while n < 200 and (os.fork() or signal.pause()):\n"
           "        n += 1\n"
           "except BlockingIOError: pass\n"
           "print(n)\n");
    settings(&scratch, env);
    start_program(&a, "{}");
    uv_run(&scratch.loop, UV_RUN_DEFAULT);
    return a.exit == POLICY_EXITED && a.status == 0 ? atoi(a.out.ptr) : -1;
}

static void an_ordinary_user_gets_so_many_processes_more(void **state) /* T-POL-3 */
{
    (void)state;
    if (access("/usr/bin/python3", X_OK) != 0)
        skip();
    char *give = mgi_arena_printf(&scratch.arena, "chown -R 65534:65534 '%s'", scratch.root);
    if (getuid() == 0)
        assert_int_equal(system(give), 0);
    pid_t user = fork();
    assert_true(user >= 0);
    if (user == 0) {
        uv_loop_fork(&scratch.loop);
        int count = processes_of_ordinary_user();
        _exit(count < 0 ? 255 : count);
    }
    int status;
    assert_int_equal(waitpid(user, &status, 0), user);
    assert_true(WIFEXITED(status));
    /* 32 more than there were; others of that user may come and go meanwhile. */
    assert_in_range(WEXITSTATUS(status), 15, 60);
}

static void limits_of_zero_are_inherited(void **state)
{
    (void)state;
    struct answered a = run_as("bash", "ulimit -t", "MACHINA_POLICY_RLIMIT_CPU_SEC=0", NULL);
    assert_answer(&a, POLICY_EXITED, 0, "unlimited\n");
}

static void exit_codes_and_signals_are_told(void **state) /* T-POL-6 */
{
    (void)state;
    struct answered a = run_script("echo '<NOOP><END>'; exit 3");
    assert_answer(&a, POLICY_EXITED, 3, "<NOOP><END>\n");
    a = run_script("kill -SEGV $$");
    assert_answer(&a, POLICY_SIGNALLED, SIGSEGV, "");
    a = run_script("exit 0");
    assert_answer(&a, POLICY_EXITED, 0, "");
}

static void what_cannot_be_executed_is_told(void **state) /* T-POL-6 */
{
    (void)state;
    static const char *const env[] = { "MACHINA_POLICY_ALLOW_UNSAFE=1",
                                       "MACHINA_POLICY_CMD=policies/odd", NULL };
    struct answered a = { 0 };
    script(&scratch, "odd", "#!/no/such/interpreter\n");
    settings(&scratch, env);
    start_program(&a, "{}");
    uv_run(&scratch.loop, UV_RUN_DEFAULT);
    assert_answer(&a, POLICY_NOT_STARTED, ENOENT, "");
    assert_string_equal(a.err.ptr, "exec");
}

static void what_cannot_be_prepared_is_an_error(void **state)
{
    (void)state;
    static const char *const env[] = { "MACHINA_POLICY_CMD=sh policies/x", "TMPDIR=/nowhere",
                                       NULL };
    struct answered a = { 0 };
    int error = 0;
    script(&scratch, "x", "");
    settings(&scratch, env);
    scratch.settings.temp_dir = "/nowhere";
    struct policy_start start = {
        .loop = &scratch.loop, .settings = &scratch.settings, .done = note_answer, .context = &a
    };
    const char *why;
    assert_int_equal(mgi_policy_check(&scratch.arena, &scratch.settings, &start.program, &why),
                     POLICY_MAY_RUN);
    assert_null(mgi_policy_process_start(&start, &error));
    assert_int_equal(error, ENOENT);
    uv_run(&scratch.loop, UV_RUN_DEFAULT);
    assert_int_equal(a.times, 0);
}

/* ---- hostile ones --------------------------------------------------------------------------- */

static void a_sleeper_and_its_child_are_killed_in_time(void **state) /* C-229, T-POL-3 */
{
    (void)state;
    struct answered a = run_script("sleep 10 & sleep 10");
    assert_answer(&a, POLICY_TIMED_OUT, 2500, "");
    assert_in_range(a.took_ms, 2400, 3500);
}

static void ignoring_signals_does_not_help(void **state)
{
    (void)state;
    struct answered a =
        run_as("bash",
               "trap '' TERM INT HUP PIPE; echo '<PICK><SID0001><END>'; while :; do sleep 1; "
               "done",
               "MACHINA_POLICY_TIMEOUT_MS=200", NULL);
    assert_answer(&a, POLICY_TIMED_OUT, 200, "<PICK><SID0001><END>\n");
    assert_in_range(a.took_ms, 150, 1500);
}

static void a_grandchild_that_keeps_the_pipe_delays_nothing(void **state)
{
    (void)state;
    struct answered a = run_script("(trap '' TERM HUP; exec sleep 10) &\n"
                                   "echo '<PICK><SID0001><END>'");
    assert_answer(&a, POLICY_EXITED, 0, "<PICK><SID0001><END>\n");
    assert_in_range(a.took_ms, 0, 2000);
}

static void nothing_leaves_the_group(void **state)
{
    (void)state;
    struct answered a = run_script(
        "setsid sleep 10 2>&1 & wait $!\n"
        "set -m; sleep 10 & ps -o pgid= -p $! | tr -d ' ' | grep -qx $$ && echo same\n"
        "python3 -c 'import os\ntry: os.setsid()\nexcept PermissionError: print(\"no session\")\n"
        "try: os.setpgid(0, 0)\nexcept PermissionError: print(\"no group\")' || true\n");
    assert_int_equal(a.exit, POLICY_EXITED);
    assert_non_null(strstr(a.out.ptr, "same"));
    assert_non_null(strstr(a.out.ptr, "no session"));
    assert_non_null(strstr(a.out.ptr, "no group"));
}

static void a_flood_on_stdout_is_cut(void **state)
{
    (void)state;
    struct answered a = run_script("yes; echo never");
    assert_answer(&a, POLICY_TOO_MUCH, 65536, NULL);
    assert_int_equal(a.out.len, 65536);
    assert_in_range(a.took_ms, 0, 2000);
    a = run_script("head -c 10000000 /dev/zero"); /* no line feed in it */
    assert_answer(&a, POLICY_TOO_MUCH, 65536, NULL);
    a = run_as("bash", "printf '%0100d' 1", "MACHINA_POLICY_STDOUT_MAX=99", NULL);
    assert_answer(&a, POLICY_TOO_MUCH, 99, NULL);
    a = run_as("bash", "printf '%0100d' 1", "MACHINA_POLICY_STDOUT_MAX=100", NULL);
    assert_answer(&a, POLICY_EXITED, 0, NULL);
    assert_int_equal(a.out.len, 100);
}

static void a_flood_on_stderr_is_cut_and_harmless(void **state) /* T-POL-2 */
{
    (void)state;
    struct answered a = run_script("head -c 20000000 /dev/zero >&2; echo '<PICK><SID0001><END>'");
    assert_answer(&a, POLICY_EXITED, 0, "<PICK><SID0001><END>\n");
    assert_int_equal(a.err.len, 65536);
    a = run_as("bash", "yes >&2", "MACHINA_POLICY_TIMEOUT_MS=300", NULL);
    assert_answer(&a, POLICY_TIMED_OUT, 300, "");
}

static void half_an_answer_and_then_nothing_is_a_timeout(void **state)
{
    (void)state;
    struct answered a =
        run_as("bash", "printf '<PICK><SID'; sleep 10", "MACHINA_POLICY_TIMEOUT_MS=200", NULL);
    assert_answer(&a, POLICY_TIMED_OUT, 200, "<PICK><SID");
}

static void closing_the_pipes_is_not_the_end(void **state)
{
    (void)state;
    struct answered a = run_script("echo '<PICK><SID0001><END>'; exec >&- 2>&-; sleep 0.2; exit 4");
    assert_answer(&a, POLICY_EXITED, 4, "<PICK><SID0001><END>\n");
    a = run_as("bash", "exec >&- 2>&-; sleep 10", "MACHINA_POLICY_TIMEOUT_MS=200", NULL);
    assert_answer(&a, POLICY_TIMED_OUT, 200, "");
}

static void a_policy_that_waits_for_input_gets_its_end(void **state)
{
    (void)state;
    struct answered a = run_script("cat; read x; echo '<NOOP><END>'");
    assert_answer(&a, POLICY_EXITED, 0, "<NOOP><END>\n");
}

static void a_stopped_policy_is_killed(void **state)
{
    (void)state;
    struct answered a = run_as("bash", "kill -STOP $$", "MACHINA_POLICY_TIMEOUT_MS=200", NULL);
    assert_answer(&a, POLICY_TIMED_OUT, 200, "");
}

static void burning_time_and_memory_ends(void **state) /* T-POL-3 */
{
    (void)state;
    struct answered a = run_as("bash", "while :; do :; done", "MACHINA_POLICY_RLIMIT_CPU_SEC=1",
                               "MACHINA_POLICY_TIMEOUT_MS=20000");
    assert_int_equal(a.exit, POLICY_SIGNALLED);
    assert_in_range(a.took_ms, 500, 15000);
    a = run_as("bash", "x=$(head -c 200000000 /dev/zero | tr '\\0' x); echo ${#x}",
               "MACHINA_POLICY_RLIMIT_AS_MB=64", "MACHINA_POLICY_TIMEOUT_MS=20000");
    assert_true(a.exit != POLICY_EXITED || a.status != 0);
    a = run_as("bash", "head -c 20000000 /dev/zero > big; exit 0",
               "MACHINA_POLICY_RLIMIT_FSIZE_MB=1", NULL);
    char *big = mgi_arena_printf(&scratch.arena, "%s/big", scratch.root);
    struct stat about;
    assert_int_equal(stat(big, &about), 0);
    assert_int_equal(about.st_size, 1048576);
}

static int held = -1;

/* What a stranger does with a descriptor that it was sent: nothing. */
static void hold_its_output(uv_timer_t *timer)
{
    char text[32] = "", path[64];
    char *name = mgi_arena_printf(&scratch.arena, "%s/pid", scratch.root);
    FILE *f = fopen(name, "r");
    if (!f || !fgets(text, sizeof text, f) || !strchr(text, '\n')) { /* not there yet */
        if (f)
            fclose(f);
        return;
    }
    fclose(f);
    snprintf(path, sizeof path, "/proc/%d/fd/1", atoi(text));
    held = open(path, O_WRONLY | O_CLOEXEC);
    uv_close((uv_handle_t *)timer, NULL);
}

static void a_pipe_that_a_stranger_holds_is_not_waited_for(void **state)
{
    (void)state;
    static const char *const env[] = { "MACHINA_POLICY_CMD=bash policies/policy",
                                       "MACHINA_POLICY_TIMEOUT_MS=20000", NULL };
    struct answered a = { 0 };
    uv_timer_t timer;
    script(&scratch, "policy", "echo $$ > pid; sleep 1; echo '<NOOP><END>'");
    settings(&scratch, env);
    uv_timer_init(&scratch.loop, &timer);
    uv_timer_start(&timer, hold_its_output, 10, 10);
    start_program(&a, "{}");
    int64_t begun = now_ms();
    uv_run(&scratch.loop, UV_RUN_DEFAULT);
    assert_true(held >= 0);
    close(held);
    assert_answer(&a, POLICY_EXITED, 0, "<NOOP><END>\n");
    assert_in_range(now_ms() - begun, 1100, 5000);
}

static void a_storm_of_forks_ends_with_it(void **state)
{
    (void)state;
    struct answered a = run_as(
        "bash",
        "for i in $(seq 200); do (for j in $(seq 5); do sleep 10 & done; wait) & done; sleep 10",
        "MACHINA_POLICY_TIMEOUT_MS=500", NULL);
    assert_answer(&a, POLICY_TIMED_OUT, 500, "");
    assert_in_range(a.took_ms, 400, 5000);
}

static void a_cancelled_call_is_told_to_nobody(void **state)
{
    (void)state;
    static const char *const env[] = { "MACHINA_POLICY_CMD=bash policies/policy", NULL };
    struct answered a = { 0 };
    script(&scratch, "policy", "sleep 10 & sleep 10");
    settings(&scratch, env);
    struct policy_process *p = start_program(&a, "{}");
    int64_t begun = now_ms();
    uv_run(&scratch.loop, UV_RUN_NOWAIT);
    mgi_policy_process_cancel(p);
    assert_int_equal(payloads_left(&scratch), 0); /* at once */
    uv_run(&scratch.loop, UV_RUN_DEFAULT);
    assert_in_range(now_ms() - begun, 0, 1000);
    assert_int_equal(a.times, 0);
}

static void it_ends_with_the_server(void **state)
{
    (void)state;
    static const char *const env[] = { "MACHINA_POLICY_CMD=bash policies/policy", NULL };
    script(&scratch, "policy", "exec sleep 100");
    settings(&scratch, env);
    pid_t server = fork();
    assert_true(server >= 0);
    if (server == 0) {
        struct answered a = { 0 };
        uv_loop_fork(&scratch.loop);
        start_program(&a, "{}");
        usleep(200000);
        kill(getpid(), SIGKILL);
    }
    int status;
    assert_int_equal(waitpid(server, &status, 0), server);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    const struct timespec moment = { .tv_nsec = 10000000 };
    for (int i = 0; i < 200 && processes_left(&scratch) > 0; i++)
        nanosleep(&moment, NULL);
    assert_int_equal(processes_left(&scratch), 0);
    assert_int_equal(payloads_left(&scratch), 1); /* nobody was left to remove it */
    char *tmp = mgi_arena_printf(&scratch.arena, "rm -r '%s/tmp'/*", scratch.root);
    assert_int_equal(system(tmp), 0);
}

static void a_thousand_calls_leave_nothing(void **state)
{
    (void)state;
    static const char *const env[] = { "MACHINA_POLICY_CMD=sh policies/policy", NULL };
    script(&scratch, "policy", "echo '<NOOP><END>'");
    settings(&scratch, env);
    size_t before = entries_of("/proc/self/fd");
    for (int i = 0; i < 1000; i++) {
        struct answered a = { 0 };
        struct policy_process *p = start_program(&a, "{}");
        if (i % 10 == 9)
            mgi_policy_process_cancel(p);
        uv_run(&scratch.loop, UV_RUN_DEFAULT);
        assert_int_equal(a.times, i % 10 != 9);
        if (a.times)
            assert_string_equal(a.out.ptr, "<NOOP><END>\n");
        mgi_arena_rewind(&scratch.arena, mgi_arena_mark(&scratch.arena));
    }
    assert_int_equal(entries_of("/proc/self/fd"), before);
}

static int setup(void **state)
{
    (void)state;
    scratch_begin(&scratch);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_nothing_left(&scratch);
    scratch_end(&scratch);
    return 0;
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(standard_output_is_the_answer_and_nothing_else),
        T(the_payload_is_a_private_file_that_goes),
        T(a_policy_is_confined),
        T(a_policy_reads_its_script_and_payload_alone),
        T(what_is_granted_works),
        T(what_cannot_be_confined_does_not_run),
        T(a_call_may_have_less_time_than_the_settings_give),
        T(an_ordinary_user_gets_so_many_processes_more),
        T(limits_of_zero_are_inherited),
        T(exit_codes_and_signals_are_told),
        T(what_cannot_be_executed_is_told),
        T(what_cannot_be_prepared_is_an_error),
        T(a_sleeper_and_its_child_are_killed_in_time),
        T(ignoring_signals_does_not_help),
        T(a_grandchild_that_keeps_the_pipe_delays_nothing),
        T(nothing_leaves_the_group),
        T(a_flood_on_stdout_is_cut),
        T(a_flood_on_stderr_is_cut_and_harmless),
        T(half_an_answer_and_then_nothing_is_a_timeout),
        T(closing_the_pipes_is_not_the_end),
        T(a_policy_that_waits_for_input_gets_its_end),
        T(a_stopped_policy_is_killed),
        T(burning_time_and_memory_ends),
        T(a_pipe_that_a_stranger_holds_is_not_waited_for),
        T(a_storm_of_forks_ends_with_it),
        T(a_cancelled_call_is_told_to_nobody),
        T(it_ends_with_the_server),
        T(a_thousand_calls_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
