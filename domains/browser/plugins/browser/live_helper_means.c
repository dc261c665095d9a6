/* How the helper begins (live_helper.c): its means, taken before a script of the page runs.
 *
 * stand() puts a function in the place of one of the browser: under its name, with its length and
 * its attributes, no constructor, and with its text where code asks Function.prototype.toString, as
 * libraries do to know what is native. What is given to it is not converted here, for a page would
 * see it done twice: cut() and flat() pass over objects. Maps and sets have their methods as their
 * own, and descriptors, handlers and reports no prototype, so that a page which changes those feeds
 * nothing. room() bounds what is said in a second, of each kind and of all. */
#include "live_int.h"

const char mgi_live_helper_means[] =
    "(()=>{'use strict';const g=globalThis,bind=g.__machina;if(!bind)return;delete g.__machina;"
    "const "
    "str=JSON.stringify,parse=JSON.parse,now=Date.now,apply=Reflect.apply,build=Reflect.construct,"
    "S=String,"
    "slice=S.prototype.slice,assign=Object.assign,timeout=g.setTimeout,Err=g.Error,Ref=g.WeakRef,"
    "def=Object.defineProperty,of=Object.getOwnPropertyDescriptor,getter=(o,k)=>of(o,k).get,"
    "later=(f,ms)=>apply(timeout,g,[()=>{try{f()}catch(e){}},ms]);"
    "const own_=C=>{class K extends C{}const all=Object.getOwnPropertyDescriptors(C.prototype);"
    "delete all.constructor;Object.defineProperties(K.prototype,all);return K},"
    "Map=own_(g.Map),Set=own_(g.Set),WeakMap=own_(g.WeakMap),WeakSet=own_(g.WeakSet);"
    "const flat=v=>{const t=typeof v;return v==null||t=='string'||t=='number'||t=='boolean'};"
    "const cut=(t,n)=>{try{return t==null||typeof t=='object'||typeof t=='function'?'':"
    "apply(slice,S(t),[0,n])}catch(e){return''}};"
    "let all_=0,since=now(),spent=new Map();"
    "const room=k=>{const t=now();if(t-since>1000||t<since){since=t;all_=0;spent=new Map()}"
    "return all_<300&&(spent.get(k)||0)<(k=='deed'?150:100)},"
    "say=(k,d)=>{try{if(!room(k))return;all_++;spent.set(k,(spent.get(k)||0)+1);"
    "bind(str(assign({__proto__:null,k,t:now()},d)))}catch(e){}};"
    "const trail=(n=2000)=>{let d;try{d=of(Err,'prepareStackTrace');"
    "if(d&&!(d.configurable&&delete Err.prepareStackTrace))return'';return cut(new Err().stack,n)}"
    "catch(e){return''}finally{if(d)try{def(Err,'prepareStackTrace',{__proto__:null,...d})}catch(e)"
    "{}}};"
    "const stands=new WeakMap(),"
    "dress=(f,m)=>{for(const k "
    "of['name','length'])def(m,k,{__proto__:null,value:f[k],configurable:true});"
    "stands.set(m,stands.get(f)||f);return m},"
    "stand=(o,k,make,as='value')=>{try{const d=of(o,k),f=d[as];"
    "def(o,k,{__proto__:null,...d,[as]:dress(f,make(f).m)})}catch(e){}};"
    "stand(Function.prototype,'toString',f=>({m(){return apply(f,stands.get(this)||this,[])}}));"
    "const seenClass=(k,construct)=>stand(g,k,f=>{const m=new Proxy(f,{__proto__:null,construct});"
    "def(f.prototype,'constructor',{__proto__:null,value:m});return{m}});";
