/* The same with the client: start a server, named on the command line, and read its manifest. */
#include <manglecp.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    manglecp_client *client;
    char why[256] = "";
    size_t len;
    if (argc < 2 || manglecp_spawn((const char *const *)argv + 1, NULL, &client, why, sizeof why)) {
        fprintf(stderr, "%s\n", why);
        return 1;
    }
    const char *manifest = manglecp_manifest(client, &len);
    puts(strstr(manifest, "\"type\":\"manifest\"") ? "a manifest" : manifest);
    manglecp_close(client);
    return 0;
}
