/* sharebar 2.1.4 */
!function(w,d){function S(o){this.o=o||{};this.n=d.querySelector(this.o.at)}
S.prototype.count=function(){return this.n.dataset.count|0};
S.prototype.mount=function(){this.n.append("Share")};
w.ShareBar=S;setTimeout(function(){var s=new S({at:".sharebar"});w.__share=s.count()},250)}(window,document);
