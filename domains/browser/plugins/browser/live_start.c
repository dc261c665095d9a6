/* The browser's program: which, with what arguments, in what folder and environment. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "live_int.h"

#define START_MS   15000 /* until it has said its version */
#define LOG_SHOWN  400
#define MOST_WORDS 64

static const char *const known_programs[] = {
    "chromium-headless-shell", "chrome-headless-shell", "chromium",
    "chromium-browser",        "google-chrome",         NULL
};

/* Nothing that talks to others by itself, asks people, or keeps things for another time. */
static const char *const switches[] = {
    "--remote-debugging-pipe",
    "--no-sandbox", /* there is a sandbox around it already: the tool host's confinement */
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--disable-sync",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-extensions",
    "--disable-hang-monitor",
    "--disable-notifications",
    "--disable-print-preview",
    "--disable-prompt-on-repost",
    "--disable-quic", /* datagrams would pass by the proxy */
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    ("--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,"
     "AutofillServerCommunication,CertificateTransparencyComponentUpdater,InterestFeedV2"),
    "--metrics-recording-only",
    "--no-pings",
    "--mute-audio",
    "--hide-scrollbars",
    "--password-store=basic",
    "--use-mock-keychain",
};

/* ---- which ---------------------------------------------------------------------------------- */

static bool can_run(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, X_OK) == 0;
}

/* `name` as it stands if it is a path, else the first of PATH. NULL: there is none. */
static const char *find_program(struct arena *arena, struct str name)
{
    const char *path = getenv("PATH");
    if (memchr(name.ptr, '/', name.len)) {
        const char *kept = mgi_arena_str(arena, name).ptr;
        return kept && can_run(kept) ? kept : NULL;
    }
    while (path && *path) {
        size_t len = strcspn(path, ":");
        const char *whole = mgi_arena_printf(arena, "%.*s/%.*s", (int)len, path, STR_ARG(name));
        if (whole && len > 0 && can_run(whole))
            return whole;
        path += len + (path[len] == ':');
    }
    return NULL;
}

/* Debian's programs are scripts that start the browser and wait for it. Without the script in
 * between the browser is our child, and dies with us. */
static const char *behind_script(struct arena *arena, const char *path)
{
    char begin[2] = "";
    const char *name = strrchr(path, '/');
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool script = fd >= 0 && read(fd, begin, 2) == 2 && begin[0] == '#' && begin[1] == '!';
    if (fd >= 0)
        close(fd);
    if (!script || strcmp(name, "/chromium-headless-shell") != 0)
        return path; /* what other scripts set up is not ours to leave out */
    const char *itself = mgi_arena_printf(arena, "/usr/lib/chromium%s", name);
    return itself && can_run(itself) ? itself : path;
}

static const char *choose_program(struct job *job, const struct live *l)
{
    struct str said = l->settings.program;
    if (said.len > 0) {
        const char *path = find_program(job->arena, said);
        if (!path)
            mgi_job_fail(job, "the browser \"%.*s\" is no program that can be run here",
                         STR_ARG(said));
        return path;
    }
    for (size_t i = 0; known_programs[i]; i++) {
        const char *path = find_program(job->arena, str_of(known_programs[i]));
        if (path)
            return behind_script(job->arena, path);
    }
    mgi_job_fail(job,
                 "there is no browser here: install chromium-headless-shell (Debian: apt "
                 "install chromium-headless-shell), or name a program in the setting `browser`");
    return NULL;
}

/* A window needs another program than the headless shell, which knows no windows. */
static bool is_headless_shell(const char *path)
{
    const char *name = strrchr(path, '/');
    return strstr(name ? name : path, "headless") != NULL;
}

/* ---- with what ------------------------------------------------------------------------------ */

struct words {
    const char *items[MOST_WORDS];
    size_t count;
};

static void put_word(struct words *w, const char *word)
{
    if (w->count < MOST_WORDS - 1)
        w->items[w->count++] = word;
}

