/* What runs in every document before its own scripts, and says what DevTools do not tell: input
 * that reached the page, forms that were not sent, who aborted a request, how much the document
 * changes. It is evidence, never a decision: a page could imitate it. It begins in
 * live_helper_means.c and goes on in live_helper_more.c, within the same function.
 *
 * The binding is taken and removed before a script of the page runs, and so are the functions that
 * are used later, so that a page which replaces them neither breaks nor feeds it; strict code, so
 * that no stack hands its functions out. What it stands in for fails and succeeds as without it; a
 * page can tell by the stacks of errors that are thrown within, and by the text of a function of
 * another frame. Elements are kept by weak references. Rates are bounded here and once more where
 * it is heard. */
#include "live_int.h"

/* In a browser that was started by somebody else WebRTC would send datagrams to any address, past
 * the proxy. Gone before a script of the page runs, also in windows that one opens. */
const char mgi_live_no_detour[] =
    "(()=>{const g=globalThis,begin=g.open,apply=Reflect.apply,drop=w=>{try{"
    "delete w.RTCPeerConnection;delete w.webkitRTCPeerConnection;delete "
    "w.WebTransport}catch(e){}return w};drop(g);"
    "g.open=function open(){return drop(apply(begin,this,arguments))}})()";

const char mgi_live_helper[] =
    "const "
    "Shown=g.HTMLElement,attribute=Element.prototype.getAttribute,tags=Element.prototype."
    "getElementsByTagName,"
    "allTags=Document.prototype.getElementsByTagName,is=Element.prototype.matches,"
    "around=Element.prototype.closest;"
    "const name=e=>{try{"
    "if(!e||typeof e.tagName!='string')return'';let s=e.tagName.toLowerCase();"
    "const id=apply(attribute,e,['id']),n=apply(attribute,e,['name']);"
    "if(id)s+='#'+cut(id,60);else if(n)s+='[name='+cut(n,60)+']';return s}catch(e){return''}};"
    /* What is large has no text that tells it from others, and to lay it out takes time. */
    "const laid=getter(HTMLElement.prototype,'innerText'),words=(o,n)=>o instanceof Shown&&"
    "apply(tags,o,['*']).length<300?cut(apply(laid,o,[]),n):'';"
    "const listen=g.addEventListener;"
    "for(const ev of['click','submit','change','invalid','focusin','focusout'])apply(listen,g,"
    "[ev,e=>{try{if(!room('input'))return;const o=e.target;say('input',{"
    "type:ev,target:name(o),text:words(o,60),message:cut(o&&o.validationMessage,"
    "200),trusted:e.isTrusted,shown:ev=='invalid'?!!(o.getClientRects&&o.getClientRects("
    ").length):undefined,...(ev=='click'?{...hears(e),within:within(o),row:row(o)}:{})})}catch(x){}"
    "},true]);"
    "const way=getter(HTMLFormElement.prototype,'method'),goal=getter(HTMLFormElement.prototype,"
    "'action'),by=(o,f)=>o instanceof HTMLFormElement?apply(f,o,[]):'';"
    "apply(listen,g,['submit',e=>later(()=>say('submitted',{"
    "target:name(e.target),prevented:e.defaultPrevented,method:cut(by(e.target,way),10),"
    "action:cut(by(e.target,goal),500)}),0),true]);"
    "apply(listen,g.document,['visibilitychange',()=>say('visibility',{"
    "state:document.visibilityState})]);const observe=(type,f)=>{try{"
    "new PerformanceObserver(l=>{for(const e of l.getEntries())f(e)}).observe({"
    "type,buffered:true})}catch(e){}};observe('longtask',e=>say('longtask',{"
    "ms:e.duration,start:performance.timeOrigin+e.startTime}));observe('layout-shift',e=>{"
    "if(!e.hadRecentInput)say('shift',{value:e.value})});"
    "let aborts=0;const spell=Err.prototype.toString;"
    "stand(AbortController.prototype,'abort',f=>({m(r){if(aborts++<200)say('abort',{stack:trail("
    "4000),"
    "reason:cut(r instanceof Err?apply(spell,r,[]):r,200)});return apply(f,this,arguments)}}));"
    "let "
    "changes=0,content=0,gone=0,came=0,told=0,due=false,second=now(),busy=0,turns=0,built=0,run=0,"
    "places=new Map(),drawn='',drawnAt='';"
    "const inner=of(Element.prototype,'innerHTML'),html=e=>{try{"
    "return e&&e.isConnected&&apply(tags,e,['*']).length<2000?apply(inner.get,e,[]):''}"
    "catch(x){return''}};const tell=()=>{due=false;const ms=now()-told;told=now();"
    "const n=changes,c=content,b=built,r=run,o=gone,i=came;changes=content=built=run=gone=came=0;"
    "say('changes',{count:n,content:c,built:b,turns:r,gone:o,came:i,ms,"
    "nodes:apply(allTags,g.document,['*']).length});"
    "if(told-second>=1000){const rate=Math.round(busy*1000/(told-second));if(rate>20){"
    "let top='',most=0,at;for(const[k,v]of places)if(v.n>most){most=v.n;top=k;at=v.at.deref()}"
    "const h=html(at),same=h!=''&&top==drawnAt&&h==drawn;drawn=h;drawnAt=top;"
    "drawn_(top);say('mutations',{"
    "target:top,per_second:rate,same,turns:Math.round(turns*1000/(told-second))})}"
    "second=told;busy=turns=0;places=new Map()}};"
    "try{new MutationObserver(l=>{try{run++;let d=0;const here=new Set();"
    "for(const m of l){"
    "const n=m.type=='childList'?m.addedNodes.length+m.removedNodes.length:1;changes+=n;"
    "busy+=n;if(m.type!='attributes')content+=n;goes(m);"
    "if(m.addedNodes.length&&m.addedNodes[0].nodeType==1){built+=n;d=1}if(places.size<50){"
    "const e=m.target.nodeType==1?m.target:m.target.parentNode,k=name(e);let v=places.get(k);"
    "if(!v)places.set(k,v={n:0});v.n+=n;if(v.e!==e){v.e=e;here.add(v)}}}"
    "for(const v of here){v.at=new Ref(v.e||g.document);v.e=null}"
    "pile_(l);twin_(l);turns+=d}catch(x){}if(!due){due=true;"
    "const gap=told+100-now();later(tell,gap>0?gap:0)}}).observe(document,{"
    "childList:true,subtree:true,characterData:true,attributes:true,attributeFilter:['class',"
    "'style','hidden','disabled','src','href','open']})}catch(e){}";
