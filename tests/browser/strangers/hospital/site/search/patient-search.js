"use strict";
var __awaiter = (this && this.__awaiter) || function (thisArg, _arguments, P, generator) {
    return new (P || (P = Promise))(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : Promise.resolve(result.value).then(fulfilled, rejected); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
};
class PatientService {
    constructor(base, limit) {
        this.base = base;
        this.limit = limit;
    }
    find(term) {
        return __awaiter(this, void 0, void 0, function* () {
            const response = yield fetch(`${this.base}/patients?limit=${this.limit}&q=${term}`);
            if (!response.ok) {
                throw new Error(`search answered ${response.status}`);
            }
            return (yield response.json()).hits;
        });
    }
}
class SearchView {
    constructor(root, service) {
        var _a;
        this.service = service;
        this.field = root.querySelector("input");
        this.list = root.querySelector("ul");
        (_a = root.querySelector("form")) === null || _a === void 0 ? void 0 : _a.addEventListener("submit", (event) => {
            event.preventDefault();
            void this.search(this.field.value.trim());
        });
    }
    search(term) {
        return __awaiter(this, void 0, void 0, function* () {
            const hits = yield this.service.find(term);
            this.list.replaceChildren(...(hits.length ? hits.map((hit) => this.item(`#${hit.no} ${hit.name}, ${hit.born}, ${hit.ward}`)) : [this.item(`No patient matches “${term}”.`)]));
        });
    }
    item(text) {
        const item = document.createElement("li");
        item.textContent = text;
        return item;
    }
}
new SearchView(document.getElementById("search"), new PatientService("/api", 20));
//# sourceMappingURL=patient-search.js.map