static void put_variable(struct arena *arena, struct words *w, const char *name)
{
    const char *value = getenv(name);
    if (value)
        put_word(w, mgi_arena_printf(arena, "%s=%s", name, value));
}

/* Also what is on this machine goes through the proxy, unless it is allowed. */
const char *mgi_live_bypass(struct job *job, const struct live *l)
{
    struct buf bypass;
    mgi_buf_init(&bypass);
    mgi_buf_puts(&bypass, "<-loopback>");
    mgi_guard_bypass(l->reach, &bypass);
    const char *text = mgi_arena_str(job->arena, mgi_buf_view(&bypass)).ptr;
    job->arena->oom |= bypass.oom;
    mgi_buf_fini(&bypass);
    return text;
}

/* The browser itself looks up no name, so that none is told to anybody by what is got beforehand or
 * by WebRTC. */
static void put_proxy(struct job *job, const struct live *l, struct words *w)
{
    struct buf rules;
    mgi_buf_init(&rules);
    mgi_buf_puts(&rules, "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1");
    mgi_guard_excludes(l->reach, &rules);
    put_word(w, mgi_arena_str(job->arena, mgi_buf_view(&rules)).ptr);
    job->arena->oom |= rules.oom;
    mgi_buf_fini(&rules);
    put_word(w, mgi_arena_printf(job->arena, "--proxy-server=socks5://127.0.0.1:%d",
                                 mgi_guard_proxy_port(l->proxy)));
    put_word(w, mgi_arena_printf(job->arena, "--proxy-bypass-list=%s", mgi_live_bypass(job, l)));
}

static bool make_arguments(struct job *job, const struct live *l, const char *program,
                           struct words *w)
{
    put_word(w, program);
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
        put_word(w, switches[i]);
    if (!l->settings.headed && !is_headless_shell(program))
        put_word(w, "--headless=new");
    put_word(w, mgi_arena_printf(job->arena, "--user-data-dir=%s/profile", l->folder.path));
    put_word(w, mgi_arena_printf(job->arena, "--disk-cache-size=%d", 64 << 20));
    put_proxy(job, l, w);
    put_word(w, "about:blank");
    return !job->arena->oom;
}

/* Of the worker's environment only what a browser needs: it may hold what is nobody's business. */
static bool make_environment(struct job *job, const struct live *l, struct words *w)
{
    static const char *const passed[] = { "PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ" };
    static const char *const shown[] = { "DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR",
                                         "XAUTHORITY" };
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
        put_variable(job->arena, w, passed[i]);
    for (size_t i = 0; l->settings.headed && i < sizeof shown / sizeof *shown; i++)
        put_variable(job->arena, w, shown[i]);
    put_word(w, mgi_arena_printf(job->arena, "HOME=%s", l->folder.path));
    put_word(w, mgi_arena_printf(job->arena, "TMPDIR=%s/tmp", l->folder.path));
    put_word(w, mgi_arena_printf(job->arena, "XDG_CONFIG_HOME=%s/config", l->folder.path));
    put_word(w, mgi_arena_printf(job->arena, "XDG_CACHE_HOME=%s/cache", l->folder.path));
    return !job->arena->oom;
}

/* ---- where ---------------------------------------------------------------------------------- */

static bool make_folders(struct job *job, struct live *l)
{
    static const char *const inside[] = { "tmp", "profile", "downloads" };
    struct str under = l->settings.folder;
    const char *temporary = getenv("TMPDIR");
    /* What is temporary is where its host removes it, whatever becomes of this process. */
    const char *where = temporary && temporary[0] ? temporary : under.len > 0 ? under.ptr : NULL;
    if (under.len > 0 && mkdir(under.ptr, 0700) != 0 && errno != EEXIST)
        return mgi_job_fail(job, "the folder for recordings cannot be made: %s", strerror(errno));
    if (!mgi_confine_folder_make(&l->folder, where))
        return mgi_job_fail(job, "no folder could be made for the browser's profile: %s",
                            strerror(errno));
    const char *downloads = mgi_live_download_folder(l, job->arena);
    if (under.len > 0 && downloads && mkdir(downloads, 0700) != 0 && errno != EEXIST)
        return mgi_job_fail(job, "the folder for downloads cannot be made: %s", strerror(errno));
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
        if (mkdirat(l->folder.fd, inside[i], 0700) != 0)
            return mgi_job_fail(job, "no folder could be made for the browser's profile: %s",
                                strerror(errno));
    return true;
}

