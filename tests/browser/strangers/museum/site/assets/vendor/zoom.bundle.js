/*! @moq/zoom 1.4.1 */
(()=>{"use strict";const e=e=>document.getElementById(e),t="onmessage=e=>{const{level:t,width:n,height:o}=e.data,r=[];for(let e=0;e<Math.ceil(n/256/2**(6-t));e++)for(let i=0;i<Math.ceil(o/256/2**(6-t));i++)r.push([e,i,(31*e+17*i)%255]);postMessage({level:t,tiles:r})}";
function n(){const e=URL.createObjectURL(new Blob([t],{type:"text/javascript"}));try{return new Worker(e)}catch(e){return{postMessage(){},terminate(){}}}}
function o(t){const n=e("view").getContext("2d"),o=Math.max(4,640/Math.sqrt(t.length*1.8));n.clearRect(0,0,640,360);for(const[e,r,i]of t)n.fillStyle=`rgb(${i} ${200-i/2} 90)`,n.fillRect(e*o,r*o,o-1,o-1)}
class r{constructor(e){this.info=e,this.level=1,this.worker=n(),this.worker.onmessage=e=>this.ready(e.data),this.worker.onerror=e=>{e.preventDefault&&e.preventDefault()}}
draw(){this.worker.postMessage({level:this.level,width:this.info.width,height:this.info.height})}
ready({level:t,tiles:n}){o(n),e("say").textContent="",e("level").textContent=`Level ${t} of ${this.info.levels}`,e("in").disabled=t>=this.info.levels,e("out").disabled=t<=1}
step(e){this.level+=e,this.draw()}}
fetch("/museum/api/tiles/terrella").then(e=>e.json()).then(t=>{const n=new r(t);e("in").onclick=()=>n.step(1),e("out").onclick=()=>n.step(-1),n.draw()}).catch(()=>{e("say").textContent="The image cannot be shown at the moment."})})();
