# Writes C++ that holds the texts of the page's files (cli/map/page_parts.h). As a script:
#   cmake -DOUTPUT=FILE.cc -DFOLDER=cli/map/page -P PteproofEmbed.cmake
# The scripts are joined in the order of their names: each may use what another declares, and main.js starts them.
file(GLOB scripts ${FOLDER}/*.js)
file(GLOB styles ${FOLDER}/*.css)
set(text "// Made from cli/map/page by cmake/PteproofEmbed.cmake.\n#include \"cli/map/page_parts.h\"\n\nnamespace pteproof {\n")
foreach(part Script Style)
  set(joined "")
  if(part STREQUAL "Script")
    set(files ${scripts})
  else()
    set(files ${styles})
  endif()
  list(SORT files)
  foreach(file IN LISTS files)
    file(READ ${file} one)
    string(APPEND joined "${one}")
  endforeach()
  string(SHA256 digest "${joined}")
  # One literal may be too long for a compiler: they are joined by it.
  string(LENGTH "${joined}" length)
  set(literals "")
  set(begin 0)
  while(begin LESS length)
    string(SUBSTRING "${joined}" ${begin} 8000 piece)
    string(APPEND literals "    R\"page(${piece})page\"\n")
    math(EXPR begin "${begin} + 8000")
  endwhile()
  string(APPEND text
    "\nPagePart Page${part}() {\n  static constexpr std::string_view kText =\n${literals};\n"
    "  return {kText, \"${digest}\"};\n}\n")
endforeach()
string(APPEND text "\n}  // namespace pteproof\n")
file(WRITE ${OUTPUT} "${text}")
