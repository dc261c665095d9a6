/* For the pages that have not moved to modules yet. */
window.WH = window.WH || {};
WH.$ = function (selector, root) { return (root || document).querySelector(selector); };
WH.getJSON = function (path) {
  return fetch(path).then(function (res) {
    if (!res.ok) throw new Error(path + ": " + res.status);
    return res.json();
  });
};
WH.postJSON = function (path, body, headers) {
  return fetch(path, {
    method: "POST",
    headers: Object.assign({ "content-type": "application/json" }, headers),
    body: JSON.stringify(body),
  });
};
WH.money = function (cents) { return (cents / 100).toFixed(2) + " €"; };