bool mgi_live_make_way(struct job *job, struct live *l)
{
    const char *why;
    l->proxy = mgi_guard_proxy_new(
        &(struct guard_reach){ .allow = l->reach, .page = l->settings.page }, &why);
    if (!l->proxy)
        return mgi_job_fail(job, "the browser's way to the network cannot be guarded: %s", why);
    return make_folders(job, l);
}

/* The first lines that the browser has written about itself: they say why it will not run. */
static struct str own_words(struct job *job, const struct live *l)
{
    char *text = mgi_arena_calloc(job->arena, 1, LOG_SHOWN + 1);
    int fd = openat(l->folder.fd, "browser.log", O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    ssize_t n = fd >= 0 && text ? read(fd, text, LOG_SHOWN) : 0;
    if (fd >= 0)
        close(fd);
    for (ssize_t i = 0; i < n; i++)
        if ((unsigned char)text[i] < 0x20)
            text[i] = ' ';
    return n > 0 ? mgi_str_trim(mgi_utf8_prefix((struct str){ text, (size_t)n }, LOG_SHOWN), " ")
                 : STR_LIT("");
}

static bool run_program(struct job *job, struct live *l, const char *path)
{
    struct words arguments = { .count = 0 }, environment = { .count = 0 };
    if (!make_arguments(job, l, path, &arguments) || !make_environment(job, l, &environment))
        return mgi_job_no_memory(job);
    int log =
        openat(l->folder.fd, "browser.log", O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    const char *why =
        mgi_pipe_program_start(&l->program, (char *const *)(void *)arguments.items,
                               (char *const *)(void *)environment.items, l->folder.path, log);
    if (log >= 0)
        close(log);
    if (why)
        return mgi_job_fail(job, "the browser %s could not be started: %s", path, why);
    if (l->processes) {
        bool whole = TH_HAS(l->processes, keep_tree);
        if ((whole ? l->processes->keep_tree : l->processes->keep)(l->program.pid) != TH_RC_OK)
            return mgi_job_fail(job, "the host does not let a browser stay");
    }
    l->ended = false;
    l->talk = mgi_talk_new(&l->program.wire, mgi_live_hear, mgi_live_ended, l);
    return l->talk ? true : mgi_job_no_memory(job);
}

bool mgi_live_start(struct job *job, struct live *l)
{
    const char *path = choose_program(job, l);
    if (!path || !mgi_live_make_way(job, l))
        return false;
    if (!run_program(job, l, path))
        return false;
    struct buf said;
    mgi_buf_init(&said);
    struct talk_patience patience = mgi_live_patience(job, START_MS);
    enum talk_answer answer =
        mgi_talk_ask(l->talk, STR_LIT(""), "Browser.getVersion", STR_LIT(""), &patience, &said);
    mgi_buf_fini(&said);
    if (answer == TALK_ANSWERED)
        return true;
    struct str words = own_words(job, l);
    const char *hint =
        is_headless_shell(path) ? "" : "; a confined action can run chromium-headless-shell alone";
    if (answer == TALK_ENDED)
        return mgi_job_fail(job, "the browser %s ended at once: %.*s%s", path, STR_ARG(words),
                            hint);
    return mgi_job_fail(job, "the browser %s did not answer in time: %.*s%s", path, STR_ARG(words),
                        hint);
}
