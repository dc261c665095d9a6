(async () => {
  const $ = (id) => document.getElementById(id);
  Supervision.rules().then(({ minutes, perTerm }) => { $('rules').textContent = `A talk takes ${minutes} minutes; you have ${perTerm} in a term.`; });
  const profile = await Supervision.profile();
  $('tutor').textContent = profile.tutorName ? `Your tutor: ${profile.tutorName}` : '';
  const hours = await Supervision.hours(profile.tutor);
  hours.forEach((h) => { $('hours').appendChild(document.createElement('li')).textContent = `${h.day}, ${h.at}`; });
  if (!hours.length) $('none').textContent = 'Your tutor offers no office hours in this term.';
})();
