const HAULIER = "http://127.0.0.1:@@BESIDE@@/quotes";

export async function quoteFor(postcode, bottles) {
  const response = await fetch(`${HAULIER}?to=${encodeURIComponent(postcode)}&bottles=${bottles}`);
  if (response.status === 404) return null;
  return response.json();
}
