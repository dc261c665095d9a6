/* The thread, and what it tells the others: a place to connect to, or why there is none. */
#include "bridge/home.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/encode.h"
#include "security/auth.h"
#include "service/service.h"
#include "sys/digest.h"
#include "sys/random.h"

#define SECRET_BYTES 32
#define SECRET_CHARS 43 /* base64url */
#define MAX_FLAGS    256

struct home {
    struct home_options options;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    manglecp_service *service; /* while it can be told something */
    bool placed, ended, loading;
    struct buf why;  /* it has ended: a line per fault */
    int credentials; /* a file in memory: who has the token, and what the key is */
    char token[SECRET_CHARS + 1], confirm_key[SECRET_CHARS + 1];
    char address[64];
};

/* ---- secrets ------------------------------------------------------------------------------- */

static bool make_secret(char out[SECRET_CHARS + 1])
{
    uint8_t bytes[SECRET_BYTES];
    if (!mgi_random(bytes, sizeof bytes))
        return false;
    mgi_base64url_encode(bytes, sizeof bytes, out);
    return true;
}

/* Keyed by what is ours alone, so it need not be kept. */
bool mgi_home_token(const struct home *h, const struct principal *who,
                    char out[HOME_TOKEN_CHARS + 1])
{
    uint8_t tag[SHA256_BYTES];
    struct str key = mgi_principal_key(who);
    if (!mgi_hmac_sha256(str_of(h->token), key.ptr, key.len, tag))
        return false;
    mgi_base64url_encode(tag, sizeof tag, out);
    return true;
}

static void print_others(const struct home *h, const struct auth *auth, struct buf *out)
{
    char token[HOME_TOKEN_CHARS + 1];
    for (size_t i = 0; i < mgi_auth_count(auth); i++) {
        const struct principal *who = mgi_auth_get(auth, i);
        bool again = false; /* with another credential */
        for (size_t k = 0; k < i && !again; k++)
            again = mgi_principal_is(mgi_auth_get(auth, k), who);
        if (again)
            continue;
        out->oom |= !mgi_home_token(h, who, token);
        if (!out->oom)
            mgi_auth_print_as(out, str_of(token), who, h->confirm_key);
    }
}

/* The server reads its credentials from a file; this one is in memory and has no name. */
static bool write_credentials(const struct home *h, const struct auth *auth)
{
    const struct auth_words words = { .identity = "local",
                                      .permissions = "intent:*,why_not",
                                      .confirm_key = h->confirm_key };
    struct buf text = { 0 };
    mgi_auth_print_line(&text, str_of(h->token), &words);
    print_others(h, auth, &text);
    bool kept = !text.oom && ftruncate(h->credentials, 0) == 0 &&
                pwrite(h->credentials, text.ptr, text.len, 0) == (ssize_t)text.len;
    mgi_buf_wipe(&text);
    return kept;
}

static bool keep_credentials(struct home *h)
{
    h->credentials = memfd_create("manglecp", MFD_CLOEXEC);
    return h->credentials >= 0 && fchmod(h->credentials, 0600) == 0 &&
           write_credentials(h, h->options.auth);
}

/* ---- the thread ---------------------------------------------------------------------------- */

static enum service_fault make_service(struct home *h, manglecp_service **out, struct buf *text)
{
    struct config_flag flags[MAX_FLAGS];
    char folder[4096], credentials[32], why[1024];
    int port;
    size_t count = h->options.flag_count < MAX_FLAGS - 1 ? h->options.flag_count : MAX_FLAGS - 1;
    if (count > 0)
        memcpy(flags, h->options.flags, count * sizeof *flags);
    snprintf(credentials, sizeof credentials, "/proc/self/fd/%d", h->credentials);
    flags[count++] = (struct config_flag){ "--auth", credentials };
    struct service_options options = {
        .config = { .folder = getcwd(folder, sizeof folder) ? folder : NULL,
                    .flags = flags,
                    .flag_count = count,
                    .listens_elsewhere = true },
        .programs = h->options.programs,
        .tells_author = h->options.tells_author,
        .log = h->options.log,
        .log_context = h->options.context,
        .served = h->options.served,
        .served_context = h->options.served_context,
    };
    enum service_fault fault = mgi_service_new(&options, out, text);
    if (fault)
        return fault;
    if (manglecp_service_listen(*out, "127.0.0.1:0", &port, why, sizeof why)) {
        mgi_buf_puts(text, why);
        manglecp_service_free(*out);
        *out = NULL;
        return SERVICE_WORLD_FAILED;
    }
    snprintf(h->address, sizeof h->address, "http://127.0.0.1:%d", port);
    return SERVICE_FINE;
}

