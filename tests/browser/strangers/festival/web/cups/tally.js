self.onmessage = ({ data }) => {
  const out = data.reduce((sum, bar) => sum + bar.out, 0);
  const back = data.reduce((sum, bar) => sum + bar.back, 0);
  let check = 0;
  for (let i = 0; i < 2e6; i++) check = (check * 31 + i) | 0;
  self.postMessage({ out, back, check });
};
