const begun = new Map();

export function loadScript(src) {
  if (!begun.has(src)) {
    begun.set(src, new Promise(resolve => {
      const script = document.createElement('script');
      script.src = src;
      script.onload = () => resolve(true);
      script.onerror = () => resolve(false);
      document.head.append(script);
    }));
  }
  return begun.get(src);
}
