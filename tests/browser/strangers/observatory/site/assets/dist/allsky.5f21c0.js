var e=Object.create(null),t={hist:"9ab310",frames:"c07e11"};function n(r){return"/assets/dist/chunk-"+r+"."+t[r]+".js"}
function r(a){return e[a]||(e[a]=import(n(a)).catch(function(i){throw delete e[a],i}))}
function o(a,i){return fetch(a,i).then(function(u){if(!u.ok)throw new Error("HTTP "+u.status);return u.json()})}
var c={tab:"frames",err:!1,busy:!1},l=[];function s(a){Object.assign(c,a),l.forEach(function(i){i(c)})}
function f(a,i,u){var d=document.createElement(a);for(var p in i||{})p in d?d[p]=i[p]:d.setAttribute(p,i[p]);return(u||[]).forEach(function(m){d.append(m)}),d}
var v=document.getElementById("panel"),g=document.querySelectorAll("[data-tab]");
async function h(a){s({tab:a,busy:!0,err:!1});try{var i=await r(a);var u=await o(i.source);c.tab===a&&(v.replaceChildren(i.view(f,u)),s({busy:!1}))}catch(d){s({busy:!1,err:!0})}}
l.push(function(a){g.forEach(function(i){i.setAttribute("aria-selected",String(i.dataset.tab===a.tab))});
a.busy&&v.replaceChildren(f("p",{className:"muted"},["Loading"]));
a.err&&v.replaceChildren(f("p",{className:"error"},["Something went wrong. Please try again."]))});
g.forEach(function(a){a.addEventListener("click",function(){h(a.dataset.tab)})});
var b=document.querySelector("#overlay");b&&o("/api/allsky/overlay").then(function(a){b.textContent=a.text},function(){console.warn("overlay: constellations are off")});
h("frames");
export{h as open};
