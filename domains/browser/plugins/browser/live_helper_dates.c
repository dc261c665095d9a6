/* Another part of the helper (live_helper.c), within the same function and behind that of deeds:
 * whether what was changed came to the page or was taken away; dates that code shows or takes apart
 * and that lie in January 1970, as seconds do that were taken for milliseconds. Spans of less than
 * ten days, which code formats as dates, too, do not. */
#include "live_int.h"

const char mgi_live_helper_dates[] =
    "const classes=getter(Element.prototype,'classList'),hid=e=>{if(e.hidden===true||"
    "e.style&&e.style.display=='none')return true;const c=apply(classes,e,[]);"
    "return c.contains('hidden')||c.contains('d-none')},"
    "says=n=>n.nodeType==1||n.nodeType==3&&/\\S/.test(n.data),"
    "goes=m=>{if(m.type=='childList'){let a=0;for(const n of m.addedNodes)if(says(n))a++;"
    "came+=a;if(!a)for(const n of m.removedNodes)if(n.nodeType==1)gone++}"
    "else if(m.type=='characterData'){if(/\\S/.test(m.target.data))came++}"
    "else if(/^(hidden|class|style)$/.test(m.attributeName)&&hid(m.target))gone++};"
    "const D=g.Date,at_=D.prototype.getTime,F=g.Intl.DateTimeFormat.prototype,"
    "odd=v=>{if(v>=9e8&&v<=4e9)try{deed('odd date',()=>({count:v}))}catch(e){}},"
    "oddly=d=>odd(typeof d=='number'?d:d instanceof D?apply(at_,d,[]):0);"
    "for(const k of['toLocaleDateString','toLocaleTimeString','toLocaleString','toISOString',"
    "'toDateString','toUTCString','toString','getDate','getDay','getHours','getMonth',"
    "'getFullYear'])stand(D.prototype,k,f=>({m(){const r=apply(f,this,arguments);"
    "odd(apply(at_,this,[]));return r}}));"
    "stand(F,'formatToParts',f=>({m(d){const r=apply(f,this,arguments);oddly(d);return r}}));"
    "const made=new WeakMap();stand(F,'format',f=>({m(){const b=apply(f,this,[]);let w=made.get(b);"
    "if(!w)made.set(b,w=dress(b,{m(d){const r=b(d);oddly(d);return r}}.m));return w}}),'get');";
