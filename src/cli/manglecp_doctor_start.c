/* `manglecp doctor`: starting what was found, a few at a time. Each thread has one server; what it
 * hears lives in that server's arena, and is looked at when all threads have ended. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "actions/client_offer.h"
#include "base/utf8.h"
#include "cli/cli_stop.h"
#include "cli/manglecp_doctor.h"

enum { SIDE_BY_SIDE = 8, WHY_BYTES = 600 };

struct starting {
    struct examination *e;
    struct client_ask ask;
    pthread_mutex_t lock;
    size_t next;
};

static struct doctor_server *next_server(struct starting *s)
{
    struct doctor_server *found = NULL;
    pthread_mutex_lock(&s->lock);
    while (!found && !mgi_cli_is_stopped(NULL) && s->next < s->e->server_count) {
        struct doctor_server *one = s->e->servers[s->next++];
        if (one->state == SERVER_FAILED)
            found = one;
    }
    pthread_mutex_unlock(&s->lock);
    return found;
}

static void *ask_servers(void *context)
{
    struct starting *s = context;
    for (struct doctor_server *one = next_server(s); one; one = next_server(s))
        if (mgi_client_server_offer(&s->ask, one->name, one->document, &one->answer, &one->offer,
                                    &one->why))
            one->state = SERVER_STARTED;
    return NULL;
}

/* Which are to be started: FAILED, until they have answered. */
static size_t choose(struct examination *e)
{
    size_t count = 0;
    for (size_t i = 0; i < e->server_count; i++) {
        struct doctor_server *s = e->servers[i];
        bool trusted = false;
        if (s->state != SERVER_LEFT || s->document.len == 0)
            continue;
        for (size_t k = 0; k < s->file_count; k++)
            trusted |= s->files[k]->trusted;
        if (!trusted) {
            mgi_doctor_add(e, &s->findings, CHECK_NOT_TRUSTED,
                           "it is named by a file of this folder, and was not started");
            continue;
        }
        mgi_arena_init(&s->answer, 0);
        s->state = SERVER_FAILED;
        count++;
    }
    return count;
}

static bool is_elsewhere(const struct doctor_server *s)
{
    const struct yaml_node *url;
    (void)mgi_client_config_kind(s->entry, &url);
    return url != NULL;
}

bool mgi_doctor_start(struct examination *e, int64_t timeout_ms)
{
    struct starting s = { .e = e,
                          .ask = { .toolhost = e->toolhost,
                                   .plugin = e->plugin,
                                   .timeout_ms = timeout_ms,
                                   .is_over = mgi_cli_is_stopped } };
    struct stop_watch watch;
    pthread_t threads[SIDE_BY_SIDE];
    size_t running = 0, count = choose(e);
    if (pthread_mutex_init(&s.lock, NULL) != 0)
        return false;
    mgi_cli_watch_stop(&watch);
    while (running < SIDE_BY_SIDE && running < count &&
           pthread_create(&threads[running], NULL, ask_servers, &s) == 0)
        running++;
    if (running == 0)
        (void)ask_servers(&s);
    for (size_t i = 0; i < running; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&s.lock);
    mgi_cli_unwatch_stop(&watch);
    for (size_t i = 0; i < e->server_count; i++) {
        struct doctor_server *one = e->servers[i];
        if (one->state != SERVER_FAILED)
            continue;
        struct str why = str_of(one->why ? one->why : "out of memory");
        one->why = mgi_doctor_without_secrets(e, one, mgi_utf8_prefix(why, WHY_BYTES));
        mgi_doctor_add(e, &one->findings, is_elsewhere(one) ? CHECK_NOT_REACHED : CHECK_NOT_STARTED,
                       "%s", one->why);
    }
    return true;
}
