/** Stands alone: it is carried to where it runs. */
export function project(hours) {
  const days = [];
  for (let i = 0; i < hours.length; i += 24) days.push(hours.slice(i, i + 24).reduce((sum, value) => sum + value, 0));
  const mean = days.reduce((sum, value) => sum + value, 0) / days.length;
  return { year: Math.round(mean * 365), peak: Math.max(...days) };
}
