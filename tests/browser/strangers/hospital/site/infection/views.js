const KEY = 'infection.view';
const PLAIN = { sort: 'days' };

export const savedView = () => {
  const text = localStorage.getItem(KEY);
  return text ? { ...PLAIN, ...JSON.parse(text) } : { ...PLAIN };
};

export const saveView = (view) => localStorage.setItem(KEY, view);
