/* Another part of the helper (live_helper.c), within the same function and behind that of deeds:
 * whether what was changed came to the page or was taken away; dates that code shows or takes apart
 * and that lie in January 1970, as seconds do that were taken for milliseconds. Spans of less than
 * ten days, which code formats as dates, too, do not. */
#include "live_int.h"

const char mgi_live_helper_dates[] =
    "const hid=e=>e.hidden||e.style&&e.style.display=='none'||e.classList.contains('hidden')||"
    "e.classList.contains('d-none'),says=n=>n.nodeType==1||n.nodeType==3&&/\\S/.test(n.data),"
    "goes=m=>{if(m.type=='childList'){let a=0;for(const n of m.addedNodes)if(says(n))a++;"
    "came+=a;if(!a)for(const n of m.removedNodes)if(n.nodeType==1)gone++}"
    "else if(m.type=='characterData'){if(/\\S/.test(m.target.data))came++}"
    "else if(/^(hidden|class|style)$/.test(m.attributeName)&&hid(m.target))gone++};"
    "try{const D=g.Date.prototype,at=D.getTime,F=g.Intl.DateTimeFormat.prototype,"
    "odd=d=>{try{const v=typeof d=='number'?d:apply(at,d,[]);"
    "if(v>=9e8&&v<=4e9)deed('odd date',()=>({count:v}))}catch(e){}};"
    "for(const k of['toLocaleDateString','toLocaleTimeString','toLocaleString','toISOString',"
    "'toDateString','toUTCString','toString','getDate','getDay','getHours','getMonth',"
    "'getFullYear']){const f=D[k];"
    "D[k]={[k](){const r=apply(f,this,arguments);odd(this);return r}}[k]}"
    "const parts=F.formatToParts;F.formatToParts={formatToParts(date){const "
    "r=apply(parts,this,arguments);odd(date);return r}}.formatToParts;"
    "const all=Object.getOwnPropertyDescriptor(F,'format'),made=new WeakMap(),"
    "with_=b=>d=>{const r=b(d);odd(d);return r};"
    "Object.defineProperty(F,'format',{...all,get:Object.getOwnPropertyDescriptor({get format(){"
    "const b=apply(all.get,this,[]);let w=made.get(b);if(!w)made.set(b,w=with_(b));return w}},"
    "'format').get})}catch(e){}";