static void tell_place(struct home *h, manglecp_service *service)
{
    pthread_mutex_lock(&h->lock);
    h->service = service;
    h->placed = true;
    if (h->ended) /* mgi_home_free() came first */
        manglecp_service_stop(service);
    pthread_cond_broadcast(&h->changed);
    pthread_mutex_unlock(&h->lock);
}

static void *serve(void *context)
{
    struct home *h = context;
    manglecp_service *service = NULL;
    struct buf text = { 0 };
    enum service_fault fault = make_service(h, &service, &text);
    if (!fault) {
        tell_place(h, service);
        fault = mgi_service_run(service, &text);
    }
    if (fault && text.len == 0)
        mgi_buf_puts(&text, "out of memory");
    pthread_mutex_lock(&h->lock);
    h->service = NULL;
    h->ended = true;
    h->loading = service && mgi_service_is_loading(service);
    h->why = text;
    pthread_cond_broadcast(&h->changed);
    pthread_mutex_unlock(&h->lock);
    if (!h->loading)
        manglecp_service_free(service);
    return NULL;
}

/* ---- what the others call ------------------------------------------------------------------ */

struct home *mgi_home_new(const struct home_options *options)
{
    struct home *h = mgi_calloc(1, sizeof *h);
    if (!h)
        return NULL;
    h->options = *options;
    h->credentials = -1;
    pthread_mutex_init(&h->lock, NULL);
    pthread_cond_init(&h->changed, NULL);
    if (make_secret(h->token) && make_secret(h->confirm_key) && keep_credentials(h) &&
        pthread_create(&h->thread, NULL, serve, h) == 0)
        return h;
    if (h->credentials >= 0)
        close(h->credentials);
    pthread_cond_destroy(&h->changed);
    pthread_mutex_destroy(&h->lock);
    mgi_free(h);
    return NULL;
}

static bool tell_end(const struct home *h, struct buf *why)
{
    mgi_buf_str(why, mgi_str_trim(mgi_buf_view(&h->why), "\n"));
    return true;
}

bool mgi_home_place(struct home *h, struct home_place *out, struct buf *why)
{
    pthread_mutex_lock(&h->lock);
    while (!h->placed && !h->ended)
        pthread_cond_wait(&h->changed, &h->lock);
    bool there = !h->ended;
    if (!there)
        (void)tell_end(h, why);
    pthread_mutex_unlock(&h->lock);
    *out = (struct home_place){ h->address, h->token, h->confirm_key };
    return there;
}

bool mgi_home_has_failed(struct home *h, struct buf *why)
{
    pthread_mutex_lock(&h->lock);
    bool failed = h->ended && tell_end(h, why);
    pthread_mutex_unlock(&h->lock);
    return failed;
}

bool mgi_home_reload(struct home *h, const struct auth *auth)
{
    pthread_mutex_lock(&h->lock);
    bool told = write_credentials(h, auth);
    if (told && h->service)
        manglecp_service_reload(h->service);
    pthread_mutex_unlock(&h->lock);
    return told;
}

bool mgi_home_free(struct home *h)
{
    if (!h)
        return true;
    pthread_mutex_lock(&h->lock);
    if (h->service) {
        manglecp_service_stop(h->service);
        manglecp_service_stop(h->service); /* nobody is left who waits for an answer */
    }
    h->ended = true;
    pthread_mutex_unlock(&h->lock);
    pthread_join(h->thread, NULL);
    if (h->loading)
        return false;
    close(h->credentials);
    mgi_buf_fini(&h->why);
    pthread_cond_destroy(&h->changed);
    pthread_mutex_destroy(&h->lock);
    mgi_free(h);
    return true;
}
