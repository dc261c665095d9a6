/* The host's start and end: see host.h. */
#include "toolhost/events.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "toolhost/frame.h"

/* ---- start -------------------------------------------------------------------------------- */

/* SIGPIPE would end the host when a reader goes away; SIGCHLD must not be ignored, or dead workers
 * would have no status. The three others are read from a descriptor, in the pump. */
static int take_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGCHLD);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return mgi_fd_out_of_the_way(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

/* A pipe gets a description of its own, so that making it non-blocking does not surprise whoever
 * shares ours. Where that is not possible, writes are kept so small that they cannot block. */
static void choose_output(struct host *h)
{
    struct stat about;
    h->output = STDOUT_FILENO;
    if (fstat(STDOUT_FILENO, &about) != 0)
        return;
    h->output_is_socket = S_ISSOCK(about.st_mode);
    if (!S_ISFIFO(about.st_mode))
        return;
    int fd = mgi_fd_out_of_the_way(open("/proc/self/fd/1", O_WRONLY | O_NONBLOCK | O_CLOEXEC));
    h->output_blocks = fd < 0;
    if (fd >= 0)
        h->output = fd;
}

static bool open_control(struct host *h, int fd)
{
    h->control.fd = -1;
    if (fd < 0)
        return true;
    h->control.fd = mgi_fd_out_of_the_way(fd);
    return h->control.fd >= 0 && fcntl(h->control.fd, F_SETFL, O_NONBLOCK) == 0;
}

static void warn_of_leases(const struct host *h)
{
    const struct settings *s = &h->settings;
    if (s->lease_enforce && s->issuing == ISSUE_CONTROL && h->control.fd < 0)
        mgi_log(&h->log, LOG_WARN,
                "leases are enforced and there is no control channel: tools "
                "above tier 0 are out of reach");
    if (s->lease_enforce && s->issuing == ISSUE_INBAND)
        mgi_log(&h->log, LOG_WARN,
                "leases are enforced, but whoever sends requests may issue them");
}

static const char *start_system(struct host *h, int control_fd)
{
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) /* T-ISO-19 */
        return "cannot make itself unreadable";
    if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0)
        return "cannot become a subreaper";
    h->signals = take_signals();
    if (h->signals < 0)
        return "cannot receive signals";
    if (!open_control(h, control_fd))
        return "cannot use the control channel";
    if (!mgi_link_init(&h->link))
        return "cannot share a page with workers";
    choose_output(h);
    return NULL;
}

/* What the provider document says of limits, where the environment says nothing. */
static void take_provider_limits(struct settings *s, const struct provider *p)
{
    if (p->has_as_mb && s->as_default)
        s->as_mb = p->as_mb;
    if (p->nofile && s->nofile_default)
        s->nofile = p->nofile;
    if (p->nproc && s->nproc_default)
        s->nproc = p->nproc;
    if (p->fsize_mb && s->fsize_default)
        s->fsize_mb = p->fsize_mb;
}

/* The plugin: its settings, its copy and its first worker. */
static const char *start_plugin(struct host *h, const struct host_plan *plan)
{
    int64_t wait_ms;
    const char *why = mgi_provider_read(&h->life, plan->config, &h->provider);
    mgi_event_start(h, plan->mode);
    take_provider_limits(&h->settings, &h->provider);
    if (!why)
        why = mgi_confinement_init(&h->confinement, &h->life, &h->provider, &h->settings, &h->log);
    if (!why)
        why = mgi_plugin_file_open(&h->life, plan->plugin, &h->settings, &h->plugin);
    if (!why)
        why = mgi_host_ready(h, &h->life, h->settings.timeout_ms, &wait_ms);
    if (why)
        mgi_event_plugin(h, why);
    return why;
}

const char *mgi_host_start(struct host *h, const struct host_plan *plan, char *const env[],
                           int *exit_code)
{
    *h = (struct host){ .log = { LOG_INFO, mgi_diag_write, NULL }, .signals = -1 };
    h->plugin.fd = h->control.fd = h->audit.file.fd = -1;
    h->link.socket = h->link.output[0] = h->link.output[1] = h->link.page_fd = h->link.newest_fd =
        -1;
    h->confinement.folder.fd = h->confinement.plan.ruleset = -1;
    h->confinement.group = CONFINE_NO_GROUP;
    mgi_line_queue_init(&h->input);
    mgi_line_queue_init(&h->control.in);
    mgi_arena_init(&h->life, 0);
    mgi_arena_init(&h->request, MAX_REQUEST_ARENA);

    *exit_code = mgi_settings_read(env, &h->log, &h->settings) ? 0 : 2;
    if (*exit_code)
        return NULL;
    h->cache.evicted = mgi_event_evicted;
    h->cache.context = h;
    const char *why = start_system(h, plan->control_fd);
    h->worker_env = mgi_worker_env(&h->life, env);
    if (!why && !h->worker_env)
        why = "out of memory";
    if (!mgi_audit_init(&h->audit, &h->settings, &h->log) && !why)
        why = "no random numbers";
    if (why) {
        mgi_log(&h->log, LOG_ERROR, "%s", why);
        *exit_code = 1;
        return NULL;
    }
    warn_of_leases(h);
    return start_plugin(h, plan);
}

/* ---- end ---------------------------------------------------------------------------------- */

static void stop_worker(struct host *h)
{
    struct link *w = &h->link;
    int64_t until = mgi_now_ms() + FINI_LIMIT_MS;
    if (w->pid == 0)
        return;
    mgi_frame_end(&w->out, mgi_frame_begin(&w->out, FRAME_STOP));
    mgi_link_send(w);
    while (w->pid && !w->ended && mgi_now_ms() < until)
        mgi_host_pump(h, 0, until);
    mgi_host_kill_worker(h);
}

void mgi_host_end(struct host *h, const char *why)
{
    h->calling = true; /* the end of the worker is expected: the pump leaves it to us */
    stop_worker(h);
    mgi_event_stop(h, why);
    mgi_audit_fini(&h->audit);
    mgi_input_checks_fini(&h->inputs);
    mgi_plugin_file_close(&h->plugin);
    mgi_link_fini(&h->link);
    mgi_confinement_fini(&h->confinement);
    mgi_idem_fini(&h->cache);
    mgi_lease_fini(&h->leases);
    mgi_ds_fini(&h->state);
    mgi_line_queue_fini(&h->input);
    mgi_line_queue_fini(&h->control.in);
    mgi_buf_fini(&h->control.out);
    if (h->control.fd >= 0)
        close(h->control.fd);
    if (h->signals >= 0)
        close(h->signals);
    mgi_arena_fini(&h->request);
    mgi_arena_fini(&h->life);
}
