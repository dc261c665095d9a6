export function mount(box) {
  box.innerHTML = '<label>Day of travel <input type="date"></label>';
}
