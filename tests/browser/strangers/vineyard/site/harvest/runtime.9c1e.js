!function(){var e={},t={};function n(r){if(t[r])return t[r].exports;var o=t[r]={exports:{}};return e[r](o,o.exports,n),o.exports}
self.__aub={d:function(t,r){Object.assign(e,t),r&&r(n)}}}();
