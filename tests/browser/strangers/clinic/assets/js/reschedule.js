(function (Linden) {
  'use strict';
  const { http, form, $ } = Linden;
  const APPOINTMENT = 77310;

  form.onSubmit($('#move'), async ({ date, time, reason }) => {
    const moved = await http.put(`/api/appointments/${APPOINTMENT}`, { startsAt: `${date}T${time}`, reason });
    $('#done').textContent = `Moved to ${moved.startsAt}.`;
  });
})(window.Linden);
