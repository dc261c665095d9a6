/* What is run in the page, in a world of its own, when somebody asks: the functions whose answers
 * are dom.json, storage.json and performance.json, and the state of the page. The page's scripts
 * neither see nor change that world. Everything is bounded there already: a page may have a million
 * elements.
 *
 * An element keeps its ref as long as its document lives: __refs.of (element -> ref) and __refs.by
 * (ref -> WeakRef of the element) of our world. */
#include "live_int.h"

const char mgi_live_state_script[] =
    "()=>{const b=document.body,cut=(t,n)=>(t||'').replace(/\\s+/g,' ').trim().slice(0,n);"
    "const seen=e=>e.getClientRects().length>0&&getComputedStyle(e).visibility!='hidden';"
    "const shown=[],put=(kind,e)=>{if(shown.length<40&&seen(e)){const text=cut(e.innerText,200);"
    "if(text||kind=='spinner')shown.push({kind,text})}};"
    "const all=(s,n)=>b?[...b.querySelectorAll(s)].slice(0,n):[];"
    "for(const e of all('[role=alert],[role=alertdialog],[aria-live=assertive]',10))put('alert',e);"
    "for(const e of all('.error,.errors,.error-message,.invalid-feedback,.alert-danger,"
    "[aria-invalid=true],[class*=error i]:not(html):not(body)',10))put('error',e);"
    "for(const e of all('[aria-busy=true],[role=progressbar],progress:not([value]),"
    "[class*=spinner i],[class*=loading i],[class*=skeleton i]',10))put('spinner',e);"
    "for(const e of all('[class*=empty i],[class*=no-results i]',6))put('empty',e);"
    "for(const e of all('dialog[open],[role=dialog],[aria-modal=true]',4))put('dialog',e);"
    "for(const e of all('h1,h2,h3',12))put('heading',e);"
    "return {url:location.href,title:document.title,ready:document.readyState,"
    "visibility:document.visibilityState,text:b?cut(b.innerText,4000):'',shown,"
    "elements:document.getElementsByTagName('*').length,"
    "invalid:all(':invalid:not(form):not(fieldset)',20).map(e=>({target:(e.localName+(e.name?"
    "'[name='+e.name+']':e.id?'#'+e.id:'')).slice(0,80),message:cut(e.validationMessage,120),"
    "visible:seen(e)}))}}";

