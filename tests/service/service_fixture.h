/* A service of a small domain made for one test: no plugin, no tool, one rule. */
#ifndef TESTS_SERVICE_SERVICE_FIXTURE_H
#define TESTS_SERVICE_SERVICE_FIXTURE_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "manglecp.h"

#define SERVICE_TOKEN "a-token-of-the-tests"

struct small_domain {
    char folder[64];
};

static inline void small_write(const struct small_domain *d, const char *path, const char *text)
{
    char full[256];
    snprintf(full, sizeof full, "%s/%s", d->folder, path);
    for (char *c = full + strlen(d->folder) + 1; (c = strchr(c, '/')) != NULL; c++) {
        *c = '\0';
        mkdir(full, 0700);
        *c = '/';
    }
    FILE *f = fopen(full, "w");
    if (!f || fputs(text, f) < 0 || fclose(f) != 0)
        abort();
}

static inline void small_make(struct small_domain *d)
{
    strcpy(d->folder, "/tmp/service_test.XXXXXX");
    if (!mkdtemp(d->folder))
        abort();
    small_write(d, "domain.yaml",
                "server: {name: small, version: 1.0.0}\n"
                "domain: {id: small, description: d}\n"
                "intents: [{name: go, description: g}]\n");
    small_write(d, "rules/schema/s.mg",
                "Decl seen(What) descr [direction(\"input\")] bound [/string].\n");
}

static inline void small_remove(const struct small_domain *d)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", d->folder);
    if (system(command) != 0) /* NOLINT(cert-env33-c): a path of our own */
        abort();
}

static inline void no_log(void *context, const char *line, size_t len)
{
    (void)context, (void)line, (void)len;
}

/* One exchange with the server on `port`; the answer's head and the beginning of its body. False:
 * there was none within ten seconds. */
static inline bool http_ask(int port, const char *request, char *answer, size_t cap)
{
    struct sockaddr_in address = { .sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    struct timeval patience = { .tv_sec = 10 };
    size_t len = 0;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    bool ok = connect(fd, (struct sockaddr *)&address, sizeof address) == 0 &&
              send(fd, request, strlen(request), MSG_NOSIGNAL) == (ssize_t)strlen(request);
    for (ssize_t n = 1; ok && n > 0 && len < cap - 1; len += (size_t)(n > 0 ? n : 0))
        n = recv(fd, answer + len, cap - 1 - len, 0);
    answer[len] = '\0';
    close(fd);
    return ok && len > 0;
}

static inline void http_request(char *out, size_t cap, const char *method, const char *path,
                                const char *body)
{
    snprintf(out, cap,
             "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " SERVICE_TOKEN "\r\n"
             "Content-Type: application/json\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n%s",
             method, path, strlen(body), body);
}

#define INTENT_GO                                                                                  \
    "{\"type\":\"intent_request\",\"id\":\"1\",\"manglecp\":\"2026-02-draft\","                    \
    "\"payload\":{\"intent\":{\"name\":\"go\"},\"facts\":[]}}"

#endif
