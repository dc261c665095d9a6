/* Another part of the helper (live_helper.c), within the same function and behind that of deeds:
 * headers of answers that code asks for and is told that there are none. Each once a name and
 * address; what code is told stays what it was. */
#include "live_int.h"

const char mgi_live_helper_heads[] =
    "const owners=new WeakMap(),vain=new Set();"
    "const unseen=(u,n)=>{try{u=cut(u,500);const q=u.indexOf('?');if(q>=0)u=cut(u,q);n=cut(n,60);"
    "const k=n+' '+u;if(!u||!n||vain.size>=40||vain.has(k))return;vain.add(k);"
    "say('deed',{what:'header',target:u,name:n,stack:from()})}catch(e){}};"
    "try{const "
    "url=getter(Response.prototype,'url'),at=getter(XMLHttpRequest.prototype,'responseURL');"
    "stand(Response.prototype,'headers',f=>({m(){const h=apply(f,this,[]);"
    "try{owners.set(h,apply(url,this,[]))}catch(e){}return h}}),'get');"
    "stand(Headers.prototype,'get',f=>({m(n){const v=apply(f,this,arguments);"
    "if(v===null)unseen(owners.get(this),n);return v}}));"
    "stand(Headers.prototype,'has',f=>({m(n){const v=apply(f,this,arguments);"
    "if(v===false)unseen(owners.get(this),n);return v}}));"
    "stand(XMLHttpRequest.prototype,'getResponseHeader',f=>({m(n){const v=apply(f,this,arguments);"
    "if(v===null)try{unseen(apply(at,this,[]),n)}catch(e){}return v}}))}catch(e){}";
