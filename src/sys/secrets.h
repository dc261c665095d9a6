/* The environment that the process was started with, by name. */
#ifndef MGI_SYS_SECRETS_H
#define MGI_SYS_SECRETS_H

/* The value of the variable `name`, as at the start; NULL: it is not set. Valid as long as the
 * process lives. Any thread. */
const char *mgi_secret(const char *name);

#endif
