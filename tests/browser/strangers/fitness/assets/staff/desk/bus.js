window.deskBus = (function () {
  var topics = {};
  return {
    on: function (topic, listener) { (topics[topic] = topics[topic] || []).push(listener); },
    emit: function (topic, value) { (topics[topic] || []).forEach(function (listener) { listener(value); }); }
  };
})();
