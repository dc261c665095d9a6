export const OPENS = 7 * 60;
export const CLOSES = 19 * 60;

export function minutesOf(clock) {
  const [hours, minutes] = clock.split(':').map(Number);
  return hours * 60 + minutes;
}

export const share = (from, to) => ({
  left: `${(100 * (from - OPENS)) / (CLOSES - OPENS)}%`,
  width: `${(100 * (to - from)) / (CLOSES - OPENS)}%`,
});
