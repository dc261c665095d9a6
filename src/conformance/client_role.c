/* The client's role: a command is started once for each scene, with the scripted server of that
 * scene as the server that it is to speak to: a command of its own, or an address (conformance.h).
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/time.h"
#include "conformance/conformance_int.h"
#include "conformance/scene.h"
#include "sys/clock.h"

#define CLIENT_MS 20000 /* for one conversation */

extern char **environ;

/* The client's words, with those of the server for "{}". NULL: memory, or no such word. */
static const char **words_for(struct arena *a, const char *const *client, const char *const *server,
                              size_t server_count)
{
    size_t count = 0, used = 0;
    bool placed = false;
    while (client[count])
        count++;
    const char **words = mgi_arena_calloc(a, count + server_count + 1, sizeof *words);
    for (size_t i = 0; words && i < count; i++) {
        if (strcmp(client[i], "{}") != 0 || placed) {
            words[used++] = client[i];
            continue;
        }
        placed = true;
        for (size_t k = 0; k < server_count; k++)
            words[used++] = server[k];
    }
    return placed ? words : NULL;
}

static pid_t start_client(const char **words)
{
    posix_spawn_file_actions_t actions;
    pid_t pid = 0;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return 0;
    int rc = 0;
    for (int fd = 0; fd < 3 && !rc; fd++)
        rc = posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", fd ? O_WRONLY : O_RDONLY,
                                              0);
    if (!rc)
        rc = posix_spawnp(&pid, words[0], &actions, NULL, (char *const *)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return rc ? 0 : pid;
}

static bool await_client(pid_t pid)
{
    int64_t until_ns = mgi_clock_mono_ns() + CLIENT_MS * NS_PER_MS;
    while (waitpid(pid, NULL, WNOHANG) == 0) {
        if (mgi_clock_mono_ns() > until_ns) {
            kill(pid, SIGKILL);
            waitpid(pid, NULL, 0);
            return false;
        }
        (void)poll(NULL, 0, 10);
    }
    return true;
}

/* What the scene's server has left. */
static const char *read_notes(struct arena *a, const char *path)
{
    char text[512];
    FILE *file = fopen(path, "r");
    size_t got = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[got] = '\0';
    return mgi_arena_strdup(a, text);
}

struct role {
    const struct conformance_options *options;
    const char *const *client;
    const char *self;
    const char *notes;     /* a file; over stdio */
    struct scene_net *net; /* else */
    struct conformance_report *out;
};

static bool keep(const struct role *r, const struct scene *scene, const char *why, int64_t begun_ns)
{
    return mgi_report_keep(r->out, r->options, scene->ids, scene->what,
                           why[0] ? OUTCOME_FAIL : OUTCOME_PASS, why,
                           (mgi_clock_mono_ns() - begun_ns) / NS_PER_MS);
}

static bool play_on_streams(const struct role *r, const struct scene *scene)
{
    const char *const server[] = { r->self,     "conformance", "--scene",
                                   scene->name, "--notes",     r->notes };
    const char **words = words_for(r->out->arena, r->client, server, 6);
    int64_t begun_ns = mgi_clock_mono_ns();
    if (!words || truncate(r->notes, 0) != 0)
        return false;
    pid_t pid = start_client(words);
    bool ended = pid > 0 && await_client(pid);
    const char *notes = read_notes(r->out->arena, r->notes);
    bool passed = ended && notes && strncmp(notes, "pass", 4) == 0;
    return keep(r, scene,
                passed                                    ? ""
                : pid == 0                                ? "the client could not be started"
                : !ended                                  ? "the client did not end"
                : notes && strncmp(notes, "fail", 4) == 0 ? notes + 5
                                                          : "the client did not come",
                begun_ns);
}

static bool play_on_net(const struct role *r, const struct scene *scene)
{
    const char *const server[] = { mgi_scene_net_url(r->net) };
    const char **words = words_for(r->out->arena, r->client, server, 1);
    int64_t begun_ns = mgi_clock_mono_ns();
    struct buf fault = { 0 };
    bool passed = false, ended = true;
    if (!words)
        return false;
    pid_t pid = start_client(words);
    if (pid > 0)
        ended = mgi_scene_net_play(r->net, scene, pid, CLIENT_MS, &passed, &fault);
    bool good = keep(r, scene,
                     pid <= 0    ? "the client could not be started"
                     : fault.len ? fault.ptr
                     : !ended    ? "the client did not end"
                     : !passed   ? "no memory"
                                 : "",
                     begun_ns);
    mgi_buf_fini(&fault);
    return good;
}

static bool is_asked(const struct role *r, const struct scene *s)
{
    const char *only = r->options->only;
    return (s->over & r->out->carrier) && (!only || strstr(s->ids, only) || strstr(s->what, only));
}

static bool has_word(const char *const *client, struct buf *why)
{
    for (; *client; client++)
        if (strcmp(*client, "{}") == 0)
            return true;
    mgi_buf_puts(why, "the client's command has no word {}");
    return false;
}

static bool play_scenes(const struct role *r)
{
    bool good = true;
    for (const struct scene *s = mgi_scenes; good && s->name; s++)
        if (is_asked(r, s))
            good = r->net ? play_on_net(r, s) : play_on_streams(r, s);
    return good;
}

bool mgi_conformance_run_client(const struct conformance_options *options,
                                const char *const *client, const char *self, struct arena *arena,
                                struct conformance_report *out, struct buf *why)
{
    char path[] = "/tmp/manglecp-scene-XXXXXX";
    enum carrier over = options->client_over ? options->client_over : OVER_STDIO;
    struct role r = { options, client, self, path, NULL, out };
    *out = (struct conformance_report){ .carrier = over,
                                        .level = options->level ? options->level : 3,
                                        .in_part = true, /* of no server's level */
                                        .arena = arena };
    if (!has_word(client, why))
        return false;
    if (over != OVER_STDIO) {
        r.net = mgi_scene_net_new(over, why);
        bool good = r.net && play_scenes(&r);
        mgi_scene_net_free(r.net);
        return good && mgi_report_conclude(out);
    }
    int fd = mkstemp(path);
    if (fd < 0) {
        mgi_buf_printf(why, "%s: %s", path, strerror(errno));
        return false;
    }
    close(fd);
    bool good = play_scenes(&r);
    unlink(path);
    return good && mgi_report_conclude(out);
}
