/* Files of a domain folder, read whole. Findings quote their lines until mgi_findings_forget(). */
#ifndef MGI_DOMAIN_FILES_H
#define MGI_DOMAIN_FILES_H

#include "domain/yaml.h"

struct file {
    const char *path; /* relative to the domain folder */
    struct str text;
};
struct file_list {
    struct file *items;
    size_t count, cap;
};

/* All regular files below folder/under whose names end in one of the NULL-terminated suffixes, with
 * their content, sorted by path. A folder that does not exist is empty. What cannot be read (a link
 * that leads nowhere or to a folder, a folder too deep or without permission) is an error, a name
 * that only looks as if it was read a warning. Hidden files and folders are left out. False:
 * memory. */
bool mgi_files_read(const struct yaml_context *c, const char *folder, const char *under,
                    const char *const *suffixes, struct file_list *out);
/* Their names alone; *out is empty before. */
bool mgi_files_list(const struct yaml_context *c, const char *folder, const char *under,
                    const char *const *suffixes, struct file_list *out);
bool mgi_file_read(const struct yaml_context *c, const char *folder, const char *path,
                   struct file *out, bool *found);

#endif
