(function (root) {
  'use strict';
  const Linden = root.Linden;

  function values(form) {
    return Object.fromEntries(new FormData(form));
  }

  function clear(form) {
    for (const note of form.querySelectorAll('.field-note')) note.remove();
  }

  function showErrors(form, errors) {
    for (const [name, messages] of Object.entries(errors)) {
      const field = form.elements[name];
      if (!field) continue;
      const note = document.createElement('small');
      note.className = 'field-note alert';
      note.textContent = messages.join(' ');
      field.insertAdjacentElement('afterend', note);
    }
  }

  Linden.form = {
    onSubmit(form, send) {
      const button = form.querySelector('button[type=submit]');
      form.addEventListener('submit', async (event) => {
        event.preventDefault();
        clear(form);
        button.disabled = true;
        try {
          await send(values(form));
        } catch (error) {
          if (error.status === 422) showErrors(form, error.payload.errors);
          else Linden.toast('That did not work. Please try again.');
        } finally {
          button.disabled = false;
        }
      });
    },
  };
})(window);
