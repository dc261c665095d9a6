/* A program with a MangleCP server inside: it serves a domain folder on a port that the system
 * chooses, asks it as any client would, and stops it. docs/serving.md says how it is built. */
#include <manglecp.h>
#include <pthread.h>
#include <stdio.h>

static void *serve(void *service)
{
    char why[4096];
    if (manglecp_service_run(service, why, sizeof why) != MANGLECP_OK)
        fprintf(stderr, "%s\n", why);
    return NULL;
}

int main(int argc, char **argv)
{
    struct manglecp_service_options options = {
        .domain = argc > 1 ? argv[1] : ".",
        .programs = argc > 2 ? argv[2] : NULL, /* the folder of toolhost */
        .config = "log: {level: warn}\n",      /* what `manglecp serve --config` reads */
        .token = "a-secret-between-us",
    };
    manglecp_service *service;
    char why[4096], url[64];
    int port;
    if (manglecp_service_new(&options, &service, why, sizeof why) ||
        manglecp_service_listen(service, "127.0.0.1:0", &port, why, sizeof why)) {
        fprintf(stderr, "%s\n", why);
        return 1;
    }
    pthread_t thread;
    if (pthread_create(&thread, NULL, serve, service) != 0)
        return 1;

    struct manglecp_options caller = { .token = options.token };
    manglecp_client *client;
    snprintf(url, sizeof url, "http://127.0.0.1:%d", port);
    if (manglecp_connect(url, &caller, &client, why, sizeof why) == MANGLECP_OK) {
        size_t len;
        const char *manifest = manglecp_manifest(client, &len);
        printf("%.*s\n", (int)len, manifest);
        manglecp_close(client);
    } else {
        fprintf(stderr, "%s\n", why);
    }

    manglecp_service_stop(service); /* from any thread; requests that run may finish */
    pthread_join(thread, NULL);
    manglecp_service_free(service);
    return 0;
}
