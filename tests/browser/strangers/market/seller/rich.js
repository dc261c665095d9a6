(function () {
  const html = (markup) => markup.replace(/[<&]/g, (c) => `&#${c.charCodeAt(0)};`)
    .replace(/\*\*(.+?)\*\*/g, '<b>$1</b>').replace(/_(.+?)_/g, '<i>$1</i>').replace(/\n/g, '<br>');
  window.RichText = {
    mount(area, toolbar) {
      const view = document.createElement('div');
      view.className = 'rich';
      const draw = () => { view.innerHTML = html(area.value); };
      area.hidden = true;
      area.after(view);
      toolbar.addEventListener('click', (event) => {
        const mark = event.target.dataset.mark;
        if (!mark) return;
        area.value = mark + area.value + mark;
        draw();
      });
      draw();
    },
  };
})();
