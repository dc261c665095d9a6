import { $, money } from '/lib/ui.js';

export class Tiles {
  fill({ sales, stock, ratings, insights }) {
    $('#today').textContent = money(sales.today);
    $('#week').textContent = money(sales.week);
    $('#listed').textContent = stock.listed;
    $('#stars').textContent = ratings.average.toFixed(1);
    if (insights.hint) $('#hint').textContent = insights.hint;
  }
}
