/* The client's role: a command is started once for each scene, with the scripted server of that
 * scene as the server that it is to speak to (conformance.h). */
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

/* The client's words, with those of the scene's server for "{}". NULL: memory, or no such word. */
static const char **words_for(struct arena *a, const char *const *client, const char *self,
                              const char *scene, const char *notes)
{
    const char *const server[] = { self, "conformance", "--scene", scene, "--notes", notes };
    size_t count = 0, used = 0;
    bool placed = false;
    while (client[count])
        count++;
    const char **words = mgi_arena_calloc(a, count + 7, sizeof *words);
    for (size_t i = 0; words && i < count; i++) {
        if (strcmp(client[i], "{}") != 0 || placed) {
            words[used++] = client[i];
            continue;
        }
        placed = true;
        for (size_t k = 0; k < 6; k++)
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

static bool play_scene(const struct conformance_options *o, const struct scene *scene,
                       const char **words, const char *path, struct conformance_report *out)
{
    int64_t begun_ns = mgi_clock_mono_ns();
    pid_t pid = start_client(words);
    bool ended = pid > 0 && await_client(pid);
    const char *notes = read_notes(out->arena, path);
    bool passed = ended && notes && strncmp(notes, "pass", 4) == 0;
    const char *why = pid == 0                                  ? "the client could not be started"
                      : !ended                                  ? "the client did not end"
                      : notes && strncmp(notes, "fail", 4) == 0 ? notes + 5
                                                                : "the client did not come";
    return mgi_report_keep(out, o, scene->ids, scene->what, passed ? OUTCOME_PASS : OUTCOME_FAIL,
                           passed ? "" : why, (mgi_clock_mono_ns() - begun_ns) / NS_PER_MS);
}

bool mgi_conformance_run_client(const struct conformance_options *options,
                                const char *const *client, const char *self, struct arena *arena,
                                struct conformance_report *out, struct buf *why)
{
    char path[] = "/tmp/manglecp-scene-XXXXXX";
    int fd = mkstemp(path);
    bool good = fd >= 0;
    *out = (struct conformance_report){ .carrier = OVER_STDIO,
                                        .level = options->level ? options->level : 3,
                                        .in_part = true, /* of no server's level */
                                        .arena = arena };
    if (fd >= 0)
        close(fd);
    else
        mgi_buf_printf(why, "%s: %s", path, strerror(errno));
    for (const struct scene *s = mgi_scenes; good && s->name; s++) {
        const char **words = words_for(arena, client, self, s->name, path);
        if (!words)
            mgi_buf_puts(why, "the client's command has no word {}");
        if (options->only && !strstr(s->ids, options->only) && !strstr(s->what, options->only))
            continue;
        good = words && truncate(path, 0) == 0 && play_scene(options, s, words, path, out);
    }
    if (fd >= 0)
        unlink(path);
    return good && mgi_report_conclude(out);
}
