/* reach measurement 4.2 */
(function(w,d){var c=d.currentScript,o=new URL(c.src).origin,p=c.getAttribute("data-px");function s(n){fetch(o+"/collect",{method:"POST",mode:"no-cors",keepalive:true,body:JSON.stringify({n:n,u:location.pathname,t:Date.now()})}).catch(function(){})}
s("view");if(p){(new Image).src=p+"?u="+encodeURIComponent(location.pathname)}d.addEventListener("click",function(){s("click")},true);w._reach={push:s}})(window,document);
