/* A tree of YAML as bytes, and back, so that a text that was parsed once need not be again.
 *
 * A node is its kind (with a bit for a plain scalar), line and column, then a scalar's text or the
 * number of entries and the entries; a text is its length, its bytes and a NUL. Numbers are groups
 * of seven bits, the low ones first, the last without the high bit. Bytes are not trusted: what is
 * read is a tree that mgi_yaml_parse() could have made of some text, or nothing. */
#ifndef MGI_DOMAIN_YAML_TREE_H
#define MGI_DOMAIN_YAML_TREE_H

#include "base/buf.h"
#include "domain/yaml.h"

void mgi_yaml_tree_write(struct buf *out, const struct yaml_node *root);

/* Nodes are allocated as those of a parser, texts are views of `bytes`. NULL: these are no tree, or
 * memory (the arena's oom). */
struct yaml_node *mgi_yaml_tree_read(const struct yaml_context *c, const char *file,
                                     struct str bytes);

#endif
