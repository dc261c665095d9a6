#include "cli/manglecp_import.h"
int mgi_import_read_openapi(struct importing *im, const char *path)
{
    (void)im, (void)path;
    return EXIT_USAGE;
}
