/* What may stand below `actions:` of domain.yaml, a row per kind, and how a provider's document
 * reaches its host. */
#include <linux/memfd.h>
#include <sys/mman.h>
#include <fcntl.h>
#include <unistd.h>

#include "actions/kinds.h"
#include "actions/toolpool_int.h"
#include "sys/write.h"

const struct action_kind mgi_action_kinds[] = {
    { "plugins", mgi_read_plugins, false },  /* shared objects */
    { "hosts", mgi_read_hosts, false },      /* programs that speak the toolhost's lines */
    { "commands", mgi_read_commands, true }, /* programs as they are, each call its own process */
    { "http", mgi_read_http, false },        /* operations of HTTP APIs */
    { "mcp", mgi_read_mcp, false },          /* tools of MCP servers */
    { NULL, NULL, false },
};

/* To ask MCP servers what they offer, and nothing else. */
const struct action_kind mgi_lock_kinds[] = { { "mcp", mgi_read_mcp_to_lock, false },
                                              { NULL, NULL, false } };

/* Not a file by name: the document may hold what no other process is to read. */
int mgi_provider_file(const struct action_provider *p)
{
    const int seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
    if (p->document.len == 0)
        return -1;
    int fd = memfd_create("provider", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0)
        return PROVIDER_FILE_FAILED;
    if (mgi_write_all(fd, p->document) && lseek(fd, 0, SEEK_SET) == 0 &&
        fcntl(fd, F_ADD_SEALS, seals) == 0)
        return fd;
    close(fd);
    return PROVIDER_FILE_FAILED;
}
