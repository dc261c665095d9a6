/* libcurl, loaded when a client first needs it. Only clients over HTTP do, and it brings thirty
 * more libraries along: a server that links them takes 4 ms longer to start and 4 MB more
 * (bench/run server). */
#ifndef MGI_NET_CURL_LATE_H
#define MGI_NET_CURL_LATE_H

#include <curl/curl.h>

#include "base/buf.h"

#define CURL_LATE_FUNCTIONS(X)                                                                     \
    X(easy_init)                                                                                   \
    X(easy_setopt)                                                                                 \
    X(easy_perform)                                                                                \
    X(easy_getinfo)                                                                                \
    X(easy_send)                                                                                   \
    X(easy_recv)                                                                                   \
    X(easy_strerror)                                                                               \
    X(easy_cleanup)                                                                                \
    X(multi_init)                                                                                  \
    X(multi_setopt)                                                                                \
    X(multi_add_handle)                                                                            \
    X(multi_remove_handle)                                                                         \
    X(multi_perform)                                                                               \
    X(multi_poll)                                                                                  \
    X(multi_info_read)                                                                             \
    X(multi_cleanup)                                                                               \
    X(slist_append)                                                                                \
    X(slist_free_all)                                                                              \
    X(url)                                                                                         \
    X(url_set)                                                                                     \
    X(url_get)                                                                                     \
    X(url_cleanup)                                                                                 \
    X(free)

/* curl_NAME is the member NAME. */
struct curl_late {
/* NOLINTNEXTLINE(bugprone-macro-parentheses): a member cannot be put in parentheses */
#define CURL_LATE_MEMBER(name) __typeof__(&curl_##name) name;
    CURL_LATE_FUNCTIONS(CURL_LATE_MEMBER)
#undef CURL_LATE_MEMBER
};

/* Fill *out. False: libcurl cannot be loaded, and `why` says so. It stays loaded until the process
 * ends, because what it depends on registers itself there. */
bool mgi_curl_late_open(struct curl_late *out, struct buf *why);

/* Sets CURLOPT_URL, and the proxy for it: what https_proxy, all_proxy and no_proxy of the
 * environment say, but none for this machine (another one's loopback is not ours), and none where
 * there is no TLS, for it would read all that is said. */
void mgi_curl_set_url(const struct curl_late *api, CURL *c, const char *url);

/* For what a domain's author wrote: it goes to the address that is said and nowhere else, with
 * nothing that the environment or the user's home would add. */
void mgi_curl_bind(const struct curl_late *api, CURL *c);

/* CURLOPT_WRITEFUNCTION: the body goes to the struct buf of CURLOPT_WRITEDATA, up to its limit. */
size_t mgi_curl_take(char *bytes, size_t one, size_t count, void *body);

#endif
