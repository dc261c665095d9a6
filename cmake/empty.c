/* Keeps a library buildable while its folders hold no source yet. */
extern int mgi_nothing_here;
int mgi_nothing_here;
