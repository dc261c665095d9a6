importScripts('/vendor/news2-tables.js');

self.onmessage = ({ data }) => {
  const points = Object.entries(self.NEWS2).map(([name, rate]) => [name, rate(data[name])]);
  self.postMessage({ points, total: points.reduce((sum, [, value]) => sum + value, 0) });
};
