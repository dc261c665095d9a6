var Challenge = {
  // the puzzle of the provider when it can be loaded, otherwise a sum
  load: function (box) {
    return new Promise(function (resolve) {
      var s = document.createElement('script');
      s.src = 'http://127.0.0.1:@@NOBODY@@/puzzle/v2.js?render=explicit';
      s.onload = function () { window.puzzle.render(box); resolve('puzzle'); };
      s.onerror = function () {
        console.warn('challenge: provider not reachable, using the sum');
        box.innerHTML = '<label>Three plus four is <input id="sum" name="sum" size="3"></label> <span class="alert" data-for="sum"></span>';
        resolve('sum');
      };
      document.head.appendChild(s);
    });
  },
};
