/* Another part of the helper (live_helper.c), within the same function and behind that of deeds:
 * headers of answers that code asks for and is told that there are none. Each once a name and
 * address; what code is told stays what it was. */
#include "live_int.h"

const char mgi_live_helper_heads[] =
    "try{const R=g.Response.prototype,H=g.Headers.prototype,X=g.XMLHttpRequest.prototype,"
    "of=Object.getOwnPropertyDescriptor,all=of(R,'headers'),url=of(R,'url').get,"
    "at=of(X,'responseURL').get,ask=H.get,has=H.has,asks=X.getResponseHeader,owners=new WeakMap(),"
    "vain=new Set();"
    "const unseen=(u,n)=>{try{u=cut(u,500);const q=u.indexOf('?');if(q>=0)u=cut(u,q);n=cut(n,60);"
    "const k=n+' '+u;if(!u||vain.size>=40||vain.has(k))return;vain.add(k);"
    "say('deed',{what:'header',target:u,name:n,stack:from()})}catch(e){}},"
    "owner=h=>{try{return owners.get(h)}catch(e){}};"
    "Object.defineProperty(R,'headers',{...all,get:of({get headers(){const "
    "h=apply(all.get,this,[]);try{owners.set(h,apply(url,this,[]))}catch(e){}return "
    "h}},'headers').get});"
    "H.get={get(n){const v=apply(ask,this,arguments);if(v===null)unseen(owner(this),n);return "
    "v}}.get;"
    "H.has={has(n){const v=apply(has,this,arguments);if(v===false)unseen(owner(this),n);return "
    "v}}.has;"
    "X.getResponseHeader={getResponseHeader(n){const v=apply(asks,this,arguments);"
    "if(v===null)try{unseen(apply(at,this,[]),n)}catch(e){}return v}}.getResponseHeader"
    "}catch(e){}";
