/* Clients of a server, as cheap as they can be made, so that what is measured is the server: each
 * connection sends a request, waits for the whole answer, and sends the next one at once.
 *
 *   server_load PORT CONNECTIONS SECONDS FILE [SERVER]
 *
 * FILE holds a request's body on each line, asked in turn; no FILE ("-"): the manifest is read. One
 * line comes out: answers a second, p50, p99 and the longest in milliseconds, microseconds of this
 * program's processor time an answer, and of SERVER's, a process id. */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/time.h"

#define MAX_BODIES  64
#define MAX_ANSWERS 4000000
#define ANSWER_MAX  (1 << 20)

struct client {
    int fd;
    unsigned next; /* of the requests */
    int64_t asked_ns;
    size_t got, whole; /* of the answer; whole is 0 until its head is there */
    char head[4096];
};

static struct {
    char *requests[MAX_BODIES];
    size_t lengths[MAX_BODIES];
    unsigned count;
    int32_t *us; /* how long each answer took */
    size_t answers;
} load;

static int64_t at_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * NS_PER_SEC + t.tv_nsec;
}

static void stop(const char *why)
{
    fprintf(stderr, "server_load: %s\n", why);
    exit(1);
}

/* ---- requests -------------------------------------------------------------------------------- */

static void add_request(const char *body, size_t len)
{
    char *text = malloc(len + 256);
    if (!text || load.count == MAX_BODIES)
        stop("no memory, or more bodies than there is room for");
    int head =
        body ? snprintf(text, 256,
                        "POST /manglecp/evaluate HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                        "application/json\r\nContent-Length: %zu\r\n\r\n",
                        len)
             : snprintf(text, 256,
                        "GET /.well-known/manglecp/manifest.json HTTP/1.1\r\nHost: "
                        "localhost\r\n\r\n");
    if (body)
        memcpy(text + head, body, len);
    load.requests[load.count] = text;
    load.lengths[load.count++] = (size_t)head + len;
}

static void read_requests(const char *path)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t len;
    FILE *f = strcmp(path, "-") == 0 ? NULL : fopen(path, "r");
    if (!f)
        add_request(NULL, 0);
    while (f && (len = getline(&line, &room, f)) > 0)
        add_request(line, (size_t)len);
    free(line);
    if (f)
        fclose(f);
}

/* ---- clients --------------------------------------------------------------------------------- */

static void ask(struct client *c)
{
    const char *text = load.requests[c->next % load.count];
    size_t len = load.lengths[c->next++ % load.count], sent = 0;
    c->got = c->whole = 0;
    c->asked_ns = at_ns(CLOCK_MONOTONIC);
    while (sent < len) { /* the server reads what is that short */
        ssize_t n = send(c->fd, text + sent, len - sent, MSG_NOSIGNAL);
        if (n <= 0)
            stop("the server has closed a connection");
        sent += (size_t)n;
    }
}

/* Of the answer's head, once it is there. */
static size_t whole_of(struct client *c)
{
    c->head[c->got < sizeof c->head - 1 ? c->got : sizeof c->head - 1] = '\0';
    const char *end = strstr(c->head, "\r\n\r\n"), *length = strstr(c->head, "Content-Length: ");
    if (!end)
        return 0;
    if (strncmp(c->head, "HTTP/1.1 200", 12) != 0 || !length || length > end)
        stop(c->head);
    return (size_t)(end + 4 - c->head) + strtoul(length + 16, NULL, 10);
}

static void hear(struct client *c)
{
    static char bytes[ANSWER_MAX];
    ssize_t n = recv(c->fd, bytes, sizeof bytes, 0);
    if (n <= 0)
        stop("the server has closed a connection");
    if (c->got < sizeof c->head) {
        size_t room = sizeof c->head - c->got;
        memcpy(c->head + c->got, bytes, (size_t)n < room ? (size_t)n : room);
    }
    c->got += (size_t)n;
    if (c->whole == 0)
        c->whole = whole_of(c);
    if (c->whole == 0 || c->got < c->whole)
        return;
    if (load.answers < MAX_ANSWERS)
        load.us[load.answers++] = (int32_t)((at_ns(CLOCK_MONOTONIC) - c->asked_ns) / 1000);
    ask(c);
}

static int connect_to(int port)
{
    struct sockaddr_in address = { .sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)port),
                                   .sin_addr = { htonl(INADDR_LOOPBACK) } };
    int one = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0)
        stop("no connection");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}

static void run_clients(int port, int count, double seconds)
{
    struct client *clients = calloc((size_t)count, sizeof *clients);
    int epoll = epoll_create1(0);
    if (!clients || epoll < 0)
        stop("out of memory");
    for (int i = 0; i < count; i++) {
        struct epoll_event wanted = { .events = EPOLLIN, .data = { .ptr = &clients[i] } };
        clients[i] = (struct client){ .fd = connect_to(port), .next = (unsigned)i };
        epoll_ctl(epoll, EPOLL_CTL_ADD, clients[i].fd, &wanted);
        ask(&clients[i]);
    }
    int64_t end_ns = at_ns(CLOCK_MONOTONIC) + (int64_t)(seconds * (double)NS_PER_SEC);
    while (at_ns(CLOCK_MONOTONIC) < end_ns) {
        struct epoll_event events[64];
        int n = epoll_wait(epoll, events, 64, 100);
        for (int i = 0; i < n; i++)
            hear(events[i].data.ptr);
    }
    for (int i = 0; i < count; i++)
        close(clients[i].fd);
    close(epoll);
    free(clients);
}

/* ---- figures --------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    return *(const int32_t *)a - *(const int32_t *)b;
}

static double ms_at(double share)
{
    return load.us[(size_t)(share * (double)(load.answers - 1))] / 1000.0;
}

int main(int argc, char **argv)
{
    if (argc < 5)
        stop("PORT CONNECTIONS SECONDS FILE [SERVER]");
    clockid_t server = 0;
    double seconds = atof(argv[3]);
    bool has_server = argc > 5 && clock_getcpuclockid(atoi(argv[5]), &server) == 0;
    load.us = malloc(MAX_ANSWERS * sizeof *load.us);
    if (!load.us)
        stop("out of memory");
    read_requests(argv[4]);
    int64_t began = at_ns(CLOCK_MONOTONIC), own = at_ns(CLOCK_PROCESS_CPUTIME_ID);
    int64_t theirs = has_server ? at_ns(server) : 0;
    run_clients(atoi(argv[1]), atoi(argv[2]), seconds);
    if (load.answers == 0)
        stop("no answer came");
    double took = (double)(at_ns(CLOCK_MONOTONIC) - began) / (double)NS_PER_SEC;
    double answers = (double)load.answers;
    own = at_ns(CLOCK_PROCESS_CPUTIME_ID) - own;
    theirs = has_server ? at_ns(server) - theirs : 0;
    qsort(load.us, load.answers, sizeof *load.us, ascending);
    printf("%.0f/s p50 %.3f p99 %.3f max %.3f client %.1f server %.1f\n", answers / took,
           ms_at(0.5), ms_at(0.99), ms_at(1), (double)own / answers / 1000,
           (double)theirs / answers / 1000);
    return 0;
}
