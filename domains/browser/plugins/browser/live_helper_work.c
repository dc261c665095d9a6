/* Another part of the helper (live_helper.c), within the same function: pictures that were long in
 * coming, and the scripts that they waited for, as the browser measures them: who called them, how
 * long they ran, how much of it was layout that they forced. A page that is quick has none. */
#include "live_int.h"

const char mgi_live_helper_work[] =
    "let slowFrames=0;const since_=t=>performance.timeOrigin+t;"
    "try{if(PerformanceObserver.supportedEntryTypes.includes('long-animation-frame'))"
    "observe('long-animation-frame',e=>{if(e.duration<150||slowFrames++>=200)return;const all=[];"
    "for(const s of e.scripts)if(s.duration>=50)all.push({url:cut(s.sourceURL,500),"
    "name:cut(s.sourceFunctionName,100),at:s.sourceCharPosition,"
    "by:/^\\w+:\\/\\//.test(s.invoker)?'':cut(s.invoker,200),type:s.invokerType,"
    "start:since_(s.startTime),ms:s.duration,layout:s.forcedStyleAndLayoutDuration,"
    "paused:s.pauseDuration});all.sort((a,b)=>b.ms-a.ms);"
    "say('frame',{ms:e.duration,start:since_(e.startTime),"
    "laid:e.styleAndLayoutStart?e.startTime+e.duration-e.styleAndLayoutStart:0,"
    "scripts:all.slice(0,3)})})}catch(e){}";
