var Renderers = (function () {
  'use strict';
  function GL(host) {
    var canvas = document.createElement('canvas');
    var gl = canvas.getContext('webgl2', { failIfMajorPerformanceCaveat: true });
    if (!gl) throw new Error('WebGL2 is not supported or is too slow here');
    if (!gl.getExtension('WEBGL_draw_instanced_base_vertex_base_instance')) throw new Error('WebGL2: no instanced drawing');
    host.appendChild(canvas);
  }
  function Svg(host) {
    this.root = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    this.root.setAttribute('width', 640);
    this.root.setAttribute('height', 384);
    host.appendChild(this.root);
  }
  Svg.prototype.point = function (x, y, colour, onclick, name) {
    var c = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
    c.setAttribute('cx', x); c.setAttribute('cy', y); c.setAttribute('r', 7); c.setAttribute('fill', colour);
    c.id = name;
    c.addEventListener('click', onclick);
    this.root.appendChild(c);
  };
  return {
    best: function (host) {
      var kinds = [GL, Svg];
      for (var i = 0; i < kinds.length; i++) {
        try { return new kinds[i](host); } catch (e) { console.warn('map renderer ' + kinds[i].name + ' skipped:', e); }
      }
    },
  };
})();
