window.DeckPlan = class DeckPlan {
  constructor(host, picked) { this.host = host; this.picked = picked; }
  draw(deck) {
    deck.seats.forEach((name) => {
      const seat = document.createElement("button");
      seat.className = "seat";
      seat.textContent = name;
      seat.onclick = () => this.picked(name);
      this.host.append(seat);
    });
  }
};
