const { h } = window.View;

export function toast(message, tone = "info") {
  const region = document.querySelector("#toasts");
  region.append(h("p", { class: `toast toast-${tone}`, role: "status" }, message));
}
