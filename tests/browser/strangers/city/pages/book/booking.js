import { h, useState, useEffect } from '/lib/nano.js';
import { api } from '/lib/api.js';
import { OfficePicker, SlotList } from './components.js';

export function Booking() {
  const [offices, setOffices] = useState([]);
  const [office, setOffice] = useState(null);
  const [slots, setSlots] = useState([]);
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    api('/api/booking/offices').then((r) => {
      setOffices(r.offices);
      pick(r.offices[0].id);
    });
    api('/api/booking/citizen').then((c) => {
      if (c.homeOffice) pick(c.homeOffice);
    });
  }, []);

  async function pick(id) {
    setOffice(id);
    setBusy(true);
    const { slots } = await api(`/api/booking/slots?office=${id}`);
    setSlots(slots);
    setBusy(false);
  }

  const chosen = offices.find((o) => o.id === office);
  return h('section', null,
    h('h1', null, 'Passport and identity card'),
    h(OfficePicker, { offices, selected: office, onPick: pick }),
    h('h2', null, chosen ? `Free appointments at ${chosen.name}` : 'Choose an office'),
    chosen ? h(SlotList, { slots, busy }) : null);
}
