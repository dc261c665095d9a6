import { VehicleList } from './vehicle-list.js';
import { InspectionPlanner } from './planner.js';

customElements.define('inspection-planner', InspectionPlanner);
customElements.define('vehicle-list', VehicleList);
