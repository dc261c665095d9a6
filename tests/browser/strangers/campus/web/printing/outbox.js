function Outbox(key, send, told) {
  var self = this;
  this.all = function () { return JSON.parse(localStorage.getItem(key) || '[]'); };
  this.keep = function (list) { localStorage.setItem(key, JSON.stringify(list)); told(list.length); };
  this.add = function (job) { self.keep(self.all().concat(job)); self.flush(); };
  this.flush = function () {
    var first = self.all()[0];
    if (!first || self.busy) return;
    self.busy = true;
    send(first).then(function (outcome) {
      self.busy = false;
      if (outcome === 'later') { setTimeout(self.flush, 900); return; }
      self.keep(self.all().slice(1));
      self.flush();
    });
  };
}
