const KEY = 'lindale';

/** Photographs are for members only, so they are fetched with the field key rather than by an address in the page. */
export class PhotoShelf {
  constructor() {
    this.urls = new Map();
  }

  async load(id) {
    const response = await fetch(`/api/photos/${id}`, { headers: { 'X-Field-Key': KEY } });
    if (!response.ok) return null;
    const picture = await response.blob();
    const url = URL.createObjectURL(picture);
    this.urls.set(id, url);
    return url;
  }

  release() {
    for (const url of this.urls.values()) URL.revokeObjectURL(url);
    this.urls.clear();
  }
}

export function show(url, frame) {
  return new Promise((resolve) => {
    const image = new Image(200);
    image.alt = '';
    image.onload = () => { frame.replaceChildren(image); resolve(true); };
    image.onerror = () => { frame.textContent = 'The photograph is not available.'; resolve(false); };
    image.src = url;
  });
}
