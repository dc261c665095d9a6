"use strict";
var KeeperService = /** @class */ (function () {
    function KeeperService(base) { this.base = base; }
    KeeperService.prototype.get = function (path) {
        return fetch(this.base + path).then(function (r) { return r.ok ? r.json() : null; });
    };
    KeeperService.prototype.me = function () { return this.get("/keeper/me"); };
    KeeperService.prototype.tasks = function (areaId) { return this.get("/areas/" + areaId + "/tasks"); };
    return KeeperService;
}());
var TasksView = /** @class */ (function () {
    function TasksView(service) { this.service = service; }
    TasksView.prototype.load = function () {
        var _this = this;
        return this.service.me().then(function (me) {
            document.querySelector("#who").textContent = "Good morning, " + me.name;
            return _this.service.tasks(me.areaId);
        }).then(function (rows) {
            var _a;
            var list = (_a = rows) !== null && _a !== void 0 ? _a : [];
            document.querySelector("#tasks").innerHTML = list.length
                ? list.map(function (t) { return "<li>" + t + "</li>"; }).join("") : "<li>Nothing to do today. Enjoy the sun!</li>";
        });
    };
    return TasksView;
}());
new TasksView(new KeeperService("/api")).load();
