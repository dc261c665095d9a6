export const total = (entries) => entries.reduce((sum, entry) => sum + entry.ml, 0);

export function balance(chart) {
  const intake = total(chart.intake);
  const output = total(chart.output);
  return { intake, output, net: intake - output };
}
