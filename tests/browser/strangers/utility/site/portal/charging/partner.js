const ADVERT = "http://127.0.0.1:@@NOBODY@@/wallbox-partner.js";

/** An advert of a partner; without it there is none. */
export async function offer(target) {
  try {
    const { render } = await import(ADVERT);
    render(target);
  } catch {
    target.remove();
  }
}
