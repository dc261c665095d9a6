export function credits(grades) {
  return grades.reduce((sum, g) => sum + g.ects, 0);
}

export function average(grades) {
  if (grades.length === 0) return 0;
  const total = grades.reduce((sum, g) => sum + g.score, 0);
  return total / grades.length;
}
