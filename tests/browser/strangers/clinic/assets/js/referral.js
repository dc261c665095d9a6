(function (Linden) {
  'use strict';
  const { http, form, $ } = Linden;
  form.onSubmit($('#referral'), async (values) => {
    const made = await http.post('/api/referrals', values);
    $('#done').textContent = `Referral ${made.id} is on its way.`;
    $('#referral').reset();
  });
})(window.Linden);
