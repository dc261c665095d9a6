import { getJson } from "./api.js";

/** <user-list>: who may use this shop. */
export class UserList extends HTMLElement {
  async load() {
    const users = await getJson("/api/users");
    requestAnimationFrame(() => this.render(users));
  }

  render(users) {
    const rows = users.map((user) => {
      const row = document.createElement("li");
      row.textContent = `${user.name} (${user.role})`;
      return row;
    });
    this.replaceChildren(...rows);
  }
}

customElements.define("user-list", UserList);
