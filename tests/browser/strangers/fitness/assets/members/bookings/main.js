import { BookingDesk } from "./desk.js";

new BookingDesk(document.querySelector("#desk")).start();
