const WEEK = 7 * 864e5;
export function events(text) {
  return text.replace(/\r\n[ \t]/g, '').split('BEGIN:VEVENT').slice(1).flatMap((block) => {
    const field = (name) => new RegExp(`^${name}:(.*)$`, 'm').exec(block)?.[1].replace(/\r$/, '').replace(/\\,/g, ',');
    if (field('STATUS') === 'CANCELLED') return [];
    const [, y, m, d, h, i] = /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)/.exec(field('DTSTART'));
    const first = Date.UTC(y, m - 1, d, h, i);
    const count = Number(/COUNT=(\d+)/.exec(field('RRULE') ?? '')?.[1] ?? 1);
    return Array.from({ length: count }, (_, n) => ({ uid: field('UID'), title: field('SUMMARY'), at: first + n * WEEK }));
  });
}
