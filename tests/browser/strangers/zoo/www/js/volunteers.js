"use strict";
var __awaiter = function (thisArg, gen) {
    return new Promise(function (resolve, reject) {
        var it = gen.apply(thisArg);
        function step(r) { r.done ? resolve(r.value) : Promise.resolve(r.value).then(function (v) { try { step(it.next(v)); } catch (e) { reject(e); } }, function (e) { try { step(it.throw(e)); } catch (x) { reject(x); } }); }
        step(it.next());
    });
};
var CHUNKS = { roster: "/js/chunks/roster.8f21c0.js", chart: "/js/chunks/chart.11ab04.js" };
var VolunteersPage = /** @class */ (function () {
    function VolunteersPage(root) { this.root = root; }
    VolunteersPage.prototype.start = function () {
        return __awaiter(this, function* () {
            var n = yield fetch("/api/volunteers/count").then(function (r) { return r.json(); });
            this.root.querySelector("#count").textContent = n.count + " volunteers";
            var chart = yield import(CHUNKS.chart);
            chart.draw(this.root.querySelector("#chart"), n.count);
            try {
                var roster = yield import(CHUNKS.roster);
                roster.mount(this.root.querySelector("#roster"));
            }
            catch (_a) {
                this.root.querySelector("#roster").textContent = "Loading the roster…";
            }
        });
    };
    return VolunteersPage;
}());
new VolunteersPage(document.querySelector("main")).start();
