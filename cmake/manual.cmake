# Pages of the manual and a completion script of PROGRAM, called NAME, into OUT: its own tables say what
# is in them (src/cli/cli_manual.h).
function(tell file)
  execute_process(COMMAND ${PROGRAM} help ${ARGN} OUTPUT_FILE ${OUT}/${file} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${PROGRAM} help ${ARGN}: ${status}")
  endif()
endfunction()

file(MAKE_DIRECTORY ${OUT}/man1 ${OUT}/completions)
tell(man1/${NAME}.1 --man)
tell(completions/${NAME} --bash)
execute_process(COMMAND ${PROGRAM} help --commands OUTPUT_VARIABLE commands)
string(REGEX MATCHALL "[a-z-]+" commands "${commands}")
foreach(command ${commands})
  tell(man1/${NAME}-${command}.1 --man ${command})
endforeach()
file(TOUCH ${OUT}/${NAME}.stamp)
