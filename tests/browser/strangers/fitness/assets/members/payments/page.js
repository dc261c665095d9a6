(function () {
  var WALLET = "http://127.0.0.1:@@WALLET@@/v1/wallet";

  function byId(id) { return document.getElementById(id); }

  function showMethods(methods) {
    var list = byId("methods");
    list.innerHTML = "";
    if (methods.length === 0) {
      list.innerHTML = "<li class='muted'>You have no saved payment methods.</li>";
      byId("pay").disabled = true;
      return;
    }
    for (var i = 0; i < methods.length; i++) {
      var item = document.createElement("li");
      item.appendChild(document.createTextNode(methods[i].kind + " ending in " + methods[i].ends));
      list.appendChild(item);
    }
    byId("pay").disabled = false;
  }

  Remote.get("/api/payments/history", function (rows) {
    var out = "";
    for (var i = 0; i < rows.length; i++) {
      out += "<tr><td>" + rows[i].on + "</td><td>" + rows[i].what + "</td><td>" + rows[i].sum + "</td></tr>";
    }
    byId("history").innerHTML = out;
  }, function () { byId("history").innerHTML = ""; });

  Remote.get(WALLET, function (wallet) { showMethods(wallet.methods); }, function () { showMethods([]); });
})();
