/* What runs in every document before its own scripts, and says what DevTools do not tell: input
 * that reached the page, forms that were not sent, who aborted a request, how much the document
 * changes. It is evidence, never a decision: a page could imitate it.
 *
 * The binding is taken and removed before a script of the page runs, and so are the functions that
 * are used later, so that a page which replaces them neither breaks nor feeds it. Rates are bounded
 * here and once more where it is heard. */
#include "live_int.h"

const char mgi_live_helper[] =
    "(()=>{"
    "const bind=globalThis.__machina;if(!bind)return;delete globalThis.__machina;"
    "const str=JSON.stringify,now=Date.now,apply=Reflect.apply,slice=String.prototype.slice,"
    "assign=Object.assign,S=String,timeout=globalThis.setTimeout;"
    "const cut=(t,n)=>apply(slice,S(t==null?'':t),[0,n]);"
    "let spent=0,since=now();"
    "const say=(k,d)=>{try{const t=now();if(t-since>1000){since=t;spent=0}"
    "if(++spent>200)return;bind(str(assign({k,t},d)))}catch(e){}};"
    "const name=e=>{try{if(!e||!e.tagName)return'';let s=S(e.tagName).toLowerCase();"
    "const id=e.getAttribute&&e.getAttribute('id'),n=e.getAttribute&&e.getAttribute('name');"
    "if(id)s+='#'+cut(id,60);else if(n)s+='[name='+cut(n,60)+']';return s}catch(e){return''}};"
    "const listen=globalThis.addEventListener;"
    "for(const ev of['click','submit','change','invalid','focusin','focusout'])"
    "apply(listen,globalThis,[ev,e=>{const g=e.target;say('input',{type:ev,target:name(g),"
    "text:cut(g&&g.innerText,60),message:cut(g&&g.validationMessage,200),trusted:e.isTrusted,"
    "shown:ev=='invalid'?!!(g.getClientRects&&g.getClientRects().length):undefined})},true]);"
    "apply(listen,globalThis,['submit',e=>apply(timeout,globalThis,[()=>say('submitted',{"
    "target:name(e.target),prevented:e.defaultPrevented,method:cut(e.target.method,10),"
    "action:cut(e.target.action,500)}),0]),true]);"
    "apply(listen,globalThis.document,['visibilitychange',()=>say('visibility',"
    "{state:document.visibilityState})]);"
    "const observe=(type,f)=>{try{new PerformanceObserver(l=>{for(const e of l.getEntries())f(e)})"
    ".observe({type,buffered:true})}catch(e){}};"
    "observe('longtask',e=>say('longtask',{ms:e.duration,start:performance.timeOrigin+"
    "e.startTime}));"
    "observe('layout-shift',e=>{if(!e.hadRecentInput)say('shift',{value:e.value})});"
    "const abort=AbortController.prototype.abort;"
    "AbortController.prototype.abort=function abort_(r){say('abort',{stack:cut(new Error().stack,"
    "4000),reason:cut(r,200)});return apply(abort,this,arguments)};"
    "let changes=0,told=0,due=false;"
    "const tell=()=>{due=false;told=now();const n=changes;changes=0;say('changes',{count:n,"
    "nodes:document.getElementsByTagName('*').length})};"
    "try{new MutationObserver(l=>{for(const m of l)changes+=m.type=='childList'?"
    "m.addedNodes.length+m.removedNodes.length:1;if(!due){due=true;const gap=told+100-now();"
    "apply(timeout,globalThis,[tell,gap>0?gap:0])}}).observe(document,"
    "{childList:true,subtree:true,characterData:true,attributes:true,"
    "attributeFilter:['class','style','hidden','disabled','src','href','open']})}catch(e){}"
    "})()";
