"use strict";__aub.d({
114:(e,t)=>{t.q=(e,t)=>fetch("/graphql",{method:"POST",headers:{"content-type":"application/json"},body:JSON.stringify({query:e,variables:t})}).then(e=>{if(!e.ok)throw Error(e.status);return e.json()}).then(e=>e.data)},
207:(e,t)=>{t.P="query Plan($y:Int!){season(year:$y){year start parcels{name grape day pickers}}}"},
311:(e,t)=>{t.r=(e,t)=>{var n=document.getElementById("plan");n.className="";n.innerHTML=e.length?"<table>"+e.map(e=>"<tr><td>"+[e.name,e.grape,e.day,e.pickers].join("<td>")).join("")+"</table>":"<p class=empty>No parcel is planned for "+t+" yet.</p>"}},
402:(e,t,n)=>{var r=n(114),o=n(207),i=n(311);t.go=()=>r.q(o.P,{y:2026}).then(({season:e})=>{document.getElementById("season").textContent="Harvest "+e.year+", from "+e.start;i.r(e.parcels||[],e.year)})}
},e=>e(402).go());
