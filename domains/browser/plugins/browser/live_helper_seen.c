/* Another part of the helper (live_helper.c), within the same function: events that somebody
 * listens to only after they were dispatched, and elements that are added as the twins of those
 * beside them. Everything of it is bounded. */
#include "live_int.h"

const char mgi_live_helper_seen[] =
    "const lates=new Set(),cameAgain=new Set();"
    "function late_(t){if(tolds.has(t)&&!lates.has(t)&&lates.size<20){lates.add(t);"
    "report('late',{name:cut(t,100)},trail())}}"
    "function came_(t){if(lates.has(t)&&!cameAgain.has(t)){cameAgain.add(t);"
    "report('came',{name:cut(t,100)},trail())}}"
    /* Listeners run one after the other, and what each of them adds is told by itself: a twin of
       another turn was added by another listener. One of the same turn may be a list of things that
       look alike. */
    "const born=new WeakMap();let looks_=0,twins=0,turn=0;"
    "const twin=n=>{const b=born.get(n);if(!b)return 0;"
    "return now()-b.t>40?0:b.turn==turn?1:2};"
    "const alikes=(n,o)=>o&&o.nodeType==1&&o.tagName==n.tagName&&"
    "cut(o.textContent,200).trim()==cut(n.textContent,200).trim();"
    "function twin_(l){try{turn++;if(looks_>1500||twins>30)return;for(const m of l.slice(0,20))"
    "for(const n of[...m.addedNodes].slice(0,5)){if(n.nodeType!=1||!n.isConnected||"
    "n.childElementCount>20||looks_++>1500)continue;"
    "const text=cut(n.textContent,100).trim(),p=n.parentNode;let how=0;"
    "if(text.length>3&&p&&p.nodeType==1)"
    "for(const o of[n.previousElementSibling,n.nextElementSibling])if(!how&&alikes(n,o))"
    "how=twin(o);born.set(n,{t:now(),turn});"
    "if(!how||twins++>30)continue;const d={target:name(p),text,count:how};"
    "report('twin',d,'');if(twins<4)watch(e=>e===p,true,stack=>report('twin',{...d,text:''},"
    "stack))}}catch(e){}}"
    /* Called without end, second after second: what it does changes what it observes. */
    "let observers=0;seenClass('ResizeObserver',(t,a,n)=>{const f=a[0];"
    "if(typeof f!='function'||observers++>60)return build(t,a,n);"
    "const at=trail(1500);let calls=0,begun=now(),streak=0;"
    "const hear=function(l){try{if(streak<3){calls++;const ms=now()-begun;if(ms>=1000){"
    "streak=calls*1000/ms>=15?streak+1:0;if(streak==3)report('observed',{"
    "target:name(l[0].target),count:Math.round(calls*1000/ms)},at);calls=0;begun=now()}}}"
    "catch(e){}return apply(f,this,arguments)};return build(t,[hear],n)});";
