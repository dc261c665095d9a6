/* What runs in every document before its own scripts, and says what DevTools do not tell: input
 * that reached the page, forms that were not sent, who aborted a request, how much the document
 * changes. It is evidence, never a decision: a page could imitate it. It goes on in
 * live_helper_more.c, within the same function.
 *
 * The binding is taken and removed before a script of the page runs, and so are the functions that
 * are used later, so that a page which replaces them neither breaks nor feeds it; strict code, so
 * that no stack hands its functions out. What it stands in for fails and succeeds as without it.
 * Rates are bounded here and once more where it is heard. */
#include "live_int.h"

/* In a browser that was started by somebody else WebRTC would send datagrams to any address, past
 * the proxy. Gone before a script of the page runs, also in windows that one opens. */
const char mgi_live_no_detour[] =
    "(()=>{const g=globalThis,begin=g.open,apply=Reflect.apply,drop=w=>{try{"
    "delete w.RTCPeerConnection;delete w.webkitRTCPeerConnection;delete "
    "w.WebTransport}catch(e){}return w};drop(g);"
    "g.open=function open(){return drop(apply(begin,this,arguments))}})()";

const char mgi_live_helper[] =
    "(()=>{'use strict';const g=globalThis,bind=g.__machina;if(!bind)return;delete g.__machina;"
    "const str=JSON.stringify,now=Date.now,apply=Reflect.apply,slice=String.prototype.slice,"
    "assign=Object.assign,S=String,timeout=g.setTimeout,Err=g.Error,"
    "later=(f,ms)=>apply(timeout,g,[()=>{try{f()}catch(e){}},ms]);"
    "const cut=(t,n)=>{try{return apply(slice,S(t==null?'':t),[0,n])}catch(e){return''}};"
    "let spent=0,since=now();"
    "const say=(k,d)=>{try{const t=now();if(t-since>1000){since=t;spent=0}"
    "if(++spent>200)return;bind(str(assign({__proto__:null,k,t},d)))}catch(e){}};const "
    "name=e=>{try{"
    "if(!e||!e.tagName)return'';let s=S(e.tagName).toLowerCase();"
    "const id=e.getAttribute&&e.getAttribute('id'),n=e.getAttribute&&e.getAttribute('name');"
    "if(id)s+='#'+cut(id,60);else if(n)s+='[name='+cut(n,60)+']';return s}catch(e){return''}}"
    ";const listen=g.addEventListener;"
    "for(const ev of['click','submit','change','invalid','focusin','focusout'])apply(listen,g,"
    "[ev,e=>{try{const o=e.target;say('input',{"
    "type:ev,target:name(o),text:cut(o&&o.innerText,60),message:cut(o&&o.validationMessage,"
    "200),trusted:e.isTrusted,shown:ev=='invalid'?!!(o.getClientRects&&o.getClientRects("
    ").length):undefined,...(ev=='click'?{...hears(e),within:within(o),row:row(o)}:{})})}catch(x){}"
    "},true]);"
    "const getter=(o,k)=>Object.getOwnPropertyDescriptor(o.prototype,k).get,"
    "way=getter(HTMLFormElement,'method'),goal=getter(HTMLFormElement,'action'),of=(o,f)=>o "
    "instanceof HTMLFormElement?apply(f,o,[]):'';"
    "apply(listen,g,['submit',e=>later(()=>say('submitted',{"
    "target:name(e.target),prevented:e.defaultPrevented,method:cut(of(e.target,way),10),"
    "action:cut(of(e.target,goal),500)}),0),true]);"
    "apply(listen,g.document,['visibilitychange',()=>say('visibility',{"
    "state:document.visibilityState})]);const observe=(type,f)=>{try{"
    "new PerformanceObserver(l=>{for(const e of l.getEntries())f(e)}).observe({"
    "type,buffered:true})}catch(e){}};observe('longtask',e=>say('longtask',{"
    "ms:e.duration,start:performance.timeOrigin+e.startTime}));observe('layout-shift',e=>{"
    "if(!e.hadRecentInput)say('shift',{value:e.value})});"
    "const abort=AbortController.prototype.abort;"
    "const trail=n=>{try{return cut(new Err().stack,n)}catch(e){return''}};"
    "AbortController.prototype.abort=function abort_(r){say('abort',{"
    "stack:trail(4000),reason:cut(r,200)});"
    "return apply(abort,this,arguments)};"
    "let "
    "changes=0,content=0,gone=0,came=0,told=0,due=false,second=now(),busy=0,turns=0,built=0,run=0,"
    "places=new Map(),drawn='',drawnAt='';"
    "const inner=Object.getOwnPropertyDescriptor(Element.prototype,'innerHTML'),html=e=>{try{"
    "return e&&e.isConnected&&e.getElementsByTagName('*').length<2000?apply(inner.get,e,[]):''}"
    "catch(x){return''}};const tell=()=>{due=false;const ms=now()-told;told=now();"
    "const n=changes,c=content,b=built,r=run,o=gone,i=came;changes=content=built=run=gone=came=0;"
    "say('changes',{count:n,content:c,built:b,turns:r,gone:o,came:i,ms,nodes:document."
    "getElementsByTagName('*').length});"
    "if(told-second>=1000){const rate=Math.round(busy*1000/(told-second));if(rate>20){"
    "let top='',most=0,at;for(const[k,v]of places)if(v.n>most){most=v.n;top=k;at=v.e}"
    "const h=html(at),same=h!=''&&top==drawnAt&&h==drawn;drawn=h;drawnAt=top;"
    "drawn_(top);say('mutations',{"
    "target:top,per_second:rate,same,turns:Math.round(turns*1000/(told-second))})}"
    "second=told;busy=turns=0;places=new Map()}};"
    "try{new MutationObserver(l=>{run++;let d=0;"
    "for(const m of l){"
    "const n=m.type=='childList'?m.addedNodes.length+m.removedNodes.length:1;changes+=n;"
    "busy+=n;if(m.type!='attributes')content+=n;goes(m);"
    "if(m.addedNodes.length&&m.addedNodes[0].nodeType==1){built+=n;d=1}if(places.size<50){"
    "const e=m.target.nodeType==1?m.target:m.target.parentNode,k=name(e),v=places.get(k);"
    "if(v){v.n+=n;v.e=e}else places.set(k,{n,e})}}pile_(l);twin_(l);turns+=d;if(!due){due=true;"
    "const gap=told+100-now();later(tell,gap>0?gap:0)}}).observe(document,{"
    "childList:true,subtree:true,characterData:true,attributes:true,attributeFilter:['class',"
    "'style','hidden','disabled','src','href','open']})}catch(e){}";
