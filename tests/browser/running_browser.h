/* A browser that runs before a test and goes on after it, with DevTools on a port. */
#ifndef TESTS_BROWSER_RUNNING_BROWSER_H
#define TESTS_BROWSER_RUNNING_BROWSER_H

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "browser/site.h"

struct running_browser {
    char folder[64];
    pid_t pid;
    unsigned port;
};

static inline void running_exec(const struct running_browser *r)
{
    char profile[96], port[48];
    const char *names[] = { "/usr/lib/chromium/chromium-headless-shell",
                            "chromium-headless-shell" };
    int nowhere = open("/dev/null", O_RDWR);
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(nowhere, 1);
    dup2(nowhere, 2);
    snprintf(profile, sizeof profile, "--user-data-dir=%s", r->folder);
    snprintf(port, sizeof port, "--remote-debugging-port=%u", r->port);
    for (size_t i = 0; i < 2; i++)
        execlp(names[i], names[i], "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", port,
               profile, "about:blank", (char *)NULL);
    _exit(127);
}

/* False: it does not run in time. The port is the same when it is started again. */
static inline bool running_start(struct running_browser *r)
{
    char name[96];
    if (!r->folder[0]) {
        snprintf(r->folder, sizeof r->folder, "/tmp/manglecp-running-XXXXXX");
        if (!mkdtemp(r->folder))
            return false;
    }
    snprintf(name, sizeof name, "%s/DevToolsActivePort", r->folder);
    unlink(name);
    r->pid = fork();
    if (r->pid == 0)
        running_exec(r);
    for (int i = 0; i < 600; i++) {
        FILE *f = fopen(name, "r");
        bool there = f && fscanf(f, "%u\n/devtools", &r->port) == 1;
        if (f)
            fclose(f);
        if (there)
            return true;
        poll(NULL, 0, 50);
    }
    return false;
}

static inline bool running_is_alive(const struct running_browser *r)
{
    return waitpid(r->pid, NULL, WNOHANG) == 0;
}

static inline void running_kill(struct running_browser *r)
{
    kill(-r->pid, SIGKILL);
    waitpid(r->pid, NULL, 0);
}

static inline void running_stop(struct running_browser *r)
{
    char text[96];
    running_kill(r);
    snprintf(text, sizeof text, "rm -rf %s", r->folder);
    if (system(text) != 0)
        perror(text);
}

/* What DevTools answer to a request; "" if they do not. Valid until the next one. */
static inline const char *running_ask(const struct running_browser *r, const char *method,
                                      const char *path)
{
    static char text[65536];
    struct sockaddr_in at = { .sin_family = AF_INET,
                              .sin_port = htons((uint16_t)r->port),
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct pollfd one = { .fd = fd, .events = POLLIN };
    size_t len = 0;
    ssize_t n;
    int asked = snprintf(text, sizeof text, "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n\r\n", method,
                         path, r->port);
    text[asked] = '\0';
    if (connect(fd, (struct sockaddr *)&at, sizeof at) == 0 &&
        send(fd, text, (size_t)asked, MSG_NOSIGNAL) == asked)
        while (poll(&one, 1, len ? 300 : 20000) > 0 && /* it stays open */
               (n = recv(fd, text + len, sizeof text - 1 - len, 0)) > 0)
            len += (size_t)n;
    close(fd);
    text[len] = '\0';
    return text;
}

#endif
