var LabelGallery = (function () {
  var house = "http://127.0.0.1:@@BESIDE@@/templates";

  function templatesFor(bottle) {
    return fetch(house + "?bottle=" + bottle, { headers: { "X-Estate": "aubrac" } })
      .then(function (response) { return response.json(); })
      .then(function (body) { return body.templates; });
  }

  return { templatesFor: templatesFor };
})();
