# Writes OUT: a C file that holds every .mg file under ROOT as a byte array, and a table of them
# sorted by path. Declared in src/domain/standard_rules.h.
file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/*.mg)
list(FILTER files EXCLUDE REGEX "_test\\.mg$") # tests for `mangle test`
list(SORT files)
set(text "/* Generated from rules/. */\n#include \"domain/standard_rules.h\"\n")
set(table "")
set(count 0)
foreach(path ${files})
  file(READ ${ROOT}/${path} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes "${bytes}")
  string(APPEND text "static const unsigned char rule_${count}[] = {\n${bytes}0x00};\n")
  string(APPEND table "    {\"${path}\", (const char *)rule_${count}, sizeof rule_${count} - 1},\n")
  math(EXPR count "${count} + 1")
endforeach()
string(APPEND text "const struct standard_rule mgi_standard_rules[] = {\n${table}    {0, 0, 0},\n};\n")
string(APPEND text "const size_t mgi_standard_rules_count = ${count};\n")
file(WRITE ${OUT} "${text}")
