/* Keeps the support library buildable whatever else is in this folder. */
extern int mgi_test_support_anchor;
int mgi_test_support_anchor;