const char mgi_live_dom_script[] =
    "()=>{const short=(t,n)=>(t||'').replace(/\\s+/g,' ').trim().slice(0,n);"
    "const label=e=>short(e.getAttribute('aria-label')||e.labels?.[0]?.innerText||e.innerText||"
    "e.placeholder||e.title||e.name||'',80);"
    "const visible=e=>e.getClientRects().length>0&&getComputedStyle(e).visibility!=='hidden';"
    "const role=e=>e.getAttribute('role')||{A:'link',BUTTON:'button',SELECT:'combobox',"
    "TEXTAREA:'textbox',SUMMARY:'button'}[e.tagName]||({checkbox:'checkbox',radio:'radio',"
    "submit:'button',button:'button',image:'button',reset:'button',file:'file'}[e.type]??"
    "'textbox');"
    "const refs=globalThis.__refs||={next:1,of:new WeakMap(),by:new Map()};"
    "const ref=e=>{let r=refs.of.get(e);if(!r){r='e'+refs.next++;refs.of.set(e,r);"
    "refs.by.set(r,new WeakRef(e));if(refs.next%512==0)for(const[k,w]of refs.by)if(!w.deref())"
    "refs.by.delete(k)}return r};"
    "const roots=[document];for(let i=0;i<roots.length&&i<200;i++)"
    "for(const e of [...roots[i].querySelectorAll('*')].slice(0,20000)){"
    "if(e.shadowRoot)roots.push(e.shadowRoot);"
    "if(e.localName=='iframe')try{if(e.contentDocument)roots.push(e.contentDocument)}catch(x){}}"
    "const all=(s,n)=>{const out=[];for(const r of roots){for(const e of r.querySelectorAll(s)){"
    "if(out.length>=n)return out;out.push(e)}}return out};"
    "const selector=e=>e.id?'#'+CSS.escape(e.id):e.tagName.toLowerCase()+"
    "(e.name?'[name=\"'+e.name+'\"]':'');"
    "const field=e=>({ref:ref(e),name:e.name,type:e.type,label:label(e),required:!!e.required,"
    "value:e.type==='password'||/cc-|one-time/.test(e.autocomplete||'')?'':short(e.value,80)});"
    "const b=document.body;"
    "return {url:location.href,title:document.title,ts:Date.now(),text:short(b?.innerText,4000),"
    "headings:all('h1,h2,h3',100).map(e=>({level:+e.tagName[1],text:short(e.innerText,120)})),"
    "elements:all('a[href],button,input:not([type=hidden]),select,textarea,summary,[role=button],"
    "[role=link],[role=tab],[role=menuitem],[role=checkbox],[role=switch],[role=option],"
    "[contenteditable=\"\"],[contenteditable=true],[onclick]',1000).map(e=>({ref:ref(e),"
    "tag:e.tagName.toLowerCase(),role:role(e),name:label(e),selector:selector(e),"
    "visible:visible(e),enabled:!e.disabled})),"
    "forms:all('form',100).map(f=>({id:f.id,action:f.action,method:f.method,"
    "fields:[...f.elements].filter(e=>e.name).slice(0,100).map(field)})),"
    "links:all('a[href]',500).map(e=>({ref:ref(e),text:short(e.innerText,80),"
    "href:S(e.href).slice(0,500)})),"
    "images:all('img',200).map(e=>({src:S(e.src).slice(0,500),alt:short(e.alt,120),"
    "loaded:e.complete&&e.naturalWidth>0})),"
    "components:all('*',20000).filter(e=>e.localName.includes('-')).slice(0,200).map(e=>({"
    "tag:e.localName,name:customElements?.get?.(e.localName)?.name??e.constructor.name,"
    "children:e.childElementCount,text_length:e.innerText?.length??0,visible:visible(e)}))};"
    "function S(t){return typeof t==='string'?t:t?.baseVal||''}}";

const char mgi_live_storage_script[] =
    "()=>{const all=s=>{const o={};let n=0;for(let i=0;i<s.length&&n<262144;i++){const k=s.key(i),"
    "v=s.getItem(k)||'';n+=k.length+v.length;o[k.slice(0,200)]=v.slice(0,4000)}return o};"
    "const get=f=>{try{return all(f())}catch(e){return {}}};"
    "return {origin:location.origin,local:get(()=>localStorage),session:get(()=>sessionStorage)}}";

const char mgi_live_timing_script[] =
    "async()=>{const near=ms=>Math.round(ms*10)/10;"
    "const tasks=await new Promise(done=>{try{new PerformanceObserver(l=>done(l.getEntries()))"
    ".observe({type:'longtask',buffered:true})}catch(e){done([])}setTimeout(()=>done([]),50)});"
    "const nav=performance.getEntriesByType('navigation')[0];"
    "const list=t=>performance.getEntriesByType(t).slice(0,200);"
    "return {time_origin:Math.round(performance.timeOrigin),"
    "navigation:nav&&{type:nav.type,response_start_ms:near(nav.responseStart),"
    "response_end_ms:near(nav.responseEnd),dom_interactive_ms:near(nav.domInteractive),"
    "content_loaded_ms:near(nav.domContentLoadedEventEnd),load_ms:near(nav.loadEventEnd),"
    "transfer_bytes:nav.transferSize},"
    "paint:list('paint').map(e=>({name:e.name,start_ms:near(e.startTime)})),"
    "marks:list('mark').map(e=>({name:e.name,start_ms:near(e.startTime)})),"
    "measures:list('measure').map(e=>({name:e.name,start_ms:near(e.startTime),"
    "duration_ms:near(e.duration)})),"
    "long_tasks:tasks.slice(0,200).map(e=>({name:e.name,start_ms:near(e.startTime),"
    "duration_ms:near(e.duration)}))}}";
