import './permit-list.js';
import './permit-item.js';
