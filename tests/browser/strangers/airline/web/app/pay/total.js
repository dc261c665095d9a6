export function totalOf({ lines, charges }) {
  const sum = lines.reduce((all, line) => all + line.price, 0);
  return sum + charges.airport + charges.carbon;
}

export const canPay = (state) => state.ready && totalOf(state) > 0;
