const format = new Intl.NumberFormat('en-IE', { style: 'currency', currency: 'EUR' });

export const money = (value) => format.format(value);

export const sum = (list, pick) => list.reduce((total, item) => total + Number(pick(item)), 0);
