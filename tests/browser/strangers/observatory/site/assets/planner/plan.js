import { http } from '/assets/lib/http.js';
import { useEffect, useState } from './tiny.js';

function usePlan(filters) {
  const [plan, setPlan] = useState({ targets: [], failed: null });
  useEffect(() => {
    http.get('/api/plan', filters)
      .then(data => setPlan({ targets: data.targets, failed: null }))
      .catch(error => setPlan({ targets: [], failed: error.status ?? 0 }));
  }, [filters]);
  return plan;
}

function useSites() {
  const [sites, setSites] = useState([]);
  useEffect(() => {
    http.get('/api/plan/sites').then(data => setSites(data.sites));
  }, []);
  return sites;
}

const line = target => `<tr><td>${target.name}</td><td>${target.rises}</td><td>${target.airmass}</td></tr>`;

export function Plan({ night, limit }) {
  const sites = useSites();
  const [site] = useState('North ridge');
  const filters = { night, site, airmass: limit };
  const { targets, failed } = usePlan(filters);

  const options = sites.map(name => `<option ${name === site ? 'selected' : ''}>${name}</option>`).join('');
  const rows = failed === null
    ? targets.map(line).join('')
    : `<tr><td colspan="3" class="error">The planner is busy, please come back later.</td></tr>`;
  return `<label>Site <select>${options}</select></label>
    <table><thead><tr><th>Target</th><th>Rises</th><th>Airmass</th></tr></thead><tbody>${rows}</tbody></table>
    <p class="muted">Airmass below ${limit}, night of ${night}</p>`;
}
